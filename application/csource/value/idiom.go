package value

import (
	"strings"

	"modernc.org/cc/v4"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// choose is c ? a : b. A side that is never taken need not be known.
func (vs *Values) choose(n *cc.ConditionalExpression) *expr.Expr {
	c, a, b := n.LogicalOrExpression, tree.Taken(n), n.ConditionalExpression
	x := vs.Int(c)
	side := func(e cc.ExpressionNode) *expr.Expr {
		if !tree.IsInteger(n.Type()) {
			return vs.Int(e)
		}
		return vs.exactly(e, WidthOf(n.Type()))
	}
	switch {
	case vs.Always(x):
		return side(a)
	case vs.Never(x):
		return side(b)
	}
	var y, z *expr.Expr
	vs.Under(x, func() { y = side(a) })
	vs.Under(expr.Unary(expr.OpNot, x), func() { z = side(b) })
	if w := vs.Wrapped(x, y, z); w != nil {
		return w
	}
	return Conditional(x, y, z)
}

// Conditional recognises min, max, floord and ceild in their usual macro forms.
func Conditional(c, a, b *expr.Expr) *expr.Expr {
	if c.Op == expr.OpLt || c.Op == expr.OpLe {
		switch {
		case same(c.A, a) && same(c.B, b):
			return expr.Binary(expr.OpMin, a, b)
		case same(c.A, b) && same(c.B, a):
			return expr.Binary(expr.OpMax, a, b)
		}
		if e := division(c, a, b); e != nil {
			return e
		}
	}
	return expr.Conditional(c, a, b)
}

// same says whether two expressions are equal whatever their variables are, as far as that is seen.
func same(a, b *expr.Expr) bool {
	k, ok := minus(a, b)
	return ok && k == 0
}

// division recognises
//
//	n < 0 ? -((-n + d-1) / d) : n / d      floord(n, d)
//	n < 0 ? -(-n / d) : (n + d-1) / d      ceild(n, d)
//
// with n < 0 also written as 0 > n.
func division(c, a, b *expr.Expr) *expr.Expr {
	zero, ok := Constant(c.B)
	if !ok || zero != 0 || c.Op != expr.OpLt || a.Op != expr.OpNeg || !isDivision(a.A) || !isDivision(b) {
		return nil
	}
	d, ok := Constant(b.B)
	if d1, ok1 := Constant(a.A.B); !ok || !ok1 || d != d1 || d <= 0 {
		return nil
	}
	n := c.A
	down, ok1 := minus(b.A, n)
	up, ok2 := minus(a.A.A, expr.Unary(expr.OpNeg, n))
	switch {
	case !ok1 || !ok2:
		return nil
	case down == 0 && up == d-1:
		return expr.Binary(expr.OpFloorDiv, n, expr.Int(d))
	case down == d-1 && up == 0:
		return expr.Binary(expr.OpCeilDiv, n, expr.Int(d))
	}
	return nil
}

func isDivision(e *expr.Expr) bool { return e.Op == expr.OpDiv || e.Op == expr.OpFloorDiv }

// IntegerFunctions are known by name when the file does not define them: those that generators of loops such as Pluto and PPCG write, and usual
// macros of others.
var IntegerFunctions = map[string]expr.Op{
	"min": expr.OpMin, "max": expr.OpMax, "MIN": expr.OpMin, "MAX": expr.OpMax, "imin": expr.OpMin, "imax": expr.OpMax,
	"floord": expr.OpFloorDiv, "ceild": expr.OpCeilDiv, "ppcg_min": expr.OpMin, "ppcg_max": expr.OpMax,
	"ppcg_fdiv_q": expr.OpFloorDiv, "intFloor": expr.OpFloorDiv, "intCeil": expr.OpCeilDiv,
}

// intPostfix is the value of a member or a call.
func (vs *Values) intPostfix(n *cc.PostfixExpression) *expr.Expr {
	switch n.Case {
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		if tree.IsInteger(n.Type()) {
			return vs.intMember(n)
		}
	case cc.PostfixExpressionIndex:
		if tree.IsInteger(n.Type()) {
			return vs.intElement(n)
		}
	case cc.PostfixExpressionCall:
		return vs.intCall(n)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		if vs.Stepped[n] {
			return vs.Int(n.PostfixExpression)
		}
	}
	return vs.notInt(n)
}

// intElement is the value of an element of an array of integers, where it is known at this point, defined by the caller, or the same throughout the
// program.
func (vs *Values) intElement(n *cc.PostfixExpression) *expr.Expr {
	at, err := vs.TryAddress(n)
	if err == nil && at.Scalar != nil {
		return vs.intVariable(n, at.Scalar)
	}
	if err != nil || at.Object == nil || at.Offset.Op != expr.OpConst {
		return vs.notInt(n)
	}
	if vs.inUnstable(n) {
		return vs.notInt(n)
	}
	x, ok := vs.Fields[Member{at.Object, at.Offset.K}]
	if x != nil {
		return x
	}
	d, offset, known := parse.Part(n, func(e cc.ExpressionNode) (int64, bool) {
		return TryConstant(vs.TryInt(e))
	})
	if d == nil || !known || d.Type().Kind() == cc.Ptr {
		if v, known := vs.behindPointer(n, at); known && !ok {
			return expr.Int(v)
		}
		if x := vs.memberElement(n, Member{at.Object, at.Offset.K}); x != nil && !ok {
			return x
		}
		if x := vs.pointedElement(n, Member{at.Object, at.Offset.K}); x != nil && !ok {
			return x
		}
		return vs.notInt(n)
	}
	text := vs.nameOf(n)
	if v, given := vs.Source.Defined[text]; given {
		return expr.Int(v)
	}
	if ok || vs.Released[at.Object] {
		return vs.notInt(n)
	}
	if v, err := elementOf(vs.Source, d, offset, text, vs.Warn); err == nil {
		return expr.Int(v)
	}
	if v, ok := vs.told(n); ok {
		return expr.Int(v)
	}
	if vs.Ask != nil {
		vs.Ask()
	}
	if x := vs.entryField(Member{at.Object, offset}); x != nil {
		return x
	}
	if e := vs.Facts.Elements[d]; d.StorageDuration() == cc.Static && (e == nil || e.Given != "" && !e.Other) {
		vs.undefined(n, tree.Text(n), text)
	}
	return vs.notInt(n)
}

// behindPointer is the value of an element of an array of the file that a pointer leads to, where it is the same throughout the program.
func (vs *Values) behindPointer(n cc.ExpressionNode, at Place) (int64, bool) {
	if vs.Released[at.Object] {
		return 0, false
	}
	for k, o := range vs.Objects {
		if o == at.Object && !k.heap && k.Variable.Type().Kind() == cc.Array {
			v, err := elementOf(vs.Source, k.Variable, at.Offset.K, tree.Text(n), vs.Warn)
			return v, err == nil
		}
	}
	return 0, false
}

// inUnstable tells an element of an array in a structure that is changed in one that is not known.
func (vs *Values) inUnstable(n *cc.PostfixExpression) bool {
	for n.Case == cc.PostfixExpressionIndex {
		base, _ := tree.Subscript(n)
		inner, ok := tree.Strip(base).(*cc.PostfixExpression)
		if !ok {
			return false
		}
		n = inner
	}
	return (n.Case == cc.PostfixExpressionSelect || n.Case == cc.PostfixExpressionPSelect) && vs.Unstable[n.Token2.SrcStr()]
}

// intMember is the value of an integer member of a structure.
func (vs *Values) intMember(n *cc.PostfixExpression) *expr.Expr {
	at, err := vs.TryAddress(n)
	if err != nil || at.Object == nil || at.Offset.Op != expr.OpConst {
		if x := vs.sameMember(n, nil); x != nil {
			return x
		}
		return vs.notInt(n)
	}
	if v, given := vs.givenMember(n); given {
		return expr.Int(v)
	}
	if v, ok := vs.tabled(n); ok {
		return expr.Int(v)
	}
	if vs.Unstable[n.Token2.SrcStr()] {
		vs.Fail(n, parse.TraceRemedy, "the value of %s is not known here: it changes while the program runs", tree.Text(n))
	}
	m := FieldAt(n, at.Object, at.Offset.K)
	x, ok := vs.Fields[m]
	if x != nil {
		return x
	}
	name := n.Token2.SrcStr()
	if v, given := vs.Source.Defined[name]; given && !ok {
		return expr.Int(v)
	}
	if ok {
		vs.Fail(n, parse.TraceRemedy, "the value of %s is not known here: it changes while the program runs", tree.Text(n))
	}
	if x := vs.sameMember(n, &m); x != nil && !vs.Released[at.Object] {
		return x
	}
	if v, ok := vs.told(n); ok {
		return expr.Int(v)
	}
	if vs.Ask != nil {
		vs.Ask()
	}
	if x := vs.entryField(m); x != nil {
		return x
	}
	vs.undefined(n, tree.Text(n), name)
	return nil
}

// tabled is the value of a member of a structure in an array that never changes.
func (vs *Values) tabled(n *cc.PostfixExpression) (int64, bool) {
	d, offset, known := parse.Part(n, func(e cc.ExpressionNode) (int64, bool) {
		return TryConstant(vs.TryInt(e))
	})
	if d == nil || !known || d.Type().Kind() != cc.Array || !isConst(d) {
		return 0, false
	}
	v, err := elementOf(vs.Source, d, offset, tree.Text(n), vs.Warn)
	return v, err == nil
}

// givenMember is the value that the caller defines for a member of a structure: by the text of it, by the structure's own name where a pointer leads to
// it, or with the other of . and ->, as a function may be given by its address what another has.
func (vs *Values) givenMember(n *cc.PostfixExpression) (int64, bool) {
	if len(vs.Source.Defined) == 0 {
		return 0, false
	}
	member, name := n.Token2.SrcStr(), vs.nameOf(n)
	names := []string{name}
	if of, ok := strings.CutSuffix(name, "->"+member); ok {
		names = append(names, of+"."+member)
	} else if of, ok := strings.CutSuffix(name, "."+member); ok {
		names = append(names, of+"->"+member)
	}
	if n.Case == cc.PostfixExpressionPSelect {
		var at Place
		err := parse.Attempt(func() { at = vs.Pointer(n.PostfixExpression) })
		if t := Pointee(n.PostfixExpression.Type()); err == nil && at.Object != nil && at.Offset.Op == expr.OpConst && at.Offset.K == 0 && t != nil && t.Size() == at.Object.Bytes {
			names = append(names, at.Object.Name+"."+member, at.Object.Name+"->"+member)
		}
	}
	for _, name := range names {
		if v, given := vs.Source.Defined[name]; given {
			return v, true
		}
	}
	return 0, false
}

// FieldAt is under which key the value of a member is kept: members of bits share their bytes with others.
func FieldAt(e cc.ExpressionNode, o *nest.Object, offset int64) Member {
	if n, ok := tree.Strip(e).(*cc.PostfixExpression); ok {
		offset += tree.Bits(n.Field())
	}
	return Member{o, offset}
}

// Initialized is FieldAt of a member that an initializer sets.
func Initialized(n *cc.Initializer, o *nest.Object) Member {
	return Member{o, n.Offset() + tree.Bits(n.Field())}
}

// entryField is what a member is where the program calls the function first.
func (vs *Values) entryField(m Member) *expr.Expr {
	if x := vs.Fields[m]; x != nil || vs.Released[m.Object] {
		return x
	}
	return vs.EntryFields[m]
}

// sameMember is the value that a member has in all structures of its type, where the program sets no other. Where that is taken to be so, and it is known
// which member of an object it is, what main knows of this one goes first.
func (vs *Values) sameMember(n *cc.PostfixExpression, at *Member) *expr.Expr {
	f := n.Field()
	if f == nil || f.Declarator() == nil {
		return nil
	}
	var said []func()
	v, err := ConstantOf(vs.Source, f.Declarator(), func(n cc.Node, format string, args ...any) {
		said = append(said, func() { vs.Warn(n, format, args...) })
	}, 0)
	if err != nil {
		return nil
	}
	if len(said) > 0 && at != nil && vs.Ask != nil && vs.Source.Told == nil {
		vs.Ask()
		if x := vs.entryField(*at); x != nil {
			return x
		}
	}
	for _, say := range said {
		say()
	}
	return expr.Int(v)
}
