package predict_test

import (
	"context"
	"math"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
)

// TestRepeated: what every thread of a team does, outside worksharing loops, takes each as long as it takes one alone, and one after another in critical sections.
func TestRepeated(t *testing.T) {
	m, err := machine.Load("granite-rapids-vm")
	if err != nil {
		t.Fatal(err)
	}
	const loop, threads = "for (int i = 0; i < 4000; i++) { double s = 0; for (int k = 0; k < 20; k++) s += a[i] * k; b[i] = s; }", 8
	for _, c := range []struct {
		name, body string
		least      float64 // of the core's time by one thread
	}{
		{"all", "\n#pragma omp parallel\n" + loop, 1},
		{"in turn", "\n#pragma omp parallel\n{\n#pragma omp critical\n" + loop + "}", threads},
		{"beside a worksharing loop", "\n#pragma omp parallel\n{ " + loop + "\n#pragma omp for\n" + loop + "}", 0.5 + 0.5/threads},
		{"loops within it", "\n#pragma omp parallel\nfor (int r = 0; r < 3; r++) {\n#pragma omp for\n" + loop + "}", 1. / threads},
		{"by one", "\n#pragma omp parallel\n{\n#pragma omp single\n{" + loop + "}\n#pragma omp for\n" + loop + "}", 0.5 + 0.5/threads},
	} {
		t.Run(c.name, func(t *testing.T) {
			unit, err := csource.Load("s.c", []byte("static double a[4000], b[4000];\nvoid step(void) {"+c.body+"\n}"), csource.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := predict.Run(context.Background(), predict.Request{
				Signature: application.OfLoops("s.c", unit.Programs...), Machines: []*machine.Machine{m}, Threads: []int{1, threads}, Options: predict.Options{Seed: 1},
			})
			if err != nil {
				t.Fatal(err)
			}
			one, all := r.Predictions[0].Terms.ComputeS, r.Predictions[1].Terms.ComputeS
			if math.Abs(all/one/c.least-1) > 0.02 {
				t.Errorf("the core takes %g s of each of %d threads, %g of one alone, %g times as much; want %g", all, threads, one, all/one, c.least)
			}
		})
	}
}
