// Package tree walks the syntax tree of package modernc.org/cc/v4: what stands below a node, and what an expression is.
package tree

import (
	"strings"

	"modernc.org/cc/v4"
)

// Strip removes parentheses and lists of one expression.
func Strip(e cc.ExpressionNode) cc.ExpressionNode {
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

// Uncast removes parentheses and casts.
func Uncast(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		e = Strip(e)
		c, ok := e.(*cc.CastExpression)
		if !ok || c.Case != cc.CastExpressionCast {
			return e
		}
		e = c.CastExpression
	}
}

// Variable is the declarator that an identifier refers to; nil for anything else.
func Variable(e cc.ExpressionNode) *cc.Declarator {
	if e == nil {
		return nil
	}
	x, ok := Strip(e).(*cc.PrimaryExpression)
	if !ok || x.Case != cc.PrimaryExpressionIdent {
		return nil
	}
	d, _ := x.ResolvedTo().(*cc.Declarator)
	return d
}

// Mentions tells whether a variable occurs in an expression or a statement.
func Mentions(n cc.Node, d *cc.Declarator) bool {
	found := false
	Each(n, func(n cc.Node) bool {
		x, ok := n.(cc.ExpressionNode)
		found = found || ok && Variable(x) == d
		return !found
	})
	return found
}

// Callee is the name of the function that is called directly; empty for a call through a pointer.
func Callee(n *cc.PostfixExpression) string {
	x, ok := Strip(n.PostfixExpression).(*cc.PrimaryExpression)
	if !ok || x.Case != cc.PrimaryExpressionIdent {
		return ""
	}
	return x.Token.SrcStr()
}

// Arguments are those of a call.
func Arguments(n *cc.PostfixExpression) []cc.ExpressionNode {
	var all []cc.ExpressionNode
	for a := n.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
		all = append(all, a.AssignmentExpression)
	}
	return all
}

// Items lists a block, without the declaration of __func__ that the parser adds.
func Items(cs *cc.CompoundStatement) []*cc.BlockItem {
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

// Declarators are the variables that a declaration declares, with their initializers.
func Declarators(d *cc.Declaration) []*cc.InitDeclarator {
	var all []*cc.InitDeclarator
	for l := d.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		all = append(all, l.InitDeclarator)
	}
	return all
}

// Each calls f for n and all statements, declarations and expressions below, parents first, in the order of evaluation (of an
// assignment the right side comes first);
// f says whether to go deeper.
func Each(n cc.Node, f func(cc.Node) bool) {
	if n == nil || !f(n) {
		return
	}
	for _, k := range children(n) {
		Each(k, f)
	}
}

// list collects nodes that are there.
type list []cc.Node

// expression adds those of some expressions that are there.
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

// children are the nodes directly below a node, in the order of evaluation.
func children(n cc.Node) []cc.Node {
	var l list
	switch n := n.(type) {
	case *cc.Statement:
		statementChildren(n, &l)
	case *cc.CompoundStatement:
		for _, i := range Items(n) {
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
		for _, d := range Declarators(n) {
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

// statementChildren adds the nodes below a statement.
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

// expressionChildren adds the nodes below an expression.
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
		l.expression(Arguments(n)...)
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
		if a, b, ok := Operands(n); ok {
			l.expression(a, b)
		}
	}
}

// Operands gives both sides of a binary operator.
func Operands(n cc.ExpressionNode) (a, b cc.ExpressionNode, ok bool) {
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

// TouchesMemory tells whether e reads or writes an element of an array or structure, or may.
func TouchesMemory(e cc.ExpressionNode) bool {
	found := false
	Each(e, func(n cc.Node) bool {
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

// HasEffects tells whether evaluating e does something; the parser gives (x = 0) the value 0.
func HasEffects(e cc.ExpressionNode) bool {
	return Acts(e, func(cc.ExpressionNode) bool { return true })
}

// Acts tells whether evaluating e steps a variable, or makes an assignment or a call of which the caller tells that it does something.
func Acts(e cc.ExpressionNode, does func(cc.ExpressionNode) bool) bool {
	found := false
	Each(e, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			found = found || does(x)
		case *cc.PostfixExpression:
			found = found || x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec || x.Case == cc.PostfixExpressionCall && does(x)
		case *cc.UnaryExpression:
			found = found || x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec
		}
		return !found
	})
	return found
}

// SizesParameter tells whether e asks for the size of a parameter that is declared as an array: it is a pointer, of which the parser gives the
// size of the array.
func SizesParameter(e cc.ExpressionNode) bool {
	found := false
	Each(e, func(n cc.Node) bool {
		if x, ok := n.(*cc.UnaryExpression); ok && x.Case == cc.UnaryExpressionSizeofExpr {
			d := Variable(x.UnaryExpression)
			found = found || d != nil && d.IsParam() && d.Type().Undecay().Kind() == cc.Array
		}
		return !found
	})
	return found
}

// Text is the source of an expression on one line.
func Text(e cc.Node) string {
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

// Subscript tells the pointer from the integer in p[i], which C lets one write as i[p].
func Subscript(n *cc.PostfixExpression) (base, index cc.ExpressionNode) {
	if cc.IsIntegerType(n.PostfixExpression.Type()) {
		return n.ExpressionList, n.PostfixExpression
	}
	return n.PostfixExpression, n.ExpressionList
}

// IsPointer tells pointers and arrays.
func IsPointer(t cc.Type) bool { return t.Kind() == cc.Ptr || t.Kind() == cc.Array }

// IsInteger tells integer types, enumerations among them.
func IsInteger(t cc.Type) bool { return cc.IsIntegerType(t) || t.Kind() == cc.Enum }

// IsUnsigned tells the integer types that wrap; an enumeration is an int.
func IsUnsigned(t cc.Type) bool { return IsInteger(t) && !cc.IsSignedInteger(t) && t.Kind() != cc.Enum }

// Taken is the a of c ? a : b; GNU C lets one leave it out, and takes c.
func Taken(n *cc.ConditionalExpression) cc.ExpressionNode {
	if n.ExpressionList == nil {
		return n.LogicalOrExpression
	}
	return n.ExpressionList
}

// Bits tells members of bits apart, which share their offset in bytes with others: it is added to that offset, and 0 for other members.
func Bits(f *cc.Field) int64 {
	if f == nil || !f.IsBitfield() {
		return 0
	}
	return int64(1+f.OffsetBits()) << 48
}

// Operator is the sign of a binary operator.
func Operator(e cc.ExpressionNode) string {
	switch n := e.(type) {
	case *cc.MultiplicativeExpression:
		return n.Token.SrcStr()
	case *cc.AdditiveExpression:
		return n.Token.SrcStr()
	case *cc.ShiftExpression:
		return n.Token.SrcStr()
	case *cc.RelationalExpression:
		return n.Token.SrcStr()
	case *cc.EqualityExpression:
		return n.Token.SrcStr()
	case *cc.AndExpression:
		return "&"
	case *cc.InclusiveOrExpression:
		return "|"
	case *cc.ExclusiveOrExpression:
		return "^"
	case *cc.LogicalAndExpression:
		return "&&"
	}
	return "||"
}
