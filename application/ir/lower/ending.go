package lower

import (
	"slices"
	"strings"

	"foresee/application/csource/value"
	"foresee/application/ir/text"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// ending finds out which way a loop is left, and in which iteration. What an iteration changes in memory is not known afterwards. Where byData is set, ways
// out that depend on data are taken as not taken, and where there are no others one iteration is counted.
func (l *lowerer) ending(f *frame, lp *loop, exits []leaving, k expr.Var, at nest.Pos, byData bool) (leaving, *expr.Expr) {
	const rounds = 4
	for range rounds {
		before := l.memory
		l.memory = before.clone()
		if err := attempt(func() { l.look(func() { l.body(f, lp, leaving{}) }) }); err != nil {
			l.ask(f, exits)
			panic(err)
		}
		after := l.memory
		l.memory = before
		if !l.invalidate(after) {
			break
		}
	}
	var found, data []leaving
	var ends []*expr.Expr
	for _, x := range exits {
		c := l.condition(f, x)
		if byData && c.kind != integer {
			if stay := l.knownPart(f, x); stay != nil {
				data, c = append(data, x), val{kind: integer, e: stay}
			}
		}
		if c.kind == integer && l.always(c.e) {
			continue
		}
		if _, remedy := reason(c); byData && c.kind != integer && remedy == traceRemedy {
			data = append(data, x)
			continue
		}
		if c.kind != integer {
			why, remedy := reason(c)
			if remedy != traceRemedy {
				l.fail(l.place(x.in), remedy, "how often this loop runs is not known: %s", why)
			}
			l.fail(l.place(x.in), l.asRun(why, traceRemedy), "how often this loop runs depends on data: %s", why)
		}
		last := l.lastOf(c.e, k)
		if last == nil || beyond(last, int(k)) {
			if _, told := l.toldIterations(f, lp); told && byData {
				data = append(data, x)
				continue
			}
			l.fail(l.place(x.in), traceRemedy, "how often this loop runs is not understood: %s", c.e.Format(l.vars))
		}
		found, ends = append(found, x), append(ends, last)
	}
	lp.early = len(data) > 0
	if len(found) == 0 && len(data) > 0 {
		return l.once(f, lp, data, at)
	}
	for _, x := range data {
		if len(found) > 0 {
			l.mayLeave(f, x, found[0])
		}
		l.warn(l.place(x.in), "leaving this loop depends on data; what that skips is counted as executed")
	}
	switch {
	case len(found) == 0:
		l.fail(at, traceRemedy, "this loop does not end")
	case len(found) > 1:
		l.fail(l.place(found[1].in), traceRemedy, "this loop is left in more than one place")
	case found[0].at.loop != lp:
		l.fail(l.place(found[0].in), traceRemedy, "this loop is left from a loop in it")
	}
	if len(data) > 0 {
		return found[0], l.stopped(f, lp, found[0], ends[0])
	}
	return found[0], ends[0]
}

// ask fails where one of a loop's ways out waits for a number that the caller may define: what its iterations do may be known then.
func (l *lowerer) ask(f *frame, exits []leaving) {
	for _, x := range exits {
		if c := l.condition(f, x); strings.HasPrefix(c.why, askFor) {
			why, remedy := reason(c)
			l.fail(l.place(x.in), remedy, "how often this loop runs is not known: %s", why)
		}
	}
}

// once ends a loop after one iteration, where data decide how many there are and it holds loops that are worth it.
func (l *lowerer) once(f *frame, lp *loop, data []leaving, at nest.Pos) (leaving, *expr.Expr) {
	i := slices.IndexFunc(data, func(x leaving) bool { return x.at.loop == lp })
	n, told := l.toldIterations(f, lp)
	if i < 0 || !told && !l.worthOne(f, lp) {
		l.fail(at, traceRemedy, "how often this loop runs depends on data")
	}
	for k, x := range data {
		if k != i {
			l.mayLeave(f, x, data[i])
		}
	}
	if told {
		return data[i], expr.Int(n - 1)
	}
	f.uncounted = append(f.uncounted, lp)
	l.warn(at, "how often this loop runs depends on data; one iteration is counted")
	if data[i].stay == lp.header {
		return data[i], expr.Int(0)
	}
	return data[i], expr.Int(1)
}

// worthOne tells whether there are loops in a loop, or in the functions that it calls.
func (l *lowerer) worthOne(f *frame, lp *loop) bool {
	seen := map[string]bool{}
	for b := range lp.in {
		if b != lp.header && f.graph.loops[b] != nil || l.callsLoops(b, seen) {
			return true
		}
	}
	return false
}

// callsLoops tells whether a block calls functions with loops.
func (l *lowerer) callsLoops(b *block, seen map[string]bool) bool {
	for _, in := range b.Insts {
		fn := l.m.ByName[in.Callee.Name]
		if in.Callee.Kind != text.GlobalName || fn == nil || len(fn.Blocks) == 0 || seen[fn.Name] {
			continue
		}
		seen[fn.Name] = true
		g := l.graphOf(fn)
		if len(g.loops) > 0 || slices.ContainsFunc(g.blocks, func(b *block) bool { return l.callsLoops(b, seen) }) {
			return true
		}
	}
	return false
}

// knownPart is what must hold to stay in a loop, of which more is asked that depends on data: i < n of i < n && a[i] > 0; nil where there is no such part.
func (l *lowerer) knownPart(f *frame, x leaving) *expr.Expr {
	if x.in.Op != "br" || len(x.in.Args) == 0 {
		return nil
	}
	leaves := f.byName[x.in.Blocks[0]] == x.out
	var part func(a text.Operand) *expr.Expr
	part = func(a text.Operand) *expr.Expr {
		if c := l.operand(f, a); c.kind == integer {
			if leaves {
				return expr.Unary(expr.OpNot, truth(c.e))
			}
			return truth(c.e)
		}
		in := f.makes[a.Name]
		if a.Kind != text.Local || in == nil {
			return nil
		}
		var both []text.Operand
		switch {
		case in.Op == "freeze":
			both = in.Args[:1]
		case in.Op == "and" && !leaves, in.Op == "or" && leaves:
			both = in.Args
		case in.Op == "select" && len(in.Args) == 3 && !leaves && isNumber(in.Args[2], 0):
			both = in.Args[:2]
		case in.Op == "select" && len(in.Args) == 3 && leaves && isNumber(in.Args[1], 1):
			both = []text.Operand{in.Args[0], in.Args[2]}
		}
		var all *expr.Expr
		for _, b := range both {
			switch e := part(b); {
			case e == nil:
			case all == nil:
				all = e
			default:
				all = expr.Binary(expr.OpAnd, all, e)
			}
		}
		return all
	}
	return part(x.in.Args[0])
}

func isNumber(a text.Operand, n int64) bool {
	return a.Kind == text.Number && (a.Int == n || n == 1 && a.Int == -1)
}

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
	stay = truth(stay)
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
	if stay.Op == expr.OpOr {
		for _, sides := range [][2]*expr.Expr{{truth(stay.A), truth(stay.B)}, {truth(stay.B), truth(stay.A)}} {
			if l.isDownTo(sides[0], sides[1], k) {
				return l.lastOf(sides[1], k)
			}
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

// isDownTo tells x < 0 and n < x of an x that comes down from 0 or more with k, by steps that do not take it past 0 to n: together they are x > n of a number
// without a sign, and hold as long as n < x does.
func (l *lowerer) isDownTo(below, above *expr.Expr, k expr.Var) bool {
	if below.Op != expr.OpLt || below.B.Op != expr.OpConst || below.B.K != 0 || above.Op != expr.OpLt || above.A.Op != expr.OpConst || !expr.Equal(below.A, above.B) {
		return false
	}
	sum, ok := value.LinearOf(above.B)
	step := sum.Vars[k]
	return ok && step < 0 && -step <= above.A.K+1 && l.atLeastZero(value.Normal(above.B.Substitute(map[expr.Var]*expr.Expr{k: expr.Int(0)})))
}

// truth is a condition without the numbers that it was made: (c ? 1 : 0) is c.
func truth(c *expr.Expr) *expr.Expr {
	number := func(e *expr.Expr, k int64) bool { return e.Op == expr.OpConst && e.K == k }
	switch {
	case c.Op == expr.OpNot:
		return expr.Unary(expr.OpNot, truth(c.A))
	case c.Op == expr.OpCond && number(c.B, 1) && number(c.C, 0):
		return truth(c.A)
	case c.Op == expr.OpCond && number(c.B, 0) && number(c.C, 1):
		return expr.Unary(expr.OpNot, truth(c.A))
	}
	return c
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
		if x == y || y == nil && o.initial == nil && len(o.first) == 0 {
			continue
		}
		if y == nil {
			y = &contents{}
		}
		for at, old := range y.cells.besides(&x.cells) {
			if now, ok := x.cells.get(at); !ok || now.size != old.size || !same(now.v, old.v) {
				if old.v.kind != data {
					changed = true
				}
				if made := &l.memory.contentsOf(o).cells; o.place != "" { // nothing else is known of what lies on the heap
					made.drop(at)
				} else {
					made.put(at, cell{old.size, unknown("it changes in a loop")})
				}
			}
		}
		if o.initial != nil && !o.fixed {
			for at, now := range x.cells.besides(&y.cells) {
				if _, ok := y.cells.get(at); !ok {
					l.memory.contentsOf(o).cells.put(at, cell{now.size, unknown("it changes in a loop")})
					changed = true
				}
			}
		}
		for at, first := range o.first {
			now, ok := x.cells.get(at)
			if _, before := y.cells.get(at); ok && !before && !same(now.v, first) {
				l.memory.contentsOf(o).cells.put(at, cell{now.size, unknown("it changes in a loop")})
				changed = true
			}
		}
		if len(y.rows) > 0 && !sameRows(x.rows, y.rows) {
			l.memory.contentsOf(o).rows, changed = nil, true
		}
		if x.dirty && !y.dirty {
			l.memory.contentsOf(o).dirty = true
			changed = changed || o.initial != nil
		}
	}
	return changed
}

// mayLeave notes that data may end a loop here, which is followed to another end: what is chosen behind it by where control comes from is not known. It fails
// where loops follow this way out alone, which nobody would count.
func (l *lowerer) mayLeave(f *frame, x, taken leaving) {
	from, after := reachable(x.out), reachable(taken.out)
	var alone []*block
	for _, b := range f.blocks {
		if from[b] && !after[b] {
			alone = append(alone, b)
		}
	}
	if f.others == nil {
		f.others = map[*block][]*block{}
	}
	note := func(to, from *block) {
		if after[to] && !slices.Contains(f.others[to], from) {
			f.others[to] = append(f.others[to], from)
		}
	}
	note(x.out, x.at)
	for _, b := range alone {
		if f.graph.loops[b] != nil {
			l.fail(l.place(x.in), traceRemedy, "what follows this loop is decided by data")
		}
		for _, to := range b.succs {
			note(to, b)
		}
	}
}

// reachable are the blocks to which control may come from one, with itself.
func reachable(from *block) map[*block]bool {
	seen := map[*block]bool{}
	next := []*block{from}
	for len(next) > 0 {
		b := next[len(next)-1]
		next = next[:len(next)-1]
		if b != nil && !seen[b] {
			seen[b] = true
			next = append(next, b.succs...)
		}
	}
	return seen
}

// chosenBy is a value that a block chooses by where control comes from, where all that it may come from agree.
func (l *lowerer) chosenBy(f *frame, b *block, in *text.Inst, v val) val {
	if v.kind != integer && v.kind != pointer {
		return v
	}
	for _, from := range f.others[b] {
		if w := l.phi(f, in, &way{pred: from}); !same(v, w) {
			return unknown("it is what it is where data end a loop")
		}
	}
	return v
}

// uncertain makes the integers unknown that a loop gives to what is behind it, of which one iteration was followed for as many as data say.
func (l *lowerer) uncertain(f *frame, lp *loop) {
	i := slices.Index(f.uncounted, lp)
	if i < 0 {
		return
	}
	f.uncounted = slices.Delete(f.uncounted, i, i+1)
	for name, b := range f.home {
		if v, ok := f.vals[name]; ok && lp.in[b] && v.kind == integer {
			f.vals[name] = unknown("it is made in a loop that data end")
		}
	}
}
