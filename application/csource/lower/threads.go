package lower

import (
	"foresee/application/csource/parse"
	"foresee/application/csource/tree"
	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/model/schedule"

	"modernc.org/cc/v4"
)

// Code that deals its work by the numbers of threads: their shares are worksharing loops, what the first of them does by itself is a single construct, and
// what each does at a place of its own is an access that goes on from thread to thread.

// mostThreads bounds the threads that such code is proven for. Chosen: products of a number of threads and a size have to fit their types.
const mostThreads = 64

// asTeam lowers the body of a parallel region, in which functions tell the number of the thread and of all.
func (l *lowerer) asTeam(run func()) []nest.Node {
	if l.Source.Unnumbered {
		return l.collect(run)
	}
	thread, team := l.newVar("omp_get_thread_num()", expr.Int(0), expr.Int(mostThreads-1)), l.newVar("omp_get_num_threads()", expr.Int(1), expr.Int(mostThreads))
	l.Thread, l.Team = expr.Ref(thread), expr.Ref(team)
	defer func() { l.Thread, l.Team = nil, nil }()
	var body []nest.Node
	l.Under(expr.Binary(expr.OpLt, l.Thread, l.Team), func() { body = l.collect(run) })
	nest.Walk(body, l.byThread)
	return body
}

// ofThreads tells whether an expression is made of the number of the thread, or of all.
func (l *lowerer) ofThreads(e *expr.Expr) bool {
	return e != nil && l.Thread != nil && (value.Uses(e, expr.Var(l.Thread.K)) || value.Uses(e, expr.Var(l.Team.K)))
}

// byThread lets accesses of a region go on from thread to thread, and refuses what else is left of their numbers.
func (l *lowerer) byThread(n nest.Node) {
	undealt := func(at nest.Pos) {
		panic(&parse.Error{Pos: at, Message: "omp_get_thread_num or omp_get_num_threads decides what each thread does", Remedy: "let omp for deal the iterations, or " + parse.TraceRemedy})
	}
	switch n := n.(type) {
	case *nest.Loop:
		if l.ofThreads(n.Lo) || l.ofThreads(n.Hi) {
			undealt(n.Pos)
		}
	case *nest.If:
		if l.ofThreads(n.Cond) {
			undealt(n.Pos)
		}
	case *nest.Stmt:
		for _, a := range n.Accesses {
			if !l.ofThreads(a.Offset) {
				continue
			}
			factor, rest, ok := value.LinearIn(a.Offset, expr.Var(l.Thread.K))
			if !ok || factor.Op != expr.OpConst || l.ofThreads(rest) {
				undealt(a.Pos)
			}
			a.Offset, a.PerThread = value.Normal(rest), factor.K
		}
	}
}

// shared makes a loop whose bounds hold the number of the thread a worksharing loop, where the threads' shares are even pieces of one range, one behind the
// other, whatever the number of threads; false where they are not.
func (l *lowerer) shared(loop *nest.Loop) bool {
	if l.work || l.alone > 0 || loop.Step != 1 {
		return false
	}
	for _, e := range []*expr.Expr{loop.Lo, loop.Hi} {
		other := false
		e.EachVar(func(v expr.Var) { other = other || v != expr.Var(l.Thread.K) && v != expr.Var(l.Team.K) })
		if other {
			return false
		}
	}
	first, last := int64(0), int64(0)
	for _, threads := range []int64{1, 2, 3, 4, 5, 7, 8, 16, 61, mostThreads} {
		lo, hi, ok := l.pieces(loop, threads)
		switch {
		case !ok:
			return false
		case threads == 1:
			first, last = lo, hi
		case lo != first || hi != last:
			return false
		}
	}
	loop.Lo, loop.Hi = expr.Int(first), expr.Int(last)
	loop.Work = &nest.Work{Schedule: schedule.Static, Collapse: 1, Nowait: true}
	return true
}

// pieces are the first and the last iteration of all shares of so many threads; false where they are not one behind the other, and even but for the rest of a
// division, which one thread may have by itself.
func (l *lowerer) pieces(loop *nest.Loop, threads int64) (first, last int64, ok bool) {
	env := make([]int64, max(l.Thread.K, l.Team.K)+1)
	env[l.Team.K] = threads
	most, all := int64(0), int64(0)
	for t := range threads {
		env[l.Thread.K] = t
		lo, hi := loop.Lo.Eval(env), loop.Hi.Eval(env)
		switch {
		case t == 0:
			first, last = lo, hi
		case hi < lo: // nothing is left for it
		case lo != last+1:
			return 0, 0, false
		default:
			last = hi
		}
		most, all = max(most, hi-lo+1), all+max(hi-lo+1, 0)
	}
	return first, last, all < threads*threads || most <= all/threads+threads
}

// byTurns tells whether a loop steps by the number of threads: then they take its iterations in turn.
func (l *lowerer) byTurns(e cc.ExpressionNode) bool {
	x, err := l.TryInt(e)
	return err == nil && expr.Equal(value.Normal(x), l.Team)
}

// turns makes a loop that steps by the number of threads, from that of the thread on, a worksharing loop in chunks of one iteration.
func (l *lowerer) turns(loop *nest.Loop) bool {
	factor, rest, ok := value.LinearIn(loop.Lo, expr.Var(l.Thread.K))
	if !ok || factor.Op != expr.OpConst || factor.K != 1 || l.ofThreads(rest) || l.ofThreads(loop.Hi) || l.work || l.alone > 0 || loop.Step != 1 {
		return false
	}
	loop.Lo = value.Normal(rest)
	loop.Work = &nest.Work{Schedule: schedule.Static, Chunk: 1, Collapse: 1, Nowait: true}
	return true
}

// stepsByTeam is the variable that the third part of a for loop steps by the number of threads; nil: there is none.
func (l *lowerer) stepsByTeam(inc cc.ExpressionNode) *cc.Declarator {
	if inc == nil || l.Team == nil {
		return nil
	}
	n, ok := tree.Strip(inc).(*cc.AssignmentExpression)
	if !ok || n.Case != cc.AssignmentExpressionAdd || !l.byTurns(n.AssignmentExpression) {
		return nil
	}
	return tree.Variable(n.UnaryExpression)
}

// ofOne makes what only one thread does, by its number, a single construct without a barrier; nil where a condition says something else.
func (l *lowerer) ofOne(c *expr.Expr, body []nest.Node, at nest.Pos) nest.Node {
	if l.alone > 0 || c.Op != expr.OpEq {
		return nil
	}
	a, b := c.A, c.B
	if b.Op == expr.OpVar {
		a, b = b, a
	}
	if !expr.Equal(a, l.Thread) || b.Op != expr.OpConst && !l.lastThread(b) {
		return nil
	}
	return &nest.Single{Body: body, Nowait: true, Pos: at}
}

// lastThread tells the number of the last thread.
func (l *lowerer) lastThread(e *expr.Expr) bool {
	return expr.Equal(value.Normal(e), value.Normal(expr.Binary(expr.OpSub, l.Team, expr.Int(1))))
}
