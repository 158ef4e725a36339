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

// Machines with the same caches share a simulation, and are predicted as each is alone.
func TestMachinesOfTheSameCaches(t *testing.T) {
	events, names := longTrace()
	first, err := machine.Load("i7-5960x")
	if err != nil {
		t.Fatal(err)
	}
	second, third := *first, *first
	second.Name, third.Name = "far", "small"
	second.Memory.LatencyNs = &machine.Value[float64]{Value: 300, Source: "invented"}
	third.Levels = append([]machine.Level{}, first.Levels...)
	third.Levels[1].Size = &machine.Value[machine.Size]{Value: 128 << 10, Source: "invented"}
	all := []*machine.Machine{first, &second, &third}
	predictions := func(machines ...*machine.Machine) []predict.Prediction {
		r, err := predict.Run(context.Background(), predict.Request{
			Signature: application.OfTrace("", tracetest.Slice(events, names)), Machines: machines, Threads: []int{3}, Options: predict.Options{HitModel: predict.HitModelPlaced},
		})
		if err != nil {
			t.Fatal(err)
		}
		return r.Predictions
	}
	together := predictions(all...)
	for k, m := range all {
		var got []predict.Prediction
		for _, p := range together {
			if p.Machine == m.Name {
				got = append(got, p)
			}
		}
		if want := predictions(m); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: machine %d of %d is predicted otherwise than alone: %+v, want %+v", m.Name, k+1, len(all), got, want)
		}
	}
}
