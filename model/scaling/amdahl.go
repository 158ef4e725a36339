package scaling

import (
	"fmt"
	"math"
)

// Amdahl is y = a/p + b with a and b of at least 0: work that is dealt and work that is not (Amdahl, AFIPS 1967). In strong scaling it is also the
// model of Nan, Wei, Xu, Haoyu and Zhenya, "CESMTuner", HPCC 2014, a·D/p + b. Only p may vary.
type Amdahl struct{ A, B float64 }

// FitAmdahl fits by non-negative least relative squares.
func FitAmdahl(s *Series) (*Amdahl, error) {
	if len(s.Y) < 2 {
		return nil, fmt.Errorf("%s: %w: Amdahl's law needs two", s.Name, ErrTooFew)
	}
	rows := make([][]float64, len(s.Y))
	for i, at := range s.At {
		rows[i] = []float64{1 / at[0], 1}
	}
	x, err := relativeNonNegative(rows, s.Y)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	return &Amdahl{A: x[0], B: x[1]}, nil
}

// At is a/p + b.
func (m *Amdahl) At(at []float64) Prediction { return point(m.A/at[0] + m.B) }

// Formula is the law in words.
func (m *Amdahl) Formula() string { return fmt.Sprintf("%.4g/p + %.4g", m.A, m.B) }

// Worley is y = a/p + b·p^c + d with coefficients of at least 0, the empirical model of Worley, Craig, Dennis, Mirin, Taylor and Vertenstein,
// "Performance of the Community Earth System Model", SC 2011: what is dealt, what grows, what stays. Only p may vary.
type Worley struct{ A, B, C, D float64 }

// worleyPowers are the c that are tried. The paper fits c by hand, between what grows hardly and what each process does with each other one.
var worleyPowers = []float64{0.25, 1. / 3, 0.5, 2. / 3, 0.75, 1, 1.25, 1.5, 1.75, 2}

// FitWorley fits by non-negative least relative squares, with the c that leaves the smallest; of equal ones the smallest c.
func FitWorley(s *Series) (*Worley, error) {
	if len(s.Y) < 3 {
		return nil, fmt.Errorf("%s: %w: Worley's model needs three", s.Name, ErrTooFew)
	}
	best, least := &Worley{}, math.Inf(1)
	for _, c := range worleyPowers {
		rows := make([][]float64, len(s.Y))
		for i, at := range s.At {
			rows[i] = []float64{1 / at[0], math.Pow(at[0], c), 1}
		}
		x, err := relativeNonNegative(rows, s.Y)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name, err)
		}
		m := &Worley{A: x[0], B: x[1], C: c, D: x[2]}
		squares := 0.0
		for i, at := range s.At {
			off := m.At(at).Value/s.Y[i] - 1
			squares += off * off
		}
		if squares < least*(1-1e-9) { // rounding makes no difference
			best, least = m, squares
		}
	}
	return best, nil
}

// At is a/p + b·p^c + d.
func (m *Worley) At(at []float64) Prediction {
	return point(m.A/at[0] + m.B*math.Pow(at[0], m.C) + m.D)
}

// Formula is the model in words.
func (m *Worley) Formula() string {
	return fmt.Sprintf("%.4g/p + %.4g·p^%.3g + %.4g", m.A, m.B, m.C, m.D)
}
