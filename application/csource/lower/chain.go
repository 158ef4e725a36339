package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// terms splits a && b && c, or a || b || c.
func terms(e cc.ExpressionNode, op string) []cc.ExpressionNode {
	e = tree.Strip(e)
	if a, b, ok := tree.Operands(e); ok && operator(e) == op {
		return append(terms(a, op), terms(b, op)...)
	}
	return []cc.ExpressionNode{e}
}

// chain lowers a && b && … or a || b || … as a value. Terms over loop variables decide whether what is right of
// them is executed; behind one that depends on data, everything is counted.
func (l *lowerer) chain(e cc.Node, all []cc.ExpressionNode, and bool) *operand {
	if len(all) == 1 {
		return l.value(all[0])
	}
	rest := all[1:]
	c, err := l.term(all[0], rest)
	if err != nil {
		x := l.value(all[0])
		if touchAny(rest) && !l.hushed {
			l.Warn(e, "the condition %s is not known before the run; both sides are counted as executed", tree.Text(all[0]))
		}
		return l.two(e, nest.Operation{Kind: nest.Logic, Type: nest.I32}, x, l.chain(e, rest, and))
	}
	if !and {
		c = expr.Unary(expr.OpNot, c)
	}
	switch {
	case l.Always(c):
		return l.chain(e, rest, and)
	case l.Never(c):
		return literal(nest.I32)
	case !touchAny(rest):
		return l.two(e, nest.Operation{Kind: nest.Logic, Type: nest.I32}, l.value(all[0]), l.chain(e, rest, and))
	}
	to := nest.Value{Kind: nest.Scalar, N: l.temporary()}
	var then []nest.Node
	l.Under(c, func() {
		then = l.collect(func() {
			v := l.chain(e, rest, and)
			l.at(e)
			l.move(v, to)
		})
	})
	other := l.collect(func() {
		l.at(e)
		l.move(literal(nest.I32), to)
	})
	l.emit(&nest.If{Cond: value.Normal(c), Then: then, Else: other, Pos: parse.Position(e)})
	return &operand{v: to, t: nest.I32}
}

// term is the value of one condition; an integer that may leave its type is refused where it decides on accesses.
func (l *lowerer) term(e cc.ExpressionNode, rest []cc.ExpressionNode) (*expr.Expr, *parse.Error) {
	c, err := l.TryInt(e)
	if err != nil && err.Wrap && touchAny(rest) {
		panic(err)
	}
	return c, err
}

// touchAny says whether one of some expressions reads or writes memory.
func touchAny(all []cc.ExpressionNode) bool {
	for _, e := range all {
		if tree.TouchesMemory(e) {
			return true
		}
	}
	return false
}

// maxSplits bounds how often sides of conditions within conditions are lowered again.
const maxSplits = 12

// split lowers an if whose condition as a whole depends on data, by those of its terms that do not.
func (l *lowerer) split(sel *cc.SelectionStatement, all []cc.ExpressionNode, op string, then, els func(), plain bool) {
	known := -1
	var c *expr.Expr
	l.splits++
	defer func() { l.splits-- }()
	for i, t := range all {
		if x, err := l.term(t, all); err == nil {
			known, c = i, value.Normal(x)
			break
		}
	}
	switch {
	case len(all) == 0:
		if op == "&&" {
			then()
		} else {
			els()
		}
	case known < 0 || known > 0 && (op != "&&" || !plain) || l.splits > maxSplits && (op != "&&" || !plain):
		l.dataBranch(sel, all, op, then, els)
	case known > 0:
		l.dataBranch(sel, all[:known], op, func() { l.split(sel, all[known:], op, then, els, plain) }, els)
	case op == "&&":
		l.decide(sel, c, func() { l.split(sel, all[1:], op, then, els, plain) }, els)
	default:
		l.decide(sel, c, then, func() { l.split(sel, all[1:], op, then, els, plain) })
	}
}

// decide lowers an if on a known condition.
func (l *lowerer) decide(sel *cc.SelectionStatement, c *expr.Expr, then, els func()) {
	switch {
	case l.Always(c):
		then()
	case l.Never(c):
		els()
	default:
		l.knownBranch(sel, c, then, els)
	}
}
