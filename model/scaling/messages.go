package scaling

import (
	"fmt"
	"math"
)

// Collective is the time of one collective call, A·log₂ P + B·s + C seconds.
//
// Source: APMT section 3.3 and table 2.
type Collective struct{ A, B, C float64 }

// Time of one call on p processes with s bytes.
func (c Collective) Time(p, s float64) float64 { return c.A*math.Log2(p) + c.B*s + c.C }

// FitCollective fits times of single calls by non-negative least relative squares. The paper fits one function to all sizes; calls of
// one class of sizes are better kept together, as libraries change the algorithm between classes.
func FitCollective(processes, size, seconds []float64) (Collective, error) {
	rows := make([][]float64, len(seconds))
	for i := range rows {
		rows[i] = []float64{math.Log2(processes[i]), size[i], 1}
	}
	x, err := relativeNonNegative(rows, seconds)
	if err != nil {
		return Collective{}, fmt.Errorf("collective: %w", err)
	}
	return Collective{A: x[0], B: x[1], C: x[2]}, nil
}

// relativeNonNegative minimises Σ (1 − rowᵢ·x/yᵢ)² over x ≥ 0.
func relativeNonNegative(rows [][]float64, y []float64) ([]float64, error) {
	var a [][]float64
	for i, row := range rows {
		if !(y[i] > 0) {
			continue
		}
		scaled := make([]float64, len(row))
		for j, v := range row {
			scaled[j] = v / y[i]
		}
		a = append(a, scaled)
	}
	if len(a) == 0 {
		return nil, fmt.Errorf("%w: no call took any time", ErrTooFew)
	}
	ones := make([]float64, len(a))
	for i := range ones {
		ones[i] = 1
	}
	return nonNegative(a, ones)
}
