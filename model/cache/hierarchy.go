package cache

import "fmt"

// Replacement is the policy that chooses the line to replace.
type Replacement uint8

// Replacement policies.
const (
	LRU    Replacement = iota // the least recently used line
	FIFO                      // the line put in first
	PLRU                      // tree-PLRU: a bit for each half of the ways says which was used longer ago
	Random                    // any line
)

// Inclusion says how the lines of a level relate to those of the levels further in.
type Inclusion uint8

// Inclusions.
const (
	NonInclusive Inclusion = iota // filled on a miss, evicts on its own
	Inclusive                     // what it evicts, the levels further in lose
	Exclusive                     // filled by what the level before it evicts
)

// Prefetcher chooses the lines that a level fetches before they are asked for.
type Prefetcher uint8

// Prefetchers.
const (
	NoPrefetch Prefetcher = iota
	NextLine              // the lines after one that missed
	Stride                // the lines that a walk through a page with a constant stride comes to next
)

// Level is one level of a hierarchy; the geometry is that of one instance.
type Level struct {
	Name string
	Geometry
	SharedBy        int // threads that one instance serves; 0 means 1
	Replacement     Replacement
	Inclusion       Inclusion
	WriteThrough    bool // else it writes back
	NoWriteAllocate bool // a write that misses does not fill it
	VictimLines     int  // of the fully associative LRU victim cache beside each instance; 0: none
	Prefetcher      Prefetcher
	Degree          int // lines that a prefetch takes; 0 means 1
}

// Hierarchy is what Simulator simulates.
type Hierarchy struct {
	Threads   int     // 0 means 1
	LineBytes int64   // for the pages of stride prefetching; 0 means 64
	Levels    []Level // innermost first
	Seed      uint64  // of random replacement
	Classify  bool    // tell misses apart by cause; costs a reuse distance analysis for each instance
}

// LevelCounts count what happened at all instances of a level, as the package documentation defines it.
type LevelCounts struct {
	Accesses, Misses                          int64
	Evictions, WriteBacks                     int64
	Invalidations, BackInvalidations          int64
	VictimHits, ForwardedHits                 int64
	Prefetches, UsefulPrefetches              int64
	Compulsory, Capacity, Conflict, Coherence int64 // with Hierarchy.Classify; their sum is Misses
}

// Counts are the result of a simulation.
type Counts struct {
	Levels       []LevelCounts
	MemoryReads  int64 // lines
	MemoryWrites int64 // lines
}

// withDefaults fills in what may be left 0.
func (h Hierarchy) withDefaults() Hierarchy {
	h.Threads = max(h.Threads, 1)
	if h.LineBytes == 0 {
		h.LineBytes = 64
	}
	levels := append([]Level{}, h.Levels...)
	for i := range levels {
		levels[i].SharedBy = max(levels[i].SharedBy, 1)
		levels[i].Degree = max(levels[i].Degree, 1)
	}
	h.Levels = levels
	return h
}

// Validate reports an impossible hierarchy.
func (h Hierarchy) Validate() error {
	if len(h.Levels) == 0 {
		return fmt.Errorf("a machine without cache levels has nothing to simulate")
	}
	h = h.withDefaults()
	if h.LineBytes < 16 || h.LineBytes > 4096 || h.LineBytes&(h.LineBytes-1) != 0 {
		return fmt.Errorf("a line of %d bytes: simulation takes powers of two from 16 to 4096", h.LineBytes)
	}
	for i, l := range h.Levels {
		if err := l.validate(); err != nil {
			return fmt.Errorf("%s: %w", l.name(i), err)
		}
		if i == 0 {
			continue
		}
		before := h.Levels[i-1]
		if l.SharedBy%before.SharedBy != 0 && l.SharedBy < h.Threads {
			return fmt.Errorf("%s, shared by %d threads, splits the threads of a %s, shared by %d", l.name(i), l.SharedBy, before.name(i-1), before.SharedBy)
		}
		if l.Inclusion == Inclusive && l.NoWriteAllocate {
			for k, inner := range h.Levels[:i] {
				if !inner.NoWriteAllocate {
					return fmt.Errorf("%s is inclusive and does not allocate on writes, but %s does: a written line would be in %s alone", l.name(i), inner.name(k), inner.name(k))
				}
			}
		}
	}
	return h.fits()
}

// mostTags is how many lines the caches of a simulation may hold together, those of all threads: half a gigabyte of tags, and 4 GiB of
// caches with lines of 64 bytes, more than processors have.
const mostTags = 1 << 26

// fits refuses caches whose tags would not fit into memory, and says which has most.
func (h Hierarchy) fits() error {
	total, most, largest := 0.0, 0.0, 0
	for i, l := range h.Levels {
		copies := (h.Threads + l.SharedBy - 1) / l.SharedBy
		tags := float64(l.Lines) * float64(copies)
		if total += tags; tags > most {
			most, largest = tags, i
		}
	}
	if total > mostTags {
		l := h.Levels[largest]
		return fmt.Errorf("%s of %d lines, once for every %d of %d threads: a simulation holds up to %d lines of all caches together", l.name(largest), l.Lines, l.SharedBy, h.Threads, mostTags)
	}
	return nil
}

// validate reports an impossible level, or one larger than any: ways and victims of 2^16 and prefetches of 256 lines are more than caches have.
func (l Level) validate() error {
	if err := l.Geometry.Validate(); err != nil {
		return err
	}
	if l.Lines%l.Ways != 0 {
		return fmt.Errorf("%d lines do not fill sets of %d ways", l.Lines, l.Ways)
	}
	if l.Ways > 1<<16 {
		return fmt.Errorf("%d ways are more than the 65536 that can be simulated", l.Ways)
	}
	if l.VictimLines < 0 || l.VictimLines > 1<<16 {
		return fmt.Errorf("a victim cache of %d lines; 0 to 65536 can be simulated", l.VictimLines)
	}
	if l.Degree < 0 || l.Degree > 256 {
		return fmt.Errorf("prefetches of %d lines; 1 to 256 can be simulated", l.Degree)
	}
	return nil
}

func (l Level) name(i int) string {
	if l.Name != "" {
		return l.Name
	}
	return fmt.Sprintf("level %d", i+1)
}

// Add adds what was counted between two times.
func (c *Counts) Add(now, before Counts) {
	if c.Levels == nil {
		c.Levels = make([]LevelCounts, len(now.Levels))
	}
	for j := range c.Levels {
		c.Levels[j].add(&now.Levels[j], 1)
		c.Levels[j].add(&before.Levels[j], -1)
	}
	c.MemoryReads += now.MemoryReads - before.MemoryReads
	c.MemoryWrites += now.MemoryWrites - before.MemoryWrites
}

func (l *LevelCounts) add(o *LevelCounts, sign int64) {
	for i, field := range o.fields() {
		*l.fields()[i] += sign * *field
	}
}

func (l *LevelCounts) fields() []*int64 {
	return []*int64{
		&l.Accesses, &l.Misses, &l.Evictions, &l.WriteBacks, &l.Invalidations, &l.BackInvalidations, &l.VictimHits, &l.ForwardedHits,
		&l.Prefetches, &l.UsefulPrefetches, &l.Compulsory, &l.Capacity, &l.Conflict, &l.Coherence,
	}
}
