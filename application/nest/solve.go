package nest

import (
	"slices"

	"foresee/application/nest/expr"
)

// solver finds the lexicographically least point of a system by depth-first search with interval propagation.
type solver struct {
	sys    *system
	lo, hi [maxDepth]int64
	window int64 // the offset must lie in [window, window+line)
	line   int64 // 0: no window
	fixed  int   // loops fixed at a point of the iteration space
	nodes  int64 // search nodes left
	box    expr.Box
	moved  bool // the box was narrowed
}

// maxNodes bounds the search for one next use; past it the solver gives up, and says so.
const maxNodes = 2_000_000

// maxTiedNodes is the same where parts of the offset are not affine: intervals may say nothing of them, as of i² modulo n, so that all iterations would be
// looked at each time. Chosen: a tenth of a second; multiples and packed triangles need some thousands.
const maxTiedNodes = 50_000

// most is how many nodes a search for one use may take.
func (s *system) most() int64 {
	if len(s.ties) > 0 {
		return maxTiedNodes
	}
	return maxNodes
}

// satisfiable searches the whole box of s, without a window.
func (z *solver) satisfiable(s *system, nodes int64) (found, sure bool) {
	z.prepare(s, 0)
	z.line, z.nodes = 0, nodes
	found = z.exists()
	return found, z.nodes >= 0
}

// prepare sets the box; the caller then fixes positions below fixed.
func (z *solver) prepare(s *system, fixed int) {
	z.sys, z.fixed = s, fixed
	for i, r := range s.start {
		z.lo[i], z.hi[i] = r.Lo, r.Hi
	}
	if z.box.At == nil {
		z.box.At = func(v expr.Var) expr.Range {
			p := z.sys.positions[v]
			return expr.Range{Lo: z.lo[p], Hi: z.hi[p]}
		}
		z.box.Narrow = func(v expr.Var, to expr.Range) bool { return z.within(int(z.sys.positions[v]), to) }
	}
}

// within narrows the variable at a position to a range; false when nothing is left.
func (z *solver) within(p int, r expr.Range) bool {
	if r.Lo > z.lo[p] {
		z.lo[p], z.moved = r.Lo, true
	}
	if r.Hi < z.hi[p] {
		z.hi[p], z.moved = r.Hi, true
	}
	return z.lo[p] <= z.hi[p]
}

// search narrows lo and hi to the least point; false when there is none or nodes ran out.
func (z *solver) search(d int) bool {
	z.nodes--
	if z.nodes < 0 || !z.narrow() {
		return false
	}
	for d < z.sys.size && z.lo[d] == z.hi[d] {
		d++
	}
	if d == z.sys.size {
		return true
	}
	// Try the least value, then blocks of growing size: propagation often empties a block at once.
	lo, hi := z.lo, z.hi
	size := z.sys.size
	first, end := lo[d], hi[d]
	for step := int64(1); first <= end; step *= 2 {
		if first > lo[d] { // restore what the failed block narrowed
			copy(z.lo[:size], lo[:size])
			copy(z.hi[:size], hi[:size])
		}
		z.lo[d], z.hi[d] = first, min(end, first+step-1)
		if z.search(d) {
			return true
		}
		if z.nodes < 0 {
			return false
		}
		first += step
	}
	return false
}

// exists tells whether there is any point; false when nodes ran out. It decides first about the loops that move the offset most, whatever their order:
// where two of them move it against one another, as in wavefronts, the window leaves few values of the second.
func (z *solver) exists() bool {
	z.nodes--
	if z.nodes < 0 || !z.narrow() {
		return false
	}
	d := z.widest()
	if d < 0 {
		return true
	}
	lo, hi := z.lo, z.hi
	size := z.sys.size
	first, end := lo[d], hi[d]
	for step := int64(1); first <= end; step *= 2 {
		if first > lo[d] {
			copy(z.lo[:size], lo[:size])
			copy(z.hi[:size], hi[:size])
		}
		z.lo[d], z.hi[d] = first, min(end, first+step-1)
		if z.exists() {
			return true
		}
		if z.nodes < 0 {
			return false
		}
		first += step
	}
	return false
}

// widest is the position of the loop whose values move the offset most, or else of the first that has several; −1 where none has.
func (z *solver) widest() int {
	widest, most := -1, int64(0)
	if z.line > 0 {
		w := &z.sys.window
		for i, p := range w.at {
			if way := magnitude(w.co[i]) * (z.hi[p] - z.lo[p]); way > most {
				widest, most = int(p), way
			}
		}
	}
	for d := 0; widest < 0 && d < z.sys.size; d++ {
		if z.lo[d] < z.hi[d] {
			return d
		}
	}
	return widest
}

// narrow propagates all constraints to a fixed point; false when the box is empty.
func (z *solver) narrow() bool {
	for round := 0; ; round++ {
		if !z.narrowAffine() {
			return false
		}
		if len(z.sys.filters)+len(z.sys.edges)+len(z.sys.ties) == 0 {
			return true
		}
		changed, ok := z.narrowOpaque()
		if !ok || !changed || round >= roundsAtMost && !z.isPoint() {
			return ok
		}
	}
}

// isPoint tells whether all variables have one value.
func (z *solver) isPoint() bool {
	return slices.Equal(z.lo[:z.sys.size], z.hi[:z.sys.size])
}

// roundsAtMost bounds the rounds of propagation: constraints that only creep are left to the search.
const roundsAtMost = 64

// narrowAffine narrows the box by the constraints until they tell no more; false where nothing is left.
func (z *solver) narrowAffine() bool {
	for range roundsAtMost {
		changed := false
		if z.line > 0 && !z.narrowWindow(&changed) {
			return false
		}
		for i := range z.sys.cons {
			c := &z.sys.cons[i]
			if int(c.settled) <= z.fixed {
				continue
			}
			if !z.narrowOne(c, &changed) {
				return false
			}
		}
		if !changed {
			break
		}
	}
	return true
}

// narrowOne uses k + Σ co·x ≥ 0.
func (z *solver) narrowOne(c *constraint, changed *bool) bool {
	most := c.k
	for i, p := range c.at {
		if co := c.co[i]; co > 0 {
			most += co * z.hi[p]
		} else {
			most += co * z.lo[p]
		}
	}
	if most < 0 {
		return false
	}
	for i, p := range c.at {
		co := c.co[i]
		if co > 0 {
			if most < co*(z.hi[p]-z.lo[p]) { // co·x ≥ co·hi − most
				z.lo[p] = z.hi[p] - most/co
				*changed = true
			}
		} else if most < -co*(z.hi[p]-z.lo[p]) {
			z.hi[p] = z.lo[p] + most/-co
			*changed = true
		}
	}
	return true
}

// narrowWindow uses window ≤ k + Σ co·x ≤ window + line − 1.
func (z *solver) narrowWindow(changed *bool) bool {
	w := &z.sys.window
	base := w.k - z.window
	least, most := base, base
	for i, p := range w.at {
		if co := w.co[i]; co > 0 {
			least += co * z.lo[p]
			most += co * z.hi[p]
		} else {
			least += co * z.hi[p]
			most += co * z.lo[p]
		}
	}
	above := z.line - 1 - least // room below the upper end
	if most < 0 || above < 0 {
		return false
	}
	for i, p := range w.at {
		co := w.co[i]
		span := z.hi[p] - z.lo[p]
		if co > 0 {
			if most < co*span {
				z.lo[p], *changed = z.hi[p]-most/co, true
			}
			if above < co*span {
				// x ≤ old lo + above/co; lo may have moved above, so count from the sum that used it.
				z.hi[p], *changed = z.hi[p]-span+above/co, true
			}
		} else {
			if most < -co*span {
				z.hi[p], *changed = z.lo[p]+most/-co, true
			}
			if above < -co*span {
				z.lo[p], *changed = z.lo[p]+span-above/-co, true
			}
		}
		if z.lo[p] > z.hi[p] {
			return false
		}
	}
	return true
}

// narrowOpaque uses bounds and conditions that are not affine, by interval evaluation.
func (z *solver) narrowOpaque() (changed, ok bool) {
	for i := range z.sys.edges {
		e := &z.sys.edges[i]
		if e.at < z.fixed {
			continue
		}
		r := e.e.Interval(z.box.At)
		if e.lower && r.Lo > z.lo[e.at] {
			z.lo[e.at], changed = r.Lo, true
		}
		if !e.lower && r.Hi < z.hi[e.at] {
			z.hi[e.at], changed = r.Hi, true
		}
		if z.lo[e.at] > z.hi[e.at] {
			return changed, false
		}
	}
	z.moved = false
	for i := range z.sys.ties {
		t := &z.sys.ties[i]
		if !z.within(t.at, t.e.Interval(z.box.At)) || !t.e.Project(expr.Range{Lo: z.lo[t.at], Hi: z.hi[t.at]}, &z.box) {
			return changed, false
		}
	}
	changed = changed || z.moved
	for _, f := range z.sys.filters {
		if r := f.Interval(z.box.At); r == (expr.Range{Lo: 0, Hi: 0}) {
			return changed, false
		}
	}
	return changed, true
}
