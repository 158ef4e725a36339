package scaling

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/gonum/mat"
)

// PowerLaw is y = a·Π qⱼ^sⱼ, a straight line in logarithms: the baseline that other models have to beat.
type PowerLaw struct {
	Parameters []string
	Scale      float64 // a
	Exponents  []float64
}

// FitPowerLaw fits by ordinary least squares of logarithms. Parameters that do not vary get exponent 0; where points are fewer
// than exponents, the smallest exponents that fit are taken.
func FitPowerLaw(s *Series) (*PowerLaw, error) {
	n, m := len(s.Y), len(s.Parameters)
	if n == 0 {
		return nil, fmt.Errorf("%s: %w: a power law needs one", s.Name, ErrTooFew)
	}
	centre, meanY := make([]float64, m), 0.0
	for i, at := range s.At {
		for j, v := range at {
			centre[j] += math.Log(v) / float64(n)
		}
		meanY += math.Log(s.Y[i]) / float64(n)
	}
	x, y := mat.NewDense(n, m, nil), mat.NewVecDense(n, nil)
	for i, at := range s.At {
		for j, v := range at {
			x.Set(i, j, math.Log(v)-centre[j])
		}
		y.SetVec(i, math.Log(s.Y[i])-meanY)
	}
	exponents, err := leastSquares(x, y)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	level := meanY
	for j := range centre {
		level -= exponents[j] * centre[j]
	}
	return &PowerLaw{Parameters: s.Parameters, Scale: math.Exp(level), Exponents: exponents}, nil
}

// leastSquares is the solution of smallest norm, from the singular value decomposition.
func leastSquares(x *mat.Dense, y *mat.VecDense) ([]float64, error) {
	_, m := x.Dims()
	var svd mat.SVD
	if !svd.Factorize(x, mat.SVDThin) {
		return nil, fmt.Errorf("the least squares of the points have no solution")
	}
	out := make([]float64, m)
	rank := svd.Rank(1e-9)
	if rank == 0 {
		return out, nil
	}
	var solution mat.VecDense
	svd.SolveVecTo(&solution, y, rank)
	copy(out, solution.RawVector().Data)
	return out, nil
}

// LeastSquares is the ordinary least squares of rows·x = y; of many solutions that of smallest norm.
func LeastSquares(rows [][]float64, y []float64) []float64 {
	if len(rows) == 0 {
		return nil
	}
	a := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		a.SetRow(i, row)
	}
	x, err := leastSquares(a, mat.NewVecDense(len(y), y))
	if err != nil {
		return make([]float64, len(rows[0]))
	}
	return x
}

// At is a·Π qⱼ^sⱼ.
func (p *PowerLaw) At(at []float64) Prediction {
	y := p.Scale
	for j, v := range at {
		y *= math.Pow(v, p.Exponents[j])
	}
	return point(y)
}

// Formula is the law in words.
func (p *PowerLaw) Formula() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.4g", p.Scale)
	for j, e := range p.Exponents {
		if e != 0 {
			fmt.Fprintf(&b, " · %s^%.3g", p.Parameters[j], e)
		}
	}
	return b.String()
}
