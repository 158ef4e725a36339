package main

import (
	"context"
	"math"
	"testing"

	"foresee/accuracy/measurements"
	"foresee/model/scaling"
)

// made is a set of one application whose series rise with p^1.3 and wobble by a tenth: round hyperparameters, which expect times that fall or
// rise slowly, predict them badly from three points.
func made(name string) measurements.Benchmark {
	s := measurements.Benchmark{Name: name, Ks: []int{3}}
	for i := range 3 {
		series := &scaling.Series{Name: name, Parameters: []string{"p"}}
		for p := 1.0; p <= 64; p *= 2 {
			y := 100*math.Pow(p, 1.3)*(1+0.1*math.Sin(7*p+float64(i))) + float64(i)
			series.At, series.Y, series.Spread = append(series.At, []float64{p}), append(series.Y, y), append(series.Spread, 0)
		}
		s.Series = append(s.Series, series)
	}
	return s
}

func TestTuningImprovesAndLeavesOut(t *testing.T) {
	t.Parallel()
	sets := []measurements.Benchmark{made("one a"), made("one b"), made("two")}
	if sets[0].Application() != "one" || sets[2].Application() != "two" {
		t.Errorf("applications %s and %s", sets[0].Application(), sets[2].Application())
	}
	start := scaling.DefaultHyperparameters()
	tuned := tune(context.Background(), sets, start, 6, 1)
	// A tenth is less than half of what six steps gain here; without a step that is taken nothing is gained.
	if after, before := quality(sets, tuned.Prior(1)), quality(sets, start.Prior(1)); after > 0.9*before {
		t.Errorf("tuning went from %g to %g", before, after)
	}
	if again := tune(context.Background(), sets, start, 6, 1); again != tuned {
		t.Error("the same seed tunes to other figures")
	}
	table, err := leftOut(context.Background(), sets, 1, 1, func(int, int) {})
	if err != nil || len(table.Rows) != 4 {
		t.Errorf("%+v, %v", table, err)
	}
}
