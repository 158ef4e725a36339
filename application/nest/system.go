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

// tie is a variable of the system that equals an expression which is not affine.
type tie struct {
	at int
	e  *expr.Expr
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
	ties      []tie        // parts of the offset that are not affine
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
	for _, t := range q.ties {
		s.ties = append(s.ties, tie{len(x.path) + t.at, t.e})
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

// quotients introduces a variable for each division in a subscript: q = ⌊a/d⌋ is 0 ≤ a − d·q ≤ d−1; and one for each other part that is not
// affine, such as a product of variables, which is tied to it.
type quotients struct {
	forms  []expr.Affine // ≥ 0
	ranges []expr.Range  // bounds of each quotient
	ties   []tie         // by number of the quotient
}

// affine writes an expression as an affine form, with a variable more for each quotient, remainder, and part that is not affine.
func (q *quotients) affine(e *expr.Expr, firstVar int, box []expr.Range) expr.Affine {
	if a, ok := expr.AffineOf(e); ok {
		return a
	}
	switch e.Op {
	case expr.OpNeg:
		return q.affine(e.A, firstVar, box).Scaled(-1)
	case expr.OpAdd:
		return q.affine(e.A, firstVar, box).Plus(q.affine(e.B, firstVar, box), 1)
	case expr.OpSub:
		return q.affine(e.A, firstVar, box).Plus(q.affine(e.B, firstVar, box), -1)
	case expr.OpMul:
		x, k := e.A, e.B
		if x.Op == expr.OpConst {
			x, k = k, x
		}
		if k.Op == expr.OpConst {
			return q.affine(x, firstVar, box).Scaled(k.K)
		}
	case expr.OpDiv, expr.OpMod, expr.OpFloorDiv:
		return q.divide(e, firstVar, box)
	}
	return q.tied(e, firstVar, box)
}

// tied makes a variable of an expression as it is.
func (q *quotients) tied(e *expr.Expr, firstVar int, box []expr.Range) expr.Affine {
	for _, t := range q.ties {
		if sameProduct(t.e, e) {
			return expr.Affine{Terms: []expr.Term{{V: expr.Var(firstVar + t.at), C: 1}}}
		}
	}
	q.ties = append(q.ties, tie{len(q.ranges), e})
	return q.variable(e.Interval(func(v expr.Var) expr.Range { return box[v] }), firstVar)
}

// variable is a new one.
func (q *quotients) variable(r expr.Range, firstVar int) expr.Affine {
	q.ranges = append(q.ranges, r)
	return expr.Affine{Terms: []expr.Term{{V: expr.Var(firstVar + len(q.ranges) - 1), C: 1}}}
}

// sameProduct tells whether two expressions are the same, or products of the same two factors.
func sameProduct(a, b *expr.Expr) bool {
	return expr.Equal(a, b) || a.Op == expr.OpMul && b.Op == expr.OpMul && expr.Equal(a.A, b.B) && expr.Equal(a.B, b.A)
}

// bounded adds what a loop's last value ⌊x/d⌋ says of the product of its variable with d, where subscripts hold such products: it is at most x.
func (q *quotients) bounded(l *loop, firstVar int, box []expr.Range) {
	e, shift := l.hiExpr, int64(0) // the variable is at most e + shift
	for again := true; again; {
		again = false
		switch {
		case e.Op == expr.OpAdd && e.B.Op == expr.OpConst:
			e, shift, again = e.A, shift+e.B.K, true
		case e.Op == expr.OpSub && e.B.Op == expr.OpConst:
			e, shift, again = e.A, shift-e.B.K, true
		case e.Op == expr.OpMax: // one that is below the first value ends no iteration
			for _, x := range [][2]*expr.Expr{{e.A, e.B}, {e.B, e.A}} {
				if !again && x[0].Op == expr.OpConst && x[0].K+shift < box[l.v].Lo {
					e, again = x[1], true
				}
			}
		}
	}
	if e.Op != expr.OpFloorDiv && e.Op != expr.OpCeilDiv || e.B.Op == expr.OpConst || e.B.Interval(func(v expr.Var) expr.Range { return box[v] }).Lo <= 0 {
		return
	}
	most := q.affine(e.A, firstVar, box)
	if e.Op == expr.OpCeilDiv { // v ≤ ⌈x/d⌉ is v − 1 < x/d
		shift++
		most.K--
	}
	by := expr.Binary(expr.OpSub, expr.Ref(l.v), expr.Int(shift))
	q.forms = append(q.forms, most.Plus(q.affine(distributed(by, e.B), firstVar, box), -1))
}

// distributed multiplies sums term by term.
func distributed(a, b *expr.Expr) *expr.Expr {
	for range 2 {
		if a.Op == expr.OpAdd || a.Op == expr.OpSub {
			return expr.Binary(a.Op, distributed(a.A, b), distributed(a.B, b))
		}
		if a.Op == expr.OpMul && a.B.Op == expr.OpConst {
			return expr.Binary(expr.OpMul, distributed(a.A, b), a.B)
		}
		a, b = b, a
	}
	return expr.Binary(expr.OpMul, a, b)
}

// divide makes a variable of a quotient, with the constraints that tie it to what is divided.
func (q *quotients) divide(e *expr.Expr, firstVar int, box []expr.Range) expr.Affine {
	r := e.A.Interval(func(v expr.Var) expr.Range { return box[v] })
	// C truncates: the remainder may be negative.
	if e.B.Op != expr.OpConst || e.B.K <= 0 || r.Lo < 0 && e.Op != expr.OpFloorDiv {
		return q.tied(e, firstVar, box)
	}
	a := q.affine(e.A, firstVar, box)
	d := e.B.K
	quotient := q.variable(expr.Range{Lo: expr.FloorDiv(r.Lo, d), Hi: expr.FloorDiv(r.Hi, d)}, firstVar)
	rest := a.Plus(quotient, -d)
	q.forms = append(q.forms, rest, expr.Affine{K: d - 1}.Plus(rest, -1))
	if e.Op == expr.OpMod {
		return rest
	}
	return quotient
}
