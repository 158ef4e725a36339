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
	if to := l.Address(n.UnaryExpression); !l.structFromCall(to, n.AssignmentExpression) {
		l.copyMembers(n, n.UnaryExpression.Type(), l.Address(n.AssignmentExpression), to)
	}
	return literal(nest.I64)
}

// copyStruct lowers struct s d = e.
func (l *lowerer) copyStruct(d *cc.Declarator, e cc.ExpressionNode) {
	to := value.Place{Object: l.VariableObject(d, d), Offset: expr.Int(0)}
	if l.structFromCall(to, e) {
		return
	}
	from, err := l.TryAddress(e)
	if err != nil {
		l.Fail(e, "set its members one by one", "%s as a value of a structure", tree.Text(e))
	}
	l.copyMembers(e, d.Type(), from, to)
}

// copyMembers reads and writes every scalar of a type.
func (l *lowerer) copyMembers(n cc.ExpressionNode, t cc.Type, from, to value.Place) {
	if from.Object == nil || to.Object == nil || t.Size() > maxWholeCopy {
		l.forgetObject(to.Object)
		l.Fail(n, "copy its members one by one", "%s copies a whole structure", tree.Text(n))
	}
	l.carryMembers(from, to, t.Size())
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

// structFromCall makes a structure what a function of the file returns; false where an expression is no call of one.
func (l *lowerer) structFromCall(to value.Place, e cc.ExpressionNode) bool {
	n := callIn(e)
	if n == nil || l.Facts.ByName[tree.Callee(n)] == nil {
		return false
	}
	l.into = to
	l.inline(n, l.Facts.ByName[tree.Callee(n)]).used = true
	return true
}

// returnStruct makes what the caller sets the structure that a function returns: compilers build it there.
func (l *lowerer) returnStruct(e cc.ExpressionNode) {
	if l.structFromCall(l.result.into, e) {
		return
	}
	from, err := l.TryAddress(e)
	if err != nil || from.Object == nil {
		l.Fail(e, "return a variable", "%s as a value of a structure", tree.Text(e))
	}
	l.carryMembers(from, l.result.into, e.Type().Size())
}

// carryMembers takes over what is known of the members of a structure that is copied into another.
func (l *lowerer) carryMembers(from, to value.Place, size int64) {
	base, ok := value.Constant(from.Offset)
	target, ok2 := value.Constant(to.Offset)
	numbers, pointers := map[int64]*expr.Expr{}, map[int64]value.Place{}
	for m, x := range l.Fields {
		if ok && m.Object == from.Object && m.Offset >= base && m.Offset < base+size {
			numbers[m.Offset-base] = x
		}
	}
	for m, p := range l.Members {
		if ok && m.Object == from.Object && m.Offset >= base && m.Offset < base+size {
			pointers[m.Offset-base] = p
		}
	}
	l.forgetObject(to.Object)
	if !ok2 {
		return
	}
	for off, x := range numbers {
		l.Fields[value.Member{Object: to.Object, Offset: target + off}] = x
	}
	for off, p := range pointers {
		l.Members[value.Member{Object: to.Object, Offset: target + off}] = p
	}
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
	at := value.Initialized(x.Initializer, a.to.Object)
	v := l.convert(e, l.value(e), typeOf(t))
	s := l.at(e)
	s.Accesses = append(s.Accesses, &nest.Access{
		Object: a.to.Object, Offset: expr.Int(x.Offset()), Size: t.Size(), Write: true, Pos: parse.Position(e), Text: a.d.Name(),
	})
	l.move(v, nest.Value{Kind: nest.Store, N: len(s.Accesses) - 1})
	if x, ok := l.trackable(e, t); ok && tree.IsInteger(t) && a.d.Type().Kind() == cc.Struct {
		l.Fields[at] = value.Normal(x)
	}
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
