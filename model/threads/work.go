package threads

import "math"

// work is a Shape, prepared for questions. Between its knots, the accesses grow by parabolas through three of them,
// which is exact where the iterations grow evenly, as in triangular loops.
type work struct {
	n       int64
	total   float64
	even    float64 // accesses of each iteration; 0: they differ
	perKnot float64 // knots an iteration
	x, y    []float64
	slope   []float64 // at each knot, of the piece that begins there
	curve   []float64 // half its second derivative
}

// newWork prepares a shape.
func newWork(s *Shape) *work {
	last := len(s.Before) - 1
	w := &work{n: s.Iterations, total: float64(s.Before[last])}
	w.perKnot = float64(last) / float64(w.n)
	even := true
	for k, y := range s.Before {
		x := w.n * int64(k) / int64(last)
		even = even && y*w.n == s.Before[last]*x
		w.x, w.y = append(w.x, float64(x)), append(w.y, float64(y))
	}
	if even {
		w.even = w.total / float64(w.n)
	}
	w.slope, w.curve = make([]float64, last), make([]float64, last)
	for k := range last {
		if d := w.x[k+1] - w.x[k]; d > 0 {
			w.slope[k] = (w.y[k+1] - w.y[k]) / d
		}
	}
	for k := 0; k+1 < last; k += 2 {
		w.bend(k)
	}
	return w
}

// bend puts a parabola through knots k to k+2, if no iteration between them makes fewer than no accesses.
func (w *work) bend(k int) {
	a, b := w.x[k+1]-w.x[k], w.x[k+2]-w.x[k+1]
	if a == 0 || b == 0 {
		return
	}
	first, second := w.slope[k], w.slope[k+1]
	c := (second - first) / (a + b)
	const rounding = -1e-6 // accesses of an iteration that are still taken for none; chosen: far above the error of the sums
	if first-c*a+c < rounding || second+c*b-c < rounding {
		return
	}
	w.slope[k], w.slope[k+1] = first-c*a, first+c*a
	w.curve[k], w.curve[k+1] = c, c
}

// before is the number of accesses of the iterations before number i.
func (w *work) before(i int64) float64 {
	switch {
	case w.even > 0:
		return w.even * float64(i)
	case i <= 0:
		return 0
	case i >= w.n:
		return w.total
	}
	k := min(int(float64(i)*w.perKnot), len(w.slope)-1)
	d := float64(i) - w.x[k]
	return w.y[k] + d*(w.slope[k]+w.curve[k]*d)
}

// at is the iteration that makes the access after so many.
func (w *work) at(accesses float64) int64 {
	if w.even > 0 {
		return int64(accesses / w.even)
	}
	k := 0 // the last knot at or before as many accesses
	for n := len(w.slope); n > 1; {
		half := n / 2
		if w.y[k+half] <= accesses {
			k += half
		}
		n -= half
	}
	for k > 0 && w.y[k+1] == w.y[k] {
		k--
	}
	left := max(accesses-w.y[k], 0)
	root := w.slope[k] + math.Sqrt(max(w.slope[k]*w.slope[k]+4*w.curve[k]*left, 0))
	if root == 0 {
		return int64(w.x[k])
	}
	return int64(w.x[k] + 2*left/root)
}
