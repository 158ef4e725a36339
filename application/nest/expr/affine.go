package expr

import "slices"

// Term is coefficient × variable.
type Term struct {
	V Var
	C int64
}

// Affine is k + Σ terms, terms sorted by variable, no zero coefficients.
type Affine struct {
	K     int64
	Terms []Term
}

// Eval is the value of a where the variables have the values of env.
func (a Affine) Eval(env []int64) int64 {
	s := a.K
	for _, t := range a.Terms {
		s += t.C * env[t.V]
	}
	return s
}

// Scaled is s·a.
func (a Affine) Scaled(s int64) Affine {
	if s == 0 {
		return Affine{}
	}
	r := Affine{K: a.K * s, Terms: make([]Term, len(a.Terms))}
	for i, t := range a.Terms {
		r.Terms[i] = Term{t.V, t.C * s}
	}
	return r
}

// Plus is a + s·b.
func (a Affine) Plus(b Affine, s int64) Affine {
	r := Affine{K: a.K + s*b.K, Terms: make([]Term, 0, len(a.Terms)+len(b.Terms))}
	i, j := 0, 0
	for i < len(a.Terms) || j < len(b.Terms) {
		switch {
		case j == len(b.Terms) || i < len(a.Terms) && a.Terms[i].V < b.Terms[j].V:
			r.Terms = append(r.Terms, a.Terms[i])
			i++
		case i == len(a.Terms) || b.Terms[j].V < a.Terms[i].V:
			if c := s * b.Terms[j].C; c != 0 {
				r.Terms = append(r.Terms, Term{b.Terms[j].V, c})
			}
			j++
		default:
			if c := a.Terms[i].C + s*b.Terms[j].C; c != 0 {
				r.Terms = append(r.Terms, Term{a.Terms[i].V, c})
			}
			i, j = i+1, j+1
		}
	}
	return r
}

// Coefficient is that of a variable; 0 where the form has it not.
func (a Affine) Coefficient(v Var) int64 {
	for _, t := range a.Terms {
		if t.V == v {
			return t.C
		}
	}
	return 0
}

// Interval bounds a over a box of variables.
func (a Affine) Interval(box []Range) Range {
	r := Range{a.K, a.K}
	for _, t := range a.Terms {
		b := box[t.V]
		if t.C < 0 {
			b.Lo, b.Hi = b.Hi, b.Lo
		}
		r.Lo = satAdd(r.Lo, satMul(t.C, b.Lo))
		r.Hi = satAdd(r.Hi, satMul(t.C, b.Hi))
	}
	return r
}

// AffineOf gives e as an affine form when it is one.
func AffineOf(e *Expr) (Affine, bool) {
	switch e.Op {
	case OpConst:
		return Affine{K: e.K}, true
	case OpVar:
		return Affine{Terms: []Term{{Var(e.K), 1}}}, true
	case OpNeg:
		a, ok := AffineOf(e.A)
		return a.Scaled(-1), ok
	case OpAdd, OpSub, OpMul:
	case OpDiv, OpFloorDiv, OpCeilDiv, OpMod:
		return dividedEvenly(e)
	default:
		return Affine{}, false
	}
	a, okA := AffineOf(e.A)
	b, okB := AffineOf(e.B)
	if !okA || !okB {
		return Affine{}, false
	}
	switch {
	case e.Op == OpAdd:
		return a.Plus(b, 1), true
	case e.Op == OpSub:
		return a.Plus(b, -1), true
	case len(a.Terms) == 0:
		return b.Scaled(a.K), true
	case len(b.Terms) == 0:
		return a.Scaled(b.K), true
	}
	return Affine{}, false
}

// dividedEvenly is a quotient or remainder by a constant that divides what every variable is multiplied with: of 3x+7 divided by 3, x+2 and 1. Division
// as C has it rounds towards zero, which is told where there is no remainder.
func dividedEvenly(e *Expr) (Affine, bool) {
	a, ok := AffineOf(e.A)
	if !ok || e.B.Op != OpConst || e.B.K <= 0 {
		return Affine{}, false
	}
	d := e.B.K
	out := Affine{}
	for _, t := range a.Terms {
		if t.C%d != 0 {
			return Affine{}, false
		}
		out.Terms = append(out.Terms, Term{t.V, t.C / d})
	}
	switch {
	case e.Op == OpFloorDiv:
		out.K = FloorDiv(a.K, d)
	case e.Op == OpCeilDiv:
		out.K = CeilDiv(a.K, d)
	case a.K%d != 0:
		return Affine{}, false
	case e.Op == OpMod:
		return Affine{}, true
	default:
		out.K = a.K / d
	}
	return out, true
}

// Ratio is form/den with den > 0; rounded up in a lower bound, down in an upper one.
type Ratio struct {
	Form Affine
	Den  int64
}

// BoundList splits a bound into affine parts: a lower bound is the greatest of ⌈form/den⌉, an upper bound
// the least of ⌊form/den⌋. The parts are always necessary; exact tells whether they are also sufficient.
func BoundList(e *Expr, lower bool) (parts []Ratio, exact bool) {
	if a, ok := AffineOf(e); ok {
		return []Ratio{{a, 1}}, true
	}
	switch e.Op {
	case OpMax, OpMin:
		if (e.Op == OpMax) != lower {
			return nil, false
		}
		a, okA := BoundList(e.A, lower)
		b, okB := BoundList(e.B, lower)
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
func shiftedList(e *Expr, lower bool) ([]Ratio, bool) {
	inner, shift, sign := e.A, e.B, int64(1)
	if e.Op == OpSub {
		sign = -1
	}
	s, ok := AffineOf(shift)
	if !ok && e.Op == OpAdd {
		inner, shift = e.B, e.A
		s, ok = AffineOf(shift)
	}
	if !ok {
		return nil, false
	}
	parts, exact := BoundList(inner, lower)
	for i, p := range parts {
		parts[i] = Ratio{p.Form.Plus(s, sign*p.Den), p.Den}
	}
	return parts, exact
}

// scaledList handles positive constant × list, where nothing is divided yet.
func scaledList(e *Expr, lower bool) ([]Ratio, bool) {
	inner, factor := e.A, e.B
	if inner.Op == OpConst {
		inner, factor = factor, inner
	}
	if factor.Op != OpConst || factor.K <= 0 {
		return nil, false
	}
	parts, exact := BoundList(inner, lower)
	for i, p := range parts {
		if p.Den != 1 {
			return nil, false
		}
		parts[i].Form = p.Form.Scaled(factor.K)
	}
	return parts, exact
}

// dividedList handles a list divided by a positive constant; both roundings are monotone.
func dividedList(e *Expr, lower bool) ([]Ratio, bool) {
	if e.B.Op != OpConst || e.B.K <= 0 {
		return nil, false
	}
	d := e.B.K
	parts, exact := BoundList(e.A, lower)
	for i, p := range parts {
		if p.Den != 1 {
			return nil, false
		}
		switch {
		case lower && e.Op == OpFloorDiv: // ⌊a/d⌋ = ⌈(a−d+1)/d⌉
			p.Form.K -= d - 1
		case !lower && e.Op == OpCeilDiv: // ⌈a/d⌉ = ⌊(a+d−1)/d⌋
			p.Form.K += d - 1
		}
		parts[i] = Ratio{p.Form, d}
	}
	return parts, exact
}

// Conjuncts splits a condition, or its negation, into parts that must all hold.
func Conjuncts(e *Expr, negate bool) []*Expr {
	switch {
	case e.Op == OpNot:
		return Conjuncts(e.A, !negate)
	case e.Op == OpAnd && !negate, e.Op == OpOr && negate:
		return append(Conjuncts(e.A, negate), Conjuncts(e.B, negate)...)
	case negate:
		return []*Expr{Unary(OpNot, e)}
	}
	return []*Expr{e}
}

// ConditionForms gives affine forms that are all ≥ 0 exactly when e holds.
func ConditionForms(e *Expr) ([]Affine, bool) {
	switch e.Op {
	case OpLt, OpLe, OpEq:
	default:
		return nil, false
	}
	if e.Op == OpEq {
		d, ok := Difference(e)
		return []Affine{d, d.Scaled(-1)}, ok
	}
	strict := Truth(e.Op == OpLt)
	if e.A.Op == OpMax || e.B.Op == OpMin { // max(a, b) ≤ c and a ≤ min(b, c) are conjunctions
		return splitCondition(e)
	}
	d, ok := Difference(e)
	d.K -= strict
	return []Affine{d}, ok
}

// splitCondition writes a comparison as affine forms that must not be negative, more than one where a side is the greatest or least of two;
// false where it cannot.
func splitCondition(e *Expr) ([]Affine, bool) {
	left, right := []*Expr{e.A}, []*Expr{e.B}
	if e.A.Op == OpMax {
		left = []*Expr{e.A.A, e.A.B}
	}
	if e.B.Op == OpMin {
		right = []*Expr{e.B.A, e.B.B}
	}
	var forms []Affine
	for _, l := range left {
		for _, r := range right {
			f, ok := ConditionForms(&Expr{Op: e.Op, A: l, B: r})
			if !ok {
				return nil, false
			}
			forms = append(forms, f...)
		}
	}
	return forms, true
}

// Difference is B − A.
func Difference(e *Expr) (Affine, bool) {
	a, okA := AffineOf(e.A)
	b, okB := AffineOf(e.B)
	if !okA || !okB {
		return Affine{}, false
	}
	return b.Plus(a, -1), true
}

// Variables lists what the expressions use, sorted.
func Variables(es ...*Expr) []Var {
	var vs []Var
	for _, e := range es {
		e.EachVar(func(v Var) { vs = append(vs, v) })
	}
	slices.Sort(vs)
	return slices.Compact(vs)
}
