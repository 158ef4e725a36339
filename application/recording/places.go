package recording

import (
	"math"

	"foresee/application/trace/intervals"
)

// block is memory that was allocated.
type block struct {
	low, end uint64
	owner    int // a thread; −1: each thread that runs the piece has one of its own. Of named memory: the number of its object
	id       int64
}

// blocks do not overlap. A set is not changed once it is shared: with and without give another one. The blocks themselves are shared by
// all sets.
type blocks struct{ set intervals.Set[*block] }

func (b blocks) empty() bool { return b.set.Empty() }

// find gives the block that holds an address, or nil.
func (b blocks) find(a uint64) *block {
	if found, _, _ := b.set.Find(a); found != nil {
		return found.Value
	}
	return nil
}

// with adds a block in the place of those that it overlaps.
func (b blocks) with(n *block) blocks {
	set := b.set
	for _, old := range b.within(n.low, n.end) {
		set = set.Without(old.low, uint64(old.id))
	}
	return blocks{set.With(intervals.Interval[*block]{First: n.low, Last: n.end - 1, Number: uint64(n.id), Value: n})}
}

// without removes the block that begins at an address.
func (b blocks) without(a uint64) blocks {
	if n := b.find(a); n != nil && n.low == a {
		return blocks{b.set.Without(n.low, uint64(n.id))}
	}
	return b
}

// within gives the blocks that overlap what lies from low up to end.
func (b blocks) within(low, end uint64) (all []*block) {
	b.set.Each(low, end-1, func(i *intervals.Interval[*block]) { all = append(all, i.Value) })
	return all
}

// all gives the blocks, sorted by their addresses.
func (b blocks) all() (all []*block) {
	b.set.Each(0, math.MaxUint64, func(i *intervals.Interval[*block]) { all = append(all, i.Value) })
	return all
}
