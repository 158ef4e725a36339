package nest

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"
)

// family is accesses to one object in one nest whose offsets differ by a constant alone.
type family struct {
	members []*access // by that constant
	first   int       // the least number of one
	last    int       // the greatest, of twins too
	told    bool      // the offset tells what they touch
}

// families are those of an object, by the last access of each.
type families struct {
	all   []*family
	first []int // the least number of an access in this family and those behind it
}

// boundLoops finds the first and the last access in each loop.
func (m *model) boundLoops() {
	for _, l := range m.loops {
		l.first = -1
	}
	for _, a := range m.accesses {
		for _, l := range a.path {
			if l.first < 0 {
				l.first = a.id
			}
			l.last = a.id
		}
	}
}

// familiesOf sorts accesses to an object into families.
func familiesOf(list []*access) *families {
	known := map[string]*family{}
	var all []*family
	for _, a := range list {
		key, told := a.familyKey()
		f := known[key]
		if f == nil || !told {
			f = &family{first: a.id, told: told}
			all = append(all, f)
			if told {
				known[key] = f
			}
		}
		f.members = append(f.members, a)
		for _, twin := range a.twins {
			twin.family, f.last = f, max(f.last, twin.id)
		}
	}
	for _, f := range all {
		slices.SortStableFunc(f.members, func(a, b *access) int { return cmp.Compare(a.system.window.k, b.system.window.k) })
	}
	slices.SortStableFunc(all, func(a, b *family) int { return a.last - b.last })
	out := &families{all, make([]int, len(all))}
	least := math.MaxInt
	for i, f := range slices.Backward(all) {
		least = min(least, f.first)
		out.first[i] = least
	}
	return out
}

// familyKey is the same for the accesses of a family; false for one that is alone.
func (a *access) familyKey() (string, bool) {
	s := &a.system
	if a.exact != nil || s.size != s.loops {
		return "", false
	}
	key := binary.AppendVarint(nil, int64(a.nest))
	key = append(key, s.window.at...)
	for _, co := range s.window.co {
		key = binary.AppendVarint(key, co)
	}
	return string(key), true
}

// tryFamilies improves best by those accesses of families that can touch the line, the family of a first: its next iterations are the usual
// reuse. Families whose accesses all come before a in the text, outside the loop at depth d, or all after the best and the loops that it is in, are
// left out. False: gave up.
func (c *cursor) tryFamilies(a *access, of *families, d int, line int64, skip int, best *found) bool {
	own := a.family
	if a.object != of.all[0].members[0].object {
		own = nil
	}
	if own != nil && !c.tryFamily(a, own, d, line, skip, best) {
		return false
	}
	begin, end := a.id+1, a.id // of what is in the loop
	if d < len(a.path) {
		begin, end = a.path[d].first, a.path[d].last
	}
	from := sort.Search(len(of.all), func(i int) bool { return of.all[i].last >= begin })
	for i, f := range of.all[from:] {
		if best.b != nil && of.first[from+i] > max(end, best.b.id) && (len(best.b.path) <= d || of.first[from+i] > best.b.path[d].last) {
			break
		}
		if f != own && !c.tryFamily(a, f, d, line, skip, best) {
			return false
		}
	}
	return true
}

// tryFamily improves best by the accesses of a family that can touch the line; false: gave up. Where the loop at depth d goes on, those come first
// that touch the line in its first iterations, after which the others have fewer left to do so.
func (c *cursor) tryFamily(a *access, f *family, d int, line int64, skip int, best *found) bool {
	lead := f.members[0]
	shared := c.m.common(a, lead)
	strict := shared > d
	if shared < d || strict && d == skip || !strict && (f.last <= a.id || c.after(f.first, lead, d, best)) {
		return true
	}
	down := strict && lead.system.window.of(d) > 0
	from, to := 0, len(f.members)
	for from < to {
		if f.told {
			low, high, ok := c.constants(a, lead, d, strict, line, best)
			if !ok {
				return true
			}
			from = max(from, sort.Search(len(f.members), func(i int) bool { return f.members[i].system.window.k >= low }))
			to = min(to, sort.Search(len(f.members), func(i int) bool { return f.members[i].system.window.k > high }))
		}
		for better := false; from < to && !better; {
			var b *access
			if down {
				to--
				b = f.members[to]
			} else {
				b = f.members[from]
				from++
			}
			if !strict {
				if b = b.twinAfter(a.id); b == nil {
					continue
				}
			}
			before, at := best.b, best.at
			if !c.tryCandidate(a, candidate{b, strict}, d, line, best) {
				return false
			}
			better = best.b != before || best.at != at
		}
	}
	return true
}

// constants are the least and the greatest constant of an offset in the family of lead that can lie in the line with d loops as at the cursor's point,
// and before the best; false where there are no iterations left.
func (c *cursor) constants(a, lead *access, d int, strict bool, line int64, best *found) (low, high int64, ok bool) {
	s := &lead.system
	least, most := int64(0), int64(0)
	for i, at := range s.window.at {
		p := int(at)
		lo, hi := s.start[p].Lo, s.start[p].Hi
		switch {
		case p < d:
			lo = c.env[a.path[p].v]
			hi = lo
		case p == d && strict:
			lo = max(lo, c.env[a.path[p].v]+1)
			if best.b != nil && len(best.b.path) > d && best.b.path[d] == a.path[d] {
				hi = min(hi, best.at[d])
			}
			if lo > hi {
				return 0, 0, false
			}
		}
		x, y := s.window.co[i]*lo, s.window.co[i]*hi
		least, most = least+min(x, y), most+max(x, y)
	}
	return line - most, line + c.m.line - 1 - least, true
}

// of is the coefficient of a position; 0 where the constraint does not have it.
func (c *constraint) of(position int) int64 {
	for i, p := range c.at {
		if int(p) == position {
			return c.co[i]
		}
	}
	return 0
}
