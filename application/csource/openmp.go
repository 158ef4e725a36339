package csource

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/nest"

	"modernc.org/cc/v4"
)

// directives lowers what stands at n with the pragmas before it; run is nil where no statement follows.
func (l *lowerer) directives(n cc.Node, run func()) {
	var all []*pragma
	for _, p := range l.f.before[n] {
		if p.kind == "omp" {
			all = append(all, p)
		}
	}
	l.directive(n, all, run)
}

// directive lowers the first of the pragmas and, within it, the others and the statement.
func (l *lowerer) directive(n cc.Node, all []*pragma, run func()) {
	if len(all) == 0 {
		if run != nil {
			run()
		}
		return
	}
	p, rest := all[0], func() { l.directive(n, all[1:], run) }
	if l.standalone(p) {
		rest()
		return
	}
	if run == nil {
		l.failAt(p, "put it before a statement", "%s without a statement", p)
	}
	l.construct(n, p, rest)
}

func (l *lowerer) failAt(p *pragma, remedy, format string, args ...any) {
	panic(&Error{Pos: p.pos, Message: fmt.Sprintf(format, args...), Remedy: remedy})
}

// standalone lowers directives that have no statement.
func (l *lowerer) standalone(p *pragma) bool {
	if len(p.words) == 0 {
		l.failAt(p, l.trace(), "%s is not understood", p)
	}
	switch p.words[0] {
	case "barrier":
		if l.alone > 0 {
			return true
		}
		if l.work {
			l.failAt(p, "move it out of the loop", "a barrier in a worksharing loop")
		}
		if l.parallel > 0 {
			l.emit(&nest.Barrier{Pos: p.pos})
		}
	case "flush", "taskwait", "taskyield", "nothing", "threadprivate":
	case "declare":
		if !p.is("simd") && len(p.words) == 1 && len(p.names("reduction")) == 0 {
			l.failAt(p, l.trace(), "%s is not understood", p)
		}
	default:
		return false
	}
	return true
}

// construct lowers a directive with its statement.
func (l *lowerer) construct(n cc.Node, p *pragma, run func()) {
	name := strings.Join(p.words, " ")
	switch name {
	case "simd", "unroll", "tile":
		run()
	case "parallel":
		l.parallelRegion(n, p, run)
	case "parallel for", "parallel for simd":
		l.parallelRegion(n, p, func() { l.workshare(n, p, run) })
	case "for", "for simd":
		l.workshare(n, p, run)
	case "single", "master", "masked":
		l.single(p, run)
	case "parallel master", "parallel masked":
		l.parallelRegion(n, p, func() { l.single(p, run) })
	case "critical", "atomic", "ordered", "atomic update", "ordered simd":
		l.critical(p, run)
	default:
		l.refuse(p)
	}
}

// refuse says why a directive cannot be followed.
func (l *lowerer) refuse(p *pragma) {
	why := "%s is not understood"
	switch {
	case p.is("target") || p.is("teams") || p.is("distribute"):
		why = "%s runs on another device"
	case p.is("task") || p.is("taskloop") || p.is("taskgroup") || p.is("sections") || p.is("section"):
		why = "which thread runs %s is decided while the program runs"
	}
	l.failAt(p, "write it with omp for, or "+l.trace(), why, p)
}

// parallelRegion lowers the body of omp parallel. Regions within regions run on one thread, as by default.
func (l *lowerer) parallelRegion(n cc.Node, p *pragma, run func()) {
	if l.parallel > 0 {
		l.warnAt(p.pos, "a parallel region within another is taken to run on one thread")
		l.alone++
		run()
		l.alone--
		return
	}
	if !l.wanted(p) {
		run()
		return
	}
	restore := l.privatize(p)
	l.parallel++
	l.markInside(n)
	body := l.collect(run)
	l.parallel--
	restore()
	if len(body) > 0 {
		l.emit(&nest.Parallel{Body: body, Pos: p.pos})
	}
}

// wanted looks at the clauses if and num_threads.
func (l *lowerer) wanted(p *pragma) bool {
	if threads, ok := p.clause("num_threads"); ok {
		l.warnAt(p.pos, "num_threads(%s) is not followed: --threads says how many", threads)
	}
	condition, ok := p.clause("if")
	if !ok {
		return true
	}
	v, known := l.clauseValue(p, strings.TrimPrefix(condition, "parallel:"))
	if !known {
		l.warnAt(p.pos, "if(%s) is taken as true", condition)
		return true
	}
	return v != 0
}

// clauseValue evaluates an integer in a clause: a number, a macro, or a known variable.
func (l *lowerer) clauseValue(p *pragma, s string) (int64, bool) {
	return evaluateClause(s, func(name string) (int64, bool) {
		if v, ok := l.s.macro(name); ok {
			return v, true
		}
		if d := l.named(name, p); d != nil && isInteger(d.Type()) {
			if x := l.ints[d]; x != nil {
				return constant(x)
			}
			if v, err := l.s.constantOf(d, l.warn, 0); err == nil {
				return v, true
			}
		}
		v, ok := l.s.values[name]
		return v, ok
	})
}

// workshare lowers the loop of omp for.
func (l *lowerer) workshare(n cc.Node, p *pragma, run func()) {
	s, ok := n.(*cc.Statement)
	if !ok || s.Case != cc.StatementIteration {
		l.failAt(p, "put it before a for loop", "%s is not before a loop", p)
	}
	if l.alone > 0 {
		run()
		return
	}
	if l.work && l.parallel > 0 {
		l.failAt(p, "close the inner loop's construct first", "%s within a worksharing loop", p)
	}
	if l.parallel == 0 {
		if !p.is("parallel") {
			l.warnAt(p.pos, "%s outside a parallel region runs on one thread", p)
		}
		run()
		return
	}
	w := l.schedule(p)
	restore := l.privatize(p)
	l.work = true
	body := l.collect(run)
	l.work = false
	restore()
	if len(body) == 0 {
		return
	}
	l.share(p, body[len(body)-1], w)
	*l.out = append(*l.out, body...)
}

// share makes a loop a worksharing loop.
func (l *lowerer) share(p *pragma, n nest.Node, w *nest.Work) {
	if guarded, ok := n.(*nest.If); ok && len(guarded.Then) == 1 && len(guarded.Else) == 0 {
		n = guarded.Then[0]
	}
	loop, ok := n.(*nest.Loop)
	if !ok {
		l.failAt(p, l.trace(), "%s is not before a loop", p)
	}
	loop.Work = w
	outer := []nest.Var{loop.Var}
	for range w.Collapse - 1 {
		inner, ok := (*nest.Loop)(nil), len(loop.Body) == 1
		if ok {
			inner, ok = loop.Body[0].(*nest.Loop)
		}
		if !ok {
			l.failAt(p, "collapse fewer loops", "collapse(%d) needs as many perfectly nested loops", w.Collapse)
		}
		for _, v := range outer {
			if uses(inner.Lo, v) || uses(inner.Hi, v) {
				l.failAt(p, "collapse fewer loops", "collapse(%d) over bounds that depend on %s", w.Collapse, l.prog.Vars[v])
			}
		}
		outer = append(outer, inner.Var)
		loop = inner
	}
}

// schedule reads the clauses of omp for.
func (l *lowerer) schedule(p *pragma) *nest.Work {
	w := &nest.Work{Collapse: 1}
	_, w.Nowait = p.clause("nowait")
	if c, ok := p.clause("collapse"); ok {
		v, known := l.clauseValue(p, c)
		if !known || v < 1 || v > 16 {
			l.failAt(p, "give a number", "collapse(%s) is not known", c)
		}
		w.Collapse = int(v)
	}
	if _, ok := p.clause("ordered"); ok {
		l.warnAt(p.pos, "ordered is taken as a critical section")
	}
	s, ok := p.clause("schedule")
	if !ok {
		return w
	}
	if _, after, found := strings.Cut(s, ":"); found { // monotonic: and the like
		s = after
	}
	kind, chunk, _ := strings.Cut(s, ",")
	l.kindOf(p, w, strings.TrimSpace(kind))
	l.chunkOf(p, w, strings.TrimSpace(chunk))
	return w
}

func (l *lowerer) kindOf(p *pragma, w *nest.Work, kind string) {
	switch kind {
	case "static":
	case "dynamic", "guided":
		w.Schedule = nest.Dynamic
		if kind == "guided" {
			w.Schedule = nest.Guided
		}
		l.warnAt(p.pos, "schedule(%s) deals iterations as threads ask for them; threads of equal speed are assumed", kind)
	case "runtime", "auto":
		l.warnAt(p.pos, "schedule(%s) is taken as static", kind)
	default:
		l.failAt(p, "use static, dynamic or guided", "schedule(%s) is not known", kind)
	}
}

func (l *lowerer) chunkOf(p *pragma, w *nest.Work, chunk string) {
	if chunk == "" {
		return
	}
	v, ok := l.clauseValue(p, chunk)
	if !ok || v < 1 {
		l.failAt(p, "give a number or a macro", "the chunk %s is not known", chunk)
	}
	w.Chunk = v
	if w.Schedule == nest.Static {
		w.Schedule = nest.StaticChunk
	}
}

// single lowers omp single, master and masked: thread 0 runs them.
func (l *lowerer) single(p *pragma, run func()) {
	if l.parallel == 0 || l.alone > 0 {
		run()
		return
	}
	if l.work {
		l.failAt(p, "move it out of the loop", "%s in a worksharing loop", p)
	}
	_, nowait := p.clause("nowait")
	if body := l.collect(run); len(body) > 0 {
		l.emit(&nest.Single{Body: body, Nowait: nowait || !p.is("single"), Pos: p.pos})
	} else if p.is("single") && !nowait {
		l.emit(&nest.Barrier{Pos: p.pos})
	}
}

func (l *lowerer) critical(p *pragma, run func()) {
	if l.parallel == 0 {
		run()
		return
	}
	if body := l.collect(run); len(body) > 0 {
		l.emit(&nest.Critical{Body: body, Pos: p.pos})
	}
}

// privatize gives each thread its own copy of the variables in private, firstprivate, lastprivate and
// reduction clauses; the function it gives ends that.
func (l *lowerer) privatize(p *pragma) func() {
	names := slices.Concat(p.names("private"), p.names("firstprivate"), p.names("lastprivate"))
	for _, r := range p.names("reduction") {
		if _, after, ok := strings.Cut(r, ":"); ok {
			r = after
		}
		name, section, _ := strings.Cut(strings.TrimSpace(r), "[")
		if names = append(names, name); section != "" {
			l.warnAt(p.pos, "adding up the private copies of %s is not counted", name)
		}
	}
	undo := []func(){}
	for _, name := range names {
		if d := l.named(strings.TrimSpace(name), p); d != nil {
			undo = append(undo, l.hide(d, p))
		}
	}
	return func() {
		for _, f := range undo {
			f()
		}
	}
}

// hide makes an array private, or forgets the value of an integer that is private.
func (l *lowerer) hide(d *cc.Declarator, p *pragma) func() {
	switch k := d.Type().Kind(); {
	case k == cc.Array || k == cc.Struct || k == cc.Union:
		before := l.hidden[d]
		l.hidden[d] = &nest.Object{Name: d.Name(), Bytes: l.extent(d, d.Type()), Elem: elemSize(d.Type()), Private: true}
		return func() {
			if before == nil {
				delete(l.hidden, d)
			} else {
				l.hidden[d] = before
			}
		}
	case isInteger(d.Type()) && slices.Contains(p.names("private"), d.Name()):
		if old, ok := l.ints[d]; ok {
			l.ints[d] = nil
			return func() { l.ints[d] = old }
		}
	}
	return func() {}
}

// named is the variable that a name in a clause means: the last one declared before the pragma.
func (l *lowerer) named(name string, p *pragma) *cc.Declarator {
	var found *cc.Declarator
	consider := func(n cc.Node) {
		d, ok := n.(*cc.Declarator)
		if ok && d.Name() == name && !d.IsTypename() && position(d).Line <= p.pos.Line {
			found = d
		}
	}
	for _, n := range l.s.ast.Scope.Nodes[name] {
		consider(n)
	}
	if l.current == nil {
		return found
	}
	if ft, ok := l.current.Declarator.Type().(*cc.FunctionType); ok {
		for _, q := range ft.Parameters() {
			if q.Declarator != nil {
				consider(q.Declarator)
			}
		}
	}
	each(l.current.CompoundStatement, func(n cc.Node) bool {
		if d, ok := n.(*cc.Declaration); ok {
			for _, id := range declarators(d) {
				consider(id.Declarator)
			}
		}
		return true
	})
	return found
}

// markInside notes the variables that are declared in a parallel region's statement.
func (l *lowerer) markInside(n cc.Node) {
	if l.parallel == 0 {
		return
	}
	each(n, func(n cc.Node) bool {
		if d, ok := n.(*cc.Declaration); ok {
			for _, id := range declarators(d) {
				l.inside[id.Declarator] = true
			}
		}
		return true
	})
}
