package lower

import (
	"maps"
	"slices"

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
	restore, loops := l.snapshot(f), len(f.loops)
	var next *block
	var refused *parse.Error // what the first way fails with says most
	ways := []struct {
		follow func(*frame, *loop, map[string]val) *block
		own    bool // not as one loop
	}{{l.counted, false}, {l.unrolled, true}, {l.paired, true}, {l.leftByData, false}, {l.pairedByData, true}}
	for _, way := range ways {
		err := attempt(func() {
			if i := slices.IndexFunc(lp.exits(), func(x leaving) bool { return x.in.Op == "switch" }); i >= 0 {
				l.fail(l.place(lp.exits()[i].in), traceRemedy, "this loop is left by one of several tests of a number")
			}
			next = way.follow(f, lp, first)
		})
		if err == nil {
			if way.own && len(l.began) > 0 && l.dry == 0 {
				l.began[len(l.began)-1].own = true
			}
			refused = nil
			break
		}
		restore()
		f.from, f.left = entry, nil
		for _, x := range lp.exits() {
			delete(f.exits, x.at)
		}
		if refused == nil || refused.Lacks == "" && err.Lacks != "" { // what can be given may be all that is lacking
			refused = err
		}
	}
	if refused != nil {
		next = l.passed(f, lp, first, refused)
	}
	f.loops = f.loops[:loops]
	for _, x := range lp.exits() {
		delete(f.exits, x.at)
	}
	l.uncertain(f, lp)
	l.depth--
	return next
}

// snapshot gives a function that takes back all that was done since, but the count of what was done.
func (l *lowerer) snapshot(f *frame) func() {
	saved, memory, nodes, scalars, loops := *l, l.memory.clone(), *l.out, maps.Clone(f.scalar), len(f.loops)
	found := map[string]nesting{}
	for name, r := range l.found {
		found[name] = *r
	}
	return func() {
		steps, made := l.steps, l.made
		*l = saved
		l.steps, l.made, l.memory = steps, made, memory.clone()
		*l.out = nodes
		f.loops, f.scalar = f.loops[:loops], maps.Clone(scalars)
		for name, r := range l.found {
			if was, there := found[name]; there {
				*r = was
			} else {
				delete(l.found, name)
			}
		}
	}
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
	return l.following(f, lp, first, false)
}

// leftByData follows a loop that data may end before it has counted to its end, as if they did not.
func (l *lowerer) leftByData(f *frame, lp *loop, first map[string]val) *block {
	return l.following(f, lp, first, true)
}

func (l *lowerer) following(f *frame, lp *loop, first map[string]val, byData bool) *block {
	exits := lp.exits()
	at := l.place(lp.header.Last())
	if p := l.loopPlace(lp); p.Line > 0 {
		at = p
	}
	if len(exits) == 0 {
		l.fail(at, traceRemedy, "this loop does not end")
	}
	f.loops = append(f.loops, lp)
	was := l.memory.clone()
	for _, x := range exits {
		f.exits[x.at] = x.stay
	}
	announced := l.hold()
	steps := l.steppings(f, lp, first)
	k := l.newVar(l.counterName(f, lp, steps), expr.Range{Lo: 0, Hi: endless})
	l.settle(f, lp, first, steps, expr.Ref(k))
	l.counters = append(slices.Clip(l.counters), k)
	x, last := l.ending(f, lp, exits, k, at, byData)
	work := l.dealt(announced, last)
	if n, ok := value.Constant(last); ok && n == 0 && x.stay == lp.header && work == nil {
		l.counters = l.counters[:len(l.counters)-1]
		l.settle(f, lp, first, steps, expr.Int(0))
		l.body(f, lp, x)
		return behind(f, x)
	}
	base := l.base(lp, first, steps)
	if l.tells != nil && l.dry == 0 && last.Lookups() > 1 && !base.LooksUp() { // rows of lengths of their own: shorter than the longest, not than where the last one ends
		last = expr.Tabled(last, func(v expr.Var) expr.Range { return l.ranges[v] }, l.tells.composed)
	}
	end := plus(base, last)
	l.ranges[k] = expr.Range{Lo: l.interval(base).Lo, Hi: max(l.interval(base).Lo, l.interval(end).Hi)}
	given := len(l.given)
	for _, e := range []*expr.Expr{minus(end, expr.Ref(k)), minus(expr.Ref(k), base)} {
		if form, ok := expr.AffineOf(e); ok {
			l.given = append(l.given, form)
		}
	}
	if x.stay == lp.header {
		l.spans[k] = counting{base, end}
	}
	turns := l.turns
	l.turns = lp
	l.settle(f, lp, first, steps, minus(expr.Ref(k), base))
	l.turns = turns
	var before, after []nest.Node
	before = l.collect(func() { l.upTo(f, lp, x) })
	if x.stay != lp.header {
		l.spans[k] = counting{base, minus(end, expr.Int(1))}
		after = l.collect(func() { l.rest(f, x) })
	}
	delete(l.spans, k)
	l.given = l.given[:given]
	n := &nest.Loop{Var: k, Lo: base, Hi: end, Step: 1, Work: work, Pos: at, Early: lp.early}
	l.finish(x, n, before, after)
	l.counters = l.counters[:len(l.counters)-1]
	l.closeRows(f, n, append(before, after...))
	if len(after) > 0 || x.stay != lp.header { // what comes before the end is done once more than the rest
		l.substitute(f, lp, was, k, minus(end, expr.Int(1)))
		l.settle(f, lp, first, steps, last)
		l.upTo(f, lp, x)
		return behind(f, x)
	}
	l.substitute(f, lp, was, k, end)
	return behind(f, x)
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

// body follows one iteration, up to a way out or as a whole where there is none.
func (l *lowerer) body(f *frame, lp *loop, x leaving) {
	l.upTo(f, lp, leaving{at: x.at})
	if x.at != nil && x.stay != nil && x.stay != lp.header {
		l.rest(f, x)
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
			l.fail(l.place(x.at.Last()), traceRemedy, "the end of this loop is not reached in each iteration")
		}
		return
	}
	if x.at != nil {
		l.phis(f, x.at)
		l.block(f, x.at)
	}
}

// rest follows an iteration from the block that may end the loop on.
func (l *lowerer) rest(f *frame, x leaving) {
	f.from = &way{pred: x.at}
	l.walk(f, x.stay, nil)
}

// behind is the block behind a loop that was left.
func behind(f *frame, x leaving) *block {
	f.from = &way{pred: x.at}
	return x.out
}

// substitute gives the values that a loop made their last ones; was is what was in memory before it, as a clone.
func (l *lowerer) substitute(f *frame, lp *loop, was memory, k expr.Var, last *expr.Expr) {
	m := map[expr.Var]*expr.Expr{k: last}
	for name, b := range f.home {
		if lp.in[b] {
			if v, ok := f.vals[name]; ok {
				f.vals[name] = v.substitute(m)
			}
		}
	}
	for o, c := range l.memory {
		if c == was[o] {
			continue
		}
		for at, x := range c.cells.all() {
			if v := x.v.substitute(m); v.e != x.v.e || v.kind == aggregate {
				l.memory.contentsOf(o).cells.put(at, cell{x.size, v})
			}
		}
		if len(c.rows) > 0 {
			c = l.memory.contentsOf(o)
			c.rows = slices.Clone(c.rows)
			for i := range c.rows {
				c.rows[i].substitute(k, last)
			}
		}
	}
}

// unrolled follows a loop iteration by iteration, as long as what decides its end is known.
func (l *lowerer) unrolled(f *frame, lp *loop, first map[string]val) *block {
	f.loops = append(f.loops, lp)
	l.flush()
	if l.countsBeyond(f, lp, first, int64(l.mostFollowed())) {
		panic(&parse.Error{Message: "the loop does not end soon"})
	}
	for range l.mostFollowed() {
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

// countsBeyond tells a loop that ends only where a counter comes to a number, and takes more iterations to it than so many.
func (l *lowerer) countsBeyond(f *frame, lp *loop, first map[string]val, most int64) bool {
	exits := lp.exits()
	if len(exits) != 1 {
		return false
	}
	c := f.makes[conditionOf(exits[0].at)]
	if c == nil || c.Op != "icmp" || len(c.Args) != 2 {
		return false
	}
	for _, in := range phisOf(lp.header) {
		v, known := first[in.Name].isConstant()
		d := advance(f, lp, in)
		if !known || d == nil || d.Op != expr.OpConst || d.K == 0 {
			continue
		}
		for i, a := range c.Args {
			end := c.Args[1-i]
			if a.Kind != text.Local || a.Name != in.Name && stepOf(f, in.Name, a) == nil || end.Kind == text.Local && lp.makes(end.Name) {
				continue
			}
			if to, known := l.operand(f, end).isConstant(); known && (to-v)/d.K > most {
				return true
			}
		}
	}
	return false
}

// conditionOf is the name of what decides where control goes at the end of a block; "" where nothing does.
func conditionOf(b *block) string {
	last := b.Last()
	if last.Op != "br" || len(last.Args) == 0 {
		return ""
	}
	return last.Args[0].Name
}

// makes tells whether a value is made in the loop.
func (lp *loop) makes(name string) bool {
	for b := range lp.in {
		for _, in := range b.Insts {
			if in.Name == name {
				return true
			}
		}
	}
	return false
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

// count is how many loops there are in one, with itself.
func (lp *loop) count(g *graph) (n int) {
	for header := range g.loops {
		if lp.in[header] {
			n++
		}
	}
	return n
}
