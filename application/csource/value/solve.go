package value

import (
	"math/big"

	"foresee/application/nest/expr"
)

// Solved gives the values of a variable for which a comparison holds: from low on, up to high; nil: without end. It takes sums in which the variable stands
// times a number or what is known to be positive or negative, and polynomials of it alone that only grow or only fall.
func (vs *Values) Solved(c *expr.Expr, v expr.Var) (low, high *expr.Expr, ok bool) {
	if c.Op != expr.OpLt && c.Op != expr.OpLe && c.Op != expr.OpEq {
		return nil, nil, false
	}
	sum, ok := LinearOf(expr.Binary(expr.OpSub, c.A, c.B))
	k := sum.Vars[v]
	delete(sum.Vars, v)
	if c.Op == expr.OpLt {
		sum.K++
	}
	if !ok || k == 0 || Uses(sum.Expr(), v) {
		if c.Op == expr.OpEq || !ok {
			return nil, nil, false
		}
		if k != 0 {
			sum.Vars[v] = k
		}
		return vs.solvedProduct(sum.Expr(), v)
	}
	put := func(k int64, rest Linear) {
		if k > 0 {
			high = Normal(LastValue(k, rest))
		} else {
			low = Normal(LastValue(k, rest))
		}
	}
	put(k, sum)
	if c.Op == expr.OpEq {
		put(-k, sum.Scaled(-1))
	}
	return low, high, true
}

// LastValue is the largest v with k·v + rest ≤ 0, or the smallest when k is negative.
func LastValue(k int64, rest Linear) *expr.Expr {
	switch {
	case k == 1:
		return rest.Scaled(-1).Expr()
	case k == -1:
		return rest.Expr()
	case k > 0:
		return expr.Binary(expr.OpFloorDiv, rest.Scaled(-1).Expr(), expr.Int(k))
	}
	return expr.Binary(expr.OpCeilDiv, rest.Expr(), expr.Int(-k))
}

// solvedProduct is Solved of e ≤ 0 where the variable is multiplied with others, or with itself.
func (vs *Values) solvedProduct(e *expr.Expr, v expr.Var) (low, high *expr.Expr, ok bool) {
	if factor, rest, ok := LinearIn(e, v); ok {
		switch r := vs.Interval(factor); {
		case r.Lo > 0:
			return nil, Normal(expr.Binary(expr.OpFloorDiv, Normal(expr.Unary(expr.OpNeg, rest)), factor)), true
		case r.Hi < 0:
			return Normal(expr.Binary(expr.OpCeilDiv, rest, Normal(expr.Unary(expr.OpNeg, factor)))), nil, true
		}
		return nil, nil, false
	}
	growing, falling := vs.monotonous(e, v)
	last := int64(mostRoot)
	if growing || falling {
		last = lastUpTo(vs.Ranges[v].Lo, v, func(env []int64) bool { return growing == (e.Eval(env) <= 0) })
	}
	switch {
	case last >= mostRoot-1:
		return nil, nil, false
	case growing:
		return nil, expr.Int(last), true
	}
	return expr.Int(last + 1), nil, true
}

// LinearIn writes an expression as factor·v + rest, which do not depend on the variable; false where it is none, or no polynomial.
func LinearIn(e *expr.Expr, v expr.Var) (factor, rest *expr.Expr, ok bool) {
	p := polynomials{}
	all, ok := p.of(e, v)
	if !ok {
		return nil, nil, false
	}
	var by, other expr.Polynomial
	for _, m := range all {
		var without []expr.Var
		for _, w := range m.Vars {
			if w != v {
				without = append(without, w)
			}
		}
		switch len(m.Vars) - len(without) {
		case 0:
			other = other.With(m.C, m.Vars)
		case 1:
			by = by.With(m.C, without)
		default:
			return nil, nil, false
		}
	}
	factor, ok1 := p.written(by)
	rest, ok2 := p.written(other)
	return factor, rest, ok1 && ok2 && isWhole(by) && isWhole(other)
}

// monotonous tells whether an expression is a polynomial of a variable that is not negative, and has no other, which only grows or only falls with it.
func (vs *Values) monotonous(e *expr.Expr, v expr.Var) (growing, falling bool) {
	p := polynomials{}
	all, ok := p.of(e, v)
	if !ok || len(p.atoms) > 0 || vs.Ranges[v].Lo < 0 || vs.Ranges[v].Lo > mostRoot {
		return false, false
	}
	growing, falling = true, true
	for _, m := range all {
		for _, w := range m.Vars {
			if w != v {
				return false, false
			}
		}
		if len(m.Vars) == 0 {
			continue
		}
		growing, falling = growing && m.C.Sign() > 0, falling && m.C.Sign() < 0
		if len(m.Vars) > 2 || new(big.Rat).Abs(m.C).Cmp(big.NewRat(mostTimes, 1)) > 0 {
			return false, false
		}
	}
	return growing != falling && growing, growing != falling && falling
}

// mostRoot bounds the roots that are looked for, and mostTimes what powers of them are multiplied with: together they are below the greatest integer.
const (
	mostRoot  = 1 << 28
	mostTimes = 32
)

// lastUpTo is the last value of a variable for which something holds that holds up to there; one before the first where it never does.
func lastUpTo(from int64, v expr.Var, holds func(env []int64) bool) int64 {
	env := make([]int64, v+1)
	below, above := from-1, int64(mostRoot)
	for above-below > 1 {
		env[v] = below + (above-below)/2
		if holds(env) {
			below = env[v]
		} else {
			above = env[v]
		}
	}
	return below
}
