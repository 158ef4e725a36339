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

// intCall is the value of a call: of functions that are known, or that the file defines by one expression.
func (vs *Values) intCall(n *cc.PostfixExpression) *expr.Expr {
	name := tree.Callee(n)
	args := tree.Arguments(n)
	if strings.HasPrefix(name, "omp_get_thread_num") || name == "omp_get_num_threads" || name == "omp_get_max_threads" {
		vs.Fail(n, "let omp for deal the iterations, or "+parse.TraceRemedy, "%s decides what each thread does", name)
	}
	switch {
	case (name == "floor" || name == "ceil") && len(args) == 1:
		return vs.floorOfQuotient(n, name, args[0])
	case name == "__builtin_expect" && len(args) == 2:
		return vs.Int(args[0])
	case (name == "abs" || name == "labs") && len(args) == 1:
		x := vs.Int(args[0])
		return expr.Binary(expr.OpMax, x, expr.Unary(expr.OpNeg, x))
	}
	if fd := vs.Facts.ByName[name]; fd != nil {
		var x *expr.Expr
		err := parse.Attempt(func() { x = vs.intInline(n, fd, args) })
		if err == nil {
			return x
		}
		if v, ok := vs.run(fd, args); ok {
			return expr.Int(v)
		}
		panic(err)
	}
	if op, ok := IntegerFunctions[strings.TrimLeft(name, "_")]; ok && len(args) == 2 {
		return vs.Arithmetic(n, op, vs.Int(args[0]), vs.Int(args[1]))
	}
	return vs.notInt(n)
}

// floorOfQuotient is Pluto's floor(((double)(n))/((double)(d))).
func (vs *Values) floorOfQuotient(n cc.ExpressionNode, name string, arg cc.ExpressionNode) *expr.Expr {
	q, ok := tree.Strip(arg).(*cc.MultiplicativeExpression)
	if !ok || q.Case != cc.MultiplicativeExpressionDiv {
		if tree.IsInteger(tree.Strip(arg).Type()) {
			return vs.Int(arg)
		}
		return vs.notInt(n)
	}
	a, b := vs.Int(wholeNumber(q.MultiplicativeExpression)), vs.Int(wholeNumber(q.CastExpression))
	if tree.IsInteger(q.Type()) {
		return vs.Quotient(n, a, b)
	}
	if name == "floor" {
		return vs.Arithmetic(n, expr.OpFloorDiv, a, b)
	}
	return vs.Arithmetic(n, expr.OpCeilDiv, a, b)
}

// wholeNumber drops a cast to a floating type.
func wholeNumber(e cc.ExpressionNode) cc.ExpressionNode {
	e = tree.Strip(e)
	if c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast && tree.IsInteger(c.CastExpression.Type()) {
		return c.CastExpression
	}
	return e
}

// intStatements is a GNU statement expression: ({ int a = …; int b = …; a < b ? a : b; }).
func (vs *Values) intStatements(n *cc.PrimaryExpression) *expr.Expr {
	var last *expr.Expr
	for _, item := range tree.Items(n.CompoundStatement) {
		switch d := item.Declaration; {
		case d != nil && d.Case == cc.DeclarationAuto:
			vs.Ints.Set(d.Declarator, vs.Int(d.Initializer.AssignmentExpression))
		case d != nil:
			vs.intDeclaration(d)
		case item.Statement != nil && item.Statement.Case == cc.StatementExpr && item.Statement.ExpressionStatement.ExpressionList != nil:
			last = vs.Int(item.Statement.ExpressionStatement.ExpressionList)
		default:
			return vs.notInt(n)
		}
	}
	if last == nil {
		return vs.notInt(n)
	}
	return last
}

// intDeclaration takes over variables that are declared within an expression's statements.
func (vs *Values) intDeclaration(d *cc.Declaration) {
	for _, id := range tree.Declarators(d) {
		if id.Initializer == nil || id.Initializer.AssignmentExpression == nil || !tree.IsInteger(id.Declarator.Type()) {
			vs.Fail(id, parse.TraceRemedy, "%s is not a known integer", id.Declarator.Name())
		}
		vs.Ints.Set(id.Declarator, vs.Converted(id.Initializer.AssignmentExpression, id.Declarator.Type()))
	}
}

// intInline evaluates a function of the file that only computes an integer.
func (vs *Values) intInline(n *cc.PostfixExpression, fd *cc.FunctionDefinition, args []cc.ExpressionNode) *expr.Expr {
	ft, ok := fd.Declarator.Type().(*cc.FunctionType)
	if !ok || !tree.IsInteger(ft.Result()) || vs.Inlining[fd] || len(vs.Inlining) > MaxInline {
		return vs.notInt(n)
	}
	var bind []func()
	for i, a := range args {
		if i >= len(ft.Parameters()) {
			return vs.notInt(n)
		}
		bind = append(bind, vs.intArgument(a, ft.Parameters()[i]))
	}
	for _, f := range bind {
		f()
	}
	vs.Inlining[fd] = true
	defer delete(vs.Inlining, fd)
	if r := vs.intBody(n, tree.Items(fd.CompoundStatement)); r != nil {
		return r
	}
	return vs.notInt(n)
}

// intArgument evaluates an argument; the function it gives sets the parameter, after all are evaluated.
func (vs *Values) intArgument(a cc.ExpressionNode, p *cc.Parameter) func() {
	d := p.Declarator
	switch {
	case d == nil: // no name
		return func() {}
	case tree.IsInteger(p.Type()):
		x := vs.Converted(a, p.Type())
		return func() { vs.Ints.Set(d, x) }
	case p.Type().Kind() == cc.Ptr && !IsNull(a):
		at := vs.Pointer(a)
		return func() { vs.Pointers[d] = at }
	}
	x := vs.Int(a)
	return func() { vs.Ints.Set(d, x) }
}

// intBody is the value that a list of statements returns; nil when it runs off the end.
func (vs *Values) intBody(n cc.ExpressionNode, list []*cc.BlockItem) *expr.Expr {
	for i, item := range list {
		s := item.Statement
		switch {
		case item.Declaration != nil:
			vs.intDeclaration(item.Declaration)
		case s == nil:
			return vs.notInt(n)
		case s.Case == cc.StatementCompound:
			return vs.intBody(n, append(tree.Items(s.CompoundStatement), list[i+1:]...))
		case s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementReturn && s.JumpStatement.ExpressionList != nil:
			return vs.Int(s.JumpStatement.ExpressionList)
		case s.Case == cc.StatementSelection && s.SelectionStatement.Case != cc.SelectionStatementSwitch:
			return vs.intIf(n, s.SelectionStatement, list[i+1:])
		default:
			return vs.notInt(n)
		}
	}
	return nil
}

// intIf is the value that an if returns, with what follows it where it does not.
func (vs *Values) intIf(n cc.ExpressionNode, sel *cc.SelectionStatement, rest []*cc.BlockItem) *expr.Expr {
	side := func(s *cc.Statement) []*cc.BlockItem {
		if s == nil {
			return rest
		}
		return append([]*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: s}}, rest...)
	}
	c := vs.Int(sel.ExpressionList)
	before := vs.Save()
	var a, b *expr.Expr
	vs.Under(c, func() { a = vs.intBody(n, side(sel.Statement)) })
	vs.Restore(before)
	vs.Under(expr.Unary(expr.OpNot, c), func() { b = vs.intBody(n, side(sel.Statement2)) })
	if a == nil || b == nil {
		return vs.notInt(n)
	}
	return Conditional(c, a, b)
}
