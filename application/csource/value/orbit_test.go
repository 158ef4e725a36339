package value

import (
	"testing"

	"foresee/application/nest/expr"
)

// TestWrapped: what steps back into a ring is a remainder where the bounds allow it, and only there.
func TestWrapped(t *testing.T) {
	i := expr.Ref(0)
	k := expr.Int
	plus := func(n int64) *expr.Expr { return expr.Binary(expr.OpAdd, i, k(n)) }
	for name, c := range map[string]struct {
		condition, a, b *expr.Expr
		lo, hi          int64 // where it is a remainder
	}{
		"back to 0":            {expr.Binary(expr.OpEq, i, k(8)), k(0), i, 0, 8},
		"back to 0, otherwise": {expr.Binary(expr.OpNe, i, k(8)), i, k(0), 0, 8},
		"to the last":          {expr.Binary(expr.OpEq, i, k(0)), k(7), plus(-1), 0, 7},
		"less a round":         {expr.Binary(expr.OpLe, k(8), i), plus(-8), i, 0, 15},
		"less a round, past":   {expr.Binary(expr.OpLt, k(7), i), plus(-8), i, 0, 15},
		"within":               {expr.Binary(expr.OpLt, i, k(8)), i, plus(-8), 0, 15},
		"a round more":         {expr.Binary(expr.OpLt, i, k(0)), plus(8), i, -8, 7},
		"no round":             {expr.Binary(expr.OpLt, i, k(0)), plus(8), plus(1), 1, 0},
		"another end":          {expr.Binary(expr.OpLe, k(9), i), plus(-8), i, 1, 0},
	} {
		for lo := int64(-12); lo < 20; lo++ {
			for hi := lo; hi < 20; hi++ {
				vs := &Values{Ranges: []expr.Range{{Lo: lo, Hi: hi}}}
				x := vs.Wrapped(c.condition, c.a, c.b)
				if (x != nil) != (lo >= c.lo && hi <= c.hi) {
					t.Fatalf("%s from %d to %d: %v", name, lo, hi, x)
				}
				for n := lo; x != nil && n <= hi; n++ {
					if got, want := x.Eval([]int64{n}), expr.Conditional(c.condition, c.a, c.b).Eval([]int64{n}); got != want {
						t.Fatalf("%s from %d to %d: %d at %d, want %d", name, lo, hi, got, n, want)
					}
				}
			}
		}
	}
}
