package followed

import (
	"foresee/application/recording"
	"foresee/machine"
	"foresee/model/core"
	"foresee/model/timing"
	"foresee/predict/compiled"
)

// Follower follows what a thread runs through the core of one machine. It is a recording.Follower.
type Follower struct {
	costs core.Costs
	// sims are the core with lines that the second cache does not hold coming as from there, from the third cache, and from memory.
	sims      [places]*core.Simulator
	lines     map[int]*Lines // by region
	callback  int32          // in the simulators' program: what a library does between two calls of the program's functions
	code      []*segment     // by number; nil: not met yet
	windows   windows
	far       bool    // the segment that was followed last was followed with lines from everywhere
	held      running // the segment that is followed when it is known what comes behind it
	costing   map[place]*Cost
	functions map[string]int // numbers of regions, from −1 down, that functions outside of all are
	last      *Cost          // of the place that ran last
	lastAt    place
}

// place is a segment in a region.
type place struct {
	region  int
	segment int32
}

// Cost is what a segment took in a region.
type Cost struct {
	Times        float64 // that it ran, by those that were followed
	Instructions int64   // of one execution
	By           [core.Causes]float64
	library      float64 // calls at its end of functions that are not recorded, by those that were followed
}

func (c *Cost) cycles() (sum float64) {
	for _, cycles := range c.By {
		sum += cycles
	}
	return sum
}

// segment is a segment's code as the simulator has it.
type segment struct {
	steps    []step
	library  int32 // what the call at its end costs where its function is not recorded; −1: there is no such call
	copies   int   // word with the bytes that the function copies; −1: it copies none
	ends     core.Branch
	entry    bool // a function begins with it
	function int  // as a region
	// unmeasured are the forms of instructions of unknown cost, and unknown is the function that it calls where that has no known cost if it is not recorded.
	unmeasured []string
	unknown    string
}

// step is an instruction of a segment.
type step struct {
	at   int32 // in the simulator's program
	word int
}

// running is a segment that ran, with its words.
type running struct {
	known  bool
	place  place
	words  [64]uint64
	weight float64 // how often what it takes counts
	far    bool    // lines from everywhere are of interest
}

// New makes a follower for a machine. An error says what the machine lacks.
func New(m *machine.Machine) (*Follower, error) {
	x, costs, err := compiled.CoreOf(m)
	if err != nil {
		return nil, err
	}
	f := &Follower{costs: costs, lines: map[int]*Lines{}, costing: map[place]*Cost{}, functions: map[string]int{}}
	for k, latency := range latencies(m) {
		x.Levels, x.Ahead = append(core.InnerLevels(m), core.Level{Cycles: latency}), true
		f.sims[k] = core.New(x, nil)
	}
	f.callback = f.add(costs.Callback())
	return f, nil
}

// Wants implements recording.Follower.
func (f *Follower) Wants() bool { return f.windows.open() }

// Idle implements recording.Follower.
func (f *Follower) Idle(code *recording.Code, number int32) uint64 {
	return f.windows.idle(uint64(len(code.Segments[number].Code)))
}

// Pass implements recording.Follower.
func (f *Follower) Pass(code *recording.Code, region int, number int32, times uint64) {
	n := len(code.Segments[number].Code)
	if n == 0 {
		return
	}
	f.held.known = false
	f.windows.pass(region, uint64(n)*times)
	if int(number) >= len(f.code) || f.code[number] == nil { // all code is followed at least once
		f.learn(code, number)
		f.windows.openNow()
	}
}

// Follow implements recording.Follower.
func (f *Follower) Follow(code *recording.Code, region int, number int32, words []uint64) {
	n := len(code.Segments[number].Code)
	if n == 0 {
		return
	}
	if f.held.known {
		f.run(number)
	}
	if int(number) >= len(f.code) || f.code[number] == nil {
		f.learn(code, number)
	}
	f.held.known = true
	f.held.place = place{region, number}
	if region < 0 {
		f.held.place.region = f.code[number].function
	}
	copy(f.held.words[:], words)
	f.held.far = f.windows.everywhere()
	f.held.weight = f.windows.take(region, uint64(n))
}

// run follows the segment that is held, behind which another comes.
func (f *Follower) run(next int32) {
	h := &f.held
	s := f.code[h.place.segment]
	c := f.of(h.place)
	sims := f.sims[:near+1]
	if h.far {
		if sims = f.sims[:]; !f.far {
			for _, sim := range f.sims[near+1:] {
				sim.Become(f.sims[near])
			}
		}
	}
	f.far = h.far
	before := f.sims[near].Cycles()
	begun := f.cycles()
	beyond := f.sims[near].Beyond()
	step := func(at int32, address uint64, jumps bool, own bool) {
		for _, sim := range sims {
			if own {
				sim.Goes(uint32(next))
			}
			sim.Step(at, address, jumps)
		}
		now := f.sims[near].Cycles()
		c.By[f.sims[near].Cause()] += h.weight * (now - before)
		before = now
	}
	for i := range s.steps {
		x := &s.steps[i]
		address := uint64(0)
		if x.word >= 0 {
			address = h.words[x.word]
		}
		at, jumps := x.at, false
		if i == len(s.steps)-1 {
			jumps = next != h.place.segment+1
			if s.ends == core.Call && !jumps && s.library >= 0 { // what follows the call comes next: nothing that is recorded ran in between
				at, jumps = s.library, true
				c.library += h.weight
				address = s.copied(h)
			}
		}
		step(at, address, jumps, i == len(s.steps)-1 && at == x.at)
	}
	switch {
	case s.ends == core.Jump && s.library >= 0 && !f.begins(next): // the function that a library has returns for this one
		step(s.library, s.copied(h), true, false)
	case s.ends == core.Return && f.begins(next): // the library that was returned to calls again
		step(f.callback, 0, true, false)
	}
	c.Times += h.weight
	if !h.far {
		return
	}
	lines := f.ofRegion(h.place.region)
	for k, now := range f.cycles() {
		lines.cycles[k] += h.weight * (now - begun[k])
	}
	lines.beyond += h.weight * float64(f.sims[near].Beyond()-beyond)
}

// copied is how many bytes the function copies that a segment calls at its end.
func (s *segment) copied(h *running) uint64 {
	if s.copies < 0 {
		return 0
	}
	return h.words[s.copies]
}

// begins says whether a function begins with a segment that has been met.
func (f *Follower) begins(segment int32) bool {
	return int(segment) < len(f.code) && f.code[segment] != nil && f.code[segment].entry
}

// of is the cost of a place, made when it is new.
func (f *Follower) of(p place) *Cost {
	if f.last != nil && f.lastAt == p {
		return f.last
	}
	c := f.costing[p]
	if c == nil {
		c = &Cost{Instructions: int64(len(f.code[p.segment].steps))}
		f.costing[p] = c
	}
	f.last, f.lastAt = c, p
	return c
}

// Function is the number of a region that a function outside of all others is.
func (f *Follower) Function(name string) int {
	n, ok := f.functions[name]
	if !ok {
		n = -1 - len(f.functions)
		f.functions[name] = n
	}
	return n
}

// Compiled is what an execution of a segment takes in a region; of one that was in no window, as many cycles for each of its instructions as others of
// the region. Nil where the segment has no machine code, or nothing of the region was followed.
func (f *Follower) Compiled(code *recording.Code, region int, number int) *timing.Compiled {
	n := float64(len(code.Segments[number].Code))
	if n == 0 {
		return nil
	}
	if c := f.costing[place{region, int32(number)}]; c != nil && c.Times > 0 {
		out := &timing.Compiled{Cycles: c.cycles() / c.Times, Instructions: float64(c.Instructions)}
		for i := range c.By {
			out.By[i] = c.By[i] / c.Times
		}
		return out
	}
	var cycles, instructions float64
	for p, c := range f.costing {
		if p.region == region {
			cycles += c.cycles()
			instructions += c.Times * float64(c.Instructions)
		}
	}
	if instructions == 0 {
		return nil
	}
	return &timing.Compiled{Cycles: n * cycles / instructions, Instructions: n}
}
