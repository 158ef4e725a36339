package lower

import (
	"slices"
	"strings"

	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/application/nest/tasking"
	"foresee/model/schedule"

	"modernc.org/cc/v4"
)

// single lowers omp single, master and masked: thread 0 runs them.
func (l *lowerer) single(p *parse.Pragma, run func()) {
	if l.Parallel == 0 || l.alone > 0 {
		run()
		return
	}
	if l.work {
		l.failAt(p, "move it out of the loop", "%s in a worksharing loop", p)
	}
	_, nowait := p.Clause("nowait")
	nowait = nowait || !p.Is("single")
	l.tasks = tasking.Tasks{}
	body := l.collect(run)
	dealt := tasking.Deal(body, p.Pos, l.tasks, l.upTo)
	l.tasks = nil
	switch {
	case len(dealt) > 0:
		l.WarnAt(p.Pos, "tasks are taken to go to threads as they become free, all of equal speed")
		for _, n := range dealt {
			l.emit(n)
		}
	case len(body) > 0:
		l.emit(&nest.Single{Body: body, Nowait: nowait, Pos: p.Pos})
		return
	}
	if !nowait {
		l.emit(&nest.Barrier{Pos: p.Pos})
	}
}

// upTo makes the variable of a loop from 0 to a last value.
func (l *lowerer) upTo(name string, last int64) expr.Var {
	return l.newVar(name, expr.Int(0), expr.Int(last))
}

// task lowers omp task: where one thread makes tasks for its team, it is one of those; elsewhere the thread that makes it is taken to run it.
func (l *lowerer) task(p *parse.Pragma, run func()) {
	restore := l.privatize(p)
	defer restore()
	if l.tasks == nil || l.alone > 0 {
		if l.Parallel > 0 && l.alone == 0 {
			l.WarnAt(p.Pos, "a task is taken to be run by the thread that makes it")
		}
		run()
		return
	}
	l.alone++
	body := l.collect(run)
	l.alone--
	if len(body) > 0 {
		_, depends := p.Clause("depend")
		t := &nest.Single{Body: body, Nowait: true, Pos: p.Pos}
		l.tasks[t] = depends
		l.emit(t)
	}
}

// taskloop lowers omp taskloop, where one thread makes tasks for its team: a loop that is dealt in parts of grainsize, or in equal parts.
func (l *lowerer) taskloop(p *parse.Pragma, run func()) {
	if l.tasks == nil || l.alone > 0 {
		l.task(p, run)
		return
	}
	w := l.schedule(p)
	_, w.Nowait = p.Clause("nogroup")
	if s, ok := p.Clause("grainsize"); ok {
		_, after, strict := strings.Cut(s, ":")
		if !strict {
			after = s
		}
		if v, known := l.clauseValue(p, strings.TrimSpace(after)); known && v > 0 {
			w.Schedule, w.Chunk = schedule.Dynamic, v
		} else {
			l.WarnAt(p.Pos, "grainsize(%s) is not known; each thread is taken to get an equal part", s)
		}
	}
	l.dealt(p, w, run)
}

// waitForTasks is where threads wait until tasks are done.
func (l *lowerer) waitForTasks(p *parse.Pragma) {
	if l.tasks != nil && l.alone == 0 {
		l.emit(&nest.Barrier{Pos: p.Pos})
	}
}

// sections lowers omp sections: in turns a thread's each.
func (l *lowerer) sections(n cc.Node, p *parse.Pragma) {
	s, ok := n.(*cc.Statement)
	if !ok || s.Case != cc.StatementCompound {
		l.failAt(p, "put it before a block", "%s is not before a block", p)
	}
	if l.work && l.Parallel > 0 && l.alone == 0 {
		l.failAt(p, "close the loop's construct first", "%s within a worksharing loop", p)
	}
	begins := func(item *cc.BlockItem) bool {
		var n cc.Node = item.Statement
		if item.Statement == nil {
			n = item.Declaration
		}
		return slices.ContainsFunc(l.Facts.Before[n], func(p *parse.Pragma) bool { return p.Kind == "omp" && p.Is("section") })
	}
	inTurns := l.Parallel > 0 && l.alone == 0
	restore := l.privatize(p)
	defer restore()
	l.alone++
	defer func() { l.alone-- }()
	var bodies [][]nest.Node
	for items := tree.Items(s.CompoundStatement); len(items) > 0; {
		end := 1
		for end < len(items) && !begins(items[end]) {
			end++
		}
		bodies = append(bodies, l.collect(func() { l.block(items[:end], nil, false) }))
		items = items[end:]
	}
	_, nowait := p.Clause("nowait")
	switch {
	case inTurns && len(bodies) > 0:
		l.WarnAt(p.Pos, "threads are taken to run sections in turns")
		l.emit(tasking.Sections(bodies, nowait, p.Pos, l.upTo))
	default:
		*l.out = append(*l.out, slices.Concat(bodies...)...)
	}
	l.forget(s)
}

// scop lowers what lies between scop and endscop in a block, and says whether it ended within a pair. What
// stands before is followed only for the values of variables.
func (l *lowerer) scop(cs *cc.CompoundStatement, on bool) bool {
	list := tree.Items(cs)
	for i, item := range list {
		n := itemNode(item)
		if n == nil {
			continue
		}
		if on = l.mark(n, on); on {
			l.block(list[i:i+1], nil, false)
			l.flush()
			continue
		}
		l.outside(item)
	}
	return l.mark(cs, on)
}

// itemNode is the declaration or statement that an item of a block is.
func itemNode(item *cc.BlockItem) cc.Node {
	switch {
	case item.Declaration != nil:
		return item.Declaration
	case item.Statement != nil:
		return item.Statement
	}
	return nil
}

// mark applies the scop marks before a node.
func (l *lowerer) mark(n cc.Node, on bool) bool {
	for _, p := range l.Facts.Before[n] {
		switch p.Kind {
		case "scop":
			on = true
		case "endscop":
			on = false
		}
	}
	return on
}

// outside follows a statement that is not part of the region, unless the region lies within.
func (l *lowerer) outside(item *cc.BlockItem) {
	if s := item.Statement; s != nil {
		if l.holdsScop(s) {
			l.descend(s)
			return
		}
		if s.Case != cc.StatementExpr {
			l.forgetOutside(s)
			return
		}
	}
	saved := *l
	l.out = new([]nest.Node)
	l.Quiet = true
	err := parse.Attempt(func() { l.block([]*cc.BlockItem{item}, nil, false); l.flush() })
	l.abandon(saved)
	if err != nil {
		l.forgetOutside(itemNode(item))
	}
}

// abandon ends the lowering of what is thrown away; only what is known of variables stays.
func (l *lowerer) abandon(saved lowerer) {
	saved.Ints, saved.Pointers, saved.Members, saved.Fields = l.Ints, l.Pointers, l.Members, l.Fields
	saved.Ranges, saved.Limits = l.Ranges, l.Limits
	clear(l.Inlining)
	*l = saved
	l.stmt, l.live, l.once = nil, nil, -1
}

// holdsScop says whether a #pragma scop stands somewhere within a node.
func (l *lowerer) holdsScop(n cc.Node) bool {
	found := false
	tree.Each(n, func(n cc.Node) bool {
		found = found || slices.ContainsFunc(l.Facts.Before[n], func(p *parse.Pragma) bool { return p.Kind == "scop" })
		return !found
	})
	return found
}

// forgetOutside drops what a statement may change; pointers fall back to what the file tells about them.
func (l *lowerer) forgetOutside(n cc.Node) {
	l.forget(n)
	for _, d := range l.Facts.Changed(n) {
		if d.Type().Kind() == cc.Ptr {
			l.Pointers.Delete(d)
		} else if _, err := value.ConstantOf(l.Source, d, l.Warn, 0); err == nil {
			l.Ints.Delete(d)
		}
	}
}

// descend goes into the statement that holds the region.
func (l *lowerer) descend(s *cc.Statement) {
	l.forgetOutside(s)
	tree.Each(s, func(n cc.Node) bool {
		if cs, ok := n.(*cc.CompoundStatement); ok && l.holdsScop(cs) {
			l.scop(cs, false)
			return false
		}
		return true
	})
}
