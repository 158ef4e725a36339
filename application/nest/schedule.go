package nest

import (
	"foresee/application/nest/expr"
	"foresee/model/schedule"
)

// deal gives one thread's iterations of a worksharing loop, as loops.
func (d *dealer) deal(l *Loop) []Node {
	loops := collapsed(l)
	if len(loops) == 1 && l.Step == 1 {
		body := d.ofThread(l.Body)
		return d.ranges(l.Work, iterations(l), lastIteration(l), func(first, last *expr.Expr) []Node {
			lo, hi := expr.Binary(expr.OpAdd, l.Lo, first), expr.Binary(expr.OpAdd, l.Lo, last)
			return []Node{&Loop{Var: l.Var, Lo: lo, Hi: hi, Step: 1, Body: body, Pos: l.Pos}}
		})
	}
	var origins origins
	counts, total, body := d.normalised(loops, &origins)
	return origins.around(d.ranges(l.Work, total, expr.Binary(expr.OpSub, total, expr.Int(1)), func(first, last *expr.Expr) []Node {
		if len(loops) == 1 {
			return []Node{&Loop{Var: l.Var, Lo: first, Hi: last, Step: 1, Body: body, Pos: l.Pos}}
		}
		return d.flattened(loops, counts, first, last, body)
	}))
}

// normalised lets the loops that are dealt together count from 0 in steps of one: how often each runs, how often
// all, and what the innermost does.
func (d *dealer) normalised(loops []*Loop, origins *origins) (counts []*expr.Expr, total *expr.Expr, body []Node) {
	body = d.ofThread(loops[len(loops)-1].Body)
	subst := map[expr.Var]*expr.Expr{}
	counts = make([]*expr.Expr, len(loops))
	for i, c := range loops {
		counts[i] = iterations(c)
		if c.Lo.Op != expr.OpConst || c.Lo.K != 0 || c.Step != 1 {
			subst[c.Var] = expr.Binary(expr.OpAdd, origins.affine(d, c.Lo), expr.Binary(expr.OpMul, expr.Int(c.Step), expr.Ref(c.Var)))
		}
	}
	body = Substitute(body, subst)
	return counts, schedule.Collapsed(expr.Algebra{}, counts), body
}

// iterations is how often a loop runs.
func iterations(l *Loop) *expr.Expr { return schedule.Iterations(expr.Algebra{}, lastIteration(l)) }

// origins are loops of one iteration that hold first values which are not affine, so that subscripts which use
// them are.
type origins []*Loop

// affine makes an expression affine, by a loop of one iteration around it where it is not.
func (o *origins) affine(d *dealer, e *expr.Expr) *expr.Expr {
	if _, ok := expr.AffineOf(e); ok {
		return e
	}
	v := d.fresh("first")
	*o = append(*o, &Loop{Var: v, Lo: e, Hi: e, Step: 1})
	return expr.Ref(v)
}

// around puts those loops around nodes.
func (o origins) around(nodes []Node) []Node {
	for i := len(o) - 1; i >= 0; i-- {
		o[i].Body = nodes
		nodes = []Node{o[i]}
	}
	return nodes
}

// ranges deals n iterations (numbered from 0 to last) by the schedule and calls make for each range.
func (d *dealer) ranges(w *Work, n, last *expr.Expr, body func(first, last *expr.Expr) []Node) []Node {
	extent := schedule.Extent[*expr.Expr]{N: n, Last: last, Most: d.greatest(n)}
	share := schedule.ShareOf(expr.Algebra{}, w.Rule(), extent, d.thread, d.threads)
	if share.Block {
		return body(within(last, share, expr.Int(0)))
	}
	v := d.fresh("chunk")
	return []Node{&Loop{Var: v, Lo: expr.Int(0), Hi: share.Last, Step: 1, Body: body(within(last, share, expr.Ref(v)))}}
}

// within is what a thread runs in a round. The bounds of the whole loop follow from those of blocks and of chunks that
// shrink; said aloud, they help the solver.
func within(last *expr.Expr, share schedule.Share[*expr.Expr], round *expr.Expr) (first, end *expr.Expr) {
	first, end = share.Range(round)
	if _, affine := expr.AffineOf(first); affine {
		return first, end
	}
	return expr.Binary(expr.OpMax, expr.Int(0), first), expr.Binary(expr.OpMin, last, end)
}

// flattened runs iterations first … last of a collapsed nest, numbered row by row.
func (d *dealer) flattened(loops []*Loop, counts []*expr.Expr, first, last *expr.Expr, body []Node) []Node {
	// Loops of one iteration hold the ends, so that the bounds below are affine in them.
	f, l := d.fresh("first"), d.fresh("last")
	nodes := body
	for i := len(loops) - 1; i >= 0; i-- {
		below := expr.Int(1)
		for _, c := range counts[i+1:] {
			below = expr.Binary(expr.OpMul, below, c)
		}
		lo, hi := expr.Ref(f), expr.Ref(l)
		for j := range i {
			size := expr.Int(1)
			for _, c := range counts[j+1:] {
				size = expr.Binary(expr.OpMul, size, c)
			}
			lo = expr.Binary(expr.OpSub, lo, expr.Binary(expr.OpMul, size, expr.Ref(loops[j].Var)))
			hi = expr.Binary(expr.OpSub, hi, expr.Binary(expr.OpMul, size, expr.Ref(loops[j].Var)))
		}
		lo, hi = expr.Binary(expr.OpFloorDiv, lo, below), expr.Binary(expr.OpFloorDiv, hi, below)
		if i > 0 {
			lo, hi = expr.Binary(expr.OpMax, expr.Int(0), lo), expr.Binary(expr.OpMin, expr.Binary(expr.OpSub, counts[i], expr.Int(1)), hi)
		}
		nodes = []Node{&Loop{Var: loops[i].Var, Lo: lo, Hi: hi, Step: 1, Body: nodes, Pos: loops[i].Pos}}
	}
	nodes = []Node{&Loop{Var: l, Lo: last, Hi: last, Step: 1, Body: nodes}}
	return []Node{&Loop{Var: f, Lo: first, Hi: first, Step: 1, Body: nodes}}
}

// collapsed lists the loops that are dealt together.
func collapsed(l *Loop) []*Loop {
	loops := []*Loop{l}
	for len(loops) < l.Work.Collapse {
		next, ok := loops[len(loops)-1].Body[0].(*Loop)
		if !ok {
			break
		}
		loops = append(loops, next)
	}
	return loops
}

// lastIteration is the number of the last iteration, counted from 0; negative when there is none.
func lastIteration(l *Loop) *expr.Expr {
	if l.Step > 1 && l.Hi.Op == expr.OpMin { // keep the minimum outermost, where the solver sees through it
		lo := *l
		hi := *l
		lo.Hi, hi.Hi = l.Hi.A, l.Hi.B
		return expr.Binary(expr.OpMin, lastIteration(&lo), lastIteration(&hi))
	}
	return schedule.LastIteration(expr.Algebra{}, l.Lo, l.Hi, l.Step)
}

// unitSteps rewrites every loop to count from where it begins in steps of one.
func (d *dealer) unitSteps(nodes []Node) []Node {
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case teamLoop:
			l := *n.Loop
			l.Body = d.unitSteps(n.Body)
			out = append(out, teamLoop{&l})
		case dealtLoop:
			l := *n.Loop
			l.Body = d.unitSteps(n.Body)
			out = append(out, dealtLoop{&l, n.source})
		case *Loop:
			l := *n
			l.Body = d.unitSteps(n.Body)
			if n.Step == 1 {
				out = append(out, &l)
				continue
			}
			var origins origins
			iteration := expr.Binary(expr.OpAdd, origins.affine(d, n.Lo), expr.Binary(expr.OpMul, expr.Int(n.Step), expr.Ref(n.Var)))
			l.Body = Substitute(l.Body, map[expr.Var]*expr.Expr{n.Var: iteration})
			l.Lo, l.Hi, l.Step = expr.Int(0), lastIteration(n), 1
			out = append(out, origins.around([]Node{&l})...)
		case *If:
			out = append(out, &If{Cond: n.Cond, Then: d.unitSteps(n.Then), Else: d.unitSteps(n.Else), Pos: n.Pos})
		default:
			out = append(out, n)
		}
	}
	return out
}

// Substitute copies loops, conditions and statements with expressions in the place of variables; the copies' accesses stand for those that they were made of.
func Substitute(nodes []Node, m map[expr.Var]*expr.Expr) []Node {
	if len(m) == 0 {
		return nodes
	}
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case teamLoop:
			l := *n.Loop
			l.Lo, l.Hi, l.Body = n.Lo.Substitute(m), n.Hi.Substitute(m), Substitute(n.Body, m)
			out = append(out, teamLoop{&l})
		case dealtLoop:
			l := *n.Loop
			l.Lo, l.Hi, l.Body = n.Lo.Substitute(m), n.Hi.Substitute(m), Substitute(n.Body, m)
			out = append(out, dealtLoop{&l, n.source})
		case *Loop:
			l := *n
			l.Lo, l.Hi, l.Body = n.Lo.Substitute(m), n.Hi.Substitute(m), Substitute(n.Body, m)
			out = append(out, &l)
		case *If:
			out = append(out, &If{
				Cond: n.Cond.Substitute(m), Then: Substitute(n.Then, m),
				Else: Substitute(n.Else, m), Pos: n.Pos,
			})
		case *Stmt:
			s := &Stmt{Flow: n.Flow, Branches: n.Branches, Pos: n.Pos, Accesses: make([]*Access, len(n.Accesses))}
			for i, a := range n.Accesses {
				c := *a
				c.origin = a.Origin()
				c.Offset = a.Offset.Substitute(m)
				s.Accesses[i] = &c
			}
			out = append(out, s)
		}
	}
	return out
}
