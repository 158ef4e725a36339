package scaling

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"foresee/application/counters"
)

// Series is positive values of one metric at distinct points, ordered by them.
type Series struct {
	Name       string      // callpath and metric, for messages
	Parameters []string    // names; the first is the one that predictions reach out in, as a rule p
	At         [][]float64 // positive
	Y          []float64   // positive; the median of repetitions
	Spread     []float64   // relative standard deviation of the median, 0 where a point was not repeated
	Zeros      [][]float64 // points left out as nothing was measured there, for instance messages of one process
}

// ErrZero is what NewSeries returns for a metric that is zero everywhere.
var ErrZero = errors.New("zero at every point")

// NewSeries takes a series of measurements. Points with a zero are left out where only the smallest ones have it (a single
// process sends nothing); zeros elsewhere and negative values are errors, since a power law has none.
func NewSeries(parameters []string, s counters.Series) (*Series, error) {
	out := &Series{Name: s.Callpath + " " + s.Metric, Parameters: parameters}
	points := slices.Clone(s.Points)
	slices.SortStableFunc(points, func(a, b counters.Measurement) int { return slices.Compare(a.At, b.At) })
	for _, m := range points {
		for j, v := range m.At {
			if !(v > 0) {
				return nil, fmt.Errorf("%s: parameter %s is %g; parameters must be positive", out.Name, parameters[j], v)
			}
		}
		y := m.Median()
		if y < 0 || math.IsNaN(y) || math.IsInf(y, 0) {
			return nil, fmt.Errorf("%s at %s is %g; only values from zero up can be modelled", out.Name, counters.FormatPoint(parameters, m.At), y)
		}
		if y == 0 {
			out.Zeros = append(out.Zeros, m.At)
			continue
		}
		out.At, out.Y, out.Spread = append(out.At, m.At), append(out.Y, y), append(out.Spread, m.Spread())
	}
	if len(out.Y) == 0 {
		return out, ErrZero
	}
	for _, zero := range out.Zeros {
		if zero[0] >= out.At[0][0] {
			return nil, fmt.Errorf("%s is zero at %s but not at smaller ones; leave that run out if it is damaged", out.Name, counters.FormatPoint(parameters, zero))
		}
	}
	return out, nil
}

// Subset is the points for which keep holds.
func (s *Series) Subset(keep func(at []float64) bool) *Series {
	out := &Series{Name: s.Name, Parameters: s.Parameters, Zeros: s.Zeros}
	for i, at := range s.At {
		if keep(at) {
			out.At, out.Y, out.Spread = append(out.At, at), append(out.Y, s.Y[i]), append(out.Spread, s.Spread[i])
		}
	}
	return out
}

// Largest is the largest measured value of each parameter.
func (s *Series) Largest() []float64 {
	out := make([]float64, len(s.Parameters))
	for _, at := range s.At {
		for j, v := range at {
			out[j] = max(out[j], v)
		}
	}
	return out
}
