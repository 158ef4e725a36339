package synthetic_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"foresee/machine/bandwidth/internal/synthetic"
)

// TestSweep is the form's bandwidth without noise, and scatters about it as it is told to.
func TestSweep(t *testing.T) {
	const noise = 0.2
	for levels := 1; levels <= 4; levels++ {
		h, f := synthetic.Caches(levels), synthetic.Form(levels)
		if len(h.Levels) != levels || len(f.Sources) != levels || len(f.Capacities) != levels {
			t.Fatalf("%d levels: %d caches, %d sources, %d capacities", levels, len(h.Levels), len(f.Sources), len(f.Capacities))
		}
		exact := synthetic.Sweep(f, h, 0, rand.New(rand.NewPCG(1, 2)))
		noisy := synthetic.Sweep(f, h, noise, rand.New(rand.NewPCG(1, 2)))
		sum, squares := 0.0, 0.0
		for i, p := range exact {
			q := p
			q.GBs = 0
			if want := f.GBs(q, h.Line, h.Page); p.GBs != want || !(want > 0) {
				t.Fatalf("%d levels, point %d: %v GB/s, the form has %v", levels, i, p.GBs, want)
			}
			off := math.Log(noisy[i].GBs / p.GBs)
			sum, squares = sum+off, squares+off*off
		}
		n := float64(len(exact))
		mean, deviation := sum/n, math.Sqrt(squares/n)
		if math.Abs(mean) > 5*noise/math.Sqrt(n) || math.Abs(deviation/noise-1) > 5/math.Sqrt(2*n) {
			t.Errorf("%d levels: noise of mean %.3f and deviation %.3f, want 0 and %v", levels, mean, deviation, noise)
		}
	}
}

// TestFormSlowsDown is slower the farther away the data are.
func TestFormSlowsDown(t *testing.T) {
	f := synthetic.Form(4)
	for i := 1; i < len(f.Sources); i++ {
		if f.Sources[i].SequentialNs <= f.Sources[i-1].SequentialNs || f.Capacities[i].Bytes <= f.Capacities[i-1].Bytes {
			t.Errorf("source %d is not farther away than the one before", i)
		}
	}
}
