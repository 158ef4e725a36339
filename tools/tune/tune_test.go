package main

import (
	"context"
	"testing"

	"foresee/accuracy/measurements"
	"foresee/model/scaling"
)

// made is a set of one application whose series follow laws.
func made(name string) measurements.Benchmark {
	s := measurements.Benchmark{Name: name, Ks: []int{3}}
	for i := range 3 {
		series := &scaling.Series{Name: name, Parameters: []string{"p"}}
		for p := 1.0; p <= 32; p *= 2 {
			series.At, series.Y, series.Spread = append(series.At, []float64{p}), append(series.Y, 100/p+float64(i)), append(series.Spread, 0)
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
	start := roundHyperparameters()
	tuned := tune(context.Background(), sets, start, 6, 1)
	if after, before := quality(sets, tuned.Prior(1)), quality(sets, start.Prior(1)); after > before {
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
