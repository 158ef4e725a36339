package timing

import (
	"math"

	"foresee/application/nest"
)

// Instructions is how many a core with two operands an instruction, one of which may be in memory, takes for an execution of a block:
// its operations, stores, and those loads whose value cannot be taken in by the operation that uses it – one of two, the first of a
// difference or quotient, one that is used again or only moved, one beside a value that must be kept, as the result replaces an operand.
func (b *Block) Instructions() float64 {
	if b.Compiled != nil {
		return b.Compiled.Instructions
	}
	if len(b.Statements) == 0 {
		ops := 0.0
		for _, k := range b.Ops.keys() {
			ops += b.Ops[k] * size(k)
		}
		return b.Stores + max(ops, b.Loads)
	}
	sum := 0.0
	for _, w := range b.Statements {
		sum += w.Share * statementInstructions(w.Stmt)
	}
	if b.Loop != nil {
		sum += b.counters() + 1 // compare and branch are one
	}
	return sum
}

// size is how many instructions an operation takes.
func size(k OpKey) float64 {
	if k.Kind == nest.Call {
		return 1 + 2*callSize(k.Name)
	}
	return 1
}

// statementInstructions is the instructions of a statement, as Instructions counts them.
func statementInstructions(s *nest.Stmt) float64 {
	if s.Lane == nest.OtherLane {
		return 0
	}
	n := 0.0
	uses := make([]int, len(s.Accesses))
	for _, op := range s.Flow {
		for _, a := range op.Args {
			if a.Kind == nest.Load {
				uses[a.N]++
			}
		}
	}
	in := make([]bool, len(s.Accesses)) // taken in by an operation
	for _, op := range s.Flow {
		if op.Kind == nest.Move || op.Kind == nest.Lookup {
			continue
		}
		n += size(OpKey{op.Kind, op.Type, op.Name})
		if op.Kind == nest.Call || len(op.Args) == 0 {
			continue
		}
		memory, register := -1, op.Kind == nest.Compare
		for i, a := range op.Args {
			first := i == 0 && (op.Minus || op.Kind == nest.Div)
			loaded := a.Kind == nest.Load && (memory >= 0 || first || uses[a.N] > 1)
			register = register || loaded || a.Kind == nest.Temp || a.Kind == nest.Scalar && a == op.Out
			if a.Kind == nest.Load && uses[a.N] == 1 && !first {
				memory = a.N
			}
		}
		switch {
		case register && memory >= 0:
			in[memory] = true
		case !register && memory < 0:
			n++ // a copy, which the result overwrites
		}
	}
	for i := range s.Accesses {
		if !in[i] {
			n++
		}
	}
	return n
}

// counters is how many registers the loop counts up: one for each distance that its accesses advance by.
func (b *Block) counters() float64 {
	steps := map[int64]bool{}
	for _, w := range b.Statements {
		for _, a := range w.Stmt.Accesses {
			if step := a.Advance(b.Loop); step != 0 {
				steps[step/max(a.Size, 1)] = true
			}
		}
	}
	return math.Max(1, float64(len(steps)))
}
