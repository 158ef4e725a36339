package value

import (
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// isSerial tells code outside parallel regions of a function that no team enters, as it begins one itself or is where the program begins.
func (vs *Values) isSerial() bool {
	if vs.Parallel > 0 || vs.Function == nil {
		return false
	}
	return vs.Function.Declarator.Name() == "main" || slices.ContainsFunc(vs.Facts.Inside[vs.Function], func(p *parse.Pragma) bool { return p.Is("parallel") })
}

// intCall is the value of a call: of functions that are known, or that the file defines by one expression.
func (vs *Values) intCall(n *cc.PostfixExpression) *expr.Expr {
	name := tree.Callee(n)
	args := tree.Arguments(n)
	switch {
	case name == "omp_get_thread_num" && vs.Thread != nil:
		return vs.Thread
	case name == "omp_get_num_threads" && vs.Team != nil:
		return vs.Team
	case name == "omp_get_thread_num" && vs.isSerial():
		return expr.Int(0)
	case name == "omp_get_num_threads" && vs.isSerial():
		return expr.Int(1)
	}
	if strings.HasPrefix(name, "omp_get_thread_num") || name == "omp_get_num_threads" || name == "omp_get_max_threads" {
		panic(&parse.Error{Pos: parse.Position(n), Message: name + " decides what each thread does", Remedy: "let omp for deal the iterations, or " + parse.TraceRemedy, ByThread: true})
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
		return func() { vs.Pointers.Set(d, at) }
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
