package nest

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
