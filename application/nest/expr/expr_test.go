package expr_test

import (
	"testing"

	"pgregory.net/rapid"

	"foresee/application/nest/expr"
)

var binaryOps = []expr.Op{
	expr.OpAdd, expr.OpSub, expr.OpMul, expr.OpDiv, expr.OpMod, expr.OpFloorDiv, expr.OpCeilDiv, expr.OpMin,
	expr.OpMax, expr.OpLt, expr.OpLe, expr.OpEq, expr.OpNe, expr.OpAnd, expr.OpOr,
}

const variables = 3

// drawExpr makes a random expression over three variables; divisors are positive constants.
func drawExpr(t *rapid.T, depth int) *expr.Expr {
	if depth == 0 || rapid.IntRange(0, 4).Draw(t, "leaf") == 0 {
		if rapid.Bool().Draw(t, "var") {
			return expr.Ref(expr.Var(rapid.IntRange(0, variables-1).Draw(t, "v")))
		}
		return expr.Int(rapid.Int64Range(-9, 9).Draw(t, "k"))
	}
	a := drawExpr(t, depth-1)
	switch rapid.IntRange(0, 9).Draw(t, "shape") {
	case 0:
		return expr.Unary(expr.OpNeg, a)
	case 1:
		return expr.Unary(expr.OpNot, a)
	case 2:
		return expr.Conditional(a, drawExpr(t, depth-1), drawExpr(t, depth-1))
	case 3:
		block := expr.Binary(expr.OpMod, expr.Binary(expr.OpMax, a, expr.Int(0)), expr.Int(5))
		return expr.BlockStart(block, expr.Binary(expr.OpMax, drawExpr(t, depth-1), expr.Int(0)), 5)
	case 4:
		k, n := expr.Binary(expr.OpMax, a, expr.Int(0)), expr.Binary(expr.OpMax, drawExpr(t, depth-1), expr.Int(0))
		return expr.GuidedStart(k, n, 3, rapid.Int64Range(1, 4).Draw(t, "least"))
	}
	op := rapid.SampledFrom(binaryOps).Draw(t, "op")
	switch op {
	case expr.OpDiv, expr.OpMod, expr.OpFloorDiv, expr.OpCeilDiv:
		return expr.Binary(op, a, expr.Int(rapid.Int64Range(1, 7).Draw(t, "d")))
	}
	return expr.Binary(op, a, drawExpr(t, depth-1))
}

// The value lies in the interval, is that of the affine form where there is one, and substitution commutes with evaluation.
func TestExpressions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := drawExpr(t, 4)
		env := make([]int64, variables)
		box := make([]expr.Range, variables)
		for i := range env {
			env[i] = rapid.Int64Range(-20, 20).Draw(t, "x")
			box[i] = expr.Range{
				Lo: env[i] - rapid.Int64Range(0, 5).Draw(t, "below"),
				Hi: env[i] + rapid.Int64Range(0, 5).Draw(t, "above"),
			}
		}
		v := e.Eval(env)
		r := e.Interval(func(v expr.Var) expr.Range { return box[v] })
		if v < r.Lo || v > r.Hi {
			t.Fatalf("%s = %d outside %v", e.Format([]string{"a", "b", "c"}), v, r)
		}
		if a, ok := expr.AffineOf(e); ok && a.Eval(env) != v {
			t.Fatalf("%s = %d, as an affine form %d", e.Format([]string{"a", "b", "c"}), v, a.Eval(env))
		}
		by := drawExpr(t, 2)
		moved := append([]int64{}, env...)
		moved[1] = by.Eval(env)
		if got, want := e.Substitute(map[expr.Var]*expr.Expr{1: by}).Eval(env), e.Eval(moved); got != want {
			t.Fatalf("%s with b = %s: %d, want %d", e.Format([]string{"a", "b", "c"}), by.Format([]string{"a", "b", "c"}), got, want)
		}
	})
}

// Quotients by what divides all coefficients are affine.
func TestEvenQuotientsAreAffine(t *testing.T) {
	e := expr.Binary(expr.OpAdd, expr.Binary(expr.OpMul, expr.Int(6), expr.Ref(0)), expr.Int(-7))
	for op, even := range map[expr.Op]bool{expr.OpFloorDiv: true, expr.OpCeilDiv: true, expr.OpDiv: false, expr.OpMod: false} {
		for _, d := range []int64{1, 2, 3, 4, 7} {
			want := d == 1 || even && 6%d == 0
			a, ok := expr.AffineOf(expr.Binary(op, e, expr.Int(d)))
			if ok != want {
				t.Errorf("operator %v by %d: affine is %v", op, d, ok)
			}
			for x := int64(-5); ok && x <= 5; x++ {
				if got, want := a.Eval([]int64{x}), expr.Binary(op, e, expr.Int(d)).Eval([]int64{x}); got != want {
					t.Errorf("operator %v by %d at %d: %d, want %d", op, d, x, got, want)
				}
			}
		}
	}
}

func TestBlockStartIsThatOfTheLibraries(t *testing.T) {
	for _, n := range []int64{0, 1, 5, 6, 7, 100, 101} {
		for _, threads := range []int64{1, 3, 4, 7} {
			next := int64(0)
			for thread := range threads {
				if got := expr.BlockStart(expr.Int(thread), expr.Int(n), threads).Eval(nil); got != next {
					t.Errorf("block %d of %d over %d begins at %d, want %d", thread, n, threads, got, next)
				}
				next += n / threads
				if thread < n%threads {
					next++
				}
			}
		}
	}
}

func TestRoundings(t *testing.T) {
	for _, c := range []struct{ a, b, floor, ceil int64 }{
		{7, 2, 3, 4}, {-7, 2, -4, -3}, {7, -2, -4, -3}, {-7, -2, 3, 4}, {6, 2, 3, 3}, {-6, 2, -3, -3}, {0, 5, 0, 0},
	} {
		if f, g := expr.FloorDiv(c.a, c.b), expr.CeilDiv(c.a, c.b); f != c.floor || g != c.ceil {
			t.Errorf("%d/%d: floor %d, ceiling %d; want %d and %d", c.a, c.b, f, g, c.floor, c.ceil)
		}
	}
}
