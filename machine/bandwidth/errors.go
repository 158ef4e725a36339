package bandwidth

import (
	"math"

	"foresee/internal/quantile"
)

// Errors are those of a form at points, as shares of the measured bandwidth: 0.05 is 5 %.
type Errors struct {
	Mean   float64 `yaml:"mean"`
	Median float64 `yaml:"median"`
	P90    float64 `yaml:"p90"`
	Worst  float64 `yaml:"worst"`
	N      int     `yaml:"n"`
}

// ErrorsOf sums up absolute relative errors.
func ErrorsOf(values []float64) Errors {
	e := Errors{N: len(values), Median: quantile.Median(values), P90: quantile.Of(values, 0.9), Worst: quantile.Of(values, 1)}
	for _, v := range values {
		e.Mean += v / float64(len(values))
	}
	return e
}

// Errors are the absolute relative errors of the form's bandwidth at points, in their order.
func (f *Extended) Errors(h *Hierarchy, points []Point) []float64 {
	out := make([]float64, len(points))
	for i, p := range points {
		out[i] = math.Abs(f.GBs(p, h.Line, h.Page)-p.GBs) / p.GBs
	}
	return out
}
