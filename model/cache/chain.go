package cache

// Chain is the sets of a hierarchy that one line falls into, one a level: of each level it sees the lines of that set alone, as the levels
// further in pass them on. Where the sets of a level are a multiple of those of the level before, that is all there is to know of the
// line. Threads, prefetchers, victim
// caches and random replacement are left out.
type Chain struct {
	levels []link
	line   uint64 // aimed at
	last   uint64 // accessed
	losses int    // of the line aimed at, by any level
}

// link is one set of a level.
type link struct {
	set   *instance
	sets  uint64
	mask  uint64 // sets − 1 when that is a power of two, else 0
	own   uint64 // number of the set
	fills int64  // lines that were put into the set since it was aimed at or filled
	level Level
}

// NewChain makes a chain through levels, innermost first.
func NewChain(levels []Level) *Chain {
	c := &Chain{levels: make([]link, len(levels))}
	for i := range levels {
		k := &c.levels[i]
		k.sets = uint64(levels[i].Lines / levels[i].Ways)
		if k.sets&(k.sets-1) == 0 {
			k.mask = k.sets - 1
		}
		k.level = levels[i]
		k.level.Lines, k.level.VictimLines, k.level.Prefetcher = k.level.Ways, 0, NoPrefetch
		k.set = newInstance(&level{Level: k.level, index: i}, 0, 0, false)
	}
	return c
}

// number is the set that a line falls into.
func (k *link) number(line uint64) uint64 {
	if k.mask != 0 || k.sets == 1 {
		return line & k.mask
	}
	return line % k.sets
}

// Aim empties the chain and turns it to the sets of a line.
func (c *Chain) Aim(line uint64) {
	c.line, c.last = line, ^line
	for i := range c.levels {
		k := &c.levels[i]
		k.own, k.fills = k.number(line), 0
		for j := range k.set.entries {
			k.set.entries[j] = empty
		}
		clear(k.set.trees)
	}
}

// Fill puts other lines, which nobody uses again, into all ways of the sets: a chain that begins within a program is not empty, and what it holds goes first.
func (c *Chain) Fill() {
	apart := uint64(1) << 36 // a multiple of the number of sets of each level, so that all lines fall into the same sets
	for i := range c.levels {
		if c.levels[i].mask == 0 {
			apart *= c.levels[i].sets
		}
	}
	for i := range c.levels {
		for j := range c.levels[i].set.entries {
			c.levels[i].set.put(entryOf(c.line + uint64(i*len(c.levels[i].set.entries)+j+1)*apart))
		}
	}
}

// Fills counts the lines that accesses put into the set of a level.
func (c *Chain) Fills(level int) int64 { return c.levels[level].fills }

// Meets tells whether a line falls into any of the sets.
func (c *Chain) Meets(line uint64) bool {
	for i := range c.levels {
		if k := &c.levels[i]; k.number(line) == k.own {
			return true
		}
	}
	return false
}

// Losses counts how often a level gave up the line aimed at, since the chain was made.
func (c *Chain) Losses() int { return c.losses }

// Holder is the innermost level that holds the line aimed at; the number of levels stands for none.
func (c *Chain) Holder() int {
	for i := range c.levels {
		if c.levels[i].set.at(c.line) != nil {
			return i
		}
	}
	return len(c.levels)
}

// Touch is an access to a line, and gives the level that serves it, as far as the chain knows; the number of levels stands for memory.
func (c *Chain) Touch(line uint64) int {
	if line == c.last { // the first level has it as its most recently used, or does not see it
		return 0
	}
	c.last = line
	served := len(c.levels)
	for i := range c.levels {
		k := &c.levels[i]
		if k.number(line) != k.own {
			continue
		}
		if found, _, _ := k.set.find(line); found {
			served = i
			break
		}
	}
	if served == 0 {
		return 0
	}
	if served < len(c.levels) && c.levels[served].level.Inclusion == Exclusive {
		c.levels[served].set.remove(line)
	}
	for i := served - 1; i >= 0; i-- {
		k := &c.levels[i]
		if k.number(line) == k.own && (i == 0 || k.level.Inclusion != Exclusive) {
			k.fills++
			c.leave(k.set.put(entryOf(line)), i)
		}
	}
	return served
}

// leave deals with what level i gave up.
func (c *Chain) leave(e entry, i int) {
	if e == empty {
		return
	}
	if e.line() == c.line {
		c.losses++
	}
	if c.levels[i].level.Inclusion == Inclusive {
		for j := range i {
			c.levels[j].set.remove(e.line())
		}
	}
	if i+1 == len(c.levels) || c.levels[i+1].level.Inclusion != Exclusive {
		return
	}
	k := &c.levels[i+1]
	if k.number(e.line()) == k.own && !k.set.refresh(e) {
		c.leave(k.set.put(e), i+1)
	}
}
