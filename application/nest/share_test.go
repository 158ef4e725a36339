package nest

import (
	"slices"
	"testing"

	"foresee/application/nest/expr"
	"foresee/model/schedule"
)

// TestSharesOfThreads: the expressions of what a thread runs, in which the thread and perhaps the number of iterations
// are variables, give what package schedule deals to threads that ask in turn.
func TestSharesOfThreads(t *testing.T) {
	const thread, count = expr.Var(0), expr.Var(1)
	for _, kind := range []schedule.Kind{schedule.Static, schedule.StaticChunk, schedule.Dynamic, schedule.Guided} {
		for chunk := int64(0); chunk <= 7; chunk++ {
			w := &Work{Schedule: kind, Chunk: chunk}
			for threads := int64(1); threads <= 9; threads++ {
				for n := int64(0); n <= 40; n++ {
					want := askInTurn(w.Rule(), n, int(threads))
					for _, iterations := range []*expr.Expr{expr.Int(n), expr.Ref(count)} {
						for me := range threads {
							got := runShare(w, iterations, threads, []int64{thread: me, count: n})
							if !slices.Equal(got, want[me]) {
								t.Fatalf("%v of %s to thread %d of %d, n = %d: %v, want %v", w.Rule(), iterations.Format([]string{"t", "n"}), me, threads, n, got, want[me])
							}
						}
					}
				}
			}
		}
	}
}

// askInTurn gives the iterations of each thread in its order.
func askInTurn(r schedule.Rule, n int64, threads int) [][]int64 {
	out := make([][]int64, threads)
	deal := schedule.NewDeal(r, n, threads)
	for thread, idle := 0, 0; idle < threads; thread = (thread + 1) % threads {
		first, end := deal.Next(thread)
		idle++
		for i := first; i < end; i++ {
			out[thread], idle = append(out[thread], i), 0
		}
	}
	return out
}

// runShare lets the first variable be the thread and runs the loops that it is dealt.
func runShare(w *Work, n *expr.Expr, threads int64, env []int64) (out []int64) {
	d := &dealer{vars: []string{"t", "n"}, threads: threads, thread: expr.Ref(0), greatest: func(*expr.Expr) int64 { return 41 }}
	nodes := d.ranges(w, n, expr.Binary(expr.OpSub, n, expr.Int(1)), func(first, last *expr.Expr) []Node {
		return []Node{&Loop{Var: d.fresh("i"), Lo: first, Hi: last, Step: 1}}
	})
	env = append(env, make([]int64, len(d.vars)-len(env))...)
	var run func(l *Loop)
	run = func(l *Loop) {
		for x := l.Lo.Eval(env); x <= l.Hi.Eval(env); x++ {
			env[l.Var] = x
			if len(l.Body) == 0 {
				out = append(out, x)
				continue
			}
			run(l.Body[0].(*Loop))
		}
	}
	run(nodes[0].(*Loop))
	return out
}
