package predict_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"foresee/application"
	"foresee/application/recording"
	"foresee/machine"
	"foresee/predict"
)

// stopping is a recording whose reader is interrupted after some records.
type stopping struct {
	recording.Source
	stop   int // 0: never
	read   *int
	cancel func()
}

func (s *stopping) Next() (*recording.Record, error) {
	if *s.read++; *s.read == s.stop {
		s.cancel()
	}
	return s.Source.Next()
}

// Numbers of threads that were stopped at places of their own have no times to compare; read to the end, all have.
func TestStoppedRunsHaveNoTime(t *testing.T) {
	records := 0
	for _, stopped := range []bool{false, true} {
		r, err := predictStopped(t, records, &records)
		if stopped != errors.Is(err, context.Canceled) || !stopped && err != nil {
			t.Fatalf("stopped %v: %v", stopped, err)
		}
		if len(r.Predictions) == 0 {
			t.Fatalf("stopped %v: no predictions", stopped)
		}
		for _, p := range r.Predictions {
			if (p.TimeS == nil) != stopped || (p.Speedup == nil) != stopped || (p.BoundBy == "") != stopped || len(p.HitRates) == 0 || p.Accesses == 0 {
				t.Errorf("stopped %v, %s at %d threads: %d accesses, time %v, speed-up %v, bound by %q", stopped, p.Region, p.Threads, p.Accesses, p.TimeS, p.Speedup, p.BoundBy)
			}
		}
	}
}

// TestRunsOfTheirOwn interrupts the second of three runs: the first is whole and has its time, the second has none, the third is not there.
func TestRunsOfTheirOwn(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	all, read := 0, 0
	stop := 0
	alone := func(threads int) (recording.Source, func(error) error, error) {
		f, err := os.Open("../cmd/foresee/testdata/golden/inputs/kernel.rec")
		if err != nil {
			return nil, nil, err
		}
		source, err := recording.Open(f)
		if err != nil {
			return nil, nil, err
		}
		read = 0
		if threads == 2 {
			stop = all / 2
		}
		return &stopping{Source: source, stop: stop, read: &read, cancel: cancel}, func(failed error) error {
			all = read
			source.Close()
			return errors.Join(failed, f.Close())
		}, nil
	}
	r, err := predict.Run(ctx, predict.Request{
		Signature: &application.Signature{Name: "kernel", Kind: application.Recording, Streams: &application.Recorded{Alone: alone}},
		Machines:  []*machine.Machine{load(t, "i7-5960x")}, Threads: []int{1, 2, 4},
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v", err)
	}
	for _, p := range r.Predictions {
		if p.Threads > 2 || (p.TimeS == nil) != (p.Threads == 2) || p.Accesses == 0 {
			t.Errorf("%s at %d threads: %d accesses, time %v", p.Region, p.Threads, p.Accesses, p.TimeS)
		}
	}
	if len(r.Predictions) != 2 {
		t.Errorf("%d predictions", len(r.Predictions))
	}
}

// predictStopped predicts from a recording that is interrupted at half of so many records, and counts those that were read.
func predictStopped(t *testing.T, records int, read *int) (*predict.PredictionResult, error) {
	t.Helper()
	f, err := os.Open("../cmd/foresee/testdata/golden/inputs/kernel.rec")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	recorded, err := recording.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	defer recorded.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	*read = 0
	s := &stopping{Source: recorded, stop: records / 2, read: read, cancel: cancel}
	return predict.Run(ctx, predict.Request{
		Signature: application.OfRun("kernel.rec", s, true), Machines: []*machine.Machine{load(t, "i7-5960x")}, Threads: []int{1, 2, 4},
	})
}
