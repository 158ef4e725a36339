package nest

import (
	"errors"

	"foresee/application/nest/expr"
)

// ErrGaveUp is returned when the search for a next use was cut off.
var ErrGaveUp = errors.New("the search for the next use of a line was too long")

// Place is one access of a stream.
type Place struct {
	Position  int64
	Reference int   // which reference in the text
	Object    int   // index of its object
	Line      int64 // line number within the object
	Thread    int   // that makes the access; -1 in a private stream, where the group tells
}

// Use is the next use of a line.
type Use struct {
	Position  int64 // −1: the line is never used again
	Reference int
	Level     int // number of loops that the two uses share iterations of
}

// Never is the position of a use that does not happen.
const Never = int64(-1)

// Cursor finds places and next uses in a stream. It is not safe for concurrent use.
type Cursor struct {
	s     *Stream
	c     *cursor
	at    *access
	place Place
	phase phasePoint
	later phasePoint // the phase of a next use
	other *cursor    // for the streams of the other threads
	best  found
	first found
	outer []int64
	flats []flat // by loop number; nil before the first runs
}

// phasePoint is where the cursor is within a phase.
type phasePoint struct {
	team   *loop   // nil outside phases
	begin  int64   // position of the phase's first access
	thread int64   // the value of the team loop's variable
	local  int64   // accesses of this thread in this phase before the place
	lo     int64   // first thread of the phase
	counts []int64 // accesses of each thread in the phase
}

// Cursor makes a cursor.
func (s *Stream) Cursor() *Cursor {
	return &Cursor{s: s, c: s.model.newCursor(), other: s.model.newCursor()}
}

// Stream is the stream that the cursor is of.
func (k *Cursor) Stream() *Stream { return k.s }

// At moves to position p, 0 ≤ p < Len.
func (k *Cursor) At(p int64) Place {
	k.phase.team = nil
	// Phases hold the same positions in thread order and interleaved; only the order within differs.
	k.at = k.c.unrank(k.s.model.root, p, func(l *loop, r int64) int64 { return k.enterPhase(l, r, p) })
	if k.at == nil { // only when counts are wrong, which Next reports
		k.at = k.s.model.accesses[0]
	}
	k.place = Place{
		Position: p, Reference: k.at.id, Object: k.at.object,
		Line: expr.FloorDiv(k.c.offset(k.at), k.s.model.line), Thread: k.thread(p),
	}
	return k.place
}

// thread is who makes the access at a position.
func (k *Cursor) thread(position int64) int {
	switch {
	case k.phase.team != nil:
		return int(k.phase.thread)
	case k.s.options.Group == 1 && k.s.options.Threads > 1:
		return k.s.GroupOf(position)
	}
	return 0
}

// enterPhase finds which thread makes the r-th access of a phase and how many it made before.
func (k *Cursor) enterPhase(l *loop, r, position int64) int64 {
	ph := &k.phase
	ph.team, ph.begin = l, position-r
	ph.measure(k.c, l)
	thread, local := locate(ph.counts, r)
	ph.thread, ph.local = ph.lo+int64(thread), local
	k.c.env[l.v] = ph.thread
	return local
}

// measure counts each thread's accesses in the phase of team loop l at c's outer point.
func (ph *phasePoint) measure(c *cursor, l *loop) {
	lo, hi := l.low(c.env), l.high(c.env)
	ph.lo, ph.counts = lo, ph.counts[:0]
	before := int64(0)
	for t := lo; t <= hi; t++ {
		after := c.prefix(l, lo, t+1)
		ph.counts = append(ph.counts, after-before)
		before = after
	}
}

// locate finds the r-th access of a round-robin interleaving of streams of the given lengths.
func locate(counts []int64, r int64) (stream int, local int64) {
	done := func(rounds int64) (n int64) {
		for _, c := range counts {
			n += min(c, rounds)
		}
		return n
	}
	lo, hi := r/int64(len(counts)), r+1 // done(lo) ≤ r < done(hi)
	if done(lo+1) > r {
		hi = lo + 1
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; done(mid) <= r {
			lo = mid
		} else {
			hi = mid
		}
	}
	left := r - done(lo)
	for i, c := range counts {
		if c > lo {
			if left == 0 {
				return i, lo
			}
			left--
		}
	}
	return -1, 0
}

// interleaved is the place, in the round-robin interleaving, of stream s's access number local.
func interleaved(counts []int64, s int, local int64) (r int64) {
	for i, c := range counts {
		if i < s {
			r += min(c, local+1)
		} else {
			r += min(c, local)
		}
	}
	return r
}

// Next finds the next use of the line at the cursor's place. The cursor stays where it is.
func (k *Cursor) Next() (Use, error) { return k.nextUse(0) }

// UsedBefore tells whether the line at the cursor's place is used again before position end. It is faster than
// Next, since any use will do.
func (k *Cursor) UsedBefore(end int64) (bool, error) {
	use, err := k.nextUse(end)
	return use.Position != Never && use.Position < end, err
}

// nextUse finds the next use, or any use before position enough.
func (k *Cursor) nextUse(enough int64) (Use, error) {
	if k.s.listed != nil {
		return k.listedUse(k.s.listed, enough == 0), nil
	}
	use, err := k.search(enough)
	if k.s.model.exhausted.Load() {
		return Use{Position: Never}, ErrIrregular
	}
	return use, err
}

// search finds the next use of the present line: in its own phase, then in later iterations of the loops around, innermost first. Uses
// farther than enough need not be found.
func (k *Cursor) search(enough int64) (Use, error) {
	line := k.place.Line * k.s.model.line
	from, team := len(k.at.path), -1
	if k.phase.team != nil {
		use, err := k.nextInPhase(line, enough)
		if err != nil || use.Position != Never {
			return use, err
		}
		from, team = k.phase.team.depth, k.phase.team.depth
	}
	return k.nextAfter(line, from, team)
}

// nextInPhase looks at all threads of the phase that the cursor is in.
func (k *Cursor) nextInPhase(line, enough int64) (Use, error) {
	ph := &k.phase
	inner := ph.team.depth + 1
	use := Use{Position: Never}
	hit, ok := k.c.nextUse(k.at, k.at.object, line, len(k.at.path), inner, -1, &k.best)
	if !ok {
		return use, ErrGaveUp
	}
	if hit {
		copy(k.other.env, k.c.env)
		k.other.moveTo(&k.best)
		local := k.other.position(k.best.b, inner)
		use = Use{ph.begin + interleaved(ph.counts, int(ph.thread-ph.lo), local), k.best.b.id, k.best.level}
	}
	for i := range ph.counts {
		if use.Position != Never && use.Position < enough {
			break
		}
		if err := k.nextOfOther(i, line, &use); err != nil {
			return use, err
		}
	}
	return use, nil
}

// nextOfOther improves use by what stream i of the phase does after the cursor's place.
func (k *Cursor) nextOfOther(i int, line int64, use *Use) error {
	ph := &k.phase
	u := ph.lo + int64(i)
	local := ph.local + expr.Truth(u < ph.thread)
	if u == ph.thread || local >= ph.counts[i] || !k.s.mayTouch(ph.team, u, k.at.object, line) ||
		use.Position != Never && ph.begin+interleaved(ph.counts, i, local) >= use.Position {
		return nil
	}
	c, inner := k.other, ph.team.depth+1
	copy(c.env, k.c.env)
	c.env[ph.team.v] = u
	a := c.unrank(ph.team.body, local, nil)
	if a == nil {
		return ErrIrregular
	}
	level := inner
	if a.object != k.at.object || c.lineAt(a) != line {
		hit, ok := c.nextUse(a, k.at.object, line, len(a.path), inner, -1, &k.best)
		if !ok {
			return ErrGaveUp
		}
		if !hit {
			return nil
		}
		c.moveTo(&k.best)
		a = k.best.b
		local = c.position(a, inner)
	}
	if p := ph.begin + interleaved(ph.counts, i, local); use.Position == Never || p < use.Position {
		*use = Use{p, a.id, level}
	}
	return nil
}

// nextAfter looks past the phase that the cursor is in (team is the depth of its team loop, or −1).
func (k *Cursor) nextAfter(line int64, from, team int) (Use, error) {
	hit, ok := k.c.nextUse(k.at, k.at.object, line, from, k.s.floor(), team, &k.best)
	switch {
	case !ok:
		return Use{Position: Never}, ErrGaveUp
	case !hit:
		return Use{Position: Never, Level: -1}, nil
	}
	level := k.best.level
	c := k.other
	copy(c.env, k.c.env)
	c.moveTo(&k.best)
	b := k.best.b
	t := teamDepth(b)
	if t < 0 {
		return Use{c.position(b, 0), b.id, level}, nil
	}
	return k.firstInPhase(c, b.path[t], line, level)
}

// firstInPhase finds which thread touches the line first in the phase that cursor c and k.best point into.
func (k *Cursor) firstInPhase(c *cursor, team *loop, line int64, level int) (Use, error) {
	ph, found := &k.later, &k.best
	begin := c.position(found.b, 0) - c.position(found.b, team.depth+1) -
		c.prefix(team, team.low(c.env), c.env[team.v])
	ph.measure(c, team)
	object := found.b.object
	known := c.env[team.v] // the first thread in order that touches the line; found says where
	local := c.position(found.b, team.depth+1)
	use := Use{begin + interleaved(ph.counts, int(known-ph.lo), local), found.b.id, level}
	k.outer = append(k.outer[:0], found.at[:team.depth+1]...)
	for i := int(known-ph.lo) + 1; i < len(ph.counts); i++ {
		u := ph.lo + int64(i)
		if ph.counts[i] == 0 || !k.s.mayTouch(team, u, object, line) || begin+int64(i) >= use.Position {
			continue
		}
		k.outer[team.depth] = u
		hit, ok := c.firstUse(k.s.inTeam[team.number][object], k.outer, line, &k.first)
		if !ok {
			return use, ErrGaveUp
		}
		if !hit {
			continue
		}
		c.moveTo(&k.first)
		local := c.position(k.first.b, team.depth+1)
		if p := begin + interleaved(ph.counts, i, local); p < use.Position {
			use.Position, use.Reference = p, k.first.b.id
		}
	}
	return use, nil
}

// teamDepth is how many loops are around the one over the threads; −1 where there is none.
func teamDepth(a *access) int {
	for i, l := range a.path {
		if l.team {
			return i
		}
	}
	return -1
}
