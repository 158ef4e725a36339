package patternsearch

import (
	"fmt"
	"math"
	"testing"
)

// The search finds the lowest of several valleys, whose place is known, and the same one with the same seed.
func TestMinimise(t *testing.T) {
	want := []float64{0.3, 0.8, 0.05}
	f := func(x []float64) (sum float64) {
		for i, v := range x {
			d := v - want[i]
			sum += d*d + 0.02*(1-math.Cos(20*d)) // valleys about a third apart, this one the lowest
		}
		return sum
	}
	best, evaluations := Minimise(3, 1, 20, f)
	for i, v := range best {
		if math.Abs(v-want[i]) > 2*lastStep {
			t.Errorf("gene %d is %g, want %g", i, v, want[i])
		}
	}
	again, as := Minimise(3, 1, 20, f)
	if f(again) != f(best) || as != evaluations {
		t.Errorf("%v and %v with the same seed", best, again)
	}
	if one, few := Minimise(3, 1, 1, f, want); f(one) != 0 || few > 100 {
		t.Errorf("a start at the minimum leads to %v, in %d evaluations", one, few)
	}
}

func ExampleMinimise() {
	best, _ := Minimise(2, 1, 3, func(x []float64) float64 { return math.Abs(x[0]-0.25) + math.Abs(x[1]-1) })
	fmt.Printf("%.3f\n", best)
	// Output: [0.250 1.000]
}
