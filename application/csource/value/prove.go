package value

import (
	"foresee/application/nest/expr"
)

// Limit holds the first and last value of a loop variable, the smaller first; nil: not known.
type Limit struct{ Lo, Hi *expr.Expr }

// Under runs f where the condition c holds.
func (vs *Values) Under(c *expr.Expr, f func()) {
	vs.holds = append(vs.holds, c)
	defer func() { vs.holds = vs.holds[:len(vs.holds)-1] }()
	f()
}

// Holding is how many conditions hold here.
func (vs *Values) Holding() int { return len(vs.holds) }

// HeldSince are the conditions that hold beyond the first n.
func (vs *Values) HeldSince(n int) []*expr.Expr { return vs.holds[n:] }

// Limits of a proof: its steps, and the nodes of what is proven.
const (
	maxProof  = 200
	maxProven = 100
)

// atLeast proves that e ≥ 0 from the bounds of the loops and the conditions around.
func (vs *Values) atLeast(e *expr.Expr) bool {
	if Nodes(e) > maxProven {
		return false
	}
	budget := maxProof
	if vs.prove(e, &budget) {
		return true
	}
	var known []*expr.Expr
	for _, c := range vs.holds {
		known = vs.inequalities(c, known)
	}
	r, ok := LinearOf(e)
	if !ok {
		return false
	}
	for _, g := range known {
		times := map[int64]bool{1: true}
		if s, ok := LinearOf(g); ok {
			for v, k := range s.Vars {
				if q := r.Vars[v]; q != 0 && q%k == 0 && q/k > 0 {
					times[q/k] = true
				}
			}
		}
		for k := range times {
			if vs.prove(expr.Binary(expr.OpSub, e, expr.Binary(expr.OpMul, g, expr.Int(k))), &budget) {
				return true
			}
		}
	}
	return false
}

// inequalities appends what a condition says as expressions ≥ 0.
func (vs *Values) inequalities(c *expr.Expr, all []*expr.Expr) []*expr.Expr {
	less := func(a, b *expr.Expr, by int64) *expr.Expr {
		return expr.Binary(expr.OpSub, expr.Binary(expr.OpSub, b, a), expr.Int(by))
	}
	switch c.Op {
	case expr.OpLt:
		return append(all, less(c.A, c.B, 1))
	case expr.OpLe:
		return append(all, less(c.A, c.B, 0))
	case expr.OpEq:
		return append(all, less(c.A, c.B, 0), less(c.B, c.A, 0))
	case expr.OpAnd:
		return vs.inequalities(c.B, vs.inequalities(c.A, all))
	case expr.OpNe:
		if d := Normal(less(c.B, c.A, 0)); vs.Interval(d).Lo >= 0 {
			return append(all, less(c.B, c.A, 1))
		}
	case expr.OpVar:
		if vs.Interval(c).Lo >= 0 {
			return append(all, less(expr.Int(0), c, 1))
		}
	}
	return all
}

// prove replaces loop variables, the innermost first, by the bound where e is smallest.
func (vs *Values) prove(e *expr.Expr, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	r, ok := LinearOf(e)
	if !ok {
		return false
	}
	if e = r.Expr(); vs.Interval(e).Lo >= 0 {
		return true
	}
	for i, a := range r.atoms {
		if done, ok := vs.proveAtom(r, i, a, budget); done {
			return ok
		}
	}
	v := expr.Var(-1)
	for w := range r.Vars {
		v = max(v, w)
	}
	if v < 0 {
		return false
	}
	k := r.Vars[v]
	for _, b := range vs.ends(v, k > 0) {
		d := expr.Binary(expr.OpMul, expr.Binary(expr.OpSub, b, expr.Ref(v)), expr.Int(k))
		if vs.prove(expr.Binary(expr.OpAdd, e, d), budget) {
			return true
		}
	}
	return false
}

// proveAtom takes min, max and ?: apart.
func (vs *Values) proveAtom(r Linear, i int, a atom, budget *int) (done, proven bool) {
	with := func(x *expr.Expr) bool {
		d := expr.Binary(expr.OpMul, expr.Binary(expr.OpSub, x, a.expr), expr.Int(a.coef))
		return vs.prove(expr.Binary(expr.OpAdd, r.Expr(), d), budget)
	}
	switch a.expr.Op {
	case expr.OpMin, expr.OpMax:
		if (a.expr.Op == expr.OpMin) == (a.coef > 0) {
			return true, with(a.expr.A) && with(a.expr.B)
		}
		return true, with(a.expr.A) || with(a.expr.B)
	case expr.OpCond:
		return true, with(a.expr.B) && with(a.expr.C)
	case expr.OpMul:
		for _, x := range [][2]*expr.Expr{{a.expr.A, a.expr.B}, {a.expr.B, a.expr.A}} {
			if x[1].Op != expr.OpVar || vs.Interval(x[0]).Lo <= 0 {
				continue
			}
			for _, b := range vs.ends(expr.Var(x[1].K), a.coef > 0) {
				bound := expr.Binary(expr.OpMul, x[0], b)
				if a.coef < 0 {
					bound = TimesAtMost(x[0], b)
				}
				if with(bound) {
					return true, true
				}
			}
		}
	}
	return false, false
}

// TimesAtMost bounds the product of what is positive with an expression in which something may be divided by it.
func TimesAtMost(factor, e *expr.Expr) *expr.Expr {
	switch {
	case e.Op == expr.OpMax || e.Op == expr.OpMin:
		return expr.Binary(e.Op, TimesAtMost(factor, e.A), TimesAtMost(factor, e.B))
	case (e.Op == expr.OpAdd || e.Op == expr.OpSub) && e.B.Op == expr.OpConst:
		return expr.Binary(e.Op, TimesAtMost(factor, e.A), expr.Binary(expr.OpMul, factor, e.B))
	case e.Op == expr.OpCeilDiv && expr.Equal(e.B, factor): // rounded up by less than the factor
		return expr.Binary(expr.OpAdd, e.A, expr.Binary(expr.OpSub, factor, expr.Int(1)))
	case e.Op == expr.OpFloorDiv && expr.Equal(e.B, factor):
		return e.A
	}
	return expr.Binary(expr.OpMul, factor, e)
}

// ends are bounds of a loop variable from below or above.
func (vs *Values) ends(v expr.Var, lower bool) []*expr.Expr {
	e, op := vs.Limits[v].Hi, expr.OpMin
	if lower {
		e, op = vs.Limits[v].Lo, expr.OpMax
	}
	switch {
	case e == nil:
		return nil
	case e.Op == op:
		return []*expr.Expr{e.A, e.B}
	}
	return []*expr.Expr{e}
}

// Reduced is an expression without the choices between two that what is known of its variables decides.
func (vs *Values) Reduced(e *expr.Expr) *expr.Expr {
	switch {
	case e == nil || e.A == nil || e.Op == expr.OpBlockStart || e.Op == expr.OpGuidedStart:
		return e
	case e.Op == expr.OpCond:
		return expr.Conditional(vs.Reduced(e.A), vs.Reduced(e.B), vs.Reduced(e.C))
	case e.B == nil:
		return expr.Unary(e.Op, vs.Reduced(e.A))
	}
	a, b := vs.Reduced(e.A), vs.Reduced(e.B)
	if e.Op == expr.OpMin || e.Op == expr.OpMax {
		switch least := e.Op == expr.OpMin; {
		case vs.atLeast(expr.Binary(expr.OpSub, a, b)):
			if least {
				return b
			}
			return a
		case vs.atLeast(expr.Binary(expr.OpSub, b, a)):
			if least {
				return a
			}
			return b
		}
	}
	return expr.Binary(e.Op, a, b)
}
