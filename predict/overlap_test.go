package predict_test

import (
	"context"
	"reflect"
	"testing"

	"foresee/application"
	"foresee/application/trace"
	"foresee/internal/tracetest"
	"foresee/machine"
	"foresee/predict"
)

// longTrace has regions, threads and straddling accesses, and is long enough for several parts of several workers.
func longTrace() ([]trace.Event, trace.Names) {
	var events []trace.Event
	names := trace.Names{Regions: []string{"one", "two"}}
	some, _ := randomTrace(7, 20_000)
	for i := range uint64(30) {
		for _, e := range some {
			if e.IsAccess() {
				e.Address += i * i * 64 % 5000 * 64
			}
			events = append(events, e)
		}
	}
	return events, names
}

// With any number of workers, which measure pieces of the stream beside one another while more is read, profiles and simulations are those of one.
func TestWorkersCountTheSame(t *testing.T) {
	events, names := longTrace()
	m, err := machine.Load("i7-5960x")
	if err != nil {
		t.Fatal(err)
	}
	profile := func(workers int, scope, measure string) *predict.ProfileResult {
		r, err := predict.Profiles(context.Background(), predict.ProfileRequest{
			Signature: application.OfTrace("", tracetest.Slice(events, names)), Scope: scope, Measure: measure, Line: 64, Options: predict.Options{Workers: workers},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	simulate := func(workers int, arrays bool) *predict.SimulationResult {
		r, err := predict.Simulate(context.Background(), predict.SimulationRequest{
			Signature: application.OfTrace("", tracetest.Slice(events, names)), Machine: m, Threads: 3, Arrays: arrays, Options: predict.Options{Workers: workers},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Regions {
			r.Regions[i].Arrays = nil
		}
		return r
	}
	simulated := simulate(1, true) // access by access
	for _, workers := range []int{1, 2, 3, 5} {
		for _, scope := range []string{"shared", "private", "both"} {
			for _, measure := range []string{"distance", "interval"} {
				if got, want := profile(workers, scope, measure), profile(1, scope, measure); !reflect.DeepEqual(got, want) {
					t.Errorf("%d workers, %s, %s: another profile than with one", workers, scope, measure)
				}
			}
		}
		if got := simulate(workers, false); !reflect.DeepEqual(got, simulated) {
			t.Errorf("%d workers: another simulation than access by access:\n%+v, want\n%+v", workers, got, simulated)
		}
	}
	// The stream of all threads is measured by another engine alone than beside those of each.
	alone, both := profile(3, "shared", "distance"), profile(3, "both", "distance")
	if n := len(both.Profiles) - len(alone.Profiles); !reflect.DeepEqual(both.Profiles[n:], alone.Profiles) {
		t.Error("the shared profile alone is another than beside the private ones")
	}
}
