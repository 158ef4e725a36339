package threads_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"foresee/internal/oracle/kernels"
	"foresee/model/threads"
)

func signatures(t testing.TB, size string, names ...string) []*threads.Signature {
	var out []*threads.Signature
	err := kernels.With(size, names, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			s, err := threads.Analyse(context.Background(), k.Program, threads.AnalyseOptions{Seed: 1})
			if err != nil {
				return err
			}
			out = append(out, s)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestEncode writes signatures and reads them again; none is longer than a MiB.
func TestEncode(t *testing.T) {
	for _, s := range signatures(t, "LARGE", "gemm", "cholesky", "conv-layer", "particles-aos", "trmm-chunk1", "deriche", "black-scholes") {
		data, err := s.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		if len(data) > 700<<10 { // in base64 a third more
			t.Errorf("%s: %d bytes", s.Loops[0].Place, len(data))
		}
		got := &threads.Signature{}
		if err := got.UnmarshalBinary(data); err != nil {
			t.Fatalf("%s: %v", s.Loops[0].Place, err)
		}
		team := threads.Team{Threads: 12, Group: 12}
		if d := cmp.Diff(threads.NewModel(s).Distances(team), threads.NewModel(got).Distances(team)); d != "" {
			t.Errorf("%s: %.500s", s.Loops[0].Place, d)
		}
		for _, bad := range [][]byte{nil, data[:len(data)/2], append([]byte{1}, data...)} {
			if err := new(threads.Signature).UnmarshalBinary(bad); err == nil {
				t.Error("damaged data were read")
			}
		}
	}
}
