package lower

import (
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/model/schedule"

	"modernc.org/cc/v4"
)

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
			l.WarnAt(p.Pos, "%s outside a parallel region runs on one thread", p)
		}
		run()
		return
	}
	w := l.schedule(p)
	restore := l.privatize(p)
	l.work, l.dealtAt = true, l.loops
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
