package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// result is where the function being inlined puts its value.
type result struct {
	to    *operand // where it puts it
	t     cc.Type
	void  bool        // there is none
	loops int         // depth of loops at the call
	into  value.Place // a structure that is set to it
	outer *result     // of the function that calls this one, where that is being inlined too
}

// inline lowers a call of a function of the file by lowering its body.
func (l *lowerer) inline(n *cc.PostfixExpression, fd *cc.FunctionDefinition) *operand {
	name := fd.Declarator.Name()
	into := l.into
	l.into = value.Place{}
	if l.Inlining[fd] || fd == l.Function {
		panic(&parse.Error{Pos: parse.Position(n), Message: name + " calls itself", Remedy: parse.TraceRemedy, Whole: fd == l.Function})
	}
	if len(l.Inlining) >= value.MaxInline {
		l.Fail(n, parse.TraceRemedy, "calls nest too deeply at %s", name)
	}
	l.bindArguments(n, fd)
	if l.calls != nil {
		l.calls(fd)
	}
	l.flush()
	t := fd.Declarator.Type().(*cc.FunctionType).Result()
	if k := t.Kind(); into.Object == nil && (k == cc.Struct || k == cc.Union) {
		into = l.unnamed(t)
	}
	r := &result{void: t.Kind() == cc.Void || into.Object != nil, loops: l.loops, into: into, outer: l.result}
	if !r.void {
		r.t = t
		r.to = ofParts(t, func(p part) *operand { return &operand{v: l.scalarPart(fd.Declarator, p), t: p.t} })
	}
	l.Inlining[fd] = true
	l.result = r
	if parse.InVectorHeader(fd.Declarator) && l.intrinsic == nil {
		l.intrinsic = n
		defer func() { l.intrinsic = nil }()
	}
	caller := l.current
	l.current = fd
	l.markInside(fd.CompoundStatement)
	if d := returnedVariable(fd); d != nil && l.isWhole(into, d.Type()) {
		before := l.Hidden[d]
		l.Hidden[d] = into.Object // compilers build it there
		if l.addressed()[d] {
			l.addressed()[l.Held[into.Object].Variable] = true
		}
		defer l.unhide(d, before)
	}
	l.block(tree.Items(fd.CompoundStatement), fd.CompoundStatement, true)
	l.flush()
	l.result, l.current = r.outer, caller
	delete(l.Inlining, fd)
	if parse.InVectorHeader(fd.Declarator) {
		l.unbindVectors(fd)
	}
	if r.void {
		return literal(nest.I32)
	}
	to := *r.to
	return &to
}

// bindArguments gives the parameters of fd the values of a call.
func (l *lowerer) bindArguments(n *cc.PostfixExpression, fd *cc.FunctionDefinition) {
	ft, ok := fd.Declarator.Type().(*cc.FunctionType)
	args := tree.Arguments(n)
	if ok && len(ft.Parameters()) == 1 && ft.Parameters()[0].Type().Kind() == cc.Void { // f(void)
		return
	}
	if !ok || len(ft.Parameters()) > len(args) {
		l.Fail(n, "", "%s is called with too few arguments", fd.Declarator.Name())
	}
	var bind []func()
	for i, p := range ft.Parameters() {
		if d := p.Declarator; d != nil {
			bind = append(bind, l.bindArgument(args[i], d))
		}
	}
	for _, f := range bind {
		f()
	}
}

// unbindVectors ends that parameters are what a call gave.
func (l *lowerer) unbindVectors(fd *cc.FunctionDefinition) {
	for _, p := range fd.Declarator.Type().(*cc.FunctionType).Parameters() {
		if p.Declarator != nil {
			delete(l.Hidden, p.Declarator)
		}
	}
}

// bindArgument evaluates one argument; the function it gives sets the parameter, after all are evaluated.
func (l *lowerer) bindArgument(e cc.ExpressionNode, d *cc.Declarator) func() {
	t := d.Type()
	switch {
	case t.Kind() == cc.Ptr:
		if value.Pointee(t).Kind() == cc.Function {
			fd, _ := l.PointedFunction(e)
			return func() { l.Pointers[d], l.Callees[d] = value.Place{}, fd }
		}
		if l.IsNull(e) {
			return func() { l.Pointers[d] = value.Place{Null: true} }
		}
		var p value.Place
		err := parse.Attempt(func() { p = l.Pointer(e); l.loadRow(e) })
		return func() { l.Pointers[d], l.Why[d] = p, err }
	case parse.IsVector(t) && parse.InVectorHeader(d) && (isStructValue(e) || tree.Variable(e) != nil): // functions there only read them
		var o *nest.Object
		if isStructValue(e) {
			o = l.structValue(e).Object
		} else {
			o = l.VariableObject(e, tree.Variable(e))
		}
		return func() { l.Hidden[d] = o }
	case t.Kind() == cc.Struct || t.Kind() == cc.Union:
		l.declared[d] = true
		if isStructValue(e) { // what it calls may have parameters of the same name
			from := l.structValue(e)
			return func() { l.copyMembers(e, t, from, value.Place{Object: l.VariableObject(d, d), Offset: expr.Int(0)}) }
		}
		return func() { l.copyStruct(d, e) }
	case tree.IsInteger(t):
		x, why := l.followed(e, t)
		if why == nil {
			return func() {
				l.Ints.Set(d, value.Normal(x))
				delete(l.Why, d)
			}
		}
		v := l.value(e)
		return func() {
			l.setScalar(e, d, v)
			l.Why[d] = why
		}
	}
	v, bind := l.value(e), l.BindReal(d, e)
	return func() {
		l.setScalar(e, d, v)
		bind()
	}
}

// returns lowers the return at the end of a function.
func (l *lowerer) returns(j *cc.JumpStatement) {
	e := j.ExpressionList
	switch {
	case e == nil:
	case l.result != nil && l.result.into.Object != nil:
		l.setStruct(l.result.into, e.Type(), e)
	case l.result == nil || l.result.void:
		if tree.TouchesMemory(e) {
			l.effect(e)
		}
	case tree.IsPointer(e.Type()):
		l.returnPointer(e)
	default:
		v := l.convertTo(j, l.value(e), l.result.t)
		l.at(j)
		l.moveTo(v, l.result.to)
	}
}

// returnedVariable is the structure variable of its own that a function returns wherever it returns; nil: there is none.
func returnedVariable(fd *cc.FunctionDefinition) (d *cc.Declarator) {
	same := true
	if k := fd.Declarator.Type().(*cc.FunctionType).Result().Kind(); k != cc.Struct && k != cc.Union {
		return nil
	}
	tree.Each(fd.CompoundStatement, func(n cc.Node) bool {
		if s, ok := n.(*cc.Statement); ok && s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementReturn {
			v := tree.Variable(s.JumpStatement.ExpressionList)
			same = same && v != nil && (d == nil || d == v)
			d = v
		}
		return true
	})
	if !same || d == nil || d.IsParam() || d.StorageDuration() != cc.Automatic {
		return nil
	}
	return d
}
