package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// choice lowers c ? a : b as a value.
func (l *lowerer) choice(n *cc.ConditionalExpression) *operand {
	t := typeOf(n.Type())
	if tree.IsInteger(n.Type()) {
		if x, err := l.TryInt(n); err == nil {
			return l.intChoice(n, x)
		}
	}
	c, err := l.TryInt(n.LogicalOrExpression)
	memory := tree.TouchesMemory(tree.Taken(n)) || tree.TouchesMemory(n.ConditionalExpression)
	if err != nil && err.Wrap && memory {
		panic(err)
	}
	switch {
	case err == nil && l.Always(c):
		return l.convert(n, l.value(tree.Taken(n)), t)
	case err == nil && l.Never(c):
		return l.convert(n, l.value(n.ConditionalExpression), t)
	case err == nil && memory:
		return l.knownChoice(n, c, t)
	}
	return l.dataChoice(n, t, memory && err != nil)
}

// intChoice is an integer that a condition chooses, and the operation that choosing takes.
func (l *lowerer) intChoice(n cc.Node, x *expr.Expr) *operand {
	t := typeOf(n.(cc.ExpressionNode).Type())
	if x.Op == expr.OpConst {
		return literal(t)
	}
	if x.Op == expr.OpCond || x.Op == expr.OpMin || x.Op == expr.OpMax {
		return l.operation(n, nest.Operation{Kind: nest.Select, Type: t}, counter(t), counter(t))
	}
	return counter(t)
}

// knownChoice lowers a choice that loop variables decide: only one side is executed.
func (l *lowerer) knownChoice(n *cc.ConditionalExpression, c *expr.Expr, t nest.Type) *operand {
	to := nest.Value{Kind: nest.Scalar, N: l.temporary()}
	side := func(e cc.ExpressionNode) func() {
		return func() {
			v := l.convert(e, l.value(e), t)
			l.at(e)
			l.move(v, to)
		}
	}
	var a, b []nest.Node
	l.Under(c, func() { a = l.collect(side(tree.Taken(n))) })
	l.Under(expr.Unary(expr.OpNot, c), func() { b = l.collect(side(n.ConditionalExpression)) })
	l.emit(&nest.If{Cond: c, Then: a, Else: b, Pos: parse.Position(n)})
	return &operand{v: to, t: t}
}

// dataChoice counts both sides; elements that were read once are not read again.
func (l *lowerer) dataChoice(n *cc.ConditionalExpression, t nest.Type, memory bool) *operand {
	if memory {
		l.Warn(n, "the condition %s is not known before the run; both sides are counted as executed", tree.Text(n.LogicalOrExpression))
	}
	if l.once < 0 {
		l.once = len(l.at(n).Accesses)
		defer func() { l.once = -1 }()
	}
	c := l.value(n.LogicalOrExpression)
	a := l.convert(n, l.value(tree.Taken(n)), t)
	b := l.convert(n, l.value(n.ConditionalExpression), t)
	return l.operation(n, nest.Operation{Kind: nest.Select, Type: t}, c, a, b)
}
