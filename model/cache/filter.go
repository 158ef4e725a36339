package cache

import "math/bits"

// Filter tells accesses that change nothing in any of several hierarchies from those that may: so these alone are simulated, once for each. An access changes nothing
// where the line is the one that its thread last accessed of a set of the first level, no other thread has taken it away since, and a write finds it written already. It is
// a hit of the first level then, of the line that replacement spares anyway, whatever the sizes and policies are.
type Filter struct {
	threads int
	lines   []uint64 // by set and thread: the line accessed last, plus one; 0: none
	written []bool   // likewise: the thread has written it, and no other one accessed it since
	last    []int    // by set: the thread of the last access that may have changed a hierarchy with a shared inclusive level
}

// filterSets are the sets of a Filter, of which those of caches must be a multiple: then two lines of one set of a cache are of one set here. Chosen: a page of 4 KiB has so
// many lines of 64 bytes, and first levels that are indexed by virtual addresses as many sets, or a multiple.
const filterSets = 64

// Effect is what an access can change.
type Effect uint8

// Effects, in order: an access that changes hierarchies changes those before as well.
const (
	NoEffect     Effect = iota // it is a hit of the first level, and changes nothing
	SharedEffect               // hierarchies with an inclusive level that several threads share may lack the line, or replace another one
	AnyEffect
)

// NewFilter is for so many threads.
func NewFilter(threads int) *Filter {
	n := threads * filterSets
	return &Filter{threads: threads, lines: make([]uint64, n), written: make([]bool, n), last: make([]int, filterSets)}
}

// Suffices gives the least effect of accesses that a hierarchy must be told of; ok is false of one that a Filter does not suit.
func (h Hierarchy) Suffices() (least Effect, ok bool) {
	h = h.withDefaults()
	first := &h.Levels[0]
	if first.Replacement == Random || first.WriteThrough || first.NoWriteAllocate || first.SharedBy > 1 && h.Threads > 1 || h.Classify {
		return 0, false
	}
	least = AnyEffect
	for j, l := range h.Levels {
		if l.Prefetcher != NoPrefetch || l.VictimLines > 0 || l.Lines/l.Ways%filterSets != 0 && (j == 0 || l.Inclusion == Inclusive) {
			return 0, false
		}
		if l.Inclusion == Inclusive && l.SharedBy > 1 && h.Threads > 1 {
			least = SharedEffect
		}
	}
	return least, true
}

// Keeps gives how many lines of one set the first level keeps for certain where each is used again after the others: those of a set in LRU, and of a
// tree-PLRU as many as its tree is deep and one more. It is 0 of a hierarchy that a Filter does not suit, and of other policies.
func (h Hierarchy) Keeps() int {
	h = h.withDefaults()
	if _, ok := h.Suffices(); !ok {
		return 0
	}
	switch first := &h.Levels[0]; first.Replacement {
	case LRU:
		return int(first.Ways)
	case PLRU:
		return treeDepth(int(first.Ways)) + 1
	}
	return 0
}

// treeDepth is how many bits of a tree at least lead to a way: of ways that are no power of two the tree has more on one side.
func treeDepth(ways int) int {
	if ways <= 1 {
		return 0
	}
	half := 1 << (bits.Len(uint(ways-1)) - 1)
	return 1 + min(treeDepth(half), treeDepth(ways-half))
}

// Access gives the effect of an access.
func (f *Filter) Access(thread int, line uint64, write bool) Effect {
	set := int(line % filterSets)
	own := set*f.threads + thread
	if f.lines[own] == line+1 && (!write || f.written[own]) {
		if f.last[set] == thread {
			return NoEffect
		}
		f.last[set], f.written[own] = thread, write // where the line was lost, what was written went with it
		return SharedEffect
	}
	f.last[set] = thread
	if f.threads > 1 {
		f.tell(set, own, line, write)
	}
	f.written[own] = write
	f.lines[own] = line + 1
	return AnyEffect
}

// tell has other threads know of an access: of a line that is written they have no copy, and of one that is read no changes.
func (f *Filter) tell(set, own int, line uint64, write bool) {
	from := set * f.threads
	for i, l := range f.lines[from:][:f.threads] {
		if l != line+1 || from+i == own {
			continue
		}
		f.written[from+i] = false
		if write {
			f.lines[from+i] = 0
		}
	}
}

// Joined has simulators of plain hierarchies whose first levels are alike share one, which is simulated once for all, and gives the groups; every other simulator is a
// group of its own. The simulators must be new, and are then to be given the same accesses, by AccessAll.
func Joined(all []*Simulator) (groups [][]*Simulator) {
	type geometry struct{ sets, ways uint64 }
	known := map[geometry]int{}
	for _, s := range all {
		if s.plain == nil {
			groups = append(groups, []*Simulator{s})
			continue
		}
		g := geometry{s.plain[0].sets, s.plain[0].ways}
		i, there := known[g]
		if !there {
			known[g] = len(groups)
			groups = append(groups, []*Simulator{s})
			continue
		}
		s.plain[0] = groups[i][0].plain[0]
		groups[i] = append(groups[i], s)
	}
	return groups
}

// AccessAll simulates one access in a group of Joined, and gives the level that served it in each; hit is true where that is the first one in all, and served is left as it is.
func AccessAll(group []*Simulator, thread int, line uint64, write bool, served []int) (hit bool) {
	if len(group) == 1 {
		served[0] = group[0].Access(thread, line, write)
		return served[0] == 0
	}
	s := group[0]
	w := uint64(0)
	if write {
		w = 1
	}
	s.single[0] = line<<1 | w
	ops := s.plain[0].references(s.single[:], 1, 1)
	if len(ops) == 0 {
		return true
	}
	for i, s := range group {
		served[i] = s.further(ops, line)
	}
	return false
}
