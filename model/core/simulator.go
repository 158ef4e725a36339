package core

import (
	"math"
	"math/bits"
)

// Simulator follows a stream of instructions through a core.
type Simulator struct {
	core     Core
	program  []Instruction
	needs    [][]Resource // of each instruction
	guesses  *predictor
	levels   *levels // nil: all is served by L1
	flight   *flight
	why      Cause     // what the last instruction waited for
	missed   bool      // the last instruction was a branch that was guessed wrongly
	tallies  []tally   // of each branch
	progress float64   // how many times as much has been done as when that began
	owed     []float64 // wrong guesses of each branch that its share amounts to and that were not made yet

	to uint32 // one more than where the next jump goes whose target is computed; 0 where that is not known

	// Instructions is how many there were, Branches of them conditional, Mispredicted of these guessed wrongly; Misdirected are those of jumps whose target is computed.
	Instructions, Branches, Mispredicted, Misdirected int64
}

// New makes a simulator of a core for a program, whose instructions are then named by their number.
func New(c Core, program []Instruction) *Simulator {
	c.Width = max(c.Width, 1)
	s := &Simulator{core: c, program: program, guesses: newPredictor(c.HistoryTables), flight: newFlight(&c.Windows)}
	if len(c.Levels) > 0 {
		s.levels = newLevels(c.Levels)
		if c.Ahead {
			s.levels.ahead = &ahead{}
		}
	}
	for i := range program {
		s.need(&program[i])
	}
	return s
}

// need notes which resources the next instruction of the program takes, and begins what is kept of it.
func (s *Simulator) need(x *Instruction) {
	var all []Resource
	for r, use := range x.Uses {
		if use > 0 {
			all = append(all, Resource(r))
		}
	}
	s.needs = append(s.needs, all)
	s.tallies = append(s.tallies, tally{})
	s.owed = append(s.owed, 0)
}

// Add puts an instruction at the end of the program, and gives its number.
func (s *Simulator) Add(x Instruction) int32 {
	s.program = append(s.program, x)
	s.need(&x)
	return int32(len(s.program) - 1)
}

// Instruction is one of the program.
func (s *Simulator) Instruction(at int32) *Instruction { return &s.program[at] }

// Beyond is how many lines came from farther than the first two levels.
func (s *Simulator) Beyond() int64 {
	if s.levels == nil {
		return 0
	}
	return s.levels.missed
}

// Missed says whether the last instruction was a branch that was guessed wrongly.
func (s *Simulator) Missed() bool { return s.missed }

// Reset begins anew at time zero, with a branch predictor that has learnt and caches that hold what they held or was on its way.
func (s *Simulator) Reset() {
	s.flight = newFlight(&s.core.Windows)
	if s.levels != nil {
		s.levels.settle()
	}
}

// Become begins anew at time zero with what another simulator has learnt of the same program, and with the lines that its caches hold.
func (s *Simulator) Become(o *Simulator) {
	s.flight = newFlight(&s.core.Windows)
	*s.guesses = *o.guesses
	if o.guesses.targets != nil {
		t := *o.guesses.targets
		s.guesses.targets = &t
	}
	copy(s.tallies, o.tallies)
	copy(s.owed, o.owed)
	s.progress = o.progress
	if s.levels != nil && o.levels != nil {
		s.levels.become(o.levels)
	}
}

// Cycles is the time at which the last instruction left.
func (s *Simulator) Cycles() float64 { return s.flight.retired }

// next goes on to the next cycle in which instructions are fetched, which may be some before they are issued.
func (f *flight) next(c *Core) {
	f.fetch = max(f.fetch+c.Taken, f.front-fetchAhead)
	if f.fetch > f.front {
		f.fetched = ByFetch
	}
}

// follow fetches an instruction at a place: what lies in another block than the one before it comes a cycle later. A block that begins behind a
// branch is fetched with it.
func (f *flight) follow(place uint64, c *Core) {
	if c.FetchBytes == 0 || place == 0 {
		return
	}
	block := place/c.FetchBytes + 1
	if f.block != 0 && block != f.block {
		f.next(c)
	}
	f.block = block
}

// fetchAhead is how many cycles instructions may be fetched before they are issued. Chosen: cores keep some fifty between.
const fetchAhead = 8

// tally is how often a branch was taken to be guessed, and how often wrongly; likewise when it had been asked half and a quarter as often as
// the last power of two.
type tally struct {
	asked, wrong int64
	frozen       bool     // it is guessed by its share
	wrongAt      [3]int64 // of the last powers of two of asked, the latest first
}

// count counts a branch that was guessed.
func (n *tally) count(right bool) {
	n.asked++
	if !right {
		n.wrong++
	}
	if n.asked&(n.asked-1) == 0 {
		n.wrongAt = [3]int64{n.wrong, n.wrongAt[0], n.wrongAt[1]}
	}
}

// Of branches that are guessed wrongly more and more seldom: leastWrong is how often at least in each half for that to be no chance, steepest how
// fast it may be, as in a search for a minimum that is found: the n-th number is the smallest so far with probability 1/n. Chosen.
const (
	leastWrong = 32
	steepest   = -1
)

// share is the share of wrong guesses when there have been so many times as many guesses as were made: as in the half before the last power of two, times a
// power of the number of guesses that this half and the one before tell, if it falls. So a comparison that finds a smaller number each time more seldom goes on to do so.
func (n *tally) share(times float64) float64 {
	last, before := n.wrongAt[0]-n.wrongAt[1], n.wrongAt[1]-n.wrongAt[2]
	all := float64(n.wrong) / float64(n.asked)
	if before < leastWrong || last >= 2*before {
		return all
	}
	p := float64(int64(1) << (bits.Len64(uint64(n.asked)) - 1))
	recent := float64(last) / (p / 2)
	slope := max(math.Log2(max(recent, 0.5/p)/(float64(before)/(p/4))), steepest)
	return min(all, recent*math.Pow(max(times*float64(n.asked)/p, 1)/middle, slope))
}

// middle is where the middle of the later half lies.
const middle = 0.75

// enoughAsked is how often a branch was guessed before its share of wrong guesses is known. Chosen.
const enoughAsked = 64

// Stale says that what branches hang on are from now on data of before, seen again and again, so that a predictor would learn them by heart: branches are guessed
// wrongly as often as they were until now, or more seldom where that became ever more seldom.
func (s *Simulator) Stale() {
	s.progress = 1
	for i := range s.tallies {
		s.tallies[i].frozen = s.tallies[i].asked >= enoughAsked
	}
}

// foreseen says whether a branch is guessed rightly.
func (s *Simulator) foreseen(at int32, jumps bool) bool {
	n := &s.tallies[at]
	if n.frozen {
		s.owed[at] += n.share(s.progress)
		if s.owed[at] < 1 {
			return true
		}
		s.owed[at]--
		return false
	}
	right := s.guesses.guess(uint32(at)*4+1, jumps)
	n.count(right)
	return right
}

// Branch is a conditional jump that goes by without taking time: the predictor learns it. Of branches that do, those of iterations in between are guessed
// wrongly as often: they are the first of their loops, time and again, which a predictor knows by heart.
func (s *Simulator) Branch(at int32, jumps bool) {
	if s.program[at].Branch == Conditional {
		n := &s.tallies[at]
		n.count(s.guesses.guess(uint32(at)*4+1, jumps))
		n.frozen = n.asked >= enoughAsked
	}
}

// Goes says where the next instruction goes, a jump or call whose target is computed: any number that stands for the place alone.
func (s *Simulator) Goes(to uint32) { s.to = to + 1 }

// Step takes the next instruction of the stream: its number, the address that it accesses, and whether it jumps.
func (s *Simulator) Step(at int32, address uint64, jumps bool) {
	x, c, f := &s.program[at], &s.core, s.flight
	s.Instructions++
	right := true
	if x.Branch == Conditional {
		s.Branches++
		if right = s.foreseen(at, jumps); !right {
			s.Mispredicted++
		}
	}
	if x.Computed && s.to != 0 {
		if right = s.guesses.goes(uint32(at)*4+1, s.to-1); !right {
			s.Misdirected++
		}
	}
	s.to = 0
	s.missed = !right
	f.follow(x.Place, c)
	fused := x.Branch == Conditional && f.previous == at-1 && f.previous >= 0 && s.program[f.previous].Fuses
	f.previous = at
	s.why = f.fetched
	var done float64
	if x.Branch == Measured && x.Instructions > 0 {
		done = s.function(x)
	} else {
		done = s.execute(at, x, address, s.issue(x, fused))
	}
	for _, r := range x.Writes {
		f.register[r] = done
	}
	if x.PerCall > 0 && (s.why == ByWidth || s.why == ByChain) {
		s.why = ByLibrary
	}
	switch x.Branch {
	case Library:
		f.front += c.Library
		f.fetched = ByLibrary
	case Measured:
		f.front += x.PerCall + x.PerByte*float64(address)
		f.fetched = ByLibrary
	}
	if x.Branch != NoBranch && jumps { // what follows comes with the next fetch, which may be some cycles ahead
		f.next(c)
		f.block = 0
	}
	if !right {
		f.fetch = max(f.front, done+c.Mispredicted)
		f.fetched = ByMispredictions
	}
	f.retired = max(f.retired, done)
	if k := x.result(); k >= 0 {
		f.written[k].take(f.retired)
	}
	if x.Load > 0 {
		f.loads.take(f.retired)
	}
	if x.Branch == Conditional {
		f.branches.take(f.retired)
	}
	if fused {
		return
	}
	f.all.take(f.retired)
}

// function takes the instructions of a function that is called, and gives the time at which its result is there. They follow one another evenly from the
// time of the argument to that of the result, or as far as independent calls find room, and wait until then in the queue of vectors.
func (s *Simulator) function(x *Instruction) float64 {
	f := s.flight
	n := math.Ceil(x.Instructions)
	cycles := x.Slots / s.core.Width
	slots, apart := cycles/n, min(x.Latency, cycles*(1+2*waitingOfLibrary*float64(s.core.VectorQueue)/n))/n
	ready := 0.0
	for _, r := range x.Reads {
		ready = max(ready, f.register[r])
	}
	if ready > f.front {
		s.why = ByChain
	}
	done := 0.0
	for k := range int(n) {
		issued := max(f.front, f.fetch, f.all.room(), f.written[1].room(), f.buffered.room())
		f.front = issued + slots
		f.calendar.advance(int64(issued))
		f.entered = max(f.entered, issued, f.vectors.room())
		f.buffered.take(f.entered)
		begun := max(math.Floor(f.entered)+1, ready+float64(k)*apart)
		f.vectors.add(begun)
		done = max(done, begun+apart)
		f.retired = max(f.retired, done)
		f.all.take(f.retired)
	}
	return max(done, ready+x.Latency)
}

// waitingOfLibrary is the share of the queue that independent calls of a function fill at most: more of them would not follow one another as fast as they
// do. Chosen.
const waitingOfLibrary = 0.75

// issue gives the time at which an instruction enters the core.
func (s *Simulator) issue(x *Instruction, fused bool) float64 {
	f := s.flight
	t := max(f.front, f.fetch, f.all.room())
	if f.fetch < t {
		f.fetched = ByWidth
	}
	if k := x.result(); k >= 0 {
		t = max(t, f.written[k].room())
	}
	if x.Load > 0 {
		t = max(t, f.loads.room())
	}
	if x.Store > 0 {
		t = max(t, f.stores.room())
	}
	if x.Branch == Conditional {
		t = max(t, f.branches.room())
	}
	if x.Latency > 0 || x.Load > 0 || x.Store > 0 {
		if x.Vector {
			t = max(t, f.buffered.room())
		} else {
			t = max(t, f.integers.room())
		}
		if x.Load > 0 || x.Store > 0 {
			t = max(t, f.addresses.room())
		}
	}
	f.front = t
	if !fused {
		f.front += x.Slots / s.core.Width
	}
	f.calendar.advance(int64(t))
	return t
}

// execute gives the time at which an instruction's result is there.
func (s *Simulator) execute(at int32, x *Instruction, address uint64, issued float64) float64 {
	f := s.flight
	first := math.Floor(issued) + 1
	addressed, ready := first, first
	for _, r := range x.Address {
		addressed = max(addressed, f.register[r])
	}
	for _, r := range x.Reads {
		ready = max(ready, f.register[r])
	}
	if max(addressed, ready) > first {
		s.why = ByChain
	}
	if x.Load > 0 {
		ready = max(ready, s.load(at, x, address, addressed))
	}
	done := ready
	if x.Latency > 0 || len(s.needs[at]) > 0 {
		done = s.begin(at, x, issued, ready) + x.Latency
	}
	if x.Store > 0 {
		done = max(done, s.store(at, x, address, addressed, done))
	}
	return done
}

// begin gives the time at which an instruction with its operands begins: once it is in a queue from which it may, and what it needs is free.
func (s *Simulator) begin(at int32, x *Instruction, issued, ready float64) float64 {
	f := s.flight
	if x.Vector {
		f.entered = max(f.entered, issued, f.vectors.room())
		f.buffered.take(f.entered)
		ready = max(ready, math.Floor(f.entered)+1)
	}
	begun := ready
	if len(s.needs[at]) > 0 {
		if begun = f.calendar.take(ready, &x.Uses, s.needs[at]); begun > ready {
			s.why = byResource(&x.Uses)
		}
	}
	if x.Vector {
		f.vectors.add(begun)
	} else {
		f.integers.add(begun)
	}
	return begun
}
