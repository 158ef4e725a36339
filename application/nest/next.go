package nest

import (
	"encoding/binary"
	"slices"

	"foresee/application/nest/expr"
)

// candidate is a reference that may use a line next, seen from another at some depth.
type candidate struct {
	b      *access
	strict bool // in a later iteration of the loop at that depth; otherwise later in the text
}

// listedCandidates is up to how many references to one object their candidates are listed in advance, for every pair. Of more, those that can touch
// a line are found by their offsets, as lists would take memory, and looking at all of them time, by the square. Chosen: kernels have fewer.
const listedCandidates = 32

// linkAccesses finds, for every access and depth, the references to its object that can follow.
func (m *model) linkAccesses() {
	m.shareLoops()
	m.gatherTwins()
	m.families = make([]*families, len(m.objects))
	m.boundLoops()
	for object, list := range m.byObject {
		if len(list) > listedCandidates {
			m.families[object] = familiesOf(list)
		}
	}
	for _, a := range m.accesses {
		if m.families[a.object] != nil {
			continue
		}
		a.follow = make([][]candidate, len(a.path)+1)
		for d := range a.follow {
			a.follow[d] = m.followers(a, a.object, d, nil)
		}
	}
}

// sharedNests is for how many nests the loops that each two have in common are counted in advance: of more they are counted each time, as
// the table would grow by the square. Chosen: 4 MiB.
const sharedNests = 2048

// shareLoops numbers the nests that accesses stand in, and counts the loops that each two of these have in common.
func (m *model) shareLoops() {
	var paths [][]*loop
	known := map[*loop]int{nil: 0}
	paths = append(paths, nil)
	for _, a := range m.accesses {
		var inner *loop
		if len(a.path) > 0 {
			inner = a.path[len(a.path)-1]
		}
		n, ok := known[inner]
		if !ok {
			n = len(paths)
			known[inner], paths = n, append(paths, a.path)
		}
		a.nest = n
	}
	if len(paths) > sharedNests {
		return
	}
	m.shared = make([][]int8, len(paths))
	for i, p := range paths {
		m.shared[i] = make([]int8, len(paths))
		for j, q := range paths {
			m.shared[i][j] = int8(commonDepth(p, q))
		}
	}
}

// common is how many loops two accesses share.
func (m *model) common(a, b *access) int {
	if m.shared == nil {
		return commonDepth(a.path, b.path)
	}
	return int(m.shared[a.nest][b.nest])
}

// gatherTwins lists the accesses of each object, those that are made in the same iterations at the same places once, as the first of
// them: the others only follow it.
func (m *model) gatherTwins() {
	m.byObject = make([][]*access, len(m.objects))
	first := map[string]*access{}
	for _, a := range m.accesses {
		key, simple := a.twinKey()
		if of := first[key]; simple && of != nil {
			of.twins, a.first = append(of.twins, a), of
			continue
		}
		if simple {
			first[key] = a
		}
		a.twins, a.first = []*access{a}, a
		m.byObject[a.object] = append(m.byObject[a.object], a)
	}
}

// twinKey is the same for accesses of one object that are made in the same iterations at the same places; false where that is not told.
func (a *access) twinKey() (string, bool) {
	s := &a.system
	if a.exact != nil || len(s.filters) > 0 || len(s.edges) > 0 || len(s.ties) > 0 || s.size != s.loops {
		return "", false
	}
	key := binary.AppendVarint(binary.AppendVarint(nil, int64(a.object)), int64(a.nest))
	key = s.window.appendTo(key)
	for i := range s.cons {
		key = s.cons[i].appendTo(key)
	}
	return string(key), true
}

// appendTo writes all that a constraint is.
func (c *constraint) appendTo(key []byte) []byte {
	key = binary.AppendVarint(key, c.k)
	key = append(key, byte(c.settled), byte(len(c.at)))
	key = append(key, c.at...)
	for _, co := range c.co {
		key = binary.AppendVarint(key, co)
	}
	return key
}

// followers appends the accesses to an object that can come next after a with d loops at the same iteration: of twins, only the first
// that does. The access itself comes first: its own next iterations are the usual reuse.
func (m *model) followers(a *access, object, d int, out []candidate) []candidate {
	begin := len(out)
	for _, b := range m.byObject[object] {
		shared := m.common(a, b)
		next := b
		if shared < d {
			continue
		}
		if shared == d {
			if next = b.twinAfter(a.id); next == nil {
				continue
			}
		}
		out = append(out, candidate{next, shared > d})
		if a.first == b {
			last := len(out) - 1
			out[begin], out[last] = out[last], out[begin]
		}
	}
	return out
}

// twinAfter is the first of an access and its twins that stands after a place in the text; nil where none does.
func (a *access) twinAfter(id int) *access {
	i, _ := slices.BinarySearchFunc(a.twins, id+1, func(twin *access, id int) int { return twin.id - id })
	if i == len(a.twins) {
		return nil
	}
	return a.twins[i]
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
		if !c.tryAll(a, object, d, line, skip, best) {
			return false, false
		}
		if best.b != nil {
			best.level = d
			return true, true
		}
	}
	return false, true
}

// tryAll improves best by the first use of an object with d loops as at the cursor's point; false: gave up.
func (c *cursor) tryAll(a *access, object, d int, line int64, skip int, best *found) bool {
	if all := c.m.families[object]; all != nil {
		return c.tryFamilies(a, all, d, line, skip, best)
	}
	var list []candidate
	if object == a.object {
		list = a.follow[d]
	} else {
		c.list = c.m.followers(a, object, d, c.list[:0])
		list = c.list
	}
	for _, f := range list {
		if f.strict && d == skip {
			continue
		}
		if !c.tryCandidate(a, f, d, line, best) {
			return false
		}
	}
	return true
}

// tryCandidate improves best by the first use by f.b with d loops as at the cursor's point; false: gave up.
func (c *cursor) tryCandidate(a *access, f candidate, d int, line int64, best *found) bool {
	if !f.strict && c.after(f.b.id, f.b, d, best) {
		return true
	}
	z := &c.solver
	z.prepare(&f.b.system, d)
	for i := range d {
		v := c.env[a.path[i].v]
		z.lo[i], z.hi[i] = v, v
	}
	if f.strict {
		z.lo[d] = max(z.lo[d], c.env[a.path[d].v]+1)
		if best.b != nil && len(best.b.path) > d && best.b.path[d] == a.path[d] {
			z.hi[d] = min(z.hi[d], best.at[d])
		}
		if z.lo[d] > z.hi[d] {
			return true
		}
	}
	return c.solve(f.b, line, best)
}

// after tells whether accesses from number id on, in the nest of b, come after the best where both are with d loops as at the cursor's point: they
// are later in the text, and have no other loop in common.
func (c *cursor) after(id int, b *access, d int, best *found) bool {
	return best.b != nil && best.b.id < id && c.m.common(best.b, b) == d
}

// solve searches the prepared box and keeps the point when it precedes best.
func (c *cursor) solve(b *access, line int64, best *found) bool {
	z := &c.solver
	z.window, z.line, z.nodes = line, c.m.line, z.sys.most()
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
	shared := c.m.common(b, best.b)
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
