package core

import "math"

// Simulator follows a stream of instructions through a core.
type Simulator struct {
	core     Core
	program  []Instruction
	needs    [][]Resource // of each instruction
	guesses  *predictor
	calendar calendar

	levels *levels // nil: all is served by L1

	register                     [64]float64 // when each register's value is there
	front                        float64     // when the next instruction can be issued
	retired                      float64     // when the last one left, and slots are counted from
	leaving                      []float64   // when those in flight leave, by their number modulo Reorder
	count                        int64       // of those that took a place in flight
	integers, addresses, vectors queue
	stores                       storeTable
	previous                     int32 // instruction

	// Instructions is how many there were, Branches of them conditional, Mispredicted of these guessed wrongly.
	Instructions, Branches, Mispredicted int64
}

// written is a store that a load may take its value from.
type written struct {
	word    uint64 // eight bytes
	from    uint64 // first byte of the store
	bytes   int
	ready   float64 // when its value is there
	inCache float64 // when L1 has it
	known   bool
}

// storeWords is how many words of four bytes are kept that stores wrote; a power of two. Chosen: more than are in flight.
const storeWords = 1 << 14

type storeTable [storeWords]written

func (s *storeTable) at(word uint64) *written {
	return &s[word*0x9E3779B97F4A7C15>>(64-14)]
}

// New makes a simulator of a core for a program, whose instructions are then named by their number.
func New(c Core, program []Instruction) *Simulator {
	c.Width = max(c.Width, 1)
	s := &Simulator{core: c, program: program, guesses: newPredictor(c.HistoryTables), leaving: make([]float64, max(c.Reorder, 1)), previous: -1}
	s.integers.size, s.addresses.size, s.vectors.size = max(c.IntegerQueue, 1), max(c.AddressQueue, 1), max(c.VectorQueue, 1)
	if len(c.Levels) > 0 {
		s.levels = newLevels(c.Levels)
	}
	s.needs = make([][]Resource, len(program))
	for i := range program {
		for r, use := range program[i].Uses {
			if use > 0 {
				s.needs[i] = append(s.needs[i], Resource(r))
			}
		}
	}
	return s
}

// Cycles is the time at which the last instruction left.
func (s *Simulator) Cycles() float64 { return s.retired }

// rounding is what sums of parts of a cycle may be off by.
const rounding = 1e-6

// Step takes the next instruction of the stream: its number, the address that it accesses, and whether it jumps.
func (s *Simulator) Step(at int32, address uint64, jumps bool) {
	x, c := &s.program[at], &s.core
	s.Instructions++
	right := true
	if x.Branch == Conditional {
		s.Branches++
		if right = s.guesses.guess(uint32(at)*4+1, jumps); !right {
			s.Mispredicted++
		}
	}
	fused := x.Branch == Conditional && s.previous == at-1 && s.previous >= 0 && s.program[s.previous].Fuses
	s.previous = at
	issued := s.issue(x, fused)
	done := s.execute(at, x, address, issued)
	for _, r := range x.Writes {
		s.register[r] = done
	}
	if x.Branch == Library {
		s.front += c.Library
	}
	if x.Branch != NoBranch && jumps && c.Taken > 0 { // what follows comes with the next fetch
		s.front = math.Ceil(s.front/c.Taken-rounding) * c.Taken
	}
	if !right {
		s.front = max(s.front, done+c.Mispredicted)
	}
	if s.retired = max(s.retired, done); !fused {
		s.leaving[s.count%int64(len(s.leaving))] = s.retired
		s.count++
	}
}

// issue gives the time at which an instruction enters the core.
func (s *Simulator) issue(x *Instruction, fused bool) float64 {
	t := max(s.front, s.leaving[s.count%int64(len(s.leaving))])
	if x.Latency > 0 || x.Load > 0 || x.Store > 0 {
		if x.Vector {
			t = max(t, s.vectors.room())
		} else {
			t = max(t, s.integers.room())
		}
		if x.Load > 0 || x.Store > 0 {
			t = max(t, s.addresses.room())
		}
	}
	s.front = t
	if !fused {
		s.front += x.Slots / s.core.Width
	}
	s.calendar.advance(int64(t))
	return t
}

// execute gives the time at which an instruction's result is there.
func (s *Simulator) execute(at int32, x *Instruction, address uint64, issued float64) float64 {
	first := math.Floor(issued) + 1
	addressed, ready := first, first
	for _, r := range x.Address {
		addressed = max(addressed, s.register[r])
	}
	for _, r := range x.Reads {
		ready = max(ready, s.register[r])
	}
	if x.Load > 0 {
		ready = max(ready, s.load(x, address, addressed))
	}
	done := ready
	if x.Latency > 0 || len(s.needs[at]) > 0 {
		begun := ready
		if len(s.needs[at]) > 0 {
			begun = s.calendar.take(ready, &x.Uses, s.needs[at])
		}
		if x.Vector {
			s.vectors.add(begun)
		} else {
			s.integers.add(begun)
		}
		done = begun + x.Latency
	}
	if x.Store > 0 {
		done = max(done, s.store(x, address, addressed, done))
	}
	return done
}

// lineBytes is the width of a line of L1, which accesses are slower that cross.
const lineBytes = 64

var (
	loads  = []Resource{Load}
	stores = []Resource{Store}
)

// load gives the time at which the value of a load is there.
func (s *Simulator) load(x *Instruction, address uint64, addressed float64) float64 {
	c := &s.core
	var uses [Resources]float64
	uses[Load] = c.LoadUse[sizeClass(x.Load)]
	if address&(lineBytes-1)+uint64(x.Load) > lineBytes {
		uses[Load] += c.CrossUse
	}
	begun := s.calendar.take(addressed, &uses, loads)
	s.addresses.add(begun)
	latency, forward := c.LoadCycles, c.Forward
	if x.Vector {
		latency, forward = c.VectorLoad, c.VectorForward
	}
	there := begun + latency
	if s.levels != nil {
		there += s.levels.find(address/lineBytes, begun)
	}
	for word := address >> 2; word <= (address+uint64(x.Load)-1)>>2; word++ {
		w := s.stores.at(word)
		if !w.known || w.word != word || w.inCache <= begun {
			continue
		}
		if w.from <= address && address+uint64(x.Load) <= w.from+uint64(w.bytes) {
			there = max(there, w.ready+forward)
		} else {
			there = max(there, w.inCache+c.ForwardBlocked)
		}
	}
	return there
}

// cyclesToCache is how long after it left the core a store is in L1. From a prototype, where it was fitted on half of PolyBench on a Zen 5
// together with other figures; not measured.
const cyclesToCache = 2

// store gives the time at which a store has all that it needs; it reaches L1 later, in order.
func (s *Simulator) store(x *Instruction, address uint64, addressed, ready float64) float64 {
	c := &s.core
	var uses [Resources]float64
	uses[Store] = c.StoreUse[sizeClass(x.Store)]
	if address&(lineBytes-1)+uint64(x.Store) > lineBytes {
		uses[Store] += c.CrossUse
	}
	begun := s.calendar.take(max(addressed, ready), &uses, stores)
	s.addresses.add(addressed)
	inCache := max(begun+1, s.retired) + cyclesToCache
	if s.levels != nil {
		inCache += s.levels.find(address/lineBytes, begun)
	}
	for word := address >> 2; word <= (address+uint64(x.Store)-1)>>2; word++ {
		*s.stores.at(word) = written{word, address, x.Store, ready, inCache, true}
	}
	return begun
}

// Reset begins anew, with a branch predictor that has learnt.
func (s *Simulator) Reset() {
	guesses, levels := s.guesses, s.levels
	*s = Simulator{
		core: s.core, program: s.program, needs: s.needs, leaving: make([]float64, len(s.leaving)), previous: -1,
		Instructions: s.Instructions, Branches: s.Branches, Mispredicted: s.Mispredicted,
		integers: queue{size: s.integers.size}, addresses: queue{size: s.addresses.size}, vectors: queue{size: s.vectors.size},
	}
	s.guesses, s.levels = guesses, levels
	if levels != nil {
		clear(levels.free)
	}
}
