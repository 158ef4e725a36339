// Package textbook measures reuse distances and simulates caches as one writes it first, to compare results and speeds with.
package textbook

import (
	"foresee/model/cache"
	"foresee/model/reuse"
)

// Baseline measures reuse distances the textbook way, a hash table and a Fenwick tree over time, to compare speeds
// with. It has room for a stream of known length.
type Baseline struct {
	last  map[uint64]int
	marks []int32
	now   int
}

// NewBaseline has room for a stream of so many accesses.
func NewBaseline(accesses int) *Baseline {
	return &Baseline{last: map[uint64]int{}, marks: make([]int32, accesses+1)}
}

// Distances are those of a stream of byte addresses, in lines of 64 bytes.
func (b *Baseline) Distances(addresses []uint64) *reuse.Histogram {
	h := reuse.NewHistogram(reuse.Full)
	for _, a := range addresses {
		line := a >> 6
		b.now++
		if before, seen := b.last[line]; seen {
			h.Add(int64(len(b.last))-b.upTo(before), 1)
			b.add(before, -1)
		} else {
			h.Cold++
		}
		b.add(b.now, 1)
		b.last[line] = b.now
	}
	return h
}

func (b *Baseline) add(slot int, v int32) {
	for i := slot; i < len(b.marks); i += i & -i {
		b.marks[i] += v
	}
}

func (b *Baseline) upTo(slot int) (n int64) {
	for i := slot; i > 0; i -= i & -i {
		n += int64(b.marks[i])
	}
	return n
}

// simpleCache is the LRU cache that one writes first.
type simpleCache struct {
	sets [][]simpleWay
	ways int
	now  int
}

type simpleWay struct {
	line uint64
	used int
}

func (c *simpleCache) access(line uint64) bool {
	c.now++
	n := line % uint64(len(c.sets))
	set, oldest := c.sets[n], 0
	for i := range set {
		if set[i].line == line {
			set[i].used = c.now
			return true
		}
		if set[i].used < set[oldest].used {
			oldest = i
		}
	}
	if len(set) < c.ways {
		c.sets[n] = append(set, simpleWay{line, c.now})
	} else {
		set[oldest] = simpleWay{line, c.now}
	}
	return false
}

// Misses gives the misses of each level.
func Misses(levels []cache.Level, addresses []uint64) []int64 {
	var caches []*simpleCache
	for _, l := range levels {
		caches = append(caches, &simpleCache{sets: make([][]simpleWay, l.Lines/l.Ways), ways: int(l.Ways)})
	}
	misses := make([]int64, len(levels))
	for _, a := range addresses {
		for j, c := range caches {
			if c.access(a >> 6) {
				break
			}
			misses[j]++
		}
	}
	return misses
}
