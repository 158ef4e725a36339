package figure

import (
	"bytes"
	"strings"
	"testing"

	"foresee/predict"
)

// A picture of one number of threads names it and the machine; the predicted time is marked, and lies on the axis.
func TestBarsSayWhatTheyAreOf(t *testing.T) {
	whole := 37.8e-3
	p := predict.Prediction{
		Region: "k", Machine: "zen4", Threads: 4, TimeS: &whole, HitRates: []predict.HitRate{{Level: "L1", HitRate: 0.9}},
		Terms: &predict.Terms{ComputeS: 30e-3, MemoryS: 17.7e-3},
	}
	var svg bytes.Buffer
	if err := Prediction(&svg, "svg", &predict.PredictionResult{Predictions: []predict.Prediction{p}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"zen4, 4 threads", "line: predicted time, as parts overlap"} {
		if !strings.Contains(svg.String(), want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	*p.TimeS = 90e-3 // longer than its parts: beyond a model's sum
	b := TermBars([]predict.Prediction{p}, func(predict.Prediction) string { return "" })
	if got := b.rows[0].whole; got != whole || b.x.max < got {
		t.Errorf("predicted %g, axis up to %g", got, b.x.max)
	}
}
