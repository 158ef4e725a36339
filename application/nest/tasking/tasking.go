// Package tasking makes OpenMP tasks and sections, which threads take as they come to them, loops that are dealt: tasks that one thread makes in a loop as
// iterations of that loop, each to the thread that asks first; sections, and tasks that stand side by side, in turns.
package tasking

import (
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/model/schedule"
)

// Tasks are the bodies of tasks among the nodes that one thread runs, each in a Single of its own, and whether dependences order it (depend).
type Tasks map[*nest.Single]bool

// Deal is what a team runs of nodes that one thread would run, tasks and loops of tasks (taskloop) among them: these are dealt, the loops around them are
// made by every thread, and what else they hold is the first thread's. Where dependences order tasks, all of a loop are done before what comes next.
// Without tasks it is nil. fresh makes the variable of a loop from 0 to a last value.
func Deal(nodes []nest.Node, pos nest.Pos, tasks Tasks, fresh func(name string, last int64) expr.Var) []nest.Node {
	d := dealer{tasks, pos, map[*nest.Loop]*nest.Loop{}, fresh}
	if !d.holds(nodes) {
		return nil
	}
	return d.deal(nodes)
}

// Sections is a loop whose iterations are so many bodies, dealt in turns; fresh makes its variable.
func Sections(bodies [][]nest.Node, nowait bool, pos nest.Pos, fresh func(name string, last int64) expr.Var) *nest.Loop {
	v := fresh("section", int64(len(bodies)-1))
	loop := &nest.Loop{
		Var: v, Lo: expr.Int(0), Hi: expr.Int(int64(len(bodies) - 1)), Step: 1, Pos: pos,
		Work: &nest.Work{Schedule: schedule.StaticChunk, Chunk: 1, Collapse: 1, Nowait: nowait},
	}
	for i, b := range bodies {
		if len(b) > 0 {
			loop.Body = append(loop.Body, &nest.If{Cond: expr.Binary(expr.OpEq, expr.Ref(v), expr.Int(int64(i))), Then: b, Pos: pos})
		}
	}
	return loop
}

type dealer struct {
	tasks     Tasks
	pos       nest.Pos                  // of what one thread runs
	taskLoops map[*nest.Loop]*nest.Loop // loops around tasks, by what stands for them
	fresh     func(string, int64) expr.Var
}

// task is the task that a node is; ordered says that dependences order it.
func (d *dealer) task(n nest.Node) (t *nest.Single, ordered bool) {
	s, ok := n.(*nest.Single)
	if !ok {
		return nil, false
	}
	if ordered, ok = d.tasks[s]; !ok {
		return nil, false
	}
	return s, ordered
}

// holds tells whether there are tasks among nodes.
func (d *dealer) holds(nodes []nest.Node) bool {
	found := false
	nest.Walk(nodes, func(n nest.Node) {
		t, _ := d.task(n)
		l, ok := n.(*nest.Loop)
		found = found || t != nil || ok && l.Work != nil
	})
	return found
}

// deal deals the tasks of nodes that stand one after the other.
func (d *dealer) deal(nodes []nest.Node) (out []nest.Node) {
	var alone []nest.Node
	flush := func() {
		if len(alone) > 0 {
			out, alone = append(out, &nest.Single{Body: alone, Nowait: true, Pos: d.pos}), nil
		}
	}
	for i := 0; i < len(nodes); i++ {
		n := nodes[i]
		if _, ok := n.(*nest.Barrier); !ok && !d.holds(nodes[i:i+1]) {
			alone = append(alone, n)
			continue
		}
		flush()
		switch n := n.(type) {
		case *nest.Single:
			var side [][]nest.Node
			ordered := false
			for ; i < len(nodes); i++ {
				t, depends := d.task(nodes[i])
				if t == nil {
					break
				}
				side, ordered = append(side, t.Body), ordered || depends
			}
			i--
			out = append(out, Sections(side, !ordered, n.Pos, d.fresh))
		case *nest.Loop:
			out = append(out, d.loop(n))
		case *nest.If:
			out = append(out, &nest.If{Cond: n.Cond, Then: d.deal(n.Then), Else: d.deal(n.Else), Pos: n.Pos})
		case *nest.Barrier:
			out = append(out, n)
		default: // one thread runs what it makes within a critical section
			alone = append(alone, n)
		}
	}
	flush()
	return out
}

// loop deals a loop of nothing but tasks by its iterations, those of loops nested without anything between as one, and lets all threads make a loop that has
// more in it.
func (d *dealer) loop(l *nest.Loop) *nest.Loop {
	if l.Work != nil {
		return l
	}
	c := *l
	body, only, ordered := d.bodies(l.Body)
	if !only || ordered && !d.single(l.Body) { // dependences may hold between what an iteration makes and the next
		c.Body = d.deal(l.Body)
		return &c
	}
	c.Body, c.Work = body, &nest.Work{Schedule: schedule.Dynamic, Chunk: 1, Collapse: 1, Nowait: !ordered}
	for inner, outer := &c, []expr.Var{c.Var}; len(inner.Body) == 1; c.Work.Collapse++ {
		next, ok := inner.Body[0].(*nest.Loop)
		if !ok || d.taskLoops[next] == nil || usesAny(next, outer) {
			break
		}
		inner, outer = next, append(outer, next.Var)
	}
	return &c
}

// single tells nodes that are one task, or a loop around one.
func (d *dealer) single(nodes []nest.Node) bool {
	if len(nodes) != 1 {
		return false
	}
	t, _ := d.task(nodes[0])
	l, ok := nodes[0].(*nest.Loop)
	return t != nil || ok && d.single(l.Body)
}

// bodies are nodes with what tasks do in their places; only tells that they have nothing else in them, and ordered that dependences order some.
func (d *dealer) bodies(nodes []nest.Node) (out []nest.Node, only, ordered bool) {
	within := func(nodes []nest.Node) []nest.Node {
		inner, o, r := d.bodies(nodes)
		only, ordered = only && o, ordered || r
		return inner
	}
	only = true
	for _, n := range nodes {
		t, depends := d.task(n)
		l, isLoop := n.(*nest.Loop)
		i, isIf := n.(*nest.If)
		switch {
		case t != nil:
			ordered = ordered || depends
			out = append(out, t.Body...)
		case isLoop && l.Work == nil:
			c := *l
			c.Body = within(l.Body)
			d.taskLoops[&c] = l
			out = append(out, &c)
		case isIf:
			out = append(out, &nest.If{Cond: i.Cond, Then: within(i.Then), Else: within(i.Else), Pos: i.Pos})
		default:
			return nil, false, false
		}
	}
	return out, only, ordered
}

// usesAny tells whether the bounds of a loop depend on variables.
func usesAny(l *nest.Loop, vars []expr.Var) (found bool) {
	for _, v := range vars {
		for _, e := range []*expr.Expr{l.Lo, l.Hi} {
			e.EachVar(func(w expr.Var) { found = found || w == v })
		}
	}
	return found
}
