package codegen

import (
	"foresee/application/assembly"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// Code is what a compiler makes of a region.
type Code struct {
	Instructions []*assembly.Instruction
	Calls        []string // of each instruction: the library function that it calls, or ""
	Places       []int32  // of each instruction: the block that it belongs to, counted as Blocks says
	Blocks       int

	root      []piece
	addresses []address // of each instruction
	variables int
}

// address is where an instruction finds its operand in memory.
type address struct {
	base   uint64
	offset *expr.Expr // nil: at the base
}

// piece is a *straight, *counted, *choice or *repeated.
type piece any

// straight is instructions one after another.
type straight struct{ from, to int32 }

// counted counts executions of a block.
type counted struct{ block int32 }

// choice executes one of two.
type choice struct {
	cond       *expr.Expr
	test       straight // ends in the jump over the first
	then, els  []piece
	afterFirst straight // a jump over the second, where there is one
}

// repeated is a loop.
type repeated struct {
	loop         *nest.Loop
	enter, leave straight // once each
	inLanes      []*round // of so many iterations at once, the most first; none without vectors
	enterRest    straight // between the vectors and what is left
	single       *round
	aroundOthers bool // its body has loops
	deep         bool // and these have loops
}

// round is an iteration of a loop, or several at once.
type round struct {
	lanes int64
	body  []piece
	latch straight // ends in the jump back
}

// numbering are the numbers of blocks: the bodies of a region in which statements stand, that of each loop and of what is outside of loops in each
// construct, in the order in which the program has them; the first is the region's own.
type numbering struct {
	loops map[*nest.Loop]int32
	other map[nest.Node]int32
	count int32
}

// numbered gives blocks their numbers, as timing.Blocks has them.
func numbered(p *nest.Program) *numbering {
	n := &numbering{loops: map[*nest.Loop]int32{}, other: map[nest.Node]int32{}}
	n.count = 1
	n.body(p.Body)
	return n
}

func (n *numbering) next() int32 {
	n.count++
	return n.count - 1
}

func (n *numbering) body(nodes []nest.Node) {
	for _, x := range nodes {
		switch x := x.(type) {
		case *nest.Loop:
			n.loops[x] = n.next()
			n.body(x.Body)
		case *nest.If:
			n.body(x.Then)
			n.body(x.Else)
		case *nest.Parallel:
			n.other[x] = n.next()
			n.body(x.Body)
		case *nest.Single:
			n.other[x] = n.next()
			n.body(x.Body)
		case *nest.Critical:
			n.other[x] = n.next()
			n.body(x.Body)
		}
	}
}
