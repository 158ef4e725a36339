package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// exits are where an iteration may leave its loop before the loop's own condition ends it.
type exits struct {
	all     []exit
	held    int // conditions that held where the iteration began
	labels  map[string]bool
	returns bool // nothing of the function follows the loop

	byData        bool // data may end the loop within an iteration,
	returnsByData bool // and those around it as well
}

// exit is where a loop is left.
type exit struct {
	at    cc.Node
	holds []*expr.Expr // what all has to hold, the last the condition of its own; of the loop's variable
	top   bool         // the iteration has done nothing before it
	end   bool         // the iteration has done everything before it
	known value.Known  // what is known there
	seen  value.Known  // what is known where its condition is evaluated
}

// within lowers what stands in a loop, and gives where it is left.
func (l *lowerer) within(f func()) *exits {
	data, decided, inSwitch, gone, around := l.dataAround, l.decided, l.inSwitch, l.gone, l.ways
	found := &exits{held: l.Holding(), labels: l.behind, returns: l.lastLoop}
	l.dataAround, l.decided, l.inSwitch, l.gone, l.ways, l.behind, l.lastLoop = l.onData, false, false, false, found, nil, false
	l.loops++
	f()
	l.loops--
	l.dataAround, l.decided, l.inSwitch, l.gone, l.ways, l.behind, l.lastLoop = data, decided, inSwitch, gone, around, found.labels, found.returns
	if around != nil && found.returnsByData {
		around.byData, around.returnsByData = true, true
	}
	return found
}

// unleft leaves where a loop has an exit.
func (l *lowerer) unleft(e *exits) {
	if len(e.all) > 0 {
		at := e.all[0].at
		word := "the condition"
		if j, ok := at.(*cc.JumpStatement); ok {
			word = j.Token.SrcStr()
		}
		l.Fail(at, parse.TraceRemedy, "%s in a loop: when it leaves the loop cannot be told from the loop's variables", word)
	}
}

// leaves tells whether a jump ends the innermost loop and nothing else.
func (l *lowerer) leaves(j *cc.JumpStatement) bool {
	if l.ways == nil || l.loopsHere() <= 0 || l.onData > l.dataAround {
		return false
	}
	switch j.Case {
	case cc.JumpStatementBreak:
		return !l.inSwitch
	case cc.JumpStatementGoto:
		return l.ways.labels[j.Token2.SrcStr()]
	case cc.JumpStatementReturn:
		return l.ways.returns && l.result == nil
	}
	return false
}

// exit notes that the loop is left here.
func (l *lowerer) exit(n cc.Node, own *expr.Expr) *exit {
	holds := l.HeldSince(l.ways.held)
	kept := holds[:0:0]
	for _, c := range holds {
		if !l.ways.passed(c) {
			kept = append(kept, c)
		}
	}
	if own != nil {
		kept = append(kept, own)
	}
	l.ways.all = append(l.ways.all, exit{at: n, holds: kept, known: l.Save(), seen: l.Save()})
	return &l.ways.all[len(l.ways.all)-1]
}

// passed tells whether a condition says no more than that the loop was not left before.
func (e *exits) passed(c *expr.Expr) bool {
	for _, x := range e.all {
		if k := len(x.holds) - 1; k >= 0 && expr.Equal(value.Normal(negated(x.holds[k])), value.Normal(c)) {
			return true
		}
		if k := len(x.holds) - 1; k >= 0 && c.Op == expr.OpNot && expr.Equal(x.holds[k], c.A) {
			return true
		}
	}
	return false
}

// generic lowers a loop that no variable of its head counts: its iterations are numbered, and its condition leaves it as a break does.
func (l *lowerer) generic(it *cc.IterationStatement) bool {
	if l.isDealt() || l.unrolled > 0 || l.numbered >= maxTried {
		return false
	}
	init, cond, inc := it.ExpressionList, it.ExpressionList2, it.ExpressionList3
	do := it.Case == cc.IterationStatementDo
	switch it.Case {
	case cc.IterationStatementForDecl:
		init, cond, inc = nil, it.ExpressionList, it.ExpressionList2
	case cc.IterationStatementFor:
	default:
		init, cond, inc = nil, it.ExpressionList, nil
	}
	if inc != nil && touchesArray(inc) {
		return false
	}
	if cond != nil && endless(cond) {
		cond = nil
	}
	if cond == nil && !jumpsOut(it.Statement) {
		return false
	}
	restore, left := l.snapshot(), len(l.left)
	l.begin(it, init)
	h := header{lo: expr.Int(0), step: 1, body: []cc.Node{it.Statement}}
	for _, e := range []cc.ExpressionNode{cond, inc} {
		if e != nil {
			h.body = append(h.body, e)
		}
	}
	byData := cond != nil && !do && jumpsOut(it.Statement) && l.dependsOnData(cond)
	var partly []cc.ExpressionNode
	if cond != nil {
		_, partly = l.counting(cond)
	}
	h.byChance = byData || len(partly) > 0
	h.run = func() {
		body := func() {
			l.statement(it.Statement, true)
			if inc != nil && !l.gone {
				l.effect(inc)
			}
		}
		switch {
		case cond == nil:
			body()
		case do:
			body()
			if !l.gone {
				l.goesOn(cond, false)
			}
		case byData:
			l.look(cond)
			body()
		default:
			l.Under(l.goesOn(cond, true), body)
		}
	}
	l.numbered++
	err := parse.Attempt(func() { l.asLoop(it, h) })
	l.numbered--
	if err == nil && len(l.left) == left {
		if byData || len(partly) > 0 {
			l.endsByData(it, cond)
		}
		return true
	}
	restore()
	return false
}

// dependsOnData tells whether data alone decide a condition, which changes nothing.
func (l *lowerer) dependsOnData(cond cc.ExpressionNode) bool {
	return l.decidedByData(cond) && !l.acts(cond)
}

// decidedByData is dependsOnData of a condition that may call functions which change what is not its own variables.
func (l *lowerer) decidedByData(cond cc.ExpressionNode) bool {
	_, err := l.TryInt(cond)
	return err != nil && !err.Undefined && !err.Wrap && !tree.Acts(cond, func(e cc.ExpressionNode) bool {
		_, call := e.(*cc.PostfixExpression)
		return !call && l.does(e)
	})
}

// isDealt tells whether threads share the loop that comes next.
func (l *lowerer) isDealt() bool { return l.work && l.loops == l.dealtAt }

// isOfWork tells whether the loop that comes next is one of those that a worksharing construct deals, of which collapse may join several.
func (l *lowerer) isOfWork() bool { return l.work && l.loops < l.dealtAt+l.joined }

// goesOn leaves the loop unless a condition holds, which it gives: of several parts that one which data do not decide.
func (l *lowerer) goesOn(cond cc.ExpressionNode, top bool) *expr.Expr {
	var c *expr.Expr
	if counts, byData := l.counting(cond); len(byData) > 0 {
		for _, e := range byData {
			l.look(e)
		}
		return l.goesOn(counts, top)
	}
	seen := l.Save()
	if d, step, before := stepOf(cond); d != nil && tree.IsInteger(d.Type()) { // while (i--)
		if before {
			l.incrementVariable(tree.Strip(cond), d, step > 0)
			seen = l.Save()
		}
		c = expr.Binary(expr.OpNe, l.intOf(cond, d), expr.Int(0))
		if !before {
			l.incrementVariable(tree.Strip(cond), d, step > 0)
		}
	} else {
		after := l.stepping(cond)
		x, err := l.TryInt(cond)
		if err != nil {
			panic(l.badBound(cond, err))
		}
		c = value.Normal(x)
		after()
	}
	l.flush()
	e := l.exit(cond, negated(c))
	e.top, e.end, e.seen = top, !top, seen
	return c
}

// intOf is the value of a variable that has to be known.
func (l *lowerer) intOf(n cc.Node, d *cc.Declarator) *expr.Expr {
	x := l.Ints.Of(d)
	if x == nil {
		l.Fail(n, parse.TraceRemedy, "the value of %s is not known here", d.Name())
	}
	return x
}

// touchesArray tells whether an expression reads or writes more than variables.
func touchesArray(e cc.Node) bool {
	found := false
	tree.Each(e, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.PostfixExpression:
			found = found || x.Case != cc.PostfixExpressionPrimary && x.Case != cc.PostfixExpressionInc && x.Case != cc.PostfixExpressionDec
		case *cc.UnaryExpression:
			found = found || x.Case == cc.UnaryExpressionDeref
		}
		return !found
	})
	return found
}

// jumpsOut tells whether a loop's body may leave the loop.
func jumpsOut(n cc.Node) bool { return holdsJump(n, false, false) }

// holdsJump tells whether a statement holds a jump that concerns the loop around it: one that goes on with the next iteration only where that counts.
func holdsJump(n cc.Node, inSwitch, goOn bool) bool {
	found := false
	tree.Each(n, func(x cc.Node) bool {
		s, ok := x.(*cc.Statement)
		if !ok || found {
			return !found
		}
		switch s.Case {
		case cc.StatementIteration:
			tree.Each(s.IterationStatement.Statement, func(y cc.Node) bool {
				j, ok := y.(*cc.Statement)
				found = found || ok && j.Case == cc.StatementJump && (j.JumpStatement.Case == cc.JumpStatementReturn || j.JumpStatement.Case == cc.JumpStatementGoto)
				return !found
			})
			return false
		case cc.StatementSelection:
			if s.SelectionStatement.Case == cc.SelectionStatementSwitch && !inSwitch {
				found = found || holdsJump(s, true, goOn)
				return false
			}
		case cc.StatementJump:
			switch s.JumpStatement.Case {
			case cc.JumpStatementBreak:
				found = found || !inSwitch
			case cc.JumpStatementContinue:
				found = found || goOn
			default:
				found = true
			}
		}
		return !found
	})
	return found
}

// limited is the last value of a loop's variable, given where the loop is left; nil, where nothing ends it.
func (l *lowerer) limited(it *cc.IterationStatement, h header, v expr.Var, e *exits, hi *expr.Expr) *expr.Expr {
	for i := range e.all {
		x := &e.all[i]
		first, exists, ok := l.firstOf(x.holds, h, v)
		if !ok {
			var end *expr.Expr
			if _, jump := x.at.(*cc.JumpStatement); jump {
				end = l.toldEnd(it, h)
			}
			switch {
			case end == nil:
				l.unleft(&exits{all: e.all[i : i+1]})
			case hi != nil:
				end = value.Normal(further(hi, end, -h.step))
			}
			hi = end
			continue
		}
		if l.Never(exists) {
			continue
		}
		l.holdsIts(x, h, v, first)
		last := first
		if x.top {
			last = value.Normal(expr.Binary(expr.OpSub, first, expr.Int(h.step)))
		}
		switch {
		case hi == nil && !l.Always(exists):
			l.unleft(&exits{all: e.all[i : i+1]})
		case hi == nil:
			hi = last
		case l.Always(exists):
			hi = value.Normal(further(hi, last, -h.step))
		default:
			hi = expr.Conditional(exists, further(hi, last, -h.step), hi)
		}
	}
	return hi
}

// holdsIts refuses an exit that is reached by a variable which leaves its type on the way: it wraps, and the loop goes on.
func (l *lowerer) holdsIts(x *exit, h header, v expr.Var, first *expr.Expr) {
	for d, y := range x.seen.Ints.All() {
		if y == nil || !value.Uses(y, v) || d == h.d || !tree.IsInteger(d.Type()) {
			continue
		}
		at := value.Normal(y.Substitute(map[expr.Var]*expr.Expr{v: first}))
		if factor, rest, ok := value.LinearIn(y, v); ok && factor.Op != expr.OpConst && l.Interval(factor).Lo > 0 {
			at = value.Normal(expr.Binary(expr.OpAdd, rest, value.TimesAtMost(factor, first)))
		}
		if l.Misfit(d, at, value.WidthOf(d.Type())) != nil {
			l.Fail(x.at, "count with a wider signed type", "%s may leave its type before the loop ends, and the loop goes on", d.Name())
		}
	}
}

// firstOf is the first value of a loop's variable for which some conditions hold, and the condition that there is one.
func (l *lowerer) firstOf(holds []*expr.Expr, h header, v expr.Var) (first, exists *expr.Expr, ok bool) {
	first, exists = h.lo, expr.Int(1)
	also := func(c *expr.Expr) {
		switch {
		case l.Always(c):
		case exists.Op == expr.OpConst && exists.K == 1:
			exists = c
		default:
			exists = expr.Binary(expr.OpAnd, exists, c)
		}
	}
	var past, apart []*expr.Expr
	for _, c := range holds {
		for _, s := range conjunctsOf(c) {
			if !value.Uses(s, v) {
				also(s)
				continue
			}
			if s.Op == expr.OpNe {
				apart = append(apart, s)
				continue
			}
			low, high, ok := l.Solved(s, v)
			if !ok {
				return nil, nil, false
			}
			if h.step < 0 {
				low, high = high, low
			}
			if low != nil {
				first = further(first, low, h.step)
			}
			if high != nil {
				past = append(past, high)
			}
		}
	}
	first = value.Normal(first)
	if step := max(h.step, -h.step); step > 1 {
		way := rounds(first, header{lo: h.lo, step: h.step / step})
		first = value.Normal(expr.Binary(expr.OpAdd, h.lo, expr.Binary(expr.OpMul, expr.Binary(expr.OpCeilDiv, way, expr.Int(step)), expr.Int(h.step))))
	}
	for _, c := range apart {
		if !l.Always(value.Normal(c.Substitute(map[expr.Var]*expr.Expr{v: first}))) {
			return nil, nil, false
		}
	}
	for _, p := range past {
		if h.step > 0 {
			also(value.Normal(expr.Binary(expr.OpLe, first, value.Normal(p))))
		} else {
			also(value.Normal(expr.Binary(expr.OpLe, value.Normal(p), first)))
		}
	}
	return first, exists, true
}

// conjunctsOf splits what holds only where all of its parts do.
func conjunctsOf(c *expr.Expr) []*expr.Expr {
	switch {
	case c.Op == expr.OpAnd:
		return append(conjunctsOf(c.A), conjunctsOf(c.B)...)
	case c.Op == expr.OpNot && c.A.Op == expr.OpOr:
		return append(conjunctsOf(expr.Unary(expr.OpNot, c.A.A)), conjunctsOf(expr.Unary(expr.OpNot, c.A.B))...)
	case c.Op == expr.OpNot && (c.A.Op == expr.OpLt || c.A.Op == expr.OpLe || c.A.Op == expr.OpEq || c.A.Op == expr.OpNe):
		return []*expr.Expr{negated(c.A)}
	case c.Op == expr.OpNot && c.A.Op == expr.OpNot:
		return conjunctsOf(c.A.A)
	case c.Op == expr.OpNot:
		return []*expr.Expr{expr.Binary(expr.OpEq, c.A, expr.Int(0))}
	}
	return []*expr.Expr{c}
}

// leftAt gives variables the values that they have behind a loop which its exits may end, where that is known: own is the last value of its variable
// without them, nil where nothing else ends it.
func (l *lowerer) leftAt(c value.Changes, before value.Known, h header, v expr.Var, e *exits, own, hi *expr.Expr) {
	whole := true
	for _, x := range e.all {
		whole = whole && (x.top || x.end)
	}
	switch {
	case whole:
		end := afterLoop(h, hi)
		l.leave(c, before, v, h, end)
		l.ends(h, end)
		return
	case len(e.all) > 1 || h.object != nil:
		return
	}
	x := e.all[0]
	first, exists, ok := l.firstOf(x.holds, h, v)
	if !ok {
		return
	}
	at := func(y *expr.Expr) *expr.Expr {
		return value.Normal(y.Substitute(map[expr.Var]*expr.Expr{v: first}))
	}
	if own == nil {
		for d := range c.Ints {
			if y := x.known.Ints.Of(d); y != nil {
				l.Ints.Set(d, at(y))
			}
		}
		return
	}
	end := afterLoop(h, own)
	if h.d == nil || end == nil || x.known.Ints.Of(h.d) == nil {
		return
	}
	inside := expr.Binary(expr.OpLe, first, own)
	if h.step < 0 {
		inside = expr.Binary(expr.OpLe, own, first)
	}
	y := at(x.known.Ints.Of(h.d))
	switch left := expr.Binary(expr.OpAnd, exists, inside); {
	case l.Always(left):
		for d := range c.Ints {
			if z := x.known.Ints.Of(d); z != nil && d != h.d {
				l.Ints.Set(d, at(z))
			}
		}
		l.ends(h, y)
	case l.Never(left):
		l.leave(c, before, v, h, end)
		l.ends(h, end)
	case value.Nodes(left)+value.Nodes(y)+value.Nodes(end) <= maxJoined:
		l.ends(h, expr.Conditional(left, y, end))
	}
}

// stripped takes a body that is run unless the loop is left there out of its condition; false where it is none.
func stripped(e *exits, body []nest.Node) ([]nest.Node, bool) {
	if len(e.all) != 1 || e.all[0].top || e.all[0].end || len(e.all[0].holds) != 1 || len(body) != 1 {
		return body, false
	}
	own := e.all[0].holds[0]
	if x, ok := body[0].(*nest.If); ok && len(x.Else) == 0 && (expr.Equal(x.Cond, negated(own)) || x.Cond.Op == expr.OpNot && expr.Equal(x.Cond.A, own)) {
		return x.Then, true
	}
	return body, false
}
