package csource

import (
	"fmt"
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
		l.warnAt(p.pos, "num_threads(%s) is not followed: the numbers of threads that are asked for hold", threads)
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
