package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// header is the head of a for loop, taken apart.
type header struct {
	d    *cc.Declarator // the loop variable
	lo   *expr.Expr
	cond cc.ExpressionNode
	step int64
}

// loop lowers a for loop. Others are refused: how often they run depends on data.
func (l *lowerer) loop(it *cc.IterationStatement) {
	if it.Case == cc.IterationStatementDo {
		if v, ok := parse.IntegerValue(it.ExpressionList.Value()); ok && v == 0 && !tree.HasEffects(it.ExpressionList) {
			l.loops++ // break and continue are its own
			defer func() { l.loops-- }()
			l.statement(it.Statement, false)
			return
		}
	}
	if it.Case != cc.IterationStatementFor && it.Case != cc.IterationStatementForDecl {
		l.Fail(it, "write it as a for loop, or "+parse.TraceRemedy, "how often this %s loop runs depends on data", it.Token.SrcStr())
	}
	h := l.header(it)
	h.lo = value.Normal(h.lo)
	l.flush()
	for _, d := range l.Facts.Changed(it.Statement) {
		if d == h.d {
			l.Fail(it, "step it in the head only, or "+parse.TraceRemedy, "the loop variable %s is changed in the loop", h.d.Name())
		}
	}
	l.forget(it.Statement)
	v := l.newVar(h.d.Name(), h.lo, h.lo)
	l.Ints[h.d] = expr.Ref(v)
	if h.step > 0 { // so far only the start is known
		l.Ranges[v].Hi, l.Limits[v].Hi = expr.Whole.Hi, nil
	} else {
		l.Ranges[v].Lo, l.Limits[v].Lo = expr.Whole.Lo, nil
		if tree.IsUnsigned(h.d.Type()) {
			l.Ranges[v].Lo = min(0, l.Ranges[v].Hi)
		}
	}
	guards, hi := l.bounds(it, h, v)
	l.Ranges[v] = l.rangeOf(h, hi)
	l.Limits[v] = value.Limit{Lo: h.lo, Hi: hi}
	if h.step < 0 {
		l.Limits[v] = value.Limit{Lo: hi, Hi: h.lo}
	}
	l.ending(it, h, hi)
	body := l.collect(func() {
		l.loops++
		given := guards
		if given == nil {
			given = expr.Int(1)
		}
		l.Under(given, func() { l.statement(it.Statement, true) })
		l.loops--
	})
	l.forget(it.Statement)
	l.Ints[h.d] = nil
	if guards == nil && l.Parallel == 0 {
		l.Ints[h.d] = afterLoop(h, hi)
	}
	if len(body) == 0 {
		return
	}
	loop := &nest.Loop{Var: v, Lo: h.lo, Hi: hi, Step: h.step, Body: body, Pos: parse.Position(it)}
	if guards == nil {
		l.emit(loop)
		return
	}
	l.count(1)
	l.emit(&nest.If{Cond: guards, Then: []nest.Node{loop}, Pos: parse.Position(it)})
}

// ending refuses a loop whose variable cannot hold the value that ends it.
func (l *lowerer) ending(it *cc.IterationStatement, h header, hi *expr.Expr) {
	w := value.WidthOf(h.d.Type())
	end, known := value.Constant(hi)
	if k, ok := value.Constant(h.lo); known && ok {
		if (h.step > 0) == (k > end) && k != end { // no iteration
			return
		}
		end = k + (end-k)/h.step*h.step
	}
	lo, top := w.Limits()
	r := l.Interval(hi)
	if known {
		r = expr.Range{Lo: end, Hi: end}
	}
	remedy := "count with a wider type, such as long"
	switch {
	case w.Size < 8 && h.step > 0 && r.Hi > top && r.Hi < value.Unbounded, w.Size < 4 && h.step > 0 && r.Hi+h.step > top:
		l.Fail(it, remedy, "the loop variable %s may leave its type, which ends at %d", h.d.Name(), top)
	case h.cond == nil || h.step > 0 || isNotEqual(h.cond):
	case w.Unsigned && r.Lo+h.step < lo && r.Lo > -value.Unbounded:
		l.Fail(it, "count with a signed type", "%s may step below 0, where the unsigned %s wraps and the loop goes on", h.d.Name(), h.d.Name())
	}
}

// isNotEqual tells whether a loop ends on one value: i != 0, or i.
func isNotEqual(e cc.ExpressionNode) bool {
	if _, _, ok := tree.Operands(tree.Strip(e)); ok {
		return operator(tree.Strip(e)) == "!="
	}
	return tree.Variable(e) != nil
}

// afterLoop is the value of the loop variable when its loop has ended; nil: not known.
func afterLoop(h header, last *expr.Expr) *expr.Expr {
	lo, ok1 := value.Constant(h.lo)
	hi, ok2 := value.Constant(last)
	switch {
	case h.cond == nil:
		return nil
	case ok1 && ok2 && (h.step > 0) == (lo > hi) && lo != hi:
		return h.lo
	case ok1 && ok2:
		return expr.Int(lo + (hi-lo)/h.step*h.step + h.step)
	case h.step == 1:
		return value.Normal(expr.Binary(expr.OpMax, h.lo, value.Normal(expr.Binary(expr.OpAdd, last, expr.Int(1)))))
	case h.step == -1:
		return value.Normal(expr.Binary(expr.OpMin, h.lo, value.Normal(expr.Binary(expr.OpSub, last, expr.Int(1)))))
	}
	return nil
}

// newVar makes a loop variable.
func (l *lowerer) newVar(name string, lo, hi *expr.Expr) expr.Var {
	l.prog.Vars = append(l.prog.Vars, name)
	l.Ranges = append(l.Ranges, expr.Range{Lo: l.Interval(lo).Lo, Hi: l.Interval(hi).Hi})
	l.Limits = append(l.Limits, value.Limit{Lo: lo, Hi: hi})
	return expr.Var(len(l.prog.Vars) - 1)
}

// rangeOf bounds the values of a loop variable.
func (l *lowerer) rangeOf(h header, hi *expr.Expr) expr.Range {
	lo := h.lo
	if h.step < 0 {
		lo, hi = hi, lo
	}
	r := expr.Range{Lo: l.Interval(lo).Lo, Hi: l.Interval(hi).Hi}
	r.Hi = max(r.Lo, r.Hi)
	return r
}

// header takes the head of a loop apart.
func (l *lowerer) header(it *cc.IterationStatement) header {
	init, cond, inc := it.ExpressionList, it.ExpressionList2, it.ExpressionList3
	if it.Case == cc.IterationStatementForDecl {
		init, cond, inc = nil, it.ExpressionList, it.ExpressionList2
	}
	if cond == nil {
		l.Fail(it, "give it a condition on the loop variable, or "+parse.TraceRemedy, "a loop without condition")
	}
	h := header{cond: cond}
	if inc == nil {
		l.countdown(it, &h)
	} else {
		h.d, h.step = l.step(inc)
	}
	if h.d == nil || h.step == 0 {
		l.Fail(it, "step one variable by a constant", "the step of this loop is not understood")
	}
	if !tree.IsInteger(h.d.Type()) {
		l.Fail(it, "count with an integer", "the loop variable %s is not an integer", h.d.Name())
	}
	l.initLoop(it, init, &h)
	if inc == nil {
		h.lo = value.Normal(expr.Binary(expr.OpSub, h.lo, expr.Int(1)))
	}
	return h
}

// countdown is for (i = n; i-- > 0;).
func (l *lowerer) countdown(it *cc.IterationStatement, h *header) {
	e := tree.Strip(h.cond)
	if a, b, ok := tree.Operands(e); ok {
		op := operator(e)
		v, isConst := parse.IntegerValue(b.Value())
		if !isConst || v != 0 || op != ">" && op != "!=" {
			l.Fail(it, "step the variable in the head", "the step of this loop is not understood")
		}
		e = tree.Strip(a)
	}
	if p, ok := e.(*cc.PostfixExpression); ok && p.Case == cc.PostfixExpressionDec {
		h.d, h.step, h.cond = tree.Variable(p.PostfixExpression), -1, nil
	}
}

// initLoop runs the first part of the head and finds the first value.
func (l *lowerer) initLoop(it *cc.IterationStatement, init cc.ExpressionNode, h *header) {
	l.flush()
	if it.Declaration != nil {
		l.declare(it.Declaration)
	}
	if init != nil {
		l.effect(init)
	}
	lo := l.Ints[h.d]
	if lo == nil {
		if h.lo = l.firstValue(it, init, h.d); h.lo == nil {
			l.Fail(it, "start it at a known value, or "+parse.TraceRemedy, "the first value of %s is not known", h.d.Name())
		}
		return
	}
	h.lo = lo
}

// firstValue evaluates the start of the loop again, for its reason not to be known.
func (l *lowerer) firstValue(it *cc.IterationStatement, init cc.ExpressionNode, d *cc.Declarator) *expr.Expr {
	var value cc.ExpressionNode
	if it.Declaration != nil {
		for _, id := range tree.Declarators(it.Declaration) {
			if id.Declarator == d && id.Initializer != nil {
				value = id.Initializer.AssignmentExpression
			}
		}
	}
	tree.Each(init, func(n cc.Node) bool {
		if v, e := parse.Assigns(n); v == d {
			value = e
		}
		return true
	})
	if value == nil {
		return nil
	}
	x, err := l.TryInt(value)
	if err != nil {
		panic(l.badBound(value, err))
	}
	return x
}

// badBound says why a bound is not known.
func (l *lowerer) badBound(e cc.ExpressionNode, err *parse.Error) *parse.Error {
	if !err.Data {
		return err
	}
	return &parse.Error{Pos: parse.Position(e), Message: "the loop bound " + tree.Text(e) + " depends on data", Remedy: parse.TraceRemedy}
}

// step is which variable the third part of the head steps, and by how much.
func (l *lowerer) step(e cc.ExpressionNode) (*cc.Declarator, int64) {
	switch n := tree.Strip(e).(type) {
	case *cc.ExpressionList:
		l.Fail(n, "compute the other variables from the loop variable", "the loop steps several variables")
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionInc:
			return tree.Variable(n.PostfixExpression), 1
		case cc.PostfixExpressionDec:
			return tree.Variable(n.PostfixExpression), -1
		}
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc:
			return tree.Variable(n.UnaryExpression), 1
		case cc.UnaryExpressionDec:
			return tree.Variable(n.UnaryExpression), -1
		}
	case *cc.AssignmentExpression:
		return l.assignedStep(n)
	}
	return nil, 0
}

// assignedStep is the variable that an assignment in a loop's head steps, and by how much.
func (l *lowerer) assignedStep(n *cc.AssignmentExpression) (*cc.Declarator, int64) {
	d := tree.Variable(n.UnaryExpression)
	switch n.Case {
	case cc.AssignmentExpressionAdd:
		return d, l.constantStep(n, n.AssignmentExpression)
	case cc.AssignmentExpressionSub:
		return d, -l.constantStep(n, n.AssignmentExpression)
	case cc.AssignmentExpressionAssign:
		if a, ok := tree.Strip(n.AssignmentExpression).(*cc.AdditiveExpression); ok {
			return d, l.sumStep(n, a, d)
		}
	}
	return d, 0
}

// sumStep is the step of i = i + k.
func (l *lowerer) sumStep(n cc.Node, a *cc.AdditiveExpression, d *cc.Declarator) int64 {
	minus := a.Case == cc.AdditiveExpressionSub
	switch {
	case tree.Variable(a.AdditiveExpression) == d && minus:
		return -l.constantStep(n, a.MultiplicativeExpression)
	case tree.Variable(a.AdditiveExpression) == d:
		return l.constantStep(n, a.MultiplicativeExpression)
	case tree.Variable(a.MultiplicativeExpression) == d && !minus:
		return l.constantStep(n, a.AdditiveExpression)
	}
	return 0
}

// constantStep is a step that is known, and refuses another one, also one so large that sums of it might leave 64 bits.
func (l *lowerer) constantStep(n cc.Node, e cc.ExpressionNode) int64 {
	x, err := l.TryInt(e)
	if err != nil {
		panic(err)
	}
	k, ok := value.Constant(x)
	if !ok || k == 0 || value.Magnitude(k) > 1<<40 {
		l.Fail(n, "step by a constant", "the step %s is not a constant", tree.Text(e))
	}
	return k
}
