package reuse

import "math/bits"

// ids numbers lines from 0 in the order of their first use. It suits lines that lie apart, such as those of a
// sample, for which a leaf of table each would be a waste.
type ids struct {
	keys  []uint64 // line + 1; 0: empty
	ids   []uint32
	shift uint8
	lines []uint64 // by id
}

// firstIDs is how many places the table of numbers begins with; it doubles when half of them are taken. Chosen: 12 KiB.
const firstIDs = 1 << 10

func newIDs() ids {
	return ids{keys: make([]uint64, firstIDs), ids: make([]uint32, firstIDs), shift: uint8(64 - bits.TrailingZeros(firstIDs))}
}

// of is the number of the line.
func (t *ids) of(line uint64) uint64 {
	mask := uint64(len(t.keys) - 1)
	for i := hash(line+1) >> (t.shift & 63); ; i++ {
		switch t.keys[i&mask] {
		case line + 1:
			return uint64(t.ids[i&mask])
		case 0:
			return t.add(line, i&mask)
		}
	}
}

// add gives a new line the next number, at a place that is free.
func (t *ids) add(line, at uint64) uint64 {
	id := len(t.lines)
	t.lines = append(t.lines, line)
	t.keys[at], t.ids[at] = line+1, uint32(id)
	if 2*len(t.lines) > len(t.keys) {
		t.grow()
	}
	return uint64(id)
}

// grow doubles the places.
func (t *ids) grow() {
	lines := t.lines
	t.keys, t.ids = make([]uint64, 2*len(t.keys)), make([]uint32, 2*len(t.keys))
	t.shift--
	mask := uint64(len(t.keys) - 1)
	for id, line := range lines {
		i := hash(line+1) >> (t.shift & 63)
		for t.keys[i&mask] != 0 {
			i++
		}
		t.keys[i&mask], t.ids[i&mask] = line+1, uint32(id)
	}
}

// clear forgets all lines and keeps the memory.
func (t *ids) clear() {
	clear(t.keys)
	t.lines = t.lines[:0]
}
