package csource

import (
	"strings"

	"modernc.org/cc/v4"
)

// strip removes parentheses and lists of one expression.
func strip(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := e.(type) {
		case *cc.PrimaryExpression:
			if x.Case == cc.PrimaryExpressionExpr {
				e = x.ExpressionList
				continue
			}
		case *cc.ExpressionList:
			if x.ExpressionList == nil {
				e = x.AssignmentExpression
				continue
			}
		}
		return e
	}
}

// variable is the declarator that an identifier refers to; nil for anything else.
func variable(e cc.ExpressionNode) *cc.Declarator {
	if e == nil {
		return nil
	}
	x, ok := strip(e).(*cc.PrimaryExpression)
	if !ok || x.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	d, _ := x.ResolvedTo().(*cc.Declarator)
	return d
}

// callee is the name of the function that is called directly; empty for a call through a pointer.
func callee(n *cc.PostfixExpression) string {
	x, ok := strip(n.PostfixExpression).(*cc.PrimaryExpression)
	if !ok || x.Case != cc.PrimaryExpressionIdent {
		return ""
	}
	return x.Token.SrcStr()
}

func arguments(n *cc.PostfixExpression) []cc.ExpressionNode {
	var all []cc.ExpressionNode
	for a := n.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
		all = append(all, a.AssignmentExpression)
	}
	return all
}

// items lists a block, without the declaration of __func__ that the parser adds.
func items(cs *cc.CompoundStatement) []*cc.BlockItem {
	var all []*cc.BlockItem
	for l := cs.BlockItemList; l != nil; l = l.BlockItemList {
		if d := l.BlockItem.Declaration; d != nil && d.InitDeclaratorList != nil &&
			d.InitDeclaratorList.InitDeclarator.Declarator.Name() == "__func__" {
			continue
		}
		all = append(all, l.BlockItem)
	}
	return all
}

func declarators(d *cc.Declaration) []*cc.InitDeclarator {
	var all []*cc.InitDeclarator
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		all = append(all, l.InitDeclarator)
	}
	return all
}

// each calls f for n and all statements, declarations and expressions below, parents first, in source order;
// f says whether to go deeper.
func each(n cc.Node, f func(cc.Node) bool) {
	if n == nil || !f(n) {
		return
	}
	for _, k := range children(n) {
		each(k, f)
	}
}

// list collects nodes that are there.
type list []cc.Node

func (l *list) expression(all ...cc.ExpressionNode) {
	for _, e := range all {
		if e != nil {
			*l = append(*l, e)
		}
	}
}

func (l *list) statement(s *cc.Statement) {
	if s != nil {
		*l = append(*l, s)
	}
}

func children(n cc.Node) []cc.Node {
	var l list
	switch n := n.(type) {
	case *cc.Statement:
		statementChildren(n, &l)
	case *cc.CompoundStatement:
		for _, i := range items(n) {
			switch {
			case i.Declaration != nil:
				l = append(l, i.Declaration)
			case i.Statement != nil:
				l = append(l, i.Statement)
			}
		}
	case *cc.Declaration:
		if n.Case == cc.DeclarationAuto && n.Initializer != nil {
			l = append(l, n.Initializer)
		}
		for _, d := range declarators(n) {
			if d.Initializer != nil {
				l = append(l, d.Initializer)
			}
		}
	case *cc.Initializer:
		l.expression(n.AssignmentExpression)
		for i := n.InitializerList; i != nil; i = i.InitializerList {
			l = append(l, i.Initializer)
		}
	case cc.ExpressionNode:
		expressionChildren(n, &l)
	}
	return l
}

func statementChildren(n *cc.Statement, l *list) {
	switch n.Case {
	case cc.StatementCompound:
		*l = append(*l, n.CompoundStatement)
	case cc.StatementExpr:
		if n.ExpressionStatement != nil {
			l.expression(n.ExpressionStatement.ExpressionList)
		}
	case cc.StatementIteration:
		it := n.IterationStatement
		if it.Declaration != nil {
			*l = append(*l, it.Declaration)
		}
		l.expression(it.ExpressionList, it.ExpressionList2, it.ExpressionList3)
		l.statement(it.Statement)
	case cc.StatementSelection:
		l.expression(n.SelectionStatement.ExpressionList)
		l.statement(n.SelectionStatement.Statement)
		l.statement(n.SelectionStatement.Statement2)
	case cc.StatementLabeled:
		l.statement(n.LabeledStatement.Statement)
	case cc.StatementJump:
		l.expression(n.JumpStatement.ExpressionList)
	}
}

func expressionChildren(n cc.ExpressionNode, l *list) {
	switch n := n.(type) {
	case *cc.ExpressionList:
		for ; n != nil; n = n.ExpressionList {
			l.expression(n.AssignmentExpression)
		}
	case *cc.PrimaryExpression:
		switch n.Case {
		case cc.PrimaryExpressionExpr:
			l.expression(n.ExpressionList)
		case cc.PrimaryExpressionStmt:
			*l = append(*l, n.CompoundStatement)
		}
	case *cc.PostfixExpression:
		l.expression(n.PostfixExpression)
		if n.Case == cc.PostfixExpressionIndex {
			l.expression(n.ExpressionList)
		}
		l.expression(arguments(n)...)
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType: // not evaluated
		case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
			l.expression(n.UnaryExpression)
		default:
			l.expression(n.CastExpression)
		}
	case *cc.CastExpression:
		l.expression(n.CastExpression)
	case *cc.ConditionalExpression:
		l.expression(n.LogicalOrExpression, n.ExpressionList, n.ConditionalExpression)
	case *cc.AssignmentExpression:
		l.expression(n.AssignmentExpression, n.UnaryExpression)
	default:
		if a, b, ok := operands(n); ok {
			l.expression(a, b)
		}
	}
}

// operands gives both sides of a binary operator.
func operands(n cc.ExpressionNode) (a, b cc.ExpressionNode, ok bool) {
	switch n := n.(type) {
	case *cc.MultiplicativeExpression:
		return n.MultiplicativeExpression, n.CastExpression, true
	case *cc.AdditiveExpression:
		return n.AdditiveExpression, n.MultiplicativeExpression, true
	case *cc.ShiftExpression:
		return n.ShiftExpression, n.AdditiveExpression, true
	case *cc.RelationalExpression:
		return n.RelationalExpression, n.ShiftExpression, true
	case *cc.EqualityExpression:
		return n.EqualityExpression, n.RelationalExpression, true
	case *cc.AndExpression:
		return n.AndExpression, n.EqualityExpression, true
	case *cc.ExclusiveOrExpression:
		return n.ExclusiveOrExpression, n.AndExpression, true
	case *cc.InclusiveOrExpression:
		return n.InclusiveOrExpression, n.ExclusiveOrExpression, true
	case *cc.LogicalAndExpression:
		return n.LogicalAndExpression, n.InclusiveOrExpression, true
	case *cc.LogicalOrExpression:
		return n.LogicalOrExpression, n.LogicalAndExpression, true
	}
	return nil, nil, false
}

// touchesMemory tells whether e reads or writes an element of an array or structure, or may.
func touchesMemory(e cc.ExpressionNode) bool {
	found := false
	each(e, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			found = found || x.Case != cc.PostfixExpressionPrimary
		case *cc.UnaryExpression:
			found = found || x.Case == cc.UnaryExpressionDeref || x.Case == cc.UnaryExpressionInc ||
				x.Case == cc.UnaryExpressionDec
		case *cc.AssignmentExpression, *cc.CompoundStatement:
			found = true
		}
		return !found
	})
	return found
}

// hasEffects tells whether evaluating e does something; the parser gives (x = 0) the value 0.
func hasEffects(e cc.ExpressionNode) bool {
	found := false
	each(e, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			found = true
		case *cc.PostfixExpression:
			found = found || x.Case == cc.PostfixExpressionCall || x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec
		case *cc.UnaryExpression:
			found = found || x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec
		}
		return !found
	})
	return found
}

// text is the source of an expression on one line.
func text(e cc.Node) string {
	s := strings.Join(strings.Fields(cc.NodeSource(e)), " ")
	for _, c := range []string{"[", "("} {
		s = strings.ReplaceAll(s, c+" ", c)
	}
	for _, c := range []string{"]", ")"} {
		s = strings.ReplaceAll(s, " "+c, c)
	}
	if len(s) > 80 {
		s = s[:77] + "..."
	}
	return s
}

// subscript tells the pointer from the integer in p[i], which C lets one write as i[p].
func subscript(n *cc.PostfixExpression) (base, index cc.ExpressionNode) {
	if cc.IsIntegerType(n.PostfixExpression.Type()) {
		return n.ExpressionList, n.PostfixExpression
	}
	return n.PostfixExpression, n.ExpressionList
}

func isPointer(t cc.Type) bool { return t.Kind() == cc.Ptr || t.Kind() == cc.Array }

func isInteger(t cc.Type) bool { return cc.IsIntegerType(t) || t.Kind() == cc.Enum }
