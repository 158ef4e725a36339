package csource

import (
	"strings"

	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// choose is c ? a : b. A side that is never taken need not be known.
func (l *lowerer) choose(n *cc.ConditionalExpression) *expr.Expr {
	c, a, b := n.LogicalOrExpression, taken(n), n.ConditionalExpression
	x := l.int(c)
	side := func(e cc.ExpressionNode) *expr.Expr {
		if !isInteger(n.Type()) {
			return l.int(e)
		}
		return l.exactly(e, widthOf(n.Type()))
	}
	switch {
	case l.always(x):
		return side(a)
	case l.never(x):
		return side(b)
	}
	var y, z *expr.Expr
	l.under(x, func() { y = side(a) })
	l.under(expr.Unary(expr.OpNot, x), func() { z = side(b) })
	return conditional(x, y, z)
}

// conditional recognises min, max, floord and ceild in their usual macro forms.
func conditional(c, a, b *expr.Expr) *expr.Expr {
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
	zero, ok := constant(c.B)
	if !ok || zero != 0 || c.Op != expr.OpLt || a.Op != expr.OpNeg || !isDivision(a.A) || !isDivision(b) {
		return nil
	}
	d, ok := constant(b.B)
	if d1, ok1 := constant(a.A.B); !ok || !ok1 || d != d1 || d <= 0 {
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

// integerFunctions are known by name when the file does not define them.
var integerFunctions = map[string]expr.Op{
	"min": expr.OpMin, "max": expr.OpMax, "MIN": expr.OpMin, "MAX": expr.OpMax, "imin": expr.OpMin, "imax": expr.OpMax,
	"floord": expr.OpFloorDiv, "ceild": expr.OpCeilDiv, "ppcg_min": expr.OpMin, "ppcg_max": expr.OpMax,
	"ppcg_fdiv_q": expr.OpFloorDiv, "intFloor": expr.OpFloorDiv, "intCeil": expr.OpCeilDiv,
}

func (l *lowerer) intPostfix(n *cc.PostfixExpression) *expr.Expr {
	switch n.Case {
	case cc.PostfixExpressionSelect, cc.PostfixExpressionPSelect:
		if isInteger(n.Type()) {
			return l.intMember(n)
		}
	case cc.PostfixExpressionCall:
		return l.intCall(n)
	}
	return l.notInt(n)
}

// intMember is the value of an integer member of a structure.
func (l *lowerer) intMember(n *cc.PostfixExpression) *expr.Expr {
	at, err := l.tryAddress(n)
	if err != nil || at.obj == nil || at.off.Op != expr.OpConst {
		return l.notInt(n)
	}
	if l.unstable[n.Token2.SrcStr()] {
		l.fail(n, l.trace(), "the value of %s is not known here: it changes while the program runs", text(n))
	}
	x, ok := l.fields[member{at.obj, at.off.K}]
	if x != nil {
		return x
	}
	name := n.Token2.SrcStr()
	if v, given := l.s.values[name]; given && !ok {
		return expr.Int(v)
	}
	if ok {
		l.fail(n, l.trace(), "the value of %s is not known here: it changes while the program runs", text(n))
	}
	l.fail(n, "define it, such as "+name+"=1000", "the value of %s is not known", text(n))
	return nil
}

func (l *lowerer) intCall(n *cc.PostfixExpression) *expr.Expr {
	name := callee(n)
	args := arguments(n)
	if strings.HasPrefix(name, "omp_get_thread_num") || name == "omp_get_num_threads" || name == "omp_get_max_threads" {
		l.fail(n, "let omp for deal the iterations, or "+l.trace(), "%s decides what each thread does", name)
	}
	switch {
	case (name == "floor" || name == "ceil") && len(args) == 1:
		return l.floorOfQuotient(n, name, args[0])
	case name == "__builtin_expect" && len(args) == 2:
		return l.int(args[0])
	case (name == "abs" || name == "labs") && len(args) == 1:
		x := l.int(args[0])
		return expr.Binary(expr.OpMax, x, expr.Unary(expr.OpNeg, x))
	}
	if fd := l.f.byName[name]; fd != nil {
		return l.intInline(n, fd, args)
	}
	if op, ok := integerFunctions[strings.TrimLeft(name, "_")]; ok && len(args) == 2 {
		return l.arith(n, op, l.int(args[0]), l.int(args[1]))
	}
	return l.notInt(n)
}

// floorOfQuotient is Pluto's floor(((double)(n))/((double)(d))).
func (l *lowerer) floorOfQuotient(n cc.ExpressionNode, name string, arg cc.ExpressionNode) *expr.Expr {
	q, ok := strip(arg).(*cc.MultiplicativeExpression)
	if !ok || q.Case != cc.MultiplicativeExpressionDiv {
		if isInteger(strip(arg).Type()) {
			return l.int(arg)
		}
		return l.notInt(n)
	}
	a, b := l.int(wholeNumber(q.MultiplicativeExpression)), l.int(wholeNumber(q.CastExpression))
	if isInteger(q.Type()) {
		return l.quotient(n, a, b)
	}
	if name == "floor" {
		return l.arith(n, expr.OpFloorDiv, a, b)
	}
	return l.arith(n, expr.OpCeilDiv, a, b)
}

// wholeNumber drops a cast to a floating type.
func wholeNumber(e cc.ExpressionNode) cc.ExpressionNode {
	e = strip(e)
	if c, ok := e.(*cc.CastExpression); ok && c.Case == cc.CastExpressionCast && isInteger(c.CastExpression.Type()) {
		return c.CastExpression
	}
	return e
}

// intStatements is a GNU statement expression: ({ int a = …; int b = …; a < b ? a : b; }).
func (l *lowerer) intStatements(n *cc.PrimaryExpression) *expr.Expr {
	var last *expr.Expr
	for _, item := range items(n.CompoundStatement) {
		switch d := item.Declaration; {
		case d != nil && d.Case == cc.DeclarationAuto:
			l.ints[d.Declarator] = l.int(d.Initializer.AssignmentExpression)
		case d != nil:
			l.intDeclaration(d)
		case item.Statement != nil && item.Statement.Case == cc.StatementExpr && item.Statement.ExpressionStatement.ExpressionList != nil:
			last = l.int(item.Statement.ExpressionStatement.ExpressionList)
		default:
			return l.notInt(n)
		}
	}
	if last == nil {
		return l.notInt(n)
	}
	return last
}

func (l *lowerer) intDeclaration(d *cc.Declaration) {
	for _, id := range declarators(d) {
		if id.Initializer == nil || id.Initializer.AssignmentExpression == nil || !isInteger(id.Declarator.Type()) {
			l.fail(id, l.trace(), "%s is not a known integer", id.Declarator.Name())
		}
		l.ints[id.Declarator] = l.converted(id.Initializer.AssignmentExpression, id.Declarator.Type())
	}
}

// intInline evaluates a function of the file that only computes an integer.
func (l *lowerer) intInline(n *cc.PostfixExpression, fd *cc.FunctionDefinition, args []cc.ExpressionNode) *expr.Expr {
	ft, ok := fd.Declarator.Type().(*cc.FunctionType)
	if !ok || !isInteger(ft.Result()) || l.inlining[fd] || len(l.inlining) > maxInline {
		return l.notInt(n)
	}
	var values []*expr.Expr
	for i, a := range args {
		if p := ft.Parameters(); i < len(p) && isInteger(p[i].Type()) {
			values = append(values, l.converted(a, p[i].Type()))
			continue
		}
		values = append(values, l.int(a))
	}
	for i, p := range ft.Parameters() {
		if i < len(values) && p.Declarator != nil {
			l.ints[p.Declarator] = values[i]
		}
	}
	l.inlining[fd] = true
	defer delete(l.inlining, fd)
	if r := l.intBody(n, items(fd.CompoundStatement)); r != nil {
		return r
	}
	return l.notInt(n)
}

// intBody is the value that a list of statements returns; nil when it runs off the end.
func (l *lowerer) intBody(n cc.ExpressionNode, list []*cc.BlockItem) *expr.Expr {
	for i, item := range list {
		s := item.Statement
		switch {
		case item.Declaration != nil:
			l.intDeclaration(item.Declaration)
		case s == nil:
			return l.notInt(n)
		case s.Case == cc.StatementCompound:
			return l.intBody(n, append(items(s.CompoundStatement), list[i+1:]...))
		case s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementReturn && s.JumpStatement.ExpressionList != nil:
			return l.int(s.JumpStatement.ExpressionList)
		case s.Case == cc.StatementSelection && s.SelectionStatement.Case != cc.SelectionStatementSwitch:
			return l.intIf(n, s.SelectionStatement, list[i+1:])
		default:
			return l.notInt(n)
		}
	}
	return nil
}

func (l *lowerer) intIf(n cc.ExpressionNode, sel *cc.SelectionStatement, rest []*cc.BlockItem) *expr.Expr {
	side := func(s *cc.Statement) []*cc.BlockItem {
		if s == nil {
			return rest
		}
		return append([]*cc.BlockItem{{Case: cc.BlockItemStmt, Statement: s}}, rest...)
	}
	c := l.int(sel.ExpressionList)
	before := l.save()
	var a, b *expr.Expr
	l.under(c, func() { a = l.intBody(n, side(sel.Statement)) })
	l.restore(before)
	l.under(expr.Unary(expr.OpNot, c), func() { b = l.intBody(n, side(sel.Statement2)) })
	if a == nil || b == nil {
		return l.notInt(n)
	}
	return conditional(c, a, b)
}
