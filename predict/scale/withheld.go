package scale

import (
	"fmt"
	"math"
	"slices"

	"foresee/model/scaling"
)

// widest is how many times its lower end the upper end of an interval may be for its middle to be an answer. Chosen: what may be off by more than five
// either way decides nothing.
const widest = 30

// Withheld is a prediction that is not made, as nothing measured tells it.
type Withheld struct {
	Callpath string             `json:"callpath"`
	Metric   string             `json:"metric"`
	Params   map[string]float64 `json:"params"`
	Low      float64            `json:"low"`
	High     float64            `json:"high"`
	Reason   string             `json:"reason" jsonschema:"why, in words"`
	Run      map[string]float64 `json:"run,omitempty" jsonschema:"the run that would tell most"`
}

// span is the ratio of an interval's ends; where the lower one is 0, as sums may have it, the square of that of the upper one to the value.
func span(p scaling.Prediction) float64 {
	if p.Low > 0 {
		return p.High / p.Low
	}
	return math.Pow(p.High/p.Value, 2)
}

// tooWide says whether an interval is too wide for an answer.
func tooWide(p scaling.Prediction) bool { return span(p) > widest }

// withheld says why a series is not predicted at a point.
func (s *study) withheld(f *fitted, at []float64, p scaling.Prediction) Withheld {
	w := Withheld{
		Callpath: f.callpath, Metric: f.metric, Params: named(s.set.Parameters, at), Low: p.Low, High: p.High,
		Reason: fmt.Sprintf("what was measured leaves a factor of %.0f between the ends of the interval; more than %d is no answer", math.Ceil(span(p)), widest),
	}
	if advice := s.advise(f, at); len(advice) > 0 {
		w.Run = advice[0].Params
	}
	return w
}

// answered says whether the whole is predicted at a point.
func (s *study) answered(total *fitted, at []float64) bool { return !tooWide(total.model.At(at)) }

// answerable are the points at which the whole is predicted.
func (s *study) answerable(total *fitted, points [][]float64) [][]float64 {
	return slices.DeleteFunc(slices.Clone(points), func(at []float64) bool { return !s.answered(total, at) })
}
