package lower

import (
	"slices"

	"foresee/application/csource/value"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// row is what lies at an address that counts with a loop: of one iteration while the loop is followed, and of each from its end on. So are rows of a
// matrix found by the pointers to them that a loop stored one after the other.
type row struct {
	address *expr.Expr // in bytes of the object, in the counter that count is of
	size    int64
	v       val
	count   expr.Var
	stride  int64      // bytes from one iteration to the next; 0 while the loop is followed
	lo, hi  *expr.Expr // values of the counter
}

// at is the value of a row's counter where an address is that of the row; nil where it is no row's. While code is only looked at, the bounds of
// counters are not known yet, and are not asked for.
func (r *row) at(l *lowerer, address *expr.Expr) *expr.Expr {
	if r.stride == 0 {
		return nil
	}
	from := r.address.Substitute(map[expr.Var]*expr.Expr{r.count: expr.Int(0)})
	k := divided(minus(address, from), r.stride)
	if k == nil || l.dry == 0 && !(l.atLeastZero(minus(k, r.lo)) && l.atLeastZero(minus(r.hi, k))) {
		return nil
	}
	return k
}

// touched tells whether a write may change a row.
func (r *row) touched(address *expr.Expr, size int64) bool {
	if r.stride == 0 {
		d := minus(address, r.address)
		return d.Op != expr.OpConst || d.K < r.size && d.K+size > 0
	}
	from := r.address.Substitute(map[expr.Var]*expr.Expr{r.count: expr.Int(0)})
	form, ok := expr.AffineOf(minus(address, from))
	if !ok || slices.ContainsFunc(form.Terms, func(t expr.Term) bool { return t.C%r.stride != 0 }) {
		return true
	}
	beside := (form.K%r.stride + r.stride) % r.stride
	return beside < r.size || beside+size > r.stride
}

// write drops the rows that a write may change.
func (c *contents) write(address *expr.Expr, size int64) {
	if slices.ContainsFunc(c.rows, func(r row) bool { return r.touched(address, size) }) {
		c.rows = slices.DeleteFunc(slices.Clone(c.rows), func(r row) bool { return r.touched(address, size) })
	}
}

// rowOf is what is known of the row at an address.
func (l *lowerer) rowOf(c *contents, address *expr.Expr, size int64) (val, bool) {
	for _, r := range slices.Backward(c.rows) {
		if r.size != size {
			continue
		}
		if r.stride == 0 && expr.Equal(r.address, address) {
			return r.v, true
		}
		if k := r.at(l, address); k != nil {
			return r.v.substitute(map[expr.Var]*expr.Expr{r.count: k}), true
		}
	}
	return val{}, false
}

// keepRow notes what was written to an address that is not constant.
func (l *lowerer) keepRow(c *contents, p val, size int64, v val) {
	if v.kind != pointer && v.kind != integer {
		return
	}
	c.rows = append(slices.Clip(c.rows), row{address: p.e, size: size, v: v})
}

// sameRows tells whether the same is known of rows.
func sameRows(a, b []row) bool {
	return slices.EqualFunc(a, b, func(r, s row) bool {
		return r.size == s.size && r.stride == s.stride && r.count == s.count && expr.Equal(r.address, s.address) && same(r.v, s.v) &&
			(r.stride == 0 || expr.Equal(r.lo, s.lo) && expr.Equal(r.hi, s.hi))
	})
}

// closeRows ends a loop: what an iteration stored by its number holds for all. Memory that each iteration allocated, and stored the address of so,
// is one object with a part for each.
func (l *lowerer) closeRows(f *frame, loop *nest.Loop, nodes []nest.Node) {
	k, families := loop.Var, map[*object]*expr.Expr{}
	for o := range l.memory {
		for i, r := range l.memory[o].rows {
			if r.stride != 0 {
				continue
			}
			form, ok := expr.AffineOf(r.address)
			stride := form.Coefficient(k)
			if !ok || stride < r.size || len(form.Terms) != 1 || usesAny(loop.Lo, map[expr.Var]*expr.Expr{k: nil}) {
				continue
			}
			c := l.memory.contentsOf(o)
			c.rows = slices.Clone(c.rows)
			c.rows[i].count, c.rows[i].stride, c.rows[i].lo, c.rows[i].hi = k, stride, loop.Lo, loop.Hi
			if v := r.v; v.kind == pointer && v.o != nil && v.o.born == int(k)+1 && !v.o.freed {
				families[v.o], v.o.rowsOf = expr.Int(0), o
			}
		}
	}
	l.dropMixedRows(k)
	l.dropOpenRows(k)
	for o := range families {
		if families[o] = l.family(o, loop); families[o] == nil {
			delete(families, o)
			l.forgetRowsTo(o)
		}
	}
	if len(families) == 0 {
		return
	}
	nest.Walk(nodes, func(n nest.Node) {
		s, ok := n.(*nest.Stmt)
		if !ok {
			return
		}
		for _, a := range s.Accesses {
			for o, step := range families {
				if a.Object == o.Object {
					a.Offset = plus(a.Offset, step)
				}
			}
		}
	})
	moved := func(v val) val {
		if step := families[v.o]; v.kind == pointer && step != nil {
			v.e = plus(v.e, step)
		}
		return v
	}
	for name, v := range f.vals {
		f.vals[name] = moved(v)
	}
	for o, c := range l.memory {
		if families[o] != nil {
			l.memory.forget(o)
			continue
		}
		c = l.memory.contentsOf(o)
		for at, x := range c.cells {
			c.cells[at] = cell{x.size, moved(x.v)}
		}
		c.rows = slices.Clone(c.rows)
		for i := range c.rows {
			c.rows[i].v = moved(c.rows[i].v)
		}
	}
}

// family makes of an object that each iteration of a loop allocates one with a part for each, and gives what its addresses count up by; nil where
// that is not known.
func (l *lowerer) family(o *object, loop *nest.Loop) *expr.Expr {
	o.born = 0
	if o.size == nil || o.size.Op != expr.OpConst || o.size.K <= 0 {
		return nil
	}
	stride := chunk(o.size.K)
	o.size = times(plus(loop.Hi, expr.Int(1)), expr.Int(stride))
	if o.Bytes = 0; o.size.Op == expr.OpConst && o.size.K > 0 {
		o.Bytes = o.size.K
	}
	return times(expr.Ref(loop.Var), expr.Int(stride))
}

// chunk is how far apart the C library of GNU places allocations of a size that follow one another: with 8 bytes of its own and in multiples of 16,
// large ones by mmap (128 KiB, its M_MMAP_THRESHOLD) in pages.
func chunk(size int64) int64 {
	if size >= 128<<10 {
		return (size + 16 + 4095) &^ 4095
	}
	return max(32, (size+8+15)&^15)
}

// dropMixedRows forgets rows of a loop that has ended of which one iteration writes what another one wrote as another row.
func (l *lowerer) dropMixedRows(k expr.Var) {
	for o, c := range l.memory {
		mixed := func(r row) bool {
			return r.stride != 0 && r.count == k && slices.ContainsFunc(c.rows, func(s row) bool {
				return s.stride != 0 && s.count == k && !expr.Equal(s.address, r.address) && s.touched(r.address, r.size)
			})
		}
		if slices.ContainsFunc(c.rows, mixed) {
			kept := slices.DeleteFunc(slices.Clone(c.rows), mixed)
			l.memory.contentsOf(o).rows = kept
		}
	}
}

// dropOpenRows forgets rows of an iteration that hold for no other.
func (l *lowerer) dropOpenRows(k expr.Var) {
	uses := map[expr.Var]*expr.Expr{k: nil}
	for o, c := range l.memory {
		lost := func(r row) bool {
			return r.stride == 0 && (usesAny(r.address, uses) || r.v.e != nil && usesAny(r.v.e, uses))
		}
		if slices.ContainsFunc(c.rows, lost) {
			c = l.memory.contentsOf(o)
			c.rows = slices.DeleteFunc(slices.Clone(c.rows), lost)
		}
	}
}

// forgetRowsTo forgets rows that point at an object.
func (l *lowerer) forgetRowsTo(to *object) {
	for o, c := range l.memory {
		lost := func(r row) bool { return r.v.kind == pointer && r.v.o == to }
		if slices.ContainsFunc(c.rows, lost) {
			c = l.memory.contentsOf(o)
			c.rows = slices.DeleteFunc(slices.Clone(c.rows), lost)
		}
	}
}

// substitute gives a variable its value, but the counter of the row itself.
func (r *row) substitute(v expr.Var, to *expr.Expr) {
	if r.stride != 0 && r.count == v {
		return
	}
	m := map[expr.Var]*expr.Expr{v: to}
	r.v = r.v.substitute(m)
	for _, e := range []**expr.Expr{&r.address, &r.lo, &r.hi} {
		if *e != nil && usesAny(*e, m) {
			*e = value.Normal((*e).Substitute(m))
		}
	}
}
