package nest

import (
	"slices"
	"sort"

	"foresee/application/nest/expr"
)

// cursor answers questions about a model; each goroutine has its own.
type cursor struct {
	m              *model
	env            []int64             // values of the loop variables by Var
	tables         []map[string]*table // by loop number
	recent         []recent            // by loop number
	solver         solver
	list           []candidate // scratch
	offsets, steps []int64     // scratch
	batch          []step      // scratch
}

func (m *model) newCursor() *cursor {
	n := len(m.loops)
	return &cursor{m: m, env: make([]int64, len(m.vars)), tables: make([]map[string]*table, n), recent: make([]recent, n)}
}

// countBefore lists, for every body on the way to an access, what precedes it there. outer is what precedes b
// in the body that a condition stands in.
func (m *model) countBefore(b *body, prefix [][]before, outer []before) {
	var now before
	list := func(b before) []before { return append(slices.Clone(outer), b) }
	for i := range b.items {
		it := &b.items[i]
		switch {
		case it.run != nil:
			for k, a := range it.run {
				a.before = append(slices.Clone(prefix), list(before{now.fixed + int64(k), now.items}))
			}
			now.fixed += int64(len(it.run))
		case it.loop != nil:
			m.countBefore(it.loop.body, append(slices.Clone(prefix), list(now)), nil)
			if l := it.loop; l.countKnown && isConstant(l.count) {
				now.fixed += constantValue(l.count)
				continue
			}
			now.items = append(slices.Clone(now.items), *it)
		default:
			m.countBefore(it.then, prefix, list(now))
			m.countBefore(it.els, prefix, list(now))
			now.items = append(slices.Clone(now.items), *it)
		}
	}
}

func isConstant(p expr.Polynomial) bool { return len(p) == 0 || len(p) == 1 && len(p[0].Vars) == 0 }

func constantValue(p expr.Polynomial) int64 {
	if len(p) == 0 {
		return 0
	}
	return p[0].C.Num().Int64()
}

// beforeAt is how many accesses come before a place within one iteration of each loop around it.
func (c *cursor) beforeAt(list []before) int64 {
	s := int64(0)
	for i := range list {
		s += list[i].fixed
		for j := range list[i].items {
			s += c.itemLength(&list[i].items[j])
		}
	}
	return s
}

// rank counts the accesses before access a at the cursor's point, from the beginning of the body at level
// from (0 is the whole program) of its path; levels at and past to do not count.
func (c *cursor) rank(a *access, from, to int) int64 {
	s := int64(0)
	for i := from; i < to; i++ {
		s += c.beforeAt(a.before[i])
		l := a.path[i]
		s += c.prefix(l, l.low(c.env), c.env[l.v])
	}
	return s
}

// position is a's rank from level from on, itself not counted.
func (c *cursor) position(a *access, from int) int64 {
	n := len(a.path)
	return c.rank(a, from, n) + c.beforeAt(a.before[n])
}

// unrank moves the cursor to the r-th access of b and returns it; stop is called on the way for a team loop.
func (c *cursor) unrank(b *body, r int64, team func(l *loop, r int64) int64) *access {
	for {
		var next *body
		items := b.items
		if b.ends != nil {
			k, _ := slices.BinarySearch(b.ends, r+1)
			if k > 0 {
				r -= b.ends[k-1]
			}
			items = items[k:]
		}
		for i := range items {
			it := &items[i]
			if it.run != nil {
				if r < int64(len(it.run)) {
					return it.run[r]
				}
				r -= int64(len(it.run))
				continue
			}
			n := c.itemLength(it)
			if r >= n {
				r -= n
				continue
			}
			switch {
			case it.loop == nil && it.cond.Eval(c.env) != 0:
				next = it.then
			case it.loop == nil:
				next = it.els
			default:
				if it.loop.team && team != nil {
					r = team(it.loop, r)
				} else {
					r = c.enter(it.loop, r)
				}
				next = it.loop.body
			}
			break
		}
		if next == nil {
			return nil // r is past the end
		}
		b = next
	}
}

// enter sets l's variable to the iteration that holds the r-th access and returns what is left of r.
func (c *cursor) enter(l *loop, r int64) int64 {
	lo := l.low(c.env)
	switch {
	case l.body.fixed:
		n := r / l.body.size
		c.env[l.v] = lo + n
		return r - n*l.body.size
	case l.sum != nil:
		return c.enterClosed(l, lo, r)
	case l.uniform:
		size := c.length(l.body)
		c.env[l.v] = lo + r/size
		return r % size
	}
	p := c.table(l, lo).prefix
	i := sort.Search(len(p), func(i int) bool { return p[i] > r }) - 1
	c.env[l.v] = lo + int64(i)
	return r - p[i]
}

// enterClosed finds the last x with S(x) − S(lo) ≤ r by interpolation between brackets.
func (c *cursor) enterClosed(l *loop, lo, r int64) int64 {
	var buf [expr.MaxDegree + 1]int64
	co := l.sum.At(c.env, &buf)
	base := expr.Horner(co, lo)
	den := l.sum.Den
	at := func(x int64) int64 { return (expr.Horner(co, x) - base) / den }
	below, above := lo, l.high(c.env)+1 // at(below) ≤ r < at(above)
	atBelow, atAbove := int64(0), at(above)
	for tries := 0; above-below > 1; tries++ {
		mid := below + (above-below)/2
		if tries < 4 { // interpolate: the sum is smooth and nearly linear or quadratic
			f := float64(r-atBelow) / float64(atAbove-atBelow)
			mid = below + int64(f*float64(above-below))
			mid = min(max(mid, below+1), above-1)
		}
		if v := at(mid); v <= r {
			below, atBelow = mid, v
		} else {
			above, atAbove = mid, v
		}
	}
	c.env[l.v] = below
	return r - atBelow
}
