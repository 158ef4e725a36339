package value

import (
	"math/big"
	"slices"

	"foresee/application/nest/expr"
)

// Sum is what a term adds up to over the values of a variable from lo on, in steps, before it is at: a polynomial, by Faulhaber's formula. False where the
// term is none. The variable has its limits already where that matters.
func (vs *Values) Sum(term *expr.Expr, v expr.Var, lo, at *expr.Expr, step int64) (*expr.Expr, bool) {
	p := polynomials{}
	of, ok := p.of(vs.Reduced(term), v)
	if !ok {
		return nil, false
	}
	done := expr.Binary(expr.OpSub, at, lo)
	if step != 1 { // the term by the number of the iteration
		done = expr.Binary(expr.OpFloorDiv, done, expr.Int(step))
		if step < 0 {
			done = expr.Binary(expr.OpFloorDiv, expr.Binary(expr.OpSub, lo, at), expr.Int(-step))
		}
	}
	begin, ok1 := p.of(vs.Reduced(lo), -1)
	rounds, ok2 := p.of(vs.Reduced(done), -1)
	if !ok1 || !ok2 {
		return nil, false
	}
	number := p.atom(nil)
	of = of.Substitute(v, begin.With(big.NewRat(step, 1), []expr.Var{number}))
	sum := of.Antiderivative(number).Substitute(number, rounds)
	for _, m := range sum {
		if len(m.Vars) > mostPowers {
			return nil, false
		}
	}
	return p.written(sum)
}

// mostPowers bounds the factors of a product in a sum. Chosen: counters of loops as deep as people nest them.
const mostPowers = 6

// polynomials are made of expressions. What is not a polynomial of variables, such as the greater of two, is an atom: a variable of its own.
type polynomials struct{ atoms []*expr.Expr }

// firstAtom numbers the first atom, beyond all variables of loops.
const firstAtom = expr.Var(1 << 24)

// atom is a variable for an expression.
func (p *polynomials) atom(e *expr.Expr) expr.Var {
	for i, a := range p.atoms {
		if e != nil && expr.Equal(a, e) {
			return firstAtom + expr.Var(i)
		}
	}
	p.atoms = append(p.atoms, e)
	return firstAtom + expr.Var(len(p.atoms)-1)
}

// of is an expression as a polynomial; false where an atom depends on a variable of which it has to be one.
func (p *polynomials) of(e *expr.Expr, v expr.Var) (expr.Polynomial, bool) {
	switch e.Op {
	case expr.OpConst:
		return expr.Constant(e.K), true
	case expr.OpVar:
		return expr.Polynomial{}.With(big.NewRat(1, 1), []expr.Var{expr.Var(e.K)}), true
	case expr.OpNeg:
		a, ok := p.of(e.A, v)
		return expr.Constant(-1).Times(a), ok
	case expr.OpAdd, expr.OpSub, expr.OpMul:
		a, ok1 := p.of(e.A, v)
		b, ok2 := p.of(e.B, v)
		switch {
		case !ok1 || !ok2 || len(a)*len(b) > maxProven:
			return nil, false
		case e.Op == expr.OpMul:
			return a.Times(b), true
		case e.Op == expr.OpSub:
			b = expr.Constant(-1).Times(b)
		}
		return a.Plus(b), true
	case expr.OpFloorDiv, expr.OpDiv:
		if e.B.Op == expr.OpConst && e.B.K != 0 {
			a, ok := p.of(e.A, v)
			if q := a.Times(expr.Polynomial{}.With(big.NewRat(1, e.B.K), nil)); ok && isWhole(q) {
				return q, true
			}
		}
	}
	if v >= 0 && Uses(e, v) {
		return nil, false
	}
	return expr.Polynomial{}.With(big.NewRat(1, 1), []expr.Var{p.atom(e)}), true
}

// mostPoints bounds the points at which a polynomial is tried. Chosen: three variables of degree seven.
const mostPoints = 512

// isWhole tells whether a polynomial has whole values wherever its variables have: it has where each is 0 up to its highest power.
func isWhole(p expr.Polynomial) bool {
	degree := map[expr.Var]int{}
	var vars []expr.Var
	for _, m := range p {
		for i, v := range m.Vars {
			n := 1
			for i >= n && m.Vars[i-n] == v {
				n++
			}
			if degree[v] == 0 {
				vars = append(vars, v)
			}
			degree[v] = max(degree[v], n)
		}
	}
	points := 1
	for _, v := range vars {
		if points *= degree[v] + 1; points > mostPoints {
			return false
		}
	}
	for point := range points {
		at := map[expr.Var]int64{}
		for _, v := range vars {
			at[v] = int64(point % (degree[v] + 1))
			point /= degree[v] + 1
		}
		sum := new(big.Rat)
		for _, m := range p {
			x := new(big.Rat).Set(m.C)
			for _, v := range m.Vars {
				x.Mul(x, big.NewRat(at[v], 1))
			}
			sum.Add(sum, x)
		}
		if !sum.IsInt() {
			return false
		}
	}
	return true
}

// written is a polynomial as an expression: its whole part, and the rest as a quotient that leaves no remainder.
func (p *polynomials) written(sum expr.Polynomial) (*expr.Expr, bool) {
	den := big.NewInt(1)
	for _, m := range sum {
		g := new(big.Int).GCD(nil, nil, den, m.C.Denom())
		den.Mul(den, new(big.Int).Quo(m.C.Denom(), g))
	}
	whole, rest := expr.Int(0), expr.Int(0)
	for _, m := range sum {
		to, c := &whole, new(big.Int).Set(m.C.Num())
		if !m.C.IsInt() {
			to, c = &rest, c.Mul(c, new(big.Int).Quo(den, m.C.Denom()))
		}
		if !c.IsInt64() || Magnitude(c.Int64()) > 1<<40 {
			return nil, false
		}
		*to = expr.Binary(expr.OpAdd, *to, expr.Binary(expr.OpMul, p.product(m.Vars), expr.Int(c.Int64())))
	}
	if !den.IsInt64() {
		return nil, false
	}
	return Normal(expr.Binary(expr.OpAdd, whole, expr.Binary(expr.OpFloorDiv, Normal(rest), expr.Int(den.Int64())))), true
}

// product multiplies variables and atoms.
func (p *polynomials) product(vars []expr.Var) *expr.Expr {
	out := expr.Int(1)
	for _, v := range slices.Backward(vars) {
		x := expr.Ref(v)
		if v >= firstAtom {
			x = p.atoms[v-firstAtom]
		}
		out = expr.Binary(expr.OpMul, x, out)
	}
	return out
}
