package csource

import (
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// maxWholeCopy bounds the bytes of a structure that is copied as a whole.
const maxWholeCopy = 4096

// assignStruct lowers a = b of structures, member by member.
func (l *lowerer) assignStruct(n *cc.AssignmentExpression) *operand {
	from, to := l.address(n.AssignmentExpression), l.address(n.UnaryExpression)
	l.copyMembers(n, n.UnaryExpression.Type(), from, to)
	return literal(nest.I64)
}

// copyStruct lowers struct s d = e.
func (l *lowerer) copyStruct(d *cc.Declarator, e cc.ExpressionNode) {
	to := place{obj: l.variableObject(d, d), off: nest.Int(0)}
	from, err := l.tryAddress(e)
	if err != nil {
		l.fail(e, "set its members one by one", "%s as a value of a structure", text(e))
	}
	l.copyMembers(e, d.Type(), from, to)
}

// copyMembers reads and writes every scalar of a type.
func (l *lowerer) copyMembers(n cc.ExpressionNode, t cc.Type, from, to place) {
	l.forgetObject(to.obj)
	if from.obj == nil || to.obj == nil || t.Size() > maxWholeCopy {
		l.fail(n, "copy its members one by one", "%s copies a whole structure", text(n))
	}
	s := l.at(n)
	eachScalar(t, 0, func(off, size int64, t cc.Type) {
		at := nest.Int(off)
		s.Accesses = append(s.Accesses,
			&nest.Access{Object: from.obj, Offset: normal(nest.Binary(nest.OpAdd, from.off, at)), Size: size, Pos: position(n), Text: text(n)},
			&nest.Access{Object: to.obj, Offset: normal(nest.Binary(nest.OpAdd, to.off, at)), Size: size, Write: true, Pos: position(n), Text: text(n)})
		i := len(s.Accesses)
		s.Flow = append(s.Flow, nest.Operation{
			Kind: nest.Move, Type: typeOf(t),
			Args: []nest.Value{{Kind: nest.Load, N: i - 2}}, Out: nest.Value{Kind: nest.Store, N: i - 1},
		})
	})
}

// forgetObject drops what is known of the members of a structure.
func (l *lowerer) forgetObject(o *nest.Object) {
	for m := range l.members {
		if m.obj == o {
			l.members[m] = place{}
		}
	}
	for m := range l.fields {
		if m.obj == o {
			l.fields[m] = nil
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

// initializeAggregate lowers double a[3] = {…} of an automatic variable: one store for each value given.
func (l *lowerer) initializeAggregate(d *cc.Declarator, init *cc.Initializer) {
	t := d.Type()
	if t.Kind() != cc.Array && t.Kind() != cc.Struct && t.Kind() != cc.Union {
		if init.InitializerList != nil && init.InitializerList.Initializer.AssignmentExpression != nil {
			l.assignVariable(init, d, init.InitializerList.Initializer.AssignmentExpression)
		}
		return
	}
	to := place{obj: l.variableObject(d, d), off: nest.Int(0)}
	l.forgetObject(to.obj)
	l.initializeList(d, to, init)
}

func (l *lowerer) initializeList(d *cc.Declarator, to place, init *cc.Initializer) {
	for i := init.InitializerList; i != nil; i = i.InitializerList {
		if i.Initializer.AssignmentExpression == nil {
			l.initializeList(d, to, i.Initializer)
			continue
		}
		l.initializeOne(d, to, i.Initializer)
	}
}

func (l *lowerer) initializeOne(d *cc.Declarator, to place, init *cc.Initializer) {
	e := init.AssignmentExpression
	t := init.Type()
	if f := init.Field(); f != nil {
		t = f.Type()
	}
	if t == nil || !cc.IsArithmeticType(t) {
		if isPointer(e.Type()) {
			if at, ok := l.initialPointer(e); ok {
				l.members[member{to.obj, init.Offset()}] = at
			}
			return
		}
		t = e.Type()
	}
	if d.Type().Kind() != cc.Array {
		l.initializeMember(d, to, init, t)
		return
	}
	v := l.convert(e, l.value(e), typeOf(t))
	s := l.at(e)
	s.Accesses = append(s.Accesses, &nest.Access{
		Object: to.obj, Offset: nest.Int(init.Offset()), Size: t.Size(), Write: true, Pos: position(e), Text: d.Name(),
	})
	l.move(v, nest.Value{Kind: nest.Store, N: len(s.Accesses) - 1})
}

func (l *lowerer) initialPointer(e cc.ExpressionNode) (p place, ok bool) {
	err := attempt(func() { p = l.pointer(e) })
	return p, err == nil
}

// initializeMember sets a scalar member of a structure variable, which lives in a register.
func (l *lowerer) initializeMember(d *cc.Declarator, to place, init *cc.Initializer, t cc.Type) {
	e := init.AssignmentExpression
	if isInteger(t) {
		if x, ok := l.trackable(e); ok {
			l.fields[member{to.obj, init.Offset()}] = normal(x)
			return
		}
	}
	v := l.convert(e, l.value(e), typeOf(t))
	l.at(e)
	k := scalarKey{d: d, off: init.Offset() + 1}
	l.move(v, nest.Value{Kind: nest.Scalar, N: l.scalarIndex(k, d.Name())})
}
