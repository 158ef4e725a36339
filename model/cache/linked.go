package cache

// Linked hierarchies – LRU or tree-PLRU, writing back, one thread, and with inclusive levels or an exclusive last one – have levels that take lines from one another,
// so that they cannot be simulated one after another as plain ones are. Here an access is looked up and put in by one pass over a set of each level
// that it comes to, before what leaves for it is dealt with, from the outermost level inwards. That counts the same as the steps of the package
// documentation: a line that an inclusive level loses, and that a level further in loses with it, leaves that level a way which the line that is put
// in takes; so where this was in the same set, what left for it comes back. Only one thread's caches allow for that: others would see the line too early.

// linkedLevel is one level; the copies are those of its only instance.
type linkedLevel struct {
	*instance
	inclusive, exclusive bool
	counts               *LevelCounts
	advance              func(line uint64) (old entry, found bool) // puts a line first in its set; old is what it was there, or what left for it
	tree                 *treeSets                                 // of tree-PLRU; nil of LRU
	old                  entry                                     // what left for the line that is looked up, or empty
}

// linked is the levels of a linked hierarchy.
type linked struct {
	levels  []linkedLevel
	first   firstLinked
	far     []int  // levels whose sets are read ahead where most references come to them
	missed  int    // references of the batch before that missed the first level
	served  int    // the level that served the last miss of the first one
	touched uint64 // keeps the reads that warm the caches
}

// linkedBatch is how many references are read ahead at once. Chosen: their sets stay in a first or second level.
const linkedBatch = 256

// newLinked gives nil where the hierarchy is none.
func (s *Simulator) newLinked() *linked {
	if s.hierarchy.Threads > 1 || s.hierarchy.Classify {
		return nil
	}
	k := &linked{}
	for j := range s.levels {
		l := &s.levels[j]
		if l.Replacement != LRU && (l.Replacement != PLRU || l.Ways > mostTreeWays) || l.WriteThrough || l.NoWriteAllocate || l.VictimLines > 0 || l.Prefetcher != NoPrefetch ||
			j > 0 && j < len(s.levels)-1 && l.Inclusion == Exclusive {
			return nil
		}
		var tree *treeSets
		first, advance := linkedSets(l.instances[0])
		if l.Replacement == PLRU {
			tree = newTreeSets(l.instances[0])
			first, advance = tree.first, tree.advance
		}
		if j == 0 {
			k.first = first
		}
		k.levels = append(k.levels, linkedLevel{
			instance: l.instances[0], inclusive: l.Inclusion == Inclusive, exclusive: j > 0 && l.Inclusion == Exclusive, counts: &l.counts, advance: advance, tree: tree, old: empty,
		})
		if j > 0 && l.Lines >= readAheadFrom {
			k.far = append(k.far, j)
		}
	}
	return k
}

// runLinked simulates references: lines shifted left, with a bit that is set for writes.
func (s *Simulator) runLinked(references []uint64, shift uint8, writes uint64) {
	for len(references) > 0 {
		b := references[:min(linkedBatch, len(references))]
		references = references[len(b):]
		if 2*s.linked.missed > len(b) {
			s.linked.readAhead(b, shift)
		}
		s.linked.missed = s.linked.first(s, b, shift, writes)
		s.levels[0].counts.Accesses += int64(len(b))
	}
}

// accessLinked simulates one access and gives the level that served it.
func (s *Simulator) accessLinked(line uint64, write bool) int {
	s.single[0] = line << 1
	if write {
		s.single[0]++
	}
	s.levels[0].counts.Accesses++
	if s.linked.first(s, s.single[:], 1, 1) == 0 {
		return 0
	}
	return s.linked.served
}

// missLinked brings a line in that the first level did not hold, and has put in for old.
func (s *Simulator) missLinked(line uint64, old entry) {
	levels := s.linked.levels
	levels[0].counts.Misses++
	levels[0].old = old
	h := 1
	for ; h < len(levels); h++ {
		l := &levels[h]
		l.counts.Accesses++
		if l.exclusive {
			if e := l.remove(line); e != empty {
				levels[h-1].mark(line, e&dirty)
				break
			}
		} else {
			o, found := l.advance(line)
			if found {
				break
			}
			l.old = o
		}
		l.counts.Misses++
	}
	s.linked.served = h
	if h == len(levels) {
		s.memoryReads++
	}
	for j := min(h, len(levels)) - 1; j >= 0; j-- {
		if o := levels[j].old; o != empty {
			levels[j].old = empty
			s.leaveLinked(o, j, line)
		}
	}
}

// leaveLinked deals with a line that level j lost to another one.
func (s *Simulator) leaveLinked(e entry, j int, to uint64) {
	levels := s.linked.levels
	l := &levels[j]
	l.counts.Evictions++
	if l.inclusive {
		for k := range levels[:j] {
			e |= levels[k].lose(e.line(), to) & dirty
		}
	}
	if e&dirty != 0 {
		l.counts.WriteBacks++
	}
	switch next := j + 1; {
	case next < len(levels) && levels[next].exclusive:
		s.moveOutLinked(e &^ owned)
	case e&dirty != 0:
		s.send(e.line(), j, 0)
	}
}

// lose takes a line out that a level further out has lost to another one. That finds the way free, where it is in the same set, and what it put out
// comes back. It gives what is known of the copy.
func (l *linkedLevel) lose(line, to uint64) entry {
	if l.old != empty && l.old.line() == line {
		e := l.old
		l.old = empty
		l.counts.BackInvalidations++
		return e
	}
	ways, set := l.set(line)
	key := entryOf(line)
	for i, e := range ways {
		if !e.is(key) {
			continue
		}
		same := l.numberOf(to) == set
		if l.tree != nil {
			if l.tree.gone(ways, set, i, same, l.old) {
				l.old = empty
			}
		} else {
			copy(ways[i:], ways[i+1:])
			ways[len(ways)-1] = empty
			if l.old != empty && same {
				ways[len(ways)-1], l.old = l.old, empty
			}
		}
		l.counts.BackInvalidations++
		return e
	}
	return 0
}

// mark adds flags to a line that was put in.
func (l *linkedLevel) mark(line uint64, flags entry) {
	if flags != 0 {
		*l.at(line) |= flags
	}
}

// moveOutLinked puts a line that left the level before into the last level, which is exclusive.
func (s *Simulator) moveOutLinked(e entry) {
	l := &s.linked.levels[len(s.linked.levels)-1]
	old, found := l.advance(e.line())
	l.mark(e.line(), e&dirty)
	if found || old == empty {
		return
	}
	l.counts.Evictions++
	if old&dirty != 0 {
		l.counts.WriteBacks++
		s.memoryWrites++
	}
}

// readAhead reads the sets of a batch at levels with many, so that the memory of all is under way before the first is needed; at an exclusive level
// those also of lines that the level before is to lose.
func (k *linked) readAhead(b []uint64, shift uint8) {
	sum := uint64(0)
	for _, j := range k.far {
		l := &k.levels[j]
		for _, r := range b {
			line := r >> (shift & 63)
			sum += l.touch(line)
			if l.exclusive {
				before, _ := k.levels[j-1].set(line)
				sum += l.touch(before[len(before)-1].line())
			}
		}
	}
	k.touched += sum
}

// touch reads the lines of memory that a set is in.
func (l *linkedLevel) touch(line uint64) (sum uint64) {
	ways, _ := l.set(line)
	for i := 0; i < len(ways); i += 8 {
		sum += uint64(ways[i])
	}
	return sum
}
