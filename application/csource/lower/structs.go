package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// maxWholeCopy bounds the bytes of a structure that is copied as a whole.
const maxWholeCopy = 4096

// assignStruct lowers a = b of structures, member by member.
func (l *lowerer) assignStruct(n *cc.AssignmentExpression) *operand {
	from, to := l.Address(n.AssignmentExpression), l.Address(n.UnaryExpression)
	l.copyMembers(n, n.UnaryExpression.Type(), from, to)
	return literal(nest.I64)
}

// copyStruct lowers struct s d = e.
func (l *lowerer) copyStruct(d *cc.Declarator, e cc.ExpressionNode) {
	to := value.Place{Object: l.VariableObject(d, d), Offset: expr.Int(0)}
	from, err := l.TryAddress(e)
	if err != nil {
		l.Fail(e, "set its members one by one", "%s as a value of a structure", tree.Text(e))
	}
	l.copyMembers(e, d.Type(), from, to)
}

// copyMembers reads and writes every scalar of a type.
func (l *lowerer) copyMembers(n cc.ExpressionNode, t cc.Type, from, to value.Place) {
	l.forgetObject(to.Object)
	if from.Object == nil || to.Object == nil || t.Size() > maxWholeCopy {
		l.Fail(n, "copy its members one by one", "%s copies a whole structure", tree.Text(n))
	}
	s, what := l.at(n), tree.Text(n)
	eachScalar(t, 0, func(off, size int64, t cc.Type) {
		at := expr.Int(off)
		s.Accesses = append(s.Accesses,
			&nest.Access{
				Object: from.Object, Offset: value.Normal(expr.Binary(expr.OpAdd, from.Offset, at)), Size: size,
				Pos: parse.Position(n), Text: what,
			},
			&nest.Access{
				Object: to.Object, Offset: value.Normal(expr.Binary(expr.OpAdd, to.Offset, at)), Size: size, Write: true,
				Pos: parse.Position(n), Text: what,
			})
		i := len(s.Accesses)
		s.Flow = append(s.Flow, nest.Operation{
			Kind: nest.Move, Type: typeOf(t),
			Args: []nest.Value{{Kind: nest.Load, N: i - 2}}, Out: nest.Value{Kind: nest.Store, N: i - 1},
		})
	})
}

// forgetObject drops what is known of the members of a structure.
func (l *lowerer) forgetObject(o *nest.Object) {
	for m := range l.Members {
		if m.Object == o {
			l.Members[m] = value.Place{}
		}
	}
	for m := range l.Fields {
		if m.Object == o {
			l.Fields[m] = nil
		}
	}
}

// eachScalar calls f for every scalar in a type.
func eachScalar(t cc.Type, off int64, f func(off, size int64, t cc.Type)) {
	switch x := t.(type) {
	case *cc.StructType:
		for i := range x.NumFields() {
			if m := x.FieldByIndex(i); m != nil {
				eachScalar(m.Type(), off+m.Offset(), f)
			}
		}
	case *cc.UnionType:
		if x.NumFields() > 0 {
			eachScalar(x.FieldByIndex(0).Type(), off, f)
		}
	case *cc.ArrayType:
		for i := range max(0, x.Len()) {
			eachScalar(x.Elem(), off+i*x.Elem().Size(), f)
		}
	default:
		f(off, t.Size(), t)
	}
}

// initializeAggregate lowers double a[3] = {…} of an automatic variable: a store for each value given; an array
// that is not given in full is set to zero first, as compilers do.
func (l *lowerer) initializeAggregate(d *cc.Declarator, init *cc.Initializer) {
	t := d.Type()
	if t.Kind() != cc.Array && t.Kind() != cc.Struct && t.Kind() != cc.Union {
		if first := init.InitializerList; first != nil && first.Initializer.AssignmentExpression != nil {
			l.assignVariable(init, d, first.Initializer.AssignmentExpression)
		}
		return
	}
	a := aggregate{d: d, to: value.Place{Object: l.VariableObject(d, d), Offset: expr.Int(0)}}
	l.forgetObject(a.to.Object)
	values := leaves(init, t.Kind() == cc.Array)
	if elem := value.ElemSize(t); t.Kind() == cc.Array && elem > 0 && int64(len(values))*elem < t.Size() {
		a.zeroed = true
		l.elementLoop(init, "zero", a.to, value.Place{}, elem, expr.Int(t.Size()))
	}
	for _, v := range values {
		l.initializeOne(a, v)
	}
}

// aggregate is an array or structure being initialized.
type aggregate struct {
	d      *cc.Declarator
	to     value.Place
	zeroed bool
}

// leaf is an initializer of a scalar.
type leaf struct {
	*cc.Initializer
	inArray bool // it is an element of an array, not a member of the variable itself
}

// leaves lists the scalars that an initializer gives.
func leaves(init *cc.Initializer, inArray bool) []leaf {
	var all []leaf
	for i := init.InitializerList; i != nil; i = i.InitializerList {
		x := i.Initializer
		if x.AssignmentExpression != nil {
			all = append(all, leaf{x, inArray})
			continue
		}
		nested := inArray || x.Type() != nil && x.Type().Kind() == cc.Array
		all = append(all, leaves(x, nested)...)
	}
	return all
}

// initializeOne gives one member or element its first value.
func (l *lowerer) initializeOne(a aggregate, x leaf) {
	e := x.AssignmentExpression
	t := x.Type()
	if t == nil || !cc.IsArithmeticType(t) {
		if tree.IsPointer(e.Type()) {
			var p value.Place
			if err := parse.Attempt(func() { p = l.Pointer(e) }); err == nil {
				l.Members[value.Member{Object: a.to.Object, Offset: x.Offset()}] = p
			}
			return
		}
		t = e.Type()
	}
	switch v, constant := parse.IntegerValue(e.Value()); {
	case !x.inArray:
		l.initializeMember(a, x, t)
		return
	case a.zeroed && constant && v == 0:
		return
	}
	v := l.convert(e, l.value(e), typeOf(t))
	s := l.at(e)
	s.Accesses = append(s.Accesses, &nest.Access{
		Object: a.to.Object, Offset: expr.Int(x.Offset()), Size: t.Size(), Write: true, Pos: parse.Position(e), Text: a.d.Name(),
	})
	l.move(v, nest.Value{Kind: nest.Store, N: len(s.Accesses) - 1})
}

// initializeMember sets a scalar member of a structure variable, which lives in a register.
func (l *lowerer) initializeMember(a aggregate, x leaf, t cc.Type) {
	e := x.AssignmentExpression
	if tree.IsInteger(t) {
		if v, ok := l.trackable(e, t); ok {
			l.Fields[value.Initialized(x.Initializer, a.to.Object)] = value.Normal(v)
			return
		}
	}
	v := l.convert(e, l.value(e), typeOf(t))
	l.at(e)
	k := scalarKey{d: a.d, off: x.Offset() + 1}
	l.move(v, nest.Value{Kind: nest.Scalar, N: l.scalarIndex(k, a.d.Name())})
}
