package cache

// invalidateOthers is step 2 of a write: the caches that do not serve the thread lose the line.
func (s *Simulator) invalidateOthers(thread int, line uint64) {
	if e := s.levels[0].serving(thread).at(line); e != nil && *e&owned != 0 {
		return
	}
	for j := range s.levels {
		l := &s.levels[j]
		for i, c := range l.instances {
			if i == thread/l.SharedBy {
				continue
			}
			e := c.remove(line)
			if e == empty {
				continue
			}
			s.again.lost(line)
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
	for j := range s.levels {
		l := &s.levels[j]
		for i, c := range l.instances {
			if i == thread/l.SharedBy {
				continue
			}
			e := c.at(line)
			if e == nil {
				continue
			}
			s.again.lost(line)
			was := *e
			*e &^= dirty | owned
			if was&dirty != 0 {
				l.counts.WriteBacks++
				s.send(line, j, i)
			}
		}
	}
}
