package cache

import "unsafe"

// As those of plain levels (fixed.go), the loops over the sets of linked ones are of a number of turns that the compiler knows where the ways and the
// sets are usual.

// fixedEntries are sets of a fixed number of ways.
type fixedEntries interface {
	[8]entry | [12]entry | [16]entry | [20]entry
}

// firstLinked looks a batch of references up in the first level, and what misses further on. It gives how many these were.
type firstLinked func(s *Simulator, b []uint64, shift uint8, writes uint64) (missed int)

// linkedSets gives the loops for an instance: over references, where it is of the first level, and over the ways of one set.
func linkedSets(c *instance) (firstLinked, func(line uint64) (old entry, found bool)) {
	if powers := c.sets&(c.sets-1) == 0; powers {
		switch c.ways {
		case 8:
			return linkedFixed[[8]entry](c)
		case 12:
			return linkedFixed[[12]entry](c)
		case 16:
			return linkedFixed[[16]entry](c)
		case 20:
			return linkedFixed[[20]entry](c)
		}
	}
	return c.firstOfAny, c.advance
}

// linkedFixed is linkedSets for sets of a fixed number of ways.
func linkedFixed[S fixedEntries](c *instance) (firstLinked, func(line uint64) (old entry, found bool)) {
	var one S
	sets := unsafe.Slice((*S)(unsafe.Pointer(&c.entries[0])), len(c.entries)/len(one))
	first := func(s *Simulator, b []uint64, shift uint8, writes uint64) int {
		return firstOfFixed(s, sets, b, shift, writes)
	}
	advance := func(line uint64) (old entry, found bool) {
		set, key := &sets[line&uint64(len(sets)-1)], entryOf(line)
		if e := (*set)[0]; e.is(key) {
			return e, true
		}
		way, old := promoteEntry(set, key)
		return old, way < len(*set)
	}
	return first, advance
}

// firstOfFixed is firstLinked for sets of a fixed number of ways.
func firstOfFixed[S fixedEntries](s *Simulator, sets []S, b []uint64, shift uint8, writes uint64) (missed int) {
	for _, r := range b {
		line := r >> (shift & 63)
		set, key := &sets[line&uint64(len(sets)-1)], entryOf(line)
		if !(*set)[0].is(key) {
			if way, old := promoteEntry(set, key); way == len(*set) {
				missed++
				s.missLinked(line, old)
			}
		}
		if r&writes != 0 {
			(*set)[0] |= dirty | owned
		}
	}
	return missed
}

// promoteEntry makes a line, which is not the first, the first of its set. It gives the way where it was, or the number of ways, and what was there or
// left for it. It is a function of its own for the sake of its registers.
//
//go:noinline
func promoteEntry[S fixedEntries](set *S, key entry) (way int, old entry) {
	p := (*set)[0]
	for i := 1; i < len(*set); i++ {
		q := (*set)[i]
		(*set)[i] = p
		if q.is(key) {
			(*set)[0] = q
			return i, q
		}
		p = q
	}
	(*set)[0] = key
	return len(*set), p
}

// firstOfAny is firstLinked for any sets.
func (c *instance) firstOfAny(s *Simulator, b []uint64, shift uint8, writes uint64) (missed int) {
	for _, r := range b {
		line := r >> (shift & 63)
		ways, _ := c.set(line)
		if !ways[0].is(entryOf(line)) {
			if old, found := c.advance(line); !found {
				missed++
				s.missLinked(line, old)
			}
		}
		if r&writes != 0 {
			ways[0] |= dirty | owned
		}
	}
	return missed
}

// advance puts a line first in its set. It gives what it was there, or what left for it.
func (c *instance) advance(line uint64) (old entry, found bool) {
	ways, _ := c.set(line)
	key, p := entryOf(line), ways[0]
	for i, q := range ways {
		ways[i] = p
		if q.is(key) {
			ways[0] = q
			return q, true
		}
		p = q
	}
	ways[0] = key
	return p, false
}
