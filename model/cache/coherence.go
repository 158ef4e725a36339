package cache

import "math/bits"

// invalidateOthers is step 2 of a write: the caches that do not serve the thread lose the line.
func (s *Simulator) invalidateOthers(thread int, line uint64) {
	if e := s.levels[0].serving[thread].at(line); e != nil && *e&owned != 0 {
		return
	}
	p := s.sharersOf(line)
	mine := s.bitOf(thread)
	asked := p.bits
	if s.directory.share == 1 {
		asked &^= mine
	}
	p.bits, p.writer, p.depth = mine, uint32(thread), 0
	if asked == 0 {
		return
	}
	for j := range s.levels {
		s.invalidate(j, thread, line, asked)
	}
}

// invalidate takes a line away from those instances of level j that serve one of the asked and not the thread.
func (s *Simulator) invalidate(j, thread int, line, asked uint64) {
	l := &s.levels[j]
	own := l.serving[thread]
	next := 0 // instance
	for ; asked != 0; asked &= asked - 1 {
		first := bits.TrailingZeros64(asked) * s.directory.share * s.levels[0].SharedBy
		last := min(first+s.directory.share*s.levels[0].SharedBy, s.hierarchy.Threads) - 1
		for i := max(next, l.serving[first].number); i <= l.serving[last].number; i++ {
			next = i + 1
			c := l.instances[i]
			if c == own {
				continue
			}
			e := c.remove(line)
			if e == empty {
				continue
			}
			l.counts.Invalidations++
			if c.causes != nil {
				c.causes.lost[line] = struct{}{}
			}
			if e&dirty != 0 {
				l.counts.WriteBacks++
				s.send(line, j, i)
			}
		}
	}
}

// cleanOthers is step 2 of a read: the caches that do not serve the thread keep the line, but no changes of it.
func (s *Simulator) cleanOthers(thread int, line uint64) {
	p := s.sharersOf(line)
	p.bits |= s.bitOf(thread)
	j := int(p.depth)
	for ; j < len(s.levels); j++ {
		l := &s.levels[j]
		c := l.serving[p.writer]
		if c == l.serving[thread] { // and so further out
			break
		}
		e := c.at(line)
		if e == nil {
			continue
		}
		was := *e
		*e &^= dirty | owned
		if was&dirty != 0 {
			l.counts.WriteBacks++
			s.send(line, j, c.number)
		}
	}
	p.depth = uint32(j)
}

// changes notes that a thread's caches have the changes of a line, which came from further out.
func (s *Simulator) changes(thread int, line uint64) {
	if s.directory != nil {
		p := s.sharersOf(line)
		p.writer, p.depth = uint32(thread), 0
	}
}

// forwards says whether a cache further in than level j has a line that level j, an exclusive one, lacks, and gives it to the thread: one that serves other
// threads of the same instance.
func (s *Simulator) forwards(thread, j int, line uint64) bool {
	l := &s.levels[j]
	if s.directory == nil || j == 0 || l.Inclusion != Exclusive {
		return false
	}
	asked := s.directory.at(line).bits
	first := l.serving[thread].number * l.SharedBy
	past := min(first+l.SharedBy, s.hierarchy.Threads)
	for t := first; t < past && asked != 0; t++ {
		if asked&s.bitOf(t) == 0 {
			continue
		}
		for k := range j {
			if c := s.levels[k].serving[t]; c != s.levels[k].serving[thread] && c.at(line) != nil {
				return true
			}
		}
	}
	return false
}
