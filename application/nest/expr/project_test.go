package expr

import (
	"math/rand/v2"
	"testing"
)

// TestProject narrows boxes of two variables by expressions drawn at random, and evaluates each point: none with a value in the range may be left out,
// the interval holds every value, and that of one point is its value.
func TestProject(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 4))
	ops := []Op{OpAdd, OpSub, OpMul, OpDiv, OpMod, OpFloorDiv, OpCeilDiv, OpNeg, OpMin, OpMax, OpLt, OpLe, OpEq, OpNe, OpNot, OpCond, OpLookup}
	tables := []*Table{NewTable("a", []int64{3, -2, 7, 0, 0, 5, -4, 9, 1, 6, -6, 8}), NewTable("b", []int64{-5, -2, -2, 0, 1, 4, 9, 12}), NewTable("c", []int64{2})}
	var make func(depth int) *Expr
	make = func(depth int) *Expr {
		switch {
		case depth == 0 && draw.IntN(3) == 0:
			return Int(draw.Int64N(13) - 6)
		case depth == 0:
			return Ref(Var(draw.IntN(2)))
		}
		switch op := ops[draw.IntN(len(ops))]; op {
		case OpNeg, OpNot:
			return Unary(op, make(depth-1))
		case OpLookup:
			return Lookup(tables[draw.IntN(len(tables))], make(depth-1))
		case OpCond:
			return Conditional(make(depth-1), make(depth-1), make(depth-1))
		default:
			return Binary(op, make(depth-1), make(depth-1))
		}
	}
	narrowed := 0
	for range 20_000 {
		e := make(1 + draw.IntN(3))
		x, y := draw.Int64N(11)-7, draw.Int64N(11)-7
		from := []Range{{x, x + draw.Int64N(9)}, {y, y + draw.Int64N(9)}}
		lo := draw.Int64N(40) - 20
		to := Range{lo, lo + draw.Int64N(10)}
		left := []Range{from[0], from[1]}
		box := &Box{At: func(v Var) Range { return left[v] }, Narrow: func(v Var, r Range) bool {
			left[v] = Range{max(left[v].Lo, r.Lo), min(left[v].Hi, r.Hi)}
			return left[v].Lo <= left[v].Hi
		}}
		ok := e.Project(to, box)
		if left[0] != from[0] || left[1] != from[1] || !ok {
			narrowed++
		}
		checkPoints(t, e, from, to, left, ok)
	}
	if narrowed < 5_000 {
		t.Errorf("only %d boxes were narrowed", narrowed)
	}
}

// checkPoints evaluates an expression at each point of a box at which it does not divide by 0.
func checkPoints(t *testing.T, e *Expr, from []Range, to Range, left []Range, ok bool) {
	t.Helper()
	names := []string{"x", "y"}
	whole := e.Interval(func(v Var) Range { return from[v] })
	for x := from[0].Lo; x <= from[0].Hi; x++ {
		for y := from[1].Lo; y <= from[1].Hi; y++ {
			env := []int64{x, y}
			if byZero(e, env) {
				continue
			}
			k := e.Eval(env)
			if at := e.Interval(func(v Var) Range { return Range{env[v], env[v]} }); at != (Range{k, k}) {
				t.Fatalf("%s at %v is %d, not in %v", e.Format(names), env, k, at)
			}
			if k < whole.Lo || k > whole.Hi {
				t.Fatalf("%s at %v is %d, not in %v of %v", e.Format(names), env, k, whole, from)
			}
			kept := ok && left[0].Lo <= x && x <= left[0].Hi && left[1].Lo <= y && y <= left[1].Hi
			if k >= to.Lo && k <= to.Hi && !kept {
				t.Fatalf("%s at %v is %d, in %v, and is left out of %v: %v %v", e.Format(names), env, k, to, from, left, ok)
			}
		}
	}
}

// byZero tells whether an expression divides by 0 somewhere.
func byZero(e *Expr, env []int64) bool {
	if e == nil {
		return false
	}
	return Divides(e.Op) && e.B.Eval(env) == 0 || byZero(e.A, env) || byZero(e.B, env) || byZero(e.C, env)
}
