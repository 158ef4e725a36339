package scaling

import (
	"errors"
	"math"
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
