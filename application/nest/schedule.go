package nest

import "foresee/model/schedule"

// deal gives one thread's iterations of a worksharing loop, as loops.
func (d *dealer) deal(l *Loop) []Node {
	loops := collapsed(l)
	if len(loops) == 1 && l.Step == 1 {
		body := d.share(l.Body)
		return d.ranges(l.Work, iterations(l), lastIteration(l), func(first, last *Expr) []Node {
			lo, hi := Binary(OpAdd, l.Lo, first), Binary(OpAdd, l.Lo, last)
			return []Node{&Loop{Var: l.Var, Lo: lo, Hi: hi, Step: 1, Body: body, Pos: l.Pos}}
		})
	}
	var origins origins
	counts, total, body := d.normalised(loops, &origins)
	return origins.around(d.ranges(l.Work, total, Binary(OpSub, total, Int(1)), func(first, last *Expr) []Node {
		if len(loops) == 1 {
			return []Node{&Loop{Var: l.Var, Lo: first, Hi: last, Step: 1, Body: body, Pos: l.Pos}}
		}
		return d.flattened(loops, counts, first, last, body)
	}))
}

// normalised lets the loops that are dealt together count from 0 in steps of one: how often each runs, how often
// all, and what the innermost does.
func (d *dealer) normalised(loops []*Loop, origins *origins) (counts []*Expr, total *Expr, body []Node) {
	body = d.share(loops[len(loops)-1].Body)
	subst := map[Var]*Expr{}
	counts = make([]*Expr, len(loops))
	for i, c := range loops {
		counts[i] = iterations(c)
		if c.Lo.Op != OpConst || c.Lo.K != 0 || c.Step != 1 {
			subst[c.Var] = Binary(OpAdd, origins.affine(d, c.Lo), Binary(OpMul, Int(c.Step), Ref(c.Var)))
		}
	}
	body = substituteNodes(body, subst)
	return counts, schedule.Collapsed(algebra{}, counts), body
}

// iterations is how often a loop runs.
func iterations(l *Loop) *Expr { return schedule.Iterations(algebra{}, lastIteration(l)) }

// origins are loops of one iteration that hold first values which are not affine, so that subscripts which use
// them are.
type origins []*Loop

func (o *origins) affine(d *dealer, e *Expr) *Expr {
	if _, ok := affineOf(e); ok {
		return e
	}
	v := d.fresh("first")
	*o = append(*o, &Loop{Var: v, Lo: e, Hi: e, Step: 1})
	return Ref(v)
}

func (o origins) around(nodes []Node) []Node {
	for i := len(o) - 1; i >= 0; i-- {
		o[i].Body = nodes
		nodes = []Node{o[i]}
	}
	return nodes
}

// ranges deals n iterations (numbered from 0 to last) by the schedule and calls make for each range.
func (d *dealer) ranges(w *Work, n, last *Expr, body func(first, last *Expr) []Node) []Node {
	extent := schedule.Extent[*Expr]{N: n, Last: last, Most: d.greatest(n)}
	share := schedule.ShareOf(algebra{}, w.Rule(), extent, d.thread, d.threads)
	if share.Block {
		return body(within(last, share, Int(0)))
	}
	v := d.fresh("chunk")
	return []Node{&Loop{Var: v, Lo: Int(0), Hi: share.Last, Step: 1, Body: body(within(last, share, Ref(v)))}}
}

// within is what a thread runs in a round. The bounds of the whole loop follow from those of blocks and of chunks that
// shrink; said aloud, they help the solver.
func within(last *Expr, share schedule.Share[*Expr], round *Expr) (first, end *Expr) {
	first, end = share.Range(round)
	if _, affine := affineOf(first); affine {
		return first, end
	}
	return Binary(OpMax, Int(0), first), Binary(OpMin, last, end)
}

// flattened runs iterations first … last of a collapsed nest, numbered row by row.
func (d *dealer) flattened(loops []*Loop, counts []*Expr, first, last *Expr, body []Node) []Node {
	// Loops of one iteration hold the ends, so that the bounds below are affine in them.
	f, l := d.fresh("first"), d.fresh("last")
	nodes := body
	for i := len(loops) - 1; i >= 0; i-- {
		below := Int(1)
		for _, c := range counts[i+1:] {
			below = Binary(OpMul, below, c)
		}
		lo, hi := Ref(f), Ref(l)
		for j := range i {
			size := Int(1)
			for _, c := range counts[j+1:] {
				size = Binary(OpMul, size, c)
			}
			lo = Binary(OpSub, lo, Binary(OpMul, size, Ref(loops[j].Var)))
			hi = Binary(OpSub, hi, Binary(OpMul, size, Ref(loops[j].Var)))
		}
		lo, hi = Binary(OpFloorDiv, lo, below), Binary(OpFloorDiv, hi, below)
		if i > 0 {
			lo, hi = Binary(OpMax, Int(0), lo), Binary(OpMin, Binary(OpSub, counts[i], Int(1)), hi)
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
func lastIteration(l *Loop) *Expr {
	if l.Step > 1 && l.Hi.Op == OpMin { // keep the minimum outermost, where the solver sees through it
		lo := *l
		hi := *l
		lo.Hi, hi.Hi = l.Hi.A, l.Hi.B
		return Binary(OpMin, lastIteration(&lo), lastIteration(&hi))
	}
	return schedule.LastIteration(algebra{}, l.Lo, l.Hi, l.Step)
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
			iteration := Binary(OpAdd, origins.affine(d, n.Lo), Binary(OpMul, Int(n.Step), Ref(n.Var)))
			l.Body = substituteNodes(l.Body, map[Var]*Expr{n.Var: iteration})
			l.Lo, l.Hi, l.Step = Int(0), lastIteration(n), 1
			out = append(out, origins.around([]Node{&l})...)
		case *If:
			out = append(out, &If{Cond: n.Cond, Then: d.unitSteps(n.Then), Else: d.unitSteps(n.Else), Pos: n.Pos})
		default:
			out = append(out, n)
		}
	}
	return out
}

func substituteNodes(nodes []Node, m map[Var]*Expr) []Node {
	if len(m) == 0 {
		return nodes
	}
	out := make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case teamLoop:
			l := *n.Loop
			l.Lo, l.Hi, l.Body = n.Lo.Substitute(m), n.Hi.Substitute(m), substituteNodes(n.Body, m)
			out = append(out, teamLoop{&l})
		case dealtLoop:
			l := *n.Loop
			l.Lo, l.Hi, l.Body = n.Lo.Substitute(m), n.Hi.Substitute(m), substituteNodes(n.Body, m)
			out = append(out, dealtLoop{&l, n.source})
		case *Loop:
			l := *n
			l.Lo, l.Hi, l.Body = n.Lo.Substitute(m), n.Hi.Substitute(m), substituteNodes(n.Body, m)
			out = append(out, &l)
		case *If:
			out = append(out, &If{
				Cond: n.Cond.Substitute(m), Then: substituteNodes(n.Then, m),
				Else: substituteNodes(n.Else, m), Pos: n.Pos,
			})
		case *Stmt:
			s := &Stmt{Flow: n.Flow, Pos: n.Pos, Accesses: make([]*Access, len(n.Accesses))}
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
