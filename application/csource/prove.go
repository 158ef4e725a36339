package csource

import (
	"foresee/application/nest"
)

// limit holds the first and last value of a loop variable, the smaller first; nil: not known.
type limit struct{ lo, hi *nest.Expr }

// under runs f where the condition c holds.
func (l *lowerer) under(c *nest.Expr, f func()) {
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
func (l *lowerer) atLeast(e *nest.Expr) bool {
	if size(e) > maxProven {
		return false
	}
	budget := maxProof
	if l.prove(e, &budget) {
		return true
	}
	var known []*nest.Expr
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
			if l.prove(nest.Binary(nest.OpSub, e, nest.Binary(nest.OpMul, g, nest.Int(k))), &budget) {
				return true
			}
		}
	}
	return false
}

// inequalities appends what a condition says as expressions ≥ 0.
func (l *lowerer) inequalities(c *nest.Expr, all []*nest.Expr) []*nest.Expr {
	less := func(a, b *nest.Expr, by int64) *nest.Expr {
		return nest.Binary(nest.OpSub, nest.Binary(nest.OpSub, b, a), nest.Int(by))
	}
	switch c.Op {
	case nest.OpLt:
		return append(all, less(c.A, c.B, 1))
	case nest.OpLe:
		return append(all, less(c.A, c.B, 0))
	case nest.OpEq:
		return append(all, less(c.A, c.B, 0), less(c.B, c.A, 0))
	case nest.OpAnd:
		return l.inequalities(c.B, l.inequalities(c.A, all))
	case nest.OpNe:
		if d := normal(less(c.B, c.A, 0)); l.interval(d).Lo >= 0 {
			return append(all, less(c.B, c.A, 1))
		}
	case nest.OpVar:
		if l.interval(c).Lo >= 0 {
			return append(all, less(nest.Int(0), c, 1))
		}
	}
	return all
}

// prove replaces loop variables, the innermost first, by the bound where e is smallest.
func (l *lowerer) prove(e *nest.Expr, budget *int) bool {
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
	v := nest.Var(-1)
	for w := range r.vars {
		v = max(v, w)
	}
	if v < 0 {
		return false
	}
	k := r.vars[v]
	for _, b := range l.ends(v, k > 0) {
		d := nest.Binary(nest.OpMul, nest.Binary(nest.OpSub, b, nest.Ref(v)), nest.Int(k))
		if l.prove(nest.Binary(nest.OpAdd, e, d), budget) {
			return true
		}
	}
	return false
}

// proveAtom takes min, max and ?: apart.
func (l *lowerer) proveAtom(r linear, i int, a atom, budget *int) (done, proven bool) {
	with := func(x *nest.Expr) bool {
		d := nest.Binary(nest.OpMul, nest.Binary(nest.OpSub, x, a.expr), nest.Int(a.coef))
		return l.prove(nest.Binary(nest.OpAdd, r.expr(), d), budget)
	}
	switch a.expr.Op {
	case nest.OpMin, nest.OpMax:
		if (a.expr.Op == nest.OpMin) == (a.coef > 0) {
			return true, with(a.expr.A) && with(a.expr.B)
		}
		return true, with(a.expr.A) || with(a.expr.B)
	case nest.OpCond:
		return true, with(a.expr.B) && with(a.expr.C)
	}
	return false, false
}

// ends are bounds of a loop variable from below or above.
func (l *lowerer) ends(v nest.Var, lower bool) []*nest.Expr {
	e, op := l.limits[v].hi, nest.OpMin
	if lower {
		e, op = l.limits[v].lo, nest.OpMax
	}
	switch {
	case e == nil:
		return nil
	case e.Op == op:
		return []*nest.Expr{e.A, e.B}
	}
	return []*nest.Expr{e}
}
