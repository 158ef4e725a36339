package lower

import (
	"foresee/application/csource/tree"

	"modernc.org/cc/v4"
)

// stepping applies ++ and -- that stand within an expression outside of it: those before their variable first, those behind it by the function that it
// gives. Package value then reads the variable in their place. A variable that the expression uses once more, and one behind a condition, are left
// where they are.
func (l *lowerer) stepping(e cc.ExpressionNode) (after func()) {
	var later []func()
	tree.Each(e, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.ConditionalExpression, *cc.LogicalAndExpression, *cc.LogicalOrExpression:
			return false
		case *cc.PostfixExpression:
			up := x.Case == cc.PostfixExpressionInc
			if d := tree.Variable(x.PostfixExpression); d != nil && (up || x.Case == cc.PostfixExpressionDec) && l.stepsAlone(e, x, d) {
				later = append(later, func() { l.incrementVariable(x, d, up) })
			}
		case *cc.UnaryExpression:
			up := x.Case == cc.UnaryExpressionInc
			if d := tree.Variable(x.UnaryExpression); d != nil && (up || x.Case == cc.UnaryExpressionDec) && l.stepsAlone(e, x, d) {
				l.incrementVariable(x, d, up)
				l.flush()
			}
		}
		return true
	})
	return func() {
		for _, f := range later {
			f()
		}
	}
}

// stepsAlone takes a step out of an expression that it is a part of, where nothing else there uses its variable.
func (l *lowerer) stepsAlone(whole, step cc.ExpressionNode, d *cc.Declarator) bool {
	if tree.Strip(whole) == step || !tree.IsInteger(d.Type()) && d.Type().Kind() != cc.Ptr {
		return false
	}
	if tree.IsInteger(d.Type()) && l.Ints.Of(d) == nil {
		return false
	}
	uses := 0
	tree.Each(whole, func(n cc.Node) bool {
		if x, ok := n.(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionIdent && tree.Variable(x) == d {
			uses++
		}
		return true
	})
	if uses == 1 {
		l.Stepped[step] = true
	}
	return uses == 1
}
