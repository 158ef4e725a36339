package csource

import (
	"foresee/application/nest/expr"
)

// limit holds the first and last value of a loop variable, the smaller first; nil: not known.
type limit struct{ lo, hi *expr.Expr }

// under runs f where the condition c holds.
func (l *lowerer) under(c *expr.Expr, f func()) {
	l.holds = append(l.holds, c)
	defer func() { l.holds = l.holds[:len(l.holds)-1] }()
	f()
}

// Limits of a proof: its steps, and the nodes of what is proven.
const (
	maxProof  = 200
	maxProven = 100
)

// atLeast proves that e ≥ 0 from the bounds of the loops and the conditions around.
func (l *lowerer) atLeast(e *expr.Expr) bool {
	if size(e) > maxProven {
		return false
	}
	budget := maxProof
	if l.prove(e, &budget) {
		return true
	}
	var known []*expr.Expr
	for _, c := range l.holds {
		known = l.inequalities(c, known)
	}
	r, ok := linearOf(e)
	if !ok {
		return false
	}
	for _, g := range known {
		times := map[int64]bool{1: true}
		if s, ok := linearOf(g); ok {
			for v, k := range s.vars {
				if q := r.vars[v]; q != 0 && q%k == 0 && q/k > 0 {
					times[q/k] = true
				}
			}
		}
		for k := range times {
			if l.prove(expr.Binary(expr.OpSub, e, expr.Binary(expr.OpMul, g, expr.Int(k))), &budget) {
				return true
			}
		}
	}
	return false
}

// inequalities appends what a condition says as expressions ≥ 0.
func (l *lowerer) inequalities(c *expr.Expr, all []*expr.Expr) []*expr.Expr {
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
		return l.inequalities(c.B, l.inequalities(c.A, all))
	case expr.OpNe:
		if d := normal(less(c.B, c.A, 0)); l.interval(d).Lo >= 0 {
			return append(all, less(c.B, c.A, 1))
		}
	case expr.OpVar:
		if l.interval(c).Lo >= 0 {
			return append(all, less(expr.Int(0), c, 1))
		}
	}
	return all
}

// prove replaces loop variables, the innermost first, by the bound where e is smallest.
func (l *lowerer) prove(e *expr.Expr, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	r, ok := linearOf(e)
	if !ok {
		return false
	}
	if e = r.expr(); l.interval(e).Lo >= 0 {
		return true
	}
	for i, a := range r.atoms {
		if done, ok := l.proveAtom(r, i, a, budget); done {
			return ok
		}
	}
	v := expr.Var(-1)
	for w := range r.vars {
		v = max(v, w)
	}
	if v < 0 {
		return false
	}
	k := r.vars[v]
	for _, b := range l.ends(v, k > 0) {
		d := expr.Binary(expr.OpMul, expr.Binary(expr.OpSub, b, expr.Ref(v)), expr.Int(k))
		if l.prove(expr.Binary(expr.OpAdd, e, d), budget) {
			return true
		}
	}
	return false
}

// proveAtom takes min, max and ?: apart.
func (l *lowerer) proveAtom(r linear, i int, a atom, budget *int) (done, proven bool) {
	with := func(x *expr.Expr) bool {
		d := expr.Binary(expr.OpMul, expr.Binary(expr.OpSub, x, a.expr), expr.Int(a.coef))
		return l.prove(expr.Binary(expr.OpAdd, r.expr(), d), budget)
	}
	switch a.expr.Op {
	case expr.OpMin, expr.OpMax:
		if (a.expr.Op == expr.OpMin) == (a.coef > 0) {
			return true, with(a.expr.A) && with(a.expr.B)
		}
		return true, with(a.expr.A) || with(a.expr.B)
	case expr.OpCond:
		return true, with(a.expr.B) && with(a.expr.C)
	}
	return false, false
}

// ends are bounds of a loop variable from below or above.
func (l *lowerer) ends(v expr.Var, lower bool) []*expr.Expr {
	e, op := l.limits[v].hi, expr.OpMin
	if lower {
		e, op = l.limits[v].lo, expr.OpMax
	}
	switch {
	case e == nil:
		return nil
	case e.Op == op:
		return []*expr.Expr{e.A, e.B}
	}
	return []*expr.Expr{e}
}
