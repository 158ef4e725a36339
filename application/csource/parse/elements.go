package parse

import (
	"foresee/application/csource/tree"

	"modernc.org/cc/v4"
)

// Elements are the assignments to the elements of an array of integers.
type Elements struct {
	At    map[int64][]Assignment // by their offset in bytes
	Other bool                   // there are assignments to elements that are not constant, or that are not followed
	Given string                 // a function that is not defined here and gets a pointer into it
}

// RowAssignment sets a pointer in an array.
type RowAssignment struct {
	Target *cc.PostfixExpression
	Value  cc.ExpressionNode
	From   *cc.FunctionDefinition
}

// elements are those of a variable.
func (f *Facts) elements(d *cc.Declarator) *Elements {
	e := f.Elements[d]
	if e == nil {
		e = &Elements{At: map[int64][]Assignment{}}
		f.Elements[d] = e
	}
	return e
}

// fieldOf declares the member that an expression names, nil where it names none.
func fieldOf(p *cc.PostfixExpression) *cc.Declarator {
	if p == nil || p.Field() == nil {
		return nil
	}
	return p.Field().Declarator()
}

// parts notes assignments to members of structures, under the member's own declarator, and to elements of arrays.
func (f *Facts) parts(n cc.Node, from *cc.FunctionDefinition) {
	target, value := Assigned(n)
	if target == nil {
		return
	}
	p, ok := tree.Strip(target).(*cc.PostfixExpression)
	if ok && p.Case == cc.PostfixExpressionIndex && p.Type().Kind() == cc.Ptr && value != nil {
		f.Rows = append(f.Rows, RowAssignment{p, value, from})
	}
	if field := fieldOf(p); field != nil && p.Type().Kind() == cc.Ptr {
		f.Pointers[field] = append(f.Pointers[field], Assignment{value, from})
	}
	if !ok || !tree.IsInteger(p.Type()) {
		return
	}
	if field := fieldOf(p); field != nil {
		f.Assigned[field] = append(f.Assigned[field], Assignment{value, from})
	}
	if p.Case != cc.PostfixExpressionIndex {
		return
	}
	d, offset, constant := Part(p, constantIndex)
	switch {
	case d == nil:
	case constant:
		e := f.elements(d)
		e.At[offset] = append(e.At[offset], Assignment{value, from})
	default:
		f.elements(d).Other = true
	}
}

// Assigned is what a node assigns to, and the value of a plain assignment.
func Assigned(n cc.Node) (target, value cc.ExpressionNode) {
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		if x.Case == cc.AssignmentExpressionAssign {
			value = x.AssignmentExpression
		}
		return x.UnaryExpression, value
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			return x.PostfixExpression, nil
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
			return x.UnaryExpression, nil
		}
	}
	return nil, nil
}

// assignedInteger is the element of an array of integers that a node assigns; nil: none.
func assignedInteger(n cc.Node) *cc.PostfixExpression {
	target, _ := Assigned(n)
	if target == nil || !tree.IsInteger(target.Type()) {
		return nil
	}
	p, ok := tree.Strip(target).(*cc.PostfixExpression)
	if !ok || p.Case != cc.PostfixExpressionIndex {
		return nil
	}
	return p
}

// AssignedMemberArray is the array of integers in a structure that a node assigns an element of; nil: none.
func AssignedMemberArray(n cc.Node) *cc.PostfixExpression {
	p := assignedInteger(n)
	ok := p != nil
	for ok && p.Case == cc.PostfixExpressionIndex {
		base, _ := tree.Subscript(p)
		p, ok = tree.Strip(base).(*cc.PostfixExpression)
	}
	if !ok || p.Case != cc.PostfixExpressionSelect && p.Case != cc.PostfixExpressionPSelect || p.Field() == nil || p.Field().Type().Kind() != cc.Array {
		return nil
	}
	return p
}

// Part is the variable that an element or a member is a part of, and its offset there in bytes, where all subscripts are known. The variable is given
// also where they are not.
func Part(e cc.ExpressionNode, index func(cc.ExpressionNode) (int64, bool)) (d *cc.Declarator, offset int64, known bool) {
	if d := tree.Variable(e); d != nil {
		return d, 0, d.Type().Kind() != cc.Ptr
	}
	n, ok := tree.Strip(e).(*cc.PostfixExpression)
	if !ok {
		return nil, 0, false
	}
	switch n.Case {
	case cc.PostfixExpressionIndex:
		base, i := tree.Subscript(n)
		d, offset, known = Part(base, index)
		k, ok := index(i)
		size := n.Type().Size()
		if t := n.Type().Undecay(); t != nil && t.Kind() == cc.Array {
			size = t.Size()
		}
		if !ok || size <= 0 || k < 0 || k > 1<<30 || size > 1<<30 {
			return d, 0, false
		}
		return d, offset + k*size, known
	case cc.PostfixExpressionSelect:
		if n.Field() == nil {
			return nil, 0, false
		}
		d, offset, known = Part(n.PostfixExpression, index)
		return d, offset + n.Field().Offset() + tree.Bits(n.Field()), known
	}
	return nil, 0, false
}

// constantIndex is the value of a constant.
func constantIndex(e cc.ExpressionNode) (int64, bool) {
	if tree.HasEffects(e) {
		return 0, false
	}
	return IntegerValue(e.Value())
}

// arguments notes variables and arrays that a call gets a pointer to: one that is not defined here may set them, of one that is they are followed no
// further.
func (f *Facts) arguments(n *cc.PostfixExpression, given map[cc.Node]bool) {
	name := tree.Callee(n)
	defined := name == "" || f.ByName[name] != nil
	var parameters []*cc.Parameter
	if fd := f.ByName[name]; fd != nil {
		if t, ok := fd.Declarator.Type().(*cc.FunctionType); ok {
			parameters = t.Parameters()
		}
	}
	for i, a := range tree.Arguments(n) {
		e := tree.Strip(a)
		u, addressed := e.(*cc.UnaryExpression)
		if addressed = addressed && u.Case == cc.UnaryExpressionAddrof; addressed {
			e = tree.Strip(u.CastExpression)
		}
		if d := tree.Variable(e); d != nil && addressed && !defined {
			given[u] = true
			f.Given[d] = name
		}
		d, _, _ := Part(e, constantIndex)
		if d == nil || d.Type().Kind() != cc.Array || !addressed && tree.IsInteger(e.Type()) {
			continue
		}
		switch {
		case constant(Innermost(d.Type())):
		case !defined:
			f.elements(d).Given = name
		case i >= len(parameters) || !pointsAtConstant(parameters[i].Type()):
			f.elements(d).Other = true
		}
	}
}

// constant tells types whose values never change.
func constant(t cc.Type) bool { return t.Attributes() != nil && t.Attributes().IsConst() }

// Innermost is what an array, also one of arrays, holds; of other types the type.
func Innermost(t cc.Type) cc.Type {
	for a, ok := t.(*cc.ArrayType); ok; a, ok = t.(*cc.ArrayType) {
		t = a.Elem()
	}
	return t
}

// pointsAtConstant tells pointers through which nothing is changed.
func pointsAtConstant(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && constant(Innermost(p.Elem()))
}

// initialized notes what an initializer gives to members and elements.
func (f *Facts) initialized(d *cc.InitDeclarator, from *cc.FunctionDefinition) {
	switch d.Declarator.Type().Kind() {
	case cc.Array, cc.Struct:
		f.listed(d.Declarator, d.Initializer, from)
	}
}

// listed notes what a list in braces gives, with those within it.
func (f *Facts) listed(d *cc.Declarator, list *cc.Initializer, from *cc.FunctionDefinition) {
	array := d.Type().Kind() == cc.Array
	for i := list.InitializerList; i != nil; i = i.InitializerList {
		x := i.Initializer
		if x.Case == cc.InitializerInitList {
			f.listed(d, x, from)
			continue
		}
		if x.AssignmentExpression == nil || x.Type() == nil || !tree.IsInteger(x.Type()) {
			if array {
				f.elements(d).Other = true
			}
			continue
		}
		if array {
			e := f.elements(d)
			offset := x.Offset() + tree.Bits(x.Field())
			e.At[offset] = append(e.At[offset], Assignment{x.AssignmentExpression, from})
			e.Other = e.Other || x.Len() != 1
		}
		if field := x.Field(); field != nil && field.Declarator() != nil {
			f.Assigned[field.Declarator()] = append(f.Assigned[field.Declarator()], Assignment{x.AssignmentExpression, from})
		}
	}
}

// AssignedThrough is the pointer variable that a node assigns through: *p = …, p[0] = …, (*p)++.
func AssignedThrough(n cc.Node) *cc.Declarator {
	target, _ := Assigned(n)
	if target == nil {
		return nil
	}
	switch x := tree.Strip(target).(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			return tree.Variable(x.CastExpression)
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionIndex {
			base, _ := tree.Subscript(x)
			return tree.Variable(base)
		}
	}
	return nil
}

// AssignedElement is the variable of whose integers a node assigns one.
func AssignedElement(n cc.Node) *cc.Declarator {
	p := assignedInteger(n)
	if p == nil {
		return nil
	}
	d, _, _ := Part(p, constantIndex)
	return d
}
