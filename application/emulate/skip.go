package emulate

import (
	"math"

	"foresee/application/assembly"
)

// How long loops are looked at before iterations are left out. Chosen: the window of a core and its queues are full after some hundred
// operations, and eight pieces suffice for costs that grow by the square of an iteration's number, to a percent.
const (
	settling      = 1600       // operations of an innermost loop
	leastOutside  = 2          // iterations of one around others, since the last were left out
	margin        = 4          // iterations before something changes
	worthwhile    = 1024       // operations that are left out at least
	pieces        = 8          // of a loop around others, at least
	firstPieces   = 64         // as many as the first is the length of
	growth        = 4          // of pieces
	rough         = 0.2        // the share of its cost by which an iteration is quite other than expected
	mostRough     = 2          // pieces quite other than expected, with none as expected between, after which nothing more is left out
	leastAround   = 16         // iterations of a loop around others, of which fewer are all carried out
	shortest      = 16         // iterations that are not cut again at the end
	alike         = 0.02       // the share by which iterations may cost other than expected, for pieces to grow
	hurriedAfter  = 12_000_000 // operations from which on loops around others are cut in few pieces
	endsAfter     = 16_000_000 // and from which on at once,
	allowance     = 2_000_000  // but for so many operations of each outermost loop,
	endsSurely    = 48_000_000 // until there were so many
	hurriedSettle = 1200
	exactUntil    = 10_000_000 // and from which on also loops that write parts of addresses,
	mostQuiet     = 60_000_000 // of which so many operations are carried out all the same: later ones are then made of what earlier passes wrote
)

// decide leaves out iterations where that can be done.
func (s *sampling) decide(t *thread, r *running) {
	if r.whole || r.addressed && s.steps < exactUntil || !s.settled(r) {
		return
	}
	if r.addressed && s.free == 0 { // what follows is sampled anew, by pieces as fine as from the begin
		s.free = s.steps
	}
	n := r.left()
	if n <= 0 {
		return
	}
	each := (r.cost - r.atMark) / float64(r.since)
	if r.around && !s.ends() {
		n = min(n, r.nextPiece(n, each, s.hurried()))
	}
	n = inPhase(n)
	if n <= 0 || float64(n)*each < worthwhile {
		return
	}
	if r.addressed && !s.stale {
		if fit := inPhase(int64(float64(mostQuiet-s.silent) / each)); fit > 0 {
			s.quiet = quietly{of: r, left: min(n, fit), each: each}
			return
		}
		s.stale = true
		s.follower.Stale()
	}
	s.follower.Skip(n, r.since, r.around)
	r.count(n, each)
	r.move(t, n)
	r.begun = s.steps
}

// quietly is how iterations are carried out that count as those before and behind them do, so that what they write is there.
type quietly struct {
	of         *running // nil: nothing is
	left, done int64    // iterations
	each       float64  // operations of one
}

// carryQuietly carries out an operation of such an iteration.
func (s *sampling) carryQuietly(t *thread, o *op, at int32, jumps bool) {
	s.silent++
	s.program.done--
	s.halt(s.silent)
	if o.target >= 0 && o.cond != 0 {
		s.follower.Branch(at, jumps)
	}
	t.pc++
	o.do(t, o)
	traits := s.traits[at]
	if traits&(closes|leads) == 0 || s.quiet.of == nil { // what it called may have ended the iterations
		return
	}
	l, back := s.quiet.of.loop, t.r[assembly.RSP] == s.quiet.of.stack
	switch {
	case t.done || t.r[assembly.RSP] > s.quiet.of.stack || back && !s.contains(l, t.pc):
		s.endQuiet(t)
		s.leave(t)
	case traits&closes != 0 && back && t.pc == l.header && s.contains(l, at):
		if s.quiet.done++; s.quiet.done == s.quiet.left {
			s.endQuiet(t)
		}
	}
}

// endQuiet counts the iterations that were carried out quietly.
func (s *sampling) endQuiet(t *thread) {
	q := s.quiet
	s.quiet = quietly{}
	if q.done == 0 {
		return
	}
	s.follower.Skip(q.done, q.of.since, q.of.around)
	q.of.count(q.done, q.each)
	q.of.catchUp(t)
	q.of.begun = s.steps
}

// hurried says whether the run has been long enough for pieces to be coarse.
func (s *sampling) hurried() bool { return s.steps-s.free > hurriedAfter }

// ends says whether the run has been so long that loops around others are cut at once.
func (s *sampling) ends() bool {
	return s.steps-s.free > endsAfter && (s.steps-s.outermost > allowance || s.steps > endsSurely)
}

// inPhase is an even number of iterations, as loops may exchange two arrays from one to the next; and where it can be, one that lets those
// which are carried out, two at a time, come to all places of a vector of up to sixteen elements.
func inPhase(n int64) int64 {
	if n < 20 {
		return n &^ 1
	}
	return n - (n-4)%16
}

// settled says whether iterations were looked at for long enough, and marks those that count.
func (s *sampling) settled(r *running) bool {
	if r.around {
		return r.since >= leastOutside
	}
	long := int64(settling)
	if s.hurried() {
		long = hurriedSettle
	}
	if done := s.steps - r.begun; done < long {
		if !r.marked && done >= long/2 {
			r.marked = true
			r.since, r.atMark, r.decidedAt = 0, r.cost, r.decided
			s.follower.Mark()
		}
		return false
	}
	return r.since > 0
}

// left is how many iterations are the same as those before, but for a margin; 0 where that is not known.
func (r *running) left() int64 {
	least, ends := int64(1)<<60, false
	for i := range r.exits {
		e, x := &r.exits[i], &r.loop.exits[i]
		if e.asked == 0 {
			continue
		}
		if e.asked > 1 || !e.known || e.difference.steady < 2 {
			if x.leaves {
				return 0
			}
			continue
		}
		if n := e.flips(); n > 0 {
			least = min(least, n)
			ends = ends || x.leaves
		}
	}
	if !ends {
		return 0
	}
	for i := range r.slots {
		if r.slots[i].seen < 3 {
			return 0
		}
	}
	return least - 1 - margin
}

// nextPiece is how many iterations of a loop around others are left out at once: few at its begin and end, where bounds by min and max
// change what they cost, and more while those behind the last piece cost what the ones before let expect.
func (r *running) nextPiece(left int64, each float64, hurried bool) int64 {
	total := r.iterations + left
	if total < leastAround && !hurried {
		return 0
	}
	most, first := max(2, total/pieces), max(2, total/firstPieces)
	if hurried {
		first = most
	}
	switch {
	case r.piece == 0:
		r.piece = first
	case math.Abs(each-r.expected) <= alike*each:
		r.piece, r.rough = min(growth*r.piece, most), 0
	default:
		r.piece = max(2, r.piece/growth)
		if math.Abs(each-r.expected) > rough*each {
			r.rough++
		}
		if r.rough > mostRough && !hurried {
			return 0
		}
	}
	return min(r.piece, max(left*3/4, shortest))
}

// count counts iterations that cost each what those since the mark did.
func (r *running) count(n int64, each float64) {
	if r.around {
		if r.last > 0 {
			r.slope = (each - r.before) / float64(r.iterations-r.last)
		}
		r.last, r.expected = r.iterations+n, each+r.slope*float64(n)
		r.cost += float64(n) / 2 * each
		r.pending = n
	} else {
		r.cost += float64(n) * each
	}
	if r.since > 0 {
		r.decided += float64(n) / float64(r.since) * (r.decided - r.decidedAt)
	}
	r.decidedAt = r.decided
	r.before, r.atMark, r.since, r.after = each, r.cost, 0, 0
	r.around, r.marked = r.loop.outer, false
	r.iterations += n
	for i := range r.exits {
		c := &r.exits[i].difference
		if c.steady >= 2 {
			c.value += c.change * uint64(n)
		}
	}
}

// move moves the program on by iterations.
func (r *running) move(t *thread, n int64) {
	for i := range r.registers {
		c := &r.registers[i]
		if c.steady >= 2 {
			c.value += c.change * uint64(n)
			t.r[i] = c.value
		}
	}
	for i := range r.vectors {
		if c := &r.vectors[i]; c.steady >= 2 && c.change != 0 {
			c.value += c.change * uint64(n)
			t.v[i][0] = c.value
		}
	}
	for i := range r.slots {
		w := &r.slots[i]
		if w.steady >= 2 {
			w.value = (w.value + w.change*uint64(n)) & masks[w.bytes]
			t.memory.store(w.at, w.bytes, w.value)
		}
	}
}

// catchUp takes over what iterations that were carried out have made of registers and of the stack.
func (r *running) catchUp(t *thread) {
	for i := range r.registers {
		r.registers[i].value = t.r[i]
	}
	for i := range r.vectors {
		r.vectors[i].value = t.v[i][0]
	}
	for i := range r.slots {
		r.slots[i].value = t.memory.load(r.slots[i].at, r.slots[i].bytes)
	}
}

// difference is the number whose sign a condition asks for, or whether it is zero.
func (t *thread) difference(p *Program, setter int32, c condition) (int64, bool) {
	if setter < 0 || c >= isO || t.floating {
		return 0, false
	}
	o := &p.ops[setter]
	if o.at.Mnemonic != "cmp" {
		if len(o.args) == 0 || c == isB || c == isAE || c == isBE || c == isA {
			return 0, false
		}
		return signed(t.result, max(o.args[0].bytes, 1)), true
	}
	a, b := &o.args[0], &o.args[1]
	if c == isB || c == isAE || c == isBE || c == isA {
		return int64(t.get(a) - t.get(b)), true
	}
	return signed(t.get(a), a.bytes) - signed(t.get(b)&masks[a.bytes], a.bytes), true
}

// flips is after how many more iterations a condition holds no longer, or does at last, if the number that it asks for goes on as before;
// 0 for never.
func (e *ending) flips() int64 {
	x, d := int64(e.difference.value), int64(e.difference.change)
	switch e.condition {
	case isE, isNE:
		switch {
		case x == 0 && d != 0:
			return 1
		case d != 0 && x%d == 0 && -x/d > 0:
			return -x / d
		}
		return 0
	case isLE, isG, isBE, isA:
		x--
	}
	switch {
	case x < 0 && d > 0:
		return (-x + d - 1) / d
	case x >= 0 && d < 0:
		return x/-d + 1
	}
	return 0
}
