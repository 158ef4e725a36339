package reuse

import (
	"math/bits"
	"sync"
)

// Parallel is a Stack that several cores work for, with the same results to the last count: a piece of the stream is
// cut into consecutive parts, each is measured as if nothing came before it, and the first uses in each, which its
// own stack cannot know, are looked up in order in the stack of all that came before (Niu et al., PARDA, IPDPS 2012).
type Parallel struct {
	stack   *Stack   // of all that came before; it measures the first part itself
	others  []*Stack // of the workers that measure the other parts
	minimum int      // accesses below which a part is not worth a worker
	older   []uint64 // lines of the stack before, while parts are put together
}

// Part is consecutive accesses of a stream. The distances of each stretch of it count in a histogram.
type Part struct {
	Addresses []uint64
	Stretches []Stretch
}

// Stretch is the accesses of a part up to an end, from where the stretch before ends.
type Stretch struct {
	End       int
	Histogram *Histogram
}

const (
	// partLines is how many times as long as the number of known lines a part is at least: the lines of each part are
	// gone through once more, one after another, so that parts must be long for that to be worth it. Chosen: that costs then a quarter at most.
	partLines = 4
	// leastPart and MostPart bound the accesses of a part. Chosen: 2 MiB of them, which stay in a second level, and 32 MiB.
	leastPart = 1 << 18
	MostPart  = 1 << 22
)

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

// Workers is how many parts are measured at a time.
func (p *Parallel) Workers() int { return len(p.others) + 1 }

// Part is how many accesses a part should have for a worker to be of use.
func (p *Parallel) Part() int {
	return min(max(1<<bits.Len64(uint64(partLines*p.Lines()|1)), leastPart), MostPart)
}

// Add records accesses and counts their distances in h.
func (p *Parallel) Add(addresses []uint64, h *Histogram) {
	part := (len(addresses) + len(p.others)) / p.Workers()
	if len(p.others) == 0 || part < p.minimum {
		p.stack.Add(addresses, h)
		return
	}
	var parts []Part
	for from := 0; from < len(addresses); from += part {
		mine := addresses[from:min(from+part, len(addresses))]
		parts = append(parts, Part{mine, []Stretch{{len(mine), h}}})
	}
	p.AddParts(parts, func([]uint64) {})
}

// AddParts records consecutive parts, as many as there are workers at most, and gives the memory of each back as soon as it is not needed, from
// any goroutine. It returns when all distances are counted.
func (p *Parallel) AddParts(parts []Part, done func(addresses []uint64)) {
	if len(parts) == 0 {
		return
	}
	var group sync.WaitGroup
	found := make([]*partial, len(parts)-1)
	for i, o := range p.others[:len(parts)-1] {
		found[i] = &partial{counts: map[*Histogram]*Histogram{}}
		group.Go(func() {
			found[i].measure(o, parts[i+1])
			done(parts[i+1].Addresses)
		})
	}
	from := 0
	for _, s := range parts[0].Stretches {
		p.stack.Add(parts[0].Addresses[from:s.End], s.Histogram)
		from = s.End
	}
	p.stack.empty()
	done(parts[0].Addresses)
	group.Wait()
	for i, o := range p.others[:len(parts)-1] {
		for h, count := range found[i].counts {
			count.Cold = 0
			h.Merge(count)
		}
		p.older = o.follow(p.stack, found[i].firsts, p.older)
		p.stack, p.others[i] = o, p.stack
	}
	p.stack.recording = false
	for _, o := range p.others {
		o.recording = true
	}
}

// partial is what a part of a stream tells on its own.
type partial struct {
	counts map[*Histogram]*Histogram // of the distances within it, by where they are to count
	firsts []Stretch                 // of the lines in the order of their first uses
}

// measure measures a part as if nothing came before it.
func (f *partial) measure(o *Stack, part Part) {
	o.clear()
	from := 0
	for _, s := range part.Stretches {
		count := f.counts[s.Histogram]
		if count == nil {
			count = NewHistogram(s.Histogram.resolution)
			f.counts[s.Histogram] = count
		}
		o.Add(part.Addresses[from:s.End], count)
		f.firsts = append(f.firsts, Stretch{len(o.firsts), s.Histogram})
		from = s.End
	}
	o.empty()
}

// follow makes e, which measured a part of the stream as if it were the whole, the stack of what came before, too,
// and counts the distances of the first uses of each stretch. The stack before is of no more use then. It gives the memory back that it was lent.
func (e *Stack) follow(before *Stack, stretches []Stretch, memory []uint64) []uint64 {
	cold, from := before.cold, 0
	for _, s := range stretches {
		for from < s.End {
			n := min(batch, s.End-from)
			cold += before.removeAll(e.firsts[from:from+n], from, s.Histogram)
			from += n
		}
	}
	e.cold = cold
	e.firsts = e.firsts[:0]
	older := before.byRecency(memory)
	if len(older) == 0 {
		return older
	}
	e.pack(uint64(len(older)), 0)
	for i, line := range older {
		e.table.cells[e.table.cell(line)] = uint32(i + 1)
	}
	return older
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

// byRecency gives the lines, the least recently used first, in the memory that it is lent, or more. The filter must be empty.
func (e *Stack) byRecency(memory []uint64) []uint64 {
	lines := grown(memory[:0], int(e.order.live))
	ranks := e.order.ranks()
	e.table.each(func(line uint64, slot uint32) {
		s := uint64(slot - 1)
		lines[ranks[s>>6]+uint32(bits.OnesCount64(e.order.words[s>>6]<<(63-s&63)))-1] = line
	})
	return lines
}
