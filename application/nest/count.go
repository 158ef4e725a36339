package nest

import (
	"math/bits"
	"slices"

	"foresee/application/nest/expr"
)

// tooMany is where counts saturate; a stream this long is refused.
const tooMany = int64(1) << 61

// table holds, for one loop in one situation, the accesses before each iteration.
type table struct {
	prefix []int64 // prefix[i]: of iterations lo … lo+i−1
}

// measure finds the length of a body's executions where it has a closed form.
func (c *compiler) measure(b *body) {
	b.known, b.ends = true, lastOf(b.items)
	for _, it := range b.items {
		switch {
		case it.run != nil:
			b.poly = b.poly.Plus(expr.Constant(int64(len(it.run))))
		case it.loop != nil && it.loop.countKnown:
			b.poly = b.poly.Plus(it.loop.count)
		case it.loop == nil && it.side() != nil && it.side().known:
			b.poly = b.poly.Plus(it.side().poly)
		default:
			b.known = false
		}
	}
	const maxTerms = 100 // of a polynomial; chosen: longer ones take longer than a table
	if !b.known || len(b.poly) > maxTerms {
		b.known, b.poly = false, nil
		return
	}
	if len(b.poly) == 0 {
		b.fixed = true
	} else if len(b.poly) == 1 && len(b.poly[0].Vars) == 0 && b.poly[0].C.IsInt() && b.poly[0].C.Num().IsInt64() {
		b.fixed, b.size = true, b.poly[0].C.Num().Int64()
	}
}

// searchedItems is from how many items on a body has a list of where they end, to be searched. Chosen: fewer are looked through as fast.
const searchedItems = 16

// lastOf lists where the items of a long body end, if every execution makes as many accesses of each.
func lastOf(items []item) []int64 {
	if len(items) < searchedItems {
		return nil
	}
	ends, sum := make([]int64, len(items)), int64(0)
	for i := range items {
		switch it := &items[i]; {
		case it.run != nil:
			sum += int64(len(it.run))
		case it.loop != nil && it.loop.countKnown && isConstant(it.loop.count):
			sum += constantValue(it.loop.count)
		default:
			return nil
		}
		ends[i] = sum
	}
	return ends
}

// closeLoop finds closed forms for the accesses before an iteration and for all iterations.
func (c *compiler) closeLoop(l *loop, outer scope) {
	vars, size := c.dependencies(l)
	l.uses = slices.DeleteFunc(vars, func(v expr.Var) bool { return v == l.v })
	if !l.body.known {
		l.uniform = len(vars) == len(l.uses) && size <= mostUniform
		return
	}
	sum := l.body.poly.Antiderivative(l.v)
	compiled, ok := sum.Compile(l.v, c.box)
	if !ok || compiled.Degree() > expr.MaxDegree {
		return
	}
	l.sum = compiled
	if !l.loExact || !l.hiExact || len(l.lo) != 1 || len(l.hi) != 1 || l.lo[0].Den != 1 || l.hi[0].Den != 1 {
		return
	}
	lo, hi := l.lo[0].Form, l.hi[0].Form
	empty := lo.Plus(hi, -1)
	empty.K -= 2
	if c.possible(append(append([]expr.Affine{}, outer.bounds...), append(outer.conds, empty)...), outer.path, 20_000) {
		return
	}
	hi.K++
	count := sum.Substitute(l.v, expr.PolynomialOf(hi))
	for _, m := range sum.Substitute(l.v, expr.PolynomialOf(lo)) {
		count = count.Plus(expr.Polynomial{}.With(m.C, m.Vars).Times(expr.Constant(-1)))
	}
	l.count, l.countKnown = count, true
}

// possible tells whether the forms can all be ≥ 0 for integers in the box; true when it cannot tell after so many nodes of a search.
func (c *compiler) possible(forms []expr.Affine, path []*loop, nodes int64) bool {
	s := system{loops: len(path), size: len(path), positions: make([]int8, len(c.vars))}
	for i, l := range path {
		s.positions[l.v] = int8(i)
		s.start = append(s.start, c.box[l.v])
	}
	for _, f := range forms {
		k := s.constraint(f)
		k.settled = maxDepth + 1
		s.cons = append(s.cons, k)
	}
	var solve solver
	found, sure := solve.satisfiable(&s, nodes)
	return found || !sure
}

// mostUniform bounds the loops and conditions of a body that is counted anew instead of being looked up. Chosen: this many take as long as a look.
const mostUniform = 16

// dependencies lists the variables that the number of iterations of l and of loops below it depends on, those of l itself only where an iteration
// differs from another one, and counts the loops and conditions in it.
func (c *compiler) dependencies(l *loop) (vars []expr.Var, size int) {
	inner := map[expr.Var]bool{}
	vars = expr.Variables(l.loExpr, l.hiExpr)
	var scan func(b *body)
	scan = func(b *body) {
		for _, it := range b.items {
			switch {
			case it.loop != nil && it.loop.countKnown:
				size++
				for _, m := range it.loop.count {
					vars = append(vars, m.Vars...)
				}
			case it.loop != nil:
				size++
				inner[it.loop.v] = true
				vars = append(vars, expr.Variables(it.loop.loExpr, it.loop.hiExpr)...)
				scan(it.loop.body)
			case it.cond != nil:
				size++
				vars = append(vars, deciding(it.cond)...)
				scan(it.then)
				scan(it.els)
			}
		}
	}
	scan(l.body)
	slices.Sort(vars)
	return slices.DeleteFunc(slices.Compact(vars), func(v expr.Var) bool { return inner[v] }), size
}

// deciding lists the variables that a condition depends on; those of i < i + d are d alone.
func deciding(e *expr.Expr) []expr.Var {
	switch e.Op {
	case expr.OpAnd, expr.OpOr:
		return append(deciding(e.A), deciding(e.B)...)
	case expr.OpNot:
		return deciding(e.A)
	case expr.OpLt, expr.OpLe, expr.OpEq, expr.OpNe:
		if d, ok := expr.Difference(e); ok {
			var vars []expr.Var
			for _, t := range d.Terms {
				vars = append(vars, t.V)
			}
			return vars
		}
	}
	return expr.Variables(e)
}

// low is a loop's first value: the greatest of its lower bounds.
func (l *loop) low(env []int64) int64 {
	if !l.loExact {
		return l.loExpr.Eval(env)
	}
	r := int64(0)
	for i := range l.lo {
		x := l.lo[i].Form.Eval(env)
		if d := l.lo[i].Den; d != 1 {
			x = expr.CeilDiv(x, d)
		}
		if i == 0 || x > r {
			r = x
		}
	}
	return r
}

// high is a loop's last value: the least of its upper bounds.
func (l *loop) high(env []int64) int64 {
	if !l.hiExact {
		return l.hiExpr.Eval(env)
	}
	r := int64(0)
	for i := range l.hi {
		x := l.hi[i].Form.Eval(env)
		if d := l.hi[i].Den; d != 1 {
			x = expr.FloorDiv(x, d)
		}
		if i == 0 || x < r {
			r = x
		}
	}
	return r
}

// length counts the accesses of one execution of b.
func (c *cursor) length(b *body) int64 {
	if b.fixed {
		return b.size
	}
	s := int64(0)
	for i := range b.items {
		s += c.itemLength(&b.items[i])
	}
	return min(s, tooMany)
}

// itemLength is how many accesses an item makes.
func (c *cursor) itemLength(it *item) int64 {
	switch {
	case it.run != nil:
		return int64(len(it.run))
	case it.loop != nil:
		return c.loopLength(it.loop)
	case it.cond.Eval(c.env) != 0:
		return c.length(it.then)
	}
	return c.length(it.els)
}

// loopLength is how many accesses all iterations of a loop make.
func (c *cursor) loopLength(l *loop) int64 {
	lo, hi := l.low(c.env), l.high(c.env)
	if hi < lo {
		return 0
	}
	return c.prefix(l, lo, hi+1)
}

// prefix counts the accesses of iterations lo … x−1 of l, where lo is its first.
func (c *cursor) prefix(l *loop, lo, x int64) int64 {
	if x <= lo {
		return 0
	}
	switch {
	case l.body.fixed:
		return saturatingProduct(x-lo, l.body.size)
	case l.sum != nil:
		return l.sum.Between(c.env, lo, x)
	}
	if l.uniform {
		return saturatingProduct(x-lo, c.length(l.body))
	}
	t := c.table(l, lo)
	return t.prefix[min(x-lo, int64(len(t.prefix)-1))]
}

// saturatingProduct multiplies, up to tooMany.
func saturatingProduct(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi != 0 || lo > uint64(tooMany) {
		return tooMany
	}
	return int64(lo)
}

// recent is the table that a cursor last used for a loop, and where the outer variables stood then.
type recent struct {
	at    []int64
	table *table
}

// table finds or makes the prefix table of l for the cursor's outer variables.
func (c *cursor) table(l *loop, lo int64) *table {
	r := &c.recent[l.number]
	if r.table != nil && c.standsAt(l.uses, r.at) {
		return r.table
	}
	t := c.lookUp(l, lo)
	r.at = r.at[:0]
	for _, v := range l.uses {
		r.at = append(r.at, c.env[v])
	}
	r.table = t
	return t
}

// standsAt says whether the variables have these values.
func (c *cursor) standsAt(vars []expr.Var, at []int64) bool {
	for i, v := range vars {
		if c.env[v] != at[i] {
			return false
		}
	}
	return true
}

// lookUp finds the table by its key, in the cursor's own map or in the one that all share.
func (c *cursor) lookUp(l *loop, lo int64) *table {
	var buf [512]byte
	key := c.key(l, buf[:0])
	mine := c.tables[l.number]
	if t, ok := mine[string(key)]; ok {
		return t
	}
	l.mu.Lock()
	t, ok := l.tables[string(key)]
	l.mu.Unlock()
	if !ok {
		t = c.makeTable(l, lo)
		l.mu.Lock()
		l.tables[string(key)] = t
		l.mu.Unlock()
	}
	if mine == nil {
		mine = map[string]*table{}
		c.tables[l.number] = mine
	}
	mine[string(key)] = t
	return t
}

// entriesAtMost bounds the tables of a model, in entries of eight bytes.
const entriesAtMost = 24 << 20

// makeTable counts the accesses of the iterations before each one of a loop that has no closed form.
func (c *cursor) makeTable(l *loop, lo int64) *table {
	hi := l.high(c.env)
	if c.m.entries.Add(max(hi-lo+2, 1)) > entriesAtMost {
		c.m.exhausted.Store(true)
	}
	if c.m.exhausted.Load() { // whatever is counted now is thrown away
		return &table{prefix: []int64{0}}
	}
	t := &table{prefix: make([]int64, max(hi-lo+2, 1))}
	if all, fixed, ok := c.straights(l.body, l.v); ok {
		for x := lo; x <= hi; x++ {
			n := fixed
			for i := range all {
				n += all[i].at(x)
			}
			t.prefix[x-lo+1] = min(t.prefix[x-lo]+min(n, tooMany), tooMany)
		}
		return t
	}
	saved := c.env[l.v]
	for x := lo; x <= hi; x++ {
		c.env[l.v] = x
		t.prefix[x-lo+1] = min(t.prefix[x-lo]+c.length(l.body), tooMany)
	}
	c.env[l.v] = saved
	return t
}

// key identifies the situations in which l has the same table.
func (c *cursor) key(l *loop, buf []byte) []byte {
	if l.canonical != nil {
		return l.canonical.key(c.env, buf)
	}
	for _, v := range l.uses {
		buf = appendInt(buf, c.env[v])
	}
	return buf
}

func appendInt(buf []byte, v int64) []byte {
	u := uint64(v)
	return append(buf, byte(u), byte(u>>8), byte(u>>16), byte(u>>24), byte(u>>32), byte(u>>40), byte(u>>48), byte(u>>56))
}

// Most tables are of loops whose body holds innermost loops with bounds like max(0, w − i) and min(2w, n − 1 − i): of one variable, the rest standing
// still, these are straight lines, and a table is made of them much faster than by counting each iteration's accesses by themselves.

// line is a bound as a function of one variable.
type line struct{ slope, base, den int64 }

// straight is how many accesses an item makes, by one variable: size times the iterations from the greatest of the lower bounds to the least of the upper.
type straight struct {
	lo, hi []line
	size   int64
}

// lines are bounds as functions of v, the other variables being as they stand.
func lines(bounds []expr.Ratio, env []int64, v expr.Var) []line {
	out := make([]line, len(bounds))
	for i := range bounds {
		l := line{base: bounds[i].Form.K, den: bounds[i].Den}
		for _, t := range bounds[i].Form.Terms {
			if t.V == v {
				l.slope += t.C
			} else {
				l.base += t.C * env[t.V]
			}
		}
		out[i] = l
	}
	return out
}

// straights are the items of a body by the variable v, where all are runs and loops of this kind; fixed is what the runs make.
func (c *cursor) straights(b *body, v expr.Var) (all []straight, fixed int64, ok bool) {
	for i := range b.items {
		switch it := &b.items[i]; {
		case it.run != nil:
			fixed += int64(len(it.run))
		case it.loop != nil && it.loop.body.fixed && it.loop.loExact && it.loop.hiExact:
			all = append(all, straight{lines(it.loop.lo, c.env, v), lines(it.loop.hi, c.env, v), it.loop.body.size})
		default:
			return nil, 0, false
		}
	}
	return all, fixed, true
}

// at is how many accesses the item makes where the variable is x.
func (s *straight) at(x int64) int64 {
	var lo, hi int64
	for i := range s.lo {
		y := s.lo[i].base + s.lo[i].slope*x
		if d := s.lo[i].den; d != 1 {
			y = expr.CeilDiv(y, d)
		}
		if i == 0 || y > lo {
			lo = y
		}
	}
	for i := range s.hi {
		y := s.hi[i].base + s.hi[i].slope*x
		if d := s.hi[i].den; d != 1 {
			y = expr.FloorDiv(y, d)
		}
		if i == 0 || y < hi {
			hi = y
		}
	}
	if hi < lo {
		return 0
	}
	return saturatingProduct(hi-lo+1, s.size)
}
