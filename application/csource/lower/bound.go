package lower

import (
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// bounds turns the condition of a loop into its last value, and a condition on the whole loop (nil: none).
func (l *lowerer) bounds(it *cc.IterationStatement, h *header, v expr.Var) (guard, hi *expr.Expr) {
	for _, e := range h.byData {
		l.endsByData(it, e)
	}
	if h.bound != nil {
		return nil, h.bound
	}
	if h.cond == nil { // exits end it
		return nil, nil
	}
	var unknown []*parse.Error
	conditions := conjuncts(h.cond, h.until)
	behind := len(conditions)
	if h.top != nil {
		conditions = append(conditions, conjuncts(h.top, true)...)
	}
	for i, e := range conditions {
		c, err := l.tryBound(e, v)
		if err != nil {
			unknown = append(unknown, l.badBound(e, err))
			continue
		}
		if h.until || i >= behind {
			c = negated(c)
		}
		limit, g := l.bound(it, e, c, h, v)
		if limit != nil {
			limit = value.Normal(limit)
		}
		switch {
		case g != nil && limit != nil: // it ends by wrapping
			if hi = limit; !l.Always(g) {
				guard = g
			}
		case g != nil && l.Always(g):
		case g != nil && guard == nil:
			guard = g
		case g != nil:
			guard = expr.Binary(expr.OpAnd, guard, g)
		case hi == nil:
			hi = limit
		default:
			hi = further(hi, limit, -h.step)
		}
	}
	switch {
	case len(unknown) > 0 && (hi == nil || unknown[0].Undefined || unknown[0].Wrap):
		panic(unknown[0])
	case hi == nil:
		l.Fail(it, "bound the loop variable in the direction of its step", "the condition %s does not end the loop", tree.Text(h.cond))
	case len(unknown) > 0:
		l.endsByData(it, h.cond)
	}
	if h.once {
		if guard != nil {
			l.notABound(it, h.cond)
		}
		hi = value.Normal(further(h.lo, hi, h.step))
	}
	return guard, hi
}

// tryBound is the value of a part of a loop's condition, where elements of arrays that the loop goes along are data, whatever a run tells.
func (l *lowerer) tryBound(e cc.ExpressionNode, v expr.Var) (*expr.Expr, *parse.Error) {
	along, bounding := l.Along, l.Bounding
	l.Along, l.Bounding = map[expr.Var]bool{v: true}, true
	defer func() { l.Along, l.Bounding = along, bounding }()
	return l.TryInt(e)
}

// looking is a loop whose iterations read what its condition compares, where that changes from one to the next or is not known: before what they do, or
// behind it.
func (l *lowerer) looking(h header) header {
	if h.looks || h.whole == nil {
		return h
	}
	changing, ended := append(l.changedBy(h.body), h.d), false
	for _, e := range conjuncts(h.whole, h.until) {
		byData := slices.Contains(h.byData, e)
		if byData || !l.acts(e) && l.varies(e, changing) {
			if h.reads = append(h.reads, e); !ended {
				h.ending = append(h.ending, e)
			}
		}
		ended = ended || !byData && !l.dependsOnData(e)
	}
	if len(h.reads) == 0 {
		return h
	}
	run := h.run
	h.looks = true
	h.run = func() {
		if !h.once {
			l.lookAll(h.reads)
			run()
			return
		}
		run()
		switch {
		case l.gone:
		case len(h.byData) > 0: // the rest is stepped
			l.lookAll(h.reads)
		default:
			l.look(h.cond)
		}
	}
	return h
}

// varies tells whether a part of the condition of a loop, in which variables change, reads memory that compilers cannot read once before it, or
// computes by a function.
func (l *lowerer) varies(e cc.ExpressionNode, changing []*cc.Declarator) bool {
	reads, varies := false, false
	tree.Each(e, func(n cc.Node) bool {
		reads = reads || computes(n)
		if x, ok := n.(cc.ExpressionNode); ok && isPlace(x) {
			reads = true
			varies = varies || slices.ContainsFunc(changing, func(d *cc.Declarator) bool { return d != nil && tree.Mentions(x, d) })
		}
		return !varies
	})
	if !varies && reads {
		_, err := l.TryInt(e)
		return err != nil
	}
	return varies
}

// lookAll evaluates parts of a condition.
func (l *lowerer) lookAll(parts []cc.ExpressionNode) {
	for _, e := range parts {
		l.look(e)
	}
}

// look evaluates a condition for what it reads; that it is not known before the run is said of the loop.
func (l *lowerer) look(e cc.ExpressionNode) {
	hushed := l.hushed
	l.hushed = true
	l.flush()
	l.value(e).used = true
	l.flush()
	l.hushed = hushed
}

// lookOnce evaluates the condition of a loop where it holds no more, up to the part that ends it.
func (l *lowerer) lookOnce(h header, found *exits) {
	if h.once || len(found.all) > 0 || len(h.reads) == 0 || l.isDealt() {
		return
	}
	restore := l.snapshot()
	if parse.Attempt(func() { l.lookAll(h.ending) }) != nil {
		restore()
	}
}

// further is the later of two values of a variable that steps in a direction.
func further(a, b *expr.Expr, step int64) *expr.Expr {
	if step > 0 {
		return expr.Binary(expr.OpMax, a, b)
	}
	return expr.Binary(expr.OpMin, a, b)
}

// negated is the condition that another does not hold.
func negated(c *expr.Expr) *expr.Expr {
	switch c.Op {
	case expr.OpLt:
		return expr.Binary(expr.OpLe, c.B, c.A)
	case expr.OpLe:
		return expr.Binary(expr.OpLt, c.B, c.A)
	case expr.OpEq:
		return expr.Binary(expr.OpNe, c.A, c.B)
	case expr.OpNe:
		return expr.Binary(expr.OpEq, c.A, c.B)
	}
	return expr.Unary(expr.OpNot, c)
}

// conjuncts splits a && b && c, or, of what ends a loop, a || b || c.
func conjuncts(e cc.ExpressionNode, until bool) []cc.ExpressionNode {
	switch n := tree.Strip(e).(type) {
	case *cc.LogicalAndExpression:
		if !until {
			return append(conjuncts(n.LogicalAndExpression, until), conjuncts(n.InclusiveOrExpression, until)...)
		}
	case *cc.LogicalOrExpression:
		if until {
			return append(conjuncts(n.LogicalOrExpression, until), conjuncts(n.LogicalAndExpression, until)...)
		}
	}
	return []cc.ExpressionNode{e}
}

// changesItsEnd are the parts of a loop's condition that depend on what its iterations change, but for the loop's variable.
func (l *lowerer) changesItsEnd(h header) (parts []cc.ExpressionNode) {
	if h.cond == nil {
		return nil
	}
	changed := l.changedBy(h.body)
	for _, e := range conjuncts(h.cond, h.until) {
		if slices.ContainsFunc(changed, func(d *cc.Declarator) bool { return d != h.d && tree.Mentions(e, d) }) {
			parts = append(parts, e)
		}
	}
	return parts
}

// bound solves one condition for the loop variable: a last value, or a condition that does not depend on it.
func (l *lowerer) bound(it *cc.IterationStatement, e cc.ExpressionNode, c *expr.Expr, h *header, v expr.Var) (limit, guard *expr.Expr) {
	if !value.Uses(c, v) {
		return nil, c
	}
	a, b, op := c.A, c.B, c.Op
	if op != expr.OpLt && op != expr.OpLe && op != expr.OpNe {
		if op == expr.OpEq || op == expr.OpAnd || op == expr.OpOr || op == expr.OpCond || op == expr.OpNot {
			l.notABound(it, e)
		}
		a, b, op = c, expr.Int(0), expr.OpNe // for (i = n; i; i--)
	}
	sum, ok := value.LinearOf(expr.Binary(expr.OpSub, a, b))
	k := sum.Vars[v]
	delete(sum.Vars, v)
	if rest := sum.Expr(); !ok || k == 0 || value.Uses(rest, v) {
		if op == expr.OpNe {
			c = l.meetsByOne(a, b, h, v)
		}
		low, high, ok := l.Solved(c, v)
		switch {
		case ok && h.step > 0 && high != nil:
			return high, nil
		case ok && h.step < 0 && low != nil && !tree.IsUnsigned(h.d.Type()):
			return low, nil
		}
		l.notABound(it, e)
		return nil, nil
	}
	return l.solve(it, e, h, op, k, sum)
}

// meetsByOne is a ≠ b of what each iteration steps by one, as it is until they are equal: a < b or b < a; where it is neither, itself.
func (l *lowerer) meetsByOne(a, b *expr.Expr, h *header, v expr.Var) *expr.Expr {
	way := value.Normal(expr.Binary(expr.OpSub, a, b))
	first := value.Normal(way.Substitute(map[expr.Var]*expr.Expr{v: h.lo}))
	switch step := value.ByOne(way, v, h.step); {
	case step > 0 && l.Interval(first).Hi <= 0:
		return expr.Binary(expr.OpLt, a, b)
	case step < 0 && l.Interval(first).Lo >= 0:
		return expr.Binary(expr.OpLt, b, a)
	}
	return expr.Binary(expr.OpNe, a, b)
}

func (l *lowerer) notABound(it *cc.IterationStatement, e cc.ExpressionNode) {
	l.Fail(it, "compare the loop variable with its last value", "the loop condition %s is not understood", tree.Text(e))
}

// solve gives the last v of k·v + rest < 0 (or ≤ 0, or ≠ 0).
func (l *lowerer) solve(it *cc.IterationStatement, e cc.ExpressionNode, h *header, op expr.Op, k int64, rest value.Linear) (limit, guard *expr.Expr) {
	up := h.step > 0
	wraps := !up && h.object == nil && h.d != nil && tree.IsUnsigned(h.d.Type())
	if top, ok := value.Constant(value.Normal(value.LastValue(1, rest))); wraps && ok && op == expr.OpNe && k == 1 && h.step == -1 && top == unsignedTop(h.d.Type()) {
		h.wraps = true
		return expr.Int(0), nil
	}
	if op == expr.OpNe {
		if l.steppedPast(k, rest, h) {
			l.Fail(it, "use < or >", "%s begins behind its end, and wraps", h.d.Name())
		}
		if !l.meets(k, rest, h) {
			l.Fail(it, "use < or >", "%s may step over its end", tree.Text(e))
		}
		if (k > 0) != up {
			rest = rest.Scaled(-1)
			k = -k
		}
		op = expr.OpLt
	}
	if op == expr.OpLt { // over integers, x < 0 is x + 1 <= 0
		rest.K++
	}
	if (k > 0) == up {
		last := value.LastValue(k, rest)
		if end, ok := value.Constant(last); ok && end <= 0 && !up && tree.IsUnsigned(h.d.Type()) {
			l.Fail(it, "count with a signed type", "%s always holds: %s is unsigned", tree.Text(e), h.d.Name())
		}
		return last, nil
	}
	// The condition bounds from the side the loop starts at: it holds to the end once it holds at the start.
	first := expr.Binary(expr.OpMul, expr.Int(k), h.lo)
	if wraps && k == 1 && !h.once && len(conjuncts(h.cond, h.until)) == 1 && l.Interval(value.LastValue(1, rest)).Hi <= unsignedTop(h.d.Type())+h.step {
		h.wraps = true // from 0 to the largest number, which is beyond the bound
		return expr.Int(0), value.Normal(expr.Binary(expr.OpLe, value.Normal(expr.Binary(expr.OpAdd, first, rest.Expr())), expr.Int(0)))
	}
	return nil, expr.Binary(expr.OpLe, value.Normal(expr.Binary(expr.OpAdd, first, rest.Expr())), expr.Int(0))
}

// unsignedTop is the largest number of an unsigned type, as far as int64 goes.
func unsignedTop(t cc.Type) int64 {
	_, top := value.WidthOf(t).Limits()
	return top
}

// steppedPast tells whether a variable that ends on one value begins beyond it, seen along its step.
func (l *lowerer) steppedPast(k int64, rest value.Linear, h *header) bool {
	if k != 1 && k != -1 {
		return false
	}
	way := expr.Binary(expr.OpSub, rest.Scaled(-k).Expr(), h.lo)
	if h.step < 0 {
		way = expr.Binary(expr.OpSub, h.lo, rest.Scaled(-k).Expr())
	}
	return !h.once && l.Interval(value.Normal(way)).Hi < 0
}

// meets tells whether a variable takes the value that ends its loop, and does not step over it.
func (l *lowerer) meets(k int64, rest value.Linear, h *header) bool {
	if k == 1 || k == -1 {
		if h.step == 1 || h.step == -1 {
			return true
		}
		way, ok := value.LinearOf(expr.Binary(expr.OpSub, rest.Scaled(-k).Expr(), h.lo))
		for _, c := range way.Vars {
			ok = ok && c%h.step == 0
		}
		return ok && way.Plain() && way.K%h.step == 0
	}
	return false
}

// lookUpBound reads what the condition of a loop compares its variable with, before it. Where that is what the variable begins with one iteration
// later, as in rows that lie behind one another, compilers keep what they read: it is read once an iteration, by where the variable begins.
func (l *lowerer) lookUpBound(h header) {
	cond := h.whole
	if cond == nil {
		cond = h.cond
	}
	if cond == nil || l.Told == nil {
		return
	}
	for _, x := range l.Looked(cond) {
		v, err := l.TryInt(x)
		if err != nil || h.lo.Table() != nil && v.Table() == h.lo.Table() && l.isNext(h.lo.A, v.A) {
			continue
		}
		l.lookUp(x, nil)
	}
	l.flush()
}

// isNext tells whether a place is that of another one an iteration later of some loop around.
func (l *lowerer) isNext(a, b *expr.Expr) bool {
	next := map[expr.Var]*expr.Expr{}
	a.EachVar(func(v expr.Var) { next[v] = expr.Binary(expr.OpAdd, expr.Ref(v), expr.Int(1)) })
	for v, x := range next {
		if value := expr.Binary(expr.OpSub, b, a.Substitute(map[expr.Var]*expr.Expr{v: x})); isZero(value) {
			return true
		}
	}
	return false
}

// isZero tells whether an expression is 0 whatever its variables are.
func isZero(e *expr.Expr) bool {
	a, ok := expr.AffineOf(e)
	return ok && a.K == 0 && len(a.Terms) == 0
}

// seenHead tells whether a compiler sees what the bounds of a loop are made of: constants, variables of loops, and what is set to such in this file alone.
func (l *lowerer) seenHead(it *cc.IterationStatement) bool {
	s := sight{l: l, asked: map[*cc.Declarator]bool{}}
	all := []cc.ExpressionNode{it.ExpressionList, it.ExpressionList2}
	if it.Case == cc.IterationStatementForDecl {
		all = []cc.ExpressionNode{it.ExpressionList}
		for _, d := range tree.Declarators(it.Declaration) {
			if d.Initializer != nil && d.Initializer.AssignmentExpression != nil {
				all = append(all, d.Initializer.AssignmentExpression)
			}
		}
	}
	return !slices.ContainsFunc(all, func(e cc.ExpressionNode) bool { return e != nil && !s.sees(e) })
}

// sight is what a compiler sees of values.
type sight struct {
	l     *lowerer
	asked map[*cc.Declarator]bool // ends circles
}

// sees tells whether a compiler knows an expression but for variables of loops.
func (s sight) sees(e cc.ExpressionNode) bool {
	seen := true
	tree.Each(e, func(n cc.Node) bool {
		x, ok := n.(cc.ExpressionNode)
		if !ok || !seen {
			return seen
		}
		if _, constant := parse.IntegerValue(x.Value()); constant {
			return false
		}
		switch x := n.(type) {
		case *cc.PostfixExpression:
			seen = x.Case == cc.PostfixExpressionPrimary || x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec
		case *cc.UnaryExpression:
			seen = x.Case != cc.UnaryExpressionDeref
		case *cc.PrimaryExpression:
			if d := tree.Variable(x); d != nil {
				seen = s.seesVariable(d)
			}
		}
		return seen
	})
	return seen
}

// seesVariable tells whether a compiler knows what a variable holds, but for variables of loops.
func (s sight) seesVariable(d *cc.Declarator) bool {
	if s.asked[d] {
		return true
	}
	s.asked[d] = true
	facts := s.l.Facts
	if _, given := s.l.Source.Defined[d.Name()]; given || facts.Escapes[d] || facts.Given[d] != "" {
		return false
	}
	all := facts.Assigned[d]
	constant := d.Type().Attributes() != nil && d.Type().Attributes().IsConst()
	switch {
	case d.IsParam():
		if !s.seesParameter(d) {
			return false
		}
	case d.StorageDuration() != cc.Static:
	case !constant && !d.IsStatic():
		return false // other files may set it
	case slices.ContainsFunc(all, func(a parse.Assignment) bool { return a.From != nil }):
		return false
	}
	return !slices.ContainsFunc(all, func(a parse.Assignment) bool { return a.Value != nil && !s.sees(a.Value) })
}

// seesParameter tells whether a compiler knows what calls give a parameter: all are in this file, or it puts the function into its callers, and give what it
// knows; the region's own function is taken to stay by itself, and all its calls must give the same.
func (s sight) seesParameter(d *cc.Declarator) bool {
	for _, fd := range s.l.Facts.Functions {
		t, ok := fd.Declarator.Type().(*cc.FunctionType)
		if !ok {
			continue
		}
		i := slices.IndexFunc(t.Parameters(), func(p *cc.Parameter) bool { return p.Declarator == d })
		if i < 0 {
			continue
		}
		itself := fd == s.l.Function
		calls := s.l.Facts.Calls[fd.Declarator.Name()]
		if itself && !fd.Declarator.IsStatic() || len(calls) == 0 {
			return false
		}
		first, given := int64(0), false
		for _, c := range calls {
			args := tree.Arguments(c.Node)
			if i >= len(args) || !s.sees(args[i]) {
				return false
			}
			v, constant := parse.IntegerValue(args[i].Value())
			if constant && itself && given && v != first {
				return false
			}
			first, given = v, given || constant
		}
		return true
	}
	return false
}
