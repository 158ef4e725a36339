package value

import (
	"maps"
	"math/big"
	"slices"

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
		if within := vs.withoutQuotient(sum, v); within != nil {
			return vs.Solved(within, v)
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

// withoutQuotient is what sum ≤ 0 says of the numerator of a quotient by a positive constant, where nothing else depends on a variable, or the quotient counts
// its steps; nil where there is none.
func (vs *Values) withoutQuotient(sum Linear, v expr.Var) *expr.Expr {
	c, q, sum, ok := sum.quotient(v)
	if !ok {
		return nil
	}
	by := q.B.K
	if k := sum.Vars[v]; k != 0 { // as many times its step as the quotient says
		turn, ok := vs.Turns[v]
		rounds := Normal(Counter{Lo: expr.Int(turn.First), Step: turn.Step}.Rounds(expr.Ref(v)))
		if !ok || !expr.Equal(q, rounds) || Magnitude(turn.First) > mostRoot {
			return nil
		}
		delete(sum.Vars, v)
		c, sum.K = c+k*turn.Step, sum.K+k*turn.First
	}
	if c == 0 {
		return nil
	}
	limit := expr.Binary(expr.OpMul, LastValue(c, sum), expr.Int(by))
	switch {
	case c > 0 && q.Op == expr.OpFloorDiv:
		return expr.Binary(expr.OpLt, q.A, expr.Binary(expr.OpAdd, limit, expr.Int(by)))
	case c > 0:
		return expr.Binary(expr.OpLe, q.A, limit)
	case q.Op == expr.OpFloorDiv:
		return expr.Binary(expr.OpLe, limit, q.A)
	}
	return expr.Binary(expr.OpLt, expr.Binary(expr.OpSub, limit, expr.Int(by)), q.A)
}

// quotient takes the only quotient that depends on a variable from a sum, where it is one by a positive constant.
func (r Linear) quotient(v expr.Var) (times int64, q *expr.Expr, rest Linear, ok bool) {
	i := slices.IndexFunc(r.atoms, func(a atom) bool { return Uses(a.expr, v) })
	if i < 0 {
		return 0, nil, r, false
	}
	times, q = r.atoms[i].coef, r.atoms[i].expr
	r.Vars, r.atoms = maps.Clone(r.Vars), slices.Delete(slices.Clone(r.atoms), i, i+1)
	if q.Op == expr.OpFloorDiv || q.Op == expr.OpCeilDiv {
		by, constant := Constant(q.B)
		ok = constant && by > 0 && !slices.ContainsFunc(r.atoms, func(a atom) bool { return Uses(a.expr, v) })
	}
	return times, q, r, ok
}

// ByOne is by what a sum changes with each step of a variable: 1 or -1; 0 where it may be something else.
func ByOne(e *expr.Expr, v expr.Var, step int64) int64 {
	sum, ok := LinearOf(e)
	if !ok {
		return 0
	}
	times, q, rest, ok := sum.quotient(v)
	if !ok || rest.Vars[v] != 0 {
		return 0
	}
	of, ok := LinearOf(q.A)
	k := of.Vars[v]
	delete(of.Vars, v)
	switch change, fits := mul64(k, step); {
	case !ok || !fits || Uses(of.Expr(), v) || Magnitude(times) != 1:
	case change == q.B.K:
		return times
	case change == -q.B.K:
		return -times
	}
	return 0
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
