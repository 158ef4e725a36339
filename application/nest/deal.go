package nest

import (
	"foresee/application/nest/expr"
)

// teamLoop is a Loop over the threads of a phase: the piece of a parallel region between two barriers. The
// streams of its iterations run at the same time.
type teamLoop struct{ *Loop }

func (teamLoop) node() {}

// dealtLoop is a Loop over the iterations of a worksharing loop, not yet dealt to any number of threads.
type dealtLoop struct {
	*Loop
	source *Loop // in the program
}

func (dealtLoop) node() {}

// dealer rewrites a program so that each worksharing loop is dealt to threads and every thread's accesses
// stand in loop nests of their own:
//
//	for each group of threads that shares a cache
//	    serial part (group 0 only)
//	    phase: for each thread of the group { its share of the work up to the next barrier }
//
// A loop that holds a barrier is taken out of the phases; its end counts as a barrier.
type dealer struct {
	vars      []string
	greatest  func(e *expr.Expr) int64 // over the whole run
	threads   int64
	group     int64
	thread    *expr.Expr        // the thread that runs the code; nil in serial code
	groupVar  *expr.Expr        // nil when all threads are in one group
	privately map[*Object]int64 // bytes between the threads' copies of a private object
	byItself  bool              // keep worksharing loops as dealtLoops
	err       error
}

func (d *dealer) fresh(name string) expr.Var {
	d.vars = append(d.vars, name)
	return expr.Var(len(d.vars) - 1)
}

// program deals the whole body.
func (d *dealer) program(body []Node) []Node {
	if d.byItself {
		return d.serial(body)
	}
	if d.threads == 1 {
		d.thread = expr.Int(0)
		return d.sequential(body)
	}
	groups := (d.threads + d.group - 1) / d.group
	if groups == 1 {
		return d.serial(body)
	}
	v := d.fresh("group")
	d.groupVar = expr.Ref(v)
	return []Node{&Loop{Var: v, Lo: expr.Int(0), Hi: expr.Int(groups - 1), Step: 1, Body: d.serial(body)}}
}

// sequential drops all parallel constructs: one thread runs everything in program order.
func (d *dealer) sequential(nodes []Node) (out []Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Parallel:
			out = append(out, d.sequential(n.Body)...)
		case *Single:
			out = append(out, d.sequential(n.Body)...)
		case *Critical:
			out = append(out, d.sequential(n.Body)...)
		case *Barrier:
		case *Loop:
			l := *n
			l.Work, l.Body = nil, d.sequential(n.Body)
			out = append(out, &l)
		case *If:
			out = append(out, &If{Cond: n.Cond, Then: d.sequential(n.Then), Else: d.sequential(n.Else), Pos: n.Pos})
		case *Stmt:
			out = append(out, d.statement(n))
		}
	}
	return out
}

// serial deals code outside parallel regions; what is not parallel belongs to thread 0.
func (d *dealer) serial(nodes []Node) (out []Node) {
	var alone []Node
	flush := func() {
		if len(alone) > 0 {
			d.thread = expr.Int(0)
			out = append(out, d.onThreadZero(d.sequential(alone))...)
			d.thread = nil
			alone = nil
		}
	}
	for _, n := range nodes {
		if !containsParallel(n) {
			alone = append(alone, n)
			continue
		}
		flush()
		switch n := n.(type) {
		case *Parallel:
			out = append(out, d.region(n.Body)...)
		case *Loop:
			l := *n
			l.Body = d.serial(n.Body)
			out = append(out, &l)
		case *If:
			out = append(out, &If{Cond: n.Cond, Then: d.serial(n.Then), Else: d.serial(n.Else), Pos: n.Pos})
		case *Single:
			out = append(out, d.serial(n.Body)...)
		case *Critical:
			out = append(out, d.serial(n.Body)...)
		}
	}
	flush()
	return out
}

func (d *dealer) onThreadZero(nodes []Node) []Node {
	if d.groupVar == nil || len(nodes) == 0 {
		return nodes
	}
	return []Node{&If{Cond: expr.Binary(expr.OpEq, d.groupVar, expr.Int(0)), Then: nodes}}
}

// region cuts code that the team runs into phases.
func (d *dealer) region(nodes []Node) (out []Node) {
	var phase []Node
	flush := func() {
		out = append(out, d.phase(phase)...)
		phase = nil
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *Barrier:
			flush()
			continue
		case *Loop:
			if n.Work == nil && (containsBarrier(n.Body) || d.byItself && containsWork(n.Body)) {
				flush()
				l := *n
				l.Body = d.region(n.Body)
				out = append(out, &l)
				continue
			}
		case *If:
			if containsBarrier(n.Then) || containsBarrier(n.Else) || d.byItself && (containsWork(n.Then) || containsWork(n.Else)) {
				flush()
				out = append(out, &If{Cond: n.Cond, Then: d.region(n.Then), Else: d.region(n.Else), Pos: n.Pos})
				continue
			}
		}
		phase = append(phase, n)
		if endsInBarrier(n) {
			flush()
		}
	}
	flush()
	return out
}

// phase makes the loop over the threads of a group.
func (d *dealer) phase(nodes []Node) []Node {
	if len(nodes) == 0 {
		return nil
	}
	if d.byItself {
		return d.undealt(nodes)
	}
	if d.group == 1 && d.groupVar != nil {
		d.thread = d.groupVar
		body := d.ofThread(nodes)
		d.thread = nil
		return body
	}
	v := d.fresh("thread")
	lo, hi := expr.Int(0), expr.Int(d.threads-1)
	if d.groupVar != nil {
		lo = expr.Binary(expr.OpMul, d.groupVar, expr.Int(d.group))
		hi = expr.Binary(expr.OpMin, hi, expr.Binary(expr.OpAdd, lo, expr.Int(d.group-1)))
	}
	d.thread = expr.Ref(v)
	l := &Loop{Var: v, Lo: lo, Hi: hi, Step: 1, Body: d.ofThread(nodes)}
	d.thread = nil
	if len(l.Body) == 0 {
		return nil
	}
	return []Node{teamLoop{l}}
}

// ofThread gives what one thread runs of code without inner barriers.
func (d *dealer) ofThread(nodes []Node) (out []Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Loop:
			if n.Work != nil {
				out = append(out, d.deal(n)...)
				continue
			}
			l := *n
			l.Body = d.ofThread(n.Body)
			out = append(out, &l)
		case *If:
			out = append(out, &If{Cond: n.Cond, Then: d.ofThread(n.Then), Else: d.ofThread(n.Else), Pos: n.Pos})
		case *Single:
			if body := d.ofThread(n.Body); len(body) > 0 {
				out = append(out, &If{Cond: expr.Binary(expr.OpEq, d.thread, expr.Int(0)), Then: body, Pos: n.Pos})
			}
		case *Critical:
			out = append(out, d.ofThread(n.Body)...)
		case *Parallel: // nested: a team of one
			out = append(out, d.sequential(n.Body)...)
		case *Stmt:
			out = append(out, d.statement(n))
		}
	}
	return out
}

// statement moves accesses to private objects to the thread's own copy.
func (d *dealer) statement(s *Stmt) *Stmt {
	r := &Stmt{Flow: s.Flow, Branches: s.Branches, Pos: s.Pos, Accesses: make([]*Access, len(s.Accesses))}
	for i, a := range s.Accesses {
		c := *a
		c.origin = a.Origin()
		if stride := d.privately[a.Object]; stride > 0 && d.thread != nil {
			c.Offset = expr.Binary(expr.OpAdd, a.Offset, expr.Binary(expr.OpMul, d.thread, expr.Int(stride)))
		}
		if a.PerThread != 0 && d.thread != nil {
			c.Offset = expr.Binary(expr.OpAdd, c.Offset, expr.Binary(expr.OpMul, d.thread, expr.Int(a.PerThread)))
		}
		r.Accesses[i] = &c
	}
	return r
}

// containsParallel says whether a node holds a parallel region.
func containsParallel(n Node) bool {
	found := false
	Walk([]Node{n}, func(n Node) {
		if _, ok := n.(*Parallel); ok {
			found = true
		}
	})
	return found
}

// endsInBarrier tells whether the team waits at the end of a construct.
func endsInBarrier(n Node) bool {
	switch n := n.(type) {
	case *Loop:
		return n.Work != nil && !n.Work.Nowait
	case *Single:
		return !n.Nowait
	case *Barrier:
		return true
	}
	return false
}

func containsBarrier(nodes []Node) bool {
	found := false
	Walk(nodes, func(n Node) { found = found || endsInBarrier(n) })
	return found
}
