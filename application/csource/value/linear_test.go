package value

import (
	"math/rand/v2"
	"testing"

	"foresee/application/nest/expr"
)

// random is an expression of three variables, as subscripts and bounds have it.
func random(r *rand.Rand, depth int) *expr.Expr {
	if depth == 0 || r.IntN(5) == 0 {
		if r.IntN(2) == 0 {
			return expr.Int(int64(r.IntN(21) - 10))
		}
		return expr.Ref(expr.Var(r.IntN(3)))
	}
	a, b := random(r, depth-1), random(r, depth-1)
	switch op := []expr.Op{expr.OpAdd, expr.OpSub, expr.OpMul, expr.OpMin, expr.OpMax, expr.OpNeg}[r.IntN(6)]; op {
	case expr.OpNeg:
		return expr.Unary(op, a)
	default:
		return expr.Binary(op, a, b)
	}
}

// Oracle: evaluation. A sum written back has the values of the expression that it was made of.
func TestLinearKeepsValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		e := random(r, 5)
		l, ok := LinearOf(e)
		if !ok {
			continue
		}
		back := l.Expr()
		for range 5 {
			env := []int64{int64(r.IntN(41) - 20), int64(r.IntN(41) - 20), int64(r.IntN(41) - 20)}
			if got, want := back.Eval(env), e.Eval(env); got != want {
				t.Fatalf("%s became %s: %d, not %d, at %v", e.Format([]string{"i", "j", "k"}), back.Format([]string{"i", "j", "k"}), got, want, env)
			}
		}
	}
}

// Equal sums look equal, in whatever order they are written.
func TestNormalOrders(t *testing.T) {
	i, j := expr.Ref(0), expr.Ref(1)
	a := expr.Binary(expr.OpAdd, expr.Binary(expr.OpMul, expr.Int(3), i), expr.Binary(expr.OpSub, j, expr.Int(2)))
	b := expr.Binary(expr.OpSub, expr.Binary(expr.OpAdd, j, expr.Binary(expr.OpMul, i, expr.Int(3))), expr.Int(2))
	if !expr.Equal(Normal(a), Normal(b)) {
		t.Errorf("%s and %s", Normal(a).Format([]string{"i", "j"}), Normal(b).Format([]string{"i", "j"}))
	}
	if d, ok := minus(a, b); !ok || d != 0 {
		t.Errorf("their difference is %d, %t", d, ok)
	}
}

// Oracle: the types of Go, which have the same widths; long is bounded by what is followed at all.
func TestWidthLimits(t *testing.T) {
	for w, want := range map[Width][2]int64{
		{Size: 1}:                 {-128, 127},
		{Size: 1, Unsigned: true}: {0, 255},
		{Size: 2}:                 {-32768, 32767},
		{Size: 4}:                 {-2147483648, 2147483647},
		{Size: 4, Unsigned: true}: {0, 4294967295},
		{Size: 8}:                 {expr.Whole.Lo, expr.Whole.Hi},
		{Size: 8, Unsigned: true}: {0, expr.Whole.Hi},
	} {
		if lo, hi := w.Limits(); lo != want[0] || hi != want[1] {
			t.Errorf("%s: %d to %d, not %d to %d", w, lo, hi, want[0], want[1])
		}
	}
}

// Steps are what a sum begins with and all that it changes by: places of a member, from one element to the next.
func TestSteps(t *testing.T) {
	i, j := expr.Ref(0), expr.Ref(1)
	table := expr.Lookup(expr.NewTable("a", []int64{3, 1}), j)
	times := func(e *expr.Expr, k int64) *expr.Expr { return expr.Binary(expr.OpMul, e, expr.Int(k)) }
	plus := func(a, b *expr.Expr) *expr.Expr { return expr.Binary(expr.OpAdd, a, b) }
	for _, c := range []struct {
		e          *expr.Expr
		from, step int64
	}{
		{expr.Int(16), 16, 0},
		{plus(times(i, 24), expr.Int(16)), 16, 24},
		{plus(times(i, -24), expr.Int(16)), 16, 24},
		{plus(plus(times(i, 24), times(table, 16)), expr.Int(4)), 4, 8},
	} {
		if from, step, ok := Steps(c.e); from != c.from || step != c.step || !ok {
			t.Errorf("%d, %d, %v, want %d, %d", from, step, ok, c.from, c.step)
		}
	}
}
