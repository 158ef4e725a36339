package reuse

import "math/bits"

// A leaf holds the slots of leafSize = 64 neighbouring lines, which is a page of 4 KiB: neighbours are used together, so a
// leaf costs one look-up for many lines; a lone line costs some 400 bytes.
const (
	leafBits = 6
	leafSize = 1 << leafBits
)

// table gives every line a cell of its own, found through an open-addressed directory of leaves.
type table[T uint32 | uint64] struct {
	cells     []T // leafSize a leaf
	directory []page
	shift     uint8 // 64 − log₂(len(directory))
	leaves    int
}

type page struct {
	key  uint64 // number of the leaf + 1; 0: empty
	base uint64 // of its cells
}

// firstPages is how many places the directory begins with; it doubles when half of them are taken. Chosen: 4 KiB.
const firstPages = 256

func newTable[T uint32 | uint64]() table[T] {
	return table[T]{directory: make([]page, firstPages), shift: uint8(64 - bits.TrailingZeros(firstPages))}
}

// cell is the index of the line's cell, made when it is new.
func (t *table[T]) cell(line uint64) uint64 {
	p := &t.directory[hash(line>>leafBits+1)>>(t.shift&63)]
	if p.key == line>>leafBits+1 {
		return p.base + line&(leafSize-1)
	}
	return t.search(line)
}

// hash spreads keys over the upper bits; strides must not pile them up.
func hash(key uint64) uint64 { return (key ^ key>>11) * 0x9E3779B97F4A7C15 }

// noCell is the index of no cell.
const noCell = ^uint64(0)

// known is the index of the line's cell, or noCell.
func (t *table[T]) known(line uint64) uint64 {
	key := line>>leafBits + 1
	d := t.directory
	for i := hash(key) >> (t.shift & 63); ; i++ {
		p := &d[i&uint64(len(d)-1)]
		if p.key == key {
			return p.base + line&(leafSize-1)
		}
		if p.key == 0 {
			return noCell
		}
	}
}

// search is cell for a line whose leaf is not where it would be alone, or is new.
func (t *table[T]) search(line uint64) uint64 {
	if at := t.known(line); at != noCell {
		return at
	}
	return t.add(line>>leafBits+1) + line&(leafSize-1)
}

// add makes a leaf and gives the index of its first cell.
func (t *table[T]) add(key uint64) uint64 {
	if 2*t.leaves >= len(t.directory) {
		t.grow()
	}
	base := uint64(len(t.cells))
	t.cells = grown(t.cells, len(t.cells)+leafSize)
	t.leaves++
	t.put(page{key, base})
	return base
}

// grown gives s a length of n, with room to spare when it has to move, so that growing costs little on the whole.
func grown[T any](s []T, n int) []T {
	if n > cap(s) {
		room := 2 * cap(s)
		if room > 1<<20 {
			room = cap(s) + cap(s)/2
		}
		bigger := make([]T, len(s), max(n, room))
		copy(bigger, s)
		s = bigger
	}
	return s[:n]
}

// put enters a leaf into the directory, at the first free place from its own on.
func (t *table[T]) put(p page) {
	mask := uint64(len(t.directory) - 1)
	i := hash(p.key) >> (t.shift & 63)
	for t.directory[i&mask].key != 0 {
		i++
	}
	t.directory[i&mask] = p
}

// grow doubles the directory.
func (t *table[T]) grow() {
	old := t.directory
	t.directory = make([]page, 2*len(old))
	t.shift--
	for _, p := range old {
		if p.key != 0 {
			t.put(p)
		}
	}
}

// clear forgets all lines and keeps the memory.
func (t *table[T]) clear() {
	clear(t.directory)
	clear(t.cells)
	t.cells = t.cells[:0]
	t.leaves = 0
}

// each calls f with every line whose cell is not 0, in an order that depends on the lines alone.
func (t *table[T]) each(f func(line uint64, cell T)) {
	for _, p := range t.directory {
		if p.key == 0 {
			continue
		}
		for i, c := range t.cells[p.base : p.base+leafSize] {
			if c != 0 {
				f((p.key-1)<<leafBits+uint64(i), c)
			}
		}
	}
}
