package reuse

import (
	"math/bits"
	"sync"
)

// Parallel is a Stack that several cores work for, with the same results to the last count: a piece of the stream is
// cut into consecutive parts, each is measured as if nothing came before it, and the first uses in each, which its
// own stack cannot know, are looked up in order in the stack of all that came before (Niu et al., PARDA, IPDPS 2012).
type Parallel struct {
	stack   *Stack       // of all that came before; it measures the first part itself
	others  []*Stack     // of the workers that measure the other parts
	counts  []*Histogram // of their distances
	minimum int          // accesses below which a part is not worth a worker
}

// partLines is how many times as long as the number of known lines a part is at least: the lines of each part are
// gone through once more, one after another, so that parts must be long for that to be worth it. Chosen: that costs then a quarter at most.
const partLines = 4

// NewParallel makes an empty stack for a number of workers; line is as for NewStack.
func NewParallel(line int64, workers int) *Parallel {
	p := &Parallel{stack: NewStack(line), minimum: 1 << 16}
	for range workers - 1 {
		o := NewStack(1)
		o.shift = p.stack.shift
		o.recording = true
		p.others = append(p.others, o)
	}
	return p
}

// Lines is the number of distinct lines so far.
func (p *Parallel) Lines() int64 { return p.stack.Lines() }

// Piece is the number of accesses that Add should be given at once for all workers to be of use: some millions each.
func (p *Parallel) Piece() int {
	return (len(p.others) + 1) * min(max(partLines*int(p.Lines()), 1<<20), 1<<22)
}

// Add records accesses and counts their distances in h.
func (p *Parallel) Add(addresses []uint64, h *Histogram) {
	part := (len(addresses) + len(p.others)) / (len(p.others) + 1)
	if len(p.others) == 0 || part < p.minimum {
		p.stack.Add(addresses, h)
		return
	}
	p.counts = p.counts[:0]
	var group sync.WaitGroup
	for i, o := range p.others {
		from := min((i+1)*part, len(addresses))
		mine, count := addresses[from:min(from+part, len(addresses))], NewHistogram(h.resolution)
		p.counts = append(p.counts, count)
		group.Go(func() {
			o.clear()
			o.Add(mine, count)
			o.empty()
		})
	}
	p.stack.Add(addresses[:part], h)
	p.stack.empty()
	group.Wait()
	for i, o := range p.others {
		p.counts[i].Cold = 0
		h.Merge(p.counts[i])
		o.follow(p.stack, h)
		p.stack, p.others[i] = o, p.stack
	}
	p.stack.recording = false
	for _, o := range p.others {
		o.recording = true
	}
}

// follow makes e, which measured a part of the stream as if it were the whole, the stack of what came before, too,
// and counts the distances of the first uses in h. The stack before is of no more use then.
func (e *Stack) follow(before *Stack, h *Histogram) {
	cold := before.cold
	for from := 0; from < len(e.firsts); from += batch {
		cold += before.removeAll(e.firsts[from:min(from+batch, len(e.firsts))], from, h)
	}
	e.cold = cold
	e.firsts = e.firsts[:0]
	older := before.byRecency()
	if len(older) == 0 {
		return
	}
	e.pack(uint64(len(older)), 0)
	for i, line := range older {
		e.table.cells[e.table.cell(line)] = uint32(i + 1)
	}
}

// removeAll takes lines out whose first uses in a part of the stream come after that of so many others, counts their
// distances in h, and gives the number of those that it did not know.
func (e *Stack) removeAll(lines []uint64, others int, h *Histogram) (cold int64) {
	sum := uint64(0)
	for i, line := range lines {
		e.cells[i&(batch-1)] = e.table.known(line)
	}
	for _, at := range e.cells[:len(lines)] { // read ahead, as in touch
		if at != noCell {
			sum += e.order.words[e.table.cells[at]>>6]
		}
	}
	e.touched += sum
	n := 0
	for i, at := range e.cells[:len(lines)] {
		if at == noCell || e.table.cells[at] == 0 {
			cold++
			continue
		}
		cell := &e.table.cells[at]
		e.distances[n&(batch-1)] = uint32(e.order.remove(uint64(*cell-1))) + uint32(others+i)
		*cell = 0
		n++
	}
	h.Cold += cold
	h.addAll(e.distances[:n], e.order.live+uint64(others+batch))
	return cold
}

// byRecency gives the lines, the least recently used first. The filter must be empty.
func (e *Stack) byRecency() []uint64 {
	lines := make([]uint64, e.order.live)
	ranks := e.order.ranks()
	e.table.each(func(line uint64, slot uint32) {
		s := uint64(slot - 1)
		lines[ranks[s>>6]+uint32(bits.OnesCount64(e.order.words[s>>6]<<(63-s&63)))-1] = line
	})
	return lines
}
