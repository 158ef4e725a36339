package lower

import (
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"

	"modernc.org/cc/v4"
)

// maxTried is how deep loops are lowered on trial, to see how their variables change: each depth is twice the work.
const maxTried = 4

// deepestTried is the depth of loops in which none is tried any more: no code that people write has so many, and what nests by the hundred would take long.
const deepestTried = 12

// change is what an iteration makes of a variable: it adds something, sets a value that does not depend on what it was, or makes another of what it and
// others were.
type change struct {
	add  int64
	more *expr.Expr // what it adds where that is no constant
	set  *expr.Expr // of the iteration's loop variable; nil: it adds
	next *expr.Expr // what it makes of values before the iteration, and of nothing else
}

// changes are those of the variables whose value before a loop is known.
type changes struct {
	ints     map[*cc.Declarator]change
	pointers map[*cc.Declarator]change   // of their offsets
	of       map[expr.Var]*cc.Declarator // what the integers were before the iteration, in more and next
}

// trial lowers one iteration, throws it away, and gives what it makes of integers and pointers whose values are known before the loop. What changes in
// another way is left out.
func (l *lowerer) trial(body []cc.Node, run func()) changes {
	ints, pointers := map[*cc.Declarator]*expr.Expr{}, map[*cc.Declarator]*expr.Expr{}
	found := changes{map[*cc.Declarator]change{}, map[*cc.Declarator]change{}, map[expr.Var]*cc.Declarator{}}
	changed := l.changedBy(body)
	for _, d := range changed {
		p, ok := l.Pointers[d]
		number, pointer := tree.IsInteger(d.Type()) && l.Ints.Of(d) != nil, ok && d.Type().Kind() == cc.Ptr && p.Object != nil
		if !number && !pointer || setFirst(body, d) {
			continue
		}
		if number {
			ints[d] = nil
		}
		if pointer {
			pointers[d] = nil
		}
	}
	if len(ints)+len(pointers) == 0 || l.tried >= maxTried || l.loops > deepestTried {
		return found
	}
	restore, objects := l.snapshot(), l.objectsOf(pointers)
	l.forgetAll(body)
	unknown := map[expr.Var]bool{}
	fresh := func(d *cc.Declarator) *expr.Expr {
		v := l.newVar(d.Name(), expr.Int(0), expr.Int(0))
		l.Ranges[v], l.Limits[v] = expr.Whole, value.Limit{}
		unknown[v] = true
		return expr.Ref(v)
	}
	for _, d := range changed { // in the order of the source
		if x, ok := ints[d]; ok && x == nil {
			ints[d] = fresh(d)
			found.of[expr.Var(ints[d].K)] = d
			l.Ints.Set(d, ints[d])
		}
		if x, ok := pointers[d]; ok && x == nil {
			pointers[d] = fresh(d)
			l.Pointers[d] = value.Place{Object: objects[d], Offset: pointers[d]}
		}
	}
	l.tried++
	l.Quiet, l.Trying = true, true
	err := parse.Attempt(func() { l.collect(run) })
	after := l.Save()
	restore()
	if err != nil {
		return found
	}
	for d, x := range ints {
		if c, ok := changeOf(after.Ints.Of(d), x, unknown); ok {
			found.ints[d] = c
		}
	}
	for d, x := range pointers {
		if c, ok := changeOf(after.Pointers[d].Offset, x, unknown); ok && after.Pointers[d].Object == objects[d] && c.set == nil && c.next == nil {
			found.pointers[d] = c
		}
	}
	return found
}

// setFirst tells whether nodes give a variable a value before they use the one that it has.
func setFirst(all []cc.Node, d *cc.Declarator) bool {
	set, used := false, false
	for _, n := range all {
		tree.Each(n, func(n cc.Node) bool {
			if set || used {
				return false
			}
			if to, v := parse.Assigns(n); to == d && v != nil && !mentions(v, d) {
				set = true
				return false
			}
			x, ok := n.(*cc.PrimaryExpression)
			used = ok && tree.Variable(x) == d && x.Case == cc.PrimaryExpressionIdent
			return true
		})
	}
	return set
}

// objectsOf are what some pointers point at.
func (l *lowerer) objectsOf(pointers map[*cc.Declarator]*expr.Expr) map[*cc.Declarator]*nest.Object {
	out := map[*cc.Declarator]*nest.Object{}
	for d := range pointers {
		out[d] = l.Pointers[d].Object
	}
	return out
}

// changeOf compares a variable's value after an iteration with that before it.
func changeOf(after, before *expr.Expr, unknown map[expr.Var]bool) (change, bool) {
	if after == nil {
		return change{}, false
	}
	sum, ok := value.LinearOf(expr.Binary(expr.OpSub, after, before))
	if ok && len(sum.Vars) == 0 && sum.Plain() {
		return change{add: sum.K}, true
	}
	if !usesAny(after, unknown) {
		return change{set: after}, true
	}
	c := change{}
	if ok && !value.Uses(sum.Expr(), expr.Var(before.K)) {
		c.more = sum.Expr()
	}
	if !slices.ContainsFunc(expr.Variables(after), func(v expr.Var) bool { return !unknown[v] }) {
		c.next = after
	}
	return c, c.more != nil || c.next != nil
}

// usesAny tells whether an expression has one of some variables.
func usesAny(e *expr.Expr, vars map[expr.Var]bool) bool {
	return slices.ContainsFunc(expr.Variables(e), func(v expr.Var) bool { return vars[v] })
}

// induct gives variables the values that they have at the begin of an iteration of a loop, by what they were before it.
func (l *lowerer) induct(c changes, before value.Known, v expr.Var, h header) {
	for d, x := range c.ints {
		old := before.Ints.Of(d)
		switch {
		case d == h.d:
		case x.set == nil:
			if e := l.after(c, before, d, expr.Ref(v), v, h); e != nil {
				l.Ints.Set(d, e)
			}
		default:
			switch earlier := x.earlier(v, h); {
			case h.peeled:
				l.Ints.Set(d, earlier)
			case expr.Equal(earlier, old):
				l.Ints.Set(d, old)
			default:
				l.Ints.Set(d, expr.Conditional(expr.Binary(expr.OpEq, expr.Ref(v), h.lo), old, earlier))
			}
		}
	}
	l.inductPointers(c, before, expr.Ref(v), v, h)
}

// inductPointers moves pointers by what the iterations add before the loop's variable is at a value.
func (l *lowerer) inductPointers(c changes, before value.Known, at *expr.Expr, v expr.Var, h header) {
	for d, x := range c.pointers {
		p := before.Pointers[d]
		if p.Offset = l.added(c, before, x, p.Offset, at, v, h, nil); p.Offset != nil {
			l.Pointers[d] = p
		}
	}
}

// after is what the iterations of a loop before its variable is at a value have made of a variable; nil where that is not known.
func (l *lowerer) after(c changes, before value.Known, d *cc.Declarator, at *expr.Expr, v expr.Var, h header, within ...*cc.Declarator) *expr.Expr {
	if e := l.added(c, before, c.ints[d], before.Ints.Of(d), at, v, h, append(within, d)); e != nil {
		return e
	}
	return l.orbit(c, before, d, value.Normal(rounds(at, h)))
}

// added is a value with what the iterations of a loop before its variable is at another add to it; nil where they do something else. What they add may depend
// on variables that they change, but for those within which it is asked for.
func (l *lowerer) added(c changes, before value.Known, x change, old, at *expr.Expr, v expr.Var, h header, within []*cc.Declarator) *expr.Expr {
	switch {
	case x.more == nil && x.next != nil || old == nil:
		return nil
	case x.more == nil:
		return value.Normal(expr.Binary(expr.OpAdd, old, expr.Binary(expr.OpMul, value.Normal(rounds(at, h)), expr.Int(x.add))))
	}
	known := map[expr.Var]*expr.Expr{}
	for _, w := range expr.Variables(x.more) {
		other := c.of[w]
		if other == nil {
			continue
		}
		if change, ok := c.ints[other]; !ok || change.set != nil || slices.Contains(within, other) {
			return nil
		}
		if known[w] = l.after(c, before, other, expr.Ref(v), v, h, within...); known[w] == nil {
			return nil
		}
	}
	sum, ok := l.Sum(x.more.Substitute(known), v, h.lo, at, h.step)
	if !ok {
		return nil
	}
	return value.Normal(expr.Binary(expr.OpAdd, old, sum))
}

// orbit is what rounds make of a variable and of those that it depends on, which begin with constants; nil where it is not known.
func (l *lowerer) orbit(c changes, before value.Known, d *cc.Declarator, rounds *expr.Expr) *expr.Expr {
	first, next := map[expr.Var]int64{}, map[expr.Var]*expr.Expr{}
	number := expr.Var(-1)
	for v, of := range c.of {
		if of == d {
			number = v
		}
	}
	for todo := []expr.Var{number}; len(todo) > 0; todo = todo[1:] {
		v := todo[0]
		if next[v] != nil {
			continue
		}
		x, ok := c.ints[c.of[v]]
		if next[v] = x.next; x.next == nil && ok && x.more == nil && x.set == nil {
			next[v] = expr.Binary(expr.OpAdd, expr.Ref(v), expr.Int(x.add))
		}
		old := before.Ints.Of(c.of[v])
		if next[v] == nil || old == nil {
			return nil
		}
		if first[v], ok = value.Constant(value.Normal(old)); !ok {
			return nil
		}
		todo = append(todo, expr.Variables(next[v])...)
	}
	e, _ := value.Orbit(number, first, next, rounds)
	return e
}

// earlier is what the iteration before has set a variable to.
func (c change) earlier(v expr.Var, h header) *expr.Expr {
	return value.Normal(c.set.Substitute(map[expr.Var]*expr.Expr{v: expr.Binary(expr.OpSub, expr.Ref(v), expr.Int(h.step))}))
}

// carry tells whether an iteration uses what the one before has set, and the first one something else.
func (c changes) carry(before value.Known, v expr.Var, h header) bool {
	for d, x := range c.ints {
		if d != h.d && x.set != nil && !expr.Equal(x.earlier(v, h), before.Ints.Of(d)) {
			return true
		}
	}
	return false
}

// peel lowers the first iteration of a loop by itself, and the loop from the second one on.
func (l *lowerer) peel(it *cc.IterationStatement, h header) {
	l.ends(h, h.lo)
	*l.out = append(*l.out, l.collect(func() { l.runAll(h) })...)
	h.lo, h.peeled = value.Normal(expr.Binary(expr.OpAdd, h.lo, expr.Int(h.step))), true
	l.asLoop(it, h)
}

// rounds is how many iterations a loop has made when its variable has a value.
func rounds(at *expr.Expr, h header) *expr.Expr {
	if h.step > 0 {
		at = expr.Binary(expr.OpSub, at, h.lo)
	} else {
		at = expr.Binary(expr.OpSub, h.lo, at)
	}
	if step := max(h.step, -h.step); step > 1 {
		return expr.Binary(expr.OpFloorDiv, at, expr.Int(step))
	}
	return at
}

// leave gives variables the values that they have behind a loop, where its end is known.
func (l *lowerer) leave(c changes, before value.Known, v expr.Var, h header, end *expr.Expr) {
	if end == nil {
		return
	}
	for d, x := range c.ints {
		if d == h.d || x.set != nil {
			continue
		}
		if e := l.after(c, before, d, end, v, h); e != nil {
			l.Ints.Set(d, e)
		}
	}
	l.inductPointers(c, before, end, v, h)
}

// changedBy are the variables that some nodes may assign.
func (l *lowerer) changedBy(all []cc.Node) []*cc.Declarator {
	var out []*cc.Declarator
	for _, n := range all {
		out = append(out, l.changes(n)...)
	}
	return out
}

// forgetAll drops what is known of the variables that some nodes may change.
func (l *lowerer) forgetAll(all []cc.Node) {
	for _, n := range all {
		l.forget(n)
	}
}

// mostUnrolled is how many iterations are lowered one by one where they have no common form, such as sizes that halve from one to the next.
const mostUnrolled = 32

// counted lowers a loop by its head. Where an iteration cannot be read for itself, those of a short loop are lowered one by one, and those of a long one in
// pairs: pointers that are swapped are where they were after two.
func (l *lowerer) counted(it *cc.IterationStatement, h header) {
	if !l.work && l.Parallel == 0 && setsNumbers(it) && l.unrolls(it, h) {
		return
	}
	restore, left := l.snapshot(), len(l.left)
	err := parse.Attempt(func() { l.asLoop(it, h) })
	if err == nil && len(l.left) == left {
		return
	}
	if err != nil && (err.Whole || err.Undefined) || l.work || l.unrolled {
		l.reject(err)
		return
	}
	found := l.snapshot()
	nodes := slices.Clone(*l.out)
	restore()
	first, n, ok := l.trips(it, h)
	for _, f := range []func(){func() { l.oneByOne(h, first, n) }, func() { l.inPairs(it, h, first, n) }} {
		if !ok {
			break
		}
		again := l.snapshot()
		l.unrolled = true
		failed := parse.Attempt(f)
		l.unrolled = false
		if failed == nil && len(l.left) == left {
			return
		}
		again()
	}
	found()
	*l.out = nodes
	l.reject(err)
}

// Iterations that are followed by the values that a loop's condition has: enough of one loop for one that doubles a number, and with a second one within
// it, as in a bitonic sort, so many in all.
const (
	mostValues  = 64
	bothByValue = 1024
)

// byValue lowers a loop iteration by iteration, as long as its condition has a value that is known; false where it has none, or too often holds.
func (l *lowerer) byValue(it *cc.IterationStatement, h header) bool {
	if h.cond == nil || h.until || l.work || l.unrolled && l.byValues != 1 {
		return false
	}
	step := assignmentIn(h.cond)
	if step == nil && (tree.HasEffects(h.cond) || !slices.ContainsFunc(l.changedBy(h.body), func(d *cc.Declarator) bool { return mentions(h.cond, d) })) {
		return false
	}
	restore, left := l.snapshot(), len(l.left)
	holds := func() (yes, known bool) {
		if step != nil {
			l.effect(step)
			l.flush()
			l.Stepped[step] = true
			defer delete(l.Stepped, step)
		}
		k, constant := value.TryConstant(l.TryInt(h.cond))
		return k != 0, constant
	}
	outer := l.byValues == 0
	if outer {
		l.valued = 0
	}
	l.unrolled = true
	l.byValues++
	defer func() {
		l.byValues--
		l.unrolled = !outer
	}()
	for i := range mostValues {
		if l.valued++; l.valued > bothByValue {
			break
		}
		if i > 0 || it.Case != cc.IterationStatementDo {
			yes, known := holds()
			if !known {
				break
			}
			if !yes {
				return true
			}
		}
		var nodes []nest.Node
		done := false
		if parse.Attempt(func() { nodes = l.collect(func() { done = l.leftFor(l.run(h)) }) }) != nil || len(l.left) > left {
			break
		}
		*l.out = append(*l.out, nodes...)
		if done {
			return true
		}
	}
	restore()
	return false
}

// assignmentIn is the assignment to an integer that a condition looks at the value of, and the only thing that it changes: n >>= 1, (n = n / 2) > 4; nil
// where it is another.
func assignmentIn(cond cc.ExpressionNode) *cc.AssignmentExpression {
	e := tree.Strip(cond)
	if a, b, ok := tree.Operands(e); ok && !tree.HasEffects(b) {
		e = tree.Strip(a)
		n, ok := e.(*cc.AssignmentExpression)
		if ok && tree.Variable(n.UnaryExpression) != nil && mentions(b, tree.Variable(n.UnaryExpression)) {
			return nil
		}
	}
	n, ok := e.(*cc.AssignmentExpression)
	if !ok || tree.Variable(n.UnaryExpression) == nil || !tree.IsInteger(n.UnaryExpression.Type()) || tree.HasEffects(n.AssignmentExpression) {
		return nil
	}
	return n
}

// fewNumbers is the size in bytes of an array of integers that may hold sizes, not data.
const fewNumbers = 256

// setsNumbers tells whether a loop sets integers in structures or small arrays and computes with no others, or sets up structures with pointers of their
// own: something else may need their values.
func setsNumbers(it *cc.IterationStatement) bool {
	sets, floats, memory := false, false, false
	tree.Each(it.Statement, func(n cc.Node) bool {
		e := parse.AssignedMember(n)
		memory = memory || e != nil && tree.IsPointer(e.Type())
		d := parse.AssignedElement(n)
		sets = sets || e != nil && tree.IsInteger(e.Type()) || d != nil && d.Type().Size() > 0 && d.Type().Size() <= fewNumbers && d.Type().Kind() == cc.Array
		x, ok := n.(*cc.PostfixExpression)
		floats = floats || ok && x.Case != cc.PostfixExpressionCall && cc.IsFloatingPointType(x.Type())
		return true
	})
	return sets && (memory || !floats)
}

// unrolls lowers the iterations of a short loop one by one; false where they are many, or cannot be read.
func (l *lowerer) unrolls(it *cc.IterationStatement, h header) bool {
	first, n, ok := l.trips(it, h)
	if !ok || n > mostUnrolled {
		return false
	}
	again, left := l.snapshot(), len(l.left)
	if parse.Attempt(func() { l.oneByOne(h, first, n) }) == nil && len(l.left) == left {
		return true
	}
	again()
	return false
}

// reject leaves with an error, if there is one.
func (l *lowerer) reject(err *parse.Error) {
	if err != nil {
		panic(err)
	}
}

// trips is the first value of a loop's variable and how many iterations it has, where both are constants.
func (l *lowerer) trips(it *cc.IterationStatement, h header) (first, n int64, ok bool) {
	first, ok = value.Constant(value.Normal(h.lo))
	if !ok || h.object != nil {
		return 0, 0, false
	}
	restore := l.snapshot()
	defer restore()
	err := parse.Attempt(func() {
		v := l.newCounter(h)
		l.forgetAll(h.body)
		l.inIteration(h, v)
		guard, hi := l.bounds(it, &h, v)
		last, constant := value.Constant(value.Normal(hi))
		l.ending(it, h, hi)
		ok = constant && guard == nil
		n = (last-first)/h.step + 1
	})
	return first, n, ok && err == nil && n > 0
}

// leftFor tells whether an iteration whose values are all known leaves its loop.
func (l *lowerer) leftFor(e *exits) bool {
	for _, x := range e.all {
		for _, c := range x.holds {
			if !l.Always(c) {
				l.unleft(e)
			}
		}
	}
	return len(e.all) > 0
}

// oneByOne lowers each iteration by itself.
func (l *lowerer) oneByOne(h header, first, n int64) {
	if n > mostUnrolled {
		l.Fail(h.body[0], parse.TraceRemedy, "%d iterations differ", n)
	}
	for i := range n {
		l.ends(h, expr.Int(first+i*h.step))
		done := false
		*l.out = append(*l.out, l.collect(func() { done = l.leftFor(l.run(h)) })...)
		if done {
			return
		}
	}
	l.ends(h, expr.Int(first+n*h.step))
}

// inPairs lowers two iterations as one, and the last one by itself where their number is odd.
func (l *lowerer) inPairs(it *cc.IterationStatement, h header, first, n int64) {
	if n < 2 {
		l.Fail(it, parse.TraceRemedy, "one iteration")
	}
	pair, one := h, h.run
	inHead := h.d != nil && !slices.Contains(l.changedBy(h.body), h.d)
	pair.step = 2 * h.step
	pair.bound = expr.Int(first + (n/2-1)*pair.step)
	pair.run = func() {
		at := l.Ints.Of(h.d)
		one()
		if inHead {
			l.flush()
			l.ends(h, value.Normal(expr.Binary(expr.OpAdd, at, expr.Int(h.step))))
		}
		one()
	}
	l.asLoop(it, pair)
	if n%2 == 1 {
		l.ends(h, expr.Int(first+(n-1)*h.step))
		*l.out = append(*l.out, l.collect(func() { l.runAll(h) })...)
	}
	l.ends(h, expr.Int(first+n*h.step))
}
