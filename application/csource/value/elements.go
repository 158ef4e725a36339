package value

import (
	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// memberElement is the value that an element of an array in a structure has where main first calls the function, where that, and what it calls, sets no
// element of it.
func (vs *Values) memberElement(n *cc.PostfixExpression, m Member) *expr.Expr {
	base, _ := tree.Subscript(n)
	array, ok := tree.Strip(base).(*cc.PostfixExpression)
	if !ok || array.Case != cc.PostfixExpressionSelect && array.Case != cc.PostfixExpressionPSelect || vs.Ask == nil || vs.Source.Told != nil {
		return nil
	}
	if vs.setsElement(vs.Function, array.Token2.SrcStr(), map[*cc.FunctionDefinition]bool{}) {
		return nil
	}
	vs.Ask()
	return vs.entryField(m)
}

// setsElement tells whether a function, or one that it calls, may set elements of a member of this name.
func (vs *Values) setsElement(fd *cc.FunctionDefinition, member string, seen map[*cc.FunctionDefinition]bool) bool {
	if fd == nil || seen[fd] {
		return false
	}
	seen[fd] = true
	found := false
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionCall {
				found = found || vs.setsElement(vs.Facts.ByName[tree.Callee(x)], member, seen)
			}
			if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
				found = found || isElementOf(x.PostfixExpression, member)
			}
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
				found = found || isElementOf(x.UnaryExpression, member)
			case cc.UnaryExpressionAddrof:
				found = found || isElementOf(x.CastExpression, member)
			}
		case *cc.AssignmentExpression:
			found = found || x.Case != cc.AssignmentExpressionCond && isElementOf(x.UnaryExpression, member)
		}
		return !found
	})
	return found
}

// isElementOf tells an element of a member of this name.
func isElementOf(e cc.ExpressionNode, member string) bool {
	n, ok := tree.Strip(e).(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionIndex {
		return false
	}
	base, _ := tree.Subscript(n)
	a, ok := tree.Strip(base).(*cc.PostfixExpression)
	return ok && (a.Case == cc.PostfixExpressionSelect || a.Case == cc.PostfixExpressionPSelect) && a.Token2.SrcStr() == member
}
