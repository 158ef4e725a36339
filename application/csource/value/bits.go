package value

import (
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// shift is a shift by a known number of bits, as a product or a quotient.
func (vs *Values) shift(n *cc.ShiftExpression, a, b *expr.Expr) *expr.Expr {
	k, ok := Constant(b)
	if !ok || k < 0 || k > 61 {
		return vs.notInt(n)
	}
	if n.Case == cc.ShiftExpressionLsh {
		return vs.Arithmetic(n, expr.OpMul, a, expr.Int(1<<k))
	}
	return vs.Arithmetic(n, expr.OpFloorDiv, a, expr.Int(1<<k))
}

// mask is a & (2^k-1) of what is not negative.
func (vs *Values) mask(n *cc.AndExpression, a, b *expr.Expr) *expr.Expr {
	if _, ok := Constant(a); ok {
		a, b = b, a
	}
	k, ok := Constant(b)
	if ok && k >= 0 && k < 1<<61 && (k+1)&k == 0 && vs.Interval(a).Lo >= 0 {
		return vs.Arithmetic(n, expr.OpMod, a, expr.Int(k+1))
	}
	return vs.bitwise(n, a, b)
}

// bitwise is an and, or or exclusive or: of constants, or a mask that keeps the lowest bits, which is a remainder.
func (vs *Values) bitwise(e cc.ExpressionNode, a, b *expr.Expr) *expr.Expr {
	x, okA := Constant(a)
	y, okB := Constant(b)
	if okA && okB {
		switch e.(type) {
		case *cc.AndExpression:
			return expr.Int(x & y)
		case *cc.InclusiveOrExpression:
			return expr.Int(x | y)
		case *cc.ExclusiveOrExpression:
			return expr.Int(x ^ y)
		}
	}
	return vs.notInt(e)
}
