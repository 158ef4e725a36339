package nest

import (
	"iter"
	"math/bits"
	"slices"
)

// batch is the number of accesses that a thread's walk hands over at once.
const batch = 512

// step is one access on a walk.
type step struct {
	a      *access
	offset int64
}

// Each calls f for every access of the stream in order, until f returns false.
func (s *Stream) Each(f func(Place) bool) {
	e := &enumerator{s: s, c: s.model.newCursor(), f: f, shift: uint8(bits.TrailingZeros64(uint64(s.model.line)))}
	e.private = s.options.Group == 1 && s.options.Threads > 1
	e.body(s.model.root)
}

type enumerator struct {
	s       *Stream
	c       *cursor
	f       func(Place) bool
	next    int64
	private bool
	shift   uint8 // log₂ of the line
}

// body walks code outside phases; it returns false to stop.
func (e *enumerator) body(b *body) bool {
	for i := range b.items {
		it := &b.items[i]
		switch {
		case it.run != nil:
			for _, a := range it.run {
				if !e.emit(a, e.c.offset(a), e.thread()) {
					return false
				}
			}
		case it.cond != nil:
			branch := it.els
			if it.cond.Eval(e.c.env) != 0 {
				branch = it.then
			}
			if !e.body(branch) {
				return false
			}
		case it.loop.team:
			if !e.phase(it.loop) {
				return false
			}
		default:
			if !e.loop(it.loop) {
				return false
			}
		}
	}
	return true
}

func (e *enumerator) loop(l *loop) bool {
	hi := l.high(e.c.env)
	if run := l.body.straight(); run != nil {
		thread := e.thread()
		return e.c.stride(l, run, hi, func(a *access, offset int64) bool { return e.emit(a, offset, thread) })
	}
	for x := l.low(e.c.env); x <= hi; x++ {
		e.c.env[l.v] = x
		if !e.body(l.body) {
			return false
		}
	}
	return true
}

func (e *enumerator) thread() int {
	if e.private {
		return int(e.c.env[e.s.model.root.items[0].loop.v])
	}
	return 0
}

func (e *enumerator) emit(a *access, offset int64, thread int) bool {
	p := Place{e.next, a.id, a.object, offset >> (e.shift & 63), thread}
	e.next++
	return e.f(p)
}

// lane is one thread's part of a phase.
type lane struct {
	thread int
	next   func() ([]step, bool)
	stop   func()
	ready  []step
}

func (e *enumerator) phase(l *loop) bool {
	var lanes []*lane
	defer func() {
		for _, x := range lanes {
			x.stop()
		}
	}()
	hi := l.high(e.c.env)
	for t := l.low(e.c.env); t <= hi; t++ {
		c := e.s.model.newCursor()
		copy(c.env, e.c.env)
		c.env[l.v] = t
		x := &lane{thread: int(t)}
		x.next, x.stop = iter.Pull(c.batches(l.body))
		lanes = append(lanes, x)
	}
	for active := slices.Clone(lanes); len(active) > 0; {
		running := active[:0]
		for _, x := range active {
			if len(x.ready) == 0 {
				steps, ok := x.next()
				if !ok {
					continue
				}
				x.ready = steps
			}
			s := x.ready[0]
			x.ready = x.ready[1:]
			if !e.emit(s.a, s.offset, x.thread) {
				return false
			}
			running = append(running, x)
		}
		active = running
	}
	return true
}

// batches walks a body and yields its accesses in pieces; a piece is valid until the next is asked for.
func (c *cursor) batches(b *body) iter.Seq[[]step] {
	return func(yield func([]step) bool) {
		buf := make([]step, 0, batch)
		done := c.walk(b, func(a *access, offset int64) bool {
			buf = append(buf, step{a, offset})
			if len(buf) < batch {
				return true
			}
			ok := yield(buf)
			buf = buf[:0]
			return ok
		})
		if done && len(buf) > 0 {
			yield(buf)
		}
	}
}

// walk calls f for every access of b in order; false stops it.
func (c *cursor) walk(b *body, f func(a *access, offset int64) bool) bool {
	for i := range b.items {
		it := &b.items[i]
		switch {
		case it.run != nil:
			for _, a := range it.run {
				if !f(a, c.offset(a)) {
					return false
				}
			}
		case it.cond != nil:
			branch := it.els
			if it.cond.Eval(c.env) != 0 {
				branch = it.then
			}
			if !c.walk(branch, f) {
				return false
			}
		default:
			if !c.walkLoop(it.loop, f) {
				return false
			}
		}
	}
	return true
}

func (c *cursor) walkLoop(l *loop, f func(a *access, offset int64) bool) bool {
	hi := l.high(c.env)
	if run := l.body.straight(); run != nil {
		return c.stride(l, run, hi, f)
	}
	for x := l.low(c.env); x <= hi; x++ {
		c.env[l.v] = x
		if !c.walk(l.body, f) {
			return false
		}
	}
	return true
}

// straight gives the accesses of a body that is nothing but a run of them, with offsets that loops step evenly.
func (b *body) straight() []*access {
	if len(b.items) != 1 {
		return nil
	}
	for _, a := range b.items[0].run {
		if a.exact != nil {
			return nil
		}
	}
	return b.items[0].run
}

// stride walks a loop over a run, adding to each offset what one iteration adds.
func (c *cursor) stride(l *loop, run []*access, hi int64, f func(a *access, offset int64) bool) bool {
	lo := l.low(c.env)
	c.env[l.v] = lo
	c.offsets, c.steps = c.offsets[:0], c.steps[:0]
	for _, a := range run {
		c.offsets = append(c.offsets, a.offset.eval(c.env))
		c.steps = append(c.steps, a.offset.coefficient(l.v))
	}
	offsets, steps := c.offsets[:len(run)], c.steps[:len(run)]
	for x := lo; x <= hi; x++ {
		for i, a := range run {
			if !f(a, offsets[i]) {
				return false
			}
			offsets[i] += steps[i]
		}
	}
	c.env[l.v] = max(lo, hi)
	return true
}
