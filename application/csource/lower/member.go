package lower

import (
	"cmp"
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// readMember is the value of a member that lives in a register.
func (l *lowerer) readMember(v nest.Value, t nest.Type) *operand {
	l.membersRead[v.N] = true
	return &operand{v: v, t: t}
}

// memberOfValue reads f(x).y; nil where the structure is not a value on its way.
func (l *lowerer) memberOfValue(e cc.ExpressionNode) *operand {
	n, ok := tree.Strip(e).(*cc.PostfixExpression)
	off := int64(0)
	for ok && n.Case == cc.PostfixExpressionSelect && n.Field() != nil {
		off += n.Field().Offset()
		if !isStructValue(n.PostfixExpression) {
			n, ok = tree.Strip(n.PostfixExpression).(*cc.PostfixExpression)
			continue
		}
		p := l.structValue(n.PostfixExpression)
		if x := l.Fields[value.FieldAt(e, p.Object, off)]; x != nil {
			return l.ofCounters(x, typeOf(e.Type()))
		}
		if _, ok := l.register(p, off); ok {
			return ofParts(e.Type(), func(x part) *operand {
				v, _ := l.register(p, off+x.offset)
				return l.readMember(v, x.t)
			})
		}
		return l.load(e, l.Plus(e, p, expr.Int(off)))
	}
	return nil
}

// registerMember tells whether e is a scalar member of a structure variable, which lives in a register; behind a pointer, of one that is declared in what
// is lowered.
func (l *lowerer) registerMember(e cc.ExpressionNode) (scalarKey, string, bool) {
	n, ok := tree.Strip(e).(*cc.PostfixExpression)
	off := int64(0)
	for ok && (n.Case == cc.PostfixExpressionSelect || n.Case == cc.PostfixExpressionPSelect) && n.Field() != nil && cc.IsScalarType(e.Type()) {
		off += n.Field().Offset()
		base := tree.Strip(n.PostfixExpression)
		if n.Case == cc.PostfixExpressionPSelect {
			return l.pointedMember(e, off, func() value.Place { return l.Pointer(base) })
		}
		if d := tree.Variable(base); d != nil {
			if k := d.Type().Kind(); k != cc.Struct && k != cc.Union {
				return scalarKey{}, "", false
			}
			held := l.Held[l.VariableObject(e, d)]
			return scalarKey{d: held.Variable, tmp: held.Number, off: off + 1}, tree.Text(e), true
		}
		if u, star := base.(*cc.UnaryExpression); star && u.Case == cc.UnaryExpressionDeref {
			return l.pointedMember(e, off, func() value.Place { return l.Pointer(u.CastExpression) })
		}
		n, ok = base.(*cc.PostfixExpression)
	}
	return scalarKey{}, "", false
}

// pointedMember is registerMember behind a pointer.
func (l *lowerer) pointedMember(e cc.ExpressionNode, off int64, pointer func() value.Place) (scalarKey, string, bool) {
	var p value.Place
	if parse.Attempt(func() { p = pointer() }) != nil || p.Object == nil {
		return scalarKey{}, "", false
	}
	held, ok := l.Held[p.Object]
	base, constant := value.Constant(p.Offset)
	if !ok || !constant || !l.declared[held.Variable] || inArray(held.Type, base+off) {
		return scalarKey{}, "", false
	}
	return scalarKey{d: held.Variable, off: base + off + 1}, tree.Text(e), true
}

// dropMember forgets what is known of a member that is assigned.
func (l *lowerer) dropMember(e cc.ExpressionNode) {
	n, ok := tree.Strip(e).(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionSelect && n.Case != cc.PostfixExpressionPSelect || !tree.IsPointer(n.Type()) && !tree.IsInteger(n.Type()) {
		return
	}
	at, err := l.TryAddress(n)
	if err != nil || at.Object == nil || at.Offset.Op != expr.OpConst {
		l.Unstable[n.Token2.SrcStr()] = true
		return
	}
	m := value.FieldAt(n, at.Object, at.Offset.K)
	switch {
	case tree.IsPointer(n.Type()):
		l.loseMember(m, tree.Text(n))
	case tree.IsInteger(n.Type()):
		l.Fields[m] = nil
	}
}

// dropMemberArray forgets the integers of an array in a structure, of which an element is assigned; of all structures where it is not known in which.
func (l *lowerer) dropMemberArray(e *cc.PostfixExpression) {
	at, err := l.TryAddress(e)
	switch {
	case err != nil || at.Object == nil:
		l.Unstable[e.Token2.SrcStr()] = true
	case at.Offset.Op != expr.OpConst:
		l.dropElements(at.Object)
	default:
		l.overwrite(at, e.Field().Type().Size())
	}
}

// dropPointed forgets the members of structures that a call may change: of what it is given pointers to, or, where that is not known or not all, of any.
func (l *lowerer) dropPointed(c *cc.PostfixExpression) {
	names := l.Facts.MemberEffects(tree.Callee(c))
	if len(names) == 0 {
		return
	}
	type given struct {
		at   value.Place
		t    cc.Type
		name string // of a member, without the member's own
	}
	var all []given
	known := l.Facts.ChangesPointed(tree.Callee(c))
	for _, a := range tree.Arguments(c) {
		t := value.Pointee(a.Type())
		if t == nil || t.Kind() != cc.Struct && t.Kind() != cc.Union {
			continue
		}
		var p value.Place
		known = known && parse.Attempt(func() { p = l.Pointer(a) }) == nil && p.Object != nil
		name := tree.Text(a) + "->"
		if of, address := strings.CutPrefix(tree.Text(tree.Strip(a)), "&"); address {
			name = of + "."
		}
		all = append(all, given{p, t, name})
	}
	if !known {
		for _, name := range names {
			l.Unstable[name] = true
		}
		return
	}
	for _, g := range all {
		off, constant := value.Constant(g.at.Offset)
		if !constant {
			l.Released[g.at.Object] = true
			l.forgetObject(g.at.Object)
			continue
		}
		parse.EachMember(g.t, off, func(name string, off int64, t cc.Type) {
			m := value.Member{Object: g.at.Object, Offset: off}
			switch {
			case !slices.Contains(names, name):
			case t.Kind() == cc.Ptr:
				l.loseMember(m, g.name+name)
			case t.Kind() == cc.Array:
				l.overwrite(value.Place{Object: m.Object, Offset: expr.Int(off)}, t.Size())
			default:
				l.Fields[m] = nil
			}
		})
	}
}

// assignMember lowers s.x = e where s is a structure variable.
func (l *lowerer) assignMember(n *cc.AssignmentExpression, k scalarKey, name string) *operand {
	t := typeOf(n.UnaryExpression.Type())
	at := l.Address(n.UnaryExpression)
	x := l.memberAfter(n)
	l.overwrite(at, n.UnaryExpression.Type().Size())
	if tree.IsInteger(n.UnaryExpression.Type()) {
		l.Fields[value.FieldAt(n.UnaryExpression, at.Object, at.Offset.K)] = x
		if x != nil {
			return l.ofCounters(x, t)
		}
	}
	v := l.value(n.AssignmentExpression)
	to := l.memberScalars(k, name, n.UnaryExpression.Type())
	if n.Case != cc.AssignmentExpressionAssign {
		v = l.compound(n, to, v)
	}
	v = l.convertTo(n, v, n.UnaryExpression.Type())
	l.at(n)
	l.moveTo(v, to)
	return to
}

// memberAfter is what an assignment makes of an integer member; nil where that is not followed.
func (l *lowerer) memberAfter(n *cc.AssignmentExpression) *expr.Expr {
	t := n.UnaryExpression.Type()
	if !tree.IsInteger(t) {
		return nil
	}
	if n.Case == cc.AssignmentExpressionAssign {
		if x, ok := l.trackable(n.AssignmentExpression, t); ok {
			return value.Normal(x)
		}
		return nil
	}
	old, err := l.TryInt(n.UnaryExpression)
	by, ok := l.trackable(n.AssignmentExpression, n.AssignmentExpression.Type())
	if err != nil || !ok {
		return nil
	}
	x := l.stepped(n, old, by)
	if x == nil || l.Misfit(n, x, value.WidthOf(t)) != nil {
		return nil
	}
	return x
}

// stepMember follows an integer member through ++ and --; false where it is not known.
func (l *lowerer) stepMember(n, e cc.ExpressionNode, up bool) bool {
	if !tree.IsInteger(e.Type()) {
		return false
	}
	by := expr.Int(1)
	if !up {
		by = expr.Int(-1)
	}
	at := l.Address(e)
	old, err := l.TryInt(e)
	if err != nil {
		return false
	}
	x := value.Normal(l.Arithmetic(n, expr.OpAdd, old, by))
	if l.Misfit(n, x, value.WidthOf(e.Type())) != nil {
		return false
	}
	l.overwrite(at, e.Type().Size())
	l.Fields[value.FieldAt(e, at.Object, at.Offset.K)] = x
	return true
}

// memberValue is the place that a value makes a pointer in a structure point at, which is called name; the zero value where it cannot be followed.
func (l *lowerer) memberValue(e cc.ExpressionNode, t cc.Type, name string) value.Place {
	if bytes, ok := l.Allocation(e, l.Function); ok {
		o := &nest.Object{Name: name, Bytes: bytes, Elem: value.ElemSize(value.Pointee(t)), Private: l.Parallel > 0}
		return value.Place{Object: o, Offset: expr.Int(0)}
	}
	var p value.Place
	if err := parse.Attempt(func() { p = l.Pointer(e) }); err != nil {
		return value.Place{}
	}
	return p
}

// loseMember forgets where a pointer in a structure points; where nothing has set or used it, that is memory of its own.
func (l *lowerer) loseMember(m value.Member, name string) {
	if _, used := l.Members[m]; !used && l.unset[m].Object == nil {
		l.unset[m] = value.Place{Object: &nest.Object{Name: name, Private: m.Object.Private}, Offset: expr.Int(0)}
	}
	l.Members[m] = value.Place{}
}

// assignPointerMember follows s.p = e.
func (l *lowerer) assignPointerMember(n *cc.AssignmentExpression) *operand {
	e, ok := tree.Strip(n.UnaryExpression).(*cc.PostfixExpression)
	if ok && (e.Case == cc.PostfixExpressionSelect || e.Case == cc.PostfixExpressionPSelect) && n.Case == cc.AssignmentExpressionAssign {
		at := l.Address(e)
		if at.Object != nil && at.Offset.Op == expr.OpConst {
			l.Members[value.Member{Object: at.Object, Offset: at.Offset.K}] = l.memberValue(n.AssignmentExpression, e.Type(), tree.Text(e))
			return literal(nest.I64)
		}
	}
	if n.Case != cc.AssignmentExpressionAssign {
		l.Fail(n, parse.TraceRemedy, "a pointer in memory is stepped")
	}
	at := l.Address(n.UnaryExpression)
	if at.Object == nil {
		l.Fail(n, parse.TraceRemedy, "%s sets a pointer that is not followed", tree.Text(n))
	}
	l.loadRow(n.AssignmentExpression)
	l.SetRow(n.UnaryExpression, at, n.AssignmentExpression)
	l.pointerAccess(n.UnaryExpression, at, true)
	return literal(nest.I64)
}

// fieldsLost are the integers in structures that are known before a loop and that an iteration may change, in order.
func (l *lowerer) fieldsLost(h header) (all []value.Member) {
	if len(l.Fields) == 0 {
		return nil
	}
	before, restore := l.Save(), l.snapshot()
	l.forgetBody(h)
	after := l.Save()
	restore()
	for m, x := range before.Fields {
		if x != nil && after.Fields[m] != x {
			all = append(all, m)
		}
	}
	slices.SortFunc(all, func(a, b value.Member) int {
		return cmp.Or(strings.Compare(a.Object.Name, b.Object.Name), cmp.Compare(a.Offset, b.Offset))
	})
	return all
}

// inductFields gives integers in structures the values that they have where the loop's variable is at a value, by what the iterations before make of them.
func (l *lowerer) inductFields(c value.Changes, before value.Known, at *expr.Expr, v expr.Var, h header) {
	if l.isDealt() { // the iteration before may be another thread's
		return
	}
	for m := range c.Fields {
		if e := l.After(c, before, value.Changing{Member: m}, at, h.counter(v)); e != nil {
			l.Fields[m] = e
		}
	}
}
