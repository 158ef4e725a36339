package nest

import (
	"fmt"

	"foresee/application/nest/expr"
)

// constraint is k + Σ co·x ≥ 0 over the positions of a system.
type constraint struct {
	k  int64
	at []uint8
	co []int64
	// settled is the depth from which the constraint holds by itself once that many loops are fixed at a
	// point of the iteration space: a bound of a shared loop needs no second look.
	settled int8
}

// edge is a loop bound that is not affine.
type edge struct {
	at    int
	lower bool
	e     *expr.Expr
}

// system describes the iterations of one access: positions 0 … len(path)-1 are its loops from outermost in,
// the rest are quotients.
type system struct {
	loops     int
	size      int
	window    constraint // the offset, less the line's beginning
	cons      []constraint
	filters   []*expr.Expr // conditions that are not affine
	edges     []edge       // bounds that are not affine
	start     []expr.Range
	positions []int8 // by Var; -1 elsewhere
}

// buildSystem lists what holds where an access is made: the bounds of its loops, its conditions, and its offset.
func (x *access) buildSystem(sc scope, q *quotients, nvars int, box []expr.Range) error {
	s := &x.system
	s.loops, s.size = len(x.path), len(x.path)+len(q.ranges)
	if s.size > maxDepth {
		return fmt.Errorf("%s: too many loops and divisions around %s", x.source.Pos, x.source.Text)
	}
	s.positions = make([]int8, nvars+len(q.ranges))
	for i := range s.positions {
		s.positions[i] = -1
	}
	for i, l := range x.path {
		s.positions[l.v] = int8(i)
		s.start = append(s.start, box[l.v])
	}
	for i, r := range q.ranges {
		s.positions[nvars+i] = int8(len(x.path) + i)
		s.start = append(s.start, r)
	}
	s.window = s.constraint(x.offset)
	for i, b := range sc.bounds {
		c := s.constraint(b)
		c.settled = int8(sc.depths[i] + 1)
		s.cons = append(s.cons, c)
	}
	for _, b := range append(append([]expr.Affine{}, sc.conds...), q.forms...) {
		c := s.constraint(b)
		c.settled = maxDepth + 1
		s.cons = append(s.cons, c)
	}
	s.filters = sc.extra
	for _, r := range sc.ranges {
		s.edges = append(s.edges, edge{r.depth, r.lower, r.e})
	}
	return nil
}

// constraint writes an affine form with the system's own numbers of variables.
func (s *system) constraint(a expr.Affine) constraint {
	c := constraint{k: a.K}
	for _, t := range a.Terms {
		c.at = append(c.at, uint8(s.positions[t.V]))
		c.co = append(c.co, t.C)
	}
	return c
}

// quotients introduces a variable for each division in a subscript: q = ⌊a/d⌋ is 0 ≤ a − d·q ≤ d−1.
type quotients struct {
	forms  []expr.Affine // ≥ 0
	ranges []expr.Range  // bounds of each quotient
}

// affine writes an expression as an affine form, with a variable more for each quotient and remainder.
func (q *quotients) affine(e *expr.Expr, firstVar int, box []expr.Range) (expr.Affine, bool) {
	if a, ok := expr.AffineOf(e); ok {
		return a, true
	}
	switch e.Op {
	case expr.OpNeg:
		a, ok := q.affine(e.A, firstVar, box)
		return a.Scaled(-1), ok
	case expr.OpAdd, expr.OpSub:
		a, okA := q.affine(e.A, firstVar, box)
		b, okB := q.affine(e.B, firstVar, box)
		if e.Op == expr.OpSub {
			return a.Plus(b, -1), okA && okB
		}
		return a.Plus(b, 1), okA && okB
	case expr.OpMul:
		x, k := e.A, e.B
		if x.Op == expr.OpConst {
			x, k = k, x
		}
		if k.Op != expr.OpConst {
			return expr.Affine{}, false
		}
		a, ok := q.affine(x, firstVar, box)
		return a.Scaled(k.K), ok
	case expr.OpDiv, expr.OpMod, expr.OpFloorDiv:
		return q.divide(e, firstVar, box)
	}
	return expr.Affine{}, false
}

// divide makes a variable of a quotient, with the constraints that tie it to what is divided.
func (q *quotients) divide(e *expr.Expr, firstVar int, box []expr.Range) (expr.Affine, bool) {
	if e.B.Op != expr.OpConst || e.B.K <= 0 {
		return expr.Affine{}, false
	}
	a, ok := q.affine(e.A, firstVar, box)
	if !ok {
		return expr.Affine{}, false
	}
	r := e.A.Interval(func(v expr.Var) expr.Range { return box[v] })
	if r.Lo < 0 && e.Op != expr.OpFloorDiv { // C truncates: the remainder may be negative
		return expr.Affine{}, false
	}
	d := e.B.K
	v := expr.Var(firstVar + len(q.ranges))
	q.ranges = append(q.ranges, expr.Range{Lo: expr.FloorDiv(r.Lo, d), Hi: expr.FloorDiv(r.Hi, d)})
	rest := a.Plus(expr.Affine{Terms: []expr.Term{{V: v, C: d}}}, -1)
	q.forms = append(q.forms, rest, expr.Affine{K: d - 1}.Plus(rest, -1))
	if e.Op == expr.OpMod {
		return rest, true
	}
	return expr.Affine{Terms: []expr.Term{{V: v, C: 1}}}, true
}
