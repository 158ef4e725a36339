package lower

import (
	"fmt"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// maxWholeCopy bounds the bytes of a structure that is copied as a whole.
const maxWholeCopy = 4096

// assignStruct lowers a = b of structures.
func (l *lowerer) assignStruct(n *cc.AssignmentExpression) *operand {
	to := l.Address(n.UnaryExpression)
	if from := tree.Strip(n.AssignmentExpression); isLiteral(from) { // its values may be of what it is assigned to
		l.copyMembers(from, from.Type(), l.structValue(from), to)
	} else {
		l.setStruct(to, n.UnaryExpression.Type(), from)
	}
	return literal(nest.I64)
}

// copyStruct lowers struct s d = e.
func (l *lowerer) copyStruct(d *cc.Declarator, e cc.ExpressionNode) {
	l.setStruct(value.Place{Object: l.VariableObject(d, d), Offset: expr.Int(0)}, d.Type(), e)
}

// setStruct makes a structure what an expression gives: a copy of another, or what a function or a literal builds there.
func (l *lowerer) setStruct(to value.Place, t cc.Type, e cc.ExpressionNode) {
	e = tree.Strip(e)
	switch n := e.(type) {
	case *cc.PostfixExpression:
		switch {
		case n.Case == cc.PostfixExpressionCall:
			l.structFromCall(to, t, n)
			return
		case isLiteral(n) && l.Held[to.Object].Type == nil: // members that are not given are written too
			l.copyMembers(n, t, l.structValue(n), to)
			return
		case isLiteral(n):
			l.forgetObject(to.Object)
			l.initializeMembers(aggregate{to: to, what: tree.Text(n.TypeName)}, n.InitializerList, false)
			return
		}
	case *cc.ConditionalExpression:
		l.chooseStruct(to, t, n)
		return
	case *cc.AssignmentExpression:
		from := l.structValue(n.AssignmentExpression)
		l.copyMembers(n, t, from, l.Address(n.UnaryExpression))
		l.copyMembers(n, t, from, to)
		return
	case *cc.ExpressionList:
		for ; n.ExpressionList != nil; n = n.ExpressionList {
			l.value(n.AssignmentExpression).used = true
		}
		l.setStruct(to, t, n.AssignmentExpression)
		return
	}
	from, err := l.TryAddress(e)
	if err != nil {
		l.Fail(e, "set its members one by one", "%s as a value of a structure", tree.Text(e))
	}
	l.copyMembers(e, t, from, to)
}

// isLiteral says whether an expression is a compound literal of a structure, (struct s){…}.
func isLiteral(e cc.ExpressionNode) bool {
	n, ok := e.(*cc.PostfixExpression)
	return ok && n.Case == cc.PostfixExpressionComplit && (n.Type().Kind() == cc.Struct || n.Type().Kind() == cc.Union)
}

// structValue is a structure that is no variable: what a function gives, a literal, or one of two.
func (l *lowerer) structValue(e cc.ExpressionNode) value.Place {
	p := l.unnamed(e.Type())
	l.setStruct(p, e.Type(), e)
	return p
}

// unnamed is a new structure that has no name.
func (l *lowerer) unnamed(t cc.Type) value.Place {
	l.temporaries++
	o := &nest.Object{Name: fmt.Sprintf("value%d", l.temporaries), Bytes: t.Size(), Elem: value.ElemSize(t), Private: true}
	l.Held[o] = value.Held{Number: l.temporaries, Type: t}
	return value.Place{Object: o, Offset: expr.Int(0)}
}

// isStructValue says of an expression that structValue is asked for it.
func isStructValue(e cc.ExpressionNode) bool {
	switch n := tree.Strip(e).(type) {
	case *cc.PostfixExpression:
		return n.Case == cc.PostfixExpressionCall || isLiteral(n)
	case *cc.ConditionalExpression, *cc.AssignmentExpression, *cc.ExpressionList:
		return true
	}
	return false
}

// chooseStruct lowers c ? a : b of structures.
func (l *lowerer) chooseStruct(to value.Place, t cc.Type, n *cc.ConditionalExpression) {
	yes, no := tree.Taken(n), n.ConditionalExpression
	c, err := l.TryTruth(n.LogicalOrExpression)
	switch {
	case err == nil && l.Always(c):
		l.setStruct(to, t, yes)
	case err == nil && l.Never(c):
		l.setStruct(to, t, no)
	case err == nil:
		var a, b []nest.Node
		l.Under(c, func() { a = l.collect(func() { l.setStruct(to, t, yes) }) })
		l.Under(expr.Unary(expr.OpNot, c), func() { b = l.collect(func() { l.setStruct(to, t, no) }) })
		l.emit(&nest.If{Cond: c, Then: a, Else: b, Pos: parse.Position(n)})
		l.forgetObject(to.Object)
	default:
		if tree.TouchesMemory(yes) || tree.TouchesMemory(no) {
			l.Warn(n, "the condition %s is not known before the run; both sides are counted as executed", tree.Text(n.LogicalOrExpression))
		}
		l.value(n.LogicalOrExpression).used = true
		one := l.unnamed(t)
		l.setStruct(one, t, yes)
		l.setStruct(one, t, no)
		l.forgetObject(one.Object)
		l.copyMembers(n, t, one, to)
	}
}

// copyMembers moves every scalar of a type; what lives in memory is read and written.
func (l *lowerer) copyMembers(n cc.ExpressionNode, t cc.Type, from, to value.Place) {
	if from.Object == nil || to.Object == nil || t.Size() > maxWholeCopy {
		l.forgetObject(to.Object)
		l.Fail(n, "copy its members one by one", "%s copies a whole structure", tree.Text(n))
	}
	if from.Object == to.Object && expr.Equal(from.Offset, to.Offset) {
		return
	}
	l.carryMembers(from, to, t.Size())
	s, vector := l.at(n), parse.IsVector(t)
	eachScalar(t, 0, func(off, size int64, t cc.Type) {
		if vector { // a move of one instruction
			l.flush()
			l.lane = nest.OtherLane
			if off == 0 {
				l.lane = nest.FirstLane
			}
			s = l.at(n)
		}
		a := l.member(s, n, from, off, size, false)
		b := l.member(s, n, to, off, size, true)
		if a.Kind == nest.Load && b.Kind == nest.Scalar && typeOf(t).IsFloat() {
			l.copied[s.Accesses[a.N]] = b.N
		}
		if a != b {
			s.Flow = append(s.Flow, nest.Operation{Kind: nest.Move, Type: typeOf(t), Args: []nest.Value{a}, Out: b})
		}
	})
	if vector {
		l.flush()
		l.lane = nest.NoLane
	}
}

// member is a scalar in a structure, in a register or accessed in memory.
func (l *lowerer) member(s *nest.Stmt, n cc.ExpressionNode, p value.Place, off, size int64, write bool) nest.Value {
	if v, ok := l.register(p, off); ok {
		return v
	}
	s.Accesses = append(s.Accesses, &nest.Access{
		Object: p.Object, Offset: value.Normal(expr.Binary(expr.OpAdd, p.Offset, expr.Int(off))), Size: size, Write: write,
		Pos: parse.Position(l.written(n)), Text: tree.Text(l.written(n)),
	})
	kind := nest.Load
	if write {
		kind = nest.Store
	}
	return nest.Value{Kind: kind, N: len(s.Accesses) - 1}
}

// register is where a scalar of a structure lives, bytes behind a place; false: in memory.
func (l *lowerer) register(p value.Place, bytes int64) (nest.Value, bool) {
	if p.Object == nil {
		return nest.Value{}, false
	}
	held, ok := l.Held[p.Object]
	base, constant := value.Constant(p.Offset)
	if !ok || !constant || inArray(held.Type, base+bytes) {
		return nest.Value{}, false
	}
	k := scalarKey{d: held.Variable, tmp: held.Number, off: base + bytes + 1}
	return nest.Value{Kind: nest.Scalar, N: l.scalarIndex(k, p.Object.Name)}, true
}

// isWhole says whether a place is a variable or a value of a type, not a part of one.
func (l *lowerer) isWhole(p value.Place, t cc.Type) bool {
	if p.Object == nil {
		return false
	}
	held, ok := l.Held[p.Object]
	base, constant := value.Constant(p.Offset)
	return ok && constant && base == 0 && held.Type.Kind() == t.Kind() && held.Type.Size() == t.Size()
}

// inArray says whether what lies at an offset in a type belongs to an array.
func inArray(t cc.Type, off int64) bool {
	switch x := t.(type) {
	case *cc.ArrayType:
		return true
	case *cc.StructType:
		for i := range x.NumFields() {
			if m := x.FieldByIndex(i); m != nil && off >= m.Offset() && off < m.Offset()+m.Type().Size() {
				return inArray(m.Type(), off-m.Offset())
			}
		}
	case *cc.UnionType:
		m := copiedAs(x)
		return m != nil && inArray(m, off)
	}
	return false
}

// copiedAs is the type of the member as which a union is copied: the first of its size that holds no array, else the first; nil: there is none.
func copiedAs(u *cc.UnionType) cc.Type {
	var first cc.Type
	for i := range u.NumFields() {
		m := u.FieldByIndex(i)
		if m == nil {
			continue
		}
		arrays := false
		eachScalar(m.Type(), 0, func(off, _ int64, _ cc.Type) { arrays = arrays || inArray(m.Type(), off) })
		if !arrays && m.Type().Size() == u.Size() {
			return m.Type()
		}
		if first == nil {
			first = m.Type()
		}
	}
	return first
}

// structFromCall makes a structure what a function returns.
func (l *lowerer) structFromCall(to value.Place, t cc.Type, n *cc.PostfixExpression) {
	fd := l.Facts.ByName[tree.Callee(n)]
	if d := tree.Variable(n.PostfixExpression); tree.Callee(n) == "" || d != nil && d.Type().Kind() == cc.Ptr {
		fd = l.pointedAt(n)
	}
	switch {
	case fd == nil:
	case l.Held[to.Object].Type == nil: // it is stored once, wherever the function returns
		from := l.unnamed(t)
		l.structFromCall(from, t, n)
		l.copyMembers(n, t, from, to)
		return
	default:
		l.into = to
		l.inline(n, fd).used = true
		return
	}
	l.unknownCall(n, tree.Callee(n), nest.I64).used = true
	l.forgetObject(to.Object)
	l.copyMembers(n, t, l.unnamed(t), to)
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

// dropStruct forgets what is known of a structure that is assigned as a whole.
func (l *lowerer) dropStruct(e cc.ExpressionNode) {
	at, err := l.TryAddress(e)
	if err != nil || at.Object == nil {
		for _, name := range parse.MembersOf(e.Type()) {
			l.Unstable[name] = true
		}
		return
	}
	l.Released[at.Object] = l.Released[at.Object] || at.Offset.Op != expr.OpConst
	l.forgetObject(at.Object)
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
		if m := copiedAs(x); m != nil {
			eachScalar(m, off, f)
		}
	case *cc.ArrayType:
		for i := range max(0, x.Len()) {
			eachScalar(x.Elem(), off+i*x.Elem().Size(), f)
		}
	default:
		for _, p := range partsOf(t) {
			f(off+p.offset, p.size, t)
		}
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
	a := aggregate{to: value.Place{Object: l.VariableObject(d, d), Offset: expr.Int(0)}, what: d.Name()}
	l.forgetObject(a.to.Object)
	parse.EachMember(t, 0, func(_ string, off int64, t cc.Type) { // what is not given is 0
		if tree.IsInteger(t) {
			l.Fields[value.Member{Object: a.to.Object, Offset: off}] = expr.Int(0)
		}
	})
	array := t.Kind() == cc.Array
	given := leaves(init.InitializerList, array)
	if elem := value.ElemSize(t); array && elem > 0 && int64(len(given))*elem < t.Size() {
		if t.Size() <= mostStores*elem {
			l.zeroRest(init, a, t, given)
		} else {
			a.zeroed = true
			l.elementLoop(init, "zero", a.to, value.Place{}, elem, expr.Int(t.Size()))
		}
	}
	l.initializeMembers(a, init.InitializerList, array)
}

// mostStores is how many elements of an array are set to zero one by one, not by a loop.
const mostStores = 16

// zeroRest sets the elements of an array to zero for which no value is given.
func (l *lowerer) zeroRest(init *cc.Initializer, a aggregate, t cc.Type, given []leaf) {
	has := map[int64]bool{}
	for _, x := range given {
		has[x.Offset()] = true
	}
	eachScalar(t, 0, func(off, size int64, t cc.Type) {
		if has[off] {
			return
		}
		s := l.at(init)
		s.Accesses = append(s.Accesses, &nest.Access{Object: a.to.Object, Offset: expr.Int(off), Size: size, Write: true, Pos: parse.Position(init), Text: tree.Text(init)})
		l.move(&operand{v: nest.Value{Kind: nest.Const}, t: typeOf(t)}, nest.Value{Kind: nest.Store, N: len(s.Accesses) - 1})
	})
}

// initializeMembers lowers what stands between the braces.
func (l *lowerer) initializeMembers(a aggregate, list *cc.InitializerList, inArray bool) {
	for _, v := range leaves(list, inArray) {
		l.initializeOne(a, v)
	}
}

// aggregate is an array or structure being initialized.
type aggregate struct {
	to     value.Place
	what   string
	zeroed bool
}

// leaf is an initializer of a scalar.
type leaf struct {
	*cc.Initializer
	inArray bool // it is an element of an array, not a member of the variable itself
}

// leaves lists the values that stand between braces.
func leaves(list *cc.InitializerList, inArray bool) []leaf {
	var all []leaf
	for i := list; i != nil; i = i.InitializerList {
		x := i.Initializer
		if x.AssignmentExpression != nil {
			all = append(all, leaf{x, inArray})
			continue
		}
		nested := inArray || x.Type() != nil && x.Type().Kind() == cc.Array
		all = append(all, leaves(x.InitializerList, nested)...)
	}
	return all
}

// initializeOne gives one member or element its first value.
func (l *lowerer) initializeOne(a aggregate, x leaf) {
	e := x.AssignmentExpression
	t := x.Type()
	if k := e.Type().Kind(); k == cc.Struct || k == cc.Union {
		l.setStruct(l.Plus(e, a.to, expr.Int(x.Offset())), e.Type(), e)
		return
	}
	at := value.Initialized(x.Initializer, a.to.Object)
	if base, ok := value.Constant(a.to.Offset); ok {
		at.Offset += base
	}
	if t == nil || !cc.IsArithmeticType(t) {
		if tree.IsPointer(e.Type()) {
			name := a.what
			if f := x.Field(); f != nil {
				name += "." + f.Name()
			}
			if p := l.memberValue(e, e.Type(), name); p.Object != nil || p.Scalar != nil {
				l.Members[at] = p
			}
			return
		}
		t = e.Type()
	}
	v, constant := parse.IntegerValue(e.Value())
	if x.inArray && a.zeroed && constant && v == 0 {
		return
	}
	held := l.Held[a.to.Object].Type != nil
	if known, ok := l.trackable(e, t); ok && held && tree.IsInteger(t) {
		l.Fields[at] = value.Normal(known)
		if _, register := l.register(a.to, x.Offset()); register {
			return
		}
	}
	o := l.convertTo(e, l.value(e), t).numbers()
	for i, p := range partsOf(t) {
		l.move(o[i], l.member(l.at(e), e, a.to, x.Offset()+p.offset, p.size, true))
	}
}
