package predict_test

import (
	"context"
	"reflect"
	"testing"

	"foresee/application"
	"foresee/application/trace"
	"foresee/internal/tracetest"
	"foresee/predict"
)

// TestPaperTable3 gives the concurrent example of PPT-Multicore (Barai et al., table 3) as a trace of two threads. The
// profiles are those of model/reuse's test of the same name, worked out by hand there.
func TestPaperTable3(t *testing.T) {
	const lines, threads, line = "uwvuyxvxuv", "0100011000", 64
	var events []trace.Event
	for i := range lines {
		events = append(events, trace.Event{
			Address: uint64(lines[i])*line + uint64(i), Size: 1, Thread: uint16(threads[i] - '0'), Kind: trace.Read,
		})
	}
	type profile struct {
		accesses, cold int64
		histogram      []predict.Bin
	}
	private := profile{10, 7, []predict.Bin{{Low: 1, High: 1, Count: 1}, {Low: 2, High: 2, Count: 1}, {Low: 3, High: 3, Count: 1}}}
	shared := profile{10, 5, []predict.Bin{{Low: 1, High: 1, Count: 1}, {Low: 2, High: 2, Count: 2}, {Low: 3, High: 3, Count: 2}}}
	tests := []struct {
		scope string
		want  map[string]profile
	}{
		{"both", map[string]profile{"private": private, "shared": shared}},
		{"private", map[string]profile{"private": private}},
		{"shared", map[string]profile{"shared": shared}}, // one stream alone is measured by another engine
	}
	for _, tt := range tests {
		t.Run(tt.scope, func(t *testing.T) {
			out, err := predict.Profiles(context.Background(), predict.ProfileRequest{
				Signature: application.OfTrace("", tracetest.Slice(events, trace.Names{})), Scope: tt.scope, Line: line, Method: predict.MethodExact,
			})
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]profile{}
			for _, p := range out.Profiles {
				if p.Threads != 2 || p.Samples != 0 {
					t.Errorf("%s: %d threads, %d samples; want 2, and 0 for exact", p.Scope, p.Threads, p.Samples)
				}
				got[p.Scope] = profile{p.Accesses, p.Cold, p.Histogram}
			}
			if len(out.Profiles) != len(tt.want) || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("profiles %+v, want %+v", got, tt.want)
			}
		})
	}
}
