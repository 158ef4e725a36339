package value

import (
	"fmt"
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// Place is where something lies in memory: an object and an offset in bytes; or it is a scalar variable whose
// address was taken. The zero place is not known.
type Place struct {
	Object *nest.Object
	Offset *expr.Expr
	Scalar *cc.Declarator
	Null   bool // nowhere
}

func (p Place) known() bool { return p.Object != nil || p.Scalar != nil }

// Plus moves a place by bytes.
func (vs *Values) Plus(n cc.Node, p Place, bytes *expr.Expr) Place {
	if p.Scalar != nil {
		if bytes.Op == expr.OpConst && bytes.K == 0 {
			return p
		}
		vs.Fail(n, parse.TraceRemedy, "a subscript on the scalar %s", p.Scalar.Name())
	}
	return Place{Object: p.Object, Offset: Normal(vs.Arithmetic(n, expr.OpAdd, p.Offset, bytes))}
}

// Address is where an lvalue lies.
func (vs *Values) Address(e cc.ExpressionNode) Place {
	e = tree.Strip(e)
	switch n := e.(type) {
	case *cc.PrimaryExpression:
		if d := tree.Variable(n); d != nil {
			switch d.Type().Kind() {
			case cc.Array, cc.Struct, cc.Union:
				return Place{Object: vs.VariableObject(n, d), Offset: expr.Int(0)}
			case cc.Ptr, cc.Function:
			default:
				return Place{Scalar: d}
			}
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionIndex:
			base, index := tree.Subscript(n)
			return vs.element(n, base, index)
		case cc.PostfixExpressionSelect:
			return vs.Plus(n, vs.Address(n.PostfixExpression), expr.Int(vs.fieldOffset(n)))
		case cc.PostfixExpressionPSelect:
			return vs.Plus(n, vs.Pointer(n.PostfixExpression), expr.Int(vs.fieldOffset(n)))
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionDeref {
			return vs.Pointer(n.CastExpression)
		}
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast {
			return vs.Address(n.CastExpression)
		}
	}
	vs.Fail(e, parse.TraceRemedy, "%s is no array element that can be followed", tree.Text(e))
	return Place{}
}

// fieldOffset is the offset of a member, in bytes.
func (vs *Values) fieldOffset(n *cc.PostfixExpression) int64 {
	f := n.Field()
	if f == nil {
		vs.Fail(n, parse.TraceRemedy, "the member of %s is not known", tree.Text(n))
	}
	if vs.Source.Elsewhere(f) {
		vs.Fail(n, parse.TraceRemedy, "the structure of %s is packed, which is not followed", tree.Text(n))
	}
	return f.Offset()
}

// element is the place of base[index].
func (vs *Values) element(n, base, index cc.ExpressionNode) Place {
	p := vs.Pointer(base)
	vs.origin(base, p)
	i, err := vs.tryAs(index, pointerWidth)
	if err != nil {
		panic(vs.badSubscript(n, index, err))
	}
	t := Pointee(base.Type())
	if t == nil {
		vs.Fail(n, parse.TraceRemedy, "%s is not an array", tree.Text(base))
	}
	return vs.Plus(n, p, vs.Arithmetic(n, expr.OpMul, i, vs.SizeOf(n, t)))
}

// badSubscript says why a subscript is not known: because of data, or of a variable without value.
func (vs *Values) badSubscript(n, index cc.ExpressionNode, err *parse.Error) *parse.Error {
	switch {
	case parse.AssignsSomething(index):
		return &parse.Error{
			Pos: parse.Position(n), Message: "subscript " + tree.Text(n) + " changes a variable",
			Remedy: "compute it from the loop variables, or " + parse.TraceRemedy,
		}
	case err.Data:
		return &parse.Error{Pos: parse.Position(n), Message: "subscript " + tree.Text(n) + " depends on data", Remedy: vs.RunRemedy(), Data: true}
	}
	return err
}

// RunRemedy is what can be done about a value that the source does not tell: to ask a run, unless one was asked.
func (vs *Values) RunRemedy() string {
	if vs.Told != nil {
		return parse.TraceRemedy
	}
	return parse.RunRemedy
}

// Pointer is where a pointer expression points.
func (vs *Values) Pointer(e cc.ExpressionNode) Place {
	e = tree.Strip(e)
	if d := tree.Variable(e); d != nil && d.Type().Kind() == cc.Ptr {
		return vs.PointerVariable(e, d)
	}
	switch n := e.(type) {
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast {
			return vs.Pointer(n.CastExpression)
		}
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionAddrof {
			return vs.addressOf(n.CastExpression)
		}
		if vs.Stepped[n] {
			return vs.Pointer(n.UnaryExpression)
		}
		if n.Case == cc.UnaryExpressionInc || n.Case == cc.UnaryExpressionDec {
			vs.Fail(n, "use subscripts", "the pointer %s is stepped", tree.Text(n.UnaryExpression))
		}
	case *cc.AdditiveExpression:
		return vs.pointerSum(n)
	case *cc.AssignmentExpression:
		if d := tree.Variable(n.UnaryExpression); d != nil && n.Case == cc.AssignmentExpressionAssign {
			if d.Type().Kind() == cc.Ptr {
				vs.SetPointer(d, n.AssignmentExpression)
			}
			return vs.PointerVariable(n, d)
		}
	case *cc.ConditionalExpression:
		return vs.pointerChoice(n)
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			return vs.pointerCall(n)
		}
		if vs.Stepped[n] {
			return vs.Pointer(n.PostfixExpression)
		}
		if n.Case == cc.PostfixExpressionInc || n.Case == cc.PostfixExpressionDec {
			vs.Fail(n, "use subscripts", "the pointer %s is stepped", tree.Text(n.PostfixExpression))
		}
	}
	if o := vs.textObject(e); o != nil {
		return Place{Object: o, Offset: expr.Int(0)}
	}
	if isArray(e) {
		return vs.Address(e)
	}
	return vs.loadedPointer(e)
}

// isArray tells whether e is an lvalue of array type; the parser gives its type as a pointer.
func isArray(e cc.ExpressionNode) bool {
	t := e.Type()
	return t.Kind() == cc.Array || t.Kind() == cc.Ptr && t.Undecay() != nil && t.Undecay().Kind() == cc.Array
}

// addressOf is &e.
func (vs *Values) addressOf(e cc.ExpressionNode) Place {
	if d := tree.Variable(e); d != nil && d.Type().Kind() == cc.Ptr {
		return Place{Scalar: d}
	}
	return vs.Address(e)
}

// pointed is the pointer variable that *e is; nil where it is none.
func (vs *Values) pointed(e cc.ExpressionNode) *cc.Declarator {
	n, ok := e.(*cc.UnaryExpression)
	if !ok || n.Case != cc.UnaryExpressionDeref {
		return nil
	}
	if at, err := vs.TryAddress(n); err == nil && at.Scalar != nil && at.Scalar.Type().Kind() == cc.Ptr {
		return at.Scalar
	}
	return nil
}

// pointerSum is the place that a pointer and an integer make, whichever comes first.
func (vs *Values) pointerSum(n *cc.AdditiveExpression) Place {
	p, i := n.AdditiveExpression, n.MultiplicativeExpression
	if !tree.IsPointer(p.Type()) {
		p, i = i, p
	}
	if !tree.IsPointer(p.Type()) || tree.IsPointer(i.Type()) {
		vs.Fail(n, parse.TraceRemedy, "%s is no pointer that can be followed", tree.Text(n))
	}
	index, err := vs.tryAs(i, pointerWidth)
	if err != nil {
		panic(vs.badSubscript(n, i, err))
	}
	bytes := vs.Arithmetic(n, expr.OpMul, index, vs.SizeOf(n, Pointee(p.Type())))
	if n.Case == cc.AdditiveExpressionSub {
		bytes = expr.Unary(expr.OpNeg, bytes)
	}
	at := vs.Pointer(p)
	vs.origin(p, at)
	return vs.Plus(n, at, bytes)
}

// pointerChoice is the place that a condition chooses, where the condition, or that both are the same object, is known.
func (vs *Values) pointerChoice(n *cc.ConditionalExpression) Place {
	c, err := vs.TryInt(n.LogicalOrExpression)
	if err != nil {
		vs.Fail(n, "use two loops, or "+parse.TraceRemedy, "where %s points is not known before the run", tree.Text(n))
	}
	switch {
	case vs.Always(c):
		return vs.Pointer(tree.Taken(n))
	case vs.Never(c):
		return vs.Pointer(n.ConditionalExpression)
	}
	a, b := vs.Pointer(tree.Taken(n)), vs.Pointer(n.ConditionalExpression)
	if a.Object == nil || a.Object != b.Object {
		vs.Fail(n, "use one array with one more dimension, or "+parse.TraceRemedy, "%s points at either of two objects", tree.Text(n))
	}
	return Place{Object: a.Object, Offset: Conditional(c, a.Offset, b.Offset)}
}

// loadedPointer follows a pointer kept in a structure or in an array.
func (vs *Values) loadedPointer(e cc.ExpressionNode) Place {
	n, ok := e.(*cc.PostfixExpression)
	if !ok || n.Case != cc.PostfixExpressionSelect && n.Case != cc.PostfixExpressionPSelect {
		if d := vs.pointed(e); d != nil {
			return vs.PointerVariable(e, d)
		}
		if isRow(e) {
			return vs.rowPlace(e, vs.Address(e))
		}
		vs.Fail(e, parse.TraceRemedy, "%s is no pointer that can be followed", tree.Text(e))
	}
	at := vs.Address(n)
	if p := vs.ofMember(n, at); p.Object != nil {
		return p.behind()
	}
	if at.Object == nil || at.Offset.Op != expr.OpConst {
		vs.Fail(e, parse.TraceRemedy, "%s is a pointer whose place varies", tree.Text(e))
	}
	if vs.Unstable[n.Token2.SrcStr()] {
		vs.Fail(e, "use two calls or one array with one more dimension, or "+parse.TraceRemedy, "the pointer %s changes", tree.Text(e))
	}
	m := Member{at.Object, at.Offset.K}
	if p, ok := vs.Members[m]; ok {
		if !p.known() {
			vs.Fail(e, "use two calls or one array with one more dimension, or "+parse.TraceRemedy, "the pointer %s changes", tree.Text(e))
		}
		return p.behind()
	}
	p, told := vs.samePlace(m)
	if p.Object == nil {
		p = Place{Object: &nest.Object{Name: vs.nameOf(e), Elem: ElemSize(Pointee(n.Type())), Private: at.Object.Private, Loaded: !told}, Offset: expr.Int(0)}
	}
	vs.Members[m] = p
	return p.behind()
}

// behind notes that a place is found by a pointer that lies in memory.
func (p Place) behind() Place {
	if p.Object != nil {
		p.Object.Unseen = true
	}
	return p
}

// samePlace is where a pointer leads that leads to the same object as another one where main first calls the function; told: main tells where it leads.
func (vs *Values) samePlace(m Member) (p Place, told bool) {
	if vs.Ask != nil {
		vs.Ask()
	}
	there, told := vs.EntryPlaces[m]
	if !told || there.Object == nil || there.Offset.Op != expr.OpConst {
		return Place{}, false
	}
	for other, known := range vs.Members {
		at := vs.EntryPlaces[other]
		if at.Object == there.Object && at.Offset.Op == expr.OpConst && known.Object != nil && known.Offset.Op == expr.OpConst {
			return Place{Object: known.Object, Offset: expr.Int(known.Offset.K + there.Offset.K - at.Offset.K)}, true
		}
	}
	return Place{}, true
}

// nameOf is what a pointer in a structure is called: as it is written, with the values of subscripts.
func (vs *Values) nameOf(e cc.ExpressionNode) string {
	if n, ok := tree.Strip(e).(*cc.PostfixExpression); ok {
		switch n.Case {
		case cc.PostfixExpressionIndex:
			base, index := tree.Subscript(n)
			if x, err := vs.TryInt(index); err == nil && x.Op == expr.OpConst {
				return fmt.Sprintf("%s[%d]", vs.nameOf(base), x.K)
			}
		case cc.PostfixExpressionSelect:
			return vs.nameOf(n.PostfixExpression) + "." + n.Token2.SrcStr()
		case cc.PostfixExpressionPSelect:
			return vs.structAt(n.PostfixExpression) + n.Token2.SrcStr()
		}
	}
	return tree.Text(e)
}

// structAt is what a structure behind a pointer is called, up to its member: as an element of the array that it lies in, or by the pointer.
func (vs *Values) structAt(e cc.ExpressionNode) string {
	e = tree.Strip(e)
	var at Place
	err := parse.Attempt(func() { at = vs.Pointer(e) })
	if d := tree.Variable(e); d != nil && d.IsParam() && !vs.isOwn(d) && err == nil && at.Object != nil && at.Offset.Op == expr.OpConst && at.Offset.K == 0 && at.Object.Name != "" {
		if of := vs.Held[at.Object].Variable; of != nil { // as the caller knows it: the function may be called with several
			return of.Name() + "."
		}
		return at.Object.Name + "->"
	}
	t := Pointee(e.Type())
	if err != nil || at.Object == nil || at.Offset.Op != expr.OpConst || t == nil || t.Size() <= 0 || at.Object.Bytes <= t.Size() || at.Offset.K%t.Size() != 0 {
		return vs.nameOf(e) + "->"
	}
	return fmt.Sprintf("%s[%d].", at.Object.Name, at.Offset.K/t.Size())
}

// isOwn tells parameters of the function that is looked at from those of functions that it calls.
func (vs *Values) isOwn(d *cc.Declarator) bool {
	if vs.Function == nil {
		return true
	}
	ft, ok := vs.Function.Declarator.Type().(*cc.FunctionType)
	return ok && slices.ContainsFunc(ft.Parameters(), func(p *cc.Parameter) bool { return p.Declarator == d })
}

func isDereference(e cc.ExpressionNode) bool {
	u, ok := e.(*cc.UnaryExpression)
	return ok && u.Case == cc.UnaryExpressionDeref
}
