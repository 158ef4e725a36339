package text

import (
	"strings"
	"testing"

	"foresee/predict"
)

// TestRun: the regions of a recorded run stand by time, what takes less than half a percent in one line, and the shares are of the whole run.
func TestRun(t *testing.T) {
	r := &predict.PredictionResult{Recorded: true}
	for _, of := range []struct {
		region   string
		one, two float64
	}{{"small", 0.01, 0.01}, {"main", 2, 2}, {"solve", 6, 3}, {"tiny", 0.02, 0.01}, {"init", 1.97, 0.98}} {
		for i, s := range []float64{of.one, of.two} {
			r.Predictions = append(r.Predictions, predict.Prediction{Region: of.region, Machine: "m", Threads: i + 1, TimeS: &s, BoundBy: "memory"})
		}
	}
	var b strings.Builder
	if err := Prediction(&b, r, Options{More: "--all shows all"}); err != nil {
		t.Fatal(err)
	}
	want := `the run on m, by time

region                         1 thread    share  2 threads    share  bound by
solve                            6.00 s   60.0 %     3.00 s   50.0 %  memory
main                             2.00 s   20.0 %     2.00 s   33.3 %  memory
init                             1.97 s   19.7 %     980 ms   16.3 %  memory
… and 2 more; --all shows all   30.0 ms    0.3 %    20.0 ms    0.3 %
all                              10.0 s  100.0 %     6.00 s  100.0 %
`
	if got := b.String(); !strings.Contains(got, want) {
		t.Errorf("%s\nlacks\n%s", got, want)
	}
	b.Reset()
	if err := Prediction(&b, r, Options{All: true}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); !strings.Contains(got, "\ntiny ") || strings.Contains(got, "more") {
		t.Errorf("not all: %s", got)
	}
	r.Recorded = false
	b.Reset()
	if err := Prediction(&b, r, Options{}); err != nil || strings.Contains(b.String(), "the run on") {
		t.Errorf("a table of what was not run: %v %s", err, b.String())
	}
}
