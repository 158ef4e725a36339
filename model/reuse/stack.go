package reuse

import "math/bits"

// Stack is an LRU stack: it measures the reuse distance of every access of a stream, exactly. Its memory grows with
// the number of distinct lines – 5 to 10 bytes a line where neighbours are used, some 400 where no two lines lie in one
// page – and not with the length of the stream; MostLines are the most. (Olken's method: the order of last uses on a time axis that is packed when it is
// full.)
type Stack struct {
	table  table[uint32] // slot of the last use + 1; 0: never used, or in the filter
	order  order
	filter filter
	shift  uint8
	cold   int64
	plain  int // batches that go without the filter before it is tried again
	// firsts are the lines in the order of their first use, if recording.
	firsts    []uint64
	recording bool

	missed, pushed [batch]uint64
	cells          [batch]uint64
	distances      [batch]uint32
	touched        uint64 // keeps the reads that warm the caches
}

// MostLines is the number of distinct lines that a Stack can tell apart: slots have 32 bits, and there are up to four for each line.
const MostLines = 1 << 30

const (
	// batch is how many accesses are taken at once; a power of two. Chosen: its arrays stay in the first level of a cache.
	batch = 512
	// plainBatches is how many batches go without the filter when it caught less than 1 in filterWorth accesses of one. Chosen: one batch in
	// 64 tries it again.
	plainBatches = 63
	filterWorth  = 4
	// stagedSlots is the length of the time axis from which it pays to read a batch's memory ahead. Chosen: a bitmap of 256 KiB.
	stagedSlots = 1 << 21
)

// NewStack makes an empty stack for addresses in bytes and lines of the given number of bytes, a power of two. With
// lines of one byte, addresses are numbers of lines, below 2⁶³.
func NewStack(line int64) *Stack {
	return &Stack{table: newTable[uint32](), order: newOrder(), filter: newFilter(), shift: uint8(bits.TrailingZeros64(uint64(line)))}
}

// Lines is the number of distinct lines so far.
func (e *Stack) Lines() int64 { return e.cold }

// Touch records one access and gives its reuse distance; ok is false for a cold one.
func (e *Stack) Touch(address uint64) (distance int64, ok bool) {
	x := address >> e.shift
	e.empty()
	e.room(1)
	cell := &e.table.cells[e.table.cell(x)]
	slot := *cell
	if ok = slot != 0; ok {
		distance = int64(e.order.remove(uint64(slot - 1)))
	} else {
		e.cold++
	}
	*cell = uint32(e.order.take() + 1)
	return distance, ok
}

// Add records accesses and counts their distances in h.
func (e *Stack) Add(addresses []uint64, h *Histogram) {
	for len(addresses) > 0 {
		b := addresses[:min(batch, len(addresses))]
		addresses = addresses[len(b):]
		if e.plain > 0 {
			e.plain--
			e.addPlain(b, h)
			continue
		}
		e.addFiltered(b, h)
	}
}

// addFiltered sends a batch through the filter, and what that does not hold to the order.
func (e *Stack) addFiltered(b []uint64, h *Histogram) {
	above := e.filter.size() // lines of the filter, all nearer than any that it does not hold
	m := e.filter.pass(b, e.shift, &e.missed, &e.pushed)
	e.room(uint64(m))
	if e.order.slots() >= stagedSlots {
		e.warm(e.missed[:m])
	}
	n := 0
	for i, x := range e.missed[:m] {
		cell := e.table.cell(x)
		slot := e.table.cells[cell]
		if slot != 0 {
			e.table.cells[cell] = 0
			e.distances[n&(batch-1)] = uint32(e.order.remove(uint64(slot-1)) + above)
			n++
		} else {
			e.first(x, h)
		}
		if v := e.pushed[i&(batch-1)]; v != noLine {
			e.table.cells[e.table.cell(v)] = uint32(e.order.take() + 1)
		} else {
			above++
		}
	}
	h.addAll(e.distances[:n], e.order.live+filterLines)
	for d, hits := range e.filter.hits {
		if hits > 0 {
			h.Add(int64(d), hits)
		}
	}
	e.filter.hits = [filterLines]int64{}
	if (len(b)-m)*filterWorth < len(b) && len(b) == batch {
		e.plain = plainBatches
		e.empty()
	}
}

// addPlain sends a batch to the order.
func (e *Stack) addPlain(b []uint64, h *Histogram) {
	e.room(uint64(len(b)))
	for i, a := range b {
		e.missed[i&(batch-1)] = a >> (e.shift & 63)
	}
	lines := e.missed[:len(b)]
	for i, x := range lines {
		e.cells[i&(batch-1)] = e.table.cell(x)
	}
	e.touch(len(b))
	n := 0
	for i, cell := range e.cells[:len(b)] {
		slot := e.table.cells[cell]
		if slot != 0 {
			e.distances[n&(batch-1)] = uint32(e.order.remove(uint64(slot - 1)))
			n++
		} else {
			e.first(lines[i], h)
		}
		e.table.cells[cell] = uint32(e.order.take() + 1)
	}
	h.addAll(e.distances[:n], e.order.live)
}

// first counts the first use of a line.
func (e *Stack) first(line uint64, h *Histogram) {
	e.cold++
	h.Cold++
	if e.recording {
		e.firsts = append(e.firsts, line)
	}
}

// warm reads ahead what the lines of a batch will need.
func (e *Stack) warm(lines []uint64) {
	for i, x := range lines {
		e.cells[i&(batch-1)] = e.table.cell(x)
	}
	e.touch(len(lines))
}

// touch reads what the first n cells of a batch lead to, all at once, so that cache misses overlap; the sum keeps the compiler from leaving the
// reads out.
func (e *Stack) touch(n int) {
	cells, words := e.table.cells, e.order.words
	for i, cell := range e.cells[:n] {
		e.distances[i&(batch-1)] = cells[cell]
	}
	sum := uint64(0)
	for _, slot := range e.distances[:n] {
		sum += words[slot>>6]
	}
	e.touched += sum
}

// empty moves the filter's lines into the order.
func (e *Stack) empty() {
	if e.filter.lines[0] == noLine {
		return
	}
	for i := filterLines - 1; i >= 0; i-- {
		if x := e.filter.lines[i]; x != noLine {
			e.room(1)
			e.table.cells[e.table.cell(x)] = uint32(e.order.take() + 1)
		}
	}
	e.filter = newFilter()
}

// clear forgets everything and keeps the memory.
func (e *Stack) clear() {
	e.table.clear()
	e.filter = newFilter()
	e.order.live = 0
	e.order.pack(0)
	e.cold, e.plain, e.firsts = 0, 0, e.firsts[:0]
}

// room makes sure that n slots can be taken.
func (e *Stack) room(n uint64) {
	if e.order.now+n >= e.order.slots() {
		e.pack(0, n)
	}
}

// pack moves the lines to the start of the time axis, behind room for some older lines, with room for more to come.
func (e *Stack) pack(older, more uint64) {
	ranks := e.order.ranks()
	for i, t := range e.table.cells {
		if t != 0 {
			s := uint64(t - 1)
			e.table.cells[i] = uint32(older) + ranks[s>>6] + uint32(bits.OnesCount64(e.order.words[s>>6]<<(63-s&63)))
		}
	}
	e.order.live += older
	e.order.pack(roomFactor * (e.order.live + more))
}
