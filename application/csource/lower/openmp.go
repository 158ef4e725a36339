package lower

import (
	"fmt"
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/model/schedule"

	"modernc.org/cc/v4"
)

// directives lowers what stands at n with the pragmas before it; run is nil where no statement follows.
func (l *lowerer) directives(n cc.Node, run func()) {
	var all []*parse.Pragma
	for _, p := range l.Facts.Before[n] {
		if p.Kind == "omp" {
			all = append(all, p)
		}
	}
	l.directive(n, all, run)
}

// directive lowers the first of the pragmas and, within it, the others and the statement.
func (l *lowerer) directive(n cc.Node, all []*parse.Pragma, run func()) {
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

// failAt ends the lowering at a directive; of the whole function where the directive is wrong, and no run could follow it.
func (l *lowerer) failAt(p *parse.Pragma, remedy, format string, args ...any) {
	wrong := !strings.Contains(remedy, parse.TraceRemedy)
	panic(&parse.Error{Pos: p.Pos, Message: fmt.Sprintf(format, args...), Remedy: remedy, Whole: wrong})
}

// standalone lowers directives that have no statement.
func (l *lowerer) standalone(p *parse.Pragma) bool {
	if len(p.Words) == 0 {
		l.failAt(p, parse.TraceRemedy, "%s is not understood", p)
	}
	switch p.Words[0] {
	case "barrier":
		if l.alone > 0 {
			return true
		}
		if l.work {
			l.failAt(p, "move it out of the loop", "a barrier in a worksharing loop")
		}
		if l.Parallel > 0 {
			l.emit(&nest.Barrier{Pos: p.Pos})
		}
	case "taskwait":
		l.waitForTasks(p)
	case "flush", "taskyield", "nothing", "threadprivate", "scan", "requires":
	case "cancel", "cancellation":
		l.WarnAt(p.Pos, "that %s may end a construct early is not followed", p)
	case "target":
		return p.Is("enter") || p.Is("exit") || p.Is("update")
	case "declare":
		if !p.Is("simd") && len(p.Words) == 1 && len(p.Names("reduction")) == 0 {
			l.failAt(p, parse.TraceRemedy, "%s is not understood", p)
		}
	default:
		return false
	}
	return true
}

// construct lowers a directive with its statement.
func (l *lowerer) construct(n cc.Node, p *parse.Pragma, run func()) {
	name := strings.Join(l.onProcessor(p), " ")
	switch name {
	case "", "simd", "unroll", "tile", "scope", "data", "distribute", "distribute simd":
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
	case "sections":
		l.sections(n, p)
	case "parallel sections":
		l.parallelRegion(n, p, func() { l.sections(n, p) })
	case "section":
		if l.alone == 0 && l.Parallel > 0 {
			l.failAt(p, "put it into omp sections", "%s by itself", p)
		}
		run()
	case "task":
		l.task(p, run)
	case "taskloop", "taskloop simd":
		l.taskloop(p, run)
	case "master taskloop", "masked taskloop", "master taskloop simd", "masked taskloop simd":
		l.single(p, func() { l.taskloop(p, run) })
	case "parallel master taskloop", "parallel masked taskloop", "parallel master taskloop simd", "parallel masked taskloop simd":
		l.parallelRegion(n, p, func() { l.single(p, func() { l.taskloop(p, run) }) })
	case "taskgroup":
		run()
		l.waitForTasks(p)
	case "critical", "atomic", "ordered", "atomic update", "ordered simd":
		l.critical(p, run)
	default:
		l.failAt(p, "write it with omp for, or "+parse.TraceRemedy, "%s is not understood", p)
	}
}

// onProcessor are the words of a directive for a run without another device, as programs make it where there is none: with one team, whose threads share
// the loop of distribute parallel for.
func (l *lowerer) onProcessor(p *parse.Pragma) []string {
	if p.Is("target") || p.Is("teams") || p.Is("distribute") {
		l.WarnAt(p.Pos, "%s is taken to run on the processor, by one team", p)
	}
	var words []string
	for _, w := range p.Words {
		switch {
		case w == "loop" && p.Is("teams") && !p.Is("parallel"):
			words = append(words, "parallel", "for")
		case w == "loop":
			words = append(words, "for")
		case w == "target" || w == "teams" || w == "distribute" && len(p.Words) > 1 && p.Is("parallel"):
		default:
			words = append(words, w)
		}
	}
	return words
}

// parallelRegion lowers the body of omp parallel. Regions within regions run on one thread, as by default.
func (l *lowerer) parallelRegion(n cc.Node, p *parse.Pragma, run func()) {
	if l.Parallel > 0 {
		l.WarnAt(p.Pos, "a parallel region within another is taken to run on one thread")
		thread, team := l.Thread, l.Team
		l.Thread, l.Team = nil, nil // those of the inner region are not followed
		l.alone++
		run()
		l.alone--
		l.Thread, l.Team = thread, team
		return
	}
	if !l.wanted(p) {
		run()
		return
	}
	restore := l.privatize(p)
	l.Parallel++
	l.markInside(n)
	body := l.asTeam(run)
	l.Parallel--
	restore()
	if len(body) > 0 {
		l.emit(&nest.Parallel{Body: body, Pos: p.Pos})
	}
}

// notFollowed warns of a number of threads that the source asks for.
func (l *lowerer) notFollowed(at nest.Pos, what string) {
	l.WarnAt(at, "%s is not followed: the numbers of threads that are asked for hold", what)
}

// wanted looks at the clauses if and num_threads.
func (l *lowerer) wanted(p *parse.Pragma) bool {
	if threads, ok := p.Clause("num_threads"); ok {
		l.notFollowed(p.Pos, "num_threads("+threads+")")
	}
	condition, ok := p.Clause("if")
	if !ok {
		return true
	}
	v, known := l.clauseValue(p, strings.TrimPrefix(condition, "parallel:"))
	if !known {
		l.WarnAt(p.Pos, "if(%s) is taken as true", condition)
		return true
	}
	return v != 0
}

// clauseValue evaluates an integer in a clause: a number, a macro, or a known variable.
func (l *lowerer) clauseValue(p *parse.Pragma, s string) (int64, bool) {
	return parse.EvaluateClause(s, func(name string) (int64, bool) {
		if v, ok := l.Source.Macro(name); ok {
			return v, true
		}
		if d := l.named(name, p); d != nil && tree.IsInteger(d.Type()) {
			if x := l.Ints.Of(d); x != nil {
				return value.Constant(x)
			}
			if v, err := value.ConstantOf(l.Source, d, l.Warn, 0); err == nil {
				return v, true
			}
		}
		v, ok := l.Source.Defined[name]
		return v, ok
	})
}

// critical runs a body that one thread executes at a time, where there are several.
func (l *lowerer) critical(p *parse.Pragma, run func()) {
	if l.Parallel == 0 {
		run()
		return
	}
	if body := l.collect(run); len(body) > 0 {
		l.emit(&nest.Critical{Body: body, Atomic: p.Is("atomic"), Pos: p.Pos})
	}
}

// markInside notes the variables that are declared in a parallel region's statement.
func (l *lowerer) markInside(n cc.Node) {
	if l.Parallel == 0 {
		return
	}
	tree.Each(n, func(n cc.Node) bool {
		if d, ok := n.(*cc.Declaration); ok {
			for _, id := range tree.Declarators(d) {
				l.Inside[id.Declarator] = true
			}
		}
		return true
	})
}

// privatize gives each thread its own copy of the variables in private, firstprivate, lastprivate and
// reduction clauses; the function it gives ends that.
func (l *lowerer) privatize(p *parse.Pragma) func() {
	names := slices.Concat(p.Names("private"), p.Names("firstprivate"), p.Names("lastprivate"))
	for _, r := range p.Names("reduction") {
		if _, after, ok := strings.Cut(r, ":"); ok {
			r = after
		}
		name, section, _ := strings.Cut(strings.TrimSpace(r), "[")
		if names = append(names, name); section != "" {
			l.WarnAt(p.Pos, "adding up the private copies of %s is not counted", name)
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
func (l *lowerer) hide(d *cc.Declarator, p *parse.Pragma) func() {
	switch k := d.Type().Kind(); {
	case k == cc.Array || k == cc.Struct || k == cc.Union:
		before := l.Hidden[d]
		l.Hidden[d] = &nest.Object{Name: d.Name(), Bytes: l.Extent(d, d.Type()), Elem: value.ElemSize(d.Type()), Private: true}
		l.Hold(l.Hidden[d], d)
		l.copies = append(l.copies, l.Hidden[d])
		return func() { l.unhide(d, before) }
	case tree.IsInteger(d.Type()) && slices.Contains(p.Names("private"), d.Name()):
		if old, ok := l.Ints.Get(d); ok {
			l.Ints.Set(d, nil)
			return func() { l.Ints.Set(d, old) }
		}
	case slices.Contains(p.Names("firstprivate"), d.Name()) && !l.own[d]:
		l.own[d] = true
		return func() { delete(l.own, d) }
	}
	return func() {}
}

// unhide ends that a variable has another object than before.
func (l *lowerer) unhide(d *cc.Declarator, before *nest.Object) {
	if before == nil {
		delete(l.Hidden, d)
	} else {
		l.Hidden[d] = before
	}
}

// named is the variable that a name in a clause means: the last one declared before the pragma.
func (l *lowerer) named(name string, p *parse.Pragma) *cc.Declarator {
	var found *cc.Declarator
	consider := func(n cc.Node) {
		d, ok := n.(*cc.Declarator)
		if ok && d.Name() == name && !d.IsTypename() && parse.Position(d).Line <= p.Pos.Line {
			found = d
		}
	}
	for _, n := range l.Source.AST.Scope.Nodes[name] {
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
	tree.Each(l.current.CompoundStatement, func(n cc.Node) bool {
		if d, ok := n.(*cc.Declaration); ok {
			for _, id := range tree.Declarators(d) {
				consider(id.Declarator)
			}
		}
		return true
	})
	return found
}

// workshare lowers the loop of omp for.
func (l *lowerer) workshare(n cc.Node, p *parse.Pragma, run func()) {
	s, ok := n.(*cc.Statement)
	if !ok || s.Case != cc.StatementIteration {
		l.failAt(p, "put it before a for loop", "%s is not before a loop", p)
	}
	if l.alone > 0 {
		run()
		return
	}
	if l.work && l.Parallel > 0 {
		l.failAt(p, "close the inner loop's construct first", "%s within a worksharing loop", p)
	}
	if l.Parallel == 0 {
		if !p.Is("parallel") {
			l.WarnAt(p.Pos, "no parallel region is around %s here: by itself it runs on one thread", p)
		}
		run()
		return
	}
	l.dealt(p, l.schedule(p), run)
}

// dealt lowers a loop that is dealt.
func (l *lowerer) dealt(p *parse.Pragma, w *nest.Work, run func()) {
	restore := l.privatize(p)
	l.work, l.dealtAt, l.joined = true, l.loops, max(w.Collapse, 1)
	body := l.collect(run)
	l.work = false
	restore()
	if len(body) == 0 {
		return
	}
	l.dealLoop(p, body[len(body)-1], w)
	*l.out = append(*l.out, body...)
}

// dealLoop makes a loop a worksharing loop.
func (l *lowerer) dealLoop(p *parse.Pragma, n nest.Node, w *nest.Work) {
	if guarded, ok := n.(*nest.If); ok && len(guarded.Then) == 1 && len(guarded.Else) == 0 {
		n = guarded.Then[0]
	}
	loop, ok := n.(*nest.Loop)
	if !ok {
		l.failAt(p, parse.TraceRemedy, "%s is not before a loop", p)
	}
	loop.Work = w
	outer := []expr.Var{loop.Var}
	for range w.Collapse - 1 {
		inner, ok := (*nest.Loop)(nil), len(loop.Body) == 1
		if ok {
			inner, ok = loop.Body[0].(*nest.Loop)
		}
		if !ok {
			l.failAt(p, "collapse fewer loops", "collapse(%d) needs as many perfectly nested loops", w.Collapse)
		}
		for _, v := range outer {
			if value.Uses(inner.Lo, v) || value.Uses(inner.Hi, v) {
				l.failAt(p, "collapse fewer loops", "collapse(%d) over bounds that depend on %s", w.Collapse, l.prog.Vars[v])
			}
		}
		outer = append(outer, inner.Var)
		loop = inner
	}
}

// schedule reads the clauses of omp for.
func (l *lowerer) schedule(p *parse.Pragma) *nest.Work {
	w := &nest.Work{Collapse: 1}
	_, w.Nowait = p.Clause("nowait")
	if c, ok := p.Clause("collapse"); ok {
		v, known := l.clauseValue(p, c)
		if !known || v < 1 || v > 16 {
			l.failAt(p, "give a number", "collapse(%s) is not known", c)
		}
		w.Collapse = int(v)
	}
	if _, ok := p.Clause("ordered"); ok {
		l.WarnAt(p.Pos, "ordered is taken as a critical section")
	}
	s, ok := p.Clause("schedule")
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

// kindOf takes over the kind of a schedule, and warns where it deals iterations as threads ask.
func (l *lowerer) kindOf(p *parse.Pragma, w *nest.Work, kind string) {
	switch kind {
	case "static":
	case "dynamic", "guided":
		w.Schedule = schedule.Dynamic
		if kind == "guided" {
			w.Schedule = schedule.Guided
		}
		l.WarnAt(p.Pos, "schedule(%s) deals iterations as threads ask for them; threads of equal speed are assumed", kind)
	case "runtime", "auto":
		l.WarnAt(p.Pos, "schedule(%s) is taken as static", kind)
	default:
		l.failAt(p, "use static, dynamic or guided", "schedule(%s) is not known", kind)
	}
}

// chunkOf takes over the chunk of a schedule, which must be known.
func (l *lowerer) chunkOf(p *parse.Pragma, w *nest.Work, chunk string) {
	if chunk == "" {
		return
	}
	v, ok := l.clauseValue(p, chunk)
	if !ok || v < 1 {
		l.failAt(p, "give a number or a macro", "the chunk %s is not known", chunk)
	}
	w.Chunk = v
	if w.Schedule == schedule.Static {
		w.Schedule = schedule.StaticChunk
	}
}
