package threads

import (
	"math"

	"foresee/application/nest"
)

// mostRuns bounds the runs that are kept of one line. Chosen: of more, the rest is taken to go on like the last.
const mostRuns = 8

// finder looks for runs: evenly spaced iterations of a worksharing loop that touch one line.
type finder struct {
	from  func(iteration int64) (nest.Touch, bool, error) // first touch of the line in an iteration or one after it
	n     int64                                           // iterations
	each  int64                                           // accesses of an iteration, on average
	slack int64                                           // how far a first touch may be from where its run has it, in accesses
	// among finds the first touch of an iteration at or after where the sample is in its own; nil when only first touches
	// matter. Iterations of a run agree in it, but for wide accesses.
	among func(iteration int64) (local int64, ok bool, err error)
	wide  int64 // how far such touches may differ, in accesses
	home  int64 // the sample's own iteration
	of    int64 // the iteration that among was last asked of for comparison, and its answer
	local int64
	some  bool
	known bool
	err   error
}

// alike tells whether an iteration touches the line after the sample's place as another does.
func (f *finder) alike(i, j int64) bool {
	if f.among == nil {
		return true
	}
	if !f.known || f.of != i { // a run's first iteration is compared with many
		local, ok, err := f.among(i)
		if err != nil {
			f.err = err
		}
		f.of, f.known, f.local, f.some = i, true, local, ok
	}
	b, other, err := f.among(j)
	if err != nil {
		f.err = err
	}
	return f.some == other && abs(f.local-b) <= f.wide
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
			out[n-1].Scatter = f.each
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
