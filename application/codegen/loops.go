package codegen

import (
	"slices"

	"foresee/application/nest"
)

// pieces makes code of nodes that stand in a loop; nil outside of loops.
func (b *builder) pieces(nodes []node, around *nest.Loop) []piece {
	var out []piece
	for i := 0; i < len(nodes); {
		run := straightRun(nodes[i:])
		if len(run) > 0 {
			out = append(out, b.straight(run, around)...)
			i += len(run)
			continue
		}
		switch n := nodes[i].(type) {
		case *loop:
			out = append(out, b.loop(n)...)
		case *condition:
			out = append(out, b.condition(n, around))
		}
		i++
	}
	return out
}

// straightRun is the nodes up to the first loop or condition.
func straightRun(nodes []node) []node {
	for i, n := range nodes {
		switch n.(type) {
		case *statement, *entered:
		default:
			return nodes[:i]
		}
	}
	return nodes
}

// straight is code without loops.
func (b *builder) straight(nodes []node, around *nest.Loop) []piece {
	statements, _ := innermost(nodes)
	g := b.newBody(statements, around, scalars, nil)
	return g.emitAll(nodes)
}

// newBody prepares to emit statements in a loop.
func (b *builder) newBody(statements []*nest.Stmt, around *nest.Loop, v *vectors, kept map[string]*keptElement) *body {
	g := &body{builder: b, lanes: v.lanes, turn: v.turn, group: v.group, pairs: v.pairs, waiting: map[string]string{}, width: v.width, packed: v.packed, kept: kept, loads: again(statements), known: map[string]string{}, elements: map[string]*nest.Access{}}
	if v.group != nil {
		g.apart = v.group.apart(v.width)
	}
	for _, s := range statements {
		for _, a := range s.Accesses {
			if k, ok := keyOf(a); ok {
				g.elements[k] = a
			}
		}
	}
	if b.target.Level == 0 {
		g.loads = map[string]int{}
	}
	classes := map[int64]int{}
	g.register = func(a *nest.Access) string {
		step := a.Advance(around)
		if step == 0 {
			return ""
		}
		class, ok := classes[step/max(a.Size, 1)]
		if !ok {
			class = len(classes)
			classes[step/max(a.Size, 1)] = class
		}
		return counters[class%len(counters)]
	}
	return g
}

// emitAll emits nodes without loops; what counts blocks stands between.
func (g *body) emitAll(nodes []node) []piece {
	var out []piece
	from := g.here()
	flush := func() {
		if s := g.since(from); s.to > s.from {
			out = append(out, &s)
		}
		from = g.here()
	}
	for _, n := range nodes {
		switch n := n.(type) {
		case *statement:
			if g.block = n.block; !g.group.over(n.stmt, g.turn, g.lanes) {
				g.statement(n.stmt)
			}
		case *entered:
			flush()
			out = append(out, &counted{n.block})
		}
	}
	flush()
	return out
}

// condition tests a condition on loop variables.
func (b *builder) condition(n *condition, around *nest.Loop) piece {
	b.block = n.block
	c := &choice{cond: n.cond}
	from := b.here()
	b.emit("cmpl %s, %s", number, outerCounters[0])
	b.labels++
	b.emit("jne .L%d", b.labels)
	c.test = b.since(from)
	c.then = b.pieces(n.then, around)
	if len(n.els) > 0 {
		b.block = n.block
		from = b.here()
		b.labels++
		b.emit("jmp .L%d", b.labels)
		c.afterFirst = b.since(from)
		c.els = b.pieces(n.els, around)
	}
	return c
}

// loop makes code of a loop.
func (b *builder) loop(n *loop) []piece {
	b.block = n.block
	statements, plain := innermost(n.body)
	if !plain {
		return []piece{b.outer(n)}
	}
	return []piece{b.inner(n, b.inVectors(n.loop, statements), scalars)}
}

// scalars is code without vectors.
var scalars = &vectors{lanes: 1, turn: 1, width: sse}

// inner makes code of an innermost loop: in vectors of its own iterations, or in those of a loop around it.
func (b *builder) inner(n *loop, v, around *vectors) *repeated {
	statements, _ := innermost(n.body)
	r := &repeated{loop: n.loop}
	order, all := b.kept(n.loop, statements)
	from := b.here()
	b.counters(n.loop, statements)
	given := b.keep(order, all, b.target.hasCalls(statements))
	if _, known := trip(n.loop); !known {
		b.guard()
	}
	b.fetchKept(statements, order, all, around)
	values := b.valuesOf(statements, all)
	once := b.newBody(nil, nil, around, all)
	hoisted := b.hoist(once, values, given)
	if v != nil {
		b.prepare(n.loop, statements, v, order, all)
	}
	r.enter = b.since(from)
	turn := func(v *vectors) *round {
		g := b.newBody(statements, n.loop, v, all)
		g.values, g.hoisted, g.locals, g.ordered = values, hoisted, localsOf(statements), orderedSums(statements)
		for _, k := range order {
			if all[k].carried != nil {
				g.carries = append(g.carries, k)
			}
		}
		return b.round(n, g, statements)
	}
	if v != nil {
		r.inLanes = []*round{turn(v)}
		for rest := v.half(); rest != nil && b.target.Level > 2; rest = rest.half() {
			r.inLanes = append(r.inLanes, turn(rest))
		}
		from = b.here()
		b.guard()
		r.enterRest = b.since(from)
	}
	r.single = turn(around)
	r.single.lanes = 1
	from = b.here()
	g := b.newBody(nil, nil, around, nil)
	for _, k := range order {
		if e := all[k]; e.written && !e.through && e.register >= 0 {
			t := b.typeOfElement(statements, e.access)
			b.emit("%s %s, %s", g.move(t), g.homeOfKept(e, t), b.memory(e.access, ""))
		}
	}
	r.leave = b.since(from)
	return r
}

// localsOf are the scalars that statements set before they read them, without registers yet.
func localsOf(statements []*nest.Stmt) map[int]string {
	out, read := map[int]string{}, map[int]bool{}
	for _, s := range statements {
		for _, op := range s.Flow {
			for _, a := range op.Args {
				if _, set := out[a.N]; a.Kind == nest.Scalar && !set {
					read[a.N] = true
				}
			}
			if op.Out.Kind == nest.Scalar && !read[op.Out.N] {
				out[op.Out.N] = ""
			}
		}
	}
	return out
}

// round emits an iteration of an innermost loop, or several at once.
func (b *builder) round(n *loop, g *body, statements []*nest.Stmt) *round {
	r := &round{lanes: g.turn}
	r.body = append([]piece{&counted{n.block}}, g.emitAll(n.body)...)
	b.block = n.block
	from := b.here()
	if b.target.Level == 0 {
		b.emit("addl %s, %s", number, b.onStack(counterSlot))
		b.emit("cmpl %s, %s", number, b.onStack(counterSlot))
	} else {
		for i := range b.steps(n.loop, statements) {
			b.emit("addq %s, %s", number, counters[i%len(counters)])
		}
		b.emit("cmpq %%rdi, %s", counters[0])
	}
	b.labels++
	b.emit("jne .L%d", b.labels)
	r.latch = b.since(from)
	return r
}

// outer makes code of a loop with others or conditions in it.
func (b *builder) outer(n *loop) piece {
	r := &repeated{loop: n.loop, aroundOthers: holdsLoops(n.body), deep: deep(n)}
	from := b.here()
	b.emit("movl %s, %%ebx", number)
	r.enter = b.since(from)
	if v := b.aroundVectors(n); v != nil {
		r.inLanes = []*round{b.outerRound(n, v)}
	}
	r.single = b.outerRound(n, scalars)
	return r
}

// holdsLoops says whether there are loops among nodes, or below conditions there.
func holdsLoops(nodes []node) bool {
	return slices.ContainsFunc(nodes, func(x node) bool {
		switch x := x.(type) {
		case *loop:
			return true
		case *condition:
			return holdsLoops(x.then) || holdsLoops(x.els)
		}
		return false
	})
}

// deep says whether a loop has loops in it that have loops in them.
func deep(n *loop) bool {
	return slices.ContainsFunc(n.body, func(x node) bool {
		inner, ok := x.(*loop)
		return ok && holdsLoops(inner.body)
	})
}

// outerRound emits an iteration of a loop with others in it, or several at once.
func (b *builder) outerRound(n *loop, v *vectors) *round {
	body := []piece{&counted{n.block}}
	for i := 0; i < len(n.body); {
		run := straightRun(n.body[i:])
		switch {
		case len(run) > 0:
			statements, _ := innermost(run)
			body = append(body, b.newBody(statements, n.loop, v, nil).emitAll(run)...)
			i += len(run)
			continue
		case v.lanes > 1:
			x := n.body[i].(*loop)
			b.block = x.block
			body = append(body, b.inner(x, nil, v))
		default:
			body = append(body, b.pieces(n.body[i:i+1], n.loop)...)
		}
		i++
	}
	b.block = n.block
	from := b.here()
	for i := range b.pointers(n) {
		b.emit("addq %s, %s", number, outerCounters[1+i%2])
	}
	b.emit("addl %s, %%ebx", number)
	b.emit("cmpl %s, %%ebx", number)
	b.labels++
	b.emit("jne .L%d", b.labels)
	return &round{lanes: v.turn, body: body, latch: b.since(from)}
}

// mostPointers is how many pointers a loop moves for those inside of it. Chosen: others are reached from these.
const mostPointers = 4

// pointers is how many arrays the loops in a loop go through from other places in each of its iterations.
func (b *builder) pointers(n *loop) int {
	moved := map[*nest.Object]bool{}
	var look func(nodes []node)
	look = func(nodes []node) {
		for _, x := range nodes {
			switch x := x.(type) {
			case *statement:
				for _, a := range x.stmt.Accesses {
					if a.Advance(n.loop) != 0 {
						moved[a.Object] = true
					}
				}
			case *loop:
				look(x.body)
			case *condition:
				look(x.then)
				look(x.els)
			}
		}
	}
	look(n.body)
	return min(len(moved), mostPointers)
}

// steps is how many registers a loop counts up.
func (b *builder) steps(l *nest.Loop, statements []*nest.Stmt) int {
	all := map[int64]bool{}
	for _, s := range statements {
		for _, a := range s.Accesses {
			if step := a.Advance(l); step != 0 {
				all[step/max(a.Size, 1)] = true
			}
		}
	}
	return max(1, min(len(all), len(counters)))
}

// counters sets the registers that a loop counts up, from those of the loops around it.
func (b *builder) counters(l *nest.Loop, statements []*nest.Stmt) {
	for i := range b.steps(l, statements) {
		b.emit("movq %s, %s", outerCounters[i%len(outerCounters)], counters[i])
	}
}

// guard jumps over a loop without iterations.
func (b *builder) guard() {
	b.emit("cmpq %%rdi, %s", counters[0])
	b.labels++
	b.emit("jge .L%d", b.labels)
}

func (t Target) hasCalls(statements []*nest.Stmt) bool {
	for _, s := range statements {
		for i := range s.Flow {
			if t.calls(&s.Flow[i]) {
				return true
			}
		}
	}
	return false
}

// calls tells operations that become calls: also the larger and the lesser of two numbers by the functions of C, which no instruction treats as they do where
// one is none, and integers next to numbers, as that may set an error.
func (t Target) calls(op *nest.Operation) bool {
	switch op.Kind {
	case nest.Call:
		return true
	case nest.Select:
		return op.Name != "" && !t.Fast
	case nest.Convert:
		return op.Name != "" && !op.Type.IsFloat() && !t.Fast
	}
	return false
}

// keep gives the elements that stay registers, as far as there are: first those that are written. Calls leave none as they were. It gives how many
// it took.
func (b *builder) keep(order []string, all map[string]*keptElement, calls bool) int {
	if calls {
		return b.mostKept()
	}
	given := 0
	for _, written := range []bool{true, false} {
		for _, k := range order {
			if e := all[k]; (e.written || e.carried != nil) == written && given < b.mostKept() {
				e.register = firstKept + given
				given++
			}
		}
	}
	return given
}

// fetchKept loads the elements that stay.
func (b *builder) fetchKept(statements []*nest.Stmt, order []string, all map[string]*keptElement, v *vectors) {
	g := b.newBody(nil, nil, v, nil)
	for _, k := range order {
		e := all[k]
		if e.register < 0 {
			continue
		}
		t := b.typeOfElement(statements, e.access)
		m := b.memory(e.access, "")
		if g.lanes > 1 && g.still(e.access) {
			g.broadcast(t, m, g.homeOfKept(e, t))
			continue
		}
		b.emit("%s %s, %s", g.move(t), m, g.homeOfKept(e, t))
	}
}

// prepare is what stands in front of vectors: as many copies of what stays as there are lanes, the number of rounds, and looks at whether arrays
// overlap.
func (b *builder) prepare(l *nest.Loop, statements []*nest.Stmt, v *vectors, order []string, all map[string]*keptElement) {
	if _, known := trip(l); !known {
		b.emit("movq %%rdi, %%r8")
		b.emit("shrq %s, %%r8", number)
		b.emit("salq %s, %%r8", number)
		b.guard()
	}
	if v.checked {
		objects := map[*nest.Object]bool{}
		for _, s := range statements {
			for _, a := range s.Accesses {
				objects[a.Object] = true
			}
		}
		for range min(len(objects), mostPointers) {
			b.emit("leaq 64(%%rbx,%%rbp,8), %%r9")
			b.emit("cmpq %%r9, %%rbp")
			b.labels++
			b.emit("jb .L%d", b.labels)
		}
	}
	g := b.newBody(nil, nil, v, nil)
	for _, k := range order {
		if e := all[k]; e.register >= 0 && !e.written && e.carried == nil {
			r := vector(e.register, sse)
			b.spread(e.access.Size, r, g.name(e.register))
		}
	}
	for _, n := range b.invariants(statements) {
		if h := b.scalars[n]; !h.stack && h.typ.IsFloat() {
			b.spread(sizeOf(h.typ), vector(h.register, sse), g.name(h.register))
		}
	}
}

// spread copies a value to all lanes.
func (b *builder) spread(size int64, from, to string) {
	kind := "sd"
	if size == 4 {
		kind = "ss"
	}
	if from == to {
		b.emit("vunpcklpd %s, %s, %s", from, from, to)
		return
	}
	b.emit("vbroadcast%s %s, %s", kind, from, to)
}

// invariants are the scalars that statements read and do not set.
func (b *builder) invariants(statements []*nest.Stmt) []int {
	read, set := map[int]float64{}, map[int]bool{}
	for _, s := range statements {
		for _, op := range s.Flow {
			for _, a := range op.Args {
				if a.Kind == nest.Scalar {
					read[a.N] = 1
				}
			}
			if op.Out.Kind == nest.Scalar {
				set[op.Out.N] = true
			}
		}
	}
	var out []int
	for _, n := range byUse(read) {
		if !set[n] {
			out = append(out, n)
		}
	}
	return out
}

// typeOfElement is the type that statements store to an element.
func (b *builder) typeOfElement(statements []*nest.Stmt, a *nest.Access) nest.Type {
	want, _ := keyOf(a)
	for _, s := range statements {
		for _, op := range s.Flow {
			if op.Out.Kind == nest.Store {
				if k, ok := keyOf(s.Accesses[op.Out.N]); ok && k == want {
					return op.Type
				}
			}
		}
	}
	return typeOfSize(a.Size)
}
