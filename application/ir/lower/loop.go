package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/value"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// endless is the greatest value of the counter of a loop whose end is not known yet.
const endless = value.Unbounded

// leaving is a way out of a loop.
type leaving struct {
	at        *block
	in        *text.Inst // the last of at
	stay, out *block
}

// loop follows a loop and gives the block behind it.
func (l *lowerer) loop(f *frame, lp *loop) *block {
	entry, first := f.from, map[string]val{}
	for _, in := range phisOf(lp.header) {
		first[in.Name] = l.phi(f, in, entry)
	}
	if l.depth++; l.depth > maxDepth {
		l.fail(l.place(lp.header.Last()), traceRemedy, "loops are nested too deep")
	}
	l.flush()
	saved, kept := *l, l.memory.clone()
	loops := len(f.loops)
	restore := func() {
		steps, made := l.steps, l.made
		*l = saved
		l.steps, l.made, l.memory = steps, made, kept.clone()
		f.loops, f.from, f.left = f.loops[:loops], entry, nil
		for _, x := range lp.exits() {
			delete(f.exits, x.at)
		}
	}
	var next *block
	err := attempt(func() { next = l.counted(f, lp, first) })
	if err != nil {
		restore()
		if attempt(func() { next = l.unrolled(f, lp, first) }) == nil {
			if len(l.began) > 0 && l.dry == 0 {
				l.began[len(l.began)-1].own = true
			}
		} else {
			restore()
			next = l.passed(f, lp, first, err)
		}
	}
	f.loops = f.loops[:loops]
	for _, x := range lp.exits() {
		delete(f.exits, x.at)
	}
	l.depth--
	return next
}

// phisOf are the values of a block that are chosen by where control comes from.
func phisOf(b *block) (all []*text.Inst) {
	for _, in := range b.Insts {
		if in.Op == "phi" {
			all = append(all, in)
		}
	}
	return all
}

// exits are the ways out of a loop.
func (lp *loop) exits() (all []leaving) {
	seen := map[*block]bool{}
	var visit func(b *block)
	visit = func(b *block) {
		if seen[b] {
			return
		}
		seen[b] = true
		x := leaving{at: b, in: b.Last()}
		for _, s := range b.succs {
			if lp.in[s] {
				visit(s)
				x.stay = s
			} else {
				x.out = s
			}
		}
		if x.out != nil {
			all = append(all, x)
		}
	}
	visit(lp.header)
	return all
}

// counted follows a loop that counts to an end that is known when it begins.
func (l *lowerer) counted(f *frame, lp *loop, first map[string]val) *block {
	exits := lp.exits()
	at := l.place(lp.header.Last())
	if p := l.loopPlace(lp); p.Line > 0 {
		at = p
	}
	if len(exits) == 0 {
		l.fail(at, traceRemedy, "this loop does not end")
	}
	f.loops = append(f.loops, lp)
	for _, x := range exits {
		f.exits[x.at] = x.stay
	}
	announced := l.hold()
	steps := l.steppings(f, lp, first)
	k := l.newVar(l.counterName(f, lp, steps), expr.Range{Lo: 0, Hi: endless})
	l.settle(f, lp, first, steps, expr.Ref(k))
	x, last := l.ending(f, lp, exits, k, at)
	work := l.dealt(announced, last)
	if n, ok := value.Constant(last); ok && n == 0 && x.stay == lp.header && work == nil {
		l.settle(f, lp, first, steps, expr.Int(0))
		l.body(f, lp, x)
		return l.behind(f, lp, x, nil)
	}
	base := l.base(lp, first, steps)
	end := plus(base, last)
	l.ranges[k] = expr.Range{Lo: l.interval(base).Lo, Hi: max(l.interval(base).Lo, l.interval(end).Hi)}
	n := len(l.given)
	for _, e := range []*expr.Expr{minus(end, expr.Ref(k)), minus(expr.Ref(k), base)} {
		if form, ok := expr.AffineOf(e); ok {
			l.given = append(l.given, form)
		}
	}
	l.settle(f, lp, first, steps, minus(expr.Ref(k), base))
	var before, after []nest.Node
	before = l.collect(func() { l.upTo(f, lp, x) })
	if x.stay != lp.header {
		after = l.collect(func() { l.rest(f, lp, x) })
	}
	l.given = l.given[:n]
	l.finish(x, &nest.Loop{Var: k, Lo: base, Hi: end, Step: 1, Work: work, Pos: at}, before, after)
	if len(after) > 0 || x.stay != lp.header { // what comes before the end is done once more than the rest
		l.substitute(f, lp, k, minus(end, expr.Int(1)))
		l.settle(f, lp, first, steps, last)
		l.upTo(f, lp, x)
		return l.behind(f, lp, x, nil)
	}
	l.substitute(f, lp, k, end)
	return l.behind(f, lp, x, nil)
}

// loopPlace is where a loop is in the source.
func (l *lowerer) loopPlace(lp *loop) nest.Pos {
	for _, x := range lp.exits() {
		if x.in.Debug >= 0 {
			return l.place(x.in)
		}
	}
	return l.place(lp.header.Last())
}

// counterName names the counter of a loop after the first variable that it steps.
func (l *lowerer) counterName(f *frame, lp *loop, steps map[string]*expr.Expr) string {
	for _, in := range phisOf(lp.header) {
		if steps[in.Name] == nil {
			continue
		}
		if name := f.names[in.Name]; name != "" {
			return name
		}
		for _, d := range lp.header.Insts {
			if (d.Op == "dbg.value") && len(d.Args) > 0 && d.Args[0].Kind == text.Local && d.Args[0].Name == in.Name {
				if v, _, ok := l.m.Described(d); ok && !systemFile(v.Function.File) {
					return v.Name
				}
			}
		}
	}
	return "i" + string(rune('0'+min(9, l.depth)))
}

// finish emits a loop.
func (l *lowerer) finish(x leaving, n *nest.Loop, before, after []nest.Node) {
	n.Body = before
	if x.stay != x.at.loop.header {
		n.Hi, n.Body = minus(n.Hi, expr.Int(1)), append(before, after...)
	}
	if len(n.Body) > 0 && l.dry == 0 {
		l.emit(n)
	}
}

// base is the first value of the counter of a loop: 0, or that of an integer that steps by one and begins at what is not affine.
func (l *lowerer) base(lp *loop, first map[string]val, steps map[string]*expr.Expr) *expr.Expr {
	for _, in := range phisOf(lp.header) {
		v, d := first[in.Name], steps[in.Name]
		if d == nil || v.kind != integer || d.Op != expr.OpConst || d.K != 1 {
			continue
		}
		if _, ok := expr.AffineOf(v.e); !ok {
			return v.e
		}
	}
	return expr.Int(0)
}

// steppings tell by how much the values of a loop step from one iteration to the next; those that step in other ways are left out.
func (l *lowerer) steppings(f *frame, lp *loop, first map[string]val) map[string]*expr.Expr {
	steps, open := map[string]*expr.Expr{}, false
	for _, in := range phisOf(lp.header) {
		v := first[in.Name]
		if v.kind != integer && v.kind != pointer || v.kind == pointer && v.o == nil && in.Type.Kind != text.Pointer {
			continue
		}
		if d := advance(f, lp, in); d != nil {
			steps[in.Name] = d
		} else {
			open = true
		}
	}
	if open {
		l.symbolic(f, lp, first, steps)
	}
	return steps
}

// advance is the step of a value that a constant is added to; nil where it steps in another way.
func advance(f *frame, lp *loop, in *text.Inst) *expr.Expr {
	var step *expr.Expr
	for i, from := range in.Blocks {
		if !lp.in[f.byName[from]] {
			continue
		}
		d := stepOf(f, in.Name, in.Args[i])
		if d == nil || step != nil && !expr.Equal(step, d) {
			return nil
		}
		step = d
	}
	return step
}

// stepOf is the constant that an operand is more than a value.
func stepOf(f *frame, name string, a text.Operand) *expr.Expr {
	in := f.makes[a.Name]
	if a.Kind != text.Local || in == nil || len(in.Args) != 2 || in.Args[0].Kind != text.Local || in.Args[0].Name != name || in.Args[1].Kind != text.Number {
		return nil
	}
	switch in.Op {
	case "add":
		return expr.Int(in.Args[1].Int)
	case "sub":
		return expr.Int(-in.Args[1].Int)
	case "getelementptr":
		if size := in.Elem.Size(); size > 0 {
			return times(expr.Int(size), expr.Int(in.Args[1].Int))
		}
	}
	return nil
}

// symbolic finds the steps of values by following one iteration with a variable for each.
func (l *lowerer) symbolic(f *frame, lp *loop, first map[string]val, steps map[string]*expr.Expr) {
	symbols := map[string]expr.Var{}
	foreign := map[expr.Var]bool{}
	mark := len(l.vars)
	for _, in := range phisOf(lp.header) {
		v := first[in.Name]
		if v.kind != integer && v.kind != pointer {
			f.vals[in.Name] = l.changing(f, in, v)
			continue
		}
		s := l.newVar(in.Name, expr.Range{Lo: -endless, Hi: endless})
		symbols[in.Name], foreign[s] = s, true
		f.vals[in.Name] = val{kind: v.kind, o: v.o, e: expr.Ref(s)}
	}
	before := l.memory
	l.memory = before.clone()
	err := attempt(func() { l.look(func() { l.body(f, lp, leaving{}) }) })
	l.memory = before
	if err != nil {
		return
	}
	for _, in := range phisOf(lp.header) {
		s, ok := symbols[in.Name]
		if !ok || steps[in.Name] != nil {
			continue
		}
		if d := l.difference(f, lp, in, s, first[in.Name]); d != nil && !beyond(d, mark) {
			steps[in.Name] = d
		}
	}
}

// beyond tells whether an expression uses variables from a number on.
func beyond(e *expr.Expr, from int) bool {
	found := false
	e.EachVar(func(v expr.Var) { found = found || int(v) >= from })
	return found
}

// difference is what an iteration adds to a value that is s when it begins.
func (l *lowerer) difference(f *frame, lp *loop, in *text.Inst, s expr.Var, first val) *expr.Expr {
	var step *expr.Expr
	for i, from := range in.Blocks {
		if !lp.in[f.byName[from]] {
			continue
		}
		v := l.operand(f, in.Args[i])
		if v.kind != first.kind || v.o != first.o || v.kind != integer && v.kind != pointer {
			return nil
		}
		d := minus(v.e, expr.Ref(s))
		if step != nil && !expr.Equal(step, d) {
			return nil
		}
		step = d
	}
	return step
}

// changing is a value that a loop changes in a way that is not followed.
func (l *lowerer) changing(f *frame, in *text.Inst, first val) val {
	why := "it changes from one iteration to the next in a way that is not followed"
	v := unknown(why)
	if first.kind != pointer && in.Type.Kind != text.Pointer {
		v.flow = nest.Value{Kind: nest.Scalar, N: l.scalarOf(f, in.Name)}
	}
	return v
}

// settle gives the values of a loop at iteration k.
func (l *lowerer) settle(f *frame, lp *loop, first map[string]val, steps map[string]*expr.Expr, k *expr.Expr) {
	for _, in := range phisOf(lp.header) {
		v := first[in.Name]
		if d := steps[in.Name]; d != nil {
			f.vals[in.Name] = val{kind: v.kind, o: v.o, e: plus(v.e, times(k, d))}
			continue
		}
		f.vals[in.Name] = l.changing(f, in, v)
	}
}

// body follows one iteration, up to a way out or as a whole where there is none.
func (l *lowerer) body(f *frame, lp *loop, x leaving) {
	l.upTo(f, lp, leaving{at: x.at})
	if x.at != nil && x.stay != nil && x.stay != lp.header {
		l.rest(f, lp, x)
	}
}

// upTo follows an iteration up to the block that may end the loop, with it.
func (l *lowerer) upTo(f *frame, lp *loop, x leaving) {
	f.from = &way{pred: lp.header}
	l.block(f, lp.header)
	if lp.header == x.at {
		return
	}
	next := l.leave(f, lp.header, x.at)
	if !l.walk(f, next, x.at) {
		if x.at != nil {
			l.fail(l.place(x.in0()), traceRemedy, "the end of this loop is not reached in each iteration")
		}
		return
	}
	if x.at != nil {
		l.phis(f, x.at)
		l.block(f, x.at)
	}
}

// in0 is an instruction for the place of a way out.
func (x leaving) in0() *text.Inst {
	if x.in != nil {
		return x.in
	}
	return x.at.Last()
}

// rest follows an iteration from the block that may end the loop on.
func (l *lowerer) rest(f *frame, lp *loop, x leaving) {
	f.from = &way{pred: x.at}
	l.walk(f, x.stay, nil)
}

// behind is the block behind a loop that was left.
func (l *lowerer) behind(f *frame, lp *loop, x leaving, _ error) *block {
	f.from = &way{pred: x.at}
	return x.out
}

// ending finds out which way a loop is left, and in which iteration. What an iteration changes in memory is not known afterwards.
func (l *lowerer) ending(f *frame, lp *loop, exits []leaving, k expr.Var, at nest.Pos) (leaving, *expr.Expr) {
	const rounds = 4
	for range rounds {
		before := l.memory
		l.memory = before.clone()
		l.look(func() { l.body(f, lp, leaving{}) })
		after := l.memory
		l.memory = before
		if !l.invalidate(after) {
			break
		}
	}
	var found []leaving
	var ends []*expr.Expr
	for _, x := range exits {
		c := l.condition(f, x)
		if c.kind == integer && l.always(c.e) {
			continue
		}
		if c.kind != integer {
			why, remedy := reason(c)
			if remedy != traceRemedy {
				l.fail(l.place(x.in), remedy, "how often this loop runs is not known: %s", why)
			}
			l.fail(l.place(x.in), traceRemedy, "how often this loop runs depends on data: %s", why)
		}
		last := l.lastOf(c.e, k)
		if last == nil || beyond(last, int(k)) {
			l.fail(l.place(x.in), traceRemedy, "how often this loop runs is not understood: %s", c.e.Format(l.vars))
		}
		found, ends = append(found, x), append(ends, last)
	}
	switch {
	case len(found) == 0:
		l.fail(at, traceRemedy, "this loop does not end")
	case len(found) > 1:
		l.fail(l.place(found[1].in), traceRemedy, "this loop is left in more than one place")
	case f.innermost(found[0].at) != lp:
		l.fail(l.place(found[0].in), traceRemedy, "this loop is left from a loop in it")
	}
	return found[0], ends[0]
}

func (f *frame) innermost(b *block) *loop { return b.loop }

// condition is 1 where a way out is not taken.
func (l *lowerer) condition(f *frame, x leaving) val {
	if x.in.Op == "switch" {
		c := l.operand(f, x.in.Args[0])
		if c.kind == integer && len(x.in.Args) == 2 && len(x.in.Blocks) == 2 {
			e := expr.Binary(expr.OpEq, c.e, expr.Int(x.in.Args[1].Int))
			if f.byName[x.in.Blocks[1]] == x.out {
				e = expr.Unary(expr.OpNot, e)
			}
			return val{kind: integer, e: e}
		}
		return unknown("it depends on data")
	}
	if x.in.Op != "br" || len(x.in.Args) == 0 {
		return unknown("it depends on data")
	}
	c := l.operand(f, x.in.Args[0])
	if c.kind == integer && f.byName[x.in.Blocks[0]] == x.out {
		c.e = expr.Unary(expr.OpNot, c.e)
	}
	return c
}

// lastOf is the first k from 0 on for which a condition does not hold; nil where that is not understood.
func (l *lowerer) lastOf(stay *expr.Expr, k expr.Var) *expr.Expr {
	if stay.Op == expr.OpAnd {
		a, b := l.lastOf(stay.A, k), l.lastOf(stay.B, k)
		if a == nil || b == nil {
			return nil
		}
		return expr.Binary(expr.OpMin, a, b)
	}
	if stay.Op == expr.OpConst {
		if stay.K == 0 {
			return expr.Int(0)
		}
		return nil
	}
	if stay.Op < expr.OpLt || stay.Op > expr.OpNe {
		return nil
	}
	d := minus(stay.B, stay.A)
	sum, ok := value.LinearOf(d)
	if !ok {
		return nil
	}
	c := sum.Vars[k]
	delete(sum.Vars, k)
	rest := sum.Expr()
	if value.Uses(rest, k) {
		return nil
	}
	switch {
	case c == 0 && l.never(stay):
		return expr.Int(0)
	case stay.Op == expr.OpNe && c > 0:
		return l.exact(expr.Unary(expr.OpNeg, rest), c)
	case stay.Op == expr.OpNe && c < 0:
		return l.exact(rest, -c)
	case stay.Op == expr.OpLt && c < 0:
		return l.positive(plus(rest, expr.Int(-c-1)), -c)
	case stay.Op == expr.OpLe && c < 0:
		return l.positive(plus(rest, expr.Int(-c)), -c)
	}
	return nil
}

// exact is a quotient that is known to have no remainder.
func (l *lowerer) exact(e *expr.Expr, by int64) *expr.Expr {
	e = value.Normal(e)
	if q := divided(e, by); q != nil {
		return q
	}
	if by == 1 {
		return e
	}
	return expr.Binary(expr.OpFloorDiv, e, expr.Int(by))
}

// positive is a quotient, rounded down, or 0 where that is negative.
func (l *lowerer) positive(e *expr.Expr, by int64) *expr.Expr {
	q := divided(e, by)
	if by == 1 {
		q = e
	}
	if q == nil {
		q = expr.Binary(expr.OpFloorDiv, e, expr.Int(by))
	}
	if l.atLeastZero(q) {
		return q
	}
	return expr.Binary(expr.OpMax, expr.Int(0), q)
}

// invalidate forgets what an iteration changes, and tells whether that was anything that was known.
func (l *lowerer) invalidate(after memory) bool {
	changed := false
	for o, x := range after {
		y := l.memory[o]
		if x == y || y == nil && o.initial == nil {
			continue
		}
		if y == nil {
			y = &contents{}
		}
		for at, old := range y.cells {
			if now, ok := x.cells[at]; !ok || now.size != old.size || !same(now.v, old.v) {
				if old.v.kind != data {
					changed = true
				}
				l.memory.contentsOf(o).cells[at] = cell{old.size, unknown("it changes in a loop")}
			}
		}
		if o.initial != nil && !o.fixed {
			for at, now := range x.cells {
				if _, ok := y.cells[at]; !ok {
					l.memory.contentsOf(o).cells[at] = cell{now.size, unknown("it changes in a loop")}
					changed = true
				}
			}
		}
		if x.dirty && !y.dirty {
			l.memory.contentsOf(o).dirty = true
			changed = changed || o.initial != nil
		}
	}
	return changed
}

// substitute gives the values that a loop made their last ones.
func (l *lowerer) substitute(f *frame, lp *loop, k expr.Var, last *expr.Expr) {
	m := map[expr.Var]*expr.Expr{k: last}
	for name, b := range f.home {
		if lp.in[b] {
			if v, ok := f.vals[name]; ok {
				f.vals[name] = v.substitute(m)
			}
		}
	}
	for o, c := range l.memory {
		for at, x := range c.cells {
			if v := x.v.substitute(m); v.e != x.v.e || v.kind == aggregate {
				l.memory.contentsOf(o).cells[at] = cell{x.size, v}
			}
		}
	}
}

// unrolled follows a loop iteration by iteration, as long as what decides its end is known.
func (l *lowerer) unrolled(f *frame, lp *loop, first map[string]val) *block {
	f.loops = append(f.loops, lp)
	l.flush()
	for range maxUnroll {
		for name, v := range first {
			f.vals[name] = v
		}
		f.left = nil
		l.block(f, lp.header)
		next := l.leaveKnown(f, lp.header)
		if l.walk(f, next, nil) {
			break
		}
		if f.left != nil {
			left := f.left
			f.left = nil
			return left
		}
		if len(f.returns) > 0 {
			break
		}
		now := map[string]val{}
		for _, in := range phisOf(lp.header) {
			now[in.Name] = l.phi(f, in, f.from)
		}
		first = now
	}
	panic(&parse.Error{Message: "the loop does not end soon"})
}

// leaveKnown follows the end of a header whose condition must be known.
func (l *lowerer) leaveKnown(f *frame, b *block) *block {
	if len(b.succs) > 1 {
		if last := b.Last(); last.Op == "br" && len(last.Args) > 0 {
			if c := l.operand(f, last.Args[0]); c.kind != integer || !l.always(c.e) && !l.never(c.e) {
				for _, s := range b.succs {
					if !f.loops[len(f.loops)-1].in[s] {
						l.fail(l.place(last), traceRemedy, "how often this loop runs depends on data")
					}
				}
			}
		}
	}
	return l.leave(f, b, nil)
}

// passed leaves out a loop that cannot be followed, where it is no part of what was asked for.
func (l *lowerer) passed(f *frame, lp *loop, first map[string]val, err *parse.Error) *block {
	exits := lp.exits()
	if !l.soft() || len(exits) == 0 {
		panic(err)
	}
	region := l.began[len(l.began)-1]
	if region.err == nil {
		region.err = err
	}
	f.loops = append(f.loops, lp)
	for _, x := range exits {
		f.exits[x.at] = x.stay
	}
	l.settle(f, lp, first, nil, nil)
	before := l.memory
	l.memory = before.clone()
	saved := *l
	if attempt(func() { l.collect(func() { l.body(f, lp, leaving{}) }) }) != nil {
		steps, memory, made := l.steps, l.memory, l.made
		*l = saved
		l.steps, l.memory, l.made = steps, memory, made
	}
	after := l.memory
	l.memory = before
	l.invalidate(after)
	for name, b := range f.home {
		if v, ok := f.vals[name]; ok && lp.in[b] && v.kind != pointer {
			f.vals[name] = unknown("it is made in a loop that is not followed")
		}
	}
	return l.behind(f, lp, exits[0], nil)
}
