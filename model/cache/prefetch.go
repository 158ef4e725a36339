package cache

// Here prefetchers bring lines into simulated caches. Package traffic (arrival.go) tells which misses a prefetcher would have had ready, for
// models of time, and brings nothing.

// stride is what an instance remembers of a page, to see walks with a constant stride.
type stride struct {
	page uint64 // + 1
	last uint64
	step int64
}

// What stride prefetchers are simulated with, as the package documentation says. Chosen: prefetchers of Intel's cores keep some dozens of pages,
// and none of these crosses one of 4 KiB, behind which physical memory goes on elsewhere.
const (
	strideEntries = 64   // pages that an instance remembers
	pageBytes     = 4096 // of a page
)

// prefetchAfter fetches what the level's prefetcher expects after a lookup of line. miss and useful say how that went.
func (s *Simulator) prefetchAfter(thread, j int, line uint64, miss, useful bool) {
	l := &s.levels[j]
	switch l.Prefetcher {
	case NextLine:
		if miss || useful {
			for i := range l.Degree {
				s.prefetch(thread, j, line+uint64(i)+1)
			}
		}
	case Stride:
		linesPerPage := uint64(max(1, pageBytes/s.hierarchy.LineBytes))
		step := l.serving[thread].step(line, linesPerPage)
		for i := range l.Degree {
			to := line + uint64(step)*uint64(i+1)
			if step == 0 || to/linesPerPage != line/linesPerPage {
				return
			}
			s.prefetch(thread, j, to)
		}
	}
}

// step records a lookup and gives the stride that the walk through its page goes on with, or 0.
func (c *instance) step(line, linesPerPage uint64) int64 {
	page := line/linesPerPage + 1
	e := &c.strides[(page-1)%strideEntries]
	if e.page != page {
		*e = stride{page: page, last: line}
		return 0
	}
	step := int64(line - e.last)
	e.last = line
	if step != 0 && step == e.step {
		return step
	}
	e.step = step
	return 0
}

// prefetch brings a line to level j.
func (s *Simulator) prefetch(thread, j int, line uint64) {
	l := &s.levels[j]
	if l.serving[thread].at(line) != nil {
		return
	}
	l.counts.Prefetches++
	h := j + 1
	for h < len(s.levels) && s.levels[h].serving[thread].at(line) == nil && !s.forwards(thread, h, line) {
		h++
	}
	if h == len(s.levels) {
		s.memoryReads++
	}
	if s.directory != nil {
		s.cleanOthers(thread, line)
	}
	s.fill(thread, line, h, j, false)
	if e := l.serving[thread].at(line); e != nil {
		*e |= marked
	}
}
