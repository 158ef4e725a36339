package lower

import (
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// read lowers an element of an array or a member of a structure as a value.
func (l *lowerer) read(e cc.ExpressionNode) *operand {
	if tree.IsPointer(e.Type()) {
		return literal(nest.I64)
	}
	if k, name, ok := l.registerMember(e); ok {
		if tree.IsInteger(e.Type()) {
			if _, err := l.TryUntold(e); err == nil {
				return literal(typeOf(e.Type()))
			}
		}
		return l.memberOperand(k, name, e.Type())
	}
	if o := l.memberOfValue(e); o != nil {
		return o
	}
	if l.knownElement(e) {
		return literal(typeOf(e.Type()))
	}
	p := l.place(e)
	if p.Scalar != nil {
		return l.readScalar(e, p.Scalar)
	}
	return l.load(e, p)
}

// smallTable bounds the bytes of an array, or of its part, of which no more is known than that an element is chosen by data. Chosen: half of the smallest first level of
// machines of today; whichever of its lines are used, most of them stay.
const smallTable = 16 << 10

// place is where an element lies that is read or written. Where data choose it of a small array, all elements are taken to be used in turn: that is said.
func (l *lowerer) place(e cc.ExpressionNode) value.Place {
	p, err := l.TryAddress(e)
	if err == nil {
		return p
	}
	n, ok := tree.Strip(e).(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionIndex || l.innermost == nil || !l.takenInTurn[err.Pos] && !l.mayTakeInTurn(e) || !cc.IsArithmeticType(e.Type()) {
		panic(err)
	}
	table, index := tree.Subscript(n)
	if _, why := l.TryInt(index); why == nil || why.Undefined || why.Wrap || why.ByThread || parse.AssignsSomething(index) {
		panic(err)
	}
	var base value.Place
	if parse.Attempt(func() { base = l.Pointer(table) }) != nil || base.Object == nil {
		panic(err)
	}
	size := e.Type().Size()
	bytes := value.Below(index) * size
	if base.Object.Bytes > 0 {
		if l.Interval(base.Offset).Lo < 0 {
			panic(err)
		}
		bytes = least(bytes, base.Object.Bytes-l.Interval(base.Offset).Hi)
	}
	if t := table.Type().Undecay(); t != nil && t.Kind() == cc.Array {
		bytes = least(bytes, t.Size())
	}
	elements := bytes / size
	if elements < 1 || bytes > smallTable {
		panic(err)
	}
	l.Warn(e, "which element %s is is not known before the run; %d bytes of %s are taken to be used in turn, so that smaller caches may miss more than is told", tree.Text(e), bytes, base.Object.Name)
	l.usedInTurn = true
	l.chosen = chosenElement{e, l.value(index)}
	return value.Place{Object: base.Object, Offset: value.Normal(expr.Binary(expr.OpAdd, base.Offset, expr.Binary(expr.OpMul, l.inTurn(elements), expr.Int(size))))}
}

// least is the smaller of two numbers of bytes, where 0 is one that is not known.
func least(a, b int64) int64 {
	if a == 0 || b < a {
		return b
	}
	return a
}

// chosenElement is an element that data choose, and the value that does.
type chosenElement struct {
	e  cc.ExpressionNode
	by *operand
}

// mayTakeInTurn tells whether an element, or what chooses it, is known to keep a part of the function from being read.
func (l *lowerer) mayTakeInTurn(e cc.ExpressionNode) bool {
	found := false
	tree.Each(e, func(n cc.Node) bool {
		found = found || len(l.takenInTurn) > 0 && l.takenInTurn[parse.Position(n)]
		return !found
	})
	return found
}

// inTurn counts iterations of the innermost loop, from 0 up to a number and again.
func (l *lowerer) inTurn(n int64) *expr.Expr {
	first := int64(0)
	r := l.Ranges[*l.innermost]
	if r.Lo > expr.Whole.Lo {
		first = r.Lo
	}
	at := expr.Binary(expr.OpSub, expr.Ref(*l.innermost), expr.Int(first))
	if r.Hi-first < n {
		return at
	}
	return expr.Binary(expr.OpMod, at, expr.Int(n))
}

// knownElement tells an integer in a table – an array by its name – whose value the source tells: it is in a register.
func (l *lowerer) knownElement(e cc.ExpressionNode) bool {
	if !tree.IsInteger(e.Type()) {
		return false
	}
	base := e
	for {
		n, ok := base.(*cc.PostfixExpression)
		if !ok || n.Case != cc.PostfixExpressionIndex {
			break
		}
		base, _ = tree.Subscript(n)
		base = tree.Strip(base)
	}
	if d := tree.Variable(base); base == e || d == nil || d.Type().Kind() != cc.Array {
		return false
	}
	_, err := l.TryUntold(e)
	return err == nil
}

// readScalar reads a variable: an integer that is known takes no operation, others are in a register.
func (l *lowerer) readScalar(e cc.ExpressionNode, d *cc.Declarator) *operand {
	if x := l.Ints.Of(d); x != nil {
		return l.ofCounters(x, typeOf(d.Type()))
	}
	return l.scalarOperand(d)
}

// load reads memory.
func (l *lowerer) load(e cc.ExpressionNode, p value.Place) *operand {
	return ofParts(e.Type(), func(x part) *operand { return l.loadPart(e, p, x) })
}

// loadPart reads a number in memory.
func (l *lowerer) loadPart(e cc.ExpressionNode, p value.Place, x part) *operand {
	if _, affine := expr.AffineOf(p.Offset); !affine && l.once < 0 {
		if part, c, a, b := p.Offset.Choice(); part != nil && value.RowPointer(e) == nil {
			to := nest.Value{Kind: nest.Scalar, N: l.temporary()}
			l.byChoice(e, p, part, c, a, b, func(p value.Place) {
				v := l.loadPart(e, p, x)
				l.at(e)
				l.move(v, to)
			})
			return &operand{v: to, t: x.t}
		}
	}
	s := l.at(e)
	if l.once >= 0 {
		at := behind(p, x)
		for i := l.once; i < len(s.Accesses); i++ {
			if a := s.Accesses[i]; !a.Write && a.Object == at.Object && expr.Equal(a.Offset, at.Offset) {
				return l.track(&operand{v: nest.Value{Kind: nest.Load, N: i}, t: x.t})
			}
		}
	}
	o := l.track(&operand{v: nest.Value{Kind: nest.Load, N: l.access(e, p, x, false)}, t: x.t})
	if l.chosen.e == e && !l.chosen.by.literal && len(l.chosen.by.numbers()) == 1 {
		by := l.chosen.by
		l.chosen = chosenElement{}
		return l.operation(e, nest.Operation{Kind: nest.Lookup, Type: x.t}, by, o)
	}
	return o
}

// byChoice makes an access whose place a condition on loop variables chooses in each of both places: neighbours beyond an edge, c ? i : i - 1.
func (l *lowerer) byChoice(e cc.Node, p value.Place, part, c, a, b *expr.Expr, access func(value.Place)) {
	at := func(arm *expr.Expr) value.Place {
		return value.Place{Object: p.Object, Offset: value.Normal(p.Offset.Replace(part, arm))}
	}
	c = value.Normal(c)
	switch {
	case l.Always(c):
		access(at(a))
	case l.Never(c):
		access(at(b))
	default:
		var yes, no []nest.Node
		l.Under(c, func() { yes = l.collect(func() { access(at(a)) }) })
		l.Under(expr.Unary(expr.OpNot, c), func() { no = l.collect(func() { access(at(b)) }) })
		l.emit(&nest.If{Cond: c, Then: yes, Else: no, Pos: parse.Position(e)})
	}
}

// behind is where a part of what lies at a place begins.
func behind(p value.Place, x part) value.Place {
	if x.offset == 0 {
		return p
	}
	return value.Place{Object: p.Object, Offset: value.Normal(expr.Binary(expr.OpAdd, p.Offset, expr.Int(x.offset)))}
}

// access appends a load or a store of a number, or of a part of one, to the statement.
func (l *lowerer) access(e cc.ExpressionNode, p value.Place, x part, write bool) int {
	t := e.Type()
	if !cc.IsArithmeticType(t) && t.Kind() != cc.Enum {
		l.Fail(e, "copy its members one by one", "%s as a whole", tree.Text(e))
	}
	if row := value.RowPointer(e); row != nil && x.offset == 0 && !(write && l.rowKnown) {
		l.pointerAccess(row, l.Address(row), false)
	} else if m := l.MemberPointer(e); m != nil && x.offset == 0 && !(write && l.rowKnown) {
		l.pointerAccess(m, l.Address(m), false)
	}
	if x.offset == 0 {
		l.lookUp(e, e)
	}
	if subscriptVaries(e) {
		l.inMemory[p.Object] = true
	}
	if f := bitField(e); f != nil {
		x.size = f.AccessBytes()
	}
	s := l.at(e)
	if p.Object.Elem == 0 {
		p.Object.Elem = x.size
	}
	s.Accesses = append(s.Accesses, &nest.Access{
		Object: p.Object, Offset: behind(p, x).Offset, Size: x.size, Write: write, Pos: parse.Position(l.written(e)), Text: tree.Text(l.written(e)),
	})
	return len(s.Accesses) - 1
}

// subscriptVaries tells whether an element is chosen by more than constants.
func subscriptVaries(e cc.ExpressionNode) bool {
	varies := false
	tree.Each(e, func(n cc.Node) bool {
		if x, ok := n.(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionIndex {
			_, index := tree.Subscript(x)
			_, constant := parse.IntegerValue(index.Value())
			varies = varies || !constant
		}
		return !varies
	})
	return varies
}

// loadRow loads the pointer in memory that a pointer expression is made of, where it is one.
func (l *lowerer) loadRow(e cc.ExpressionNode) {
	if row := value.RowBelow(e); row != nil {
		_ = parse.Attempt(func() { l.pointerAccess(row, l.Address(row), false) })
	}
}

// pointerAccess is the load or the store of a pointer that lies in memory, behind those that it lies behind itself.
func (l *lowerer) pointerAccess(e cc.ExpressionNode, at value.Place, write bool) {
	if row := value.RowPointer(e); row != nil {
		l.pointerAccess(row, l.Address(row), false)
	}
	if at.Object == nil {
		return
	}
	s := l.at(e)
	s.Accesses = append(s.Accesses, &nest.Access{Object: at.Object, Offset: at.Offset, Size: 8, Write: write, Pos: parse.Position(e), Text: tree.Text(e)})
	op := nest.Operation{Kind: nest.Move, Type: nest.I64}
	here := nest.Value{Kind: nest.Load, N: len(s.Accesses) - 1}
	if write {
		op.Args, op.Out = []nest.Value{{Kind: nest.Const}}, nest.Value{Kind: nest.Store, N: here.N}
	} else {
		op.Args = []nest.Value{here}
	}
	s.Flow = append(s.Flow, op)
}

// store writes a value to memory.
func (l *lowerer) store(e cc.ExpressionNode, p value.Place, o *operand) *operand {
	o = l.convertTo(e, o, e.Type())
	i := -1
	return ofParts(e.Type(), func(x part) *operand {
		i++
		return l.storePart(e, p, o.numbers()[i], x)
	})
}

// storePart writes a number to memory.
func (l *lowerer) storePart(e cc.ExpressionNode, p value.Place, o *operand, x part) *operand {
	if _, affine := expr.AffineOf(p.Offset); !affine && value.RowPointer(e) == nil {
		if part, c, a, b := p.Offset.Choice(); part != nil {
			kept := nest.Value{Kind: nest.Scalar, N: l.temporary()}
			l.at(e)
			l.move(o, kept)
			l.byChoice(e, p, part, c, a, b, func(p value.Place) { l.storePart(e, p, &operand{v: kept, t: x.t}, x) })
			return &operand{v: kept, t: x.t}
		}
	}
	if l.chosen.e == e {
		l.chosen.by.used, l.chosen = true, chosenElement{}
	}
	i := l.access(e, p, x, true)
	l.move(o, nest.Value{Kind: nest.Store, N: i})
	return l.again(o)
}

// again is a value that was used once and may be used once more.
func (l *lowerer) again(o *operand) *operand {
	c := *o
	c.used = c.v.Kind == nest.Temp || c.v.Kind == nest.Load
	return &c
}

// lookUp reads the elements of arrays whose numbers a run told, in an expression that chooses what is accessed or how often, as the program does: once in a
// statement. The element that an access is of is read by that, and left out.
func (l *lowerer) lookUp(e cc.ExpressionNode, but cc.ExpressionNode) {
	for _, x := range l.Looked(e) {
		if x == but {
			continue
		}
		at := l.Address(x)
		s := l.at(x)
		known := func(a *nest.Access) bool { return !a.Write && a.Object == at.Object && expr.Equal(a.Offset, at.Offset) }
		if at.Object == nil || slices.ContainsFunc(s.Accesses, known) {
			continue
		}
		l.load(x, at).used = true
		s = l.at(x)
		s.Flow = append(s.Flow, nest.Operation{Kind: nest.Move, Type: typeOf(x.Type()), Args: []nest.Value{{Kind: nest.Load, N: len(s.Accesses) - 1}}})
	}
}

// memory lowers memset, memcpy and memmove as a loop over elements.
func (l *lowerer) memory(n *cc.PostfixExpression, name string) *operand {
	args := tree.Arguments(n)
	if len(args) != 3 {
		l.Fail(n, "", "%s needs three arguments", name)
	}
	to, from := l.Pointer(args[0]), value.Place{}
	if name != "memset" {
		from = l.Pointer(args[1])
		if to.Scalar != nil || from.Scalar != nil {
			return l.copyNumber(n, to, from)
		}
	}
	elem := l.elementOf(args[0], to)
	if name != "memset" {
		elem = min(elem, l.elementOf(args[1], from))
	}
	l.dropElements(to.Object)
	if name != "memset" {
		l.forgetObject(to.Object)
	}
	bytes, err := l.TryInt(args[2])
	if err != nil && !err.Data {
		panic(err)
	}
	if err != nil {
		l.Fail(n, "write a loop, or "+parse.TraceRemedy, "the size of %s is not known", tree.Text(n))
	}
	l.elementLoop(n, name, to, from, elem, bytes)
	return literal(nest.I64)
}

// copyNumber lowers memcpy into a variable or out of one, by which programs read and write numbers at any place: compilers make one access of it.
func (l *lowerer) copyNumber(n *cc.PostfixExpression, to, from value.Place) *operand {
	args := tree.Arguments(n)
	d, other, at, write := to.Scalar, args[1], from, false
	if d == nil {
		d, other, at, write = from.Scalar, args[0], to, true
	}
	bytes, known := value.TryConstant(l.TryInt(args[2]))
	if !known || bytes < 1 || bytes > d.Type().Size() || !cc.IsArithmeticType(d.Type()) || at.Object == nil && at.Scalar == nil {
		l.Fail(n, parse.TraceRemedy, "%s is no array", tree.Text(args[0]))
	}
	t := typeOf(d.Type())
	if at.Scalar != nil {
		l.setScalar(n, d, literal(t))
		return literal(nest.I64)
	}
	v := l.readScalar(n, d)
	s := l.at(n)
	s.Accesses = append(s.Accesses, &nest.Access{Object: at.Object, Offset: at.Offset, Size: bytes, Write: write, Pos: parse.Position(n), Text: "*" + tree.Text(other)})
	i := len(s.Accesses) - 1
	if !write {
		l.setScalar(n, d, l.track(&operand{v: nest.Value{Kind: nest.Load, N: i}, t: t}))
		return literal(nest.I64)
	}
	l.move(v, nest.Value{Kind: nest.Store, N: i})
	l.dropElements(at.Object)
	l.forgetObject(at.Object)
	return literal(nest.I64)
}

// elementOf is the size of the elements that a pointer argument points at.
func (l *lowerer) elementOf(e cc.ExpressionNode, p value.Place) int64 {
	if p.Object == nil {
		l.Fail(e, parse.TraceRemedy, "%s is no array", tree.Text(e))
	}
	if p.Object.Elem > 0 {
		return p.Object.Elem
	}
	return 1
}
