package lower

import (
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// toldLoop lowers a loop of which a run tells how often it iterates.
func (l *lowerer) toldLoop(it *cc.IterationStatement) bool {
	if l.ToldTrips == nil {
		return false
	}
	trips, ok := l.ToldTrips(it)
	if ok {
		l.times(it, trips)
	}
	return ok
}

// realLoop lowers a for loop that a number of floating point counts, as time steps are, where all that decides how often it iterates is known.
func (l *lowerer) realLoop(it *cc.IterationStatement) bool {
	var d *cc.Declarator
	var first, cond, step cc.ExpressionNode
	switch it.Case {
	case cc.IterationStatementFor:
		if n, ok := tree.Strip(it.ExpressionList).(*cc.AssignmentExpression); ok && n.Case == cc.AssignmentExpressionAssign {
			d, first = tree.Variable(n.UnaryExpression), n.AssignmentExpression
		}
		cond, step = it.ExpressionList2, it.ExpressionList3
	case cc.IterationStatementForDecl:
		if all := tree.Declarators(it.Declaration); len(all) == 1 && all[0].Initializer != nil {
			d, first = all[0].Declarator, all[0].Initializer.AssignmentExpression
		}
		cond, step = it.ExpressionList, it.ExpressionList2
	}
	changesIt := func(changed *cc.Declarator) bool {
		return changed == d || tree.Mentions(cond, changed) || tree.Mentions(step, changed)
	}
	if d == nil || cond == nil || step == nil || !cc.IsFloatingPointType(d.Type()) || l.isDealt() || slices.ContainsFunc(l.changes(it.Statement), changesIt) || l.Facts.Escapes[d] || jumpsOut(it.Statement) {
		return false
	}
	trips, ok := l.RealTrips(d, first, cond, step)
	if !ok {
		return false
	}
	if it.Case == cc.IterationStatementFor {
		l.begin(it, it.ExpressionList)
	} else {
		l.begin(it, nil)
	}
	l.times(it, trips)
	return true
}

// times lowers so many iterations of a loop.
func (l *lowerer) times(it *cc.IterationStatement, trips int64) {
	cond, inc := it.ExpressionList, it.ExpressionList3
	if it.Case == cc.IterationStatementFor || it.Case == cc.IterationStatementForDecl {
		if cond = it.ExpressionList2; it.Case == cc.IterationStatementForDecl {
			cond, inc = it.ExpressionList, it.ExpressionList2
		}
	}
	h := header{lo: expr.Int(0), bound: expr.Int(trips - 1), step: 1, body: []cc.Node{it.Statement}}
	for _, e := range []cc.ExpressionNode{cond, inc} {
		if e != nil {
			h.body = append(h.body, e)
		}
	}
	h.run = func() {
		if cond != nil && it.Case != cc.IterationStatementDo {
			l.value(cond).used = true
		}
		l.statement(it.Statement, true)
		if inc != nil {
			l.effect(inc)
		}
		if it.Case == cc.IterationStatementDo {
			l.value(cond).used = true
		}
	}
	if trips > 0 {
		l.counted(it, h)
	}
	if cond != nil && it.Case != cc.IterationStatementDo { // it holds no more
		l.value(cond).used = true
	}
}

// uncounted lowers one iteration of a loop of which nobody knows before how often it runs, where it holds loops that are worth it.
func (l *lowerer) uncounted(it *cc.IterationStatement) {
	word := it.Token.SrcStr()
	if l.loopsIn(it.Statement, map[*cc.FunctionDefinition]bool{}) == 0 {
		l.Fail(it, "step one integer or pointer by a constant up to a bound, or "+parse.TraceRemedy, "how often this %s loop runs is not known", word)
	}
	l.forget(it.Statement)
	left := len(l.left)
	body := l.collect(func() {
		l.unleft(l.within(func() { l.onData++; l.statement(it.Statement, true); l.onData-- }))
	})
	l.onlyLeft(left, body)
	l.forget(it.Statement)
	l.Warn(it, "how often this %s loop runs is not known; one iteration is counted", word)
	*l.out = append(*l.out, body...)
}

// toldEnd is the last value of the variable of a loop that data may end before its bound, as a run tells how often it iterates; nil where none tells.
func (l *lowerer) toldEnd(it *cc.IterationStatement, h header) *expr.Expr {
	if l.ToldTrips == nil || l.isOfWork() {
		return nil
	}
	trips, ok := l.ToldTrips(it)
	if !ok {
		return nil
	}
	l.endsTold[it] = true
	return value.Normal(expr.Binary(expr.OpAdd, h.lo, expr.Int((trips-1)*h.step)))
}

// endedByData tells whether data may end a loop before its bound.
func (l *lowerer) endedByData(h header, v expr.Var, e *exits) bool {
	unknown := func(c cc.ExpressionNode) bool {
		_, err := l.tryBound(c, v)
		return err != nil && !err.Undefined && !err.Wrap
	}
	return h.byChance || e.byData || len(h.byData) > 0 || h.cond != nil && slices.ContainsFunc(conjuncts(h.cond, h.until), unknown)
}

// leavesByData notes a jump that data decide, and tells whether it leaves a loop of which a run tells when.
func (l *lowerer) leavesByData(j *cc.JumpStatement) bool {
	if l.ways == nil || l.loopsHere() <= 0 {
		return false
	}
	switch j.Case {
	case cc.JumpStatementBreak:
		if l.inSwitch {
			return false
		}
	case cc.JumpStatementGoto:
		if !l.ways.labels[j.Token2.SrcStr()] {
			return false
		}
	case cc.JumpStatementReturn:
		l.ways.returnsByData = true
	default:
		return false
	}
	l.ways.byData = true
	return l.endsTold[l.counts]
}

// endsByData warns of a loop that data may end, unless a run told when.
func (l *lowerer) endsByData(it *cc.IterationStatement, cond cc.ExpressionNode) {
	if l.endsTold[it] {
		return
	}
	l.Warn(it, "the loop may end before its bound, by %s, which is not known before the run; it is counted to its bound", tree.Text(cond))
}
