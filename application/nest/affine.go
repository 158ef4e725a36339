package nest

import "slices"

// term is coefficient × variable.
type term struct {
	v Var
	c int64
}

// affine is k + Σ terms, terms sorted by variable, no zero coefficients.
type affine struct {
	k     int64
	terms []term
}

func (a affine) eval(env []int64) int64 {
	s := a.k
	for _, t := range a.terms {
		s += t.c * env[t.v]
	}
	return s
}

func (a affine) scaled(s int64) affine {
	if s == 0 {
		return affine{}
	}
	r := affine{k: a.k * s, terms: make([]term, len(a.terms))}
	for i, t := range a.terms {
		r.terms[i] = term{t.v, t.c * s}
	}
	return r
}

// plus is a + s·b.
func (a affine) plus(b affine, s int64) affine {
	r := affine{k: a.k + s*b.k, terms: make([]term, 0, len(a.terms)+len(b.terms))}
	i, j := 0, 0
	for i < len(a.terms) || j < len(b.terms) {
		switch {
		case j == len(b.terms) || i < len(a.terms) && a.terms[i].v < b.terms[j].v:
			r.terms = append(r.terms, a.terms[i])
			i++
		case i == len(a.terms) || b.terms[j].v < a.terms[i].v:
			if c := s * b.terms[j].c; c != 0 {
				r.terms = append(r.terms, term{b.terms[j].v, c})
			}
			j++
		default:
			if c := a.terms[i].c + s*b.terms[j].c; c != 0 {
				r.terms = append(r.terms, term{a.terms[i].v, c})
			}
			i, j = i+1, j+1
		}
	}
	return r
}

func (a affine) coefficient(v Var) int64 {
	for _, t := range a.terms {
		if t.v == v {
			return t.c
		}
	}
	return 0
}

// interval bounds a over a box of variables.
func (a affine) interval(box []Range) Range {
	r := Range{a.k, a.k}
	for _, t := range a.terms {
		b := box[t.v]
		if t.c < 0 {
			b.Lo, b.Hi = b.Hi, b.Lo
		}
		r.Lo = satAdd(r.Lo, satMul(t.c, b.Lo))
		r.Hi = satAdd(r.Hi, satMul(t.c, b.Hi))
	}
	return r
}

// affineOf gives e as an affine form when it is one.
func affineOf(e *Expr) (affine, bool) {
	switch e.Op {
	case OpConst:
		return affine{k: e.K}, true
	case OpVar:
		return affine{terms: []term{{Var(e.K), 1}}}, true
	case OpNeg:
		a, ok := affineOf(e.A)
		return a.scaled(-1), ok
	case OpAdd, OpSub, OpMul:
	default:
		return affine{}, false
	}
	a, okA := affineOf(e.A)
	b, okB := affineOf(e.B)
	if !okA || !okB {
		return affine{}, false
	}
	switch {
	case e.Op == OpAdd:
		return a.plus(b, 1), true
	case e.Op == OpSub:
		return a.plus(b, -1), true
	case len(a.terms) == 0:
		return b.scaled(a.k), true
	case len(b.terms) == 0:
		return a.scaled(b.k), true
	}
	return affine{}, false
}

// ratio is form/den with den > 0; rounded up in a lower bound, down in an upper one.
type ratio struct {
	form affine
	den  int64
}

// boundList splits a bound into affine parts: a lower bound is the greatest of ⌈form/den⌉, an upper bound
// the least of ⌊form/den⌋. The parts are always necessary; exact tells whether they are also sufficient.
func boundList(e *Expr, lower bool) (parts []ratio, exact bool) {
	if a, ok := affineOf(e); ok {
		return []ratio{{a, 1}}, true
	}
	switch e.Op {
	case OpMax, OpMin:
		if (e.Op == OpMax) != lower {
			return nil, false
		}
		a, okA := boundList(e.A, lower)
		b, okB := boundList(e.B, lower)
		return append(a, b...), okA && okB
	case OpAdd, OpSub:
		return shiftedList(e, lower)
	case OpMul:
		return scaledList(e, lower)
	case OpFloorDiv, OpCeilDiv:
		return dividedList(e, lower)
	}
	return nil, false
}

// shiftedList handles list ± affine.
func shiftedList(e *Expr, lower bool) ([]ratio, bool) {
	inner, shift, sign := e.A, e.B, int64(1)
	if e.Op == OpSub {
		sign = -1
	}
	s, ok := affineOf(shift)
	if !ok && e.Op == OpAdd {
		inner, shift = e.B, e.A
		s, ok = affineOf(shift)
	}
	if !ok {
		return nil, false
	}
	parts, exact := boundList(inner, lower)
	for i, p := range parts {
		parts[i] = ratio{p.form.plus(s, sign*p.den), p.den}
	}
	return parts, exact
}

// scaledList handles positive constant × list, where nothing is divided yet.
func scaledList(e *Expr, lower bool) ([]ratio, bool) {
	inner, factor := e.A, e.B
	if inner.Op == OpConst {
		inner, factor = factor, inner
	}
	if factor.Op != OpConst || factor.K <= 0 {
		return nil, false
	}
	parts, exact := boundList(inner, lower)
	for i, p := range parts {
		if p.den != 1 {
			return nil, false
		}
		parts[i].form = p.form.scaled(factor.K)
	}
	return parts, exact
}

// dividedList handles a list divided by a positive constant; both roundings are monotone.
func dividedList(e *Expr, lower bool) ([]ratio, bool) {
	if e.B.Op != OpConst || e.B.K <= 0 {
		return nil, false
	}
	d := e.B.K
	parts, exact := boundList(e.A, lower)
	for i, p := range parts {
		if p.den != 1 {
			return nil, false
		}
		switch {
		case lower && e.Op == OpFloorDiv: // ⌊a/d⌋ = ⌈(a−d+1)/d⌉
			p.form.k -= d - 1
		case !lower && e.Op == OpCeilDiv: // ⌈a/d⌉ = ⌊(a+d−1)/d⌋
			p.form.k += d - 1
		}
		parts[i] = ratio{p.form, d}
	}
	return parts, exact
}

// conjuncts splits a condition, or its negation, into parts that must all hold.
func conjuncts(e *Expr, negate bool) []*Expr {
	switch {
	case e.Op == OpNot:
		return conjuncts(e.A, !negate)
	case e.Op == OpAnd && !negate, e.Op == OpOr && negate:
		return append(conjuncts(e.A, negate), conjuncts(e.B, negate)...)
	case negate:
		return []*Expr{Unary(OpNot, e)}
	}
	return []*Expr{e}
}

// conditionForms gives affine forms that are all ≥ 0 exactly when e holds.
func conditionForms(e *Expr) ([]affine, bool) {
	switch e.Op {
	case OpLt, OpLe, OpEq:
	default:
		return nil, false
	}
	if e.Op == OpEq {
		d, ok := difference(e)
		return []affine{d, d.scaled(-1)}, ok
	}
	strict := truth(e.Op == OpLt)
	if e.A.Op == OpMax || e.B.Op == OpMin { // max(a, b) ≤ c and a ≤ min(b, c) are conjunctions
		return splitCondition(e)
	}
	d, ok := difference(e)
	d.k -= strict
	return []affine{d}, ok
}

func splitCondition(e *Expr) ([]affine, bool) {
	left, right := []*Expr{e.A}, []*Expr{e.B}
	if e.A.Op == OpMax {
		left = []*Expr{e.A.A, e.A.B}
	}
	if e.B.Op == OpMin {
		right = []*Expr{e.B.A, e.B.B}
	}
	var forms []affine
	for _, l := range left {
		for _, r := range right {
			f, ok := conditionForms(&Expr{Op: e.Op, A: l, B: r})
			if !ok {
				return nil, false
			}
			forms = append(forms, f...)
		}
	}
	return forms, true
}

// difference is B − A.
func difference(e *Expr) (affine, bool) {
	a, okA := affineOf(e.A)
	b, okB := affineOf(e.B)
	if !okA || !okB {
		return affine{}, false
	}
	return b.plus(a, -1), true
}

// variables lists what the expressions use, sorted.
func variables(es ...*Expr) []Var {
	var vs []Var
	for _, e := range es {
		e.EachVar(func(v Var) { vs = append(vs, v) })
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}
