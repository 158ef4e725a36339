package nest

import (
	"foresee/application/nest/expr"
)

// canonical makes keys that are equal for iterations of the outer loops that see the same inner iterations up
// to translation. Every inner variable is moved to its own origin; what is left of each bound and condition is
// one constant; and a bound that cannot bind, or a condition that cannot change, needs no constant at all. All
// full tiles of a tiled loop nest then share one table.
type canonical struct {
	loops []shape
	forms []form
	raw   []expr.Var // outer variables that enter the key as they are
}

// form is an affine form (≥ 0 where it is a bound) over inner variables; its constant comes from outside.
type form struct {
	outer  expr.Affine
	opaque *expr.Expr // instead of outer: sign × the value of an expression of outer variables
	sign   int64
	period int64   // not 0: only the value modulo this matters
	at     []uint8 // inner loops, as indices of canonical.loops
	co     []int64
}

// shape is one inner loop: the forms that bound it and its coefficient (den) in each.
type shape struct {
	lower, upper       []int
	lowerDen, upperDen []int64
}

// What a canonical form may hold; loops with more are counted each by itself. Chosen: nests are not so deep.
const (
	maxInner = 14 // loops
	maxForms = 64 // bounds, conditions and offsets
	// Constants of forms that hold always or never; no real constant is as large.
	always = int64(1) << 62
	never  = -always
)

// newCanonical describes l and the loops below it; nil when some bound does not fit.
func newCanonical(l *loop, box []expr.Range) *canonical {
	b := &canonicalBuilder{box: box, index: map[expr.Var]uint8{}, raw: map[expr.Var]bool{}}
	b.loop(l)
	if b.failed || len(b.c.loops) > maxInner || len(b.c.forms) > maxForms {
		return nil
	}
	for _, v := range l.uses {
		if b.raw[v] {
			b.c.raw = append(b.c.raw, v)
		}
	}
	return &b.c
}

// canonicalBuilder makes the canonical form of a loop: its shape with the variables around it left open, so that loops which differ in
// these alone are counted once.
type canonicalBuilder struct {
	box    []expr.Range
	c      canonical
	index  map[expr.Var]uint8
	raw    map[expr.Var]bool
	failed bool
}

// loop adds a loop and what is in it.
func (b *canonicalBuilder) loop(l *loop) {
	i := len(b.c.loops)
	if i >= maxInner {
		b.failed = true
		return
	}
	b.c.loops = append(b.c.loops, shape{})
	var s shape
	if l.loExact {
		for _, p := range l.lo {
			s.lower = append(s.lower, b.add(p.Form.Scaled(-1)))
			s.lowerDen = append(s.lowerDen, p.Den)
		}
	} else {
		s.lower, s.lowerDen = []int{b.addOpaque(l.loExpr, -1)}, []int64{1}
	}
	if l.hiExact {
		for _, p := range l.hi {
			s.upper = append(s.upper, b.add(p.Form))
			s.upperDen = append(s.upperDen, p.Den)
		}
	} else {
		s.upper, s.upperDen = []int{b.addOpaque(l.hiExpr, 1)}, []int64{1}
	}
	b.c.loops[i] = s
	b.index[l.v] = uint8(i)
	b.body(l.body)
}

// body adds loops, conditions and accesses in their order.
func (b *canonicalBuilder) body(x *body) {
	for _, it := range x.items {
		switch {
		case it.loop != nil:
			b.loop(it.loop)
		case it.cond != nil:
			b.condition(it.cond)
			b.body(it.then)
			b.body(it.els)
		}
	}
}

// condition adds the comparisons of a condition.
func (b *canonicalBuilder) condition(e *expr.Expr) {
	switch e.Op {
	case expr.OpAnd, expr.OpOr:
		b.condition(e.A)
		b.condition(e.B)
		return
	case expr.OpNot:
		b.condition(e.A)
		return
	case expr.OpLt, expr.OpLe, expr.OpEq, expr.OpNe:
		if d, ok := expr.Difference(e); ok {
			if e.Op == expr.OpLt {
				d.K--
			}
			b.add(d)
			if e.Op == expr.OpEq || e.Op == expr.OpNe {
				b.add(d.Scaled(-1))
			}
			return
		}
	}
	b.other(e)
}

// other takes in a condition that is not affine: remainders of affine forms only matter modulo the divisor, the
// rest must not use inner variables.
func (b *canonicalBuilder) other(e *expr.Expr) {
	if e == nil || e.Op == expr.OpConst {
		return
	}
	if e.Op == expr.OpMod && e.B.Op == expr.OpConst && e.B.K > 0 && e.A.Interval(b.at).Lo >= 0 {
		if a, ok := expr.AffineOf(e.A); ok {
			b.c.forms[b.add(a)].period = e.B.K
			return
		}
	}
	if e.Op == expr.OpVar {
		if _, inner := b.index[expr.Var(e.K)]; inner {
			b.failed = true
		}
		b.raw[expr.Var(e.K)] = true
		return
	}
	b.other(e.A)
	b.other(e.B)
	b.other(e.C)
}

func (b *canonicalBuilder) at(v expr.Var) expr.Range { return b.box[v] }

// add adds an affine form, its variables inside told from those around.
func (b *canonicalBuilder) add(a expr.Affine) int {
	f := form{outer: expr.Affine{K: a.K}}
	for _, t := range a.Terms {
		if i, inner := b.index[t.V]; inner {
			f.at = append(f.at, i)
			f.co = append(f.co, t.C)
		} else {
			f.outer.Terms = append(f.outer.Terms, t)
		}
	}
	b.c.forms = append(b.c.forms, f)
	return len(b.c.forms) - 1
}

// addOpaque adds a form that is not affine; it must not depend on variables inside.
func (b *canonicalBuilder) addOpaque(e *expr.Expr, sign int64) int {
	e.EachVar(func(v expr.Var) {
		if _, inner := b.index[v]; inner {
			b.failed = true
		}
	})
	b.c.forms = append(b.c.forms, form{opaque: e, sign: sign})
	return len(b.c.forms) - 1
}

// key appends the constants that matter.
func (c *canonical) key(env []int64, buf []byte) []byte {
	var k [maxForms]int64
	var bounds [maxForms]bool
	var redundant [maxForms]bool
	c.constants(env, &k)
	box := c.box(&k, &bounds, &redundant)
	for i := range c.forms {
		switch {
		case !bounds[i]:
			buf = appendInt(buf, c.forms[i].constantOf(k[i], &box))
		case redundant[i]:
			buf = appendInt(buf, always)
		default:
			buf = appendInt(buf, k[i])
		}
	}
	for _, v := range c.raw {
		buf = appendInt(buf, env[v])
	}
	return buf
}

// constants evaluates the forms with every inner variable at its origin: the first of its lower bounds, with
// the loops around it at theirs.
func (c *canonical) constants(env []int64, k *[maxForms]int64) {
	for i := range c.forms {
		f := &c.forms[i]
		if f.opaque != nil {
			k[i] = f.sign * f.opaque.Eval(env)
		} else {
			k[i] = f.outer.Eval(env)
		}
	}
	var origin [maxInner]int64
	for x := range c.loops {
		first := c.loops[x].lower[0]
		s := k[first]
		f := &c.forms[first]
		for i, y := range f.at {
			s += f.co[i] * origin[y]
		}
		origin[x] = expr.CeilDiv(-s, c.loops[x].lowerDen[0])
	}
	for i := range c.forms {
		f := &c.forms[i]
		for j, y := range f.at {
			k[i] += f.co[j] * origin[y]
		}
	}
	for x := range c.loops { // bounds hold the variable itself too, with coefficient ±den
		for i, f := range c.loops[x].lower {
			k[f] += c.loops[x].lowerDen[i] * origin[x]
		}
		for i, f := range c.loops[x].upper {
			k[f] -= c.loops[x].upperDen[i] * origin[x]
		}
	}
}

// box bounds the moved variables and finds the bounds that never bind.
func (c *canonical) box(k *[maxForms]int64, bounds, redundant *[maxForms]bool) [maxInner]expr.Range {
	var box [maxInner]expr.Range
	for x := range c.loops {
		s := &c.loops[x]
		var lows, highs [maxForms]expr.Range
		lo, hi := never, always
		for i, f := range s.lower {
			bounds[f] = true
			r := c.forms[f].interval(k[f], &box)
			lows[i] = expr.Range{Lo: expr.CeilDiv(-r.Hi, s.lowerDen[i]), Hi: expr.CeilDiv(-r.Lo, s.lowerDen[i])}
			lo = max(lo, lows[i].Lo)
		}
		for i, f := range s.upper {
			bounds[f] = true
			r := c.forms[f].interval(k[f], &box)
			highs[i] = expr.Range{Lo: expr.FloorDiv(r.Lo, s.upperDen[i]), Hi: expr.FloorDiv(r.Hi, s.upperDen[i])}
			hi = min(hi, highs[i].Hi)
		}
		for i, f := range s.lower {
			for j := range s.lower {
				redundant[f] = redundant[f] || dominates(lows[j].Lo, lows[i].Hi, j < i, j == i)
			}
		}
		for i, f := range s.upper {
			for j := range s.upper {
				redundant[f] = redundant[f] || dominates(-highs[j].Hi, -highs[i].Lo, j < i, j == i)
			}
		}
		box[x] = expr.Range{Lo: lo, Hi: max(lo, hi)}
	}
	return box
}

// dominates tells whether one bound is at least as strong as another everywhere: a ≥ b, and in a tie the
// earlier one is kept.
func dominates(a, b int64, earlier, same bool) bool {
	return !same && (a > b || a == b && earlier)
}

// interval is the range of a form over a box of the inner variables, k standing for the outer ones.
func (f *form) interval(k int64, box *[maxInner]expr.Range) expr.Range {
	r := expr.Range{Lo: k, Hi: k}
	for i, y := range f.at {
		if f.co[i] > 0 {
			r.Lo += f.co[i] * box[y].Lo
			r.Hi += f.co[i] * box[y].Hi
		} else {
			r.Lo += f.co[i] * box[y].Hi
			r.Hi += f.co[i] * box[y].Lo
		}
	}
	return r
}

// constantOf is a condition's constant, or that it holds always or never.
func (f *form) constantOf(k int64, box *[maxInner]expr.Range) int64 {
	if f.period != 0 {
		return k - expr.FloorDiv(k, f.period)*f.period
	}
	r := f.interval(k, box)
	switch {
	case r.Lo >= 0:
		return always
	case r.Hi < 0:
		return never
	}
	return k
}
