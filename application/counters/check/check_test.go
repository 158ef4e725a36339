package check_test

import (
	"math"
	"testing"

	"foresee/application/counters"
	"foresee/application/counters/check"
)

func TestNumbers(t *testing.T) {
	nan := math.NaN()
	if !check.Same(nan, nan) || check.Same(nan, 1) || check.Same(1, 1.0000001) || !check.Same(2, 2) {
		t.Error("Same: equal, or both no numbers")
	}
	if !check.Near(1, 1+1e-13) || check.Near(1, 1+1e-11) {
		t.Error("Near: all but equal")
	}
	if !check.HasWarning([]string{"one of two"}, "of") || check.HasWarning([]string{"one"}, "two") || check.HasWarning(nil, "") {
		t.Error("HasWarning: a part of one of them")
	}
}

// TestSet takes a good set, and one without parameters, written and read again.
func TestSet(t *testing.T) {
	for _, parameters := range [][]string{{"p", "n"}, {"p"}} {
		at := make([]float64, len(parameters))
		for i := range at {
			at[i] = 4
		}
		check.Set(t, &counters.Set{Parameters: parameters, Series: []counters.Series{
			{Callpath: "main->\"solve\"", Metric: "time", Points: []counters.Measurement{{At: at, Values: []float64{1.5, 2}}}},
		}})
	}
}
