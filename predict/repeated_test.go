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

// steps predicts a function of a body over two arrays, by numbers of threads.
func steps(t *testing.T, body string, threads ...int) []predict.Prediction {
	t.Helper()
	m, err := machine.Load("granite-rapids-vm")
	if err != nil {
		t.Fatal(err)
	}
	unit, err := csource.Load("s.c", []byte("static double a[4000], b[4000];\nvoid step(void) {"+body+"\n}"), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := predict.Run(context.Background(), predict.Request{
		Signature: application.OfLoops("s.c", unit.Programs...), Machines: []*machine.Machine{m}, Threads: threads, Options: predict.Options{Seed: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r.Predictions
}

// TestRegionsOpen: a parallel region costs its opening whether or not a loop of it is dealt, each time that it is come to.
func TestRegionsOpen(t *testing.T) {
	const loop = "for (int i = 0; i < 400; i++) a[i] = b[i];"
	overhead := func(body string) float64 { return steps(t, body, 8)[0].Terms.ParallelS }
	one := overhead("\n#pragma omp parallel for\n" + loop)
	for body, times := range map[string]float64{
		"\n#pragma omp parallel\n" + loop:                                                                                1,
		"for (int t = 0; t < 3; t++) {\n#pragma omp parallel\n{ a[t] = 1; " + loop + " }}":                               3,
		"for (int t = 0; t < 3; t++) {\n#pragma omp parallel\n{\n#pragma omp for\n" + loop + " }}":                       3,
		"for (int t = 0; t < 3; t++) {\n#pragma omp parallel\na[t] = 1; }":                                               3,
		"for (int t = 0; t < 3; t++) {\n#pragma omp parallel\n{ if (t > 0) a[t] = 2;\n#pragma omp single\na[0] = 1;\n}}": 3,
	} {
		if got := overhead(body); one <= 0 || math.Abs(got-times*one) > 1e-9*one {
			t.Errorf("%s: %g s, want %g times %g", body, got, times, one)
		}
	}
}

// TestRepeated: what every thread of a team does, outside worksharing loops, takes each as long as it takes one alone, and one after another in critical sections.
func TestRepeated(t *testing.T) {
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
			p := steps(t, c.body, 1, threads)
			one, all := p[0].Terms.ComputeS, p[1].Terms.ComputeS
			if math.Abs(all/one/c.least-1) > 0.02 {
				t.Errorf("the core takes %g s of each of %d threads, %g of one alone, %g times as much; want %g", all, threads, one, all/one, c.least)
			}
		})
	}
}
