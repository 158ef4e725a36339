package lower

import (
	"fmt"
	"slices"

	"foresee/application/csource/parse"
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
		families[o] = l.family(o, loop)
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
		for at, x := range c.cells.all() {
			c.cells.put(at, cell{x.size, moved(x.v)})
		}
		c.rows = slices.Clone(c.rows)
		for i := range c.rows {
			c.rows[i].v = moved(c.rows[i].v)
		}
	}
}

// family makes of an object that each iteration of a loop allocates one with a part for each, and gives what its addresses count up by. Parts whose lengths
// differ, or are not known, lie one after the other as far as they are accessed.
func (l *lowerer) family(o *object, loop *nest.Loop) *expr.Expr {
	o.born = 0
	if o.size == nil || o.size.Op != expr.OpConst || o.size.K <= 0 {
		o.size, o.Bytes = nil, 0
		l.unlaid[o.Object] = rowsOf{holder: o.rowsOf, size: word}
		return times(expr.Ref(loop.Var), expr.Int(pitch))
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

// toldRow is where a row lies, or ends, behind the first of its kind, in bytes, as a run told the addresses; nil where it did not. They stand at one place in
// elements of a size.
func (l *lowerer) toldRow(f *frame, p val, begin, size int64) *expr.Expr {
	if l.tells == nil || l.mayBeWritten(p, word) {
		return nil
	}
	for told, index := range l.tables(f, p, word, true, true) {
		if l.tells.tables[told.number] == nil {
			continue
		}
		apart := l.tells.apart(told.number, (begin-told.at)/word, size/word)
		if apart == nil {
			continue
		}
		table := apart.table
		e := l.inTable(table, index)
		if e == nil {
			continue
		}
		rows := l.rowsBehind(rowsOf{holder: p.o, at: begin, size: size}, true)
		l.standing(f, rows)
		if !slices.Contains(l.toldRows, rows) {
			l.toldRows = append(l.toldRows, rows)
		}
		if s := rows.stands; l.dry == 0 {
			asked := l.interval(index)
			s.used = expr.Range{Lo: min(s.used.Lo, asked.Lo), Hi: max(s.used.Hi, asked.Hi)}
		}
		if !slices.Contains(rows.stands.told, apart) {
			rows.stands.told = append(rows.stands.told, apart)
		}
		if even := evenly(table, l.interval(index), index, size/word); even != nil {
			return even
		}
		return e
	}
	return nil
}

// evenly is the value of a table at an index as a sum, where all values that are so many places apart, of those that the index comes to, differ by the same;
// nil where they do not.
func evenly(table *expr.Table, places expr.Range, index *expr.Expr, step int64) *expr.Expr {
	values := table.Values()
	if places.Lo < 0 || places.Hi >= int64(len(values)) || places.Hi < places.Lo+step {
		return nil
	}
	stride := values[places.Lo+step] - values[places.Lo]
	for i := places.Lo; i+step <= places.Hi; i += step {
		if values[i+step]-values[i] != stride {
			return nil
		}
	}
	row := value.Quotient(minus(index, expr.Int(places.Lo)), step)
	if row == nil {
		return nil
	}
	return plus(expr.Int(values[places.Lo]), times(expr.Int(stride), row))
}

// noAddress is more than what pointers have that lead nowhere: null, or the alignment of what Rust's empty vectors would hold. The first page of memory is nobody's.
const noAddress = 4096

// farApart is how far rows are that lie in parts of the memory whose distance changes from run to run. Chosen: more than a heap has.
const farApart = int64(1) << 32

// distances are addresses as how far they lie behind a line in front of the first row, 0 of those that lead nowhere: what is taken off of each, by the addresses of
// the rows in order. Rows stand at the words first, first + step and so on.
type distances struct {
	table       *expr.Table
	addresses   []int64
	rows, less  []int64
	first, step int64
}

// apart is a table of addresses as how far they lie behind the first one that stands at one of the places first, first + step and so on, from the line in front
// of it; nil where there is none. Parts of the memory that are far apart are put next to each other, as programs find them elsewhere in each run.
func (t *telling) apart(n, first, step int64) *distances {
	key := [3]int64{n, first, step}
	if made, known := t.addresses[key]; known {
		return made
	}
	values := t.tables[n].Values()
	var rows []int64
	for i := max(first, 0); i < int64(len(values)); i += step {
		if values[i] >= noAddress {
			rows = append(rows, values[i])
		}
	}
	if t.addresses == nil {
		t.addresses = map[[3]int64]*distances{}
	}
	if len(rows) == 0 {
		t.addresses[key] = nil
		return nil
	}
	slices.Sort(rows)
	less := make([]int64, len(rows)) // what is taken off the addresses from each row on
	less[0] = rows[0]&^63 - 64
	for i := 1; i < len(rows); i++ {
		less[i] = less[i-1]
		if gap := rows[i] - rows[i-1]; gap > farApart {
			less[i] += (gap - farApart) &^ 4095
		}
	}
	moved := make([]int64, len(values))
	for i, v := range values {
		if v < noAddress {
			continue
		}
		k, there := slices.BinarySearch(rows, v)
		if !there {
			k--
		}
		moved[i] = v - less[max(k, 0)]
	}
	t.addresses[key] = &distances{table: expr.NewTable("", moved), addresses: values, rows: rows, less: less, first: max(first, 0), step: step}
	return t.addresses[key]
}

// laid gives the nodes of a region with rows of which nothing is known one after the other, each as long as it is accessed, and says so.
func (l *lowerer) laid(r *nesting) ([]nest.Node, []note, *parse.Error) {
	y := &layout{lowerer: l, length: map[*nest.Object]int64{}, rows: map[*nest.Object]int64{}, singles: map[*nest.Object]single{}}
	each := func(f func(*nest.Access)) {
		nest.Walk(r.nodes, func(n nest.Node) {
			if s, ok := n.(*nest.Stmt); ok {
				for _, a := range s.Accesses {
					f(a)
				}
			}
		})
	}
	var first []*nest.Access
	each(func(a *nest.Access) {
		if l.isUnlaid(a.Object) && y.length[a.Object] == 0 {
			first, y.length[a.Object] = append(first, a), a.Size
			y.single(a.Object)
		}
	})
	if len(first) == 0 {
		return r.nodes, nil, nil
	}
	var failed *parse.Error
	each(func(a *nest.Access) {
		rows, at, ok := y.split(a)
		if rows == nil || failed != nil {
			return
		}
		reach, count := l.interval(at.inner), l.interval(at.row)
		if !ok || reach.Lo < 0 || reach.Hi >= pitch/2 || l.unlaid[rows].inBlocks && (count.Lo < 0 || count.Hi >= blockPitch/pitch/2) {
			failed = &parse.Error{Pos: a.Pos, Message: "where the rows of " + shown(l.unlaid[rows].holder) + " lie is not known, nor how long they are", Remedy: parse.RunRemedy}
			return
		}
		y.length[rows], y.rows[rows] = max(y.length[rows], reach.Hi+a.Size), max(y.rows[rows], count.Hi+1)
	})
	if failed != nil {
		return nil, nil, failed
	}
	var notes []note
	for _, a := range first {
		notes = append(notes, note{a.Pos, fmt.Sprintf("%s:%d: where the rows of %s lie is not known; they are taken to lie one after the other, %d bytes each as far as they are accessed",
			a.Pos.File, a.Pos.Line, shown(l.unlaid[a.Object].holder), y.length[a.Object])})
	}
	return y.nodes(r.nodes), notes, nil
}

// layout is how rows lie in a region.
type layout struct {
	*lowerer
	length  map[*nest.Object]int64  // of rows, in bytes
	rows    map[*nest.Object]int64  // in a block, or in all
	singles map[*nest.Object]single // rows that were met by themselves
}

// single is one of several rows.
type single struct {
	rows *nest.Object
	row  int64
}

// single finds the rows that were met by themselves.
func (y *layout) single(rows *nest.Object) {
	of := y.unlaid[rows]
	if of.inBlocks {
		return
	}
	for at, v := range of.holder.first {
		if v.kind == pointer && v.o != nil && at%of.size == of.at {
			y.singles[v.o.Object] = single{rows, at / of.size}
		}
	}
}

// inRows is a place in a row, in bytes, of a block of rows.
type inRows struct{ block, row, inner *expr.Expr }

// split takes the place of an access in rows apart; rows is nil of other accesses.
func (y *layout) split(a *nest.Access) (rows *nest.Object, at inRows, ok bool) {
	if s, is := y.singles[a.Object]; is {
		return s.rows, inRows{expr.Int(0), expr.Int(s.row), a.Offset}, true
	}
	if y.length[a.Object] == 0 {
		return nil, at, true
	}
	block, within := expr.Int(0), a.Offset
	if y.unlaid[a.Object].inBlocks {
		if block, within, ok = value.Split(a.Offset, blockPitch); !ok {
			return a.Object, at, false
		}
	}
	row, inner, ok := value.Split(within, pitch)
	return a.Object, inRows{block, row, inner}, ok
}

// offset is where a place lies: rows as far apart as allocations of their lengths are, and in front of each block what holds the addresses of its rows.
func (y *layout) offset(rows *nest.Object, at inRows) *expr.Expr {
	row, of := chunk(y.length[rows]), y.unlaid[rows]
	block := y.rows[rows]*row + chunk(y.rows[rows]*of.size)
	return value.Normal(plus(at.inner, plus(times(expr.Int(row), at.row), times(expr.Int(block), at.block))))
}

// nodes copies nodes, with rows as far apart as allocations of their lengths are.
func (y *layout) nodes(nodes []nest.Node) (out []nest.Node) {
	for _, n := range nodes {
		s, ok := n.(*nest.Stmt)
		if !ok {
			out = append(out, nest.Within(n, y.nodes))
			continue
		}
		made := *s
		made.Accesses = nil
		for _, a := range s.Accesses {
			other := *a
			if rows, at, _ := y.split(a); rows != nil {
				other.Object, other.Offset = rows, y.offset(rows, at)
				rows.Bytes = max(rows.Bytes, y.interval(other.Offset).Hi+a.Size)
			}
			made.Accesses = append(made.Accesses, &other)
		}
		out = append(out, &made)
	}
	return out
}
