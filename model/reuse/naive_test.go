package reuse_test

import "slices"

// naive is an LRU stack as a list: the oracle of reuse distances and intervals.
type naive struct {
	stack []uint64 // most recent first
	last  map[uint64]int64
	now   int64
}

// touch gives −1 for both when the access is cold.
func (n *naive) touch(line uint64) (distance, interval int64) {
	if n.last == nil {
		n.last = map[uint64]int64{}
	}
	n.now++
	at, seen := n.last[line]
	n.last[line] = n.now
	distance, interval = -1, -1
	if seen {
		d := slices.Index(n.stack, line)
		n.stack = slices.Delete(n.stack, d, d+1)
		distance, interval = int64(d), n.now-at
	}
	n.stack = slices.Insert(n.stack, 0, line)
	return distance, interval
}

// tree is the textbook way: a hash table and a Fenwick tree over time, in plain Go. It is the oracle where the list is too slow, and
// the baseline of the benchmarks.
type tree struct {
	last  map[uint64]int
	marks []int32
	now   int
}

// newTree makes one for at most n accesses between two compactions.
func newTree(n int) *tree { return &tree{last: map[uint64]int{}, marks: make([]int32, n+1)} }

// touch gives −1 when the access is cold.
func (t *tree) touch(line uint64) int64 {
	if t.now == len(t.marks)-1 {
		t.compact()
	}
	slot, seen := t.last[line]
	distance := int64(-1)
	if seen {
		distance = int64(len(t.last)) - int64(t.sum(slot))
		t.add(slot, -1)
	}
	t.now++
	t.add(t.now, 1)
	t.last[line] = t.now
	return distance
}

func (t *tree) add(slot int, v int32) {
	for i := slot; i < len(t.marks); i += i & -i {
		t.marks[i] += v
	}
}

func (t *tree) sum(slot int) (s int32) {
	for i := slot; i > 0; i -= i & -i {
		s += t.marks[i]
	}
	return s
}

func (t *tree) compact() {
	lines := make([]uint64, len(t.marks))
	for l, slot := range t.last {
		lines[slot] = l + 1
	}
	t.marks = make([]int32, max(len(t.marks), 4*len(t.last)))
	t.now = 0
	for _, l := range lines {
		if l != 0 {
			t.now++
			t.last[l-1] = t.now
			t.add(t.now, 1)
		}
	}
}
