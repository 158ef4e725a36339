package scaling

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// nonNegative is the least squares of a·x = b with x ≥ 0, by the active set method of Lawson and Hanson (Solving Least Squares
// Problems, 1974, chapter 23).
func nonNegative(a [][]float64, b []float64) ([]float64, error) {
	n, m := len(a), len(a[0])
	scale := make([]float64, m)
	dense := mat.NewDense(n, m, nil)
	for j := range m {
		for i := range n {
			scale[j] += a[i][j] * a[i][j]
		}
		if scale[j] = math.Sqrt(scale[j]); scale[j] == 0 {
			scale[j] = 1
		}
		for i := range n {
			dense.Set(i, j, a[i][j]/scale[j])
		}
	}
	l := &lawsonHanson{a: dense, b: mat.NewVecDense(n, b), x: make([]float64, m), free: make([]bool, m)}
	for range 3 * m {
		j := l.steepest()
		if j < 0 {
			break
		}
		l.free[j] = true
		l.settle()
	}
	for j := range l.x {
		l.x[j] /= scale[j]
	}
	return l.x, nil
}

// lawsonHanson is the state of the search: coefficients x of the columns of a that come near b. Those that are not free are bound to 0.
type lawsonHanson struct {
	a    *mat.Dense
	b    *mat.VecDense
	x    []float64
	free []bool
}

// steepest is the bound coefficient whose growth lowers the squares most, or -1.
func (l *lawsonHanson) steepest() int {
	n, m := l.a.Dims()
	rest := make([]float64, n)
	size := 0.0
	for i := range rest {
		rest[i] = l.b.AtVec(i)
		size += rest[i] * rest[i]
		for j := range m {
			rest[i] -= l.a.At(i, j) * l.x[j]
		}
	}
	best, at := 1e-12*math.Sqrt(size), -1
	for j := range m {
		if l.free[j] {
			continue
		}
		w := 0.0
		for i := range n {
			w += l.a.At(i, j) * rest[i]
		}
		if w > best {
			best, at = w, j
		}
	}
	return at
}

// settle solves for the free coefficients and binds those that would fall below zero.
func (l *lawsonHanson) settle() {
	for {
		z := l.solve()
		step, leaves := 1.0, false
		for j, free := range l.free {
			if free && z[j] <= 0 {
				leaves = true
				if l.x[j] > 0 {
					step = min(step, l.x[j]/(l.x[j]-z[j]))
				} else {
					step = 0
				}
			}
		}
		if !leaves {
			l.x = z
			return
		}
		for j, free := range l.free {
			if !free {
				continue
			}
			l.x[j] += step * (z[j] - l.x[j])
			if z[j] <= 0 && l.x[j] <= 1e-14 {
				l.x[j], l.free[j] = 0, false
			}
		}
	}
}

// solve is the least squares over the free coefficients, of which some may come out negative.
func (l *lawsonHanson) solve() []float64 {
	n, m := l.a.Dims()
	var columns []int
	for j, free := range l.free {
		if free {
			columns = append(columns, j)
		}
	}
	out := make([]float64, m)
	if len(columns) == 0 {
		return out
	}
	part := mat.NewDense(n, len(columns), nil)
	for k, j := range columns {
		for i := range n {
			part.Set(i, k, l.a.At(i, j))
		}
	}
	solution, err := leastSquares(part, l.b)
	if err != nil {
		return out
	}
	for k, j := range columns {
		out[j] = solution[k]
	}
	return out
}
