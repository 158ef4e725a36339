package reuse

import "slices"

// Exact measures the reuse distance and interval of every access of a stream. Its memory grows with the number
// of distinct lines, not with the length of the stream. The order of last uses is kept in a Fenwick tree over
// time slots (Olken's method), compacted when the slots run out.
type Exact struct {
	last  map[uint64]use
	marks []int32 // Fenwick tree over slots: 1 where a line was last used
	next  int     // next free slot
	now   int64
}

type use struct {
	slot int
	time int64
}

// NewExact makes an empty stream.
func NewExact() *Exact {
	return &Exact{last: map[uint64]use{}, marks: make([]int32, 1<<12)}
}

// Touch records an access to a line and gives its reuse distance and interval; ok is false for a cold one.
func (e *Exact) Touch(line uint64) (distance, interval int64, ok bool) {
	if e.next == len(e.marks)-1 {
		e.compact()
	}
	u, ok := e.last[line]
	if ok {
		distance = int64(len(e.last)) - int64(e.sum(u.slot))
		interval = e.now - u.time
		e.add(u.slot, -1)
	}
	e.add(e.next, 1)
	e.last[line] = use{e.next, e.now}
	e.next++
	e.now++
	return distance, interval, ok
}

// Lines is the number of distinct lines so far.
func (e *Exact) Lines() int { return len(e.last) }

func (e *Exact) add(slot int, v int32) {
	for i := slot + 1; i < len(e.marks); i += i & -i {
		e.marks[i] += v
	}
}

// sum counts the marks in slots 0 … slot.
func (e *Exact) sum(slot int) (s int32) {
	for i := slot + 1; i > 0; i -= i & -i {
		s += e.marks[i]
	}
	return s
}

// compact gives the lines new slots in the same order, with as much room again.
func (e *Exact) compact() {
	lines := make([]uint64, 0, len(e.last))
	for l := range e.last {
		lines = append(lines, l)
	}
	slices.SortFunc(lines, func(a, b uint64) int { return e.last[a].slot - e.last[b].slot })
	e.marks = make([]int32, max(len(e.marks), 4*len(lines)))
	for i, l := range lines {
		e.last[l] = use{i, e.last[l].time}
		e.add(i, 1)
	}
	e.next = len(lines)
}
