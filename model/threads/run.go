package threads

import (
	"math"
	"sort"

	"foresee/application/nest"
)

// mostRuns bounds the runs that are kept of one line.
const mostRuns = 8

// next is the first iteration of the run from a number on; −1: none.
func (r *Run) next(from int64) int64 {
	if from <= r.First {
		return r.First
	}
	rest, y := from-r.First, int64(0)
	if r.Repeat > 1 {
		y = rest / r.Period
		if y >= r.Repeat {
			y = r.Repeat - 1
		}
		rest -= y * r.Period
	}
	x := rest
	if r.Stride != 1 {
		x = (rest + r.Stride - 1) / r.Stride
	}
	if x >= r.Count {
		if y+1 >= r.Repeat {
			return -1
		}
		return r.First + (y+1)*r.Period
	}
	return r.First + y*r.Period + x*r.Stride
}

// last is the greatest iteration of the run.
func (r *Run) last() int64 { return r.First + (r.Count-1)*r.Stride + (r.Repeat-1)*r.Period }

// local is where an iteration of the run first touches the line.
func (r *Run) local(iteration int64) int64 {
	out := r.Local
	if r.Inner == 0 && r.Outer == 0 {
		return out
	}
	rest, y := iteration-r.First, int64(0)
	if r.Repeat > 1 {
		y = min(rest/r.Period, r.Repeat-1)
		out += r.Outer * y / (r.Repeat - 1)
		rest -= y * r.Period
	}
	if r.Count > 1 {
		out += r.Inner * (rest / r.Stride) / (r.Count - 1)
	}
	return out
}

// nextOf is the first iteration of any of the runs from a number on, and the run; −1: none.
func nextOf(runs []Run, from int64) (int64, *Run) {
	best, which := int64(-1), (*Run)(nil)
	for i := range runs {
		if j := runs[i].next(from); j >= 0 && (best < 0 || j < best) {
			best, which = j, &runs[i]
		}
	}
	return best, which
}

// finder looks for runs.
type finder struct {
	from  func(iteration int64) (nest.Touch, bool, error)
	n     int64
	slack int64 // how far a first touch may be from where its run has it, in accesses
	// among finds the first touch of an iteration at or after where the sample is in its own; nil when only first touches
	// matter. Iterations of a run agree in it, but for wide accesses.
	among func(iteration int64) (local int64, ok bool, err error)
	wide  int64
	home  int64 // the sample's own iteration
	err   error
}

// alike tells whether an iteration touches the line after the sample's place as another does.
func (f *finder) alike(i, j int64) bool {
	if f.among == nil {
		return true
	}
	a, some, err := f.among(i)
	if err != nil {
		f.err = err
	}
	b, other, err := f.among(j)
	if err != nil {
		f.err = err
	}
	return some == other && abs(a-b) <= f.wide
}

// touches tells whether iteration j touches the line and none of those after j−stride does before it.
func (f *finder) touches(j, stride int64) (nest.Touch, bool) {
	if j >= f.n || f.err != nil {
		return nest.Touch{}, false
	}
	t, ok, err := f.from(j - stride + 1)
	if err != nil {
		f.err = err
	}
	return t, ok && err == nil && t.Iteration == j
}

// runs finds the iterations of an execution that touch a line, as runs. Past mostRuns, the last one is taken to go on
// to the end as it began.
func (f *finder) runs() ([]Run, error) {
	var out []Run
	t, ok, err := f.from(0)
	for ok && err == nil && f.err == nil {
		r := f.grow(t)
		if n := len(out); n > 0 && f.repeats(&out[n-1], &r) {
			r = out[n-1]
		} else if n < mostRuns {
			out = append(out, r)
		} else {
			out[n-1].spread(f.n)
			break
		}
		if r.last()+1 >= f.n {
			break
		}
		t, ok, err = f.from(r.last() + 1)
	}
	if err == nil {
		err = f.err
	}
	return out, err
}

// grow extends a run from its first iteration with even strides.
func (f *finder) grow(first nest.Touch) Run {
	r := Run{First: first.Iteration, Stride: 1, Count: 1, Repeat: 1, Local: first.Local}
	if first.Iteration+1 >= f.n {
		return r
	}
	second, ok, err := f.from(first.Iteration + 1)
	if err != nil {
		f.err = err
	}
	if !ok || err != nil || !f.alike(first.Iteration, second.Iteration) {
		return r
	}
	r.Stride, r.Count = second.Iteration-first.Iteration, 2
	last := second
	slope := float64(second.Local - first.Local)
	at := func(x int64) (nest.Touch, bool) {
		t, ok := f.touches(r.First+x*r.Stride, r.Stride)
		off := float64(t.Local-first.Local) - slope*float64(x)
		return t, ok && math.Abs(off) <= float64(f.slack) && f.alike(first.Iteration, t.Iteration)
	}
	f.gallop(r.Count, func(from, x int64) bool {
		t, ok := at(x)
		if !ok {
			return false
		}
		for _, middle := range []int64{(from + x) / 2, from + (x-from)/4, (f.home - r.First) / r.Stride} {
			if middle > from && middle < x {
				if _, ok := at(middle); !ok {
					return false
				}
			}
		}
		r.Count, last = x+1, t
		slope = float64(t.Local-first.Local) / float64(x)
		return true
	})
	r.Inner = last.Local - r.Local
	if r.Count == 2 && (r.Stride > 1 || abs(r.Inner) > f.slack) { // two do not make a row
		return Run{First: first.Iteration, Stride: 1, Count: 1, Repeat: 1, Local: first.Local}
	}
	return r
}

// gallop tries ever farther numbers, from known on; try extends what is known.
func (f *finder) gallop(known int64, try func(from, x int64) bool) {
	for step := int64(1); ; {
		if f.err != nil {
			return
		}
		if try(known-1, known-1+step) {
			known += step
			step *= 2
			continue
		}
		if step == 1 {
			return
		}
		step /= 2
	}
}

// repeats makes q's run another period of p, and finds how many follow.
func (f *finder) repeats(p, q *Run) bool {
	if p.Repeat > 1 || p.Count != q.Count || p.Stride != q.Stride {
		return false
	}
	width := (p.Count - 1) * p.Stride
	was := *p
	p.Period, p.Repeat, p.Outer = q.First-p.First, 2, q.Local-p.Local
	gap := p.Period - width
	slope := float64(p.Outer)
	f.gallop(2, func(from, y int64) bool {
		head, ok := f.touches(p.First+y*p.Period, gap)
		if !ok || math.Abs(float64(head.Local-p.Local)-slope*float64(y)) > float64(f.slack) {
			return false
		}
		if _, ok := f.touches(p.First+y*p.Period+width, p.Stride); !ok && width > 0 {
			return false
		}
		if middle := (from + y) / 2; middle > from {
			if _, ok := f.touches(p.First+middle*p.Period, gap); !ok {
				return false
			}
		}
		p.Repeat, p.Outer = y+1, head.Local-p.Local
		slope = float64(p.Outer) / float64(y)
		return true
	})
	if p.Repeat == 2 && abs(p.Outer) > f.slack {
		*p = was
		return false
	}
	return true
}

// spread lets a run go on to n iterations.
func (r *Run) spread(n int64) {
	if r.Repeat > 1 {
		r.Repeat = max(r.Repeat, (n-r.First)/r.Period)
		return
	}
	r.Count = max(r.Count, (n-r.First)/r.Stride)
}

func abs(x int64) int64 { return max(x, -x) }

// next is the first use in an iteration of the run at or after a place, in accesses after its beginning; −1: none.
func (r *Run) nextIn(iteration int64, local float64) float64 {
	shift := float64(r.local(iteration) - r.local(r.Model))
	x := local - shift // as the model has it
	uses := r.Touches
	k := sort.Search(len(uses), func(k int) bool { return float64(uses[k].Local) >= x })
	next := -1.0
	if k < len(uses) {
		next = float64(uses[k].Local)
	}
	if k > 0 {
		if at := uses[k-1].next(x); at >= 0 && (next < 0 || at < next) {
			next = at
		}
	}
	if next < 0 {
		return -1
	}
	return next + shift
}

// next is the first of the uses at or after a place; −1: none.
func (u *Use) next(x float64) float64 {
	if u.Count == 0 {
		return -1
	}
	step, past := float64(u.Step), x-float64(u.Local)
	m := math.Ceil(past / step)
	at := -1.0
	if m <= float64(u.Count) {
		at = float64(u.Local) + m*step
	}
	for _, inner := range u.Inner {
		m = max(math.Ceil((past-float64(inner))/step), 0)
		if x := float64(u.Local+inner) + m*step; m < float64(u.Count) && (at < 0 || x < at) {
			at = x
		}
	}
	return at
}

// before is the last iteration of the run before a number; −1: none.
func (r *Run) before(end int64) int64 {
	if end <= r.First {
		return -1
	}
	rest, y := end-1-r.First, int64(0)
	if r.Repeat > 1 {
		y = min(rest/r.Period, r.Repeat-1)
		rest -= y * r.Period
	}
	return r.First + y*r.Period + min(rest/r.Stride, r.Count-1)*r.Stride
}

// neighbour is the iteration of the run that is nearest to another, but not that one; −1: none.
func (r *Run) neighbour(iteration int64) int64 {
	before, after := r.before(iteration), r.next(iteration+1)
	if before < 0 || after >= 0 && after-iteration <= iteration-before {
		return after
	}
	return before
}
