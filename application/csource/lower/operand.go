package lower

import (
	"fmt"
	"math"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// operand is a value within the statement under construction.
type operand struct {
	v       nest.Value
	t       nest.Type
	literal bool       // a constant that folds with others; a loop counter is a Const, but no literal
	used    bool       // by an operation, after which it need not be kept
	parts   []*operand // of a complex number: the real one and the imaginary one; the value itself is nothing then
}

// scalarKey tells scalars apart: variables, members of structure variables, elements of local arrays, temporaries.
type scalarKey struct {
	d       *cc.Declarator // of a variable, or of a structure; nil: a temporary
	off     int64          // of a member or an element, in bytes
	tmp     int            // number of a temporary, from 1
	element *nest.Object   // the array that an element belongs to
}

// typeOf is the type that operations on a C type have.
func typeOf(t cc.Type) nest.Type {
	switch {
	case t.Kind() == cc.Float || t.Kind() == cc.ComplexFloat:
		return nest.F32
	case cc.IsFloatingPointType(t) || cc.IsComplexType(t):
		return nest.F64
	case t.Kind() == cc.Ptr || t.Kind() == cc.Array || t.Size() > 4:
		return nest.I64
	}
	return nest.I32
}

// operation appends an operation and gives its result.
func (l *lowerer) operation(n cc.Node, op nest.Operation, args ...*operand) *operand {
	for _, a := range args {
		for _, x := range a.numbers() {
			x.used = true
			op.Args = append(op.Args, x.v)
		}
	}
	s := l.at(n)
	s.Flow = append(s.Flow, op)
	return l.track(&operand{v: nest.Value{Kind: nest.Temp, N: len(s.Flow) - 1}, t: op.Type})
}

// track remembers a result until the statement ends, in case it must outlive it.
func (l *lowerer) track(o *operand) *operand {
	l.live = append(l.live, o)
	return o
}

// spill keeps a result that is still wanted in a scalar, since temporaries end with their statement.
func (l *lowerer) spill(o *operand) {
	if o.used || o.v.Kind != nest.Temp && o.v.Kind != nest.Load {
		return
	}
	to := l.temporary()
	l.move(o, nest.Value{Kind: nest.Scalar, N: to})
	o.v, o.used = nest.Value{Kind: nest.Scalar, N: to}, false
}

// move sends a value to a scalar or a store: with the operation that made it, or by one of its own.
func (l *lowerer) move(o *operand, to nest.Value) {
	if o.v.Kind == nest.Temp && !o.used {
		if op := &l.stmt.Flow[o.v.N]; op.Out.Kind == nest.None {
			op.Out, o.used = to, true
			return
		}
	}
	o.used = true
	l.stmt.Flow = append(l.stmt.Flow, nest.Operation{Kind: nest.Move, Type: o.t, Args: []nest.Value{o.v}, Out: to})
}

// temporary makes a scalar for a value that no variable holds.
func (l *lowerer) temporary() int {
	l.temporaries++
	return l.scalarIndex(scalarKey{tmp: l.temporaries}, fmt.Sprintf("tmp%d", l.temporaries))
}

// scalarIndex is the number of a scalar of the program, new ones getting the next.
func (l *lowerer) scalarIndex(k scalarKey, name string) int {
	i, ok := l.scalars[k]
	if !ok {
		i = len(l.prog.Scalars)
		l.prog.Scalars = append(l.prog.Scalars, name)
		l.scalars[k] = i
	}
	return i
}

// literal is a constant of the source.
func literal(t nest.Type) *operand {
	return &operand{v: nest.Value{Kind: nest.Const}, t: t, literal: true}
}

// kindOfConstant says of a constant whether it is a power of two.
func kindOfConstant(v cc.Value) int {
	f := 0.0
	switch v := v.(type) {
	case cc.Float64Value:
		f = float64(v)
	case cc.Int64Value:
		f = float64(v)
	case cc.UInt64Value:
		f = float64(v)
	}
	if m, _ := math.Frexp(math.Abs(f)); m == 0.5 {
		return nest.PowerOfTwo
	}
	return nest.AnyConstant
}

// counter is a value made of loop counters.
func counter(t nest.Type) *operand { return &operand{v: nest.Value{Kind: nest.Const}, t: t} }

// ofCounters is a value that is known by an expression in loop counters.
func (l *lowerer) ofCounters(x *expr.Expr, t nest.Type) *operand {
	o := counter(t)
	o.literal = x.Op == expr.OpConst
	x.EachVar(func(v expr.Var) {
		if l.innermost != nil && v == *l.innermost {
			o.v.N = nest.Counter
		}
	})
	return o
}

// effect lowers an expression for what it does; its value is not used.
func (l *lowerer) effect(e cc.ExpressionNode) {
	l.flush()
	for x, ok := e.(*cc.ExpressionList); ok && x != nil; x = x.ExpressionList {
		if a := tree.Strip(x.AssignmentExpression); a != nil {
			l.flush()
			l.effectOne(a)
		}
	}
	if _, ok := e.(*cc.ExpressionList); !ok {
		l.effectOne(tree.Strip(e))
	}
	l.flush()
}

// effectOne evaluates one expression for what it does, its value unused.
func (l *lowerer) effectOne(e cc.ExpressionNode) {
	if c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast && c.Type().Kind() == cc.Void {
		l.effect(c.CastExpression)
		return
	}
	if x, ok := e.(*cc.ExpressionList); ok {
		l.effect(x)
		return
	}
	after := l.stepping(e)
	l.value(e).used = true
	l.flush()
	after()
}

// value lowers an expression and gives its value.
func (l *lowerer) value(e cc.ExpressionNode) *operand {
	e = tree.Strip(e)
	switch e.Value().(type) {
	case cc.Int64Value, cc.UInt64Value, cc.Float64Value, *cc.LongDoubleValue, cc.Complex64Value, cc.Complex128Value, *cc.ComplexLongDoubleValue:
		if !tree.HasEffects(e) {
			if cc.IsComplexType(e.Type()) {
				return ofParts(e.Type(), func(p part) *operand { return literal(p.t) })
			}
			o := literal(typeOf(e.Type()))
			o.v.N = kindOfConstant(e.Value())
			return o
		}
	}
	if cc.IsComplexType(e.Type()) {
		if o := l.complexValue(e); o != nil {
			return o
		}
	}
	switch n := e.(type) {
	case *cc.ExpressionList:
		return l.comma(n)
	case *cc.PrimaryExpression:
		return l.primary(n)
	case *cc.PostfixExpression:
		return l.postfix(n)
	case *cc.UnaryExpression:
		return l.unary(n)
	case *cc.CastExpression:
		return l.cast(n)
	case *cc.ConditionalExpression:
		return l.choice(n)
	case *cc.AssignmentExpression:
		return l.assign(n)
	}
	if a, b, ok := tree.Operands(e); ok {
		return l.binary(e, a, b)
	}
	l.Fail(e, parse.TraceRemedy, "%s is not understood", tree.Text(e))
	return nil
}

// comma evaluates expressions from left to right and gives the last one's value.
func (l *lowerer) comma(n *cc.ExpressionList) *operand {
	var last *operand
	for ; n != nil; n = n.ExpressionList {
		last = l.value(n.AssignmentExpression)
	}
	return last
}

// primary lowers a name, a constant, or something in parentheses.
func (l *lowerer) primary(n *cc.PrimaryExpression) *operand {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		if d := tree.Variable(n); d != nil {
			return l.readVariable(n, d)
		}
	case cc.PrimaryExpressionStmt:
		return l.statements(n)
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return literal(nest.I64)
	}
	l.Fail(n, parse.TraceRemedy, "%s is not understood", tree.Text(n))
	return nil
}

// readVariable lowers the use of a variable's value.
func (l *lowerer) readVariable(n cc.ExpressionNode, d *cc.Declarator) *operand {
	t := d.Type()
	switch {
	case tree.IsInteger(t):
		if x, err := l.TryUntold(n); err == nil {
			return l.ofCounters(x, typeOf(t))
		}
	case tree.IsPointer(t) || t.Kind() == cc.Function:
		return literal(nest.I64)
	case t.Kind() == cc.Struct || t.Kind() == cc.Union:
		l.Fail(n, "copy its members one by one", "the structure %s as a whole", d.Name())
	}
	return l.scalarOperand(d)
}

// statements is a GNU statement expression.
func (l *lowerer) statements(n *cc.PrimaryExpression) *operand {
	if x, err := l.TryUntold(n); err == nil {
		return l.ofCounters(x, typeOf(n.Type()))
	}
	list := tree.Items(n.CompoundStatement)
	for i, item := range list {
		s := item.Statement
		if i == len(list)-1 && s != nil && s.Case == cc.StatementExpr && s.ExpressionStatement.ExpressionList != nil {
			return l.value(s.ExpressionStatement.ExpressionList)
		}
		l.block([]*cc.BlockItem{item}, nil, false)
	}
	return literal(nest.I32)
}

// postfix lowers subscripts, members, calls, and increments that follow their operand.
func (l *lowerer) postfix(n *cc.PostfixExpression) *operand {
	switch n.Case {
	case cc.PostfixExpressionIndex, cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		return l.read(n)
	case cc.PostfixExpressionCall:
		return l.call(n)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return l.increment(n, n.PostfixExpression)
	}
	l.Fail(n, "use a variable", "a compound literal")
	return nil
}

// unary lowers an operator before its operand.
func (l *lowerer) unary(n *cc.UnaryExpression) *operand {
	t := typeOf(n.Type())
	switch n.Case {
	case cc.UnaryExpressionDeref:
		return l.read(n)
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return l.increment(n, n.UnaryExpression)
	case cc.UnaryExpressionReal:
		return l.partOf(n, n.UnaryExpression, 0, t)
	case cc.UnaryExpressionImag:
		return l.partOf(n, n.UnaryExpression, 1, t)
	case cc.UnaryExpressionPlus:
		return l.convert(n, l.value(n.CastExpression), t)
	case cc.UnaryExpressionMinus:
		return l.one(n, nest.Select, t, l.convert(n, l.value(n.CastExpression), t))
	case cc.UnaryExpressionCpl:
		return l.one(n, nest.Logic, t, l.convert(n, l.value(n.CastExpression), t))
	case cc.UnaryExpressionNot:
		a := l.value(n.CastExpression)
		return l.one(n, nest.Compare, a.t, a)
	case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAddrof:
		return literal(nest.I64)
	}
	l.Fail(n, parse.TraceRemedy, "%s is not understood", tree.Text(n))
	return nil
}

// one applies an operation to one operand.
func (l *lowerer) one(n cc.Node, k nest.Kind, t nest.Type, a *operand) *operand {
	if a.literal {
		return literal(t)
	}
	return l.operation(n, nest.Operation{Kind: k, Type: t}, a)
}

// cast lowers a cast. Between pointers nothing is computed.
func (l *lowerer) cast(n *cc.CastExpression) *operand {
	if n.Case != cc.CastExpressionCast {
		return l.value(n.CastExpression)
	}
	if tree.IsPointer(n.Type()) {
		return literal(nest.I64)
	}
	return l.convert(n, l.value(n.CastExpression), typeOf(n.Type()))
}

// convert changes the type of a value; between integers that costs nothing.
func (l *lowerer) convert(n cc.Node, a *operand, t nest.Type) *operand {
	if a.parts != nil { // the imaginary part is lost
		a.parts[1].used = true
		a = a.parts[0]
	}
	if a.t == t || !a.t.IsFloat() && !t.IsFloat() || a.literal {
		a.t = t
		return a
	}
	return l.operation(n, nest.Operation{Kind: nest.Convert, Type: t, From: a.t}, a)
}

var binaryKinds = map[string]nest.Kind{
	"+": nest.Add, "-": nest.Add, "*": nest.Mul, "/": nest.Div, "%": nest.Div, "<<": nest.Logic, ">>": nest.Logic,
	"&": nest.Logic, "|": nest.Logic, "^": nest.Logic, "&&": nest.Logic, "||": nest.Logic, "<": nest.Compare,
	">": nest.Compare, "<=": nest.Compare, ">=": nest.Compare, "==": nest.Compare, "!=": nest.Compare,
}

// binary lowers an operator between two operands, the left one first. Where one is a pointer nothing is computed: the place was.
func (l *lowerer) binary(e, a, b cc.ExpressionNode) *operand {
	if op := tree.Operator(e); op == "&&" || op == "||" {
		return l.chain(e, terms(e, op), op == "&&")
	}
	if tree.IsPointer(a.Type()) || tree.IsPointer(b.Type()) {
		return literal(typeOf(e.Type()))
	}
	if turned, by := l.rotation(e, a, b); turned != nil {
		return l.two(e, nest.Operation{Kind: nest.Logic, Type: typeOf(e.Type())}, l.value(turned), l.value(by))
	}
	x := l.value(a)
	y := l.value(b)
	kind := binaryKinds[tree.Operator(e)]
	t := typeOf(e.Type())
	if cc.IsComplexType(e.Type()) {
		return l.arithmetic(e, nest.Operation{Kind: kind, Type: t, Minus: tree.Operator(e) == "-"}, x, y)
	}
	if kind == nest.Compare {
		t = commonType(a.Type(), b.Type())
	}
	return l.two(e, nest.Operation{Kind: kind, Type: t, Minus: tree.Operator(e) == "-", OrEqual: tree.Operator(e) == "<=" || tree.Operator(e) == ">="}, l.convert(e, x, t), l.convert(e, y, t))
}

// rotation tells what is rotated, and by how much, where two shifts of the same unsigned number that make up its width are put together: compilers make one
// instruction of x << k | x >> (64 - k). Numbers in memory are left as they are written, which is read twice.
func (l *lowerer) rotation(e, a, b cc.ExpressionNode) (turned, by cc.ExpressionNode) {
	if op := tree.Operator(e); op != "|" && op != "^" && op != "+" || !tree.IsUnsigned(e.Type()) {
		return nil, nil
	}
	a, b = tree.Strip(a), tree.Strip(b)
	if tree.Operator(a) == ">>" {
		a, b = b, a
	}
	x, left, shifts := tree.Operands(a)
	y, right, shiftsToo := tree.Operands(b)
	if !shifts || !shiftsToo || tree.Operator(a) != "<<" || tree.Operator(b) != ">>" || tree.Text(x) != tree.Text(y) || tree.HasEffects(x) || tree.TouchesMemory(x) {
		return nil, nil
	}
	width := 8 * e.Type().Size()
	if m, err := l.TryInt(left); err == nil && m.Op == expr.OpConst {
		if n, err := l.TryInt(right); err == nil && n.Op == expr.OpConst && m.K+n.K == width {
			return x, left
		}
		return nil, nil
	}
	rest := tree.Strip(right)
	if whole, less, ok := tree.Operands(rest); ok && tree.Operator(rest) == "-" && tree.Text(less) == tree.Text(left) {
		if n, err := l.TryInt(whole); err == nil && n.Op == expr.OpConst && n.K == width {
			return x, left
		}
	}
	return nil, nil
}

// two applies an operation to two operands.
func (l *lowerer) two(n cc.Node, op nest.Operation, a, b *operand) *operand {
	if a.literal && b.literal {
		return literal(op.Type)
	}
	return l.operation(n, op, a, b)
}

// commonType is what the usual arithmetic conversions make of two types.
func commonType(a, b cc.Type) nest.Type { return max(typeOf(a), typeOf(b)) }
