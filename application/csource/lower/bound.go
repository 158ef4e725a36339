package lower

import (
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
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
			limit = value.Normal(limit)
		}
		switch {
		case g != nil && l.Always(g):
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
		l.Fail(it, "bound the loop variable in the direction of its step", "the condition %s does not end the loop", tree.Text(h.cond))
	}
	return guard, hi
}

// conjuncts splits a && b && c.
func conjuncts(e cc.ExpressionNode) []cc.ExpressionNode {
	if n, ok := tree.Strip(e).(*cc.LogicalAndExpression); ok {
		return append(conjuncts(n.LogicalAndExpression), conjuncts(n.InclusiveOrExpression)...)
	}
	return []cc.ExpressionNode{e}
}

// bound solves one condition for the loop variable: a last value, or a condition that does not depend on it.
func (l *lowerer) bound(it *cc.IterationStatement, e cc.ExpressionNode, h header, v expr.Var) (limit, guard *expr.Expr) {
	c, err := l.TryInt(e)
	if err != nil {
		panic(l.badBound(e, err))
	}
	if !value.Uses(c, v) {
		return nil, c
	}
	a, b, op := c.A, c.B, c.Op
	if op != expr.OpLt && op != expr.OpLe && op != expr.OpNe {
		if op == expr.OpEq || op == expr.OpAnd || op == expr.OpOr || op == expr.OpCond || op == expr.OpNot {
			l.notABound(it, e)
		}
		a, b, op = c, expr.Int(0), expr.OpNe // for (i = n; i; i--)
	}
	sum, ok := value.LinearOf(expr.Binary(expr.OpSub, a, b))
	k := sum.Vars[v]
	delete(sum.Vars, v)
	if rest := sum.Expr(); !ok || k == 0 || value.Uses(rest, v) {
		l.notABound(it, e)
		return nil, nil
	}
	return l.solve(it, e, h, op, k, sum)
}

func (l *lowerer) notABound(it *cc.IterationStatement, e cc.ExpressionNode) {
	l.Fail(it, "compare the loop variable with its last value", "the loop condition %s is not understood", tree.Text(e))
}

// solve gives the last v of k·v + rest < 0 (or ≤ 0, or ≠ 0).
func (l *lowerer) solve(it *cc.IterationStatement, e cc.ExpressionNode, h header, op expr.Op, k int64, rest value.Linear) (limit, guard *expr.Expr) {
	up := h.step > 0
	if op == expr.OpNe {
		if (k != 1 && k != -1) || (h.step != 1 && h.step != -1) {
			l.Fail(it, "use < or >", "%s may step over its end", tree.Text(e))
		}
		if (k > 0) != up {
			rest = rest.Scaled(-1)
			k = -k
		}
		op = expr.OpLt
	}
	if op == expr.OpLt { // over integers, x < 0 is x + 1 <= 0
		rest.K++
	}
	if (k > 0) == up {
		last := lastValue(k, rest)
		if end, ok := value.Constant(last); ok && end <= 0 && !up && tree.IsUnsigned(h.d.Type()) {
			l.Fail(it, "count with a signed type", "%s always holds: %s is unsigned", tree.Text(e), h.d.Name())
		}
		return last, nil
	}
	// The condition bounds from the side the loop starts at: it holds to the end once it holds at the start.
	first := expr.Binary(expr.OpMul, expr.Int(k), h.lo)
	return nil, expr.Binary(expr.OpLe, value.Normal(expr.Binary(expr.OpAdd, first, rest.Expr())), expr.Int(0))
}

// lastValue is the largest v with k·v + rest ≤ 0, or the smallest when k is negative.
func lastValue(k int64, rest value.Linear) *expr.Expr {
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
