package nest

import (
	"errors"
	"fmt"

	"foresee/application/nest/expr"
)

// Check reports what makes a program impossible to analyse: divisions by zero, numbers that do not fit,
// worksharing loops where OpenMP has none, accesses in front of their object.
func Check(p *Program) error {
	c := newChecker(p)
	c.nodes(p.Body, false)
	return errors.Join(c.errs...)
}

// checker looks for what makes a program one that cannot be answered for.
type checker struct {
	box     []expr.Range
	seen    []bool // the variable has a loop
	open    []bool // its loop is around the place being checked
	around  []*Loop
	errs    []error
	extents map[*Object]int64
}

// maxErrors is how many errors are told. Chosen.
const maxErrors = 10

func newChecker(p *Program) *checker {
	n := len(p.Vars)
	return &checker{box: make([]expr.Range, n), seen: make([]bool, n), open: make([]bool, n)}
}

func (c *checker) fail(pos Pos, format string, args ...any) {
	if len(c.errs) < maxErrors {
		c.errs = append(c.errs, fmt.Errorf("%s: %w", pos, fmt.Errorf(format, args...)))
	}
}

func (c *checker) at(v expr.Var) expr.Range {
	if v < 0 || int(v) >= len(c.box) { // reported where it is used
		return expr.Whole
	}
	return c.box[v]
}

// nodes checks nodes; working says that a worksharing loop is around them.
func (c *checker) nodes(nodes []Node, working bool) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Loop:
			c.loop(n, working)
		case *If:
			c.expr(n.Cond, n.Pos, "condition")
			c.nodes(n.Then, working)
			c.nodes(n.Else, working)
		case *Stmt:
			for _, a := range n.Accesses {
				c.access(a)
			}
		case *Parallel:
			c.nodes(n.Body, false)
		case *Single:
			c.nodes(n.Body, true)
		case *Critical:
			c.nodes(n.Body, true)
		case *Barrier:
			if working {
				c.fail(n.Pos, "a barrier inside a worksharing construct; OpenMP forbids it, move it out of the loop")
			}
		}
	}
}

// loop checks a loop, its bounds, and its body within them.
func (c *checker) loop(l *Loop, working bool) {
	switch {
	case l.Step == 0:
		c.fail(l.Pos, "a loop with step 0 never ends")
		return
	case int(l.Var) >= len(c.box) || l.Var < 0 || c.seen[l.Var]:
		c.fail(l.Pos, "two loops use variable number %d", l.Var)
		return
	case l.Work != nil && working:
		c.fail(l.Pos, "a worksharing loop inside a worksharing construct; OpenMP forbids it")
		return
	}
	c.seen[l.Var] = true
	lo, hi := c.expr(l.Lo, l.Pos, "first value"), c.expr(l.Hi, l.Pos, "last value")
	if l.Step < 0 {
		lo, hi = hi, lo
	}
	c.box[l.Var] = expr.Range{Lo: lo.Lo, Hi: max(lo.Lo, hi.Hi)}
	if l.Work != nil && l.Work.Collapse > 1 {
		c.collapse(l)
	}
	c.open[l.Var], c.around = true, append(c.around, l)
	c.nodes(l.Body, working || l.Work != nil)
	c.open[l.Var], c.around = false, c.around[:len(c.around)-1]
}

// collapse checks that collapsed loops have nothing between them, and bounds that do not depend on one another.
func (c *checker) collapse(l *Loop) {
	vars := map[expr.Var]bool{l.Var: true}
	for depth := 1; depth < l.Work.Collapse; depth++ {
		if len(l.Body) != 1 {
			c.fail(l.Pos, "collapse needs loops nested without code between them")
			return
		}
		next, ok := l.Body[0].(*Loop)
		if !ok {
			c.fail(l.Pos, "collapse needs loops nested without code between them")
			return
		}
		for _, v := range expr.Variables(next.Lo, next.Hi) {
			if vars[v] {
				c.fail(next.Pos, "collapse needs rectangular loops: the bounds use the outer loop's variable")
				return
			}
		}
		vars[next.Var] = true
		l = &Loop{Var: next.Var, Body: next.Body, Pos: next.Pos, Work: l.Work}
	}
}

func (c *checker) access(a *Access) {
	r := c.expr(a.Offset, a.Pos, "subscript of "+a.Text)
	if c.extents != nil {
		c.extents[a.Object] = max(c.extents[a.Object], r.Hi+a.Size)
	}
}

// expr checks that e can be evaluated everywhere without overflow or division by zero, and bounds it.
func (c *checker) expr(e *expr.Expr, pos Pos, what string) expr.Range {
	switch {
	case e == nil:
		return expr.Range{}
	case e.Op == expr.OpConst:
		return expr.Range{Lo: e.K, Hi: e.K}
	case e.Op == expr.OpVar:
		if int(e.K) >= len(c.open) || e.K < 0 || !c.open[e.K] {
			c.fail(pos, "the %s uses a loop variable outside its loop", what)
		}
		return c.at(expr.Var(e.K))
	}
	a, b := c.expr(e.A, pos, what), c.expr(e.B, pos, what)
	r := e.Combine(a, b, c.expr(e.C, pos, what))
	byZero := expr.Divides(e.Op) && b.Lo <= 0 && b.Hi >= 0
	if byZero && (b.Lo == 0) != (b.Hi == 0) && c.neverZero(e.B) {
		if b.Lo == 0 {
			b.Lo = 1
		} else {
			b.Hi = -1
		}
		byZero, r = false, e.Combine(a, b, expr.Range{})
	}
	switch {
	case byZero:
		c.fail(pos, "the %s may divide by zero", what)
	case r.Lo <= expr.Whole.Lo || r.Hi >= expr.Whole.Hi:
		c.fail(pos, "the %s may overflow 64-bit arithmetic; use smaller sizes", what)
	}
	return r
}

// neverZero tells whether a loop around the place would run no iteration if e were 0, as one of e·e iterations.
func (c *checker) neverZero(e *expr.Expr) bool {
	for _, l := range c.around {
		first, last := l.Lo.Replace(e, expr.Int(0)).Interval(c.at), l.Hi.Replace(e, expr.Int(0)).Interval(c.at)
		if l.Step > 0 && last.Hi < first.Lo || l.Step < 0 && last.Lo > first.Hi {
			return true
		}
	}
	return false
}

// privateStrides gives the distance between the threads' copies of each private object, in whole lines.
func privateStrides(p *Program, line int64) map[*Object]int64 {
	c := newChecker(p)
	c.extents = map[*Object]int64{}
	c.nodes(p.Body, false)
	out := map[*Object]int64{}
	for o, n := range c.extents {
		if o.Private {
			n = max(n, o.Bytes, 1)
			out[o] = (n + line - 1) / line * line
		}
	}
	return out
}

// greatest bounds e over the whole run.
func greatest(p *Program, e *expr.Expr) int64 {
	c := newChecker(p)
	c.nodes(p.Body, false)
	return e.Interval(c.at).Hi
}
