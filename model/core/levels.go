package core

// Level is a cache that the core's loads and stores look lines up in: set-associative, the least recently used goes.
type Level struct {
	Sets, Ways int
	Cycles     float64 // that a load from it takes longer than one from L1
	PerLine    float64 // cycles between two lines from it
}

// levels are the caches of a core, L1 first, with the lines that they hold.
type levels struct {
	of    []Level
	lines [][]uint64 // of each set, the latest first; a line is stored plus one
}

func newLevels(of []Level) *levels {
	l := &levels{of: of}
	for _, v := range of {
		l.lines = append(l.lines, make([]uint64, v.Sets*v.Ways))
	}
	return l
}

// find looks a line up from a time on, brings it in, and says when it is there beyond what an access of L1 takes.
func (l *levels) find(line uint64, now float64, c *calendar) float64 {
	if l.touch(0, line) {
		return 0
	}
	last := len(l.of) - 1 // what no level holds is left to whoever knows of memory
	for i := 1; i <= last; i++ {
		if l.touch(i, line) {
			last = i
		}
	}
	v := &l.of[last]
	return c.line(now, v.PerLine) - now + v.Cycles
}

// touch moves a line to the front of its set, or puts it there.
func (l *levels) touch(i int, line uint64) bool {
	v := &l.of[i]
	set := l.lines[i][int(line%uint64(v.Sets))*v.Ways:][:v.Ways]
	for k, held := range set {
		if held == line+1 {
			copy(set[1:k+1], set[:k])
			set[0] = line + 1
			return true
		}
	}
	copy(set[1:], set)
	set[0] = line + 1
	return false
}
