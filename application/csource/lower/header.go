package lower

import (
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// header takes a loop apart; false where no variable counts it.
func (l *lowerer) header(it *cc.IterationStatement) (header, bool) {
	init, cond, inc := it.ExpressionList, it.ExpressionList2, it.ExpressionList3
	switch it.Case {
	case cc.IterationStatementForDecl:
		init, cond, inc = nil, it.ExpressionList, it.ExpressionList2
	case cc.IterationStatementFor:
	default:
		init, cond, inc = nil, it.ExpressionList, nil
	}
	h := header{cond: cond, whole: cond, body: []cc.Node{it.Statement}, run: func() { l.statement(it.Statement, true) }}
	h.d, h.step, h.odd = l.plainStep(it, inc)
	if d := l.stepsByTeam(inc); d != nil && h.d == nil && !slices.Contains(l.changes(it.Statement), d) {
		h.d, h.step, h.odd, h.turns = d, 1, nil, true
	}
	if h.d == nil && it.Case != cc.IterationStatementDo {
		l.steppingCondition(&h, inc)
	}
	if h.d != nil && cond != nil {
		l.start(it, init, &h)
		if h.stepped {
			h.lo = value.Normal(expr.Binary(expr.OpAdd, h.lo, expr.Int(h.step)))
		} else {
			l.topBreak(it, &h)
		}
		return h, true
	}
	h.d = nil
	l.begin(it, init)
	if inc != nil {
		h.body = append(h.body, inc)
		h.run = func() { l.statement(it.Statement, true); l.effect(inc) }
	}
	return h, l.exits(it, &h, inc) && l.counter(&h)
}

// topBreak notes a break that an iteration begins with.
func (l *lowerer) topBreak(it *cc.IterationStatement, h *header) {
	if it.Statement.Case != cc.StatementCompound {
		return
	}
	cs := it.Statement.CompoundStatement
	if items := tree.Items(cs); len(items) > 1 {
		if h.top = breaks(items[0]); h.top != nil && l.acts(h.top) {
			h.top = nil
		}
		h.rest = func() { l.block(items[1:], cs, true) }
	}
}

// plainStep is the integer that the third part of a for loop's head steps by a constant, where nothing else changes it; or why the step is none.
func (l *lowerer) plainStep(it *cc.IterationStatement, inc cc.ExpressionNode) (d *cc.Declarator, step int64, odd *parse.Error) {
	if inc == nil {
		return nil, 0, nil
	}
	if _, several := tree.Strip(inc).(*cc.ExpressionList); several {
		return nil, 0, nil
	}
	if odd = parse.Attempt(func() { d, step = l.step(inc) }); odd != nil && l.isDealt() {
		panic(odd)
	}
	if odd != nil || d == nil || step == 0 || !tree.IsInteger(d.Type()) {
		return nil, 0, odd
	}
	for _, changed := range l.changes(it.Statement) { // the variable, or its step
		if changed == d || tree.Mentions(inc, changed) {
			return nil, 0, nil
		}
	}
	return d, step, nil
}

// exits finds the condition of a loop that has none: if (c) break at its begin or its end. A condition that
// changes something counts only as steppedAtEnd says.
func (l *lowerer) exits(it *cc.IterationStatement, h *header, inc cc.ExpressionNode) bool {
	h.once = it.Case == cc.IterationStatementDo
	if h.cond != nil && !endless(h.cond) {
		return l.steppedAtEnd(h)
	}
	if it.Statement.Case != cc.StatementCompound {
		return false
	}
	items := tree.Items(it.Statement.CompoundStatement)
	if len(items) == 0 {
		return false
	}
	last := len(items) - 1
	for _, k := range []int{0, last} {
		if c := breaks(items[k]); c != nil && (k == 0 || inc == nil && !continues(items)) {
			rest := items[1:]
			if k > 0 {
				rest = items[:last]
			}
			h.cond, h.whole, h.until, h.once = c, c, true, k > 0
			h.run = func() { l.block(rest, it.Statement.CompoundStatement, true) }
			if inc != nil {
				h.run = func() { l.block(rest, it.Statement.CompoundStatement, true); l.effect(inc) }
			}
			return l.steppedAtEnd(h)
		}
	}
	return false
}

// continues tells whether statements may go on with the next iteration of the loop that they stand in.
func continues(items []*cc.BlockItem) bool {
	found := false
	for _, i := range items {
		if i.Statement == nil {
			continue
		}
		tree.Each(i.Statement, func(n cc.Node) bool {
			s, ok := n.(*cc.Statement)
			found = found || ok && s.Case == cc.StatementJump && s.JumpStatement.Case == cc.JumpStatementContinue
			return !found && (!ok || s.Case != cc.StatementIteration)
		})
	}
	return found
}

// steppedAtEnd says whether a condition counts: it changes nothing, or it is looked at behind the iteration and steps a variable before that, which then
// belongs to the iteration.
func (l *lowerer) steppedAtEnd(h *header) bool {
	if !l.acts(h.cond) {
		return true
	}
	cond, byData := h.cond, []cc.ExpressionNode(nil)
	if !h.until {
		cond, byData = l.counting(h.cond)
	}
	if !l.acts(cond) {
		l.apart(h, cond, byData)
		return true
	}
	var steps []*cc.UnaryExpression
	others := false
	tree.Each(cond, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
				steps = append(steps, x)
			}
		case *cc.PostfixExpression:
			others = others || x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec || x.Case == cc.PostfixExpressionCall && l.does(x)
		case *cc.AssignmentExpression:
			others = others || l.does(x)
		}
		return true
	})
	if others || !h.once || len(steps) != 1 {
		return false
	}
	d := tree.Variable(steps[0].UnaryExpression)
	if d == nil || !l.stepsAlone(cond, steps[0], d) {
		return false
	}
	l.apart(h, cond, byData)
	run := h.run
	h.body = append(h.body, steps[0])
	h.run = func() {
		run()
		l.incrementVariable(steps[0], d, steps[0].Case == cc.UnaryExpressionInc)
		l.flush()
	}
	return true
}

// endless tells conditions that always hold.
func endless(e cc.ExpressionNode) bool {
	v, ok := parse.IntegerValue(e.Value())
	return ok && v != 0 && !tree.HasEffects(e)
}

// breaks is the condition of if (c) break; nil of anything else.
func breaks(item *cc.BlockItem) cc.ExpressionNode {
	s := item.Statement
	if s == nil || s.Case != cc.StatementSelection || s.SelectionStatement.Case != cc.SelectionStatementIf {
		return nil
	}
	then := s.SelectionStatement.Statement
	if then.Case == cc.StatementCompound {
		if all := tree.Items(then.CompoundStatement); len(all) == 1 && all[0].Statement != nil {
			then = all[0].Statement
		}
	}
	if then.Case == cc.StatementJump && then.JumpStatement.Case == cc.JumpStatementBreak {
		return s.SelectionStatement.ExpressionList
	}
	return nil
}

// counter finds the variable that counts a loop: the first in its condition that an iteration steps by a constant.
func (l *lowerer) counter(h *header) bool {
	found := l.trial(*h, func() { l.run(*h) })
	var changing []*cc.Declarator
	for _, d := range l.changedBy(h.body) {
		if tree.Mentions(h.cond, d) && !slices.Contains(changing, d) {
			changing = append(changing, d)
		}
	}
	for _, d := range changing {
		if c, ok := found.Ints[d]; ok && c.Set == nil && c.Add != 0 {
			h.d, h.step, h.lo = d, c.Add, l.Ints.Of(d)
			break
		}
		if c, ok := found.Pointers[d]; ok && c.Add != 0 {
			h.d, h.step, h.lo, h.object = d, c.Add, l.Pointers.Of(d).Offset, l.Pointers.Of(d).Object
			break
		}
	}
	return h.d != nil
}

// steppingCondition takes a condition that counts: i-- > 0, i--, i++ < n, --i >= n. An iteration sees the variable after the step.
func (l *lowerer) steppingCondition(h *header, inc cc.ExpressionNode) {
	if inc != nil || h.cond == nil {
		return
	}
	cond, byData := l.counting(h.cond)
	e, op := tree.Strip(cond), "!="
	bound := expr.Int(0)
	if a, b, ok := tree.Operands(e); ok {
		op = tree.Operator(e)
		if d, _, _ := stepOf(b); d != nil { // n > i++
			a, b, op = b, a, mirrored[op]
		}
		x, err := l.TryInt(b)
		if err != nil || tree.HasEffects(b) || slices.ContainsFunc(l.changedBy(h.body), func(d *cc.Declarator) bool { return tree.Mentions(b, d) }) {
			return
		}
		if d, _, _ := stepOf(a); d == nil || tree.Mentions(b, d) {
			return
		}
		e, bound = a, x
	}
	d, step, before := stepOf(e)
	if d == nil || slices.Contains(l.changedBy(h.body), d) || !tree.IsInteger(d.Type()) {
		return
	}
	past := int64(0) // by how much the last value is past the bound, in the direction of the step
	switch {
	case op == "!=" || step > 0 && op == "<" || step < 0 && op == ">":
	case (step > 0 && op == "<=" || step < 0 && op == ">=") && !tree.IsUnsigned(d.Type()):
		past = 1
	default:
		return
	}
	if before {
		past--
	}
	l.apart(h, cond, byData)
	h.d, h.step, h.stepped, h.bound = d, step, true, value.Normal(expr.Binary(expr.OpAdd, bound, expr.Int(past*step)))
}

// counting takes a condition apart into the only part that data do not decide, and those that they do; a condition of other parts stays whole.
func (l *lowerer) counting(cond cc.ExpressionNode) (counts cc.ExpressionNode, byData []cc.ExpressionNode) {
	for _, e := range conjuncts(cond, false) {
		switch {
		case l.decidedByData(e):
			byData = append(byData, e)
		case counts != nil:
			return cond, nil
		default:
			counts = e
		}
	}
	if counts == nil {
		return cond, nil
	}
	return counts, byData
}

// apart sets the condition of a loop to one part of it, beside those that data decide. What these change belongs to an iteration.
func (l *lowerer) apart(h *header, cond cc.ExpressionNode, byData []cc.ExpressionNode) {
	h.cond, h.byData = cond, byData
	if slices.ContainsFunc(byData, l.acts) {
		for _, e := range byData {
			h.body = append(h.body, e)
		}
		*h = l.looking(*h)
	}
}

// mirrored are comparisons with their sides changed.
var mirrored = map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<=", "!=": "!="}

// stepOf is the variable that an expression steps by one, and whether it gives the value after that.
func stepOf(e cc.ExpressionNode) (d *cc.Declarator, step int64, before bool) {
	switch x := tree.Strip(e).(type) {
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionInc:
			return tree.Variable(x.PostfixExpression), 1, false
		case cc.PostfixExpressionDec:
			return tree.Variable(x.PostfixExpression), -1, false
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionInc:
			return tree.Variable(x.UnaryExpression), 1, true
		case cc.UnaryExpressionDec:
			return tree.Variable(x.UnaryExpression), -1, true
		}
	}
	return nil, 0, false
}

// begin runs the first part of the head.
func (l *lowerer) begin(it *cc.IterationStatement, init cc.ExpressionNode) {
	l.flush()
	if it.Declaration != nil {
		l.declare(it.Declaration)
	}
	if init != nil {
		l.effect(init)
	}
}

// start runs the first part of the head and finds the first value.
func (l *lowerer) start(it *cc.IterationStatement, init cc.ExpressionNode, h *header) {
	l.begin(it, init)
	lo := l.Ints.Of(h.d)
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
	return &parse.Error{Pos: parse.Position(e), Message: "the loop bound " + tree.Text(e) + " depends on data", Remedy: l.RunRemedy()}
}

// step is which variable the third part of the head steps, and by how much.
func (l *lowerer) step(e cc.ExpressionNode) (*cc.Declarator, int64) {
	switch n := tree.Strip(e).(type) {
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

// stepping applies ++ and -- that stand within an expression outside of it: those before their variable first, those behind it by the function that it
// gives. Package value then reads the variable in their place. A variable that the expression uses once more, and one behind a condition, are left
// where they are.
func (l *lowerer) stepping(e cc.ExpressionNode) (after func()) {
	var later []func()
	tree.Each(e, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.ConditionalExpression, *cc.LogicalAndExpression, *cc.LogicalOrExpression:
			return false
		case *cc.PostfixExpression:
			up := x.Case == cc.PostfixExpressionInc
			if d := tree.Variable(x.PostfixExpression); d != nil && (up || x.Case == cc.PostfixExpressionDec) && l.stepsAlone(e, x, d) {
				later = append(later, func() { l.incrementVariable(x, d, up) })
			}
		case *cc.UnaryExpression:
			up := x.Case == cc.UnaryExpressionInc
			if d := tree.Variable(x.UnaryExpression); d != nil && (up || x.Case == cc.UnaryExpressionDec) && l.stepsAlone(e, x, d) {
				l.incrementVariable(x, d, up)
				l.flush()
			}
		}
		return true
	})
	return func() {
		for _, f := range later {
			f()
		}
	}
}

// stepsAlone takes a step out of an expression that it is a part of, where nothing else there uses its variable.
func (l *lowerer) stepsAlone(whole, step cc.ExpressionNode, d *cc.Declarator) bool {
	if tree.Strip(whole) == step || !tree.IsInteger(d.Type()) && d.Type().Kind() != cc.Ptr {
		return false
	}
	if tree.IsInteger(d.Type()) && l.Ints.Of(d) == nil {
		return false
	}
	uses := 0
	tree.Each(whole, func(n cc.Node) bool {
		if x, ok := n.(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionIdent && tree.Variable(x) == d {
			uses++
		}
		return true
	})
	if uses == 1 {
		l.Stepped[step] = true
	}
	return uses == 1
}
