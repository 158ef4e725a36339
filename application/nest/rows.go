package nest

import (
	"cmp"
	"math"
	"slices"

	"foresee/application/nest/expr"
)

// mostRows bounds the rows that are looked at to count the lines of an object, and mostRowsInAll those of a stream. Chosen: a row takes about a
// microsecond, and triangles and stencils of planes have some thousands.
const (
	mostRows      = 1 << 16
	mostRowsInAll = 1 << 17
)

// rows lists the lines that references touch as intervals: where the iterations of an access fill a box whose offsets leave no line out, that is
// one interval; else the variable that moves the offset most is tried value by value.
type rows struct {
	solver
	found []expr.Range // lines, first and last
	bytes int64        // of a line
	left  int          // rows that may still be looked at
}

// count is the number of distinct lines that the references touch when the outermost loops are fixed; false where it cannot tell.
func (r *rows) count(list []*access, fixed []int64, line int64) (int64, bool) {
	before := r.left
	r.found, r.bytes, r.left = r.found[:0], line, min(before, mostRows)
	given := r.left
	known := !slices.ContainsFunc(list, func(a *access) bool { return !r.access(a, fixed) })
	r.left = before - (given - r.left)
	if !known {
		return 0, false
	}
	slices.SortFunc(r.found, func(a, b expr.Range) int { return cmp.Compare(a.Lo, b.Lo) })
	n, next := int64(0), int64(math.MinInt64)
	for _, f := range r.found {
		if first := max(f.Lo, next); first <= f.Hi {
			n, next = n+f.Hi-first+1, f.Hi+1
		}
	}
	return n, true
}

// access lists the lines of one access; false where it cannot.
func (r *rows) access(a *access, fixed []int64) bool {
	s := &a.system
	if len(s.filters) > 0 || slices.ContainsFunc(s.ties, func(t tie) bool { return t.e.LooksUp() }) { // tables may leave lines out
		return false
	}
	r.prepare(s, 0)
	r.line = 0
	for i, v := range fixed {
		r.lo[i], r.hi[i] = v, v
	}
	order := make([]int, len(s.window.at)) // indices of the window's terms, the one that moves the offset most first
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return -cmp.Compare(magnitude(s.window.co[i]), magnitude(s.window.co[k])) })
	return r.sweep(order)
}

func magnitude(x int64) int64 { return max(x, -x) }

// sweep lists the lines of the present box; order are the terms of the window that may still vary.
func (r *rows) sweep(order []int) bool {
	if r.left--; r.left < 0 {
		return false
	}
	if !r.narrow() {
		return true
	}
	w := &r.sys.window
	order = slices.DeleteFunc(slices.Clone(order), func(i int) bool { return r.lo[w.at[i]] == r.hi[w.at[i]] })
	coupled, open := r.coupled(), r.open()
	if len(coupled) == 0 && open < 0 && r.dense(order) {
		r.add(r.reach())
		return true
	}
	moves := int64(0) // by how much the offset moves where all variables do
	for _, i := range order {
		moves += magnitude(w.co[i])
	}
	switch p := r.leaping(coupled, order); {
	case open >= 0:
		return r.each(open, order)
	case moves > r.bytes:
		return r.each(int(w.at[order[0]]), order[1:])
	case p >= 0:
		return r.each(p, order)
	}
	return r.ends()
}

// coupled are the constraints that do not hold in all of the box.
func (r *rows) coupled() (out []*constraint) {
	for i := range r.sys.cons {
		c := &r.sys.cons[i]
		least := c.k
		for j, p := range c.at {
			least += min(c.co[j]*r.lo[p], c.co[j]*r.hi[p])
		}
		if least < 0 {
			out = append(out, c)
		}
	}
	return out
}

// open is a variable that a bound which is not affine depends on and that may vary, the outermost; −1 where there is none.
func (r *rows) open() int {
	found := -1
	for i := range r.sys.edges {
		r.sys.edges[i].e.EachVar(func(v expr.Var) {
			if p := int(r.sys.positions[v]); r.lo[p] < r.hi[p] && (found < 0 || p < found) {
				found = p
			}
		})
	}
	return found
}

// dense tells whether the offsets of a box leave out no line between its first and its last.
func (r *rows) dense(order []int) bool {
	w, span := &r.sys.window, int64(0)
	for _, i := range slices.Backward(order) {
		p, co := w.at[i], magnitude(w.co[i])
		if co > span+r.bytes {
			return false
		}
		span += co * (r.hi[p] - r.lo[p])
	}
	return true
}

// leaping is a variable that constraints tie to others by a factor, so that values of those may be left out; −1 where there is none.
func (r *rows) leaping(coupled []*constraint, order []int) int {
	for _, c := range coupled {
		for j, p := range c.at {
			moves := slices.ContainsFunc(order, func(i int) bool { return r.sys.window.at[i] == p })
			if !moves && magnitude(c.co[j]) > 1 && r.hi[p] > r.lo[p] {
				return int(p)
			}
		}
	}
	return -1
}

// each sweeps the box for each value of a variable.
func (r *rows) each(p int, order []int) bool {
	lo, hi := r.lo, r.hi
	for x := lo[p]; x <= hi[p]; x++ {
		r.lo, r.hi = lo, hi
		r.lo[p], r.hi[p] = x, x
		if !r.sweep(order) {
			return false
		}
	}
	return true
}

// reach is the first and the last line that the box allows.
func (r *rows) reach() expr.Range {
	w := &r.sys.window
	lo, hi := w.k, w.k
	for i, p := range w.at {
		x, y := w.co[i]*r.lo[p], w.co[i]*r.hi[p]
		lo, hi = lo+min(x, y), hi+max(x, y)
	}
	return expr.Range{Lo: expr.FloorDiv(lo, r.bytes), Hi: expr.FloorDiv(hi, r.bytes)}
}

// add takes lines.
func (r *rows) add(lines expr.Range) { r.found = append(r.found, lines) }

// ends takes the lines from the first to the last that some iteration of the box touches. Those between are touched too: what ties the variables
// to each other has no factors, so that there is a way between the ends in steps by one of some of them, none of which moves the offset past a line.
func (r *rows) ends() bool {
	lines := r.reach()
	first, ok := r.touched(lines.Lo, lines.Hi, 1)
	if !ok || first > lines.Hi {
		return ok
	}
	last, ok := r.touched(lines.Hi, lines.Lo, -1)
	if ok {
		r.add(expr.Range{Lo: first, Hi: last})
	}
	return ok
}

// touched is the first line that an iteration of the box touches, going from one line to another, and past that where none does.
func (r *rows) touched(from, to, step int64) (int64, bool) {
	const most = 200 // nodes, of which eight are counted as a row; chosen: more than a line needs
	lo, hi := r.lo, r.hi
	defer func() { r.lo, r.hi, r.line = lo, hi, 0 }()
	for x := from; x != to+step; x += step {
		r.lo, r.hi = lo, hi
		r.window, r.line, r.nodes = x*r.bytes, r.bytes, most
		there := r.search(0)
		if r.left -= 1 + int(most-r.nodes)/8; r.nodes < 0 || r.left < 0 {
			return 0, false
		}
		if there {
			return x, true
		}
	}
	return to + step, true
}
