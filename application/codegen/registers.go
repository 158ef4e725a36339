package codegen

import (
	"fmt"

	"foresee/application/nest"
)

// Registers are shared out by what they hold. Vector registers 0 and 1 are those of arguments and results of calls.
const (
	counting     = 1 // of vectors, which make no calls: the numbers of iterations
	constants    = 2 // one that stands for all constants
	firstScalar  = 3
	fewScalars   = 6 // where there are 16
	manyScalars  = 8 // where there are 32
	firstKept    = 11
	fewKept      = 4 // results that stay over a loop, and what does not change in it
	manyKept     = 8
	firstAgain   = 19 // loaded once and used again
	manyAgain    = 6
	firstTemp    = 25
	manyTemps    = 7
	stackBegin   = 0x70000000
	objectsBegin = 0x10000000
	slotBytes    = 8
	counterSlot  = -2 // on the stack, of a loop's counter without optimisation
)

// counters are registers of addresses that a loop counts up.
var counters = []string{"%rax", "%rdx", "%rcx", "%rsi"}

// outerCounters are those of the loops around it, and the pointers that these move.
var outerCounters = []string{"%rbx", "%rbp", "%rdi"}

// integers and integerScalars are registers of results and variables; of the latter the last are those of counters, where a nest has fewer.
var (
	integers       = []string{"8", "9", "10", "11"}
	integerScalars = []string{"12", "13", "14", "15", "si", "cx", "dx"}
)

// ownScalars is how many of integerScalars count nothing.
const ownScalars = 4

// vector names a vector register for so many bytes.
func vector(number, bytes int) string {
	switch {
	case bytes > avx2:
		return fmt.Sprintf("%%zmm%d", number)
	case bytes > sse:
		return fmt.Sprintf("%%ymm%d", number)
	}
	return fmt.Sprintf("%%xmm%d", number)
}

// integer names one of the registers r8 to r15, or of those with letters, for a type.
func integer(number string, t nest.Type) string {
	switch {
	case t != nest.I32:
		return "%r" + number
	case number[0] > '9':
		return "%e" + number
	}
	return "%r" + number + "d"
}

// sizeOf is the bytes of a type.
func sizeOf(t nest.Type) int64 {
	if t == nest.I32 || t == nest.F32 {
		return 4
	}
	return 8
}

// home is where a scalar lives: in a register, or on the stack.
type home struct {
	typ      nest.Type
	register int  // of vectors, or index of integerScalars
	stack    bool // in memory
	slot     int
}

// localUse is how many uses of what each iteration sets anew count as one of what it hands on. Chosen: more than a loop has.
const localUse = 1000

// homes gives the scalars of a nest their places: those that are used most in its innermost loops get registers, before all those that an iteration hands
// on to the next. What each iteration sets before it reads it needs no place of its own.
func (b *builder) homes(nodes []node) map[int]home {
	uses, types := map[int]float64{}, map[int]nest.Type{}
	across := map[int]float64{} // uses beside calls, which leave no number in a register: loops without calls take it from the stack and put it back once
	var count func(nodes []node, weight float64, locals map[int]string)
	count = func(nodes []node, weight float64, locals map[int]string) {
		calls := false
		for _, n := range nodes {
			if s, ok := n.(*statement); ok {
				calls = calls || b.target.hasCalls([]*nest.Stmt{s.stmt})
			}
		}
		for _, n := range nodes {
			switch n := n.(type) {
			case *statement:
				for _, op := range n.stmt.Flow {
					for _, v := range append(op.Args[:len(op.Args):len(op.Args)], op.Out) {
						if v.Kind == nest.Scalar {
							use := weight
							if _, local := locals[v.N]; local {
								use /= localUse
							}
							uses[v.N] += use
							if calls {
								across[v.N] += use
							}
						}
					}
					if op.Out.Kind == nest.Scalar {
						types[op.Out.N] = op.Type
					}
				}
			case *loop:
				var own map[int]string
				if statements, plain := innermost(n.body); plain {
					own = localsOf(statements)
				}
				count(n.body, 10*weight, own)
			case *condition:
				count(n.then, weight/2, locals)
				count(n.els, weight/2, locals)
			}
		}
	}
	count(nodes, 1, nil)
	out := map[int]home{}
	vectors, whole, wholes := 0, 0, ownScalars+len(counters)-b.counting(nodes)
	most := fewScalars
	if b.target.Vector >= avx512 {
		most = manyScalars
	}
	for _, n := range byUse(uses) {
		t, known := types[n]
		if !known {
			t = nest.F64
		}
		h := home{typ: t, slot: n}
		switch {
		case t.IsFloat() && vectors < most && 2*across[n] <= uses[n] && b.target.Level > 0:
			h.register = firstScalar + vectors
			vectors++
		case !t.IsFloat() && whole < wholes && b.target.Level > 0:
			h.register = whole
			whole++
		default:
			h.stack = true
		}
		out[n] = h
	}
	return out
}

// counting is how many registers the loop counts up that counts most.
func (b *builder) counting(nodes []node) int {
	most := 1
	for _, n := range nodes {
		switch n := n.(type) {
		case *loop:
			var own []*nest.Stmt
			for _, inner := range n.body {
				if s, ok := inner.(*statement); ok {
					own = append(own, s.stmt)
				}
			}
			most = max(most, b.steps(n.loop, own), b.counting(n.body))
		case *condition:
			most = max(most, b.counting(n.then), b.counting(n.els))
		}
	}
	return most
}
