package lower

import (
	"strings"

	"foresee/application/csource/tree"
	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// part is a real number in what an expression reads or writes: all of it, or one of the two of a complex number.
type part struct {
	offset, size int64
	t            nest.Type
}

// partsOf are the real numbers of a scalar type.
func partsOf(t cc.Type) []part {
	if !cc.IsComplexType(t) {
		return []part{{0, t.Size(), typeOf(t)}}
	}
	half := t.Size() / 2
	return []part{{0, half, typeOf(t)}, {half, half, typeOf(t)}}
}

// complexOperand is a complex number.
func complexOperand(parts []*operand) *operand {
	return &operand{t: parts[0].t, parts: parts, literal: parts[0].literal && parts[1].literal}
}

// numbers are the real numbers that an operand is made of.
func (o *operand) numbers() []*operand {
	if o.parts == nil {
		return []*operand{o}
	}
	return o.parts
}

// ofParts makes an operand of the real numbers of a type, each as f gives it.
func ofParts(t cc.Type, f func(p part) *operand) *operand {
	var all []*operand
	for _, p := range partsOf(t) {
		all = append(all, f(p))
	}
	if len(all) == 1 {
		return all[0]
	}
	return complexOperand(all)
}

// toComplex makes a complex number of a value, with parts of type t.
func (l *lowerer) toComplex(n cc.Node, o *operand, t nest.Type) *operand {
	if o.parts == nil {
		return complexOperand([]*operand{l.convert(n, o, t), literal(t)})
	}
	return complexOperand([]*operand{l.convert(n, o.parts[0], t), l.convert(n, o.parts[1], t)})
}

// convertTo makes of a value one of a scalar type.
func (l *lowerer) convertTo(n cc.Node, o *operand, t cc.Type) *operand {
	if cc.IsComplexType(t) {
		return l.toComplex(n, o, typeOf(t))
	}
	return l.convert(n, o, typeOf(t))
}

// complexValue lowers an expression of a complex type.
func (l *lowerer) complexValue(e cc.ExpressionNode) *operand {
	t := typeOf(e.Type())
	switch n := e.(type) {
	case *cc.UnaryExpression:
		if n.Case == cc.UnaryExpressionMinus || n.Case == cc.UnaryExpressionCpl {
			return l.negated(n, l.toComplex(n, l.value(n.CastExpression), t), n.Case == cc.UnaryExpressionCpl)
		}
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionCast {
			return l.toComplex(n, l.value(n.CastExpression), t)
		}
	case *cc.PostfixExpression:
		if n.Case == cc.PostfixExpressionCall {
			if o := l.complexCall(n, t); o != nil {
				return o
			}
		}
	}
	return nil
}

// negated is −x, or, of the conjugate, only its imaginary part with another sign.
func (l *lowerer) negated(n cc.Node, x *operand, conjugate bool) *operand {
	re := x.parts[0]
	if !conjugate {
		re = l.one(n, nest.Select, x.t, re)
	}
	return complexOperand([]*operand{re, l.one(n, nest.Select, x.t, x.parts[1])})
}

// complexCall lowers a call of a function of <complex.h>; nil of others.
func (l *lowerer) complexCall(n *cc.PostfixExpression, t nest.Type) *operand {
	name := strings.TrimPrefix(tree.Callee(n), "__builtin_")
	if l.Facts.ByName[name] != nil {
		return nil
	}
	args := tree.Arguments(n)
	base := realName(name)
	switch {
	case (strings.HasPrefix(name, "CMPLX") || name == "complex") && len(args) == 2:
		return complexOperand([]*operand{l.convert(n, l.value(args[0]), t), l.convert(n, l.value(args[1]), t)})
	case !complexFunctions[base] || len(args) == 0:
		return nil
	case base == "conj":
		return l.negated(n, l.toComplex(n, l.value(args[0]), t), true)
	}
	x := l.toComplex(n, l.value(args[0]), t)
	call := func(name string, args ...*operand) *operand {
		return l.operation(n, nest.Operation{Kind: nest.Call, Type: t, Name: name}, args...)
	}
	if base == "cexp" {
		r, s, c := call("exp", x.parts[0]), call("sin", x.parts[1]), call("cos", x.parts[1])
		mul := nest.Operation{Kind: nest.Mul, Type: t}
		return complexOperand([]*operand{l.operation(n, mul, r, c), l.operation(n, mul, r, s)})
	}
	all := x.parts
	for _, a := range args[1:] {
		all = append(all, l.value(a).numbers()...)
	}
	return complexOperand([]*operand{call(base, all...), call(base, all...)})
}

// complexFunctions are the functions of <complex.h> that give complex numbers, without suffix.
var complexFunctions = words(`conj cproj cexp clog cpow csqrt csin ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh`)

// ofComplex lowers a call of a function of <complex.h> that gives a real number of a complex one; nil of others.
func (l *lowerer) ofComplex(n *cc.PostfixExpression, name string) *operand {
	args := tree.Arguments(n)
	if len(args) != 1 {
		return nil
	}
	t := typeOf(n.Type())
	switch realName(name) {
	case "creal":
		return l.partOf(n, args[0], 0, t)
	case "cimag":
		return l.partOf(n, args[0], 1, t)
	case "cabs":
		return l.operation(n, nest.Operation{Kind: nest.Call, Type: t, Name: "hypot"}, l.toComplex(n, l.value(args[0]), t).parts...)
	case "carg":
		return l.operation(n, nest.Operation{Kind: nest.Call, Type: t, Name: "atan2"}, l.toComplex(n, l.value(args[0]), t).parts...)
	}
	return nil
}

// realName is the name of a mathematical function without the suffix that tells its type.
func realName(name string) string {
	for _, suffix := range []string{"f", "l"} {
		if base := strings.TrimSuffix(name, suffix); base != name && base != "crea" && base != "cei" {
			return base
		}
	}
	return name
}

// partOf is the real or the imaginary part of an expression: of what lies in memory, only that is read.
func (l *lowerer) partOf(n cc.Node, e cc.ExpressionNode, i int, t nest.Type) *operand {
	e = tree.Strip(e)
	if cc.IsComplexType(e.Type()) && isPlace(e) && !l.inRegister(e) {
		if p := l.Address(e); p.Scalar == nil {
			return l.convert(n, l.loadPart(e, p, partsOf(e.Type())[i]), t)
		}
	}
	x := l.toComplex(n, l.value(e), typeOf(e.Type()))
	x.parts[1-i].used = true
	return l.convert(n, x.parts[i], t)
}

// isPlace tells expressions that read memory: elements, members, what pointers point at.
func isPlace(e cc.ExpressionNode) bool {
	switch n := e.(type) {
	case *cc.PostfixExpression:
		return n.Case == cc.PostfixExpressionIndex || n.Case == cc.PostfixExpressionSelect || n.Case == cc.PostfixExpressionPSelect
	case *cc.UnaryExpression:
		return n.Case == cc.UnaryExpressionDeref
	}
	return false
}

// inRegister tells members that live in registers.
func (l *lowerer) inRegister(e cc.ExpressionNode) bool {
	_, _, register := l.registerMember(e)
	return register || isStructValue(e)
}

// arithmetic lowers + − × ÷ of complex numbers, or of a complex and a real one, as compilers do that obey Annex G of the standard: a product
// takes a test for what is not a number, a quotient a call.
func (l *lowerer) arithmetic(n cc.Node, op nest.Operation, a, b *operand) *operand {
	t := op.Type
	if a.literal && b.literal {
		return complexOperand([]*operand{literal(t), literal(t)})
	}
	plus := func(kind nest.Operation, x, y *operand) *operand {
		return l.two(n, kind, l.convert(n, x, t), l.convert(n, y, t))
	}
	mul := nest.Operation{Kind: nest.Mul, Type: t}
	switch {
	case op.Kind == nest.Add && a.parts != nil && b.parts != nil:
		return complexOperand([]*operand{plus(op, a.parts[0], b.parts[0]), plus(op, a.parts[1], b.parts[1])})
	case op.Kind == nest.Add && a.parts != nil:
		return complexOperand([]*operand{plus(op, a.parts[0], b), l.convert(n, a.parts[1], t)})
	case op.Kind == nest.Add:
		return complexOperand([]*operand{plus(op, a, b.parts[0]), l.convert(n, b.parts[1], t)})
	case op.Kind == nest.Mul && (a.parts == nil || b.parts == nil):
		if a.parts == nil {
			a, b = b, a
		}
		return complexOperand([]*operand{plus(mul, a.parts[0], b), plus(mul, a.parts[1], b)})
	case op.Kind == nest.Mul:
		x, y := a.parts, b.parts
		minus, sum := nest.Operation{Kind: nest.Add, Type: t, Minus: true}, nest.Operation{Kind: nest.Add, Type: t}
		re := plus(minus, plus(mul, x[0], y[0]), plus(mul, x[1], y[1]))
		im := plus(sum, plus(mul, x[0], y[1]), plus(mul, x[1], y[0]))
		if !re.literal && !im.literal {
			l.operation(n, nest.Operation{Kind: nest.Compare, Type: t}, re, im).used = true
		}
		return complexOperand([]*operand{re, im})
	case b.parts == nil:
		return complexOperand([]*operand{plus(op, a.parts[0], b), plus(op, a.parts[1], b)})
	}
	args := append(l.toComplex(n, a, t).parts, b.parts...)
	div := nest.Operation{Kind: nest.Call, Type: t, Name: "__divdc3"}
	return complexOperand([]*operand{l.operation(n, div, args...), l.operation(n, nest.Operation{Kind: nest.Move, Type: t}, args[0])})
}

// scalarPart is the scalar of a variable, or of a part of a complex one.
func (l *lowerer) scalarPart(d *cc.Declarator, p part) nest.Value {
	k := scalarKey{d: d}
	if p.offset > 0 {
		k.off = p.offset + 1
	}
	return nest.Value{Kind: nest.Scalar, N: l.scalarIndex(k, d.Name())}
}

// scalarOperand is the value of a variable that lives in registers.
func (l *lowerer) scalarOperand(d *cc.Declarator) *operand {
	return ofParts(d.Type(), func(p part) *operand { return &operand{v: l.scalarPart(d, p), t: p.t} })
}

// moveTo sends a value, of a type, to scalars.
func (l *lowerer) moveTo(o, to *operand) {
	from := o.numbers()
	for i, x := range to.numbers() {
		l.move(from[i], x.v)
	}
}

// keeper makes scalars for a value of a type that no variable holds.
func (l *lowerer) keeper(t cc.Type) *operand {
	return ofParts(t, func(p part) *operand {
		return &operand{v: nest.Value{Kind: nest.Scalar, N: l.temporary()}, t: p.t}
	})
}

// memberScalars are the registers of a member of a structure.
func (l *lowerer) memberScalars(k scalarKey, name string, t cc.Type) *operand {
	return ofParts(t, func(p part) *operand {
		k := k
		k.off += p.offset
		return &operand{v: nest.Value{Kind: nest.Scalar, N: l.scalarIndex(k, name)}, t: p.t}
	})
}

// memberOperand is the value of such a member, which is read.
func (l *lowerer) memberOperand(k scalarKey, name string, t cc.Type) *operand {
	o := l.memberScalars(k, name, t)
	for _, x := range o.numbers() {
		l.membersRead[x.v.N] = true
	}
	return o
}
