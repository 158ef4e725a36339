package cache

import "math/bits"

// Split are simulators that count together what one of the hierarchy does, each for the lines of a number of its own in the lowest bits, so that several
// cores can work for them: lines whose lowest bits differ fall into different sets at every level, and never meet. That is so where the sets of all
// levels are multiples of the number of simulators, and nothing – prefetchers, victim caches, random numbers, causes of misses – joins the sets.
type Split struct {
	Simulators []*Simulator // a power of two
	shift      uint8
}

// NewSplit makes empty caches, for one simulator or, where that can be, for as many as wanted or a few less.
func NewSplit(h Hierarchy, wanted int) (*Split, error) {
	if err := h.Validate(); err != nil {
		return nil, err
	}
	p := &Split{shift: uint8(bits.Len(uint(max(wanted, 1))) - 1)}
	for _, l := range h.Levels {
		p.shift = min(p.shift, uint8(bits.TrailingZeros64(uint64(l.Lines/l.Ways))))
		if h.Classify || l.VictimLines > 0 || l.Prefetcher != NoPrefetch || l.Replacement == Random {
			p.shift = 0
		}
	}
	h.Levels = append([]Level{}, h.Levels...)
	for j := range h.Levels {
		h.Levels[j].Lines >>= p.shift
	}
	for range 1 << p.shift {
		s, err := NewSimulator(h)
		if err != nil {
			return nil, err
		}
		p.Simulators = append(p.Simulators, s)
	}
	return p, nil
}

// Of gives the number of the simulator of a line, and what it calls the line.
func (p *Split) Of(line uint64) (number int, inside uint64) {
	return int(line & (1<<(p.shift&63) - 1)), line >> (p.shift & 63)
}

// RunThreads is Run for accesses of several threads: each is of the thread at its place.
func (s *Simulator) RunThreads(threads []uint16, references []uint64) {
	for i, r := range references {
		s.Access(int(threads[i]), r>>1, r&1 != 0)
	}
}
