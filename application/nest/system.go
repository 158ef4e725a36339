package nest

import "fmt"

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
	e     *Expr
}

// system describes the iterations of one access: positions 0 … len(path)-1 are its loops from outermost in,
// the rest are quotients.
type system struct {
	loops     int
	size      int
	window    constraint // the offset, less the line's beginning
	cons      []constraint
	filters   []*Expr // conditions that are not affine
	edges     []edge  // bounds that are not affine
	start     []Range
	positions []int8 // by Var; -1 elsewhere
}

func (x *access) buildSystem(sc scope, q *quotients, nvars int, box []Range) error {
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
	for _, b := range append(append([]affine{}, sc.conds...), q.forms...) {
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

func (s *system) constraint(a affine) constraint {
	c := constraint{k: a.k}
	for _, t := range a.terms {
		c.at = append(c.at, uint8(s.positions[t.v]))
		c.co = append(c.co, t.c)
	}
	return c
}

// quotients introduces a variable for each division in a subscript: q = ⌊a/d⌋ is 0 ≤ a − d·q ≤ d−1.
type quotients struct {
	forms  []affine // ≥ 0
	ranges []Range  // bounds of each quotient
}

func (q *quotients) affine(e *Expr, firstVar int, box []Range) (affine, bool) {
	if a, ok := affineOf(e); ok {
		return a, true
	}
	switch e.Op {
	case OpNeg:
		a, ok := q.affine(e.A, firstVar, box)
		return a.scaled(-1), ok
	case OpAdd, OpSub:
		a, okA := q.affine(e.A, firstVar, box)
		b, okB := q.affine(e.B, firstVar, box)
		if e.Op == OpSub {
			return a.plus(b, -1), okA && okB
		}
		return a.plus(b, 1), okA && okB
	case OpMul:
		x, k := e.A, e.B
		if x.Op == OpConst {
			x, k = k, x
		}
		if k.Op != OpConst {
			return affine{}, false
		}
		a, ok := q.affine(x, firstVar, box)
		return a.scaled(k.K), ok
	case OpDiv, OpMod, OpFloorDiv:
		return q.divide(e, firstVar, box)
	}
	return affine{}, false
}

func (q *quotients) divide(e *Expr, firstVar int, box []Range) (affine, bool) {
	if e.B.Op != OpConst || e.B.K <= 0 {
		return affine{}, false
	}
	a, ok := q.affine(e.A, firstVar, box)
	if !ok {
		return affine{}, false
	}
	r := e.A.Interval(func(v Var) Range { return box[v] })
	if r.Lo < 0 && e.Op != OpFloorDiv { // C truncates: the remainder may be negative
		return affine{}, false
	}
	d := e.B.K
	v := Var(firstVar + len(q.ranges))
	q.ranges = append(q.ranges, Range{FloorDiv(r.Lo, d), FloorDiv(r.Hi, d)})
	rest := a.plus(affine{terms: []term{{v, d}}}, -1)
	q.forms = append(q.forms, rest, affine{k: d - 1}.plus(rest, -1))
	if e.Op == OpMod {
		return rest, true
	}
	return affine{terms: []term{{v, 1}}}, true
}
