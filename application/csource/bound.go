package csource

import (
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// bounds turns the condition of a loop into its last value, and a condition on the whole loop (nil: none).
func (l *lowerer) bounds(it *cc.IterationStatement, h header, v expr.Var) (guard, hi *expr.Expr) {
	if h.cond == nil { // countdown
		return nil, expr.Int(0)
	}
	for _, c := range conjuncts(h.cond) {
		limit, g := l.bound(it, c, h, v)
		if limit != nil {
			limit = normal(limit)
		}
		switch {
		case g != nil && l.always(g):
		case g != nil && guard == nil:
			guard = g
		case g != nil:
			guard = expr.Binary(expr.OpAnd, guard, g)
		case hi == nil:
			hi = limit
		case h.step > 0:
			hi = expr.Binary(expr.OpMin, hi, limit)
		default:
			hi = expr.Binary(expr.OpMax, hi, limit)
		}
	}
	if hi == nil {
		l.fail(it, "bound the loop variable in the direction of its step", "the condition %s does not end the loop", text(h.cond))
	}
	return guard, hi
}

// conjuncts splits a && b && c.
func conjuncts(e cc.ExpressionNode) []cc.ExpressionNode {
	if n, ok := strip(e).(*cc.LogicalAndExpression); ok {
		return append(conjuncts(n.LogicalAndExpression), conjuncts(n.InclusiveOrExpression)...)
	}
	return []cc.ExpressionNode{e}
}

// bound solves one condition for the loop variable: a last value, or a condition that does not depend on it.
func (l *lowerer) bound(it *cc.IterationStatement, e cc.ExpressionNode, h header, v expr.Var) (limit, guard *expr.Expr) {
	c, err := l.tryInt(e)
	if err != nil {
		panic(l.badBound(e, err))
	}
	if !uses(c, v) {
		return nil, c
	}
	a, b, op := c.A, c.B, c.Op
	if op != expr.OpLt && op != expr.OpLe && op != expr.OpNe {
		if op == expr.OpEq || op == expr.OpAnd || op == expr.OpOr || op == expr.OpCond || op == expr.OpNot {
			l.notABound(it, e)
		}
		a, b, op = c, expr.Int(0), expr.OpNe // for (i = n; i; i--)
	}
	sum, ok := linearOf(expr.Binary(expr.OpSub, a, b))
	k := sum.vars[v]
	delete(sum.vars, v)
	if rest := sum.expr(); !ok || k == 0 || uses(rest, v) {
		l.notABound(it, e)
		return nil, nil
	}
	return l.solve(it, e, h, op, k, sum)
}

func (l *lowerer) notABound(it *cc.IterationStatement, e cc.ExpressionNode) {
	l.fail(it, "compare the loop variable with its last value", "the loop condition %s is not understood", text(e))
}

// solve gives the last v of k·v + rest < 0 (or ≤ 0, or ≠ 0).
func (l *lowerer) solve(it *cc.IterationStatement, e cc.ExpressionNode, h header, op expr.Op, k int64, rest linear) (limit, guard *expr.Expr) {
	up := h.step > 0
	if op == expr.OpNe {
		if (k != 1 && k != -1) || (h.step != 1 && h.step != -1) {
			l.fail(it, "use < or >", "%s may step over its end", text(e))
		}
		if (k > 0) != up {
			rest = rest.scaled(-1)
			k = -k
		}
		op = expr.OpLt
	}
	if op == expr.OpLt { // over integers, x < 0 is x + 1 <= 0
		rest.k++
	}
	if (k > 0) == up {
		last := lastValue(k, rest)
		if end, ok := constant(last); ok && end <= 0 && !up && isUnsigned(h.d.Type()) {
			l.fail(it, "count with a signed type", "%s always holds: %s is unsigned", text(e), h.d.Name())
		}
		return last, nil
	}
	// The condition bounds from the side the loop starts at: it holds to the end once it holds at the start.
	first := expr.Binary(expr.OpMul, expr.Int(k), h.lo)
	return nil, expr.Binary(expr.OpLe, normal(expr.Binary(expr.OpAdd, first, rest.expr())), expr.Int(0))
}

func isUnsigned(t cc.Type) bool { return isInteger(t) && !cc.IsSignedInteger(t) && t.Kind() != cc.Enum }

// lastValue is the largest v with k·v + rest ≤ 0, or the smallest when k is negative.
func lastValue(k int64, rest linear) *expr.Expr {
	switch {
	case k == 1:
		return rest.scaled(-1).expr()
	case k == -1:
		return rest.expr()
	case k > 0:
		return expr.Binary(expr.OpFloorDiv, rest.scaled(-1).expr(), expr.Int(k))
	}
	return expr.Binary(expr.OpCeilDiv, rest.expr(), expr.Int(-k))
}

// scaled is the sum times c.
func (r linear) scaled(c int64) linear {
	s := linear{k: r.k * c, vars: map[expr.Var]int64{}}
	for v, k := range r.vars {
		s.vars[v] = k * c
	}
	for _, a := range r.atoms {
		s.atoms = append(s.atoms, atom{a.coef * c, a.expr})
	}
	return s
}
