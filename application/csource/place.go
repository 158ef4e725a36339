package csource

import (
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// place is where something lies in memory: an object and an offset in bytes; or it is a scalar variable whose
// address was taken. The zero place is not known.
type place struct {
	obj    *nest.Object
	off    *expr.Expr
	scalar *cc.Declarator
}

func (p place) known() bool { return p.obj != nil || p.scalar != nil }

// plus moves a place by bytes.
func (l *lowerer) plus(n cc.Node, p place, bytes *expr.Expr) place {
	if p.scalar != nil {
		if bytes.Op == expr.OpConst && bytes.K == 0 {
			return p
		}
		l.fail(n, l.trace(), "a subscript on the scalar %s", p.scalar.Name())
	}
	return place{obj: p.obj, off: normal(l.arith(n, expr.OpAdd, p.off, bytes))}
}

// address is where an lvalue lies.
func (l *lowerer) address(e cc.ExpressionNode) place {
	e = strip(e)
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		if d := variable(n); d != nil {
			switch d.Type().Kind() {
			case cc.Array, cc.Struct, cc.Union:
				return place{obj: l.variableObject(n, d), off: expr.Int(0)}
			case cc.Ptr, cc.Function:
			default:
				return place{scalar: d}
			}
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			base, index := subscript(n)
			return l.element(n, base, index)
		case cc.PostfixExpressionSelect:
			return l.plus(n, l.address(n.PostfixExpression), expr.Int(l.fieldOffset(n)))
		case cc.PostfixExpressionPSelect:
			return l.plus(n, l.pointer(n.PostfixExpression), expr.Int(l.fieldOffset(n)))
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			return l.pointer(n.CastExpression)
		}
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast {
			return l.address(n.CastExpression)
		}
	}
	l.fail(e, l.trace(), "%s is no array element that can be followed", text(e))
	return place{}
}

func (l *lowerer) fieldOffset(n *cc.PostfixExpression) int64 {
	f := n.Field()
	if f == nil {
		l.fail(n, l.trace(), "the member of %s is not known", text(n))
	}
	return f.Offset()
}

// element is the place of base[index].
func (l *lowerer) element(n, base, index cc.ExpressionNode) place {
	p := l.pointer(base)
	i, err := l.tryAs(index, pointerWidth)
	if err != nil {
		panic(l.badSubscript(n, index, err))
	}
	t := pointee(base.Type())
	if t == nil {
		l.fail(n, l.trace(), "%s is not an array", text(base))
	}
	return l.plus(n, p, l.arith(n, expr.OpMul, i, l.sizeOf(n, t)))
}

// badSubscript says why a subscript is not known: because of data, or of a variable without value.
func (l *lowerer) badSubscript(n, index cc.ExpressionNode, err *Error) *Error {
	switch {
	case assignsSomething(index):
		return &Error{
			Pos: position(n), Message: "subscript " + text(n) + " changes a variable",
			Remedy: "compute it from the loop variables, or " + l.trace(),
		}
	case err.data:
		return &Error{Pos: position(n), Message: "subscript " + text(n) + " depends on data", Remedy: l.trace(), data: true}
	}
	return err
}

// pointer is where a pointer expression points.
func (l *lowerer) pointer(e cc.ExpressionNode) place {
	e = strip(e)
	if d := variable(e); d != nil && d.Type().Kind() == cc.Ptr {
		return l.pointerVariable(e, d)
	}
	switch n := e.(type) {
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast {
			return l.pointer(n.CastExpression)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionAddrof {
			return l.addressOf(n.CastExpression)
		}
		if n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec {
			l.fail(n, "use subscripts", "the pointer %s is stepped", text(n.UnaryExpression))
		}
	case *cc.AdditiveExpression:
		return l.pointerSum(n)
	case *cc.AssignmentExpression:
		if d := variable(n.UnaryExpression); d != nil && n.Case == cc.AssignmentExpressionAssign {
			l.assignVariable(n, d, n.AssignmentExpression)
			return l.pointerVariable(n, d)
		}
	case *cc.ConditionalExpression:
		return l.pointerChoice(n)
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			return l.pointerCall(n)
		}
		if n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec {
			l.fail(n, "use subscripts", "the pointer %s is stepped", text(n.PostfixExpression))
		}
	}
	if isArray(e) {
		return l.address(e)
	}
	return l.loadedPointer(e)
}

// isArray tells whether e is an lvalue of array type; the parser gives its type as a pointer.
func isArray(e cc.ExpressionNode) bool {
	t := e.Type()
	return t.Kind() == cc.Array || t.Kind() == cc.Ptr && t.Undecay() != nil && t.Undecay().Kind() == cc.Array
}

// addressOf is &e.
func (l *lowerer) addressOf(e cc.ExpressionNode) place {
	if d := variable(e); d != nil && d.Type().Kind() == cc.Ptr {
		l.fail(e, l.trace(), "the address of the pointer %s", d.Name())
	}
	return l.address(e)
}

func (l *lowerer) pointerSum(n *cc.AdditiveExpression) place {
	p, i := n.AdditiveExpression, n.MultiplicativeExpression
	if !isPointer(p.Type()) {
		p, i = i, p
	}
	if !isPointer(p.Type()) || isPointer(i.Type()) {
		l.fail(n, l.trace(), "%s is no pointer that can be followed", text(n))
	}
	index, err := l.tryAs(i, pointerWidth)
	if err != nil {
		panic(l.badSubscript(n, i, err))
	}
	bytes := l.arith(n, expr.OpMul, index, l.sizeOf(n, pointee(p.Type())))
	if n.Case == cc.AdditiveExpressionSub {
		bytes = expr.Unary(expr.OpNeg, bytes)
	}
	return l.plus(n, l.pointer(p), bytes)
}

func (l *lowerer) pointerChoice(n *cc.ConditionalExpression) place {
	c, err := l.tryInt(n.LogicalOrExpression)
	if err != nil {
		l.fail(n, "use two loops, or "+l.trace(), "where %s points is not known before the run", text(n))
	}
	switch {
	case l.always(c):
		return l.pointer(taken(n))
	case l.never(c):
		return l.pointer(n.ConditionalExpression)
	}
	a, b := l.pointer(taken(n)), l.pointer(n.ConditionalExpression)
	if a.obj == nil || a.obj != b.obj {
		l.fail(n, "use one array with one more dimension, or "+l.trace(), "%s points at either of two objects", text(n))
	}
	return place{obj: a.obj, off: conditional(c, a.off, b.off)}
}

// loadedPointer follows a pointer kept in a structure; those kept in arrays are refused.
func (l *lowerer) loadedPointer(e cc.ExpressionNode) place {
	n, ok := e.(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionSelect && n.Case != cc.PostfixExpressionPSelect {
		if ok || isDereference(e) {
			l.fail(e, "keep the rows in one block: double (*A)[n], or "+l.trace(),
				"%s is a pointer kept in memory", text(e))
		}
		l.fail(e, l.trace(), "%s is no pointer that can be followed", text(e))
	}
	at := l.address(n)
	if at.obj == nil || at.off.Op != expr.OpConst {
		l.fail(e, l.trace(), "%s is a pointer whose place varies", text(e))
	}
	if l.unstable[n.Token2.SrcStr()] {
		l.fail(e, "use two calls or one array with one more dimension, or "+l.trace(), "the pointer %s changes", text(e))
	}
	m := member{at.obj, at.off.K}
	if p, ok := l.members[m]; ok {
		if !p.known() {
			l.fail(e, "use two calls or one array with one more dimension, or "+l.trace(), "the pointer %s changes", text(e))
		}
		return p
	}
	o := &nest.Object{Name: text(e), Elem: elemSize(pointee(n.Type())), Private: at.obj.Private}
	p := place{obj: o, off: expr.Int(0)}
	l.members[m] = p
	return p
}

func isDereference(e cc.ExpressionNode) bool {
	u, ok := e.(*cc.UnaryExpression)
	return ok && u.Case == cc.UnaryExpressionDeref
}
