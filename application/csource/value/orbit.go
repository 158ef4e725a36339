package value

import (
	"maps"
	"slices"

	"foresee/application/nest/expr"
)

// What is followed of a number that goes round: so many values until it is back at its first, and so many without order that are told apart.
const (
	mostRound = 1 << 16
	mostApart = 8
)

// Orbit is what a number is after so many rounds, each of which makes next of some numbers that begin with first, where these come back to what they were: in
// equal steps round a ring, as an index of a ring buffer does, or through a few values. False where it does not.
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
	if len(all) > mostApart {
		return nil, false
	}
	at := expr.Binary(expr.OpMod, rounds, expr.Int(int64(len(all))))
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
