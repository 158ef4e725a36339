package nest

import (
	"cmp"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// step is one access on a walk.
type step struct {
	a      *access
	offset int64
}

// Each calls f for every access of the stream in order, until f returns false.
func (s *Stream) Each(f func(Place) bool) { s.enumerator(f).run() }

// EachRandom is Each with the threads of a phase interleaved at random: every step is made by one of those that have
// not come to the barrier, each with the same probability.
func (s *Stream) EachRandom(seed uint64, f func(Place) bool) {
	e := s.enumerator(f)
	e.random = rand.New(rand.NewPCG(seed, 0x1e7))
	e.run()
}

// EachScheduled enumerates an undealt stream as a team of threads would run it: iterations dealt by the schedules of
// the worksharing loops, dynamic and guided ones to whoever is free, each loop ending in a barrier; the threads
// interleaved as in EachRandom. Lines of private objects carry the thread from bit 40 on.
func (s *Stream) EachScheduled(threads int, seed uint64, f func(Place) bool) {
	e := s.enumerator(f)
	e.random = rand.New(rand.NewPCG(seed, 0x5ced))
	e.team = threads
	e.run()
}

// mostListed bounds the accesses of a stream that are listed. Chosen: less than a second, where a single question of the solver may take a millisecond.
const mostListed = 1 << 22

// listing is what a stream accesses whose places tables tell, which is listed sooner than looked for.
type listing struct {
	next, reference []int32 // of each position, the next use of its line, −1 where there is none, and who accesses it
	firsts          []first // uses of lines, by object and line
}

// first is the first use of a line.
type first struct {
	object, reference int
	line              int64
}

func compareFirsts(a, b first) int {
	return cmp.Or(cmp.Compare(a.object, b.object), cmp.Compare(a.line, b.line))
}

// list lists a short stream of one thread that asks tables; nil of others.
func (s *Stream) list() *listing {
	if s.options.Threads > 1 || s.model.total > mostListed || !slices.ContainsFunc(s.model.accesses, func(a *access) bool { return a.system.looksUp() }) {
		return nil
	}
	l := &listing{}
	last := make([]latest, len(s.model.objects))
	for p := range s.Each {
		l.next, l.reference = append(l.next, -1), append(l.reference, int32(p.Reference))
		if before := last[p.Object].exchange(p.Line, int32(p.Position)); before >= 0 {
			l.next[before] = int32(p.Position)
		} else {
			l.firsts = append(l.firsts, first{p.Object, p.Reference, p.Line})
		}
	}
	slices.SortFunc(l.firsts, compareFirsts)
	return l
}

// latest are the latest uses of an object's lines: of a stretch of lines from one on, one more than the position, 0 of those that were not used, and of
// lines that are far from these.
type latest struct {
	from int64
	at   []int32
	far  map[int64]int32
}

// exchange notes the use of a line, and gives the one before, −1 where there is none.
func (u *latest) exchange(line int64, position int32) (before int32) {
	if len(u.at) == 0 {
		u.from, u.at = line, make([]int32, 64)
	}
	if line < u.from || line >= u.from+int64(len(u.at)) {
		from := min(u.from, line)
		to := max(u.from+int64(len(u.at)), line+1)
		if to-from > mostListed {
			if u.far == nil {
				u.far = map[int64]int32{}
			}
			before = u.far[line] - 1
			u.far[line] = position + 1
			return before
		}
		if room := min(to-from, mostListed-(to-from)); from < u.from { // for more of them, but for none of those that are far
			from -= room
		} else {
			to += room
		}
		at := make([]int32, to-from)
		copy(at[u.from-from:], u.at)
		u.from, u.at = from, at
	}
	before = u.at[line-u.from] - 1
	u.at[line-u.from] = position + 1
	return before
}

// of are the first uses of an object's lines.
func (l *listing) of(object int) []first {
	begin, _ := slices.BinarySearchFunc(l.firsts, object, func(f first, o int) int { return cmp.Compare(f.object, o) })
	end, _ := slices.BinarySearchFunc(l.firsts, object+1, func(f first, o int) int { return cmp.Compare(f.object, o) })
	return l.firsts[begin:end]
}

// listedUse is the next use of the line at the cursor's place. Its level is found where it is wanted.
func (k *Cursor) listedUse(l *listing, level bool) Use {
	next := l.next[k.place.Position]
	if next < 0 {
		return Use{Position: Never, Level: -1}
	}
	use := Use{Position: int64(next), Reference: int(l.reference[next])}
	if !level {
		return use
	}
	there := k.other.unrank(k.s.model.root, use.Position, func(team *loop, r int64) int64 {
		k.other.env[team.v] = team.low(k.other.env)
		return r
	})
	for use.Level < min(len(k.at.path), len(there.path)) {
		of := k.at.path[use.Level]
		if there.path[use.Level] != of || k.c.env[of.v] != k.other.env[of.v] {
			break
		}
		use.Level++
	}
	return use
}

// privateShift is by how many bits the lines of one thread's copy of a private object lie from those of the next thread's.
const privateShift = 40

// enumerator calls f with every access of the stream, in order.
func (s *Stream) enumerator(f func(Place) bool) *enumerator {
	e := &enumerator{s: s, c: s.model.newCursor(), f: f, shift: uint8(bits.TrailingZeros64(uint64(s.model.line)))}
	e.private = s.options.Group == 1 && s.options.Threads > 1
	return e
}

func (e *enumerator) run() { e.body(e.s.model.root) }

type enumerator struct {
	s       *Stream
	c       *cursor
	f       func(Place) bool
	next    int64
	private bool
	shift   uint8      // log₂ of the line
	random  *rand.Rand // nil: threads take turns
	team    int        // threads that worksharing loops of an undealt stream are dealt to; 0: one after another
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
			if !e.interleave(e.teamLanes(it.loop)) {
				return false
			}
		case it.loop.dealt != nil && e.team > 0:
			if !e.interleave(e.dealtLanes(it.loop)) {
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

// loop enumerates a loop; it gives false when f wants no more.
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

// emit calls f with an access; each thread has its own copy of private objects.
func (e *enumerator) emit(a *access, offset int64, thread int) bool {
	p := Place{e.next, a.id, a.object, offset >> (e.shift & 63), thread}
	if e.team > 0 && a.source.Object.Private {
		p.Line += int64(thread) << privateShift
	}
	e.next++
	return e.f(p)
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

// walkLoop calls f with the accesses of a loop of one thread.
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
		c.offsets = append(c.offsets, a.offset.Eval(c.env))
		c.steps = append(c.steps, a.offset.Coefficient(l.v))
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
