package predict_test

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/recording"
	"foresee/machine"
	"foresee/predict"
)

// With data in order a prediction has the hit rates of a simulation; with pages anywhere it says that it does not.
func TestPagesAreSaid(t *testing.T) {
	m := load(t, "i7-5960x")
	simulated, err := predict.Simulate(context.Background(), predict.SimulationRequest{Signature: recordedKernel(t), Machine: m, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	for page, said := range map[int64]bool{0: true, predict.InOrder: false, 2 << 20: true} {
		r := run(t, predict.Request{Signature: recordedKernel(t), Machines: []*machine.Machine{m}, Threads: []int{2}, Options: predict.Options{Page: page}})
		if got := strings.Contains(strings.Join(r.Warnings, "\n"), "lie in memory in any order"); got != said {
			t.Errorf("pages of %d: %q", page, r.Warnings)
		}
		if page != predict.InOrder {
			continue
		}
		for i, p := range r.Predictions {
			for j, h := range p.HitRates {
				if want := simulated.Regions[i].Levels[j].HitRate; math.Abs(h.HitRate-want) > 1e-12 {
					t.Errorf("%s, %s: %g, simulated %g", p.Region, h.Level, h.HitRate, want)
				}
			}
		}
	}
}

// recordedKernel is a recording that is read once.
func recordedKernel(t *testing.T) *application.Signature {
	t.Helper()
	f, err := os.Open("../cmd/foresee/testdata/golden/inputs/kernel.rec")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	recorded, err := recording.Open(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { recorded.Close() })
	return application.OfRun("kernel.rec", recorded, true)
}
