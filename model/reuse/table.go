package reuse

import "math/bits"

// A leaf holds the cells of leafSize = 64 neighbouring lines, a page of 4 KiB where lines are of 64 bytes: neighbours are used together, so
// that one look-up finds many of them. A line alone in its leaf takes all of it: 256 bytes of 32-bit cells, some 310 to 330 with its entry in
// the directory and what a Stack holds besides (docs/performance.md), and 512 bytes of 64-bit cells.
const (
	leafBits = 6
	leafSize = 1 << leafBits
)

// table gives every line a cell of its own, found through an open-addressed directory of leaves.
type table[T uint32 | uint64] struct {
	cells     []T // leafSize a leaf
	directory []entry
	shift     uint8 // 64 − log₂(len(directory))
	leaves    int
}

// entry is a place of the directory: of one leaf, or empty.
type entry struct {
	key  uint64 // number of the leaf + 1; 0: empty
	base uint64 // of its cells
}

// firstEntries is how many entries the directory begins with; it doubles when half of them are taken. Chosen: 4 KiB.
const firstEntries = 256

func newTable[T uint32 | uint64]() table[T] {
	return table[T]{directory: make([]entry, firstEntries), shift: uint8(64 - bits.TrailingZeros(firstEntries))}
}

// cell is the index of the line's cell, made when it is new. That shift is below 64 is said to the compiler by &63, here and below: it leaves out
// what Go asks of larger shifts.
func (t *table[T]) cell(line uint64) uint64 {
	e := &t.directory[hash(line>>leafBits+1)>>(t.shift&63)]
	if e.key == line>>leafBits+1 {
		return e.base + line&(leafSize-1)
	}
	return t.search(line)
}

// hash spreads keys over the upper bits, of which the directory uses as many as it needs: Fibonacci hashing (Knuth, The Art of Computer
// Programming, vol. 3, section 6.4). Keys at a constant stride, as columns of a matrix make them, must not end up side by side. A
// product carries upwards only, so the upper bits of a key are first mixed into the lower ones: at a stride of a large power of two keys
// differ in those alone. 11 is chosen.
func hash(key uint64) uint64 { return (key ^ key>>11) * golden }

// golden is 2⁶⁴ divided by the golden ratio, rounded down, which makes it odd.
const golden = 0x9E3779B97F4A7C15

// noCell is the index of no cell.
const noCell = ^uint64(0)

// known is the index of the line's cell; noCell where its leaf is new. A line that was never used may have a cell, of 0, in the leaf of others.
func (t *table[T]) known(line uint64) uint64 {
	key := line>>leafBits + 1
	d := t.directory
	for i := hash(key) >> (t.shift & 63); ; i++ {
		e := &d[i&uint64(len(d)-1)]
		if e.key == key {
			return e.base + line&(leafSize-1)
		}
		if e.key == 0 {
			return noCell
		}
	}
}

// search is cell for a line whose leaf is new, or is not at the first place that its hash gives, as another leaf was there before.
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
	t.put(entry{key, base})
	return base
}

// mostDoubled is how many elements a slice has at most after it grew to twice its room; larger ones grow by half. Chosen: doubling
// leaves up to half of the memory idle, growth by half up to a third.
const mostDoubled = 1 << 20

// grown gives s a length of n, with room to spare when it has to move, so that growing costs little on the whole.
func grown[T any](s []T, n int) []T {
	if n > cap(s) {
		room := 2 * cap(s)
		if room > mostDoubled {
			room = cap(s) + cap(s)/2
		}
		bigger := make([]T, len(s), max(n, room))
		copy(bigger, s)
		s = bigger
	}
	return s[:n]
}

// put enters a leaf into the directory, at the first free place from its own on.
func (t *table[T]) put(e entry) {
	mask := uint64(len(t.directory) - 1)
	i := hash(e.key) >> (t.shift & 63)
	for t.directory[i&mask].key != 0 {
		i++
	}
	t.directory[i&mask] = e
}

// grow doubles the directory.
func (t *table[T]) grow() {
	old := t.directory
	t.directory = make([]entry, 2*len(old))
	t.shift--
	for _, e := range old {
		if e.key != 0 {
			t.put(e)
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

// each calls f with every line whose cell is not 0, in the order of the directory, which depends on the lines and on the order of their first
// uses.
func (t *table[T]) each(f func(line uint64, cell T)) {
	for _, e := range t.directory {
		if e.key == 0 {
			continue
		}
		for i, c := range t.cells[e.base : e.base+leafSize] {
			if c != 0 {
				f((e.key-1)<<leafBits+uint64(i), c)
			}
		}
	}
}
