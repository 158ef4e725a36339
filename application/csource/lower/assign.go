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

// assign lowers an assignment and gives the value assigned.
func (l *lowerer) assign(n *cc.AssignmentExpression) *operand {
	if d := l.target(n.UnaryExpression); d != nil {
		if n.Case == cc.AssignmentExpressionAssign {
			return l.assignVariable(n, d, n.AssignmentExpression)
		}
		return l.compoundVariable(n, d)
	}
	t := n.UnaryExpression.Type()
	switch {
	case t.Kind() == cc.Ptr:
		return l.assignPointerMember(n)
	case t.Kind() == cc.Struct || t.Kind() == cc.Union:
		return l.assignStruct(n)
	}
	if k, name, ok := l.registerMember(n.UnaryExpression); ok {
		return l.assignMember(n, k, name)
	}
	x, err := l.followed(n.AssignmentExpression, t)
	if n.Case != cc.AssignmentExpressionAssign {
		x, err = l.memberAfter(n), nil
	}
	v := l.value(n.AssignmentExpression)
	p := l.place(n.UnaryExpression)
	if n.Case != cc.AssignmentExpressionAssign {
		v = l.compound(n, l.load(n.UnaryExpression, p), v)
	}
	if tree.IsInteger(t) {
		if err != nil {
			x = nil
		}
		l.setElement(n.UnaryExpression, p, x)
	} else {
		l.overwrite(p, t.Size())
	}
	if n.Case == cc.AssignmentExpressionAssign {
		if bitField(n.UnaryExpression) != nil { // its neighbours stay as they are
			l.load(n.UnaryExpression, p).used = true
		}
		return l.store(n.UnaryExpression, p, v)
	}
	return l.storeAgain(n.UnaryExpression, p, v)
}

// bitField is the member of bits, which shares its bytes with others, that an expression is; nil where it is none.
func bitField(e cc.ExpressionNode) *cc.Field {
	p, ok := tree.Strip(e).(*cc.PostfixExpression)
	if !ok || p.Field() == nil || !p.Field().IsBitfield() {
		return nil
	}
	return p.Field()
}

// storeAgain writes to what was read at the same place: pointers in memory on the way there are known.
func (l *lowerer) storeAgain(e cc.ExpressionNode, p value.Place, o *operand) *operand {
	l.rowKnown = true
	defer func() { l.rowKnown = false }()
	return l.store(e, p, o)
}

// setElement notes the value of an element of integers; nil: it is not known. One whose place varies may be any.
func (l *lowerer) setElement(e cc.ExpressionNode, p value.Place, x *expr.Expr) {
	if p.Object == nil {
		return
	}
	if p.Offset.Op != expr.OpConst {
		l.dropElements(p.Object)
		return
	}
	l.overwrite(p, e.Type().Size())
	m := value.FieldAt(e, p.Object, p.Offset.K)
	if l.Fields[m] = x; x != nil {
		l.Fields[m] = value.Normal(x)
	}
}

// overwrite forgets integers that bytes of an object belong to, such as those of another member of a union.
func (l *lowerer) overwrite(p value.Place, bytes int64) {
	if p.Object == nil || p.Offset.Op != expr.OpConst {
		return
	}
	for m := range l.Fields {
		if m.Object == p.Object && m.Offset >= p.Offset.K && m.Offset < p.Offset.K+bytes {
			l.Fields[m] = nil
		}
	}
}

// dropElements forgets the integers in an object.
func (l *lowerer) dropElements(o *nest.Object) {
	l.Released[o] = true
	for m := range l.Fields {
		if m.Object == o {
			l.Fields[m] = nil
		}
	}
}

// target is the variable that an assignment sets, also through a pointer to it.
func (l *lowerer) target(e cc.ExpressionNode) *cc.Declarator {
	if d := tree.Variable(e); d != nil {
		return d
	}
	switch x := tree.Strip(e).(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			if p, err := l.TryAddress(x); err == nil {
				return p.Scalar
			}
		}
	case *cc.PostfixExpression: // p[0]
		if x.Case == cc.PostfixExpressionIndex {
			if base, _ := tree.Subscript(x); l.Pointers.Of(tree.Variable(base)).Scalar != nil {
				return l.Pointers.Of(tree.Variable(base)).Scalar
			}
		}
	}
	return nil
}

// assignVariable lowers d = e, also as an initializer.
func (l *lowerer) assignVariable(n cc.Node, d *cc.Declarator, e cc.ExpressionNode) *operand {
	t := d.Type()
	switch {
	case t.Kind() == cc.Ptr:
		if !l.pointerFromCall(d, e) {
			l.SetPointer(d, e)
			l.loadRow(e)
		}
		if call := callIn(e); call != nil && tree.Callee(call) == "calloc" && l.Pointers.Of(d).Object != nil {
			l.zeroMembers(l.Pointers.Of(d).Object, value.Pointee(t))
		}
		return literal(nest.I64)
	case t.Kind() == cc.Struct || t.Kind() == cc.Union:
		l.copyStruct(d, e)
		return literal(nest.I64)
	case tree.IsInteger(t):
		x, err := l.followed(e, t)
		if v, ok := l.given(n, d, e, x); ok {
			l.Ints.Set(d, expr.Int(v))
			delete(l.Why, d)
			return literal(typeOf(t))
		}
		if err == nil {
			if readsElements(e) {
				l.value(e).used = true
			}
			l.Ints.Set(d, value.Normal(x))
			delete(l.Why, d)
			return l.ofCounters(x, typeOf(t))
		}
		v := l.setScalar(n, d, l.value(e))
		l.Why[d] = err
		return v
	}
	return l.setScalar(n, d, l.value(e))
}

// readsElements tells whether an expression reads an element of an array.
func readsElements(e cc.ExpressionNode) bool {
	found := false
	tree.Each(e, func(n cc.Node) bool {
		p, ok := n.(*cc.PostfixExpression)
		found = found || ok && p.Case == cc.PostfixExpressionIndex
		return !found
	})
	return found
}

// given is the value that a definition of the caller gives to a variable that is set to e, instead of its value x (nil: not known): of one that is set once,
// and of one that the input of the program may set instead. It stands in for what is not known and for constants; what the program computes from other
// variables stays.
func (l *lowerer) given(n cc.Node, d *cc.Declarator, e cc.ExpressionNode, x *expr.Expr) (int64, bool) {
	v, ok := l.Source.Defined[d.Name()]
	all := l.Facts.Assigned[d]
	ofInput := func(a parse.Assignment) bool { return a.Value != nil && value.OfInput(l.Source, a.Value) }
	if !ok || l.loops > 0 || len(all) != 1 && !slices.ContainsFunc(all, ofInput) || d.IsParam() || tree.Mentions(e, d) || l.shadows(d) {
		return 0, false
	}
	switch {
	case x == nil || l.ofMain(e):
		return v, true
	case x.Op == expr.OpConst && x.K == v:
		return v, true
	case x.Op == expr.OpConst && !readsVariables(e):
		if first := l.preset[d]; len(all) > 1 && first != nil && first != n {
			return 0, false // the program sets it anew
		}
		l.preset[d] = n
		l.Warn(n, "%s is set to %d here; the definition %s=%d is taken instead", d.Name(), x.K, d.Name(), v)
		return v, true
	}
	l.Warn(n, "%s is computed here; the definition %s=%d is not taken", d.Name(), d.Name(), v)
	return 0, false
}

// shadows tells whether a variable has the name of a parameter of its function: a definition then means the parameter.
func (l *lowerer) shadows(d *cc.Declarator) bool {
	if l.current == nil {
		return false
	}
	ft, ok := l.current.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return false
	}
	for _, p := range ft.Parameters() {
		if p.Declarator != nil && p.Declarator != d && p.Declarator.Name() == d.Name() {
			return true
		}
	}
	return false
}

// ofMain tells whether an expression depends on the arguments of the program.
func (l *lowerer) ofMain(e cc.ExpressionNode) bool {
	fd := l.Facts.ByName["main"]
	if fd == nil {
		return false
	}
	ft, ok := fd.Declarator.Type().(*cc.FunctionType)
	if !ok {
		return false
	}
	for _, p := range ft.Parameters() {
		if p.Declarator != nil && tree.Mentions(e, p.Declarator) {
			return true
		}
	}
	return false
}

// readsVariables tells whether an expression is more than a constant.
func readsVariables(e cc.ExpressionNode) bool {
	found := false
	tree.Each(e, func(n cc.Node) bool {
		x, ok := n.(cc.ExpressionNode)
		found = found || ok && tree.Variable(x) != nil
		return !found
	})
	return found
}

// trackable tells whether an integer's value is known; what has side effects is not followed.
func (l *lowerer) trackable(e cc.ExpressionNode, t cc.Type) (*expr.Expr, bool) {
	x, err := l.followed(e, t)
	return x, err == nil
}

// followed is the value of an integer expression without side effects, or why it is not known.
func (l *lowerer) followed(e cc.ExpressionNode, t cc.Type) (x *expr.Expr, err *parse.Error) {
	aside := l.Aside
	l.Aside = true
	defer func() { l.Aside = aside }()
	if parse.AssignsSomething(e) && !readsNumber(e) {
		return nil, &parse.Error{Pos: parse.Position(e), Message: tree.Text(e) + " changes a variable", Remedy: parse.TraceRemedy}
	}
	defer parse.Catch(&err)
	return l.Converted(e, t), nil
}

// readsNumber tells calls that make a number of a text, of which the value comes with the run whatever else they do: atoi(*++argv).
func readsNumber(e cc.ExpressionNode) bool {
	n, ok := tree.Strip(e).(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionCall {
		return false
	}
	switch tree.Text(n.PostfixExpression) {
	case "atoi", "atol", "atoll", "strtol", "strtoll", "strtoul", "strtoull":
		return true
	}
	return false
}

// setScalar puts a value into a scalar variable.
func (l *lowerer) setScalar(n cc.Node, d *cc.Declarator, v *operand) *operand {
	if tree.IsInteger(d.Type()) {
		l.Ints.Set(d, nil)
		delete(l.Why, d)
	}
	v = l.convertTo(n, v, d.Type())
	l.at(n)
	to := l.scalarOperand(d)
	l.moveTo(v, to)
	return to
}

// compoundVariable lowers d += e and the like.
func (l *lowerer) compoundVariable(n *cc.AssignmentExpression, d *cc.Declarator) *operand {
	if d.Type().Kind() == cc.Ptr {
		l.stepPointer(n, d)
		return literal(nest.I64)
	}
	if old := l.Ints.Of(d); old != nil && tree.IsInteger(d.Type()) {
		if by, ok := l.trackable(n.AssignmentExpression, n.AssignmentExpression.Type()); ok && l.stepInt(n, d, old, by) {
			return counter(typeOf(d.Type()))
		}
	}
	v := l.value(n.AssignmentExpression)
	return l.setScalar(n, d, l.compound(n, l.readScalar(n.UnaryExpression, d), v))
}

// stepInt follows an integer through += and the like.
func (l *lowerer) stepInt(n *cc.AssignmentExpression, d *cc.Declarator, old, by *expr.Expr) bool {
	x := l.stepped(n, old, by)
	if x == nil {
		return false
	}
	l.Overflow(n, x, value.WidthOf(d.Type()))
	l.Ints.Set(d, x)
	if err := l.Misfit(n, x, value.WidthOf(d.Type())); err != nil && err.Wrap && value.WidthOf(d.Type()) != (value.Width{Size: 4}) {
		l.Ints.Set(d, nil)
		l.Why[d] = err
	}
	return true
}

// stepped is what += and the like make of an integer; nil where that is not followed.
func (l *lowerer) stepped(n *cc.AssignmentExpression, old, by *expr.Expr) (x *expr.Expr) {
	switch n.Case {
	case cc.AssignmentExpressionAdd:
		x = l.Arithmetic(n, expr.OpAdd, old, by)
	case cc.AssignmentExpressionSub:
		x = l.Arithmetic(n, expr.OpSub, old, by)
	case cc.AssignmentExpressionMul:
		x = l.Arithmetic(n, expr.OpMul, old, by)
	case cc.AssignmentExpressionDiv:
		x = l.Quotient(n, old, by)
	case cc.AssignmentExpressionMod:
		x = l.Arithmetic(n, expr.OpMod, old, by)
	case cc.AssignmentExpressionLsh, cc.AssignmentExpressionRsh:
		x = l.shifted(n, old, by)
	default:
		_ = parse.Attempt(func() { x = l.Masked(n, old, by) })
	}
	if x == nil {
		return nil
	}
	return value.Normal(x)
}

// shifted is a shift by a constant, to the right of what is not negative; nil of others.
func (l *lowerer) shifted(n *cc.AssignmentExpression, old, by *expr.Expr) *expr.Expr {
	k, ok := value.Constant(by)
	switch {
	case !ok || k < 0 || k > 61:
	case n.Case == cc.AssignmentExpressionLsh:
		return l.Arithmetic(n, expr.OpMul, old, expr.Int(1<<k))
	case l.Interval(old).Lo >= 0:
		return l.Arithmetic(n, expr.OpFloorDiv, old, expr.Int(1<<k))
	}
	return nil
}

// stepPointer follows p += i outside loops.
func (l *lowerer) stepPointer(n *cc.AssignmentExpression, d *cc.Declarator) {
	p, by := value.Place{}, (*expr.Expr)(nil)
	err := parse.Attempt(func() {
		p = l.PointerVariable(n, d)
		by = l.Arithmetic(n, expr.OpMul, l.Int(n.AssignmentExpression), l.SizeOf(n, value.Pointee(d.Type())))
		if n.Case == cc.AssignmentExpressionSub {
			by = expr.Unary(expr.OpNeg, by)
		}
		p = l.Plus(n, p, by)
	})
	if err != nil {
		p = value.Place{}
	}
	l.Pointers.Set(d, p)
}

// compound applies the operator of a compound assignment.
func (l *lowerer) compound(n *cc.AssignmentExpression, old, v *operand) *operand {
	kind := map[cc.AssignmentExpressionCase]nest.Kind{
		cc.AssignmentExpressionMul: nest.Mul, cc.AssignmentExpressionDiv: nest.Div, cc.AssignmentExpressionMod: nest.Div,
		cc.AssignmentExpressionAdd: nest.Add, cc.AssignmentExpressionSub: nest.Add, cc.AssignmentExpressionLsh: nest.Logic,
		cc.AssignmentExpressionRsh: nest.Logic, cc.AssignmentExpressionAnd: nest.Logic, cc.AssignmentExpressionXor: nest.Logic,
		cc.AssignmentExpressionOr: nest.Logic,
	}[n.Case]
	t := max(old.t, v.t)
	op := nest.Operation{Kind: kind, Type: t, Minus: n.Case == cc.AssignmentExpressionSub}
	if old.parts != nil || v.parts != nil {
		return l.arithmetic(n, op, old, v)
	}
	return l.two(n, op, l.convert(n, old, t), l.convert(n, v, t))
}

// increment lowers ++ and --.
func (l *lowerer) increment(n, e cc.ExpressionNode) *operand {
	up := true
	switch x := n.(type) {
	case *cc.PostfixExpression:
		up = x.Case == cc.PostfixExpressionInc
	case *cc.UnaryExpression:
		up = x.Case == cc.UnaryExpressionInc
	}
	if l.Stepped[n] {
		return l.value(e)
	}
	if d := l.target(e); d != nil {
		return l.incrementVariable(n, d, up)
	}
	if k, name, ok := l.registerMember(e); ok {
		t := typeOf(e.Type())
		if l.stepMember(n, e, up) {
			return counter(t)
		}
		l.dropMember(e)
		v := nest.Value{Kind: nest.Scalar, N: l.scalarIndex(k, name)}
		l.move(l.two(n, nest.Operation{Kind: nest.Add, Type: t}, &operand{v: v, t: t}, literal(t)), v)
		return &operand{v: v, t: t}
	}
	p := l.place(e)
	if p.Scalar != nil {
		return l.incrementVariable(n, p.Scalar, up)
	}
	t := typeOf(e.Type())
	if tree.IsInteger(e.Type()) {
		by := expr.Int(1)
		if !up {
			by = expr.Int(-1)
		}
		x, err := l.TryInt(e)
		if err == nil {
			x = l.Arithmetic(n, expr.OpAdd, x, by)
		}
		l.setElement(e, p, x)
	}
	return l.storeAgain(e, p, l.two(n, nest.Operation{Kind: nest.Add, Type: t}, l.load(e, p), literal(t)))
}

// incrementVariable lowers ++ and -- on a variable: on an integer that is known by computing with it, on a pointer by moving the place that
// it points at.
func (l *lowerer) incrementVariable(n cc.ExpressionNode, d *cc.Declarator, up bool) *operand {
	t := typeOf(d.Type())
	by := expr.Int(1)
	if !up {
		by = expr.Int(-1)
	}
	if d.Type().Kind() == cc.Ptr {
		if err := parse.Attempt(func() {
			l.Pointers.Set(d, l.Plus(n, l.PointerVariable(n, d), l.Arithmetic(n, expr.OpMul, by, l.SizeOf(n, value.Pointee(d.Type())))))
		}); err != nil {
			l.Pointers.Set(d, value.Place{})
		}
		return literal(nest.I64)
	}
	if old := l.Ints.Of(d); old != nil {
		x := value.Normal(l.Arithmetic(n, expr.OpAdd, old, by))
		l.Ints.Set(d, x)
		if err := l.Misfit(n, x, value.WidthOf(d.Type())); err != nil {
			l.Ints.Set(d, nil)
			l.Why[d] = err
		}
		return l.ofCounters(x, t)
	}
	return l.setScalar(n, d, l.two(n, nest.Operation{Kind: nest.Add, Type: t}, l.readScalar(n, d), literal(t)))
}
