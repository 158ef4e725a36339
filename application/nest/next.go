package nest

import (
	"slices"

	"foresee/application/nest/expr"
)

// candidate is a reference that may use a line next, seen from another at some depth.
type candidate struct {
	b      *access
	strict bool // in a later iteration of the loop at that depth; otherwise later in the text
}

// linkAccesses finds, for every access and depth, the references to its object that can follow.
func (m *model) linkAccesses() {
	m.byObject = make([][]*access, len(m.objects))
	for _, a := range m.accesses {
		m.byObject[a.object] = append(m.byObject[a.object], a)
	}
	m.common = make([][]int8, len(m.accesses))
	for _, a := range m.accesses {
		m.common[a.id] = make([]int8, len(m.accesses))
		for _, b := range m.accesses {
			m.common[a.id][b.id] = int8(commonDepth(a.path, b.path))
		}
	}
	for _, a := range m.accesses {
		a.follow = make([][]candidate, len(a.path)+1)
		for d := range a.follow {
			a.follow[d] = m.followers(a, m.byObject[a.object], d, nil)
			slices.SortStableFunc(a.follow[d], func(x, y candidate) int { return likely(y, a) - likely(x, a) })
		}
	}
}

// followers appends those of list that can come after a with d loops at the same iteration.
func (m *model) followers(a *access, list []*access, d int, out []candidate) []candidate {
	for _, b := range list {
		shared := int(m.common[a.id][b.id])
		if shared > d || shared == d && b.id > a.id {
			out = append(out, candidate{b, shared > d})
		}
	}
	return out
}

// likely prefers the reference itself: its own next iterations are the usual reuse.
func likely(c candidate, a *access) int {
	if c.b == a {
		return 1
	}
	return 0
}

// commonDepth is how many loops two accesses share.
func commonDepth(p, q []*loop) int {
	n := 0
	for n < len(p) && n < len(q) && p[n] == q[n] {
		n++
	}
	return n
}

// found is the best next use so far.
type found struct {
	b     *access
	at    [maxDepth]int64
	level int // loops shared with the access it follows
}

// nextUse finds the first access after a, at the cursor's point, that touches the line of an object beginning
// at byte line; between from and floor loops stay fixed. Later iterations of the loop at depth skip, if that is not −1, do
// not count. ok is false when the search gave up.
func (c *cursor) nextUse(a *access, object int, line int64, from, floor, skip int, best *found) (hit, ok bool) {
	for d := from; d >= floor; d-- {
		best.b = nil
		list := a.follow[d]
		if object != a.object {
			c.list = c.m.followers(a, c.m.byObject[object], d, c.list[:0])
			list = c.list
		}
		for _, f := range list {
			if f.strict && d == skip {
				continue
			}
			if !c.tryCandidate(a, f, d, line, best) {
				return false, false
			}
		}
		if best.b != nil {
			best.level = d
			return true, true
		}
	}
	return false, true
}

// tryCandidate improves best by the first use by f.b with d loops as at the cursor's point; false: gave up.
func (c *cursor) tryCandidate(a *access, f candidate, d int, line int64, best *found) bool {
	z := &c.solver
	s := &f.b.system
	z.prepare(s, d)
	for i := range d {
		v := c.env[a.path[i].v]
		z.lo[i], z.hi[i] = v, v
	}
	if f.strict {
		z.lo[d] = max(z.lo[d], c.env[a.path[d].v]+1)
		if best.b != nil && best.b.path[d] == a.path[d] {
			z.hi[d] = min(z.hi[d], best.at[d])
		}
		if z.lo[d] > z.hi[d] {
			return true
		}
	} else if best.b != nil && best.b.id < f.b.id && int(c.m.common[a.id][best.b.id]) == d &&
		int(c.m.common[best.b.id][f.b.id]) == d {
		return true // later in the text than the best, without a loop in common
	}
	return c.solve(f.b, line, best)
}

// solve searches the prepared box and keeps the point when it precedes best.
func (c *cursor) solve(b *access, line int64, best *found) bool {
	z := &c.solver
	z.window, z.line, z.nodes = line, c.m.line, maxNodes
	if !z.search(0) {
		return z.nodes >= 0
	}
	if best.b == nil || c.precedes(b, &z.lo, best) {
		best.b = b
		copy(best.at[:b.system.loops], z.lo[:b.system.loops])
	}
	return true
}

// precedes tells whether access b at point x comes before best.
func (c *cursor) precedes(b *access, x *[maxDepth]int64, best *found) bool {
	shared := int(c.m.common[b.id][best.b.id])
	for i := range shared {
		if x[i] != best.at[i] {
			return x[i] < best.at[i]
		}
	}
	return b.id < best.b.id
}

// firstUse finds the first access by the references list to the line with the first d loops as in fixed.
func (c *cursor) firstUse(list []*access, fixed []int64, line int64, best *found) (hit, ok bool) {
	best.b = nil
	z := &c.solver
	for _, b := range list {
		z.prepare(&b.system, len(fixed))
		for i, v := range fixed {
			z.lo[i], z.hi[i] = v, v
		}
		if !c.solve(b, line, best) {
			return false, false
		}
	}
	return best.b != nil, true
}

// firstUseFrom is firstUse with one more loop, whose variable is at least from.
func (c *cursor) firstUseFrom(list []*access, fixed []int64, from, line int64, best *found) (hit, ok bool) {
	best.b = nil
	d := len(fixed)
	z := &c.solver
	for _, b := range list {
		z.prepare(&b.system, d)
		for i, v := range fixed {
			z.lo[i], z.hi[i] = v, v
		}
		z.lo[d] = max(z.lo[d], from)
		if best.b != nil {
			z.hi[d] = min(z.hi[d], best.at[d])
		}
		if z.lo[d] > z.hi[d] {
			continue
		}
		if !c.solve(b, line, best) {
			return false, false
		}
	}
	return best.b != nil, true
}

// moveTo puts the cursor at a found point.
func (c *cursor) moveTo(f *found) {
	for i, l := range f.b.path {
		c.env[l.v] = f.at[i]
	}
}

// lineAt is the first byte of the line that a touches at the cursor's point.
func (c *cursor) lineAt(a *access) int64 {
	return expr.FloorDiv(c.offset(a), c.m.line) * c.m.line
}

func (c *cursor) offset(a *access) int64 {
	if a.exact != nil {
		return a.exact.Eval(c.env)
	}
	return a.offset.Eval(c.env)
}
