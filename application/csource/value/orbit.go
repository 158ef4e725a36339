package value

import (
	"maps"
	"slices"

	"foresee/application/nest/expr"
)

// What is followed of a number that goes round: so many values until it is back at its first, and so many without order that are told apart one by one; more are
// looked up.
const (
	mostRound = 1 << 16
	mostApart = 8
)

// Orbit is what a number is after so many rounds, each of which makes next of some numbers that begin with first, where these come back to what they were: in
// equal steps round a ring, as an index of a ring buffer does, or through values in any order. False where it does not.
func Orbit(number expr.Var, first map[expr.Var]int64, next map[expr.Var]*expr.Expr, rounds *expr.Expr) (*expr.Expr, bool) {
	env := make([]int64, slices.Max(slices.Collect(maps.Keys(first)))+1)
	for v, x := range first {
		env[v] = x
	}
	var all []int64
	for back := false; !back; {
		all = append(all, env[number])
		to := map[expr.Var]int64{}
		for v, e := range next {
			to[v] = e.Eval(env)
		}
		back = true
		for v, x := range to {
			env[v], back = x, back && x == first[v]
			if Magnitude(x) > 1<<40 || len(all) >= mostRound {
				return nil, false
			}
		}
	}
	all = all[:period(all)]
	if e := ring(all, rounds); e != nil {
		return e, true
	}
	at := expr.Binary(expr.OpMod, rounds, expr.Int(int64(len(all))))
	if len(all) > mostApart {
		return expr.Lookup(expr.NewTable("", all), at), true
	}
	e := expr.Int(all[len(all)-1])
	for i := len(all) - 2; i >= 0; i-- {
		e = expr.Conditional(expr.Binary(expr.OpEq, at, expr.Int(int64(i))), expr.Int(all[i]), e)
	}
	return e, true
}

// period is after how many values a list, which repeats itself as a whole, does so in itself.
func period(all []int64) int {
	for p := 1; p <= len(all)/2; p++ {
		if len(all)%p == 0 && slices.Equal(all[p:], all[:len(all)-p]) {
			return p
		}
	}
	return len(all)
}

// ring is the number by its rounds where its values are equally far apart, modulo their range; nil where they are not.
func ring(all []int64, rounds *expr.Expr) *expr.Expr {
	if len(all) == 1 {
		return expr.Int(all[0])
	}
	step, base, apart := all[1]-all[0], all[0], int64(0)
	for _, x := range all {
		base = min(base, x)
		for a, b := apart, int64(Magnitude(x-all[0])); ; a, b = b, a%b { // the greatest common divisor
			if b == 0 {
				apart = a
				break
			}
		}
	}
	size := apart * int64(len(all))
	step = ((step % size) + size) % size
	for i, x := range all {
		if x != base+(all[0]-base+int64(i)*step)%size {
			return nil
		}
	}
	moved := expr.Binary(expr.OpAdd, expr.Binary(expr.OpMul, rounds, expr.Int(step/apart)), expr.Int((all[0]-base)/apart))
	at := expr.Binary(expr.OpMod, Normal(moved), expr.Int(size/apart))
	return Normal(expr.Binary(expr.OpAdd, expr.Binary(expr.OpMul, at, expr.Int(apart)), expr.Int(base)))
}

// Wrapped is c ? a : b where that takes an index that went past an end of a ring back to the other, as a remainder: x == n ? 0 : x, x >= n ? x - n : x,
// x == 0 ? n - 1 : x - 1, x < 0 ? x + n : x, within the bounds of the loops around; nil where it is none of them.
func (vs *Values) Wrapped(c, a, b *expr.Expr) *expr.Expr {
	x, end, sense := comparedWith(c)
	if x == nil {
		return nil
	}
	if !sense {
		a, b = b, a
	}
	r := vs.Interval(x)
	within := func(lo, hi int64) bool { return r.Lo >= lo && r.Hi <= hi }
	remainder := func(x *expr.Expr, n int64) *expr.Expr {
		return Normal(expr.Binary(expr.OpMod, Normal(x), expr.Int(n)))
	}
	first, constant := Constant(Normal(a))
	moved, alike := minus(a, x)
	same, kept := minus(b, x)
	switch {
	case c.Op == expr.OpEq || c.Op == expr.OpNe:
		switch {
		case constant && first == 0 && kept && same == 0 && end > 0 && within(0, end):
			return remainder(x, end)
		case constant && first > 0 && kept && same == -1 && end == 0 && within(0, first):
			return remainder(expr.Binary(expr.OpAdd, x, expr.Int(first)), first+1)
		}
	case alike && kept && same == 0 && moved == -end && end > 0 && within(0, 2*end-1):
		return remainder(x, end)
	case end == 0 && alike && moved == 0 && kept && same > 0 && within(-same, same-1): // b where x < 0
		return remainder(b, same)
	}
	return nil
}

// comparedWith is what a condition compares with a constant: x == end or x >= end where sense is true, the opposite where it is not; nil of others.
func comparedWith(c *expr.Expr) (x *expr.Expr, end int64, sense bool) {
	switch c.Op {
	case expr.OpEq, expr.OpNe:
		if k, ok := Constant(c.B); ok {
			return c.A, k, c.Op == expr.OpEq
		}
		if k, ok := Constant(c.A); ok {
			return c.B, k, c.Op == expr.OpEq
		}
	case expr.OpLt, expr.OpLe:
		more := int64(expr.Truth(c.Op == expr.OpLt))
		if k, ok := Constant(c.A); ok { // k < x
			return c.B, k + more, true
		}
		if k, ok := Constant(c.B); ok { // x < k
			return c.A, k + 1 - more, false
		}
	}
	return nil, 0, false
}
