package scale

import (
	"math"
	"slices"
	"strings"
	"testing"

	"foresee/application/counters"
)

// added is a set with values of one callpath's time at points of p.
func added(t *testing.T, callpath, metric string, values map[float64][]float64) *counters.Set {
	t.Helper()
	set := &counters.Set{}
	for _, p := range []float64{1, 2, 4, 8, 16, 32, 64, 128} {
		if v := values[p]; len(v) > 0 {
			if err := set.Add(map[string]float64{"p": p}, callpath, metric, v...); err != nil {
				t.Fatal(err)
			}
		}
	}
	return set
}

func warned(r *Result, part string) bool {
	return slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, part) })
}

// Three wild values leave nothing to say of 64 times as many processes: no number is printed, and a run is named.
func TestNoAnswerIsGuessed(t *testing.T) {
	set := added(t, "main", "time", map[float64][]float64{1: {10}, 2: {30}, 4: {4}})
	r, err := Predict(t.Context(), set, Options{At: points(256), AllowChange: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Predictions) != 0 || len(r.Withheld) != 1 || len(r.Scaling) != 0 {
		t.Fatalf("%+v, withheld %+v", r.Predictions, r.Withheld)
	}
	if w := r.Withheld[0]; w.High < widest*w.Low || !strings.Contains(w.Reason, "factor of") || !(w.Run["p"] > 0) {
		t.Errorf("%+v", w)
	}
	near, err := Predict(t.Context(), added(t, "main", "time", map[float64][]float64{1: {8}, 2: {4}, 4: {2}, 8: {1}}), Options{At: points(64)})
	if err != nil || len(near.Withheld) != 0 || len(near.Predictions) != 1 {
		t.Errorf("%+v, %v", near, err)
	}
}

func TestTwoConfigurationsAreNoRepetitions(t *testing.T) {
	mixed := map[float64][]float64{1: {8, 8.1, 16, 16.3}, 2: {4, 4.05, 8.1, 8}, 4: {2, 2.02, 4.1, 4.2}}
	r, err := Predict(t.Context(), added(t, "main", "time", mixed), Options{At: points(8)})
	if err != nil || !warned(r, "two configurations") {
		t.Errorf("%v, %q", err, r.Warnings)
	}
	// Noise is none, nor is one run that went wrong.
	noisy := map[float64][]float64{1: {8, 8.4, 7.9, 8.2}, 2: {4, 4.3, 4.1, 12}, 4: {2, 2.2, 2.1, 2.3}}
	if r, err = Predict(t.Context(), added(t, "main", "time", noisy), Options{At: points(8)}); err != nil || warned(r, "two configurations") {
		t.Errorf("%v, %q", err, r.Warnings)
	}
}

// What only the slowest rank waits for may jump as it likes.
func TestMaximaAndWaitingAreNoChange(t *testing.T) {
	jump := map[float64][]float64{1: {1}, 2: {9}, 4: {8}, 8: {0.5}}
	for _, one := range [][2]string{{"main", "time_max"}, {"main->MPI_Wait", "time"}, {"main->MPI_Barrier", "time"}, {"main", "time.max"}} {
		if _, err := Predict(t.Context(), added(t, one[0], one[1], jump), Options{At: points(16)}); err != nil {
			t.Errorf("%v: %v", one, err)
		}
	}
	if _, err := Predict(t.Context(), added(t, "main", "time", map[float64][]float64{1: {64}, 2: {32}, 4: {16}, 8: {400}, 16: {200}}), Options{At: points(32)}); err == nil {
		t.Error("a jump by 25 is none")
	}
}

// One node's cores that wait for its memory, and more nodes, are two things.
func TestNodesAndRanksOnThem(t *testing.T) {
	node := func(ranks float64) float64 { return 100 / min(ranks, 6) }
	one := map[float64][]float64{}
	for _, p := range []float64{1, 2, 4, 8, 16} {
		one[p] = []float64{node(p)}
	}
	r, err := Predict(t.Context(), added(t, "main", "time", one), Options{At: points(128)})
	if err != nil || !warned(r, "ranks_per_node") {
		t.Errorf("%v, %q", err, r.Warnings)
	}
	set := &counters.Set{}
	for _, run := range [][2]float64{{1, 1}, {1, 2}, {1, 4}, {1, 8}, {1, 16}, {2, 16}, {4, 16}} {
		if err := set.Add(map[string]float64{"nodes": run[0], "ranks_per_node": run[1]}, "main", "time", node(run[1])/run[0]); err != nil {
			t.Fatal(err)
		}
	}
	r, err = Predict(t.Context(), set, Options{At: []map[string]float64{{"nodes": 32, "ranks_per_node": 16}}})
	if err != nil {
		t.Fatal(err)
	}
	if p := r.Predictions[0]; math.Abs(p.Value/(node(16)/32)-1) > 0.1 || warned(r, "as parameters") {
		t.Errorf("%+v instead of %g, %q", p, node(16)/32, r.Warnings)
	}
}
