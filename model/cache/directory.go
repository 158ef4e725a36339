package cache

import "math/bits"

// directory knows of the lines that caches hold which threads may have them, and where changes of them may be, so that a write or a read asks the
// caches that can hold a line and no others. It knows more copies than there are, never fewer: caches do not tell it what they replace.
type directory struct {
	places []sharers // open addressing; their number is a power of two
	shift  uint8     // 64 − log₂ of their number
	used   int
	most   int // places in use from which on those of lines that no cache holds are given up
	share  int // instances of the first level that one bit stands for
}

// sharers is what is known of a line.
type sharers struct {
	key    uint64 // line + 1; 0: none
	bits   uint64 // instances of the first level whose threads' caches, of any level, may hold the line
	writer uint32 // a thread: all copies with changes, or owned, are in caches that serve it …
	depth  uint32 // … and of this level or further out
}

// firstSharers is how many places a directory begins with; they double when half of them are taken. Chosen: 24 KiB.
const firstSharers = 1 << 10

// golden is 2⁶⁴ divided by the golden ratio: Fibonacci hashing (Knuth, The Art of Computer Programming, vol. 3, section 6.4), of a key whose upper
// bits were mixed into the lower ones, as lines at a stride of a large power of two differ in those alone; 11 is chosen.
const golden = 0x9E3779B97F4A7C15

// newDirectory is of caches that hold so many lines together, with so many instances at the first level.
func newDirectory(lines, instances int) *directory {
	return &directory{
		places: make([]sharers, firstSharers), shift: uint8(64 - bits.TrailingZeros(firstSharers)),
		most: max(2*lines, firstSharers), share: (instances + 63) / 64,
	}
}

// at gives a line's place, or the free one where it would be.
func (d *directory) at(line uint64) *sharers {
	key := line + 1
	mask := uint64(len(d.places) - 1)
	for i := (key ^ key>>11) * golden >> (d.shift & 63); ; i++ {
		if p := &d.places[i&mask]; p.key == key || p.key == 0 {
			return p
		}
	}
}

// of gives a line's place, which stands until the next one is asked for.
func (s *Simulator) sharersOf(line uint64) *sharers {
	d := s.directory
	p := d.at(line)
	if p.key != 0 {
		return p
	}
	if d.used >= d.most {
		s.recount()
		p = d.at(line)
	}
	if p.key == 0 { // a line that is being brought in, or of a cache further in that is asked for again
		d.used++
		if 2*d.used > len(d.places) {
			d.grow()
			p = d.at(line)
		}
		*p = sharers{key: line + 1, depth: uint32(len(s.levels))}
	}
	return p
}

// grow doubles the places.
func (d *directory) grow() {
	old := d.places
	d.places = make([]sharers, 2*len(old))
	d.shift--
	for i := range old {
		if old[i].key != 0 {
			*d.at(old[i].key - 1) = old[i]
		}
	}
}

// recount begins the directory anew with what the caches hold.
func (s *Simulator) recount() {
	d := s.directory
	clear(d.places)
	d.used = 0
	for j := range s.levels {
		l := &s.levels[j]
		for i, c := range l.instances {
			thread := uint32(i * l.SharedBy)
			for _, ways := range [][]entry{c.entries, c.victims} {
				for _, e := range ways {
					if e != empty {
						s.recall(e, thread, j)
					}
				}
			}
		}
	}
}

// recall notes a copy, in a cache of level j that serves a thread. Levels come from the innermost outwards.
func (s *Simulator) recall(e entry, thread uint32, j int) {
	d := s.directory
	p := d.at(e.line())
	if p.key == 0 {
		d.used++
		if 2*d.used > len(d.places) {
			d.grow()
			p = d.at(e.line())
		}
		*p = sharers{key: e.line() + 1, depth: uint32(len(s.levels))}
	}
	p.bits |= s.bitOf(int(thread))
	if e&(dirty|owned) != 0 && p.depth == uint32(len(s.levels)) {
		p.writer, p.depth = thread, uint32(j)
	}
}

// bitOf is the bit of a thread's instance of the first level.
func (s *Simulator) bitOf(thread int) uint64 {
	return 1 << (s.levels[0].serving[thread].number / s.directory.share & 63)
}
