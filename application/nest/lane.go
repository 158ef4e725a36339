package nest

import (
	"iter"
	"slices"

	"foresee/model/schedule"
)

// batch is the number of accesses that a thread's walk hands over at once.
const batch = 512

// lane is one thread's part of a phase.
type lane struct {
	thread int
	next   func() ([]step, bool)
	stop   func()
	ready  []step
}

func (e *enumerator) newLane(thread int, steps iter.Seq[[]step]) *lane {
	x := &lane{thread: thread}
	x.next, x.stop = iter.Pull(steps)
	return x
}

// teamLanes are the threads of a phase.
func (e *enumerator) teamLanes(l *loop) (lanes []*lane) {
	hi := l.high(e.c.env)
	for t := l.low(e.c.env); t <= hi; t++ {
		c := e.cursor()
		c.env[l.v] = t
		lanes = append(lanes, e.newLane(int(t), func(yield func([]step) bool) { c.batches(l.body, yield) }))
	}
	return lanes
}

// dealtLanes are the threads of a team that shares the iterations of a worksharing loop.
func (e *enumerator) dealtLanes(l *loop) (lanes []*lane) {
	lo := l.low(e.c.env)
	d := schedule.NewDeal(l.dealt.Work.Rule(), max(l.high(e.c.env)-lo+1, 0), e.team)
	for t := range e.team {
		c := e.cursor()
		lanes = append(lanes, e.newLane(t, func(yield func([]step) bool) {
			for first, end := d.Next(t); first < end; first, end = d.Next(t) {
				for i := first; i < end; i++ {
					c.env[l.v] = lo + i
					// A batch ends with the iteration, so that the next is asked for when it is due.
					if !c.batches(l.body, yield) {
						return
					}
				}
			}
		}))
	}
	return lanes
}

func (e *enumerator) cursor() *cursor {
	c := e.s.model.newCursor()
	copy(c.env, e.c.env)
	return c
}

// interleave runs the lanes side by side.
func (e *enumerator) interleave(lanes []*lane) bool {
	defer func() {
		for _, x := range lanes {
			x.stop()
		}
	}()
	if e.random != nil {
		return e.atRandom(slices.Clone(lanes))
	}
	for active := slices.Clone(lanes); len(active) > 0; {
		running := active[:0]
		for _, x := range active {
			s, ok := x.step()
			if !ok {
				continue
			}
			if !e.emit(s.a, s.offset, x.thread) {
				return false
			}
			running = append(running, x)
		}
		active = running
	}
	return true
}

// atRandom lets one lane, drawn at random, make each step.
func (e *enumerator) atRandom(active []*lane) bool {
	for len(active) > 0 {
		i := int(e.random.Uint64N(uint64(len(active))))
		x := active[i]
		s, ok := x.step()
		if !ok {
			active = slices.Delete(active, i, i+1)
			continue
		}
		if !e.emit(s.a, s.offset, x.thread) {
			return false
		}
	}
	return true
}

// step is the lane's next access.
func (x *lane) step() (s step, ok bool) {
	for len(x.ready) == 0 {
		if x.ready, ok = x.next(); !ok {
			return s, false
		}
	}
	s, x.ready = x.ready[0], x.ready[1:]
	return s, true
}

// batches walks a body and yields its accesses in pieces; a piece is valid until the next is asked for. It returns
// false once yield does.
func (c *cursor) batches(b *body, yield func([]step) bool) bool {
	if c.batch == nil {
		c.batch = make([]step, 0, batch)
	}
	buf := c.batch[:0]
	done := c.walk(b, func(a *access, offset int64) bool {
		buf = append(buf, step{a, offset})
		if len(buf) < batch {
			return true
		}
		ok := yield(buf)
		buf = buf[:0]
		return ok
	})
	return done && (len(buf) == 0 || yield(buf))
}
