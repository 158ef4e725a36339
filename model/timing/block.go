package timing

import (
	"cmp"
	"maps"
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/machine"
	"foresee/model/core"
)

// Block is straight-line code that runs Executions times: the statements of one loop body, without the loops in
// it. Counts are of one execution.
type Block struct {
	Executions float64 // over all threads; of one, where they repeat it
	Entries    float64 // times that the loop around it begins; 1 outside loops
	Parallel   bool    // in a parallel region: the work is shared by the threads
	Serialised bool    // in a critical section: one thread after another
	Repeated   bool    // in a parallel region, but in no worksharing loop: every thread does all of it, as often as Executions says
	Locked     float64 // instructions that lock what they change, to enter such a section and to leave it, or to do without
	Opened     float64 // times that a parallel region begins of which this is the block, where no loop of it is dealt
	Innermost  bool    // no loop inside
	Statements []Weighted
	Loop       *nest.Loop // around it; nil outside loops
	Around     *Block     // the block of the loop around that loop; nil where there is none
	Before     int        // statements of Around that come before that loop
	Ops        Ops
	Loads      float64
	Stores     float64
	// Recurrence is, of code that is known as it was compiled (without Statements and Loop), the operations on the
	// longest dependency from one execution to the next.
	Recurrence Ops
	// RecurrenceLoads are loads on it: the next address comes from the last.
	RecurrenceLoads float64
	// Compiled is what an execution takes in the code that a compiler made of it, or would make; nil where that is not known.
	Compiled *Compiled
}

// Compiled is an execution of a block as code of a compiler: cycles of the core at hand, with all data in L1, and instructions.
type Compiled struct {
	Cycles, Instructions float64
	By                   [core.Causes]float64 // cycles by what binds them
	Assumed              bool                 // no compiler made it
	Doubted              float64              // of the cycles, those by wrong guesses of branches on data that may no longer be as they were
	Unguessed            float64              // cycles besides, if every second branch on data is guessed wrongly
}

// waiting is the share of the cycles in which values of instructions before are waited for.
func (c *Compiled) waiting() float64 {
	if c.Cycles <= 0 {
		return 0
	}
	return min(1, (c.By[core.ByChain]+c.By[core.ByForwarding])/c.Cycles)
}

// ordered is by how many cycles an execution is faster where the arguments of mathematical functions all go one way through them, and slower where they
// come in no order.
func (b *Block) ordered(m *machine.Machine) (fewer, more float64) {
	if m.Instructions == nil {
		return 0, 0
	}
	for _, k := range b.Ops.keys() {
		if k.Kind != nest.Call {
			continue
		}
		n := b.Ops[k]
		f, ok := m.Instructions.Function(k.Name, k.Type == nest.F32)
		if ok && f.MostCycles > f.LeastCycles {
			fewer += n * (f.Cycles - f.LeastCycles)
			more += n * (f.MostCycles - f.Cycles)
		}
	}
	return fewer, more
}

// Weighted is a statement with the share of the block's executions in which it runs.
type Weighted struct {
	Stmt  *nest.Stmt
	Share float64
}

// OpKey is a kind of operation on a type.
type OpKey struct {
	Kind nest.Kind
	Type nest.Type
	Name string // of a called function
}

// Ops counts operations.
type Ops map[OpKey]float64

// Flops counts floating-point additions, products, quotients and roots; a fused multiply-add is two, a called
// function one.
func (o Ops) Flops() float64 {
	n := 0.0
	for _, k := range o.keys() {
		c := o[k]
		if !k.Type.IsFloat() {
			continue
		}
		switch k.Kind {
		case nest.Add, nest.Mul, nest.Div, nest.Sqrt, nest.Call:
			n += c
		case nest.FMA:
			n += 2 * c
		}
	}
	return n
}

// keys lists the operations in a fixed order, so that sums come out the same every time.
func (o Ops) keys() []OpKey {
	return slices.SortedFunc(maps.Keys(o), func(a, b OpKey) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Name, b.Name))
	})
}

// Blocks splits a program into blocks and counts how often each runs.
func Blocks(p *nest.Program) ([]*Block, error) {
	runs, err := nest.CountRuns(p)
	if err != nil {
		return nil, err
	}
	return BlocksOf(p, runs), nil
}

// BlocksOf splits a program, of which is known how often each node runs, into blocks.
func BlocksOf(p *nest.Program, runs *nest.Runs) []*Block {
	c := &collector{runs: runs}
	c.body(p.Body, place{})
	for _, b := range c.blocks {
		b.finish()
	}
	return c.blocks
}

// collector makes the blocks of a program.
type collector struct {
	runs   *nest.Runs
	blocks []*Block
}

// place is what a statement stands in.
type place struct {
	block      *Block
	parallel   bool
	serialised bool
	repeated   bool
	locked     float64
}

// body collects the statements of one body; it returns whether there are loops in it.
func (c *collector) body(nodes []nest.Node, at place) (loops bool) {
	if at.block == nil {
		at.block = c.open(at, nil)
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *nest.Stmt:
			at.block.Statements = append(at.block.Statements, Weighted{n, float64(c.runs.Statement[n])})
		case *nest.Loop:
			loops = true
			inner := at
			inner.repeated = at.repeated && n.Work == nil
			inner.block = c.open(inner, n)
			inner.block.Around, inner.block.Before = at.block, len(at.block.Statements)
			inner.block.Innermost = !c.body(n.Body, inner)
		case *nest.If:
			loops = c.body(n.Then, at) || loops
			loops = c.body(n.Else, at) || loops
		case *nest.Parallel:
			inner := at
			inner.parallel, inner.repeated, inner.block = true, true, nil
			first := len(c.blocks)
			loops = c.body(n.Body, inner) || loops
			if !sharesWork(n.Body) {
				c.blocks[first].Opened = c.reached(n.Body)
			}
		case *nest.Single:
			inner := at
			inner.parallel, inner.repeated, inner.block = false, false, nil
			loops = c.body(n.Body, inner) || loops
		case *nest.Critical:
			inner := at
			inner.serialised, inner.locked, inner.block = !spread(n), locksOf(n), nil
			loops = c.body(n.Body, inner) || loops
		}
	}
	return loops
}

// sharesWork tells whether loops of a parallel region are dealt to its threads.
func sharesWork(body []nest.Node) bool {
	shares := false
	nest.Walk(body, func(n nest.Node) {
		l, ok := n.(*nest.Loop)
		shares = shares || ok && l.Work != nil
	})
	return shares
}

// reached is how often a body is come to: as often as what it holds is, at most.
func (c *collector) reached(body []nest.Node) (times float64) {
	for _, n := range body {
		switch n := n.(type) {
		case *nest.Stmt:
			times = max(times, float64(c.runs.Statement[n]))
		case *nest.Loop:
			times = max(times, float64(c.runs.Entry[n]))
		case *nest.If:
			times = max(times, c.reached(n.Then), c.reached(n.Else))
		case *nest.Single:
			times = max(times, c.reached(n.Body))
		case *nest.Critical:
			times = max(times, c.reached(n.Body))
		}
	}
	return times
}

// locksOf counts the instructions that lock what they change: of a lock one takes it and one gives it back.
func locksOf(n *nest.Critical) float64 {
	if n.Atomic {
		return 1
	}
	return 2
}

// spread tells an atomic update of which threads change different places.
func spread(n *nest.Critical) bool {
	varies := false
	nest.Walk(n.Body, func(n nest.Node) {
		if s, ok := n.(*nest.Stmt); ok {
			for _, a := range s.Accesses {
				varies = varies || a.Write && a.Offset.Op != expr.OpConst
			}
		}
	})
	return n.Atomic && varies
}

// open begins the block of a loop, or of what stands outside loops.
func (c *collector) open(at place, l *nest.Loop) *Block {
	b := &Block{Parallel: at.parallel, Serialised: at.serialised, Repeated: at.repeated, Loop: l, Entries: 1}
	if l == nil {
		b.Locked = at.locked
	} else {
		b.Entries, b.Executions = float64(c.runs.Entry[l]), float64(c.runs.Iteration[l])
	}
	c.blocks = append(c.blocks, b)
	return b
}

// finish turns the statements' counts into shares of the block's, and sums them up.
func (b *Block) finish() {
	if b.Loop == nil {
		for _, w := range b.Statements {
			b.Executions = max(b.Executions, w.Share)
		}
	}
	b.Ops = Ops{}
	if b.Executions == 0 {
		return
	}
	for i := range b.Statements {
		w := &b.Statements[i]
		w.Share /= b.Executions
		for _, op := range w.Stmt.Flow {
			if op.Kind != nest.Move {
				b.Ops[OpKey{op.Kind, op.Type, op.Name}] += w.Share
			}
		}
		for _, a := range w.Stmt.Accesses {
			if a.Write {
				b.Stores += w.Share
			} else {
				b.Loads += w.Share
			}
		}
	}
}
