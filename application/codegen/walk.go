package codegen

import "foresee/application/emulate"

// Follower is told of the code's walk as of a run, and how often each block is executed.
type Follower interface {
	emulate.Follower
	// Count says that a block is executed so many times.
	Count(block int32, times float64)
}

// How many iterations are walked. Chosen so that a nest of three loops takes some hundred thousand instructions.
const (
	settling    = 24  // iterations of an innermost loop until what came before plays no part, and
	settled     = 640 // instructions: as many as the largest reorder windows hold, where what one round of a loop around it sums up is not the next one's
	looked      = 48  // and those that are looked at
	tail        = 16  // at its end
	fewSteps    = 1200
	mostBefore  = 12 // iterations of a loop around others until as many instructions were walked as fewSteps
	cornersNear = 4  // pieces that a loop around innermost ones is cut into, and those around these
	cornersFar  = 3
	endless     = 1 << 40
)

// walker walks the code.
type walker struct {
	code  *Code
	env   []int64
	to    Follower
	steps int64
	most  int64
}

// Walk walks the code, telling of no more than so many instructions, about; false where there were more.
func (c *Code) Walk(to Follower, most int64) bool {
	w := &walker{code: c, env: make([]int64, c.variables), to: to, most: most}
	w.pieces(c.root, 1)
	return w.steps < most
}

func (w *walker) pieces(all []piece, lanes float64) {
	for _, p := range all {
		switch p := p.(type) {
		case *straight:
			w.straight(*p, false)
		case *counted:
			w.to.Count(p.block, lanes)
		case *choice:
			if p.cond.Eval(w.env) != 0 {
				w.straight(p.test, false)
				w.pieces(p.then, lanes)
				w.straight(p.afterFirst, true)
			} else {
				w.straight(p.test, true)
				w.pieces(p.els, lanes)
			}
		case *repeated:
			w.loop(p, lanes)
		}
	}
}

// straight walks instructions, of which the last jumps where it says so.
func (w *walker) straight(s straight, jumps bool) {
	for i := s.from; i < s.to; i++ {
		a := &w.code.addresses[i]
		at := a.base
		if a.offset != nil {
			at += uint64(a.offset.Eval(w.env))
		}
		w.to.Step(i, at, jumps && i == s.to-1)
	}
	w.steps += int64(s.to - s.from)
}

// loop walks a loop.
func (w *walker) loop(r *repeated, lanes float64) {
	l := r.loop
	lo, hi := l.Lo.Eval(w.env), l.Hi.Eval(w.env)
	n := int64(0)
	if l.Step > 0 && lo <= hi || l.Step < 0 && hi <= lo {
		n = min((hi-lo)/l.Step+1, endless)
	}
	w.straight(r.enter, false)
	if n > 0 && w.steps < w.most {
		w.to.Begin()
		done := int64(0)
		for _, x := range r.inLanes {
			times := (n - done) / x.lanes
			w.rounds(r, x, lanes, lo, done, times)
			done += times * x.lanes
			w.straight(r.enterRest, done == n)
		}
		if done < n {
			w.rounds(r, r.single, lanes, lo, done, n-done)
		}
		w.to.End()
	}
	w.straight(r.leave, false)
}

// rounds walks rounds of a loop from an iteration on.
func (w *walker) rounds(r *repeated, x *round, lanes float64, lo, first, n int64) {
	v := r.loop.Var
	one := func(i int64) {
		w.env[v] = lo + (first+i*x.lanes)*r.loop.Step
		w.pieces(x.body, lanes*float64(x.lanes))
		w.straight(x.latch, i < n-1)
	}
	if r.aroundOthers {
		w.corners(r, n, one)
		return
	}
	at, before := int64(0), w.steps
	for at < n && (at < settling || w.steps-before < settled) {
		one(at)
		at++
	}
	if n-at <= looked+tail+looked/2 {
		for ; at < n; at++ {
			one(at)
		}
		return
	}
	w.to.Mark()
	for range int64(looked) {
		one(at)
		at++
	}
	w.to.Skip(n-at-tail, looked, false)
	for i := n - tail; i < n; i++ {
		one(i)
	}
}

// corners walks iterations at the begin, the end and between of a loop around others, as the inner ones may have more iterations from one to the
// next.
func (w *walker) corners(r *repeated, n int64, one func(int64)) {
	before := w.steps
	at := int64(0)
	for at < n && (at < 1 || w.steps-before < fewSteps && at < mostBefore) { // until windows and branch predictors know it
		one(at)
		at++
	}
	if at >= n {
		return
	}
	corners := int64(cornersNear)
	if r.deep {
		corners = cornersFar
	}
	w.to.Mark()
	one(at)
	at++
	since := 1
	for c := int64(1); c <= corners && at < n; c++ {
		if left := (n-2)*c/corners - at; left > 0 {
			w.to.Skip(left, since, true)
			at += left
			one(at)
			at++
			w.to.Settle(1)
			since = 0 // what was settled is how it goes on
		} else {
			w.to.Mark()
			one(at)
			at++
			since = 1
		}
		if left := n - at; left > 0 && w.steps > w.most {
			w.to.Skip(left, since, false)
			return
		}
	}
	for ; at < n; at++ { // the last one may be a part, as of a tile
		one(at)
	}
}
