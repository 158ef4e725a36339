package cache

import (
	"math/bits"
)

// Plain hierarchies – LRU, non-inclusive, writing back, one thread, nothing else – have levels that do not depend on
// what the levels further out do. They are simulated a batch at a time, level by level: each passes on the lookups that
// missed and the dirty lines that it sends outwards, in the order in which they happen, and the memory of a batch can
// be read ahead.

// plainLevel is one level. Looking up, filling and replacing are one pass over a set.
type plainLevel struct {
	sets   uint64
	mask   uint64 // sets − 1 when that is a power of two and not 1, else 0
	ways   uint64 // at most 64
	stride uint64 // ways + 1
	// tags has for each set its lines, the newest first, noTag for an empty way, and a word with a bit for each way
	// that is dirty.
	tags   []uint64
	counts LevelCounts
	// ops are what goes on to the next level: twice a line, plus one for a line that is sent outwards.
	ops     []uint64
	touched uint64 // keeps the reads that warm the caches
}

const (
	// sent is the bit of an op that sends a dirty line outwards, not looks one up.
	sent = 1
	// opsPerBatch is how many references are simulated at once. Chosen: 8 KiB of them, so that what one level passes on to the next stays in L1.
	opsPerBatch = 1024
	// noTag is the tag of an empty way.
	noTag = ^uint64(0)
	// readAheadFrom is the number of lines from which it pays to read a batch's sets ahead. Chosen: 256 KiB of tags, as much as many an L2.
	readAheadFrom = 1 << 15
)

// isPlain says whether a hierarchy can be simulated level by level; dirty bits of up to 64 ways are one word.
func isPlain(h Hierarchy) bool {
	plain := h.Threads == 1 && !h.Classify
	for _, l := range h.Levels {
		plain = plain && l.Replacement == LRU && l.Inclusion == NonInclusive && !l.WriteThrough && !l.NoWriteAllocate &&
			l.VictimLines == 0 && l.Prefetcher == NoPrefetch && l.Ways <= 64
	}
	return plain
}

// newPlainLevel makes level j. A reference makes at most one op more at each level: a lookup and a line sent outwards
// at the first.
func newPlainLevel(l Level, j int) *plainLevel {
	p := &plainLevel{sets: uint64(l.Lines / l.Ways), ways: uint64(l.Ways), stride: uint64(l.Ways) + 1}
	if p.sets&(p.sets-1) == 0 {
		p.mask = p.sets - 1
	}
	p.tags = make([]uint64, p.sets*p.stride)
	for i := range p.tags {
		if uint64(i)%p.stride != p.ways {
			p.tags[i] = noTag
		}
	}
	p.ops = make([]uint64, (j+2)*opsPerBatch)
	return p
}

// set gives the ways and the dirty bits of a line's set.
func (l *plainLevel) set(line uint64) (ways []uint64, dirty *uint64) {
	n := line & l.mask
	if l.mask == 0 {
		n = line % l.sets
	}
	all := l.tags[n*l.stride:][:l.stride]
	return all[:l.ways], &all[l.ways]
}

// runPlain simulates references: lines shifted left, with a bit that is set for writes.
func (s *Simulator) runPlain(references []uint64, shift uint8, writes uint64) {
	for len(references) > 0 {
		b := references[:min(opsPerBatch, len(references))]
		references = references[len(b):]
		ops := s.plain[0].references(b, shift, writes)
		for _, l := range s.plain[1:] {
			ops = l.further(ops)
		}
		lines := countSent(ops)
		s.memoryWrites += lines
		s.memoryReads += int64(len(ops)) - lines
	}
}

// countSent is the number of ops that send a line.
func countSent(ops []uint64) int64 {
	n := uint64(0)
	for _, op := range ops {
		n += op & sent
	}
	return int64(n)
}

// accessPlain is Access for a plain hierarchy.
func (s *Simulator) accessPlain(line, write uint64) (served int) {
	s.single[0] = line<<1 | write
	ops := s.plain[0].references(s.single[:], 1, 1)
	if len(ops) == 0 {
		return 0
	}
	return s.further(ops, line)
}

// further takes on what the first level passes on of an access to a line that it lacks, and gives the level that serves it.
func (s *Simulator) further(ops []uint64, line uint64) (served int) {
	served = len(s.plain)
	for j, l := range s.plain[1:] {
		if served > j && !missed(ops, line) {
			served = j
		}
		ops = l.further(ops)
	}
	if last := len(s.plain) - 1; served > last && !missed(ops, line) {
		served = last
	}
	sent := countSent(ops)
	s.memoryWrites += sent
	s.memoryReads += int64(len(ops)) - sent
	return served
}

// missed says whether the lookup of line goes on: it is then the first op.
func missed(ops []uint64, line uint64) bool { return len(ops) > 0 && ops[0] == line<<1 }

// references runs a batch through the first level, and gives what goes on.
func (l *plainLevel) references(b []uint64, shift uint8, writes uint64) []uint64 {
	n, filled := 0, 0
	switch powers := l.sets&(l.sets-1) == 0; {
	case powers && l.ways == 8:
		n, filled = firstFixed(setsOf[[9]uint64](l.tags), b, shift, writes, l.ops)
	case powers && l.ways == 12:
		n, filled = firstFixed(setsOf[[13]uint64](l.tags), b, shift, writes, l.ops)
	default:
		for _, r := range b {
			n, filled = l.lookup(r>>(shift&63), r&writes, n, filled)
		}
	}
	return l.count(int64(len(b)), 0, n, filled)
}

// further runs the ops of the level before through this one, and gives what goes on.
func (l *plainLevel) further(ops []uint64) []uint64 {
	l.readAhead(ops)
	received := countSent(ops)
	n, filled, kept := 0, 0, 0
	switch powers := l.sets&(l.sets-1) == 0; {
	case powers && l.ways == 8:
		n, filled, kept = furtherFixed(setsOf[[9]uint64](l.tags), ops, l.ops)
	case powers && l.ways == 12:
		n, filled, kept = furtherFixed(setsOf[[13]uint64](l.tags), ops, l.ops)
	case powers && l.ways == 16:
		n, filled, kept = furtherFixed(setsOf[[17]uint64](l.tags), ops, l.ops)
	case powers && l.ways == 20:
		n, filled, kept = furtherFixed(setsOf[[21]uint64](l.tags), ops, l.ops)
	default:
		for _, op := range ops {
			switch {
			case op&sent == 0:
				n, filled = l.lookup(op>>1, 0, n, filled)
			case l.receive(op >> 1):
				kept++
			default:
				l.ops[n] = op
				n++
			}
		}
	}
	return l.count(int64(len(ops))-received, received-int64(kept), n, filled)
}

// count adds up a batch: n ops go on, of which some were only passed on, and filled lines took an empty way.
func (l *plainLevel) count(accesses, passed int64, n, filled int) []uint64 {
	out := l.ops[:n]
	writeBacks := countSent(out) - passed
	misses := int64(n) - passed - writeBacks
	l.counts.Accesses += accesses
	l.counts.Misses += misses
	l.counts.WriteBacks += writeBacks
	l.counts.Evictions += misses - int64(filled)
	return out
}

// lookup looks a line up and puts it in if it is not there. n ops are waiting.
func (l *plainLevel) lookup(line, write uint64, n, filled int) (int, int) {
	ways, dirty := l.set(line)
	at := 0
	for at < len(ways)-1 && ways[at] != line {
		at++
	}
	old, d := ways[at], *dirty
	copy(ways[1:at+1], ways[:at])
	ways[0] = line
	upTo := uint64(2)<<at - 1
	*dirty = d&^upTo | d<<1&upTo | write
	if old == line {
		*dirty |= d >> at & 1
		return n, filled
	}
	l.ops[n] = line << 1
	n++
	if old == noTag {
		filled++
	}
	if d>>at&1 != 0 {
		l.ops[n] = old<<1 | sent
		n++
	}
	return n, filled
}

// receive marks a line dirty that was sent here.
func (l *plainLevel) receive(line uint64) bool {
	ways, dirty := l.set(line)
	for i, tag := range ways {
		if tag == line {
			*dirty |= 1 << i
			return true
		}
	}
	return false
}

// readAhead reads the sets of a batch, so that the memory of all is under way before the first is needed.
func (l *plainLevel) readAhead(ops []uint64) {
	if len(l.tags) < readAheadFrom {
		return
	}
	sum := uint64(0)
	for _, op := range ops {
		ways, _ := l.set(op >> 1)
		for i := 0; i < len(ways); i += 8 {
			sum += ways[i]
		}
	}
	l.touched += sum
}

// Run simulates accesses of one thread, in order. A reference is twice the line, plus one for a write.
func (s *Simulator) Run(thread int, references []uint64) {
	if s.plain != nil {
		s.runPlain(references, 1, 1)
		return
	}
	if s.linked != nil {
		s.runLinked(references, 1, 1)
		return
	}
	for _, r := range references {
		s.Access(thread, r>>1, r&1 != 0)
	}
}

// Lines simulates reads of lines by thread 0.
func (s *Simulator) Lines(lines []uint64) { s.Addresses(lines, 1) }

// Addresses simulates reads of addresses by thread 0, with lines of a number of bytes that is a power of two.
func (s *Simulator) Addresses(addresses []uint64, line int64) {
	shift := uint8(bits.TrailingZeros64(uint64(line)))
	if s.plain != nil {
		s.runPlain(addresses, shift, 0)
		return
	}
	if s.linked != nil {
		s.runLinked(addresses, shift, 0)
		return
	}
	for _, a := range addresses {
		s.Access(0, a>>shift, false)
	}
}
