package csource

import (
	"fmt"
	"math"

	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// tryInt is int, with the reason when e is not a known integer.
func (l *lowerer) tryInt(e cc.ExpressionNode) (x *expr.Expr, err *Error) {
	defer catch(&err)
	return l.int(e), nil
}

// tryAs is as, with the reason when e is not a known integer.
func (l *lowerer) tryAs(e cc.ExpressionNode, w width) (x *expr.Expr, err *Error) {
	defer catch(&err)
	return l.as(e, w), nil
}

// int is the value of an integer expression over loop variables and constants. It has no side effects.
func (l *lowerer) int(e cc.ExpressionNode) *expr.Expr {
	e = strip(e)
	a, b, binary := operands(e)
	whole := binary && isInteger(a.Type()) && isInteger(b.Type()) // the parser does not see overflows
	if v, ok := integerValue(e.Value()); ok && !whole && !isPointer(e.Type()) && !hasEffects(e) {
		if u, unsigned := e.Value().(cc.UInt64Value); unsigned && uint64(u) > math.MaxInt64 || magnitude(v) > 1<<62 {
			l.fail(e, "use smaller numbers", "the constant %s is too large", text(e))
		}
		return expr.Int(v)
	}
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		return l.intPrimary(n)
	case *cc.PostfixExpression:
		return l.intPostfix(n)
	case *cc.UnaryExpression:
		return l.intUnary(n)
	case *cc.CastExpression:
		return l.intCast(n)
	case *cc.ConditionalExpression:
		return l.choose(n)
	}
	if binary {
		return l.intBinary(e, a, b)
	}
	return l.notInt(e)
}

// notInt leaves with the reason that e is not a known integer.
func (l *lowerer) notInt(e cc.ExpressionNode) *expr.Expr {
	why := "is not a known integer"
	if touchesMemory(e) {
		why = "depends on data"
	}
	panic(&Error{Pos: position(e), Message: text(e) + " " + why, Remedy: l.trace(), data: touchesMemory(e)})
}

func (l *lowerer) intPrimary(n *cc.PrimaryExpression) *expr.Expr {
	if n.Case == cc.PrimaryExpressionStmt {
		return l.intStatements(n)
	}
	if d := variable(n); d != nil && isInteger(d.Type()) {
		return l.intVariable(n, d)
	}
	return l.notInt(n)
}

// intVariable is the value of an integer variable.
func (l *lowerer) intVariable(n cc.ExpressionNode, d *cc.Declarator) *expr.Expr {
	x, ok := l.ints[d]
	if x != nil {
		return x
	}
	if ok && l.why[d] != nil {
		panic(l.why[d])
	}
	if ok {
		l.fail(n, "compute it from the loop variables, or "+l.trace(), "the value of %s is not known here: it changes while the program runs", d.Name())
	}
	v, err := l.s.constantOf(d, l.warn, 0)
	if err != nil {
		l.fail(n, fmt.Sprintf("define it, such as %s=1000", d.Name()), "the value of %s is not known", d.Name())
	}
	return expr.Int(v)
}

func (l *lowerer) intUnary(n *cc.UnaryExpression) *expr.Expr {
	switch n.Case {
	case cc.UnaryExpressionMinus:
		return expr.Unary(expr.OpNeg, l.as(n.CastExpression, widthOf(n.Type()).promoted()))
	case cc.UnaryExpressionPlus:
		return l.int(n.CastExpression)
	case cc.UnaryExpressionNot:
		if isPointer(n.CastExpression.Type()) {
			return expr.Unary(expr.OpNot, l.notNull(n.CastExpression))
		}
		return expr.Unary(expr.OpNot, l.int(n.CastExpression))
	case cc.UnaryExpressionCpl:
		return expr.Binary(expr.OpSub, expr.Int(-1), l.as(n.CastExpression, widthOf(n.Type()).promoted()))
	case cc.UnaryExpressionSizeofExpr:
		return l.sizeOf(n, undecayed(n.UnaryExpression))
	case cc.UnaryExpressionSizeofType:
		return l.sizeOf(n, n.TypeName.Type())
	case cc.UnaryExpressionDeref:
		if p, err := l.tryAddress(n); err == nil && p.scalar != nil {
			return l.intVariable(n, p.scalar)
		}
	}
	return l.notInt(n)
}

// undecayed is the type of an expression before arrays become pointers.
func undecayed(e cc.ExpressionNode) cc.Type {
	t := strip(e).Type()
	if d := variable(e); d != nil && d.IsParam() {
		return t
	}
	if u := t.Undecay(); u != nil {
		return u
	}
	return t
}

func (l *lowerer) tryAddress(e cc.ExpressionNode) (p place, err *Error) {
	defer catch(&err)
	return l.address(e), nil
}

func (l *lowerer) intCast(n *cc.CastExpression) *expr.Expr {
	if !isInteger(n.Type()) && !cc.IsFloatingPointType(n.Type()) {
		return l.notInt(n)
	}
	if n.Type().Kind() == cc.Bool {
		return l.converted(n.CastExpression, n.Type())
	}
	if isInteger(n.Type()) {
		return l.as(n.CastExpression, widthOf(n.Type()))
	}
	return l.int(n.CastExpression)
}

func (l *lowerer) intBinary(e, a, b cc.ExpressionNode) *expr.Expr {
	if isPointer(a.Type()) || isPointer(b.Type()) {
		return l.comparePointers(e, a, b)
	}
	if !isInteger(e.Type()) {
		return l.notInt(e)
	}
	and := false
	switch e.(type) { // && and || do not need their right side always
	case *cc.LogicalAndExpression:
		and = true
	case *cc.LogicalOrExpression:
	default:
		return l.intArithmetic(e, a, b)
	}
	x := l.int(a)
	switch {
	case and && l.never(x):
		return expr.Int(0)
	case !and && l.always(x):
		return expr.Int(1)
	}
	given := x
	if !and {
		given = expr.Unary(expr.OpNot, x)
	}
	var y *expr.Expr
	l.under(given, func() { y = l.int(b) })
	return l.combine(e, x, y)
}

func (l *lowerer) combine(e cc.ExpressionNode, a, b *expr.Expr) *expr.Expr {
	switch n := e.(type) {
	case *cc.AdditiveExpression:
		if n.Case == cc.AdditiveExpressionSub {
			return l.arith(n, expr.OpSub, a, b)
		}
		return l.arith(n, expr.OpAdd, a, b)
	case *cc.MultiplicativeExpression:
		switch n.Case {
		case cc.MultiplicativeExpressionMul:
			return l.arith(n, expr.OpMul, a, b)
		case cc.MultiplicativeExpressionDiv:
			return l.quotient(n, a, b)
		default:
			return l.arith(n, expr.OpMod, a, b)
		}
	case *cc.ShiftExpression:
		return l.shift(n, a, b)
	case *cc.RelationalExpression:
		return relation(n.Case, a, b)
	case *cc.EqualityExpression:
		if n.Case == cc.EqualityExpressionNeq {
			return expr.Binary(expr.OpNe, a, b)
		}
		return expr.Binary(expr.OpEq, a, b)
	case *cc.LogicalAndExpression:
		return expr.Binary(expr.OpAnd, a, b)
	case *cc.LogicalOrExpression:
		return expr.Binary(expr.OpOr, a, b)
	case *cc.AndExpression:
		return l.mask(n, a, b)
	}
	return l.bitwise(e, a, b)
}

func relation(c cc.RelationalExpressionCase, a, b *expr.Expr) *expr.Expr {
	switch c {
	case cc.RelationalExpressionLt:
		return expr.Binary(expr.OpLt, a, b)
	case cc.RelationalExpressionGt:
		return expr.Binary(expr.OpLt, b, a)
	case cc.RelationalExpressionLeq:
		return expr.Binary(expr.OpLe, a, b)
	}
	return expr.Binary(expr.OpLe, b, a)
}

// arith combines two integers; constants that overflow are refused.
func (l *lowerer) arith(n cc.Node, op expr.Op, a, b *expr.Expr) *expr.Expr {
	x, okA := constant(a)
	y, okB := constant(b)
	if okB && y == 0 && (op == expr.OpDiv || op == expr.OpMod || op == expr.OpFloorDiv || op == expr.OpCeilDiv) {
		l.fail(n, "", "division by zero in %s", text(n))
	}
	if okA && okB {
		ok := true
		switch op {
		case expr.OpAdd:
			ok = sum64(&x, y)
		case expr.OpSub:
			ok = sum64(&x, -y)
		case expr.OpMul:
			_, ok = mul64(x, y)
		}
		if !ok {
			l.fail(n, "use smaller sizes", "the integer %s overflows", text(n))
		}
	}
	r := expr.Binary(op, a, b)
	if size(r) > maxExpression {
		l.fail(n, l.trace(), "the integer %s is too complicated", text(n))
	}
	return r
}

// maxExpression bounds the nodes of one integer expression.
const maxExpression = 2000

// quotient is C's division, which rounds down where both sides are known not to be negative.
func (l *lowerer) quotient(n cc.Node, a, b *expr.Expr) *expr.Expr {
	if l.interval(a).Lo >= 0 && l.interval(b).Lo > 0 {
		return l.arith(n, expr.OpFloorDiv, a, b)
	}
	return l.arith(n, expr.OpDiv, a, b)
}

// interval bounds an expression by the bounds of the loops around it.
func (l *lowerer) interval(e *expr.Expr) expr.Range {
	return e.Interval(func(v expr.Var) expr.Range { return l.ranges[v] })
}

// always and never tell what is known of a condition.
func (l *lowerer) always(c *expr.Expr) bool { r := l.interval(c); return r.Lo > 0 || r.Hi < 0 }
func (l *lowerer) never(c *expr.Expr) bool  { return l.interval(c) == expr.Range{} }

// notNull is 1 when a pointer is known to point at something.
func (l *lowerer) notNull(e cc.ExpressionNode) *expr.Expr {
	if isNull(e) {
		return expr.Int(0)
	}
	if !l.pointer(e).known() {
		return l.notInt(e)
	}
	return expr.Int(1)
}

// comparePointers compares a pointer with NULL.
func (l *lowerer) comparePointers(e, a, b cc.ExpressionNode) *expr.Expr {
	n, ok := e.(*cc.EqualityExpression)
	if !ok || isNull(a) == isNull(b) {
		return l.notInt(e)
	}
	if isNull(a) {
		a = b
	}
	x := l.notNull(a)
	if n.Case == cc.EqualityExpressionEq {
		return expr.Unary(expr.OpNot, x)
	}
	return x
}
