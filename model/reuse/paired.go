package reuse

// Paired is a Stack that two cores work for, with the same results to the last count: one finds when each line was used last, the other how many lines
// were used since. As neither does anything twice, and what one tells the other is short, it costs no more time and memory than a Stack; a
// Parallel, which does, serves more cores.
type Paired struct {
	stack *Stack
	next  uint64 // slot, once all that was handed over is done
	filed *uses  // what is being gathered
	full  chan *uses
	free  chan *uses
}

const (
	// pairedUses is how many uses are handed over at once, and pairedBlocks how many such blocks there are. Chosen: 64 KiB in all, which stay in a
	// second level, and tens of microseconds of work, so that waking up costs little.
	pairedUses   = 4096
	pairedBlocks = 4
	// leastPaired is the number of accesses from which two cores are of use. Chosen: some blocks of them.
	leastPaired = 4 * pairedUses
)

// uses is a block of what one core tells the other.
type uses struct {
	slots [pairedUses]uint32 // by use: the slot of the one before, plus one; 0: there was none, or it is not to be counted
	n     int
	runs  []usesRun
	hits  [filterLines]int64 // of the filter, by distance
	cold  int64
}

// usesRun is uses of one batch.
type usesRun struct {
	end      int    // index of the use after the last
	above    uint64 // lines that the filter held before
	unpushed int    // of the first uses: they pushed no line out of the filter, and so take no slot
}

// NewPaired makes an empty stack; line is as for NewStack.
func NewPaired(line int64) *Paired { return &Paired{stack: NewStack(line)} }

// Lines is the number of distinct lines so far.
func (p *Paired) Lines() int64 { return p.stack.Lines() }

// Add records accesses and counts their distances in h.
func (p *Paired) Add(addresses []uint64, h *Histogram) {
	if len(addresses) < leastPaired {
		p.stack.Add(addresses, h)
		return
	}
	p.full, p.free = make(chan *uses, pairedBlocks), make(chan *uses, pairedBlocks)
	for range pairedBlocks {
		p.free <- new(uses)
	}
	counted := make(chan struct{})
	go func() {
		defer close(counted)
		for b := range p.full {
			p.stack.count(b, h)
			b.n, b.runs, b.hits, b.cold = 0, b.runs[:0], [filterLines]int64{}, 0
			p.free <- b
		}
	}()
	p.filed, p.next = <-p.free, p.stack.order.now
	for len(addresses) > 0 {
		b := addresses[:min(batch, len(addresses))]
		addresses = addresses[len(b):]
		if p.stack.plain > 0 {
			p.stack.plain--
			p.filePlain(b)
		} else {
			p.fileFiltered(b)
		}
	}
	p.full <- p.filed
	close(p.full)
	<-counted
	p.filed, p.full, p.free = nil, nil, nil
}

// room makes sure that n slots can be taken and n uses filed.
func (p *Paired) room(n int) {
	if p.next+uint64(n) >= p.stack.order.slots() {
		p.full <- p.filed
		var all [pairedBlocks]*uses
		for i := range all { // what is free has been counted
			all[i] = <-p.free
		}
		p.stack.pack(0, uint64(n))
		p.next, p.filed = p.stack.order.now, all[0]
		for _, b := range all[1:] {
			p.free <- b
		}
	}
	if p.filed.n+n > pairedUses {
		p.full <- p.filed
		p.filed = <-p.free
	}
}

// fileFiltered is Stack.addFiltered, as far as the table and the filter go.
func (p *Paired) fileFiltered(b []uint64) {
	e := p.stack
	above := e.filter.size()
	m := e.filter.pass(b, e.shift, &e.missed, &e.pushed)
	p.room(m)
	for d, hits := range e.filter.hits {
		p.filed.hits[d] += hits
	}
	e.filter.hits = [filterLines]int64{}
	for i, x := range e.missed[:m] {
		e.cells[i&(batch-1)] = e.table.cell(x)
	}
	slots, unpushed := p.filed.slots[p.filed.n:][:m], 0
	for i := range slots {
		cell := &e.table.cells[e.cells[i&(batch-1)]]
		slots[i] = *cell
		if *cell == 0 {
			p.first()
		}
		*cell = 0
		if v := e.pushed[i&(batch-1)]; v != noLine {
			p.next++
			e.table.cells[e.table.cell(v)] = uint32(p.next)
		} else {
			unpushed++
		}
	}
	p.file(m, above, unpushed)
	if (len(b)-m)*filterWorth < len(b) && len(b) == batch {
		e.plain = plainBatches
		p.empty()
	}
}

// filePlain is Stack.addPlain, as far as the table goes.
func (p *Paired) filePlain(b []uint64) {
	e := p.stack
	p.room(len(b))
	for i, a := range b {
		e.cells[i&(batch-1)] = e.table.cell(a >> (e.shift & 63))
	}
	slots := p.filed.slots[p.filed.n:][:len(b)]
	for i, cell := range e.cells[:len(b)] { // all reads are under way before the first is needed
		slots[i] = e.table.cells[cell]
	}
	for i, cell := range e.cells[:len(b)] {
		slots[i] = e.table.cells[cell] // a line may come twice
		if slots[i] == 0 {
			p.first()
		}
		p.next++
		e.table.cells[cell] = uint32(p.next)
	}
	p.file(len(b), 0, 0)
}

// file ends a run of n uses.
func (p *Paired) file(n int, above uint64, unpushed int) {
	p.filed.n += n
	p.filed.runs = append(p.filed.runs, usesRun{p.filed.n, above, unpushed})
}

// first counts the first use of a line.
func (p *Paired) first() {
	p.stack.cold++
	p.filed.cold++
}

// empty is Stack.empty, as far as the table and the filter go.
func (p *Paired) empty() {
	e := p.stack
	p.room(filterLines)
	n := 0
	for i := filterLines - 1; i >= 0; i-- {
		if x := e.filter.lines[i]; x != noLine {
			p.next++
			e.table.cells[e.table.cell(x)] = uint32(p.next)
			p.filed.slots[p.filed.n+n] = 0
			n++
		}
	}
	p.file(n, 0, 0)
	e.filter = newFilter()
}

// count is what addPlain and addFiltered do with the order and the histogram.
func (e *Stack) count(b *uses, h *Histogram) {
	h.Cold += b.cold
	from := 0
	for _, r := range b.runs {
		slots := b.slots[from:r.end]
		from = r.end
		sum := uint64(0)
		for _, slot := range slots { // read ahead, as in touch
			sum += e.order.words[slot>>6]
		}
		e.touched += sum
		n, above := 0, r.above
		for i, slot := range slots {
			if slot != 0 {
				e.distances[n&(batch-1)] = uint32(e.order.remove(uint64(slot-1)) + above)
				n++
			}
			if i >= r.unpushed {
				e.order.take()
			} else {
				above++
			}
		}
		h.addAll(e.distances[:n], e.order.live+filterLines)
	}
	for d, hits := range b.hits {
		if hits > 0 {
			h.Add(int64(d), hits)
		}
	}
}
