package csource

import (
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

func (l *lowerer) shift(n *cc.ShiftExpression, a, b *expr.Expr) *expr.Expr {
	k, ok := constant(b)
	if !ok || k < 0 || k > 61 {
		return l.notInt(n)
	}
	if n.Case == cc.ShiftExpressionLsh {
		return l.arith(n, expr.OpMul, a, expr.Int(1<<k))
	}
	return l.arith(n, expr.OpFloorDiv, a, expr.Int(1<<k))
}

// mask is a & (2^k-1) of what is not negative.
func (l *lowerer) mask(n *cc.AndExpression, a, b *expr.Expr) *expr.Expr {
	if _, ok := constant(a); ok {
		a, b = b, a
	}
	k, ok := constant(b)
	if ok && k >= 0 && k < 1<<61 && (k+1)&k == 0 && l.interval(a).Lo >= 0 {
		return l.arith(n, expr.OpMod, a, expr.Int(k+1))
	}
	return l.bitwise(n, a, b)
}

func (l *lowerer) bitwise(e cc.ExpressionNode, a, b *expr.Expr) *expr.Expr {
	x, okA := constant(a)
	y, okB := constant(b)
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
	return l.notInt(e)
}
