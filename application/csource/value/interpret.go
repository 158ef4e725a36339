package value

import (
	"foresee/application/csource/tree"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// mostSteps bounds how many expressions are evaluated to run a function on numbers. Chosen: logarithms, powers and factorials take some hundreds.
const mostSteps = 20_000

// run is the value of a function of the file that computes an integer from integers alone, such as a logarithm by a loop or a greatest common divisor, for
// arguments that are constants; false for others.
func (vs *Values) run(fd *cc.FunctionDefinition, args []cc.ExpressionNode) (v int64, ok bool) {
	r := &runner{vs: vs, left: mostSteps}
	var given []int64
	for _, a := range args {
		x, err := vs.TryInt(a)
		if err != nil || x.Op != expr.OpConst {
			return 0, false
		}
		given = append(given, x.K)
	}
	defer r.stop(&ok)
	return r.call(fd, given), true
}

// fewSteps bounds how many expressions are evaluated to run a loop: long ones take time of their own. Chosen: the bits of a number, some ten divisors.
const fewSteps = 2000

// RunLoop gives what a short loop that changes nothing but integers, whose values are constants, leaves in them; false of others.
func (vs *Values) RunLoop(it *cc.IterationStatement) (left map[*cc.Declarator]int64, ok bool) {
	if !integersAlone(it) { // also where it has no iteration
		return nil, false
	}
	r := &runner{vs: vs, left: fewSteps, env: map[*cc.Declarator]int64{}, open: true}
	defer r.stop(&ok)
	if r.loop(it) != goesOn {
		return nil, false
	}
	return r.env, true
}

// integersAlone tells whether nothing but integer variables stands in a loop.
func integersAlone(it *cc.IterationStatement) bool {
	alone := true
	look := func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			alone = alone && (x.Case == cc.PostfixExpressionPrimary || x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec)
		case *cc.UnaryExpression:
			alone = alone && x.Case != cc.UnaryExpressionDeref
		}
		if d, ok := n.(*cc.PrimaryExpression); ok {
			if v := tree.Variable(d); v != nil {
				alone = alone && tree.IsInteger(v.Type())
			}
		}
		return alone
	}
	for _, e := range []cc.ExpressionNode{it.ExpressionList, it.ExpressionList2, it.ExpressionList3} {
		if e != nil {
			tree.Each(e, look)
		}
	}
	if it.Declaration != nil {
		tree.Each(it.Declaration, look)
	}
	tree.Each(it.Statement, look)
	return alone
}

// stop ends a run that cannot go on.
func (r *runner) stop(ok *bool) {
	if e := recover(); e != nil {
		if _, own := e.(notRun); !own {
			panic(e)
		}
		*ok = false
	}
}

// notRun leaves what cannot be run.
type notRun struct{}

// flow is how a statement ends.
type flow int

const (
	goesOn flow = iota
	breaks
	continues
	returns
)

// runner runs functions on integers.
type runner struct {
	vs     *Values
	left   int // steps
	depth  int
	env    map[*cc.Declarator]int64
	open   bool // variables of the function around may be used
	result int64
}

func (r *runner) call(fd *cc.FunctionDefinition, args []int64) int64 {
	ft, ok := fd.Declarator.Type().(*cc.FunctionType)
	if r.depth++; !ok || r.depth > MaxInline || !tree.IsInteger(ft.Result()) {
		panic(notRun{})
	}
	outer, open := r.env, r.open
	r.open = false
	r.env = map[*cc.Declarator]int64{}
	params := ft.Parameters()
	if len(params) == 1 && params[0].Type().Kind() == cc.Void {
		params = nil
	}
	if len(params) != len(args) {
		panic(notRun{})
	}
	for i, p := range params {
		if p.Declarator == nil || !tree.IsInteger(p.Declarator.Type()) {
			panic(notRun{})
		}
		r.env[p.Declarator] = r.fit(args[i], p.Declarator.Type())
	}
	if r.items(fd.CompoundStatement) != returns {
		panic(notRun{})
	}
	r.env, r.open = outer, open
	r.depth--
	return r.fit(r.result, ft.Result())
}

// fit is a number in a type: unsigned ones wrap, and signed ones that leave theirs cannot be run.
func (r *runner) fit(v int64, t cc.Type) int64 {
	if t.Kind() == cc.Bool {
		return truth(v != 0)
	}
	w := WidthOf(t)
	lo, hi := w.Limits()
	switch {
	case v >= lo && v <= hi:
		return v
	case w.Unsigned && w.Size < 8:
		return v & hi
	}
	panic(notRun{})
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func (r *runner) items(cs *cc.CompoundStatement) flow {
	for _, item := range tree.Items(cs) {
		switch {
		case item.Declaration != nil:
			for _, d := range tree.Declarators(item.Declaration) {
				if !tree.IsInteger(d.Declarator.Type()) || d.Declarator.IsStatic() || d.Initializer != nil && d.Initializer.AssignmentExpression == nil {
					panic(notRun{})
				}
				delete(r.env, d.Declarator)
				if d.Initializer != nil {
					r.env[d.Declarator] = r.fit(r.value(d.Initializer.AssignmentExpression), d.Declarator.Type())
				}
			}
		case item.Statement != nil:
			if f := r.statement(item.Statement); f != goesOn {
				return f
			}
		default:
			panic(notRun{})
		}
	}
	return goesOn
}

func (r *runner) statement(s *cc.Statement) flow {
	switch s.Case {
	case cc.StatementCompound:
		return r.items(s.CompoundStatement)
	case cc.StatementExpr:
		if e := s.ExpressionStatement.ExpressionList; e != nil {
			r.value(e)
		}
		return goesOn
	case cc.StatementSelection:
		sel := s.SelectionStatement
		switch {
		case sel.Case == cc.SelectionStatementSwitch:
			panic(notRun{})
		case r.value(sel.ExpressionList) != 0:
			return r.statement(sel.Statement)
		case sel.Statement2 != nil:
			return r.statement(sel.Statement2)
		}
		return goesOn
	case cc.StatementIteration:
		return r.loop(s.IterationStatement)
	case cc.StatementJump:
		switch j := s.JumpStatement; j.Case {
		case cc.JumpStatementBreak:
			return breaks
		case cc.JumpStatementContinue:
			return continues
		case cc.JumpStatementReturn:
			if j.ExpressionList != nil {
				r.result = r.value(j.ExpressionList)
				return returns
			}
		}
	}
	panic(notRun{})
}

func (r *runner) loop(it *cc.IterationStatement) flow {
	cond, inc := it.ExpressionList, cc.ExpressionNode(nil)
	switch it.Case {
	case cc.IterationStatementFor:
		if it.ExpressionList != nil {
			r.value(it.ExpressionList)
		}
		cond, inc = it.ExpressionList2, it.ExpressionList3
	case cc.IterationStatementForDecl:
		r.items(&cc.CompoundStatement{BlockItemList: &cc.BlockItemList{BlockItem: &cc.BlockItem{Case: cc.BlockItemDecl, Declaration: it.Declaration}}})
		cond, inc = it.ExpressionList, it.ExpressionList2
	}
	for first := it.Case == cc.IterationStatementDo; ; first = false {
		if r.left--; r.left < 0 {
			panic(notRun{})
		}
		if !first && cond != nil && r.value(cond) == 0 {
			return goesOn
		}
		switch r.statement(it.Statement) {
		case breaks:
			return goesOn
		case returns:
			return returns
		}
		if inc != nil {
			r.value(inc)
		}
	}
}

// value evaluates an expression, with what it does.
func (r *runner) value(e cc.ExpressionNode) int64 {
	if r.left--; r.left < 0 {
		panic(notRun{})
	}
	e = tree.Strip(e)
	switch n := e.(type) {
	case *cc.ExpressionList:
		v := int64(0)
		for ; n != nil; n = n.ExpressionList {
			v = r.value(n.AssignmentExpression)
		}
		return v
	case *cc.AssignmentExpression:
		return r.assigned(n)
	case *cc.ConditionalExpression:
		if r.value(n.LogicalOrExpression) != 0 {
			return r.value(tree.Taken(n))
		}
		return r.value(n.ConditionalExpression)
	case *cc.LogicalAndExpression:
		return truth(r.value(n.LogicalAndExpression) != 0 && r.value(n.InclusiveOrExpression) != 0)
	case *cc.LogicalOrExpression:
		return truth(r.value(n.LogicalOrExpression) != 0 || r.value(n.LogicalAndExpression) != 0)
	case *cc.CastExpression:
		if tree.IsInteger(n.Type()) && tree.IsInteger(n.CastExpression.Type()) {
			return r.fit(r.value(n.CastExpression), n.Type())
		}
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			return r.stepped(n, n.PostfixExpression, n.Case == cc.PostfixExpressionInc, false)
		case cc.PostfixExpressionCall:
			return r.called(n)
		}
	case *cc.UnaryExpression:
		return r.unary(n)
	}
	if a, b, ok := tree.Operands(e); ok && tree.IsInteger(a.Type()) && tree.IsInteger(b.Type()) {
		return r.binary(e, a, b)
	}
	if d := tree.Variable(e); d != nil {
		if v, ok := r.known(d); ok {
			return v
		}
		if d.StorageDuration() != cc.Static {
			panic(notRun{})
		}
	}
	return r.constant(e)
}

// constant is what does not depend on the variables of the function: an integer of the file that nothing changes.
func (r *runner) constant(e cc.ExpressionNode) int64 {
	tree.Each(e, func(n cc.Node) bool {
		if x, ok := n.(cc.ExpressionNode); ok {
			if d := tree.Variable(x); d != nil && d.StorageDuration() != cc.Static && !d.IsTypename() && d.Type().Kind() != cc.Enum {
				panic(notRun{})
			}
		}
		return true
	})
	if !tree.IsInteger(e.Type()) {
		panic(notRun{})
	}
	x, err := r.vs.TryInt(e)
	if err != nil || x.Op != expr.OpConst {
		panic(notRun{})
	}
	return x.K
}

// known is the value of a variable of the function.
func (r *runner) known(d *cc.Declarator) (int64, bool) {
	if v, ok := r.env[d]; ok || !r.open || d.StorageDuration() == cc.Static {
		return v, ok
	}
	x := r.vs.Ints.Of(d)
	if x == nil || x.Op != expr.OpConst {
		return 0, false
	}
	return x.K, true
}

func (r *runner) called(n *cc.PostfixExpression) int64 {
	fd := r.vs.Facts.ByName[tree.Callee(n)]
	if fd == nil {
		panic(notRun{})
	}
	var args []int64
	for _, a := range tree.Arguments(n) {
		if !tree.IsInteger(a.Type()) {
			panic(notRun{})
		}
		args = append(args, r.value(a))
	}
	return r.call(fd, args)
}

func (r *runner) unary(n *cc.UnaryExpression) int64 {
	switch n.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return r.stepped(n, n.UnaryExpression, n.Case == cc.UnaryExpressionInc, true)
	case cc.UnaryExpressionMinus, cc.UnaryExpressionPlus, cc.UnaryExpressionNot, cc.UnaryExpressionCpl:
		if !tree.IsInteger(n.CastExpression.Type()) {
			panic(notRun{})
		}
		v := r.value(n.CastExpression)
		switch n.Case {
		case cc.UnaryExpressionMinus:
			return r.fit(-v, n.Type())
		case cc.UnaryExpressionNot:
			return truth(v == 0)
		case cc.UnaryExpressionCpl:
			return r.fit(^v, n.Type())
		}
		return v
	}
	return r.constant(n)
}

// stepped is the value of ++ and --, before or behind the step.
func (r *runner) stepped(n, of cc.ExpressionNode, up, before bool) int64 {
	d := tree.Variable(of)
	if d == nil || !tree.IsInteger(d.Type()) {
		panic(notRun{})
	}
	v, ok := r.known(d)
	if !ok {
		panic(notRun{})
	}
	by := int64(-1)
	if up {
		by = 1
	}
	r.env[d] = r.fit(v+by, d.Type())
	if before {
		return r.env[d]
	}
	return v
}

func (r *runner) assigned(n *cc.AssignmentExpression) int64 {
	d := tree.Variable(n.UnaryExpression)
	if d == nil || !tree.IsInteger(d.Type()) || d.StorageDuration() == cc.Static || !tree.IsInteger(n.AssignmentExpression.Type()) {
		panic(notRun{})
	}
	v := r.value(n.AssignmentExpression)
	if n.Case != cc.AssignmentExpressionAssign {
		old, ok := r.known(d)
		op := compoundOperators[n.Case]
		if !ok || op == "" {
			panic(notRun{})
		}
		v = r.apply(op, old, v)
	}
	r.env[d] = r.fit(v, d.Type())
	return r.env[d]
}

var compoundOperators = map[cc.AssignmentExpressionCase]string{
	cc.AssignmentExpressionMul: "*", cc.AssignmentExpressionDiv: "/", cc.AssignmentExpressionMod: "%", cc.AssignmentExpressionAdd: "+", cc.AssignmentExpressionSub: "-",
	cc.AssignmentExpressionLsh: "<<", cc.AssignmentExpressionRsh: ">>", cc.AssignmentExpressionAnd: "&", cc.AssignmentExpressionXor: "^", cc.AssignmentExpressionOr: "|",
}

func (r *runner) binary(e, a, b cc.ExpressionNode) int64 {
	x, y := r.value(a), r.value(b)
	if commonWidth(a.Type(), b.Type()).Unsigned && (x < 0 || y < 0) {
		panic(notRun{})
	}
	switch n := e.(type) {
	case *cc.MultiplicativeExpression, *cc.AdditiveExpression, *cc.ShiftExpression, *cc.AndExpression, *cc.InclusiveOrExpression, *cc.ExclusiveOrExpression:
		return r.fit(r.apply(tree.Operator(e), x, y), e.Type())
	case *cc.EqualityExpression:
		return truth((x == y) == (n.Case == cc.EqualityExpressionEq))
	case *cc.RelationalExpression:
		switch n.Case {
		case cc.RelationalExpressionLt:
			return truth(x < y)
		case cc.RelationalExpressionGt:
			return truth(x > y)
		case cc.RelationalExpressionLeq:
			return truth(x <= y)
		case cc.RelationalExpressionGeq:
			return truth(x >= y)
		}
	}
	panic(notRun{})
}

// apply computes, where the result is sure to be that of 64 bits.
func (r *runner) apply(op string, x, y int64) int64 {
	ok, v := true, x
	switch op {
	case "+":
		ok = sum64(&v, y)
	case "-":
		ok = sum64(&v, -y)
	case "*":
		v, ok = mul64(x, y)
	case "/", "%":
		if y == 0 {
			panic(notRun{})
		}
		if v = x / y; op == "%" {
			v = x % y
		}
	case "<<":
		if ok = y >= 0 && y < 62 && x >= 0; ok {
			v, ok = mul64(x, 1<<y)
		}
	case ">>":
		if ok = y >= 0 && y < 63 && x >= 0; ok {
			v = x >> y
		}
	case "&":
		v = x & y
	case "^":
		v = x ^ y
	case "|":
		v = x | y
	default:
		ok = false
	}
	if !ok {
		panic(notRun{})
	}
	return v
}
