package accuracy

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"foresee/model/scaling"
)

func figure(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(strings.Fields(strings.Trim(text, "*"))[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The figures that foresee can be held to without the sets that it may not carry.
func TestScaling(t *testing.T) {
	t.Parallel()
	s, err := Scaling(context.Background(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	tables := map[string]*Table{}
	for _, one := range s.Tables {
		tables[one.Title] = one
	}
	for _, row := range tables["Scaling: more processes and larger problems together"].Rows {
		if mean := figure(t, row[4]); mean > 15 {
			t.Errorf("%s: %g %% in the mean", row[0], mean)
		}
	}
	most := map[string]float64{"instructions": 0.5, "loads": 0.5, "l1_misses": 3}
	for _, row := range tables["Scaling: counters of LAMMPS"].Rows {
		if limit, there := most[row[0]]; there && max(figure(t, row[2]), figure(t, row[3])) > limit {
			t.Errorf("%v is off by more than %g %%", row, limit)
		}
	}
	for _, row := range tables["Scaling: messages of LAMMPS"].Rows {
		if row[0] == "MPI_Send" && row[1] == "bytes" && max(figure(t, row[3]), figure(t, row[4])) > 1 {
			t.Errorf("%v", row)
		}
	}
	if n := len(s.Tables[0].Rows); n != 8 { // three sets at two k, and two means
		t.Errorf("%d rows", n)
	}
}

// made is a set of one application whose series follow laws.
func made(name string) scalingSet {
	s := scalingSet{name: name, ks: []int{3}}
	for i := range 3 {
		series := &scaling.Series{Name: name, Parameters: []string{"p"}}
		for p := 1.0; p <= 32; p *= 2 {
			series.At, series.Y, series.Spread = append(series.At, []float64{p}), append(series.Y, 100/p+float64(i)), append(series.Spread, 0)
		}
		s.series = append(s.series, series)
	}
	return s
}

func TestTuningImprovesAndLeavesOut(t *testing.T) {
	t.Parallel()
	sets := []scalingSet{made("one a"), made("one b"), made("two")}
	if sets[0].application() != "one" || sets[2].application() != "two" {
		t.Errorf("applications %s and %s", sets[0].application(), sets[2].application())
	}
	start := scaling.RoundFigures()
	tuned := tune(context.Background(), sets, start, 6, 1)
	if after, before := quality(sets, tuned.Prior(1)), quality(sets, start.Prior(1)); after > before {
		t.Errorf("tuning went from %g to %g", before, after)
	}
	if again := tune(context.Background(), sets, start, 6, 1); again != tuned {
		t.Error("the same seed tunes to other figures")
	}
	table, err := leftOut(context.Background(), sets, Options{Evaluations: 1, Seed: 1})
	if err != nil || len(table.Rows) != 4 {
		t.Errorf("%+v, %v", table, err)
	}
}
