package csource

import (
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

func (l *lowerer) shift(n *cc.ShiftExpression, a, b *nest.Expr) *nest.Expr {
	k, ok := constant(b)
	if !ok || k < 0 || k > 61 {
		return l.notInt(n)
	}
	if n.Case == cc.ShiftExpressionLsh {
		return l.arith(n, nest.OpMul, a, nest.Int(1<<k))
	}
	return l.arith(n, nest.OpFloorDiv, a, nest.Int(1<<k))
}

// mask is a & (2^k-1) of what is not negative.
func (l *lowerer) mask(n *cc.AndExpression, a, b *nest.Expr) *nest.Expr {
	if _, ok := constant(a); ok {
		a, b = b, a
	}
	k, ok := constant(b)
	if ok && k >= 0 && k < 1<<61 && (k+1)&k == 0 && l.interval(a).Lo >= 0 {
		return l.arith(n, nest.OpMod, a, nest.Int(k+1))
	}
	return l.bitwise(n, a, b)
}

func (l *lowerer) bitwise(e cc.ExpressionNode, a, b *nest.Expr) *nest.Expr {
	x, okA := constant(a)
	y, okB := constant(b)
	if okA && okB {
		switch e.(type) {
		case *cc.AndExpression:
			return nest.Int(x & y)
		case *cc.InclusiveOrExpression:
			return nest.Int(x | y)
		case *cc.ExclusiveOrExpression:
			return nest.Int(x ^ y)
		}
	}
	return l.notInt(e)
}
