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

// trial lowers one iteration, throws it away, and gives what it makes of integers and pointers whose values are known before the loop. What changes in
// another way is left out.
func (l *lowerer) trial(h header, run func()) value.Changes {
	body := h.body
	ints, pointers := map[*cc.Declarator]*expr.Expr{}, map[*cc.Declarator]*expr.Expr{}
	found := value.Changes{Ints: map[*cc.Declarator]value.Change{}, Pointers: map[*cc.Declarator]value.Change{}, Fields: map[value.Member]value.Change{}, Of: map[expr.Var]value.Changing{}}
	changed := l.changedBy(body)
	for _, d := range changed {
		p, ok := l.Pointers.Get(d)
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
	fields := l.fieldsLost(h)
	if len(ints)+len(pointers)+len(fields) == 0 || l.tried >= maxTried || l.loops > deepestTried {
		return found
	}
	restore, objects := l.snapshot(), l.objectsOf(pointers)
	l.forgetBody(h)
	unknown := map[expr.Var]bool{}
	fresh := func(name string, of value.Changing) *expr.Expr {
		v := l.newVar(name, expr.Int(0), expr.Int(0))
		l.Ranges[v], l.Limits[v] = expr.Whole, value.Limit{}
		unknown[v], found.Of[v] = true, of
		return expr.Ref(v)
	}
	for _, d := range changed { // in the order of the source
		if x, ok := ints[d]; ok && x == nil {
			ints[d] = fresh(d.Name(), value.Changing{Variable: d})
			l.Ints.Set(d, ints[d])
		}
		if x, ok := pointers[d]; ok && x == nil {
			pointers[d] = fresh(d.Name(), value.Changing{Variable: d})
			l.Pointers.Set(d, value.Place{Object: objects[d], Offset: pointers[d]})
		}
	}
	members := make([]*expr.Expr, len(fields))
	for i, m := range fields {
		members[i] = fresh("member", value.Changing{Member: m})
		l.Fields[m] = members[i]
	}
	l.tried++
	l.Quiet, l.Trying = true, true
	err := parse.Attempt(func() { l.collect(run) })
	after := l.Save()
	restore()
	if err != nil {
		return found
	}
	for i, m := range fields {
		if c, ok := value.ChangeOf(after.Fields[m], members[i], unknown); ok && c.Set == nil {
			found.Fields[m] = c
		}
	}
	for d, x := range ints {
		if c, ok := value.ChangeOf(after.Ints.Of(d), x, unknown); ok {
			found.Ints[d] = c
		}
	}
	for d, x := range pointers {
		if c, ok := value.ChangeOf(after.Pointers.Of(d).Offset, x, unknown); ok && after.Pointers.Of(d).Object == objects[d] && c.Set == nil {
			found.Pointers[d] = c
		}
	}
	return found
}

// objectsOf are what some pointers point at.
func (l *lowerer) objectsOf(pointers map[*cc.Declarator]*expr.Expr) map[*cc.Declarator]*nest.Object {
	out := map[*cc.Declarator]*nest.Object{}
	for d := range pointers {
		out[d] = l.Pointers.Of(d).Object
	}
	return out
}

// induct gives variables the values that they have at the begin of an iteration of a loop, by what they were before it.
func (l *lowerer) induct(c value.Changes, before value.Known, v expr.Var, h header) {
	dealt := l.isDealt()
	for d, x := range c.Ints {
		old := before.Ints.Of(d)
		switch {
		case d == h.d:
		case dealt && (l.own[d] || x.More != nil || x.Next != nil): // the iteration before may be another thread's
		case x.Set == nil:
			if e := l.After(c, before, value.Changing{Variable: d}, expr.Ref(v), h.counter(v)); e != nil {
				l.Ints.Set(d, e)
			}
		default:
			switch earlier := x.Earlier(h.counter(v)); {
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
	l.inductFields(c, before, expr.Ref(v), v, h)
}

// inductPointers moves pointers by what the iterations add before the loop's variable is at a value.
func (l *lowerer) inductPointers(c value.Changes, before value.Known, at *expr.Expr, v expr.Var, h header) {
	for d, x := range c.Pointers {
		if l.isDealt() && (l.own[d] || x.More != nil || x.Next != nil) {
			continue
		}
		p := before.Pointers.Of(d)
		if p.Offset = l.After(c, before, value.Changing{Variable: d}, at, h.counter(v)); p.Offset != nil {
			l.Pointers.Set(d, p)
		}
	}
}

// carries tells whether an iteration uses what the one before has set, and the first one something else.
func carries(c value.Changes, before value.Known, v expr.Var, h header) bool {
	for d, x := range c.Ints {
		if d != h.d && x.Set != nil && !expr.Equal(x.Earlier(h.counter(v)), before.Ints.Of(d)) {
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
func rounds(at *expr.Expr, h header) *expr.Expr { return h.counter(-1).Rounds(at) }

// counter is the loop's variable where it has a number.
func (h header) counter(v expr.Var) value.Counter {
	return value.Counter{Var: v, Lo: h.lo, Step: h.step}
}

// leave gives variables the values that they have behind a loop, where its end is known.
func (l *lowerer) leave(c value.Changes, before value.Known, v expr.Var, h header, end *expr.Expr) {
	if end == nil {
		return
	}
	for d, x := range c.Ints {
		switch {
		case d == h.d:
			continue
		case x.Set != nil:
			if l.Always(expr.Binary(expr.OpLt, expr.Int(0), value.Normal(rounds(end, h)))) { // it was set by the last iteration
				last := value.Normal(expr.Binary(expr.OpSub, end, expr.Int(h.step)))
				l.Ints.Set(d, value.Normal(x.Set.Substitute(map[expr.Var]*expr.Expr{v: last})))
			}
			continue
		}
		if e := l.After(c, before, value.Changing{Variable: d}, end, h.counter(v)); e != nil {
			l.Ints.Set(d, e)
		}
	}
	l.inductPointers(c, before, end, v, h)
	l.inductFields(c, before, end, v, h)
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

// mostCopies is how many copies of an iteration loops make together that are lowered one by one within others, such as those over a stencil's offsets.
const mostCopies = 128

// mostGrouped is how many iterations are lowered as one: enough for buffers that change places, and for a colour or a phase of each.
const mostGrouped = 4

// counted lowers a loop by its head. Where an iteration cannot be read for itself, those of a short loop are lowered one by one, and those of a long one in
// groups: pointers that are swapped are where they were after two.
func (l *lowerer) counted(it *cc.IterationStatement, h header) {
	if !l.work && l.Parallel == 0 && setsNumbers(it) && l.unrolls(it, h) {
		return
	}
	restore, left, ofWork := l.snapshot(), len(l.left), l.isOfWork()
	err := parse.Attempt(func() { l.asLoop(it, h) })
	if err == nil && len(l.left) == left {
		return
	}
	if err != nil && (err.Whole || err.Undefined) || ofWork || l.unrolled > 0 && l.byValues > 0 {
		l.reject(err)
		return
	}
	found := l.snapshot()
	nodes := slices.Clone(*l.out)
	restore()
	first, n, ok := l.trips(it, h)
	byData := slices.Clone(h.byData)
	if h.cond != nil && slices.ContainsFunc(conjuncts(h.cond, h.until), l.dependsOnData) {
		byData = append(byData, h.cond)
	}
	ends := l.changesItsEnd(h)
	for size := range int64(mostGrouped + 1) {
		f := func() { l.inGroups(it, h, first, n, size) }
		around, times := l.unrolled, size
		switch {
		case !ok || size == 1 || around > 0 && (size > 0 || n*around > mostCopies):
			continue
		case size == 0:
			f, times = func() {
				if !l.oneByOne(h, first, n) {
					byData = append(byData, h.cond)
				}
			}, n
		}
		again := l.snapshot()
		l.unrolled = times * max(around, 1)
		failed := parse.Attempt(f)
		l.unrolled = around
		if failed == nil && len(l.left) == left {
			if size > 1 {
				byData = append(byData, ends...)
			}
			for _, e := range byData {
				l.endsByData(it, e)
			}
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
	if h.cond == nil || h.until || l.isOfWork() || l.unrolled > 0 && l.byValues != 1 {
		return false
	}
	step := assignmentIn(h.cond)
	if step == nil && (l.acts(h.cond) || !slices.ContainsFunc(l.changedBy(h.body), func(d *cc.Declarator) bool { return tree.Mentions(h.cond, d) })) {
		return false
	}
	byData := it.Case != cc.IterationStatementDo && jumpsOut(it.Statement) && l.dependsOnData(h.cond)
	restore, left := l.snapshot(), len(l.left)
	holds := func() (yes, known bool) {
		if step != nil {
			l.effect(step)
			l.flush()
			l.Stepped[step] = true
			defer delete(l.Stepped, step)
		}
		if byData {
			l.look(h.cond)
			return true, true
		}
		k, constant := value.TryConstant(l.TryInt(h.cond))
		return k != 0, constant
	}
	outer := l.byValues == 0
	if outer {
		l.valued = 0
	}
	around := l.unrolled
	l.unrolled = max(l.unrolled, 1)
	l.byValues++
	defer func() {
		l.byValues--
		l.unrolled = around
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
			if byData {
				l.endsByData(it, h.cond)
			}
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
		if ok && tree.Variable(n.UnaryExpression) != nil && tree.Mentions(b, tree.Variable(n.UnaryExpression)) {
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
	sure := false
	if parse.Attempt(func() { sure = l.oneByOne(h, first, n) }) == nil && len(l.left) == left && sure {
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
		before, changed := l.Save(), value.Changes{}
		if len(l.changesItsEnd(h)) > 0 {
			changed = l.trial(h, func() { l.inIteration(h, v); l.run(h) })
		}
		l.forgetBody(h)
		l.inIteration(h, v)
		l.induct(changed, before, v, h)
		guard, hi := l.bounds(it, &h, v)
		last, constant := value.Constant(value.Normal(hi))
		l.ending(it, h, hi)
		ok = constant && guard == nil
		n = expr.FloorDiv(last-first, h.step) + 1
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

// oneByOne lowers each iteration by itself, as long as the loop's condition does not fail; false where that is not known of each.
func (l *lowerer) oneByOne(h header, first, n int64) (sure bool) {
	sure = true
	if n > mostUnrolled {
		l.Fail(h.body[0], parse.TraceRemedy, "%d iterations differ", n)
	}
	h, changing := l.looking(h), len(l.changesItsEnd(h)) > 0
	for i := range n {
		l.ends(h, expr.Int(first+i*h.step))
		if (i > 0 || changing) && !h.once && h.cond != nil && h.bound == nil {
			switch k, known := value.TryConstant(l.TryInt(h.cond)); {
			case !known:
				sure = false
			case (k == 0) != h.until:
				return sure
			}
		}
		done := false
		*l.out = append(*l.out, l.collect(func() { done = l.leftFor(l.run(h)) })...)
		if done {
			return sure
		}
	}
	l.ends(h, expr.Int(first+n*h.step))
	l.lookOnce(h, &exits{})
	return sure
}

// inGroups lowers so many iterations as one, and those that are left over by themselves.
func (l *lowerer) inGroups(it *cc.IterationStatement, h header, first, n, size int64) {
	if n < size {
		l.Fail(it, parse.TraceRemedy, "fewer iterations than a group has")
	}
	h = l.looking(h)
	group, one := h, h.run
	inHead := h.d != nil && !slices.Contains(l.changedBy(h.body), h.d)
	group.step = size * h.step
	group.bound = expr.Int(first + (n/size-1)*group.step)
	group.run = func() {
		at := l.Ints.Of(h.d)
		for i := range size {
			if i > 0 && inHead {
				l.flush()
				l.ends(h, value.Normal(expr.Binary(expr.OpAdd, at, expr.Int(i*h.step))))
			}
			one()
		}
	}
	l.asLoop(it, group)
	for i := n - n%size; i < n; i++ {
		l.ends(h, expr.Int(first+i*h.step))
		*l.out = append(*l.out, l.collect(func() { l.runAll(h) })...)
	}
	l.ends(h, expr.Int(first+n*h.step))
}
