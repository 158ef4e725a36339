package scale

import (
	"fmt"
	"strings"
	"testing"

	"foresee/application/counters"
)

// crowd is a recorded run with n functions more, the i-th of which takes 1/(i+1) s on one process, at so many numbers of processes.
func crowd(t *testing.T, n, values int) *counters.Set {
	t.Helper()
	processes := make([]float64, values)
	for i := range processes {
		processes[i] = float64(i + 2)
	}
	set := recorded(t, processes...)
	for i := range n {
		series := counters.Series{Callpath: fmt.Sprintf("f%05d", i), Metric: "time"}
		for _, p := range processes {
			series.Points = append(series.Points, counters.Measurement{At: []float64{p}, Values: []float64{1 / float64(i+1) / p}})
		}
		set.Series = append(set.Series, series)
	}
	return set
}

// TestTheLargestOfManySeries wants the largest to be predicted as far as the bound of cost goes, the run and its parts among them, and the
// rest to be said.
func TestTheLargestOfManySeries(t *testing.T) {
	for _, values := range []int{5, 80} {
		const n = 1500
		r, err := Predict(t.Context(), crowd(t, n, values), Options{At: points(128), AllowChange: true})
		if err != nil {
			t.Fatal(err)
		}
		kept := mostCost / (costOfSeries + values)
		functions, largest := map[string]bool{}, kept-8 // of the run and its three parts there are means and largest ones
		for _, p := range r.Predictions {
			functions[p.Callpath] = true
		}
		if len(r.Predictions) != kept || !functions[counters.WholeRun] || !functions[counters.Collective] {
			t.Errorf("%d values: %d predictions, want %d", values, len(r.Predictions), kept)
		}
		if !functions[fmt.Sprintf("f%05d", largest-1)] || functions[fmt.Sprintf("f%05d", largest)] {
			t.Errorf("%d values: not the %d largest functions are kept", values, largest)
		}
		want := fmt.Sprintf("%d of %d series, each with up to", n+8-kept, n+8)
		if warned := strings.Join(r.Warnings, "\n"); !strings.Contains(warned, want) {
			t.Errorf("%q is not in %s", want, warned)
		}
	}
}

// TestAllOfSomeSeries wants no series to be left out where they are asked for by name.
func TestAllOfSomeSeries(t *testing.T) {
	r, err := Predict(t.Context(), crowd(t, 1500, 5), Options{At: points(128), Callpath: "f001", AllowChange: true})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(strings.Join(r.Warnings, "\n"), "left out") || len(r.Predictions) != 100+2 {
		t.Errorf("%d predictions, %q", len(r.Predictions), r.Warnings)
	}
}

// TestCurvesAreTraced compares the end that curves are ordered by with the values that are drawn.
func TestCurvesAreTraced(t *testing.T) {
	r, err := Predict(t.Context(), recorded(t, 1, 2, 4, 8, 16), Options{At: points(64)})
	if err != nil {
		t.Fatal(err)
	}
	curves := r.Curves()
	if len(curves) != 8 {
		t.Fatalf("%d curves", len(curves))
	}
	for _, c := range curves {
		traced := c.Trace()
		last := len(traced.P) - 1
		if c.P != nil || traced.Value[last] != c.End || traced.P[0] != 1 || traced.Low[last] > c.End || traced.High[last] < c.End {
			t.Errorf("%s: ends in %g, traced %v", c.Callpath, c.End, traced.Value)
		}
	}
	if (&Result{}).Curves() != nil {
		t.Error("a result without models has curves")
	}
}
