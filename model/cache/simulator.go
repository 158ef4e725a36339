package cache

// Simulator simulates a hierarchy of caches exactly; the rules are those of the package documentation. Its memory is
// that of the tags, with several threads some times as much, and with Hierarchy.Classify that of the footprint.
type Simulator struct {
	hierarchy    Hierarchy
	levels       []level
	memoryReads  int64
	memoryWrites int64
	plain        []*plainLevel // instead of levels, where that is enough
	single       [1]uint64
	missed       []bool
	useful       []bool
	directory    *directory // of several threads
	quick        bool       // a hit of the line that a set of the first level has first, or used last, changes nothing
	prefetches   bool       // any level does
	linked       *linked    // of levels that it suits, for references in batches
}

// level is one level of a Simulator.
type level struct {
	Level
	index     int
	instances []*instance
	serving   []*instance // by thread
	counts    LevelCounts
}

// NewSimulator makes empty caches.
func NewSimulator(h Hierarchy) (*Simulator, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	h = h.withDefaults()
	if isPlain(h) {
		s := &Simulator{hierarchy: h}
		for j, l := range h.Levels {
			s.plain = append(s.plain, newPlainLevel(l, j))
		}
		return s, nil
	}
	s := &Simulator{hierarchy: h, levels: make([]level, len(h.Levels))}
	lines := 0
	s.missed, s.useful = make([]bool, len(h.Levels)), make([]bool, len(h.Levels))
	for j, l := range h.Levels {
		v := &s.levels[j]
		*v = level{Level: l, index: j}
		for i := range (h.Threads + l.SharedBy - 1) / l.SharedBy {
			v.instances = append(v.instances, newInstance(v, i, h.Seed, h.Classify))
		}
		for t := range h.Threads {
			v.serving = append(v.serving, v.instances[t/l.SharedBy])
		}
		s.prefetches = s.prefetches || l.Prefetcher != NoPrefetch
		lines += len(v.instances) * (int(l.Lines) + l.VictimLines)
	}
	first := &h.Levels[0]
	s.quick = first.Replacement != Random && (first.Replacement != PLRU || first.Ways <= mostTreeWays) && first.Prefetcher == NoPrefetch && !h.Classify
	s.linked = s.newLinked()
	if h.Threads > 1 {
		s.directory = newDirectory(lines, len(s.levels[0].instances))
	}
	return s, nil
}

// Counts are what happened so far.
func (s *Simulator) Counts() Counts {
	c := Counts{MemoryReads: s.memoryReads, MemoryWrites: s.memoryWrites}
	for _, l := range s.plain {
		c.Levels = append(c.Levels, l.counts)
	}
	for j := range s.levels {
		c.Levels = append(c.Levels, s.levels[j].counts)
	}
	return c
}

// Access simulates one access and gives the index of the level that served it; the number of levels stands for memory.
// Threads count from 0; lines are below 2⁶⁰.
func (s *Simulator) Access(thread int, line uint64, write bool) int {
	if s.plain != nil {
		w := uint64(0)
		if write {
			w = 1
		}
		return s.accessPlain(line, w)
	}
	if s.linked != nil {
		return s.accessLinked(line, write)
	}
	if s.quick && s.levels[0].serving[thread].first(line, write) {
		s.levels[0].counts.Accesses++
		return 0
	}
	return s.access(thread, line, write)
}

// access is Access, step by step.
func (s *Simulator) access(thread int, line uint64, write bool) int {
	h := s.lookup(thread, line)
	if s.hierarchy.Threads > 1 {
		switch {
		case write:
			s.invalidateOthers(thread, line)
		case h > 0:
			s.cleanOthers(thread, line)
		}
	}
	s.fill(thread, line, h, 0, write)
	if write {
		s.store(thread, line)
	}
	if !s.prefetches {
		return h
	}
	for j := range min(h+1, len(s.levels)) {
		if s.levels[j].Prefetcher != NoPrefetch {
			s.prefetchAfter(thread, j, line, s.missed[j], s.useful[j])
		}
	}
	return h
}

// lookup is step 1.
func (s *Simulator) lookup(thread int, line uint64) int {
	for j := range s.levels {
		l := &s.levels[j]
		c := l.serving[thread]
		hit, useful, victim := c.find(line)
		l.counts.Accesses++
		if !hit && s.forwards(thread, j, line) {
			hit = true
			l.counts.ForwardedHits++
		}
		s.missed[j], s.useful[j] = !hit, useful
		if useful {
			l.counts.UsefulPrefetches++
		}
		if victim {
			l.counts.VictimHits++
		}
		if c.causes != nil {
			c.causes.lookup(line, hit, &l.counts)
		}
		if hit {
			return j
		}
		l.counts.Misses++
	}
	s.memoryReads++
	return len(s.levels)
}

// fill is step 3: level h has the line, or memory; levels from h−1 in to innermost get it.
func (s *Simulator) fill(thread int, line uint64, h, innermost int, write bool) {
	carried := s.extract(thread, line, h, innermost, write)
	if carried != 0 {
		s.changes(thread, line)
	}
	for j := h - 1; j >= innermost; j-- {
		l := &s.levels[j]
		if !s.fills(j, innermost, write) {
			continue
		}
		e := entryOf(line)
		if carried != 0 && !l.WriteThrough {
			e |= carried
			carried = 0
		}
		c := l.serving[thread]
		if old := c.put(e); old != empty {
			s.leave(old, j, c.number)
		}
	}
}

// fills says whether a line on its way in stays at level j.
func (s *Simulator) fills(j, innermost int, write bool) bool {
	l := &s.levels[j]
	return (j == innermost || l.Inclusion != Exclusive) && !(write && l.NoWriteAllocate)
}

// extract takes the line out of level h if that is exclusive and another level gets it. It gives dirty when one of
// those is to keep what the line holds.
func (s *Simulator) extract(thread int, line uint64, h, innermost int, write bool) entry {
	if h == len(s.levels) || h == 0 || s.levels[h].Inclusion != Exclusive {
		return 0
	}
	filled, keeps := false, false
	for j := h - 1; j >= innermost; j-- {
		if s.fills(j, innermost, write) {
			filled = true
			keeps = keeps || !s.levels[j].WriteThrough
		}
	}
	if !filled {
		return 0
	}
	c := s.levels[h].serving[thread]
	e := c.remove(line)
	if e == empty || e&dirty == 0 { // where it was forwarded it is not here
		return 0
	}
	if !keeps {
		s.send(line, h, c.number)
		return 0
	}
	return dirty
}

// store is step 4.
func (s *Simulator) store(thread int, line uint64) {
	for j := range s.levels {
		c := s.levels[j].serving[thread]
		e := c.at(line)
		if e == nil {
			continue
		}
		if s.levels[j].WriteThrough {
			s.send(line, j, c.number)
		} else {
			*e |= dirty
		}
		if j == 0 {
			*e |= owned // step 2 has seen to it
		}
		return
	}
	s.memoryWrites++
}

// leave deals with a line that instance i of level j lost to another.
func (s *Simulator) leave(e entry, j, i int) {
	l := &s.levels[j]
	l.counts.Evictions++
	if l.Inclusion == Inclusive {
		e |= s.loseInside(e.line(), j, i)
	}
	next := j + 1
	if next < len(s.levels) && s.levels[next].Inclusion == Exclusive {
		if e&dirty != 0 {
			l.counts.WriteBacks++
		}
		s.moveOut(e&^(marked|owned), next, i*l.SharedBy)
		return
	}
	if e&dirty != 0 {
		l.counts.WriteBacks++
		s.send(e.line(), j, i)
	}
}

// moveOut puts a line that left the level before into an exclusive level.
func (s *Simulator) moveOut(e entry, j, thread int) {
	c := s.levels[j].serving[thread]
	if c.refresh(e) {
		return
	}
	if old := c.put(e); old != empty {
		s.leave(old, j, c.number)
	}
}

// loseInside takes a line out of the levels inside instance i of level j; it gives dirty when one of them was.
func (s *Simulator) loseInside(line uint64, j, i int) (found entry) {
	first, last := i*s.levels[j].SharedBy, min((i+1)*s.levels[j].SharedBy, s.hierarchy.Threads)-1
	for k := range j {
		l := &s.levels[k]
		for n := first / l.SharedBy; n <= last/l.SharedBy; n++ {
			if e := l.instances[n].remove(line); e != empty {
				l.counts.BackInvalidations++
				found |= e & dirty
			}
		}
	}
	return found
}

// send passes the data of a line on from instance i of level j.
func (s *Simulator) send(line uint64, j, i int) {
	thread := i * s.levels[j].SharedBy
	for k := j + 1; k < len(s.levels); k++ {
		if s.levels[k].WriteThrough {
			continue
		}
		if e := s.levels[k].serving[thread].at(line); e != nil {
			*e |= dirty
			return
		}
	}
	s.memoryWrites++
}
