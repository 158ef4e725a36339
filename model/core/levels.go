package core

// Level is a cache that the core's loads and stores look lines up in: set-associative, the least recently used goes.
type Level struct {
	Sets, Ways int
	Cycles     float64 // that a load from it takes longer than one from L1
	PerLine    float64 // cycles between two lines from it
	WriteBack  float64 // cycles in which no line comes from it, as one goes there that was written
}

// levels are the caches of a core, L1 first, with the lines that they hold.
type levels struct {
	of     []Level
	lines  [][]uint64 // of each set, the latest first; a line is stored plus one, with dirty
	ahead  *ahead     // nil: no line comes before it is asked for
	coming []coming   // lines on their way, by the lowest bits of their numbers
	filled []float64  // by set of L1: when the last line that was asked for came
	// missed counts the lines that neither of the first two levels held.
	missed int64
}

// dirty marks a line of L1 that a store went to. No number of a line has this bit.
const dirty = 1 << 63

func newLevels(of []Level) *levels {
	l := &levels{of: of, coming: make([]coming, mostComing)}
	l.filled = make([]float64, max(1, of[0].Sets))
	for _, v := range of {
		l.lines = append(l.lines, make([]uint64, v.Sets*v.Ways))
	}
	return l
}

// mostComing is how many lines are remembered that are on their way; a power of two. Chosen: many times as many as a core waits for.
const mostComing = 1024

// coming is a line, plus one, and when it is there.
type coming struct {
	line  uint64
	there float64
}

// find looks a line up that an instruction asks for from a time on, brings it in, and says when it is there beyond what an access of L1 takes.
func (l *levels) find(at int32, line uint64, store bool, now float64, c *calendar) float64 {
	early := late
	if l.ahead != nil {
		early = l.ahead.brought(at, line)
	}
	held, left := l.touch(0, line, store)
	if held {
		if c := &l.coming[line%mostComing]; c.line == line+1 { // an access before has asked for it, and it may not be there yet
			return max(0, c.there-now)
		}
		return 0
	}
	last := len(l.of) - 1 // what no level holds is left to whoever knows of memory
	for i := 1; i <= last; i++ {
		if held, _ := l.touch(i, line, false); held {
			last = i
		}
	}
	if last > 1 {
		l.missed++
	}
	begun := now
	if len(l.of) >= innerLevels && left {
		begun = c.line(now, l.of[innerLevels-1].WriteBack)
	}
	if early == neighbour {
		return begun - now
	}
	begun = l.fill(line, begun)
	there := begun
	if v := &l.of[last]; early == late {
		there = c.line(begun, v.PerLine) + v.Cycles
	}
	l.coming[line%mostComing] = coming{line + 1, there}
	return there - now
}

// fill gives the time from which on a line comes into its set of L1, which waits for one line from L2 at a time: on a Zen 4, whose loads from L2 take 10
// cycles longer than from L1, loads of lines that L2 has and that all fall into one set take 9.9 to 10.3 cycles each, at strides of 4, 8 and 32 KiB,
// where 1.1 to 2 are enough for those of different sets (measured 2026-11-25).
func (l *levels) fill(line uint64, now float64) float64 {
	if len(l.of) < innerLevels {
		return now
	}
	free := &l.filled[line%uint64(len(l.filled))]
	begun := max(now, *free)
	*free = begun + l.of[innerLevels-1].Cycles
	return begun
}

// become takes over what others of the same size hold, with nothing on its way.
func (l *levels) become(o *levels) {
	for i := range l.lines {
		copy(l.lines[i], o.lines[i])
	}
	if l.ahead != nil && o.ahead != nil {
		last := append(l.ahead.last[:0], o.ahead.last...)
		*l.ahead = *o.ahead
		l.ahead.last = last
	}
	l.settle()
}

// settle lets all lines that are on their way come.
func (l *levels) settle() {
	clear(l.coming)
	clear(l.filled)
}

// touch moves a line to the front of its set, or puts it there, and tells whether it was held, and whether one that was written had to go for it.
func (l *levels) touch(i int, line uint64, store bool) (held, left bool) {
	v := &l.of[i]
	if v.Ways == 0 {
		return false, false
	}
	set := l.lines[i][int(line%uint64(v.Sets))*v.Ways:][:v.Ways]
	now := line + 1
	if store {
		now |= dirty
	}
	for k, other := range set {
		if other&^dirty == line+1 {
			copy(set[1:k+1], set[:k])
			set[0] = now | other&dirty
			return true, false
		}
	}
	left = set[v.Ways-1]&dirty != 0
	copy(set[1:], set)
	set[0] = now
	return false, left
}
