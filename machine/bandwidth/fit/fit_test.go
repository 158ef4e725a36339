package fit_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"foresee/machine/bandwidth"
	"foresee/machine/bandwidth/fit"
	"foresee/machine/bandwidth/internal/synthetic"
)

// Fits find the truth behind data that come from it.
func TestFindsTheTruth(t *testing.T) {
	for levels := 1; levels <= 4; levels++ {
		for _, noise := range []float64{0, 0.02} {
			h, want := synthetic.Caches(levels), synthetic.Form(levels)
			points := synthetic.Sweep(want, h, noise, rand.New(rand.NewPCG(1, 2)))
			got, err := fit.Extended(h, points, 1)
			if err != nil {
				t.Fatal(err)
			}
			e := bandwidth.ErrorsOf(got.Errors(h, points))
			t.Logf("%d levels, noise %g: mean error %.4f, worst %.4f", levels, noise, e.Mean, e.Worst)
			if e.Mean > 0.005+noise {
				t.Errorf("%d levels, noise %g: mean error %.4f", levels, noise, e.Mean)
			}
			near := func(what string, got, want float64) {
				if math.Abs(got/want-1) > 0.025+noise {
					t.Errorf("%d levels, noise %g: %s is %.4g, want %.4g", levels, noise, what, got, want)
				}
			}
			near("core", got.CoreNs, want.CoreNs)
			for i := range want.Sources {
				name := want.Sources[i].Name
				near(name+" in sequence", got.Line(i, bandwidth.Step{Lines: 1}), want.Line(i, bandwidth.Step{Lines: 1}))
				for _, step := range []bandwidth.Step{{Lines: 8, Sets: bandwidth.FewestSets}, {Lines: 9}} {
					for _, work := range []float64{0.2, 1.4} { // as far lines are swept with work
						far := func(f *bandwidth.Extended) float64 {
							return bandwidth.Norm(f.Norm, work, f.Line(i, step)) + f.UnprefetchedExposed(i, work)
						}
						near(fmt.Sprintf("%s at %v, work %g", name, step, work), far(got), far(want))
					}
				}
				for _, run := range []float64{2, 8, 32} {
					with := func(f *bandwidth.Extended) float64 {
						return bandwidth.Norm(f.Norm, 2.4, f.Line(i, bandwidth.Step{Lines: 1})) + f.Exposed(i, 2.4, 1) + f.Start(i, run)
					}
					near(fmt.Sprintf("%s in runs of %g", name, run), with(got), with(want))
				}
				with := func(f *bandwidth.Extended) float64 {
					return bandwidth.Norm(f.Norm, 5.6, f.Line(i, bandwidth.Step{Lines: 1})) + f.Exposed(i, 5.6, 1)
				}
				near(name+", with work", with(got), with(want))
			}
			for i := range want.Capacities {
				near("edge", got.Capacities[i].Bytes, want.Capacities[i].Bytes)
			}
		}
	}
}

func TestIsDeterministic(t *testing.T) {
	h := synthetic.Caches(2)
	points := synthetic.Sweep(synthetic.Form(2), h, 0.1, rand.New(rand.NewPCG(1, 2)))
	a, err := fit.Extended(h, points, 3)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := fit.Extended(h, points, 3)
	for i, p := range points {
		if a.GBs(p, 64, 4096) != b.GBs(p, 64, 4096) {
			t.Fatalf("point %d differs", i)
		}
	}
}

func BenchmarkExtended(b *testing.B) {
	h := synthetic.Caches(3)
	points := synthetic.Sweep(synthetic.Form(3), h, 0.05, rand.New(rand.NewPCG(1, 2)))
	for b.Loop() {
		if _, err := fit.Extended(h, points, 1); err != nil {
			b.Fatal(err)
		}
	}
}
