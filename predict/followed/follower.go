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
	far       bool          // the segment that was followed last was followed with lines from everywhere
	held      running       // the segment that is followed when it is known what comes behind it
	added     int32         // instructions in the simulators' program, with those that are pending
	pending   *batch        // what is to be followed next
	spare     *batch        // that is being followed, or empty
	done      chan struct{} // closed when the batch before is followed; nil: it is
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
	words    int    // that its instructions need
	begins   string // the function that begins with it; "": none does
	within   string // the function that it is of
	jumps    string // the function of a library that it jumps to at its end
	leaves   bool   // the function that it calls returns to another place
	function int    // as a region
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
	f := &Follower{costs: costs, pending: &batch{}, spare: &batch{}, lines: map[int]*Lines{}, costing: map[place]*Cost{}, functions: map[string]int{}}
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
		f.pending.add(&f.held, f.code[f.held.place.segment], number, f.begun(number))
		if f.pending.full() {
			f.flush()
		}
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
	if far := f.windows.everywhere(); far != f.held.far {
		f.flush()
		f.held.far = far
	}
	f.held.weight = f.windows.take(region, uint64(n))
}

// begun is the name of the function that begins with a segment; "" where none does, or it has not been met.
func (f *Follower) begun(segment int32) string {
	if int(segment) < len(f.code) && f.code[segment] != nil {
		return f.code[segment].begins
	}
	return ""
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
	f.settle()
	if c := f.costing[place{region, int32(number)}]; c != nil && c.Times > 0 {
		out := &timing.Compiled{Cycles: c.cycles() / c.Times, Instructions: float64(c.Instructions)}
		for i := range c.By {
			out.By[i] = c.By[i] / c.Times
		}
		return out
	}
	var cycles, instructions float64
	for i := range f.code {
		if c := f.costing[place{region, int32(i)}]; c != nil {
			cycles += c.cycles()
			instructions += c.Times * float64(c.Instructions)
		}
	}
	if instructions == 0 {
		return nil
	}
	return &timing.Compiled{Cycles: n * cycles / instructions, Instructions: n}
}
