package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// pointerFromCall gives a pointer what a function returns: one of this file by following it, of another memory of its own. False where it is no such
// call, or one that allocates.
func (l *lowerer) pointerFromCall(d *cc.Declarator, e cc.ExpressionNode) bool {
	n := callIn(e)
	if n == nil {
		return false
	}
	if _, allocates := l.Allocation(n, l.Function); allocates {
		return false
	}
	name := tree.Callee(n)
	fd := l.Facts.ByName[name]
	switch {
	case name == "" || fd == nil && (handled[name] || ignored[name]):
		return false
	case fd == nil:
		l.call(n).used = true
		l.Warn(n, "what %s returns is taken as memory of its own", name)
		l.Pointers[d] = value.Place{Object: l.HeapObject(d, 0), Offset: expr.Int(0)}
		return true
	case l.Inlining[fd] || fd == l.Function:
		return false
	}
	l.inline(n, fd).used = true
	l.Pointers[d] = l.returned
	if l.returned.Object == nil && l.returned.Scalar == nil {
		l.Why[d] = &parse.Error{Pos: parse.Position(n), Message: "the pointer that " + name + " returns cannot be followed", Remedy: "pass the array itself, or " + parse.TraceRemedy}
	} else {
		delete(l.Why, d)
	}
	return true
}

// handled are functions whose pointers package value follows.
var handled = words("__builtin_assume_aligned __builtin_expect")

// callIn is the call that an expression is, also cast.
func callIn(e cc.ExpressionNode) *cc.PostfixExpression {
	for {
		e = tree.Strip(e)
		c, ok := e.(*cc.CastExpression)
		if !ok || c.Case != cc.CastExpressionCast {
			break
		}
		e = c.CastExpression
	}
	if n, ok := e.(*cc.PostfixExpression); ok && n.Case == cc.PostfixExpressionCall {
		return n
	}
	return nil
}

// returnPointer notes what a function that is inlined returns.
func (l *lowerer) returnPointer(e cc.ExpressionNode) {
	var p value.Place
	if parse.Attempt(func() { p = l.Pointer(e) }) != nil {
		p = value.Place{}
	}
	l.returned = p
}
