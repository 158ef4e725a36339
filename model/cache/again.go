package cache

// again answers accesses to the line that a thread used last without going through the hierarchy: it is the most recently
// used line of the thread's own L1, so that nothing but a count changes, and for a write nothing either when the line was
// written before and nobody else has had it since.
type again struct {
	lines   []uint64 // by thread; none: not known
	written []bool
}

// none stands for a line that is not known.
const none = ^uint64(0)

// newAgain gives nil where L1 is such that a second access may change something.
func newAgain(h Hierarchy) *again {
	l := h.Levels[0]
	if l.SharedBy > 1 || l.WriteThrough || l.NoWriteAllocate || l.VictimLines > 0 || l.Prefetcher != NoPrefetch || h.Classify {
		return nil
	}
	a := &again{lines: make([]uint64, h.Threads), written: make([]bool, h.Threads)}
	for i := range a.lines {
		a.lines[i] = none
	}
	return a
}

// hits says whether nothing changes.
func (a *again) hits(thread int, line uint64, write bool) bool {
	return a.lines[thread] == line && (!write || a.written[thread])
}

// used notes an access that went through the hierarchy.
func (a *again) used(thread int, line uint64, write bool) {
	a.written[thread] = write || a.written[thread] && a.lines[thread] == line
	a.lines[thread] = line
}

// lost forgets a line that a cache of another thread, or a level further out, has taken away or changed.
func (a *again) lost(line uint64) {
	if a == nil {
		return
	}
	for i, l := range a.lines {
		if l == line {
			a.lines[i] = none
		}
	}
}
