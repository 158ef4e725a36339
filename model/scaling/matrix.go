package scaling

import "math"

// lower is the Cholesky factor of a small symmetric matrix, row by row, and half the logarithm of its determinant.
type lower struct {
	n       int
	l       []float64
	halfLog float64
}

// factor of a (row-major, n × n); diagonal elements that rounding makes negative are taken as tiny.
func factor(n int, a []float64) lower { return factorIn(make([]float64, n*n), n, a) }

// factorIn keeps the factor in l.
func factorIn(l []float64, n int, a []float64) lower {
	c := lower{n: n, l: l}
	diagonal := 1.0 // its product so far: one logarithm instead of n
	for i := range n {
		for j := range i + 1 {
			s := a[i*n+j]
			for k := range j {
				s -= c.l[i*n+k] * c.l[j*n+k]
			}
			if i == j {
				c.l[i*n+i] = math.Sqrt(max(s, 1e-300))
				if diagonal *= c.l[i*n+i]; diagonal < 1e-100 || diagonal > 1e100 {
					c.halfLog, diagonal = c.halfLog+math.Log(diagonal), 1
				}
			} else {
				c.l[i*n+j] = s / c.l[j*n+j]
			}
		}
	}
	c.halfLog += math.Log(diagonal)
	return c
}

// forward solves L·x = b in place.
func (c *lower) forward(b []float64) {
	for i := range c.n {
		s := b[i]
		for k := range i {
			s -= c.l[i*c.n+k] * b[k]
		}
		b[i] = s / c.l[i*c.n+i]
	}
}

// backward solves Lᵀ·x = b in place.
func (c *lower) backward(b []float64) {
	for i := c.n - 1; i >= 0; i-- {
		s := b[i]
		for k := i + 1; k < c.n; k++ {
			s -= c.l[k*c.n+i] * b[k]
		}
		b[i] = s / c.l[i*c.n+i]
	}
}

// dot is the inner product of vectors of one length.
func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
