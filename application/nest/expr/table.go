package expr

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

// Table is integers that lie one after the other, as an array of the program that is not changed: what its elements are is known, by no formula. It is
// asked for the least and the greatest in a stretch, and where values of a range stand, each without looking at all. It is safe for concurrent use.
type Table struct {
	Name string // of the array in the source

	number uint64 // that no other table has
	values []int64
	rises  bool // no value is less than the one before
	once   sync.Once
	spans  [][]Range // of blocks of fan values, of blocks of these, …, until there is one
	order  []int32   // places by their values, and those of a value in their order
	starts []int32   // where in that those of another value begin, and its length
}

// MostInTable bounds the values of a table. Chosen: an index of four bytes for each, and some hundred MiB.
const MostInTable = 1 << 26

// NewTable makes a table of at least one value and MostInTable at the most, which it keeps.
func NewTable(name string, values []int64) *Table {
	return &Table{Name: name, number: tables.Add(1), values: values, rises: slices.IsSorted(values)}
}

// tables counts those that were made.
var tables atomic.Uint64

// alike tells tables with the same values.
func (t *Table) alike(o *Table) bool {
	return t == o || t != nil && o != nil && slices.Equal(t.values, o.values)
}

// Values are all; they are not to be changed.
func (t *Table) Values() []int64 { return t.values }

// At is the value at a place; before the first it is the first, and past the last the last.
func (t *Table) At(i int64) int64 { return t.values[t.clamped(i)] }

func (t *Table) clamped(i int64) int64 { return max(0, min(i, int64(len(t.values))-1)) }

// fan is how many values, or blocks of them, a block has.
const fan = 32

// index makes what questions are answered by.
func (t *Table) index() {
	t.once.Do(func() {
		if t.rises {
			return
		}
		level := make([]Range, len(t.values))
		for i, v := range t.values {
			level[i] = Range{v, v}
		}
		for len(level) > 1 {
			above := make([]Range, 0, len(level)/fan+1)
			for block := range slices.Chunk(level, fan) {
				r := block[0]
				for _, b := range block[1:] {
					r = Range{min(r.Lo, b.Lo), max(r.Hi, b.Hi)}
				}
				above = append(above, r)
			}
			t.spans = append(t.spans, above)
			level = above
		}
		t.order = make([]int32, len(t.values))
		for i := range t.order {
			t.order[i] = int32(i)
		}
		slices.SortFunc(t.order, func(a, b int32) int { return cmp.Or(cmp.Compare(t.values[a], t.values[b]), cmp.Compare(a, b)) })
		for i, at := range t.order {
			if i == 0 || t.values[at] != t.values[t.order[i-1]] {
				t.starts = append(t.starts, int32(i))
			}
		}
		t.starts = append(t.starts, int32(len(t.order)))
	})
}

// Span is the least and the greatest value from one place to another.
func (t *Table) Span(places Range) Range {
	lo, hi := t.clamped(places.Lo), t.clamped(places.Hi)
	if t.rises || lo == hi {
		return Range{t.values[lo], t.values[hi]}
	}
	t.index()
	r := Range{t.values[lo], t.values[lo]}
	add := func(x Range) { r = Range{min(r.Lo, x.Lo), max(r.Hi, x.Hi)} }
	at := func(level int, i int64) Range {
		if level == 0 {
			return Range{t.values[i], t.values[i]}
		}
		return t.spans[level-1][i]
	}
	for level := 0; lo <= hi; level++ { // what is left over at both ends, then whole blocks
		for ; lo <= hi && (lo%fan != 0 || hi-lo < fan); lo++ {
			add(at(level, lo))
		}
		for ; lo <= hi && hi%fan != fan-1; hi-- {
			add(at(level, hi))
		}
		if lo > hi {
			break
		}
		lo, hi = lo/fan, hi/fan
	}
	return r
}

// mostDistinct bounds the values of a range that are looked for one by one. Chosen: a line holds 64 at the most.
const mostDistinct = 64

// Holding is the first and the last place, from one to another, whose value is in a range; the first is past the last where there is none. Of ranges with
// many values there may be none at the ends where that takes long to find out. Places that clamp to the ends of the table are those of their values.
func (t *Table) Holding(to, places Range) Range {
	none := Range{places.Hi + 1, places.Hi}
	if t.rises {
		return t.risingHolding(to, places)
	}
	t.index()
	lo, hi := t.clamped(places.Lo), t.clamped(places.Hi)
	begin, end := t.group(to.Lo), t.group(to.Hi)
	if end < len(t.starts)-1 && t.values[t.order[t.starts[end]]] == to.Hi {
		end++
	}
	if end-begin > mostDistinct {
		found := Range{t.next(to, lo, hi, 1), t.next(to, hi, lo, -1)}
		if found.Lo > found.Hi {
			return none
		}
		return t.unclamped(found, places)
	}
	first, last := hi+1, lo-1
	for k := begin; k < end; k++ {
		group := t.order[t.starts[k]:t.starts[k+1]]
		if i, _ := slices.BinarySearch(group, int32(lo)); i < len(group) && int64(group[i]) <= hi {
			first = min(first, int64(group[i]))
		}
		if i, there := slices.BinarySearch(group, int32(hi)); i > 0 || there {
			if !there {
				i--
			}
			if int64(group[i]) >= lo {
				last = max(last, int64(group[i]))
			}
		}
	}
	if first > last {
		return none
	}
	return t.unclamped(Range{first, last}, places)
}

// group is the first of the groups of places with one value whose value is not less than v.
func (t *Table) group(v int64) int {
	k, _ := slices.BinarySearchFunc(t.starts[:len(t.starts)-1], v, func(begin int32, v int64) int { return cmp.Compare(t.values[t.order[begin]], v) })
	return k
}

// mostLooked bounds the blocks that are looked at for the next place. Chosen: a tenth of a millisecond; rows of a matrix whose columns lie around a range
// without being in it are some thousands.
const mostLooked = 1 << 15

// next is the first place from one on, by steps of way up to another, whose value is in a range, or one before which there is none; past the other one where
// there is none.
func (t *Table) next(to Range, from, end, way int64) int64 {
	apart := func(r Range) bool { return r.Hi < to.Lo || r.Lo > to.Hi }
	i := from
	for looked := 0; (end-i)*way >= 0; looked++ {
		if v := t.values[i]; v >= to.Lo && v <= to.Hi || looked > mostLooked {
			return i
		}
		size := int64(1) // of the largest block that begins here and holds no such value
		for _, above := range t.spans {
			wider := size * fan
			begin := i / wider * wider
			edge := begin
			if way < 0 {
				edge = min(begin+wider, int64(len(t.values))) - 1
			}
			if i != edge || !apart(above[i/wider]) {
				break
			}
			size = wider
		}
		if i += size; way < 0 {
			i = (i-size)/size*size - 1
		}
	}
	return end + way
}

// unclamped adds the places beyond the ends to those that stand for them.
func (t *Table) unclamped(found, places Range) Range {
	if found.Lo == 0 {
		found.Lo = min(places.Lo, 0)
	}
	if last := int64(len(t.values)) - 1; found.Hi == last {
		found.Hi = max(places.Hi, last)
	}
	return Range{max(found.Lo, places.Lo), min(found.Hi, places.Hi)}
}

// risingHolding is Holding where values rise.
func (t *Table) risingHolding(to, places Range) Range {
	first, _ := slices.BinarySearch(t.values, to.Lo)
	past, _ := slices.BinarySearch(t.values, to.Hi+1)
	if first >= past {
		return Range{places.Hi + 1, places.Hi}
	}
	return t.unclamped(Range{int64(first), int64(past) - 1}, places)
}

// Lookup is the value of a table at a place.
func Lookup(t *Table, at *Expr) *Expr {
	if at.Op == OpConst {
		return Int(t.At(at.K))
	}
	return &Expr{Op: OpLookup, A: at, table: t}
}

// Table is that of an OpLookup; nil of others.
func (e *Expr) Table() *Table { return e.table }

// projectLookup narrows the place in a table to where values of a range stand.
func (e *Expr) projectLookup(to Range, box *Box) bool {
	at := e.A.Interval(box.At)
	left := e.table.Holding(to, at)
	return left.Lo <= left.Hi && (left == at || e.A.Project(left, box))
}

// mostComposed bounds the values of a composed table. Chosen: some ten MiB.
const mostComposed = 1 << 22

// Composed is the value of a table at a place that other tables tell, as a table of the variables that the place depends on, the first of them counting
// most: what is asked of one table is found at once, of several behind each other by trying. It is Lookup(t, at) where no other table is asked, or a
// variable has too many values.
func Composed(t *Table, at *Expr, ranges func(Var) Range, known map[string]*Table) *Expr {
	if !at.LooksUp() {
		return Lookup(t.every(at, known))
	}
	return Tabled(Lookup(t, at), ranges, known)
}

// every gives a place that moves by several at once as one in a table of only every so many values: members of structures, of which the others are others.
func (t *Table) every(at *Expr, known map[string]*Table) (*Table, *Expr) {
	form, affine := AffineOf(at)
	step := int64(0)
	for _, term := range form.Terms {
		a, b := term.C, step
		for b != 0 {
			a, b = b, a%b
		}
		step = max(a, -a)
	}
	if !affine || step < 2 {
		return t, at
	}
	first := form.K - FloorDiv(form.K, step)*step
	if first >= int64(len(t.values)) {
		return t, at
	}
	key := fmt.Sprintf("every %d of %d from %d", step, t.number, first)
	if known[key] == nil {
		var values []int64
		for i := first; i < int64(len(t.values)); i += step {
			values = append(values, t.values[i])
		}
		known[key] = NewTable(t.Name, values)
	}
	place := Int((form.K - first) / step)
	for _, term := range form.Terms {
		place = Binary(OpAdd, place, Binary(OpMul, Ref(term.V), Int(term.C/step)))
	}
	return known[key], place
}

// Tabled is an expression as one table of the variables that it depends on, the first of them counting most: what several tables tell together is found at
// once, and lies within the least and the greatest that they give together. It is the expression itself where a variable has too many values.
func Tabled(e *Expr, ranges func(Var) Range, known map[string]*Table) *Expr {
	vars := Variables(e)
	if len(vars) == 0 {
		return Int(e.Eval(nil))
	}
	size, place := int64(1), Int(0)
	for _, v := range vars {
		r := ranges(v)
		n := r.Hi - r.Lo + 1
		if n <= 0 || n > mostComposed/size {
			return e
		}
		size *= n
		place = Binary(OpAdd, Binary(OpMul, place, Int(n)), Binary(OpSub, Ref(v), Int(r.Lo)))
	}
	key := e.signature()
	for _, v := range vars {
		key += fmt.Sprint(" ", v, ranges(v))
	}
	if known[key] == nil {
		known[key] = e.compose(vars, ranges, size)
	}
	return Lookup(known[key], place)
}

// compose makes the table of an expression for all values of its variables.
func (e *Expr) compose(vars []Var, ranges func(Var) Range, size int64) *Table {
	env := make([]int64, slices.Max(vars)+1)
	values := make([]int64, size)
	for i := range values {
		rest := int64(i)
		for _, v := range slices.Backward(vars) {
			r := ranges(v)
			n := r.Hi - r.Lo + 1
			env[v] = r.Lo + rest%n
			rest /= n
		}
		values[i] = e.Eval(env)
	}
	return NewTable(e.tableName(), values)
}

// tableName is the name of the table that an expression is an element of.
func (e *Expr) tableName() string {
	if e.table == nil {
		return ""
	}
	return e.table.Name
}

// Lookups counts how often tables are asked in an expression.
func (e *Expr) Lookups() (n int) {
	if e == nil {
		return 0
	}
	if e.Op == OpLookup {
		n = 1
	}
	return n + e.A.Lookups() + e.B.Lookups() + e.C.Lookups()
}

// LooksUp tells whether a table is asked in an expression.
func (e *Expr) LooksUp() bool {
	return e != nil && (e.Op == OpLookup || e.A.LooksUp() || e.B.LooksUp() || e.C.LooksUp())
}

// signature tells expressions apart, also by the tables in them.
func (e *Expr) signature() string {
	if e == nil {
		return ""
	}
	number := uint64(0)
	if e.table != nil {
		number = e.table.number
	}
	return fmt.Sprintf("(%d %d %d %s %s %s)", e.Op, e.K, number, e.A.signature(), e.B.signature(), e.C.signature())
}
