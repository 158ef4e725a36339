package scaling

import (
	"fmt"
	"math"
)

// TimesP is y·p = a + b·p^c·log₂^d p with the c and d of Extra-P's search space (Calotoiu et al., SC 2013), fitted to the
// product of time and processes: the second baseline. Only p may vary.
type TimesP struct {
	A, B, C float64
	D       int
}

var timesPExponents = []float64{0, 1. / 4, 1. / 3, 1. / 2, 2. / 3, 3. / 4, 4. / 5, 1, 5. / 4, 4. / 3, 3. / 2, 5. / 3, 7. / 4, 2, 9. / 4, 7. / 3, 5. / 2, 8. / 3, 11. / 4, 3}

// FitTimesP takes the exponents with the smallest leave-one-out error in relative terms, as Extra-P judges its terms.
func FitTimesP(s *Series) (*TimesP, error) {
	if len(s.Y) < 3 {
		return nil, fmt.Errorf("%s: %w: the form time × p needs three", s.Name, ErrTooFew)
	}
	x, y := make([]float64, len(s.Y)), make([]float64, len(s.Y))
	for i, at := range s.At {
		x[i], y[i] = at[0], s.Y[i]*at[0]
	}
	best, found := math.Inf(1), &TimesP{A: mean(y)}
	for _, c := range timesPExponents {
		for d := 0; d <= 2; d++ {
			if c == 0 && d == 0 {
				continue
			}
			candidate := &TimesP{C: c, D: d}
			if e := candidate.leaveOneOut(x, y); e < best {
				best, found = e, candidate
			}
		}
	}
	if found.B == 0 && found.C == 0 && found.D == 0 {
		return found, nil
	}
	found.A, found.B = found.line(x, y, -1)
	return found, nil
}

// mean is the arithmetic mean.
func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}

func (t *TimesP) term(p float64) float64 {
	return math.Pow(p, t.C) * math.Pow(math.Log2(p), float64(t.D))
}

// line is the least squares of y over the term, without point skip.
func (t *TimesP) line(x, y []float64, skip int) (a, b float64) {
	var n, s1, s2, y1, y2 float64
	for i := range x {
		if i == skip {
			continue
		}
		f := t.term(x[i])
		n, s1, s2, y1, y2 = n+1, s1+f, s2+f*f, y1+y[i], y2+f*y[i]
	}
	det := n*s2 - s1*s1
	if det <= 1e-12*n*s2 {
		return y1 / n, 0
	}
	return (s2*y1 - s1*y2) / det, (n*y2 - s1*y1) / det
}

// leaveOneOut is how far the fit to all points but one is off at that one, summed over the points.
func (t *TimesP) leaveOneOut(x, y []float64) float64 {
	sum := 0.0
	for i := range x {
		a, b := t.line(x, y, i)
		predicted := a + b*t.term(x[i])
		sum += 2 * math.Abs(predicted-y[i]) / (math.Abs(predicted) + math.Abs(y[i])) // SMAPE
	}
	return sum
}

// At is (a + b·p^c·log₂^d p)/p; below zero it is zero.
func (t *TimesP) At(at []float64) Prediction {
	y := t.A
	if t.C != 0 || t.D != 0 {
		y += t.B * t.term(at[0])
	}
	return point(max(y/at[0], 0))
}

// Formula is the law in words.
func (t *TimesP) Formula() string {
	out := fmt.Sprintf("(%.4g %+.4g · p^%.3g", t.A, t.B, t.C)
	if t.D > 0 {
		out += fmt.Sprintf(" · log₂(p)^%d", t.D)
	}
	return out + ") / p"
}
