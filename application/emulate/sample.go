package emulate

import (
	"slices"

	"foresee/application/assembly"
)

// Follower is told of a run of which iterations of loops are left out, so that it can count for those what it counted for others.
type Follower interface {
	// Step is an operation that is carried out, as Program.Observe tells of them.
	Step(at int32, address uint64, jumps bool)
	// Goes says of the next operation, a jump or call whose target is computed, where it goes: what stands for the place.
	Goes(to uint32)
	// Begin says that a loop was found, inside of those that were and have not ended; its first iteration is over.
	Begin()
	// Mark says that iterations of the innermost loop are like those that may be left out, from here to the next Skip, Mark or End.
	Mark()
	// Skip says that so many iterations of the innermost loop are left out; since Mark there were so many of them. Where it is smooth, the
	// cost of those left out goes from that of the iterations before to that of those behind them, which Settle tells; else it is as before. A
	// mark is set.
	Skip(left int64, since int, smooth bool)
	// Branch is a conditional jump of iterations that are left out of what is counted, but carried out.
	Branch(at int32, jumps bool)
	// Settle says that so many iterations since the mark tell what those cost that are behind the ones left out.
	Settle(since int)
	// Stale says, once, that from here on what the program's course hangs on may be as earlier iterations left it.
	Stale()
	// End says that the innermost loop has ended.
	End()
}

const (
	mostSlots = 64  // integers on the stack that a loop changes
	redZone   = 128 // bytes below the stack's end that functions may use (System V)
	// mostSought bounds the arrays that are found to become parts of addresses. Chosen: programs have few, and each is compared with all.
	mostSought = 256
)

// Sample makes Run leave out iterations of loops whose integers change by the same amount in each, so that the end is known: registers
// and what lies on the stack are moved on as if all had been carried out; other data are not. It is for one thread. What a loop's course
// depends on is found by Discover, on a program of its own.
func (p *Program) Sample(f Follower, kept []Extent) {
	p.sampling = &sampling{structure: structureOf(p), follower: f, kept: kept, program: p}
}

// Discover makes Run do as with Sample and note which data become parts of addresses: loops that write them must not be left out. What was
// found may lead to more, as with the rows of a sparse matrix and then its columns.
func (p *Program) Discover(kept []Extent) {
	p.sampling = &sampling{structure: structureOf(p), follower: nobody{}, program: p, kept: kept, sought: map[Extent]bool{}, weighed: make([]uint64, len(p.ops)), fresh: map[int32]bool{}}
}

// Sought are the data that became parts of addresses, in the order of their places.
func (p *Program) Sought() []Extent {
	var all []Extent
	for e := range p.sampling.sought {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b Extent) int { return int(int64(a.From) - int64(b.From)) })
	return all
}

// Decided says whether the program's course hangs on its data: whether one in some hundred operations is a conditional jump that asks for what was loaded
// from places that change. What left-out iterations would have written is then missed: a program of its own is to be sampled with Exact.
func (p *Program) Decided() bool {
	s := p.sampling
	all, decided := s.cost, s.decided
	for _, r := range s.active { // where the run did not come to its end
		all, decided = all+r.cost, decided+r.decided
	}
	return decided*oftenDecided > all
}

// Exact makes Sample carry out loops that write to memory other than the stack, as long as those are that write parts of addresses.
func (p *Program) Exact() { p.sampling.exact = true }

// oftenDecided is in how many operations one must be a jump that data decide for them to matter. Chosen: at sixteen cycles for every other one that is
// foreseen wrongly they are a tenth of the time or less.
const oftenDecided = 200

// Stale says whether the run was so long that at last iterations were left out that write data which become parts of addresses, so that these are
// partly as earlier iterations made them.
func (p *Program) Stale() bool { return p.sampling.stale }

// Extent is a run of bytes in memory.
type Extent struct{ From, To uint64 }

// nobody follows.
type nobody struct{}

func (nobody) Step(int32, uint64, bool) {}
func (nobody) Goes(uint32)              {}
func (nobody) Begin()                   {}
func (nobody) Mark()                    {}
func (nobody) Skip(int64, int, bool)    {}
func (nobody) Branch(int32, bool)       {}
func (nobody) Settle(int)               {}
func (nobody) Stale()                   {}
func (nobody) End()                     {}

// haltEvery is after how many operations a run asks whether it is to end: some milliseconds.
const haltEvery = 1 << 16

// sampling is a run with loops cut short.
type sampling struct {
	*structure
	program   *Program
	follower  Follower
	kept      []Extent
	sought    map[Extent]bool
	active    []*running // outermost first
	spare     []*running
	steps     int64
	silent    int64 // operations that were carried out quietly
	quiet     quietly
	stale     bool           // iterations were left out that write parts of addresses, or data that decide
	exact     bool           // loops that write anything are carried out whole, as long as others that write parts of addresses are
	outermost int64          // steps at which the outermost loop that is being carried out began
	free      int64          // steps at which loops that write parts of addresses, or data that decide, were no longer carried out whole; 0 before
	weighed   []uint64       // of each operation that loads what decides a jump, the address before
	fresh     map[int32]bool // conditional jumps that such a one has loaded something for since
	cost      float64        // operations of loops that are over, with those left out
	decided   float64        // of them, jumps that such a one decides
}

// running is a loop that is being carried out.
type running struct {
	loop       *natural
	stack      uint64 // the stack's end at its header
	iterations int64
	begun      int64 // steps at its begin or when iterations were left out last
	since      int   // iterations since the mark
	after      int   // iterations since some were left out
	around     bool  // loops were carried out inside since then
	whole      bool  // nothing may be left out
	addressed  bool  // it writes data that become parts of addresses
	marked     bool  // for good, until some are left out

	registers [assembly.R15 + 1]course
	vectors   []course // the lowest words of registers for vectors, where integers are kept there
	slots     []slot
	exits     []ending

	// cost of the loop so far, in operations with those left out, and of an iteration before the last that were left out.
	cost, atMark, before float64
	decided, decidedAt   float64 // jumps that data decide, of those, and at the mark
	pending              int64
	rough                int     // pieces in succession that were not as expected
	piece, last          int64   // iterations of a piece, and where the last ended
	slope, expected      float64 // how the cost of an iteration changes with each, and what that of those behind the last piece should be
}

// course is how a value changes from iteration to iteration.
type course struct {
	value  uint64
	change uint64
	steady int // how many changes were alike
}

func (c *course) next(v uint64) {
	if d := v - c.value; d == c.change {
		c.steady++
	} else {
		c.change, c.steady = d, 1
	}
	c.value = v
}

// slot is an integer on the stack that a loop writes.
type slot struct {
	at    uint64
	bytes int
	seen  int
	course
}

// ending is what a conditional jump compares.
type ending struct {
	difference course
	asked      int // times in this iteration
	condition  condition
	known      bool
}

// carry carries an operation out and follows loops.
func (s *sampling) carry(t *thread, o *op, at int32, address uint64, jumps bool) {
	if s.quiet.of != nil {
		s.carryQuietly(t, o, at, jumps)
		return
	}
	s.steps++
	s.halt(s.steps)
	traits := s.traits[at]
	if n := len(s.active); n > 0 {
		s.active[n-1].cost++
		if traits != 0 {
			s.touch(t, o, at, address, traits)
		}
		if o.target >= 0 && o.cond != 0 {
			s.compare(t, o, at)
			if s.fresh[at] {
				s.fresh[at] = false
				s.active[n-1].decided++
			}
		}
	} else if traits&seeks != 0 && s.sought != nil {
		s.seek(address)
	}
	if traits&leads != 0 && o.computed() {
		s.follower.Goes(uint32(t.pointed(o)))
	}
	s.follower.Step(at, address, jumps)
	t.pc++
	o.do(t, o)
	if traits&(closes|leads) == 0 {
		return
	}
	s.leave(t)
	if traits&closes == 0 || t.done {
		return
	}
	if l := s.headers[t.pc]; l != nil && s.contains(l, at) {
		s.iterate(t, l)
	}
}

// halt asks now and then whether the run is to end.
func (s *sampling) halt(steps int64) {
	if steps%haltEvery == 0 && s.program.Halt != nil {
		if err := s.program.Halt(); err != nil {
			panic(stop{err})
		}
	}
}

// touch notes what an operation does to integers in memory.
func (s *sampling) touch(t *thread, o *op, at int32, address uint64, traits trait) {
	if traits&seeks != 0 && s.sought != nil {
		s.seek(address)
	}
	if traits&weighs != 0 && s.weighed != nil && address != s.weighed[at] && !onStack(address) {
		s.weighed[at] = address
		s.fresh[s.decides[at]] = true
	}
	if traits&stores == 0 {
		return
	}
	if onStack(address) {
		if traits&keeps != 0 {
			s.active[len(s.active)-1].wrote(address, int(max(o.size(), 1)))
		}
		return
	}
	if s.exact {
		for i := len(s.active) - 1; i >= 0 && !s.active[i].addressed; i-- {
			s.active[i].addressed = true
		}
		return
	}
	for _, e := range s.kept {
		if address >= e.From && address < e.To {
			for _, r := range s.active {
				r.addressed = true
			}
			return
		}
	}
}

// size is the bytes of integers that an operation writes to memory.
func (o *op) size() uint8 {
	if o.access >= 0 {
		return o.args[o.access].bytes
	}
	return 8
}

func onStack(address uint64) bool { return address > stackEnd-(1<<40) }

// seek notes the data at an address as part of addresses.
func (s *sampling) seek(address uint64) {
	if onStack(address) || len(s.sought) >= mostSought {
		return
	}
	for e := range s.sought {
		if address >= e.From && address < e.To {
			return
		}
	}
	s.sought[s.program.extentAt(address)] = true
}

// extentAt is the array that an address lies in, or its eight bytes.
func (p *Program) extentAt(address uint64) Extent {
	best := Extent{address, address + 8}
	for at, bytes := range p.heap.sizes {
		if address >= at && address < at+bytes {
			return Extent{at, at + bytes}
		}
	}
	for _, e := range p.extents {
		if address >= e.From && address < e.To {
			best = e
		}
	}
	return best
}

// wrote notes an integer on the stack.
func (r *running) wrote(address uint64, bytes int) {
	for i := range r.slots {
		if r.slots[i].at == address {
			r.slots[i].bytes = max(r.slots[i].bytes, bytes)
			return
		}
	}
	if len(r.slots) >= mostSlots {
		r.whole = true
		return
	}
	r.slots = append(r.slots, slot{at: address, bytes: bytes})
}

// compare notes what a conditional jump of the innermost loop's own body compares.
func (s *sampling) compare(t *thread, o *op, at int32) {
	r := s.active[len(s.active)-1]
	if r.stack != t.r[assembly.RSP] || s.inside[at] != r.loop {
		return
	}
	for i, x := range r.loop.exits {
		if x.at != at {
			continue
		}
		e := &r.exits[i]
		e.asked++
		var v int64
		if v, e.known = t.difference(s.program, x.setter, o.cond); e.known {
			e.condition = o.cond
			if e.asked == 1 {
				e.difference.next(uint64(v))
			}
		}
		return
	}
}

// leave ends loops that control has left, but for functions that come back.
func (s *sampling) leave(t *thread) {
	for len(s.active) > 0 {
		r := s.active[len(s.active)-1]
		if sp := t.r[assembly.RSP]; sp < r.stack || sp == r.stack && s.contains(r.loop, t.pc) {
			return
		}
		s.end()
	}
}

// end ends the innermost loop.
func (s *sampling) end() {
	n := len(s.active) - 1
	r := s.active[n]
	s.active = s.active[:n]
	if r.pending > 0 {
		s.settle(r)
	}
	s.follower.End()
	if n > 0 {
		around := s.active[n-1]
		around.cost += r.cost
		around.decided += r.decided
		around.around = true
		around.whole = around.whole || r.whole && len(s.kept) > 0
		around.addressed = around.addressed || r.addressed
		for _, w := range r.slots {
			around.wrote(w.at, w.bytes)
		}
	} else {
		s.cost += r.cost
		s.decided += r.decided
	}
	s.spare = append(s.spare, r)
}

// settle adds what iterations that were left out cost by those behind them.
func (s *sampling) settle(r *running) {
	s.follower.Settle(r.since)
	each := r.before
	if r.since > 0 {
		each = (r.cost - r.atMark) / float64(r.since)
	}
	r.cost += float64(r.pending) / 2 * each
	r.atMark += float64(r.pending) / 2 * each
	r.pending = 0
}

// iterate ends an iteration of a loop.
func (s *sampling) iterate(t *thread, l *natural) {
	if n := len(s.active); n == 0 || s.active[n-1].loop != l || s.active[n-1].stack != t.r[assembly.RSP] {
		s.begin(l, t.r[assembly.RSP])
	} else {
		s.active[n-1].since++
	}
	r := s.active[len(s.active)-1]
	r.iterations++
	r.after++
	if r.pending > 0 && r.after >= leastOutside {
		s.settle(r)
	}
	for i := range r.registers {
		r.registers[i].next(t.r[i])
	}
	for i := range r.vectors {
		r.vectors[i].next(t.v[i][0])
	}
	r.slots = slices.DeleteFunc(r.slots, func(w slot) bool { return w.at+redZone < t.r[assembly.RSP] })
	for i := range r.slots {
		w := &r.slots[i]
		w.next(t.memory.load(w.at, w.bytes))
		w.seen++
	}
	s.decide(t, r)
	for i := range r.exits {
		r.exits[i].asked = 0
	}
}

// begin finds that a loop has begun.
func (s *sampling) begin(l *natural, stack uint64) {
	var r *running
	if n := len(s.spare); n > 0 {
		r = s.spare[n-1]
		s.spare = s.spare[:n-1]
		*r = running{slots: r.slots[:0], exits: r.exits[:0], vectors: r.vectors[:0]}
	} else {
		r = &running{}
	}
	r.loop, r.stack, r.begun, r.around = l, stack, s.steps, l.outer
	for range l.exits {
		r.exits = append(r.exits, ending{})
	}
	if len(s.active) == 0 {
		s.outermost = s.steps
	}
	if s.spills {
		r.vectors = append(r.vectors, make([]course, len(thread{}.v))...)
	}
	s.active = append(s.active, r)
	s.follower.Begin()
	s.follower.Mark()
}
