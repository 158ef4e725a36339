package codegen

import "foresee/application/nest"

// decision is what becomes of a choice between two numbers of floating point.
type decision int

const (
	undecided decision = iota // a branch
	extremum                  // one instruction that gives the larger or the lesser of two
	blend                     // a mask by the comparison, and with it both of them put together
)

// decides tells what the comparison that is operation i of the statement is for: gcc makes no branch of it where it chooses between numbers that are in
// registers. The larger or the lesser of those that are compared is one instruction, unless equal ones are named too: that treats zeros of both signs, and
// what is no number, otherwise.
func (g *body) decides(i int) decision {
	compare := &g.stmt.Flow[i]
	if g.lanes > 1 || !compare.Type.IsFloat() || g.uses[i] != 1 || len(compare.Args) != 2 || compare.Out.Kind != nest.None {
		return undecided
	}
	for j := i + 1; j < len(g.stmt.Flow); j++ {
		op := &g.stmt.Flow[j]
		if op.Kind != nest.Select || len(op.Args) != 3 || op.Args[0] != (nest.Value{Kind: nest.Temp, N: i}) {
			continue
		}
		a, b, p, q := op.Args[1], op.Args[2], compare.Args[0], compare.Args[1]
		switch {
		case op.Type != compare.Type:
			return undecided
		case (a == p && b == q || a == q && b == p) && a != b:
			if compare.OrEqual {
				return blend
			}
			return extremum
		case inRegister(a, compare) && inRegister(b, compare):
			return blend
		}
		return undecided
	}
	return undecided
}

// inRegister says whether a number is in a register before it is chosen.
func inRegister(v nest.Value, compare *nest.Operation) bool {
	return v.Kind == nest.Scalar || v.Kind == nest.Const || v.Kind == nest.Load && (v == compare.Args[0] || v == compare.Args[1])
}

// choose takes one of two values.
func (g *body) choose(op *nest.Operation, r *result) {
	if c := op.Args[0]; c.Kind == nest.Temp && g.stmt.Flow[c.N].Kind == nest.Compare && g.lanes == 1 {
		switch g.decides(c.N) {
		case extremum:
			g.two(&nest.Operation{Kind: nest.Select, Type: op.Type, Args: op.Args[1:], Out: op.Out}, r)
			return
		case blend:
			g.blend(&g.stmt.Flow[c.N], op, r)
			return
		}
	}
	cond := g.value(op.Args[0], nest.I32)
	a, b := g.value(op.Args[1], op.Type), g.value(op.Args[2], op.Type)
	r.register = g.destination(op)
	switch {
	case g.lanes > 1 && g.width > sse:
		g.emit("vblendvp%s %s, %s, %s, %s", g.scalarSuffix(op.Type)[1:], cond, a, b, r.register)
	case g.lanes > 1:
		g.masked(op.Type, cond, a, b, r.register)
	case op.Type.IsFloat():
		g.labels++
		g.emit("jbe .L%d", g.labels)
		g.copy(op.Type, a, r.register)
	default:
		if a == number {
			a = integer("8", op.Type)
		}
		if b != r.register {
			g.copy(op.Type, b, r.register)
		}
		g.emit("cmovl %s, %s", a, r.register)
	}
}

// blend compares and takes one of two numbers, without a branch.
func (g *body) blend(compare, op *nest.Operation, r *result) {
	x, y := g.value(compare.Args[0], op.Type), g.value(compare.Args[1], op.Type)
	a, b := g.value(op.Args[1], op.Type), g.value(op.Args[2], op.Type)
	r.register = g.destination(op)
	mask := g.fresh(op.Type)
	g.emit("vcmp%s $1, %s, %s, %s", g.suffix(op.Type), y, x, mask)
	g.masked(op.Type, mask, a, b, r.register)
}

// masked puts two numbers together by a mask.
func (g *body) masked(t nest.Type, mask, a, b, to string) {
	p, other := g.scalarSuffix(t)[1:], g.fresh(t)
	g.emit("vandnp%s %s, %s, %s", p, b, mask, other)
	g.emit("vandp%s %s, %s, %s", p, a, mask, to)
	g.emit("vorp%s %s, %s, %s", p, other, to, to)
}
