package scaling

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"foresee/application/counters"
)

// Prediction is a value and the interval in which it lies with the probability that the model was asked for.
type Prediction struct {
	Value     float64
	Low, High float64 // NaN for a model without intervals
}

// Model is something fitted to a Series. At takes one value for each parameter, all positive.
type Model interface {
	At(at []float64) Prediction
	Formula() string
}

// ErrTooFew is what fits return for too few points.
var ErrTooFew = errors.New("too few points")

func point(v float64) Prediction { return Prediction{Value: v, Low: math.NaN(), High: math.NaN()} }

// Error is the relative error |predicted/measured − 1|.
func Error(predicted, measured float64) float64 { return math.Abs(predicted/measured - 1) }

// Series is positive values of one metric at distinct points, ordered by them.
type Series struct {
	Name       string      // callpath and metric, for messages
	Parameters []string    // names; the first is the one that predictions reach out in, as a rule p
	At         [][]float64 // positive
	Y          []float64   // positive; the median of repetitions
	Spread     []float64   // relative standard deviation of the median, 0 where a point was not repeated
	Zeros      [][]float64 // points left out as nothing was measured there, for instance messages of one process
	Left       []string    // other points that were left out, and why
}

// ErrZero is what NewSeries returns for a metric that has no value above zero.
var ErrZero = errors.New("no value above zero")

// NewSeries takes a series of measurements. Points that a power law cannot have are left out and named in Left: negative values,
// parameters that are not positive, zeros behind values. Zeros at the smallest points, where nothing was to be measured (a single process sends
// nothing), go to Zeros.
func NewSeries(parameters []string, s counters.Series) (*Series, error) {
	out := &Series{Name: s.Callpath + " " + s.Metric, Parameters: parameters}
	points := slices.Clone(s.Points)
	slices.SortStableFunc(points, func(a, b counters.Measurement) int { return slices.Compare(a.At, b.At) })
	for _, m := range points {
		y := m.Median()
		switch {
		case slices.Min(m.At) <= 0:
			out.left("%s: a parameter is not positive", counters.FormatPoint(parameters, m.At))
		case y < 0 || math.IsNaN(y) || math.IsInf(y, 0):
			out.left("%s is %g", counters.FormatPoint(parameters, m.At), y)
		case y == 0 && len(out.Y) > 0 && m.At[0] > out.At[0][0]:
			out.left("%s is zero, and smaller ones are not", counters.FormatPoint(parameters, m.At))
		case y == 0:
			out.Zeros = append(out.Zeros, m.At)
		default:
			out.At, out.Y, out.Spread = append(out.At, m.At), append(out.Y, y), append(out.Spread, m.Spread())
		}
	}
	if len(out.Y) == 0 {
		return out, ErrZero
	}
	return out, nil
}

func (s *Series) left(format string, args ...any) {
	s.Left = append(s.Left, fmt.Sprintf(format, args...))
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
