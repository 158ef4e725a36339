package csource

import (
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
		if v, ok := integerValue(it.ExpressionList.Value()); ok && v == 0 && !hasEffects(it.ExpressionList) {
			l.loops++ // break and continue are its own
			defer func() { l.loops-- }()
			l.statement(it.Statement, false)
			return
		}
	}
	if it.Case != cc.IterationStatementFor && it.Case != cc.IterationStatementForDecl {
		l.fail(it, "write it as a for loop, or "+l.trace(), "how often this %s loop runs depends on data", it.Token.SrcStr())
	}
	h := l.header(it)
	h.lo = normal(h.lo)
	l.flush()
	for _, d := range l.f.changed(it.Statement) {
		if d == h.d {
			l.fail(it, "step it in the head only, or "+l.trace(), "the loop variable %s is changed in the loop", h.d.Name())
		}
	}
	l.forget(it.Statement)
	v := l.newVar(h.d.Name(), h.lo, h.lo)
	l.ints[h.d] = expr.Ref(v)
	if h.step > 0 { // so far only the start is known
		l.ranges[v].Hi, l.limits[v].hi = expr.Whole.Hi, nil
	} else {
		l.ranges[v].Lo, l.limits[v].lo = expr.Whole.Lo, nil
		if isUnsigned(h.d.Type()) {
			l.ranges[v].Lo = min(0, l.ranges[v].Hi)
		}
	}
	guards, hi := l.bounds(it, h, v)
	l.ranges[v] = l.rangeOf(h, hi)
	l.limits[v] = limit{h.lo, hi}
	if h.step < 0 {
		l.limits[v] = limit{hi, h.lo}
	}
	l.ending(it, h, hi)
	body := l.collect(func() {
		l.loops++
		given := guards
		if given == nil {
			given = expr.Int(1)
		}
		l.under(given, func() { l.statement(it.Statement, true) })
		l.loops--
	})
	l.forget(it.Statement)
	l.ints[h.d] = nil
	if guards == nil && l.parallel == 0 {
		l.ints[h.d] = afterLoop(h, hi)
	}
	if len(body) == 0 {
		return
	}
	loop := &nest.Loop{Var: v, Lo: h.lo, Hi: hi, Step: h.step, Body: body, Pos: position(it)}
	if guards == nil {
		l.emit(loop)
		return
	}
	l.count(1)
	l.emit(&nest.If{Cond: guards, Then: []nest.Node{loop}, Pos: position(it)})
}

// ending refuses a loop whose variable cannot hold the value that ends it.
func (l *lowerer) ending(it *cc.IterationStatement, h header, hi *expr.Expr) {
	w := widthOf(h.d.Type())
	end, known := constant(hi)
	if k, ok := constant(h.lo); known && ok {
		if (h.step > 0) == (k > end) && k != end { // no iteration
			return
		}
		end = k + (end-k)/h.step*h.step
	}
	lo, top := w.limits()
	r := l.interval(hi)
	if known {
		r = expr.Range{Lo: end, Hi: end}
	}
	remedy := "count with a wider type, such as long"
	switch {
	case w.size < 8 && h.step > 0 && r.Hi > top && r.Hi < unbounded, w.size < 4 && h.step > 0 && r.Hi+h.step > top:
		l.fail(it, remedy, "the loop variable %s may leave its type, which ends at %d", h.d.Name(), top)
	case h.cond == nil || h.step > 0 || isNotEqual(h.cond):
	case w.unsigned && r.Lo+h.step < lo && r.Lo > -unbounded:
		l.fail(it, "count with a signed type", "%s may step below 0, where the unsigned %s wraps and the loop goes on", h.d.Name(), h.d.Name())
	}
}

// isNotEqual tells whether a loop ends on one value: i != 0, or i.
func isNotEqual(e cc.ExpressionNode) bool {
	if _, _, ok := operands(strip(e)); ok {
		return operator(strip(e)) == "!="
	}
	return variable(e) != nil
}

// afterLoop is the value of the loop variable when its loop has ended; nil: not known.
func afterLoop(h header, last *expr.Expr) *expr.Expr {
	lo, ok1 := constant(h.lo)
	hi, ok2 := constant(last)
	switch {
	case h.cond == nil:
		return nil
	case ok1 && ok2 && (h.step > 0) == (lo > hi) && lo != hi:
		return h.lo
	case ok1 && ok2:
		return expr.Int(lo + (hi-lo)/h.step*h.step + h.step)
	case h.step == 1:
		return normal(expr.Binary(expr.OpMax, h.lo, normal(expr.Binary(expr.OpAdd, last, expr.Int(1)))))
	case h.step == -1:
		return normal(expr.Binary(expr.OpMin, h.lo, normal(expr.Binary(expr.OpSub, last, expr.Int(1)))))
	}
	return nil
}

// newVar makes a loop variable.
func (l *lowerer) newVar(name string, lo, hi *expr.Expr) expr.Var {
	l.prog.Vars = append(l.prog.Vars, name)
	l.ranges = append(l.ranges, expr.Range{Lo: l.interval(lo).Lo, Hi: l.interval(hi).Hi})
	l.limits = append(l.limits, limit{lo, hi})
	return expr.Var(len(l.prog.Vars) - 1)
}

// rangeOf bounds the values of a loop variable.
func (l *lowerer) rangeOf(h header, hi *expr.Expr) expr.Range {
	lo := h.lo
	if h.step < 0 {
		lo, hi = hi, lo
	}
	r := expr.Range{Lo: l.interval(lo).Lo, Hi: l.interval(hi).Hi}
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
		l.fail(it, "give it a condition on the loop variable, or "+l.trace(), "a loop without condition")
	}
	h := header{cond: cond}
	if inc == nil {
		l.countdown(it, &h)
	} else {
		h.d, h.step = l.step(inc)
	}
	if h.d == nil || h.step == 0 {
		l.fail(it, "step one variable by a constant", "the step of this loop is not understood")
	}
	if !isInteger(h.d.Type()) {
		l.fail(it, "count with an integer", "the loop variable %s is not an integer", h.d.Name())
	}
	l.initLoop(it, init, &h)
	if inc == nil {
		h.lo = normal(expr.Binary(expr.OpSub, h.lo, expr.Int(1)))
	}
	return h
}

// countdown is for (i = n; i-- > 0;).
func (l *lowerer) countdown(it *cc.IterationStatement, h *header) {
	e := strip(h.cond)
	if a, b, ok := operands(e); ok {
		op := operator(e)
		v, isConst := integerValue(b.Value())
		if !isConst || v != 0 || op != ">" && op != "!=" {
			l.fail(it, "step the variable in the head", "the step of this loop is not understood")
		}
		e = strip(a)
	}
	if p, ok := e.(*cc.PostfixExpression); ok && p.Case == cc.PostfixExpressionDec {
		h.d, h.step, h.cond = variable(p.PostfixExpression), -1, nil
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
	lo := l.ints[h.d]
	if lo == nil {
		if h.lo = l.firstValue(it, init, h.d); h.lo == nil {
			l.fail(it, "start it at a known value, or "+l.trace(), "the first value of %s is not known", h.d.Name())
		}
		return
	}
	h.lo = lo
}

// firstValue evaluates the start of the loop again, for its reason not to be known.
func (l *lowerer) firstValue(it *cc.IterationStatement, init cc.ExpressionNode, d *cc.Declarator) *expr.Expr {
	var value cc.ExpressionNode
	if it.Declaration != nil {
		for _, id := range declarators(it.Declaration) {
			if id.Declarator == d && id.Initializer != nil {
				value = id.Initializer.AssignmentExpression
			}
		}
	}
	each(init, func(n cc.Node) bool {
		if v, e := assigns(n); v == d {
			value = e
		}
		return true
	})
	if value == nil {
		return nil
	}
	x, err := l.tryInt(value)
	if err != nil {
		panic(l.badBound(value, err))
	}
	return x
}

// badBound says why a bound is not known.
func (l *lowerer) badBound(e cc.ExpressionNode, err *Error) *Error {
	if !err.data {
		return err
	}
	return &Error{Pos: position(e), Message: "the loop bound " + text(e) + " depends on data", Remedy: l.trace()}
}

// step is which variable the third part of the head steps, and by how much.
func (l *lowerer) step(e cc.ExpressionNode) (*cc.Declarator, int64) {
	switch n := strip(e).(type) {
	case *cc.ExpressionList:
		l.fail(n, "compute the other variables from the loop variable", "the loop steps several variables")
	case *cc.PostfixExpression:
		switch n.Case {
		case cc.PostfixExpressionInc:
			return variable(n.PostfixExpression), 1
		case cc.PostfixExpressionDec:
			return variable(n.PostfixExpression), -1
		}
	case *cc.UnaryExpression:
		switch n.Case {
		case cc.UnaryExpressionInc:
			return variable(n.UnaryExpression), 1
		case cc.UnaryExpressionDec:
			return variable(n.UnaryExpression), -1
		}
	case *cc.AssignmentExpression:
		return l.assignedStep(n)
	}
	return nil, 0
}

func (l *lowerer) assignedStep(n *cc.AssignmentExpression) (*cc.Declarator, int64) {
	d := variable(n.UnaryExpression)
	switch n.Case {
	case cc.AssignmentExpressionAdd:
		return d, l.constantStep(n, n.AssignmentExpression)
	case cc.AssignmentExpressionSub:
		return d, -l.constantStep(n, n.AssignmentExpression)
	case cc.AssignmentExpressionAssign:
		if a, ok := strip(n.AssignmentExpression).(*cc.AdditiveExpression); ok {
			return d, l.sumStep(n, a, d)
		}
	}
	return d, 0
}

// sumStep is the step of i = i + k.
func (l *lowerer) sumStep(n cc.Node, a *cc.AdditiveExpression, d *cc.Declarator) int64 {
	minus := a.Case == cc.AdditiveExpressionSub
	switch {
	case variable(a.AdditiveExpression) == d && minus:
		return -l.constantStep(n, a.MultiplicativeExpression)
	case variable(a.AdditiveExpression) == d:
		return l.constantStep(n, a.MultiplicativeExpression)
	case variable(a.MultiplicativeExpression) == d && !minus:
		return l.constantStep(n, a.AdditiveExpression)
	}
	return 0
}

func (l *lowerer) constantStep(n cc.Node, e cc.ExpressionNode) int64 {
	x, err := l.tryInt(e)
	if err != nil {
		panic(err)
	}
	k, ok := constant(x)
	if !ok || k == 0 || magnitude(k) > 1<<40 {
		l.fail(n, "step by a constant", "the step %s is not a constant", text(e))
	}
	return k
}
