package threads

// work is a Shape, prepared for questions.
type work struct {
	n       int64
	total   float64
	even    float64 // accesses of each iteration; 0: they differ
	perKnot float64 // knots an iteration
	x, y    []float64
	slope   []float64 // accesses an iteration from one knot to the next
}

func newWork(s *Shape) *work {
	last := len(s.Before) - 1
	w := &work{n: s.Iterations, total: float64(s.Before[last])}
	if w.n == 0 {
		return w
	}
	w.perKnot = float64(last) / float64(w.n)
	even := true
	for k, y := range s.Before {
		x := w.n * int64(k) / int64(last)
		even = even && y*w.n == s.Before[last]*x
		w.x, w.y = append(w.x, float64(x)), append(w.y, float64(y))
	}
	for k := range last {
		slope := 0.0
		if d := w.x[k+1] - w.x[k]; d > 0 {
			slope = (w.y[k+1] - w.y[k]) / d
		}
		w.slope = append(w.slope, slope)
	}
	if even {
		w.even = w.total / float64(w.n)
	}
	return w
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
	return w.y[k] + (float64(i)-w.x[k])*w.slope[k]
}

// at is the iteration that makes the access after so many.
func (w *work) at(accesses float64) int64 {
	if w.even > 0 {
		return int64(accesses / w.even)
	}
	k := len(w.slope) - 1
	for k > 0 && (w.y[k] > accesses || w.slope[k] == 0) {
		k--
	}
	if w.slope[k] == 0 {
		return 0
	}
	return int64(w.x[k] + (accesses-w.y[k])/w.slope[k])
}
