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

// mostInTurn bounds tables of which data choose the elements, in bytes. Chosen, as for C: an L1 holds one.
const mostInTurn = 16 << 10

// inTurn stands for an index that data choose of a small table: its elements are taken in turn. It is nil where nothing bounds the index, or the table is none.
func (l *lowerer) inTurn(f *frame, in *text.Inst, index text.Operand, table *object, size int64) *expr.Expr {
	n := below(f, index, maxDepth)
	if table == nil || n == 0 || size <= 0 || n > mostInTurn/size || len(l.counters) == 0 {
		return nil
	}
	l.warn(l.place(in), "which element of %s this is is not known before the run; %d bytes are taken to be used in turn, so that smaller caches may miss more than is told", shown(table), n*size)
	return expr.Binary(expr.OpMod, expr.Ref(l.counters[len(l.counters)-1]), expr.Int(n))
}

// below is a number that an index stays below, whatever the data are that it is computed of, as a mask, a remainder or its type tells; 0 where nothing does.
func below(f *frame, index text.Operand, depth int) (n int64) {
	in := f.makes[index.Name]
	if index.Kind != text.Local || in == nil || depth == 0 || in.Type == nil {
		return 0
	}
	least := func(m int64) {
		if m > 0 && (n == 0 || m < n) {
			n = m
		}
	}
	switch in.Op {
	case "zext":
		least(below(f, in.Args[0], depth-1))
		if from := in.Args[0].Type; from != nil && from.Bits < 32 {
			least(int64(1) << from.Bits)
		}
	case "sext", "freeze":
		n = below(f, in.Args[0], depth-1)
	case "and":
		for _, a := range in.Args {
			if a.Kind == text.Number && a.Int >= 0 {
				least(a.Int + 1)
			} else {
				least(below(f, a, depth-1))
			}
		}
	case "urem":
		if k := in.Args[1]; k.Kind == text.Number {
			least(k.Int)
		}
	case "lshr":
		if k := in.Args[1]; k.Kind == text.Number && k.Int > 0 && k.Int < in.Type.Bits {
			if of := below(f, in.Args[0], depth-1); of > 0 {
				least((of-1)>>k.Int + 1)
			}
			if left := in.Type.Bits - k.Int; left < 32 {
				least(int64(1) << left)
			}
		}
	}
	return n
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
