package value

import (
	"cmp"
	"math/bits"
	"slices"

	"foresee/application/csource/parse"
	"foresee/application/nest/expr"
)

// Linear is the sum of a constant, loop variables times coefficients, and other expressions times coefficients.
type Linear struct {
	K     int64
	Vars  map[expr.Var]int64
	atoms []atom
}

// atom is a part of a sum that is no variable, such as a quotient, and what it is multiplied by.
type atom struct {
	coef int64
	expr *expr.Expr
}

// LinearOf splits an expression; false when a coefficient overflows.
func LinearOf(e *expr.Expr) (Linear, bool) {
	r := Linear{Vars: map[expr.Var]int64{}}
	ok := r.add(e, 1)
	return r, ok
}

// Quotient is an expression divided by a positive number that divides each of its terms; nil where it does not.
func Quotient(e *expr.Expr, by int64) *expr.Expr {
	sum, ok := LinearOf(e)
	if !ok || by <= 0 {
		return nil
	}
	whole := Linear{K: sum.K / by, Vars: map[expr.Var]int64{}}
	rest := sum.K % by
	for v, k := range sum.Vars {
		whole.Vars[v] = k / by
		rest |= k % by
	}
	for _, a := range sum.atoms {
		whole.atoms = append(whole.atoms, atom{a.coef / by, a.expr})
		rest |= a.coef % by
	}
	if rest != 0 {
		return nil
	}
	return whole.Expr()
}

// Steps gives of an expression the constant part, and the greatest number that divides all it changes by; 0 of a constant. It is false where it is no sum.
func Steps(e *expr.Expr) (from, step int64, ok bool) {
	all := Spreads(e, func(expr.Var) expr.Range { return expr.Whole })
	if len(all) == 0 {
		return 0, 0, false
	}
	return all[0].From, all[0].Step, true
}

// Spread is places of bytes: from one on over so many, and again so many further; once where Step is 0.
type Spread struct{ From, Extent, Step int64 }

// Spreads gives where an expression comes to, each of which holds all its values: each with terms that change by more taken as steps, and by less as extents,
// which need their variables to have bounds. None where it is no sum.
func Spreads(e *expr.Expr, ranges func(expr.Var) expr.Range) (all []Spread) {
	sum, ok := LinearOf(e)
	if !ok {
		return nil
	}
	type term struct {
		coef   int64
		within expr.Range
	}
	var terms []term
	for v, k := range sum.Vars {
		terms = append(terms, term{k, ranges(v)})
	}
	for _, a := range sum.atoms {
		terms = append(terms, term{a.coef, a.expr.Interval(ranges)})
	}
	slices.SortFunc(terms, func(a, b term) int {
		return cmp.Or(cmp.Compare(max(a.coef, -a.coef), max(b.coef, -b.coef)), cmp.Compare(a.coef, b.coef), cmp.Compare(a.within.Lo, b.within.Lo), cmp.Compare(a.within.Hi, b.within.Hi))
	})
	s := Spread{From: sum.K}
	for i := 0; ; i++ {
		s.Step = 0
		for _, t := range terms[i:] {
			s.Step = Divisor(s.Step, t.coef)
		}
		if all = append(all, s); i == len(terms) {
			return all
		}
		t := terms[i]
		low, fits := mul64(t.coef, t.within.Lo)
		high, fit := mul64(t.coef, t.within.Hi)
		if !fits || !fit || t.within.Lo <= expr.Whole.Lo || t.within.Hi >= expr.Whole.Hi {
			return all
		}
		if low > high {
			low, high = high, low
		}
		if !sum64(&s.From, low) || !sum64(&s.Extent, high-low) {
			return all
		}
	}
}

// Divisor is the greatest number that divides two.
func Divisor(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

// Split takes an expression apart into so many times a number and a rest, whose coefficients are nearer to 0 than half of it; false where it is no sum.
func Split(e *expr.Expr, by int64) (times, rest *expr.Expr, ok bool) {
	sum, ok := LinearOf(e)
	if !ok || by <= 0 {
		return nil, nil, false
	}
	nearest := func(k int64) int64 { return expr.FloorDiv(k+by/2, by) }
	q, r := Linear{K: nearest(sum.K), Vars: map[expr.Var]int64{}}, Linear{Vars: map[expr.Var]int64{}}
	r.K = sum.K - q.K*by
	for v, k := range sum.Vars {
		q.Vars[v] = nearest(k)
		r.Vars[v] = k - q.Vars[v]*by
	}
	for _, a := range sum.atoms {
		n := nearest(a.coef)
		q.atoms = append(q.atoms, atom{n, a.expr})
		r.atoms = append(r.atoms, atom{a.coef - n*by, a.expr})
	}
	return q.Expr(), r.Expr(), true
}

// add adds c·e.
func (r *Linear) add(e *expr.Expr, c int64) bool {
	switch e.Op {
	case expr.OpConst:
		v, ok := mul64(e.K, c)
		return ok && sum64(&r.K, v)
	case expr.OpVar:
		return r.addVar(expr.Var(e.K), c)
	case expr.OpAdd:
		return r.add(e.A, c) && r.add(e.B, c)
	case expr.OpSub:
		return r.add(e.A, c) && r.add(e.B, -c)
	case expr.OpNeg:
		return r.add(e.A, -c)
	case expr.OpMul:
		if a, ok := Constant(e.A); ok {
			v, ok := mul64(a, c)
			return ok && r.add(e.B, v)
		}
		if b, ok := Constant(e.B); ok {
			v, ok := mul64(b, c)
			return ok && r.add(e.A, v)
		}
	}
	return r.addAtom(tidy(e), c)
}

// tidy brings the operands of an operator that is not linear into order.
func tidy(e *expr.Expr) *expr.Expr {
	switch {
	case e.A == nil:
		return e
	case e.Op == expr.OpCond:
		return expr.Conditional(e.A, Normal(e.B), Normal(e.C))
	case e.B == nil || e.Op == expr.OpMul:
		return e
	}
	return expr.Binary(e.Op, Normal(e.A), Normal(e.B))
}

// Constant is the value of an expression without variables.
func Constant(e *expr.Expr) (int64, bool) { return e.K, e.Op == expr.OpConst }

// TryConstant is the value of an expression that may not be known: nil, or failed with an error.
func TryConstant(e *expr.Expr, err *parse.Error) (int64, bool) {
	if e == nil || err != nil {
		return 0, false
	}
	return Constant(Normal(e))
}

// addVar adds a variable so many times; false when the sum overflows.
func (r *Linear) addVar(v expr.Var, c int64) bool {
	s := r.Vars[v]
	ok := sum64(&s, c)
	if r.Vars[v] = s; s == 0 {
		delete(r.Vars, v)
	}
	return ok
}

// addAtom adds an atom so many times.
func (r *Linear) addAtom(e *expr.Expr, c int64) bool {
	for i := range r.atoms {
		if expr.Equal(r.atoms[i].expr, e) {
			ok := sum64(&r.atoms[i].coef, c)
			if r.atoms[i].coef == 0 {
				r.atoms = slices.Delete(r.atoms, i, i+1)
			}
			return ok
		}
	}
	r.atoms = append(r.atoms, atom{c, e})
	return true
}

func mul64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(Magnitude(a), Magnitude(b))
	return a * b, hi == 0 && lo <= 1<<62
}

// Magnitude is the absolute value, which of the smallest integer is no int64.
func Magnitude(a int64) uint64 {
	if a < 0 {
		return uint64(-a)
	}
	return uint64(a)
}

func sum64(a *int64, b int64) bool {
	s := *a + b
	ok := (s > *a) == (b > 0) || b == 0
	*a = s
	return ok && s > -1<<62 && s < 1<<62
}

// Expr writes the sum back as an expression: what is added, what is taken off, the constant.
func (r Linear) Expr() *expr.Expr {
	var sum *expr.Expr
	term := func(e *expr.Expr, c int64) {
		switch {
		case sum == nil && c >= 0:
			sum = expr.Binary(expr.OpMul, e, expr.Int(c))
		case sum == nil:
			sum = expr.Binary(expr.OpSub, expr.Int(r.K), expr.Binary(expr.OpMul, e, expr.Int(-c)))
			r.K = 0
		case c < 0:
			sum = expr.Binary(expr.OpSub, sum, expr.Binary(expr.OpMul, e, expr.Int(-c)))
		default:
			sum = expr.Binary(expr.OpAdd, sum, expr.Binary(expr.OpMul, e, expr.Int(c)))
		}
	}
	vars := make([]expr.Var, 0, len(r.Vars))
	for v := range r.Vars {
		vars = append(vars, v)
	}
	slices.Sort(vars)
	for _, positive := range []bool{true, false} {
		for _, v := range vars {
			if c := r.Vars[v]; (c > 0) == positive {
				term(expr.Ref(v), c)
			}
		}
		for _, a := range r.atoms {
			if (a.coef > 0) == positive {
				term(a.expr, a.coef)
			}
		}
	}
	switch {
	case sum == nil:
		return expr.Int(r.K)
	case r.K < 0:
		return expr.Binary(expr.OpSub, sum, expr.Int(-r.K))
	}
	return expr.Binary(expr.OpAdd, sum, expr.Int(r.K))
}

// Normal brings an expression into the order of linear, so that equal ones look equal.
func Normal(e *expr.Expr) *expr.Expr {
	if e.Op == expr.OpConst {
		return e
	}
	r, ok := LinearOf(e)
	if !ok {
		return e
	}
	return r.Expr()
}

// minus is a-b when it is a constant.
func minus(a, b *expr.Expr) (int64, bool) {
	r := Linear{Vars: map[expr.Var]int64{}}
	if !r.add(a, 1) || !r.add(b, -1) || len(r.Vars)+len(r.atoms) > 0 {
		return 0, false
	}
	return r.K, true
}

// Plain tells whether nothing but the constant and variables is in the sum.
func (r Linear) Plain() bool { return len(r.atoms) == 0 }

// Uses tells whether e mentions v.
func Uses(e *expr.Expr, v expr.Var) bool {
	found := false
	e.EachVar(func(w expr.Var) { found = found || w == v })
	return found
}

// Scaled is the sum times c.
func (r Linear) Scaled(c int64) Linear {
	s := Linear{K: r.K * c, Vars: map[expr.Var]int64{}}
	for v, k := range r.Vars {
		s.Vars[v] = k * c
	}
	for _, a := range r.atoms {
		s.atoms = append(s.atoms, atom{a.coef * c, a.expr})
	}
	return s
}

// Nodes is the number of nodes of an expression.
func Nodes(e *expr.Expr) int {
	if e == nil {
		return 0
	}
	return 1 + Nodes(e.A) + Nodes(e.B) + Nodes(e.C)
}
