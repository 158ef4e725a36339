package cache

import "math/rand/v2"

// An entry is a line and what is known of its copy here.
type entry uint64

const (
	dirty  entry = 1 << iota // differs from the next level's
	marked                   // prefetched and not found yet
	owned                    // no instance that does not serve this one's threads holds the line
	flags  = dirty | marked | owned

	flagBits = 3         // below the line
	empty    = ^entry(0) // a way that holds nothing
)

func entryOf(line uint64) entry   { return entry(line << flagBits) }
func (e entry) line() uint64      { return uint64(e) >> flagBits }
func (e entry) is(key entry) bool { return e^key <= flags }

// instance is one cache of a level. The ways of a set stand in the order of recency, the newest first, for LRU, in that
// of filling for FIFO, with the empty ones last; elsewhere each has its place.
type instance struct {
	level   *level
	number  int
	sets    uint64
	mask    uint64 // sets − 1 when that is a power of two, else 0
	ways    int
	entries []entry
	victims []entry // of the victim cache, the newest first
	trees   []uint64
	span    int // ways, rounded up to a power of two
	random  *rand.Rand
	strides []stride
	causes  *causes
}

// newInstance makes an empty cache; seed and number choose its random numbers.
func newInstance(l *level, number int, seed uint64, classify bool) *instance {
	c := &instance{level: l, number: number, sets: uint64(l.Lines / l.Ways), ways: int(l.Ways)}
	if c.sets&(c.sets-1) == 0 {
		c.mask = c.sets - 1
	}
	c.entries = make([]entry, l.Lines)
	for i := range c.entries {
		c.entries[i] = empty
	}
	switch l.Replacement {
	case PLRU:
		for c.span = 1; c.span < c.ways; {
			c.span *= 2
		}
		c.trees = make([]uint64, c.sets*uint64(c.treeWords()))
	case Random:
		c.random = rand.New(rand.NewPCG(seed, uint64(l.index)<<32+uint64(number)))
	}
	if l.Prefetcher == Stride {
		c.strides = make([]stride, strideEntries)
	}
	if classify {
		c.causes = newCauses(l.Lines + int64(l.VictimLines))
	}
	return c
}

// numberOf is the number of a line's set.
func (c *instance) numberOf(line uint64) uint64 {
	if c.mask == 0 && c.sets > 1 {
		return line % c.sets
	}
	return line & c.mask
}

// set gives the ways of a line's set and its number.
func (c *instance) set(line uint64) ([]entry, uint64) {
	n := c.numberOf(line)
	return c.entries[n*uint64(c.ways):][:c.ways], n
}

// first says whether a line stands first in its set, or was used last where that is known of a tree, and an access to it changes nothing: a read, or a
// write to what is changed already and nobody else has.
func (c *instance) first(line uint64, write bool) bool {
	set, way := c.numberOf(line), uint64(0)
	if c.trees != nil {
		way = c.trees[set] >> treeLast
	}
	e := c.entries[set*uint64(c.ways)+way]
	return e.is(entryOf(line)) && (!write || e&(dirty|owned) == dirty|owned)
}

// at finds a line's copy, in its set or the victim cache; nil if there is none.
func (c *instance) at(line uint64) *entry {
	key := entryOf(line)
	ways, _ := c.set(line)
	for i := range ways {
		if ways[i].is(key) {
			return &ways[i]
		}
	}
	for i := range c.victims {
		if c.victims[i].is(key) {
			return &c.victims[i]
		}
	}
	return nil
}

// find looks a line up: where it is, it becomes the most recently used, and its mark goes.
func (c *instance) find(line uint64) (found, useful, victim bool) {
	key := entryOf(line)
	ways, set := c.set(line)
	for i, e := range ways {
		if e.is(key) {
			ways[i] = e &^ marked
			c.use(ways, set, i)
			return true, e&marked != 0, false
		}
	}
	for i, e := range c.victims {
		if e.is(key) {
			c.victims = append(c.victims[:i], c.victims[i+1:]...)
			if old := c.place(e &^ marked); old != empty {
				c.victims = append([]entry{old}, c.victims...)
			}
			return true, e&marked != 0, true
		}
	}
	return false, false, false
}

// put adds a line that is not here, and gives the one that leaves for it, or empty.
func (c *instance) put(e entry) entry {
	if c.causes != nil {
		delete(c.causes.lost, e.line())
	}
	old := c.place(e)
	if old == empty || c.level.VictimLines == 0 {
		return old
	}
	c.victims = append([]entry{old}, c.victims...)
	if len(c.victims) <= c.level.VictimLines {
		return empty
	}
	last := len(c.victims) - 1
	old = c.victims[last]
	c.victims = c.victims[:last]
	return old
}

// refresh makes a line that moves here, where it is already, the most recently used.
func (c *instance) refresh(e entry) bool {
	key := e &^ flags
	ways, set := c.set(e.line())
	for i := range ways {
		if ways[i].is(key) {
			ways[i] |= e & dirty
			c.use(ways, set, i)
			return true
		}
	}
	for i, v := range c.victims {
		if v.is(key) {
			copy(c.victims[1:i+1], c.victims[:i])
			c.victims[0] = v | e&dirty
			return true
		}
	}
	return false
}

// remove takes a line out; it gives empty when it is not here.
func (c *instance) remove(line uint64) entry {
	key := entryOf(line)
	ways, set := c.set(line)
	for i, e := range ways {
		if !e.is(key) {
			continue
		}
		switch c.level.Replacement {
		case LRU, FIFO:
			copy(ways[i:], ways[i+1:])
			ways[len(ways)-1] = empty
		case PLRU:
			ways[i] = empty
			c.tree(set)[0] &^= treeFull
		default:
			ways[i] = empty
		}
		return e
	}
	for i, e := range c.victims {
		if e.is(key) {
			c.victims = append(c.victims[:i], c.victims[i+1:]...)
			return e
		}
	}
	return empty
}
