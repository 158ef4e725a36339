package value

import (
	"slices"

	"foresee/application/csource/parse"
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

// pointedElement is the value that an element of integers behind a pointer has where main first calls the function, where that, and what it calls, sets
// integers in arrays of its own alone.
func (vs *Values) pointedElement(n *cc.PostfixExpression, m Member) *expr.Expr {
	base, index := tree.Subscript(n)
	if k, ok := parse.IntegerValue(index.Value()); ok && k == 0 {
		if x := vs.byAddress(n, base); x != nil {
			return x
		}
	}
	if d := tree.Variable(base); d == nil || d.Type().Kind() != cc.Ptr || vs.Ask == nil || vs.Source.Told != nil {
		return nil
	}
	if vs.setsPointed(vs.Function, map[*cc.FunctionDefinition]bool{}) {
		return nil
	}
	vs.Ask()
	return vs.entryField(m)
}

// byAddress is the value of an integer that a function is given by its address, as Fortran gives all and f2c writes it: *n. The caller defines it by the name of the
// parameter, or is asked for it; nil where the function, or what it calls, may set it, or the parameter leads elsewhere as well.
func (vs *Values) byAddress(n, pointer cc.ExpressionNode) *expr.Expr {
	d := tree.Variable(pointer)
	if d == nil || !d.IsParam() || len(vs.Facts.Pointers[d]) > 0 || len(vs.Facts.Assigned[d]) > 0 || !tree.IsInteger(n.Type()) || vs.setsPointed(vs.Function, map[*cc.FunctionDefinition]bool{}) {
		return nil
	}
	for _, name := range []string{d.Name(), d.Name() + "[0]"} {
		if v, given := vs.Source.Defined[name]; given {
			return expr.Int(v)
		}
	}
	if vs.Source.Told == nil && vs.onlyItself(d) {
		vs.undefined(n, tree.Text(n), d.Name())
	}
	return nil
}

// onlyItself tells whether a function uses a pointer for the one element that it points at alone.
func (vs *Values) onlyItself(d *cc.Declarator) bool {
	if vs.Function == nil {
		return false
	}
	only := true
	tree.Each(vs.Function.CompoundStatement, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionDeref && tree.Variable(x.CastExpression) == d {
				return false
			}
		case cc.ExpressionNode:
			only = only && tree.Variable(x) != d
		}
		return only
	})
	return only
}

// setsPointed tells whether a function, or one that it calls, may set integers that a pointer to them reaches.
func (vs *Values) setsPointed(fd *cc.FunctionDefinition, seen map[*cc.FunctionDefinition]bool) bool {
	if fd == nil || seen[fd] {
		return false
	}
	seen[fd] = true
	found := false
	sets := func(e cc.ExpressionNode) { found = found || tree.IsInteger(e.Type()) && !vs.ownElement(e) }
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionCall:
				callee := vs.Facts.ByName[tree.Callee(x)]
				found = found || vs.setsPointed(callee, seen) || callee == nil && slices.ContainsFunc(tree.Arguments(x), vs.givesIntegers)
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
				sets(x.PostfixExpression)
			}
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
				sets(x.UnaryExpression)
			}
		case *cc.AssignmentExpression:
			if x.Case != cc.AssignmentExpressionCond {
				sets(x.UnaryExpression)
			}
		}
		return !found
	})
	return found
}

// givesIntegers tells an argument through which a function may set integers that are not the caller's own.
func (vs *Values) givesIntegers(e cc.ExpressionNode) bool {
	t := Pointee(e.Type())
	if t == nil || !tree.IsInteger(t) || t.Size() == 1 {
		return false
	}
	if u, ok := tree.Strip(e).(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionAddrof {
		return !vs.ownElement(u.CastExpression)
	}
	d := tree.Variable(e)
	return d == nil || d.Type().Kind() != cc.Array || d.StorageDuration() != cc.Automatic
}

// ownElement tells a variable, or an element of an array that the function has on its stack.
func (vs *Values) ownElement(e cc.ExpressionNode) bool {
	e = tree.Strip(e)
	if d := tree.Variable(e); d != nil {
		return true
	}
	for {
		n, ok := e.(*cc.PostfixExpression)
		if !ok || n.Case != cc.PostfixExpressionIndex {
			break
		}
		base, _ := tree.Subscript(n)
		e = tree.Strip(base)
	}
	d := tree.Variable(e)
	return d != nil && d.Type().Kind() == cc.Array && d.StorageDuration() == cc.Automatic
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
