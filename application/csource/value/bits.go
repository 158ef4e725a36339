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

// mask is a & (2^k-1), or a & -2^k, of what is not negative.
func (vs *Values) mask(n *cc.AndExpression, a, b *expr.Expr) *expr.Expr {
	if _, ok := Constant(a); ok {
		a, b = b, a
	}
	k, ok := Constant(b)
	if ok && k >= 0 && k < 1<<61 && (k+1)&k == 0 && vs.Interval(a).Lo >= 0 {
		return vs.Arithmetic(n, expr.OpMod, a, expr.Int(k+1))
	}
	if ok && k < 0 && k > -1<<61 && -k&(-k-1) == 0 && vs.Interval(a).Lo >= 0 { // it clears the lowest bits
		return vs.Arithmetic(n, expr.OpSub, a, vs.Arithmetic(n, expr.OpMod, a, expr.Int(-k)))
	}
	return vs.bitwise(n, a, b)
}

// bitwise is an and, or or exclusive or: of constants, or of values that are 0 or 1, such as colours.
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
	if vs.isBit(a) && vs.isBit(b) {
		switch e.(type) {
		case *cc.AndExpression:
			return vs.Arithmetic(e, expr.OpMin, a, b)
		case *cc.InclusiveOrExpression:
			return vs.Arithmetic(e, expr.OpMax, a, b)
		case *cc.ExclusiveOrExpression:
			return vs.Arithmetic(e, expr.OpMod, vs.Arithmetic(e, expr.OpAdd, a, b), expr.Int(2))
		}
	}
	return vs.notInt(e)
}

// isBit tells what is 0 or 1.
func (vs *Values) isBit(x *expr.Expr) bool {
	r := vs.Interval(x)
	return r.Lo >= 0 && r.Hi <= 1
}
