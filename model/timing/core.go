package timing

import (
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// Core is the time that the core needs for a block if all data were in the nearest cache.
type Core struct {
	Throughput float64 // cycles per execution: issue slots and units
	Chain      float64 // cycles per execution: dependency chains from one iteration to the next
	Overhead   float64 // cycles per entry of the loop
}

// Cycles is the time of one thread for all executions.
func (c Core) Cycles(b *Block) float64 {
	return b.Executions*max(c.Throughput, c.Chain) + b.Entries*c.Overhead
}

// What the end of a loop costs. Chosen: pipelines of today's cores are refilled in 12 to 20 cycles, of which some pass beside other work, and
// predictors foresee the ends of loops of up to some dozens of iterations.
const (
	exitPenalty = 12 // cycles lost when the branch at a loop's end is mispredicted
	longTrip    = 24 // iterations from which its end cannot be foreseen
)

// CoreOf estimates one block. The throughput is the larger of what the issue slots, the load and store ports, the
// arithmetic units and the divider need, the instructions being those of [Block.Instructions]. The chain is what one
// more iteration adds to the longest path through the dataflow, registers and memory included; where each run of the
// loop begins it anew, runs overlap as far as the reorder buffer reaches.
func CoreOf(p *nest.Program, b *Block, c *Costs) Core {
	if b.Executions == 0 {
		return Core{}
	}
	if b.Compiled != nil {
		return Core{Throughput: b.Compiled.Cycles}
	}
	units, divider := 0.0, 0.0
	for _, k := range b.Ops.keys() {
		n, t := b.Ops[k], c.Of(k).Throughput
		switch {
		case k.Kind == nest.Div || k.Kind == nest.Sqrt:
			divider += n * t
		case k.Kind == nest.Call || k.Type.IsFloat():
			units += n * t
		}
	}
	core := c.m.Core
	loads := b.Loads / positive(need(c, core.LoadsPerCycle, "core.loads_per_cycle"), 2)
	stores := b.Stores / positive(need(c, core.StoresPerCycle, "core.stores_per_cycle"), 1)
	instructions := b.Instructions()
	issue := instructions / positive(need(c, core.IssueWidth, "core.issue_width"), 4)
	out := Core{Throughput: max(units, divider, loads, stores, issue)}
	if b.Loop == nil {
		for _, k := range b.Recurrence.keys() {
			out.Chain += b.Recurrence[k] * c.Of(k).Latency
		}
		if b.RecurrenceLoads > 0 && len(c.m.Levels) > 0 {
			out.Chain += b.RecurrenceLoads * need(c, c.m.Levels[0].LatencyCycles, "levels.L1.latency_cycles")
		}
		if b.Entries > 0 {
			out.Chain /= overlap(c, instructions, b.Executions/b.Entries)
		}
		return out
	}
	out.Throughput = max(out.Throughput, 1) // one taken branch a cycle
	trip := b.Executions / max(b.Entries, 1)
	if b.Innermost {
		chain, carried := c.chain(p, b)
		out.Chain = max(chain/overlap(c, instructions, trip), carried)
	}
	if trip >= longTrip {
		out.Overhead = exitPenalty
	}
	return out
}

// callSize is how many multiply-add pairs a function of the C library is taken for.
func callSize(name string) float64 {
	if n, ok := callCost[name]; ok {
		return n
	}
	return otherCall
}

// positive is a value of a machine, or another one where the machine lacks it; what it is taken for then is no matter, as its lack is an error.
func positive(v, other float64) float64 {
	if v > 0 {
		return v
	}
	return other
}

// overlap is how many runs of an inner loop are in flight together, whose chains are independent as a rule: of instructions that enter
// a window in order and leave it in order, each run's finished as far as its chain has come (derived for loops that follow at once; the
// test runs iterations through a window).
func overlap(c *Costs, instructions, trip float64) float64 {
	window := float64(need(c, c.m.Core.ReorderBuffer, "core.reorder_buffer")) / max(instructions, 1) // in iterations
	switch {
	case window <= 0:
		return 1
	case trip >= 2*window:
		return trip / (trip - window)
	case trip >= window:
		return 2
	}
	return 1 + window/max(trip, 1)
}

// chain simulates the dataflow of an innermost loop for some iterations, all units being free, and gives the cycles that an iteration
// adds to the longest path, and to what goes on from one run of the loop to the next.
func (c *Costs) chain(p *nest.Program, b *Block) (cycles, carried float64) {
	f := newDataflow(c, p)
	// Iterations until the dataflow has settled, iterations that are measured, and runs of the loop around. Chosen: a chain through memory goes
	// back a few iterations, in seldom cases more than 24.
	const warm, more, runs = 24, 24, 6
	f.start(b)
	f.iterate(b, warm)
	before := f.latest
	f.iterate(b, more)
	cycles = (f.latest - before) / more
	if b.Around == nil || b.Around.Loop == nil {
		return cycles, cycles
	}
	for range runs { // as many as make the path that goes on the longest, though others are longer in one run
		before = f.latest
		f.surroundings(b.Around.Statements[b.Before:])
		f.env[b.Around.Loop.Var] += b.Around.Loop.Step
		f.surroundings(b.Around.Statements[:b.Before])
		f.start(b)
		f.iterate(b, warm)
	}
	return cycles, min((f.latest-before)/warm, cycles)
}

// surroundings runs those statements around a loop that mostly run.
func (f *dataflow) surroundings(statements []Weighted) {
	for _, w := range statements {
		if w.Share > 0.5 {
			f.statement(w.Stmt)
		}
	}
}

// cell is a place in memory.
type cell struct {
	object *nest.Object
	offset int64
}

// dataflow holds when each value is ready, in cycles.
type dataflow struct {
	costs   *Costs
	env     []int64          // values of the loop variables
	scalars map[int]float64  // when each was set last
	memory  map[cell]float64 // when each place was stored to last
	forward float64          // from a store to a load of the same place: the latency of L1
	latest  float64          // when the last value so far is ready
	loop    *nest.Loop       // that is iterated
}

// newDataflow begins with all values ready.
func newDataflow(c *Costs, p *nest.Program) *dataflow {
	f := &dataflow{costs: c, env: make([]int64, len(p.Vars)), scalars: map[int]float64{}, memory: map[cell]float64{}}
	if len(c.m.Levels) > 0 {
		f.forward = need(c, c.m.Levels[0].LatencyCycles, "levels.L1.latency_cycles")
	}
	for i := range f.env {
		f.env[i] = anywhere(i)
	}
	return f
}

// start begins a run of a loop, at a value of its variable that no subscript makes negative.
func (f *dataflow) start(b *Block) {
	f.loop = b.Loop
	f.env[b.Loop.Var] = 1 << 20
}

// iterate runs n iterations of the innermost loop.
func (f *dataflow) iterate(b *Block, n int) {
	for range n {
		for _, w := range b.Statements {
			f.statement(w.Stmt)
		}
		f.env[b.Loop.Var] += b.Loop.Step
	}
}

// statement runs a statement: each operation begins when the last of its operands is ready.
func (f *dataflow) statement(s *nest.Stmt) {
	if s.Lane == nest.OtherLane {
		return
	}
	temps := make([]float64, len(s.Flow))
	for i, op := range s.Flow {
		ready := 0.0
		for _, a := range op.Args {
			ready = max(ready, f.ready(s, a, temps))
		}
		ready += f.costs.Of(OpKey{op.Kind, op.Type, op.Name}).Latency
		temps[i] = ready
		f.latest = max(f.latest, ready)
		switch op.Out.Kind {
		case nest.Scalar:
			f.scalars[op.Out.N] = ready
		case nest.Store:
			f.memory[f.cell(s.Accesses[op.Out.N])] = ready
		}
	}
}

// ready is when a value is ready; what nothing has made is so from the start.
func (f *dataflow) ready(s *nest.Stmt, v nest.Value, temps []float64) float64 {
	switch v.Kind {
	case nest.Temp:
		return temps[v.N]
	case nest.Scalar:
		return f.scalars[v.N]
	case nest.Load:
		a := s.Accesses[v.N]
		t, ok := f.memory[f.cell(a)]
		switch {
		case !ok:
			return 0
		case f.fixed(a): // compilers keep such an element in a register during the loop
			return t
		}
		return t + f.forward
	}
	return 0
}

// fixed tells whether an access is to the same place in every iteration of the loop.
func (f *dataflow) fixed(a *nest.Access) bool {
	moves := false
	a.Offset.EachVar(func(v expr.Var) { moves = moves || v == f.loop.Var })
	return !moves
}

func (f *dataflow) cell(a *nest.Access) cell {
	return cell{a.Object, a.Offset.Eval(f.env)}
}

// anywhere is a value of a variable, apart from those of others, so that subscripts which differ do not meet by chance.
func anywhere(v int) int64 { return int64(1000 + 137*v) }
