package nest

import (
	"math"
	"math/rand/v2"
	"slices"

	"foresee/application/nest/expr"
)

// Footprint tries no more than so many lines of an object whose lines it cannot list, in all groups together or in each.
const (
	linesTried        = 2048
	linesTriedInGroup = 64
)

// Footprint is the number of distinct lines that the stream touches, summed over its groups: the number of its
// cold accesses. They are counted; of objects whose lines are touched under conditions that are not affine, or in too many pieces, lines are
// tried at random, and standardError tells what that leaves open.
func (s *Stream) Footprint(seed uint64) (lines, standardError float64, err error) {
	if s.listed != nil {
		return float64(len(s.listed.firsts)), 0, nil
	}
	c := s.model.newCursor()
	rng := rand.New(rand.NewPCG(seed, 0xf007))
	list := &rows{left: mostRowsInAll}
	unknown := make([]bool, len(s.model.objects)) // could not be listed in a group before
	variance := 0.0
	var fixed []int64
	for g := range s.groups() {
		if s.floor() == 1 {
			fixed = []int64{int64(g)}
		}
		for object := range s.model.objects {
			if !unknown[object] {
				if n, ok := list.count(s.model.byObject[object], fixed, s.model.line); ok {
					lines += float64(n)
					continue
				}
				unknown[object] = true
			}
			n, v, err := c.distinct(s.model.byObject[object], fixed, max(linesTriedInGroup, linesTried/int64(s.groups())), rng)
			if err != nil {
				return 0, 0, err
			}
			lines, variance = lines+n, variance+v
		}
	}
	return lines, math.Sqrt(variance), nil
}

// distinct estimates the number of lines that some references touch when the outermost loops are fixed, and the variance of that number.
func (c *cursor) distinct(list []*access, fixed []int64, most int64, rng *rand.Rand) (number, variance float64, err error) {
	first, last, ok := c.extent(list, fixed)
	if !ok {
		return 0, 0, nil
	}
	lines := last - first + 1
	tried := min(lines, most)
	hits := 0
	for i := range tried {
		line := first + i
		if tried < lines {
			line = first + int64((float64(i)+rng.Float64())/float64(tried)*float64(lines))
		}
		touched, err := c.touched(list, fixed, min(line, last)*c.m.line)
		if err != nil {
			return 0, 0, err
		}
		if touched {
			hits++
		}
	}
	all, n := float64(lines), float64(tried)
	share := float64(hits) / n
	if tried < lines {
		open := (float64(hits) + 1) / (n + 2) // Laplace's rule: all that were tried may be touched, and others not
		variance = all * all * open * (1 - open) / n
	}
	return all * share, variance, nil
}

// extent bounds the lines that the references can touch.
func (c *cursor) extent(list []*access, fixed []int64) (first, last int64, ok bool) {
	z := &c.solver
	for _, a := range list {
		z.prepare(&a.system, 0)
		z.line = 0
		for i, v := range fixed {
			z.lo[i], z.hi[i] = v, v
		}
		if !z.narrow() {
			continue
		}
		lo, hi := z.offsets()
		lo, hi = expr.FloorDiv(lo, c.m.line), expr.FloorDiv(hi, c.m.line)
		if !ok {
			first, last, ok = lo, hi, true
		}
		first, last = min(first, lo), max(last, hi)
	}
	if ok && slices.ContainsFunc(list, func(a *access) bool { return len(a.system.ties) > 0 }) {
		first, last = c.tightened(list, fixed, first, last)
	}
	return first, last, ok
}

// tightened looks for the first and the last line that the references touch, where the bounds of parts that are not affine may leave far more.
func (c *cursor) tightened(list []*access, fixed []int64, first, last int64) (least, most int64) {
	left := int64(mostTightening)
	if slices.ContainsFunc(list, func(a *access) bool { return a.system.looksUp() }) {
		left = mostLookingUp
	}
	for below, above := first, last+1; ; {
		if most = below; above-below <= 1 {
			break
		}
		if mid := below + (above-below)/2; c.among(list, fixed, mid, last, &left) {
			below = mid
		} else {
			above = mid
		}
	}
	for below, above := first-1, most; ; {
		if least = above; above-below <= 1 {
			return least, most
		}
		if mid := below + (above-below)/2; c.among(list, fixed, first, mid, &left) {
			above = mid
		} else {
			below = mid
		}
	}
}

// How many nodes are looked at for the ends of what references touch, in one question and in all, and where tables are asked, of which a node takes far
// longer. Chosen: some ten milliseconds for a question; a region whose rows a run told took 70 seconds without the last bound, and 5 with it.
const (
	mostAmong      = 20_000
	mostTightening = 200_000
	mostLookingUp  = 20_000
)

// looksUp tells whether tables decide which iterations there are, or where they access.
func (s *system) looksUp() bool {
	return slices.ContainsFunc(s.ties, func(t tie) bool { return t.e.LooksUp() }) || slices.ContainsFunc(s.filters, (*expr.Expr).LooksUp) ||
		slices.ContainsFunc(s.edges, func(e edge) bool { return e.e.LooksUp() })
}

// among tells whether any of the references touches lines from one to another; true where it cannot tell. It takes what it looks at from left.
func (c *cursor) among(list []*access, fixed []int64, from, to int64, left *int64) bool {
	z := &c.solver
	for _, a := range list {
		z.prepare(&a.system, 0)
		for i, v := range fixed {
			z.lo[i], z.hi[i] = v, v
		}
		most := min(mostAmong, *left)
		z.window, z.line, z.nodes = from*c.m.line, (to-from+1)*c.m.line, most
		found := most <= 0 || z.exists() || z.nodes < 0
		*left -= most - max(z.nodes, 0)
		if found {
			return true
		}
	}
	return false
}

// offsets bounds the offsets in bytes of the present box. Where a constraint holds together what its variables' ranges alone let drift apart, it
// bounds them too: of 8·(7i − 1000q), with i up to 999 and q up to 6, ranges alone leave −48000 to 55944, and 0 ≤ 7i − 1000q ≤ 999 leaves 0 to 7992.
func (z *solver) offsets() (lo, hi int64) {
	w := &z.sys.window
	lo, hi = z.boundsOf(w, nil, 0)
	for i := range z.sys.cons {
		c := &z.sys.cons[i]
		for j, p := range c.at {
			k := slices.Index(w.at, p)
			if k < 0 || w.co[k]%c.co[j] != 0 {
				continue
			}
			factor := w.co[k] / c.co[j]
			if magnitude(factor) > mostFactor || magnitude(c.k) > mostFactor {
				continue
			}
			least, most := z.boundsOf(w, c, factor) // of what the constraint leaves of the offset
			if factor > 0 {
				lo = max(lo, least-factor*c.k)
			} else {
				hi = min(hi, most-factor*c.k)
			}
		}
	}
	return lo, hi
}

// mostFactor bounds numbers whose product must not overflow.
const mostFactor = 1 << 30

// boundsOf bounds a sum, less a factor times another, over the present box; constants of the second do not count.
func (z *solver) boundsOf(sum, less *constraint, factor int64) (lo, hi int64) {
	lo, hi = sum.k, sum.k
	add := func(p uint8, co int64) {
		x, y := co*z.lo[p], co*z.hi[p]
		lo, hi = lo+min(x, y), hi+max(x, y)
	}
	if less == nil {
		for i, p := range sum.at {
			add(p, sum.co[i])
		}
		return lo, hi
	}
	for i, p := range sum.at {
		co := sum.co[i]
		if j := slices.Index(less.at, p); j >= 0 {
			co -= factor * less.co[j]
		}
		add(p, co)
	}
	for j, p := range less.at {
		if !slices.Contains(sum.at, p) {
			add(p, -factor*less.co[j])
		}
	}
	return lo, hi
}

// touched tells whether any reference touches the line beginning at byte line.
func (c *cursor) touched(list []*access, fixed []int64, line int64) (bool, error) {
	z := &c.solver
	for _, a := range list {
		z.prepare(&a.system, 0)
		for i, v := range fixed {
			z.lo[i], z.hi[i] = v, v
		}
		z.window, z.line, z.nodes = line, c.m.line, z.sys.most()
		if z.exists() {
			return true, nil
		}
		if z.nodes < 0 {
			return false, ErrGaveUp
		}
	}
	return false, nil
}

// layOut places the objects in memory one after another: each with all of its bytes, where these are known, else from the first to the last line
// that any reference to it can touch.
func (s *Stream) layOut() {
	c := s.model.newCursor()
	next := int64(0)
	s.bases = make([]int64, len(s.model.objects))
	for i := range s.bases {
		first, last, ok := s.reach(c, i)
		if !ok {
			continue
		}
		begin, end := first, last
		if whole := expr.CeilDiv(s.model.objects[i].Bytes, s.model.line) - 1; first >= 0 && last <= whole {
			begin, end = 0, whole
		}
		s.bases[i] = next - begin
		s.extents = append(s.extents, Extent{s.model.objects[i], s.bases[i] + first, last - first + 1})
		next += end - begin + 1
	}
}

// reach bounds the lines of an object that are touched.
func (s *Stream) reach(c *cursor, object int) (first, last int64, ok bool) {
	if s.listed == nil {
		return c.extent(s.model.byObject[object], nil)
	}
	if of := s.listed.of(object); len(of) > 0 {
		return of[0].line, of[len(of)-1].line, true
	}
	return 0, 0, false
}

// Extent is which lines of an object are touched.
type Extent struct {
	Object       *Object
	First, Lines int64
}

// Extents are those of all objects, as Address places them.
func (s *Stream) Extents() []Extent { return s.extents }

// Address is the number of a place's line in memory, all objects lying one after another in the order of their
// first use.
func (s *Stream) Address(p Place) int64 { return s.bases[p.Object] + p.Line }

// FirstUsers draws lines of an object, one from each of so many parts of equal size that the touched lines are cut into, and counts by reference who
// uses them first where threads run one after the other. Lines that nothing touches count nowhere. With more references to an object than those
// whose candidates are listed there is no answer: nil.
func (s *Stream) FirstUsers(object *Object, parts int) ([]int, error) {
	for i, o := range s.model.objects {
		if o != object {
			continue
		}
		list := s.model.byObject[i]
		if len(list) > listedCandidates {
			return nil, nil
		}
		return s.firstUsers(i, list, parts)
	}
	return nil, nil
}

func (s *Stream) firstUsers(object int, list []*access, parts int) ([]int, error) {
	c := s.model.newCursor()
	begins, last, ok := s.reach(c, object)
	if !ok {
		return nil, nil
	}
	lines := last - begins + 1
	parts = int(min(int64(parts), lines))
	counts := make([]int, s.References())
	draw := rand.New(rand.NewPCG(uint64(lines), uint64(parts)))
	var best found
	for i := range int64(parts) {
		begin, end := i*lines/int64(parts), (i+1)*lines/int64(parts)
		line := begins + begin + draw.Int64N(end-begin)
		if s.listed != nil {
			of := s.listed.of(object)
			if k, hit := slices.BinarySearchFunc(of, first{object: object, line: line}, compareFirsts); hit {
				counts[of[k].reference]++
			}
			continue
		}
		hit, ok := c.firstUse(list, nil, line*s.model.line, &best)
		switch {
		case !ok:
			return nil, ErrGaveUp
		case s.model.exhausted.Load():
			return nil, ErrIrregular
		case hit:
			counts[best.b.id]++
		}
	}
	return counts, nil
}
