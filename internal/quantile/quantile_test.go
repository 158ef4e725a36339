package quantile

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Values worked by hand from the definition.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		values []float64
		q      float64
		want   float64
	}{
		{nil, 0.5, 0},
		{[]float64{7}, 0.2, 7},
		{[]float64{8, 1, 4, 2}, 0, 1},
		{[]float64{8, 1, 4, 2}, 1, 8},
		{[]float64{8, 1, 4, 2}, 0.5, 3},
		{[]float64{8, 1, 4, 2}, 0.9, 6.8},
		{[]float64{3, 1, 2}, 0.5, 2},
		{[]float64{3, 1, 2}, 0.2, 1.4},
		{[]float64{10, 20, 30, 40, 50}, 0.4, 26},
	} {
		if got := Of(c.values, c.q); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g of %v: %g, want %g", c.q, c.values, got, c.want)
		}
	}
}

// A quantile lies among the values, rises with q, and is turned over with them.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), 1, 20).Draw(t, "values")
		before := slices.Clone(values)
		a, b := rapid.Float64Range(0, 1).Draw(t, "a"), rapid.Float64Range(0, 1).Draw(t, "b")
		low, high := Of(values, min(a, b)), Of(values, max(a, b))
		if low > high || low < slices.Min(values) || high > slices.Max(values) {
			t.Fatalf("%g and %g", low, high)
		}
		negated := make([]float64, len(values))
		for i, v := range values {
			negated[i] = -v
		}
		if got := -Of(negated, 1-a); math.Abs(got-Of(values, a)) > 1e-9 {
			t.Fatalf("turned over: %g, want %g", got, Of(values, a))
		}
		if !slices.Equal(values, before) {
			t.Fatal("the values were put in another order")
		}
	})
}

func ExampleOf() {
	fmt.Printf("%.1f\n", Of([]float64{8, 1, 4, 2}, 0.9))
	// Output: 6.8
}
