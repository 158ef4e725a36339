package lower

import (
	"strings"

	"foresee/application/ir/text"
	"foresee/application/nest/expr"
)

// mostApart bounds how far apart two numbers are of which either is as good. Chosen: some elements, which lie in the same lines or in those of the next row.
const mostApart = 8

// neighbour is one of two numbers close to each other of which data decide: places of neighbours in a grid, as an upwind scheme has them. One may be as it
// is in 32 bits. Numbers that count what data decide are none: they go from one iteration to the next, or begin as constants.
func (l *lowerer) neighbour(f *frame, in *text.Inst, a, b val) (val, bool) {
	if !isPlace(a) || !isPlace(b) || goesOn(f, in) {
		return val{}, false
	}
	d, ok := nearness(a.e, b.e)
	if !ok {
		return val{}, false
	}
	l.warn(l.place(in), "data decide between two places next to each other; one of them is taken")
	if d > mostApart {
		return b, true
	}
	return a, true
}

// nearness is how far apart two numbers are, where they are close to each other, but for where a border holds one back.
func nearness(a, b *expr.Expr) (int64, bool) {
	if d := minus(a, b); d.Op == expr.OpConst {
		near := int64(int32(d.K))
		return d.K, -mostApart <= near && near <= mostApart
	}
	for _, of := range [][2]*expr.Expr{{a, b}, {b, a}} {
		if held, other := of[0], of[1]; held.Op == expr.OpMin || held.Op == expr.OpMax {
			for _, x := range []*expr.Expr{held.A, held.B} {
				if x.Op == expr.OpConst {
					continue
				}
				if d, ok := nearness(x, other); ok {
					return d, true
				}
			}
		}
	}
	return 0, false
}

// beside is a number to which data add one or nothing, as compilers write the choice between two neighbours.
func (l *lowerer) beside(f *frame, in *text.Inst, a, b val) (val, bool) {
	if in.Op != "add" && in.Op != "sub" {
		return val{}, false
	}
	for i, v := range []val{b, a} {
		made := f.graph.makes[in.Args[i].Name]
		if !isPlace(v) || made == nil || made.Op != "sext" && made.Op != "zext" || made.Args[0].Type == nil || made.Args[0].Type.Bits != 1 || goesOn(f, in) {
			continue
		}
		l.warn(l.place(in), "data decide between two places next to each other; one of them is taken")
		return v, true
	}
	return val{}, false
}

// isPlace tells integers that loops step.
func isPlace(v val) bool { return v.kind == integer && v.e.Op != expr.OpConst }

// goesOn tells whether a value is used for more than to compute addresses: to go on from there in another iteration, or to decide.
func goesOn(f *frame, in *text.Inst) bool { return !onlyAddresses(f, in.Name, maxDepth) }

func onlyAddresses(f *frame, name string, depth int) bool {
	if depth == 0 {
		return false
	}
	for _, u := range f.graph.uses[name] {
		switch u.in.Op {
		case "getelementptr":
		case "add", "sub", "mul", "shl", "ashr", "lshr", "or", "sext", "zext", "trunc", "freeze":
			if !onlyAddresses(f, u.in.Name, depth-1) {
				return false
			}
		default:
			if !strings.HasPrefix(u.in.Op, "dbg.") {
				return false
			}
		}
	}
	return true
}
