package timing

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/core"
)

// Phase is code whose lines come during its own work: a loop.
type Phase struct {
	Blocks  []*Block
	Traffic []Traffic
	Walks   float64 // of page tables, of the slowest thread
	Table   float64 // share of them whose entry in the page table is far away
}

// Input is what a run does, as both models see it. Blocks and traffic are of the whole run.
type Input struct {
	Program   *nest.Program
	Blocks    []*Block
	Threads   int
	Imbalance float64   // work of the slowest thread over the mean; at least 1
	Regions   float64   // parallel regions opened
	Unlocked  bool      // the code was made without OpenMP, and locks nothing
	Barriers  float64   // passed by all threads within regions
	Traffic   []Traffic // from L2 outwards
	Phases    []Phase   // that make up the traffic, where it is known by loop
	Walks     float64   // of page tables, of the slowest thread, where phases are not known
	Table     float64   // share of them whose entry in the page table is far away
	Faults    float64   // pages that the slowest thread touches first of all
	Waits     *Waits    // what was found of waiting for lines by following the code; nil: nothing was
}

// Waits are how many cycles a core stands still on average for each line of a place beyond its second cache, whether prefetchers have it ready or not. The blocks
// of code that was followed so have what they wait for lines from the second cache in their cycles.
type Waits struct {
	Cache, Memory float64
}

// on are the cycles that the core stands still for traffic, and what its lines still need then: to pass through, as if all came in sequence.
func (w *Waits) on(i int, t Traffic) (cycles float64, through Traffic) {
	through = t
	through.Sequential, through.Dependent, through.Steps = 1, 0, [bandwidth.Steps]float64{}
	switch {
	case i == 0 && t.Level != memoryName:
		return 0, through
	case t.Level == memoryName:
		return t.Lines * w.Memory, through
	}
	return t.Lines * w.Cache, through
}

// memoryName is what traffic from memory is of.
const memoryName = "memory"

// Estimate is a time and its parts, in seconds.
type Estimate struct {
	Time, Low, High float64
	Compute         float64
	Latency         bool // the dependency chains are longer than the throughput
	// Core is what binds most of the core's cycles, of code that was followed, and CoreShare their share; 0 where none was.
	Core        core.Cause
	CoreShare   float64
	Doubted     float64 // share of the core's cycles that wrong guesses take as long as data stay as they were at first
	Unguessed   float64 // seconds besides, if every second branch on data is guessed wrongly
	Unordered   float64 // seconds besides, if the arguments of mathematical functions come in no order
	Memory      float64
	Fastest     float64 // what memory needs at its fastest for the lines of all threads; no time can be shorter
	Parallel    float64
	Faults      float64   // of pages that are touched first
	Levels      []float64 // by Input.Traffic
	Bound       string
	Assumptions []string // for want of values
}

// norm is the exponent of the soft maximum of times: 1 would add core and memory, infinity take the larger. Of 3 and 4 seconds 3 makes 4.5. Chosen;
// machines that were measured have their own (3.9 for reads on granite-rapids-vm), which Bandwidth takes.
const norm = 3

// Overlap is foresee's own model: the p-norm (p = 3) of the slowest thread's core time and memory time, plus the
// cost of parallel regions. It lies between the roofline (the larger of the two) and their sum, which are its Low
// and High. Hardware prefetching enters only through the lines' cost in sequence.
func Overlap(in Input, m *machine.Machine) (*Estimate, error) {
	c := NewCosts(m)
	e := &Estimate{}
	if err := e.core(in, m, c); err != nil {
		return nil, err
	}
	waiting := 0.0
	for i, t := range in.Traffic {
		wait := 0.0
		if in.Waits != nil {
			var cycles float64
			var err error
			cycles, t = in.Waits.on(i, t)
			if wait, err = m.Seconds(cycles); err != nil {
				return nil, err
			}
		}
		s, err := c.Lines(t)
		if err != nil {
			return nil, err
		}
		waiting += wait
		e.Levels = append(e.Levels, s+wait)
		e.Memory += s
		e.Fastest += c.fastest(t)
	}
	fastest, slowest := e.parallel(in, m)
	if err := c.Missing(); err != nil {
		return nil, err
	}
	e.Low = math.Max(e.Compute+waiting, e.Memory) + fastest
	e.High = e.Compute + waiting + e.Memory + slowest
	soft := bandwidth.Norm(norm, e.Compute+waiting, e.Memory) + e.Parallel
	e.Memory += waiting
	e.Time = math.Min(math.Max(soft, e.Low), e.High) // rounding aside, it lies there
	e.faults(in, m)
	e.Bound = e.bound(in)
	e.Assumptions = append(e.Assumptions, c.assumptions...)
	return e, nil
}

// faults adds the time of pages that are touched first.
func (e *Estimate) faults(in Input, m *machine.Machine) {
	if in.Faults == 0 {
		return
	}
	ns, known := m.Memory.PageFaultNs.Get()
	if !known {
		e.Assumptions = append(e.Assumptions, fmt.Sprintf("machine %s has no memory.page_fault_ns: the %.0f pages that are touched first are not counted", m.Name, in.Faults))
		return
	}
	e.Faults = in.Faults * ns * 1e-9
	e.Time, e.Low, e.High = e.Time+e.Faults, e.Low+e.Faults, e.High+e.Faults
}

// core fills in the time that the core needs, if all data were near.
func (e *Estimate) core(in Input, m *machine.Machine, c *Costs) error {
	seconds, latency, err := coreSeconds(in, in.Blocks, m, c)
	e.Compute, e.Latency = seconds, latency
	var by [core.Causes]float64
	all, doubted, unguessed, unordered := 0.0, 0.0, 0.0, 0.0
	for _, b := range in.Blocks {
		if b.Compiled == nil {
			continue
		}
		for cause, cycles := range b.Compiled.By {
			by[cause] += cycles * b.Executions * slowestShare(b, in)
			all += cycles * b.Executions * slowestShare(b, in)
		}
		doubted += b.Compiled.Doubted * b.Executions * slowestShare(b, in)
		unguessed += b.Compiled.Unguessed * b.Executions * slowestShare(b, in)
		fewer, more := b.ordered(m)
		doubted += fewer * b.Executions * slowestShare(b, in)
		unordered += more * b.Executions * slowestShare(b, in)
	}
	for cause := range by {
		if by[cause] > by[e.Core] {
			e.Core = core.Cause(cause)
		}
	}
	if all > 0 {
		e.CoreShare, e.Doubted = by[e.Core]/all, doubted/all
	}
	if err == nil {
		e.Unguessed, err = m.Seconds(unguessed)
	}
	if err == nil {
		e.Unordered, err = m.Seconds(unordered)
	}
	return err
}

// coreSeconds is the core's time for blocks, and whether more of it is that of dependency chains.
func coreSeconds(in Input, blocks []*Block, m *machine.Machine, c *Costs) (seconds float64, latency bool, err error) {
	throughput, chain := 0.0, 0.0
	for _, b := range blocks {
		known, there := c.cores[b]
		if !there {
			known = CoreOf(in.Program, b, c)
			c.cores[b] = known
		}
		cycles := known.Cycles(b) * slowestShare(b, in)
		waiting := 0.0
		switch {
		case b.Compiled != nil:
			waiting = cycles * b.Compiled.waiting()
		case known.Chain > known.Throughput:
			waiting = cycles
		}
		chain += waiting
		throughput += cycles - waiting
	}
	seconds, err = m.Seconds(throughput + chain)
	return seconds, chain > throughput, err
}

// slowestShare is how much of a block's work the slowest thread does, or waits for: more than all where every thread repeats it, one after another.
func slowestShare(b *Block, in Input) float64 {
	switch {
	case b.Serialised && b.Repeated:
		return float64(in.Threads)
	case !b.Parallel || b.Serialised || b.Repeated || in.Threads == 1:
		return 1
	}
	return math.Min(1, in.Imbalance/float64(in.Threads))
}

// Of machines whose files do not say what a parallel region costs. Chosen, as an empty region takes 0.8 µs with two threads on granite-rapids-vm and
// runtimes wait for the last of many threads: what regions cost differs between runtimes by more than between processors, so that an interval
// goes from nothing to several times as much.
const (
	usualForkJoinNs          = 1000
	usualForkJoinPerThreadNs = 60
	usualForkJoinRange       = 4
)

// parallel fills in the time to open parallel regions and to pass barriers, and gives the bounds of its interval. Where the machine does not say
// what they cost, that is assumed and said.
func (e *Estimate) parallel(in Input, m *machine.Machine) (low, high float64) {
	c, known := regionCost(m, in.Threads)
	opening := (in.Regions*c.ForkJoinNs + in.Barriers*c.BarrierNs) * 1e-9
	locking := locks(in, m)
	e.Parallel = opening + locking
	if locking > 0 {
		e.Assumptions = append(e.Assumptions, fmt.Sprintf("critical sections and atomic updates: %d cycles are taken for each instruction that locks, and that all threads ask for the same lock one after another; waiting for one another is not told", lockedCycles))
	}
	if known || opening == 0 {
		return e.Parallel, e.Parallel
	}
	e.Assumptions = append(e.Assumptions, fmt.Sprintf(
		"machine %s has no parallel.fork_join_ns for %s: taken to cost %d ns and %d ns a thread each, and in the interval from nothing to %d times as much; give what is measured where the time turns with it",
		m.Name, opened(in), usualForkJoinNs, usualForkJoinPerThreadNs, usualForkJoinRange))
	return locking, usualForkJoinRange*opening + locking
}

// lockedCycles is what an instruction takes that locks what it changes, with the line at hand: 18 to 20 on Skylake and Zen 2 (Fog, instruction tables, lock add);
// on a virtual Zen 5 an atomic sum took 24 and a critical section 47.
const lockedCycles = 20

// locks is the time of instructions that lock what they change. A lock that several threads ask for goes from core to core, each time through the last
// level that they share.
func locks(in Input, m *machine.Machine) (seconds float64) {
	if in.Unlocked {
		return 0
	}
	transfer := 0.0
	if n := len(m.Levels); in.Threads > 1 && n > 0 && m.Levels[n-1].LatencyCycles != nil {
		transfer = m.Levels[n-1].LatencyCycles.Value
	}
	cycles := 0.0
	for _, b := range in.Blocks {
		if b.Locked == 0 || !b.Parallel {
			continue
		}
		each := b.Locked * lockedCycles
		if b.Serialised {
			each += transfer
		}
		cycles += b.Executions * each * slowestShare(b, in)
	}
	seconds, err := m.Seconds(cycles)
	if err != nil { // no clock: what else takes time says so
		return 0
	}
	return seconds
}

// opened says how many parallel regions are opened and barriers passed.
func opened(in Input) string {
	var all []string
	for _, of := range []struct {
		n   float64
		one string
	}{{in.Regions, "parallel region"}, {in.Barriers, "barrier"}} {
		switch n := math.Round(of.n); {
		case n == 1:
			all = append(all, "1 "+of.one)
		case of.n > 0:
			all = append(all, strconv.FormatFloat(n, 'f', -1, 64)+" "+of.one+"s")
		}
	}
	return strings.Join(all, " and ")
}

// regionCost is what a parallel region and a barrier cost: as measured with as many threads, evenly between two measured numbers, else
// by the machine's line, which is of regions and taken for barriers as well, or by the usual one, which is not known of the machine. With one
// thread they cost nothing where that was not measured.
func regionCost(m *machine.Machine, threads int) (cost machine.RegionCost, known bool) {
	if m.Measured != nil {
		var before machine.RegionCost
		for _, r := range m.Measured.Regions {
			if r.Threads >= threads && (before.Threads > 0 || r.Threads == threads) {
				return between(before, r, threads), true
			}
			before = r
		}
	}
	if threads == 1 {
		return machine.RegionCost{Threads: 1}, true
	}
	base, known := m.Parallel.ForkJoinNs.Get()
	each := m.Parallel.ForkJoinPerThreadNs.Or(0)
	if !known {
		base, each = usualForkJoinNs, m.Parallel.ForkJoinPerThreadNs.Or(usualForkJoinPerThreadNs)
	}
	ns := base + float64(threads)*each
	return machine.RegionCost{Threads: threads, ForkJoinNs: ns, BarrierNs: ns}, known
}

// between gives the costs evenly between two measured numbers of threads; a barrier that was not measured costs what a region does.
func between(a, b machine.RegionCost, threads int) machine.RegionCost {
	a.BarrierNs, b.BarrierNs = cmp.Or(a.BarrierNs, a.ForkJoinNs), cmp.Or(b.BarrierNs, b.ForkJoinNs)
	share := 1.0
	if b.Threads > threads {
		share = float64(threads-a.Threads) / float64(b.Threads-a.Threads)
	}
	return machine.RegionCost{
		Threads: threads, ForkJoinNs: a.ForkJoinNs + share*(b.ForkJoinNs-a.ForkJoinNs), BarrierNs: a.BarrierNs + share*(b.BarrierNs-a.BarrierNs),
	}
}

// bound names the largest part.
func (e *Estimate) bound(in Input) string {
	if e.Parallel > math.Max(e.Compute, e.Memory) {
		return "parallel"
	}
	if e.Compute >= e.Memory {
		if e.Latency {
			return "latency"
		}
		return "compute"
	}
	most := 0
	for i, s := range e.Levels {
		if s > e.Levels[most] {
			most = i
		}
	}
	return in.Traffic[most].Level
}
