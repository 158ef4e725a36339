package nest

import (
	"errors"

	"foresee/application/nest/expr"
)

// Run is a stretch of a stream: some references, one after another, Count times, each moving by its step from one time to the next.
type Run struct {
	Offsets []int64 // of the first time, in bytes of memory as Stream.Address lays objects out
	Steps   []int64 // bytes
	Count   int64
}

// errInterleaved says that runs are of one thread.
var errInterleaved = errors.New("nest: runs of interleaved threads")

// Runs calls f with the accesses at positions from … to−1, as runs, until f returns false. The stream must be of one thread, or of several
// with a cache each, and the positions of one of them. A run is valid until f returns.
func (k *Cursor) Runs(from, to int64, f func(*Run) bool) error {
	if from >= to {
		return nil
	}
	if k.s.options.Group > 1 {
		return errInterleaved
	}
	k.At(from)
	if k.flats == nil {
		k.flats = make([]flat, len(k.s.model.loops))
	}
	w := runner{k: k, c: k.c, left: to - from, f: f}
	w.on(k.at)
	if k.s.model.exhausted.Load() {
		return ErrIrregular
	}
	return nil
}

// runner walks on from an access, run by run.
type runner struct {
	k    *Cursor
	c    *cursor
	left int64
	f    func(*Run) bool
	run  Run
}

// on goes on from access a, itself included: the rest of its body, then the next iterations of the loops around it.
func (w *runner) on(a *access) {
	if !w.rest(a.bodyAt(w.c.m, len(a.path)), a, len(a.path)) {
		return
	}
	for d := len(a.path) - 1; d >= 0; d-- {
		l := a.path[d]
		if !w.iterations(l, w.c.env[l.v]+1) || !w.rest(a.bodyAt(w.c.m, d), a, d) {
			return
		}
	}
}

// bodyAt is the body, d loops deep, that leads to an access.
func (a *access) bodyAt(m *model, d int) *body {
	if d == 0 {
		return m.root
	}
	return a.path[d-1].body
}

// rest walks what follows, in body b, the part that holds a, and a itself where it stands in b; false stops the walk.
func (w *runner) rest(b *body, a *access, d int) bool {
	i := partWith(b, a, d)
	switch it := &b.items[i]; {
	case it.run != nil:
		j := 0
		for it.run[j] != a {
			j++
		}
		if !w.once(it.run[j:]) {
			return false
		}
	case it.cond != nil:
		branch := it.then
		if partWith(branch, a, d) < 0 {
			branch = it.els
		}
		if !w.rest(branch, a, d) {
			return false
		}
	}
	return w.items(b.items[i+1:])
}

// items walks parts of a body.
func (w *runner) items(items []item) bool {
	for i := range items {
		it := &items[i]
		ok := true
		switch {
		case it.run != nil:
			ok = w.once(it.run)
		case it.cond != nil:
			branch := it.els
			if it.cond.Eval(w.c.env) != 0 {
				branch = it.then
			}
			ok = w.items(branch.items)
		default:
			ok = w.iterations(it.loop, it.loop.low(w.c.env))
		}
		if !ok {
			return false
		}
	}
	return true
}

// iterations walks a loop from an iteration on.
func (w *runner) iterations(l *loop, from int64) bool {
	hi := l.high(w.c.env)
	if from > hi {
		return true
	}
	if u := w.k.flat(l); u.places != nil {
		return w.straight(l, u, from, hi)
	}
	for x := from; x <= hi; x++ {
		w.c.env[l.v] = x
		if !w.items(l.body.items) {
			return false
		}
	}
	return true
}

// straight walks a loop whose iterations all make the same references.
func (w *runner) straight(l *loop, u *flat, from, hi int64) bool {
	w.c.env[l.v] = from
	for _, v := range u.inner {
		w.c.env[v] = 0
	}
	w.run.Offsets, w.run.Steps = w.run.Offsets[:0], w.run.Steps[:0]
	for i := range u.places {
		p := &u.places[i]
		w.run.Offsets = append(w.run.Offsets, p.a.offset.Eval(w.c.env)+p.shift+w.base(p.a))
	}
	w.run.Steps = append(w.run.Steps, u.steps...)
	n := int64(len(u.places))
	times := min(hi-from+1, w.left/n)
	rest := int64(0) // of an iteration that is not whole
	if times <= hi-from {
		rest = w.left - times*n
	}
	if times > 0 {
		if w.run.Count = times; !w.f(&w.run) {
			return false
		}
		w.left -= times * n
	}
	if rest > 0 {
		for i := range rest {
			w.run.Offsets[i] += times * w.run.Steps[i]
		}
		w.run.Offsets, w.run.Steps, w.run.Count = w.run.Offsets[:rest], w.run.Steps[:rest], 1
		w.f(&w.run)
		w.left = 0
	}
	w.c.env[l.v] = hi
	return w.left > 0
}

// once walks accesses at the present point.
func (w *runner) once(run []*access) bool {
	w.run.Offsets, w.run.Steps, w.run.Count = w.run.Offsets[:0], w.run.Steps[:0], 1
	for _, a := range run[:min(int64(len(run)), w.left)] {
		w.run.Offsets = append(w.run.Offsets, w.c.offset(a)+w.base(a))
		w.run.Steps = append(w.run.Steps, 0)
	}
	w.left -= int64(len(w.run.Offsets))
	return w.f(&w.run) && w.left > 0
}

// base is where the object of an access lies in memory, in bytes.
func (w *runner) base(a *access) int64 { return w.k.s.bases[a.object] * w.c.m.line }

// flat is a loop with the short loops inside it written out. places is nil where the loop is not of that kind.
type flat struct {
	known  bool
	places []flatPlace
	steps  []int64
	inner  []expr.Var // of the loops that were written out
}

// flatPlace is an access and by how many bytes the iterations of the inner loops move it.
type flatPlace struct {
	a     *access
	shift int64
}

// mostFlat bounds the accesses of an iteration with its inner loops written out. Chosen: of more, a run for each inner loop costs less than
// to look at each access.
const mostFlat = 64

// flat is a loop written out, found once.
func (k *Cursor) flat(l *loop) *flat {
	u := &k.flats[l.number]
	if u.known {
		return u
	}
	u.known = true
	most := mostFlat
	if run := l.body.straight(); run != nil {
		most = len(run)
	}
	if !u.write(l.body, nil, most) {
		u.places, u.inner = nil, nil
		return u
	}
	for _, p := range u.places {
		u.steps = append(u.steps, p.a.offset.Coefficient(l.v))
	}
	return u
}

// counter is an inner loop's variable at one of its iterations.
type counter struct {
	v expr.Var
	x int64
}

// write adds what a body makes in an iteration; false where that is not always the same or too much.
func (u *flat) write(b *body, at []counter, most int) bool {
	for i := range b.items {
		it := &b.items[i]
		switch {
		case it.run != nil:
			for _, a := range it.run {
				if a.exact != nil || len(u.places) >= most {
					return false
				}
				p := flatPlace{a: a}
				for _, c := range at {
					p.shift += a.offset.Coefficient(c.v) * c.x
				}
				u.places = append(u.places, p)
			}
		case it.loop != nil:
			n, constant := it.loop.iterations()
			lo := it.loop.lo
			if !constant || len(lo[0].Form.Terms) > 0 || n > int64(most) {
				return false
			}
			u.inner = append(u.inner, it.loop.v)
			for x := range max(n, 0) {
				if !u.write(it.loop.body, append(at[:len(at):len(at)], counter{it.loop.v, lo[0].Form.K + x}), most) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}
