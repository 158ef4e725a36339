package reuse

import "math/bits"

// Intervals measures the reuse interval of every access of a stream. Its memory grows with the number of distinct
// lines, about 8 bytes each where neighbours are used.
type Intervals struct {
	table table[uint64] // time of the last use, from 1
	now   uint64
	shift uint8
	cold  int64
	cells [batch]uint64
	found [batch]uint64
	// recent remembers the cells of lines by their lowest bits: programs come back to lines sooner than to pages.
	recent [recentLines]recentLine
}

// recentLine is a line + 1 and its cell.
type recentLine struct{ key, cell uint64 }

// recentLines is how many lines are remembered with their cells. Chosen: 8 KiB, which stay in the first level of a cache.
const recentLines = 512

// NewIntervals makes an empty stream; line is as for NewStack.
func NewIntervals(line int64) *Intervals {
	return &Intervals{table: newTable[uint64](), shift: uint8(bits.TrailingZeros64(uint64(line)))}
}

// Lines is the number of distinct lines so far.
func (e *Intervals) Lines() int64 { return e.cold }

// Touch records one access and gives its reuse interval; ok is false for a cold one.
func (e *Intervals) Touch(address uint64) (interval int64, ok bool) {
	e.now++
	cell := &e.table.cells[e.table.cell(address>>e.shift)]
	last := *cell
	*cell = e.now
	if last == 0 {
		e.cold++
		return 0, false
	}
	return int64(e.now - last), true
}

// Add records accesses and counts their intervals in h.
func (e *Intervals) Add(addresses []uint64, h *Histogram) {
	for len(addresses) > 0 {
		b := addresses[:min(batch, len(addresses))]
		addresses = addresses[len(b):]
		e.add(b, h)
	}
}

// add records a batch, in the way that is faster for tables of this size.
func (e *Intervals) add(b []uint64, h *Histogram) {
	n := 0
	if len(e.table.cells) < stagedCells {
		n = e.direct(b)
	} else {
		n = e.staged(b)
	}
	e.now += uint64(len(b))
	e.cold += int64(len(b) - n)
	h.Cold += int64(len(b) - n)
	h.addLong(e.found[:n], e.now)
}

// stagedCells is the number of cells from which it pays to find all of a batch before the first is used, so that their cache misses
// overlap. Chosen: 2 MiB of cells, more than a second level holds as a rule.
const stagedCells = 1 << 18

// direct measures a batch access by access, with the cells of recent lines at hand. It leaves the intervals in e.found and gives how many
// there are.
func (e *Intervals) direct(b []uint64) (n int) {
	now, recent := e.now, &e.recent
	for _, a := range b {
		now++
		x := a >> (e.shift & 63)
		r := &recent[x%recentLines]
		if r.key != x+1 {
			*r = recentLine{x + 1, e.table.cell(x)}
		}
		c := r.cell
		cell := &e.table.cells[c]
		last := *cell
		*cell = now
		e.found[n&(batch-1)] = now - last
		if last != 0 {
			n++
		}
	}
	return n
}

// staged is direct, with all cells looked up first.
func (e *Intervals) staged(b []uint64) (n int) {
	for i, a := range b {
		e.cells[i&(batch-1)] = e.table.cell(a >> (e.shift & 63))
	}
	now, cells := e.now, e.table.cells
	for _, c := range e.cells[:len(b)] {
		now++
		last := cells[c]
		cells[c] = now
		e.found[n&(batch-1)] = now - last
		if last != 0 {
			n++
		}
	}
	return n
}
