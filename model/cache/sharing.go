package cache

import "math/bits"

// Sharing tells true from false sharing of lines, in caches that lose lines to other threads alone. A thread that comes back to a line which another one has written since
// takes it from there: a transfer. It is true where the thread accesses, before it loses the line again, what another thread wrote since it lost it before; else it is false:
// the threads do not need what the other writes, and would not meet in lines of their own (Torrellas, Lam, Hennessy: False Sharing and Spatial Locality in Multiprocessor Caches, 1994).
type Sharing struct {
	shift uint
	grain uint // binary logarithm of the bytes that a bit of a mask stands for
	lines map[uint64]*sharedLine
	found []*Transfers
}

// Transfers of one line in one region.
type Transfers struct {
	Line        uint64 // number
	Written     uint64 // address of what another thread had written when the first began, to the grain of a mask
	Region      int
	True, False int64
}

// sharedLine is what is known of a line.
type sharedLine struct {
	alone   int      // the thread that accessed it, as long as there is one; -1: several
	copies  []copyOf // by thread
	regions []*Transfers
}

// copyOf is a thread's copy of a line. Masks have a bit for each grain.
type copyOf struct {
	touched, held bool
	pending       *Transfers // a transfer of which it is not yet known whether it is a true one
	others        uint64     // what other threads wrote since it was lost
	fresh         uint64     // likewise, up to the pending transfer
}

// mostSharedLines bounds the lines that are followed; further ones are not. Chosen: some 300 MiB.
const mostSharedLines = 1 << 22

// NewSharing is for lines of so many bytes, a power of two.
func NewSharing(line int64) *Sharing {
	shift := uint(bits.TrailingZeros64(uint64(line)))
	return &Sharing{shift: shift, grain: shift - min(shift, 6), lines: map[uint64]*sharedLine{}}
}

// Access takes an access of a thread in a region, within one line.
func (s *Sharing) Access(thread int, address uint64, bytes uint32, write bool, region int) {
	number := address >> s.shift
	l := s.lines[number]
	if l == nil {
		if len(s.lines) < mostSharedLines {
			s.lines[number] = &sharedLine{alone: thread}
		}
		return
	}
	if l.alone == thread {
		return
	}
	if l.alone >= 0 {
		l.of(l.alone).touched, l.of(l.alone).held, l.alone = true, true, -1
	}
	mask := s.mask(address, bytes)
	c := l.of(thread)
	if c.touched && !c.held {
		c.pending, c.fresh = s.transfers(l, number, region, c.others), c.others
	}
	if c.pending != nil && c.fresh&mask != 0 {
		c.pending.True++
		c.pending = nil
	}
	c.touched, c.held, c.others = true, true, 0
	if !write {
		return
	}
	for t := range l.copies {
		if o := &l.copies[t]; t != thread && o.touched {
			o.lose(mask)
		}
	}
}

// lose takes a copy away; a transfer of which nothing was needed was a false one.
func (c *copyOf) lose(written uint64) {
	c.others |= written
	c.held = false
	if c.pending != nil {
		c.pending.False++
		c.pending = nil
	}
}

func (l *sharedLine) of(thread int) *copyOf {
	for thread >= len(l.copies) {
		l.copies = append(l.copies, copyOf{})
	}
	return &l.copies[thread]
}

// mask has the bits of some bytes of a line.
func (s *Sharing) mask(address uint64, bytes uint32) uint64 {
	inside := address & (1<<s.shift - 1)
	last := min(inside+uint64(max(bytes, 1))-1, 1<<s.shift-1)
	return (^uint64(0) >> (63 - last>>s.grain)) &^ (1<<(inside>>s.grain) - 1)
}

// transfers are those of a line in a region, which begin now if there are none: as others wrote what a mask tells.
func (s *Sharing) transfers(l *sharedLine, number uint64, region int, written uint64) *Transfers {
	for _, t := range l.regions {
		if t.Region == region {
			return t
		}
	}
	first := uint64(bits.TrailingZeros64(written)) << s.grain
	t := &Transfers{Line: number, Written: number<<s.shift + first, Region: region}
	l.regions = append(l.regions, t)
	s.found = append(s.found, t)
	return t
}

// False says whether transfers of a line were false ones.
func (s *Sharing) False(line uint64) bool {
	l := s.lines[line]
	if l == nil {
		return false
	}
	for _, t := range l.regions {
		if t.False > t.True {
			return true
		}
	}
	return false
}

// Begun are the transfers so far, those of each line and region together, in the order of the first; which are true is not known yet of the last ones.
func (s *Sharing) Begun() []*Transfers { return s.found }

// Found are the transfers, those of each line and region together, in the order of the first. Transfers of which nothing was needed to the end are false ones.
func (s *Sharing) Found() []*Transfers {
	for _, t := range s.found {
		for i := range s.lines[t.Line].copies {
			if c := &s.lines[t.Line].copies[i]; c.pending == t {
				t.False++
				c.pending = nil
			}
		}
	}
	return s.found
}
