package value

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"

	"modernc.org/cc/v4"
)

// Below is a number that a subscript stays below, whatever the data are that it is computed of, as a mask, a remainder or its type tells; 0 where
// nothing does. A subscript is taken not to be negative.
func Below(e cc.ExpressionNode) int64 {
	e = tree.Strip(e)
	if k, ok := parse.IntegerValue(e.Value()); ok && k >= 0 {
		return k + 1
	}
	below := belowType(e.Type())
	least := func(n int64) {
		if n > 0 && (below == 0 || n < below) {
			below = n
		}
	}
	switch n := e.(type) {
	case *cc.CastExpression:
		least(Below(n.CastExpression))
	case *cc.AndExpression:
		least(Below(n.AndExpression))
		least(Below(n.EqualityExpression))
	case *cc.MultiplicativeExpression:
		if k, ok := parse.IntegerValue(n.CastExpression.Value()); ok && k > 0 {
			switch n.Case {
			case cc.MultiplicativeExpressionMod:
				least(k)
			case cc.MultiplicativeExpressionDiv:
				if of := Below(n.MultiplicativeExpression); of > 0 {
					least((of-1)/k + 1)
				}
			}
		}
	case *cc.ShiftExpression:
		k, ok := parse.IntegerValue(n.AdditiveExpression.Value())
		if !ok || n.Case != cc.ShiftExpressionRsh || k < 0 || k > 63 {
			break
		}
		if of := Below(n.ShiftExpression); of > 0 {
			least((of-1)>>k + 1)
		} else if t := n.ShiftExpression.Type(); tree.IsUnsigned(t) && t.Size() == 8 && k > 1 {
			least(1 << (64 - k))
		}
	}
	return below
}

// belowType is what numbers of a type stay below that are not negative; 0 for those of 64 bits.
func belowType(t cc.Type) int64 {
	if t == nil || !tree.IsInteger(t) || t.Size() >= 8 {
		return 0
	}
	bits := 8 * t.Size()
	switch {
	case t.Kind() == cc.Bool:
		return 2
	case !tree.IsUnsigned(t):
		bits--
	}
	return 1 << bits
}
