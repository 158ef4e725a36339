package published_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"foresee/machine/bandwidth"
	"foresee/machine/bandwidth/internal/synthetic"
	"foresee/machine/bandwidth/published"
)

func TestLimits(t *testing.T) {
	f := &published.Form{Bandwidths: []float64{40, 20, 5}, Cycles: []float64{4, 12, 200}, Rates: [2]float64{0.1, 0.1}}
	for i, hits := range [][]float64{{1, 1, 1}, {0, 1, 1}, {0, 0, 1}} {
		if got := f.GBs(hits); math.Abs(got-f.Bandwidths[i]) > 1e-12 {
			t.Errorf("all in level %d: %g", i+1, got)
		}
	}
	// Equation 5 by hand: t = 0.5*4, 0.25*12, 0.25*200.
	want := (2*40.0 + 3*20 + 50*5) / 55
	if got := f.GBs([]float64{0.5, 0.75, 1}); math.Abs(got-want) > 1e-12 {
		t.Errorf("equation 5: %g, want %g", got, want)
	}
	// Equations 1 and 6 by hand for two levels.
	f = &published.Form{Bandwidths: []float64{40, 20}, Cycles: []float64{1, 3}, Factors: [2]float64{0.5, 7}, Rates: [2]float64{0.25, 1}}
	t1, t2 := 0.5/2, 1.5/2
	p1 := 0.5 * (1 - math.Exp(-0.5/0.75)) / (1 - math.Exp(-1)) * t1
	if got, want := f.GBs([]float64{0.5, 1}), t1*40*(1-p1)+t2*20*(1+p1); math.Abs(got-want) > 1e-12 {
		t.Errorf("equation 1: %g, want %g", got, want)
	}
}

// All methods find a published form again from its own data, the same with the same seed; equation 5 alone does worse.
func TestFit(t *testing.T) {
	h := synthetic.Caches(2)
	want := &published.Form{Bandwidths: []float64{40, 18, 3}, Cycles: []float64{4, 14, 180}, Factors: [2]float64{0.6, 0.4}, Rates: [2]float64{0.05, 0.2}}
	var points []bandwidth.Point
	for _, p := range synthetic.Sweep(synthetic.Form(2), h, 0, rand.New(rand.NewPCG(1, 1))) {
		p.GBs = want.GBs(h.Hits(p))
		points = append(points, p)
	}
	for _, method := range published.Methods {
		o := published.GeneticOptions{Seed: 1, Population: 600, Generations: 120}
		a, err := published.Fit(h, points, method, o)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := published.Fit(h, points, method, o)
		t.Logf("%s: %.4f in %d evaluations", method, a.Error, a.Evaluations)
		if a.Error > 0.02 && method != published.CMAES || a.Error > 0.05 {
			t.Errorf("%s: error %.4f", method, a.Error)
		}
		if a.Error != b.Error || a.Evaluations != b.Evaluations {
			t.Errorf("%s: %v and %v with the same seed", method, a.Error, b.Error)
		}
	}
	plain, err := published.Plateaus(h, points, []float64{4, 14, 180})
	if err != nil {
		t.Fatal(err)
	}
	worse := 0.0
	for _, p := range points {
		worse += math.Abs(plain.GBs(h.Hits(p))-p.GBs) / p.GBs / float64(len(points))
	}
	if worse < 0.015 {
		t.Errorf("equation 5 is as good as the fit: %.4f", worse)
	}
}
