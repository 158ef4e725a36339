package cache

// Levels of a linked hierarchy that replace by tree-PLRU keep every copy in its way. The lowest bit of a tree's word, which no node has, says that no way
// of the set is empty, and the highest ones which way was used last, so that most hits need no search.

// mostTreeWays is how many ways a tree may have for a word to hold the rest as well.
const mostTreeWays = 32

const (
	treeFull = 1  // the bit of a set without empty ways
	treeLast = 56 // the first bit of the way that was used last
	treeMask = 1<<treeLast - 1
)

// treeSets are the sets of an instance, each of up to mostTreeWays ways.
type treeSets struct {
	*instance
	away [mostTreeWays]struct{ clear, set uint64 } // by way: the bits that lead elsewhere

	// What was done for the line that was put in last, where it was not there.
	way    int
	before uint64 // the tree
}

func newTreeSets(c *instance) *treeSets {
	t := &treeSets{instance: c}
	for way := range c.ways {
		for node := c.span + way; node > 1; node /= 2 {
			t.away[way].clear |= 1 << (node / 2)
			if node%2 == 0 {
				t.away[way].set |= 1 << (node / 2)
			}
		}
		t.away[way].clear |= ^uint64(treeMask)
		t.away[way].set |= uint64(way) << treeLast
	}
	return t
}

// used notes the use of a way.
func (t *treeSets) used(set uint64, way int) {
	a := &t.away[way&(mostTreeWays-1)]
	t.trees[set] = t.trees[set]&^a.clear | a.set
}

// find gives the way of a line; ok is false where it is not there.
func (t *treeSets) find(ways []entry, set uint64, key entry) (way int, ok bool) {
	if last := t.trees[set] >> treeLast; ways[last].is(key) {
		return int(last), true
	}
	for i, e := range ways {
		if e.is(key) {
			return i, true
		}
	}
	return 0, false
}

// advance is instance.advance.
func (t *treeSets) advance(line uint64) (old entry, found bool) {
	ways, set := t.set(line)
	key := entryOf(line)
	way, found := t.find(ways, set, key)
	if found {
		t.used(set, way)
		return ways[way], true
	}
	t.before = t.trees[set]
	t.way = t.free(ways, set)
	old = ways[t.way]
	ways[t.way] = key
	t.used(set, t.way)
	return old, false
}

// free gives the way that the next line takes: the lowest that is empty, or the one that the tree leads to.
func (t *treeSets) free(ways []entry, set uint64) int {
	tree := t.trees[set]
	if tree&treeFull == 0 {
		for i, e := range ways {
			if e == empty {
				return i
			}
		}
		t.trees[set] |= treeFull
		t.before |= treeFull
	}
	if t.span != t.instance.ways {
		return t.coldest(set)
	}
	node := uint64(1)
	for node < uint64(t.span) {
		node = 2*node + tree>>(node&63)&1
	}
	return int(node) - t.span
}

// gone makes a way empty. Where the set is also that of the line that was put in, this would have found it so, and takes it if it is the lowest;
// what it put out, or nothing, is where it was then. It says whether that is so.
func (t *treeSets) gone(ways []entry, set uint64, way int, same bool, old entry) (moved bool) {
	if !same || old == empty && way > t.way {
		ways[way] = empty
		t.trees[set] &^= treeFull
		return false
	}
	ways[way], ways[t.way] = ways[t.way], old
	t.trees[set] = t.before
	if old == empty {
		t.trees[set] &^= treeFull
	}
	t.way = way
	t.used(set, way)
	return true
}

// first is firstLinked.
func (t *treeSets) first(s *Simulator, b []uint64, shift uint8, writes uint64) (missed int) {
	for _, r := range b {
		line := r >> (shift & 63)
		ways, set := t.set(line)
		way, found := t.find(ways, set, entryOf(line))
		if found {
			t.used(set, way)
		} else {
			missed++
			old, _ := t.advance(line)
			s.missLinked(line, old)
			way = t.way
		}
		if r&writes != 0 {
			ways[way] |= dirty | owned
		}
	}
	return missed
}
