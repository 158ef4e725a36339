package lower

import (
	"fmt"

	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// span is a value's range; exact when both ends are taken, and each value of other variables goes with all of them.
type span struct {
	expr.Range
	exact bool
}

// boundsCheck looks for accesses outside their objects.
type boundsCheck struct {
	l      *lowerer
	vars   map[expr.Var]span     // of the loops around
	warned map[*nest.Object]bool // of these objects was warned already
	top    int                   // number of the outermost node, which a warning belongs to
}

// checkBounds warns of accesses that are proven to lie outside their object, once for each object.
func (l *lowerer) checkBounds() {
	b := &boundsCheck{l: l, vars: map[expr.Var]span{}, warned: map[*nest.Object]bool{}}
	for i, n := range *l.root {
		b.top = i
		b.nodes([]nest.Node{n}, true)
	}
}

// nodes looks at the accesses of some nodes; exact says that they are made in any case.
func (b *boundsCheck) nodes(all []nest.Node, exact bool) {
	for _, n := range all {
		switch n := n.(type) {
		case *nest.Loop:
			b.loop(n, exact)
		case *nest.If:
			b.nodes(n.Then, false)
			b.nodes(n.Else, false)
		case *nest.Parallel:
			b.nodes(n.Body, exact)
		case *nest.Single:
			b.nodes(n.Body, exact)
		case *nest.Critical:
			b.nodes(n.Body, exact)
		case *nest.Stmt:
			for _, a := range n.Accesses {
				b.access(a, exact)
			}
		}
	}
}

// loop looks at a loop's body with the range of its variable, as far as that is known.
func (b *boundsCheck) loop(n *nest.Loop, exact bool) {
	lo, ok1 := value.Constant(n.Lo)
	hi, ok2 := value.Constant(n.Hi)
	s := span{exact: ok1 && ok2}
	if s.exact {
		if lo != hi && (n.Step > 0) == (lo > hi) {
			return // no iteration
		}
		hi = lo + (hi-lo)/n.Step*n.Step
		s.Range = expr.Range{Lo: min(lo, hi), Hi: max(lo, hi)}
	} else {
		first, last := b.interval(n.Lo), b.interval(n.Hi)
		s.Range = expr.Range{Lo: min(first.Lo, last.Lo), Hi: max(first.Hi, last.Hi)}
		exact = false // it may have no iterations
	}
	b.vars[n.Var] = s
	b.nodes(n.Body, exact)
	delete(b.vars, n.Var)
}

// interval is the range of an expression of the variables of the loops around.
func (b *boundsCheck) interval(e *expr.Expr) expr.Range {
	return e.Interval(func(v expr.Var) expr.Range { return b.vars[v].Range })
}

// access compares the least and the greatest offset of an access with the size of its object.
func (b *boundsCheck) access(a *nest.Access, exact bool) {
	o := a.Object
	if o.Bytes <= 0 || b.warned[o] {
		return
	}
	r, ok := value.LinearOf(a.Offset)
	if !ok {
		return
	}
	at := b.interval(r.Expr())
	at.Hi += a.Size - 1
	if at.Lo >= 0 && at.Hi < o.Bytes || at.Lo < -value.Unbounded || at.Hi > value.Unbounded {
		return
	}
	exact = exact && r.Plain()
	for v := range r.Vars {
		exact = exact && b.vars[v].exact
	}
	if !exact && at.Hi >= 0 && at.Lo < o.Bytes { // some of it may lie within, and the ends may never be reached
		return
	}
	b.warned[o] = true
	b.l.notes = append(b.l.notes, note{a.Pos, fmt.Sprintf("%s:%d: %s reaches bytes %d to %d of %s, which has %d bytes",
		a.Pos.File, a.Pos.Line, a.Text, at.Lo, at.Hi, o.Name, o.Bytes), b.top})
}
