package cache_test

import (
	"math/rand/v2"
	"slices"

	"foresee/model/cache"
)

// naive is a second simulator, written from the rules in doc.go alone and as plainly as can be: the oracle.
type naive struct {
	h      cache.Hierarchy
	caches [][]*naiveCache // by level and instance
	totals cache.Counts
	time   int
}

// naiveCache is one instance of a level.
type naiveCache struct {
	cache.Level
	level, instance int
	sets            [][]naiveLine
	trees           []*naiveNode
	victims         []naiveLine // least recently used first
	rng             *rand.Rand
	strides         map[uint64]naiveStride // by page modulo 64
	stack           []uint64               // lines looked up, the latest first
	lost            map[uint64]bool        // to another thread's write, and not back yet
}

type naiveLine struct {
	line                uint64
	held, dirty, marked bool
	put, used           int // when
}

type naiveStride struct {
	page, last uint64
	stride     int64
}

func newNaive(h cache.Hierarchy) *naive {
	h.Threads = max(h.Threads, 1)
	if h.LineBytes == 0 {
		h.LineBytes = 64
	}
	n := &naive{h: h, totals: cache.Counts{Levels: make([]cache.LevelCounts, len(h.Levels))}}
	n.h.Levels = slices.Clone(h.Levels)
	for i := range n.h.Levels {
		l := &n.h.Levels[i]
		l.SharedBy, l.Degree = max(l.SharedBy, 1), max(l.Degree, 1)
		var instances []*naiveCache
		for k := 0; k*l.SharedBy < h.Threads; k++ {
			c := &naiveCache{
				Level: *l, level: i, instance: k,
				rng:     rand.New(rand.NewPCG(h.Seed, uint64(i)*(1<<32)+uint64(k))),
				strides: map[uint64]naiveStride{},
				lost:    map[uint64]bool{},
			}
			for range l.Lines / l.Ways {
				c.sets = append(c.sets, make([]naiveLine, l.Ways))
				c.trees = append(c.trees, newNaiveTree(int(l.Ways)))
			}
			instances = append(instances, c)
		}
		n.caches = append(n.caches, instances)
	}
	return n
}

func (n *naive) counts() cache.Counts { return n.totals }

func (n *naive) of(c *naiveCache) *cache.LevelCounts { return &n.totals.Levels[c.level] }

func (n *naive) serving(level, thread int) *naiveCache {
	return n.caches[level][thread/n.h.Levels[level].SharedBy]
}

func (n *naive) access(thread int, x uint64, write bool) int {
	served := len(n.caches)
	var starts []bool // by level looked up: a next-line prefetcher would start
	for level := range n.caches {
		hit, marked := n.lookup(n.serving(level, thread), thread, x)
		starts = append(starts, !hit || marked)
		if hit {
			served = level
			break
		}
	}
	if served == len(n.caches) {
		n.totals.MemoryReads++
	}
	n.cohere(thread, x, write, served)
	n.fill(thread, x, served, 0, write)
	if write {
		n.store(thread, x)
	}
	for level, start := range starts {
		for _, p := range n.serving(level, thread).wanted(x, start, uint64(4096/n.h.LineBytes)) {
			n.prefetch(level, thread, p)
		}
	}
	return served
}

// lookup is step 1 at one level.
func (n *naive) lookup(c *naiveCache, thread int, x uint64) (hit, marked bool) {
	counts := n.of(c)
	counts.Accesses++
	distance := slices.Index(c.stack, x)
	if distance >= 0 {
		c.stack = slices.Delete(c.stack, distance, distance+1)
	}
	c.stack = slices.Insert(c.stack, 0, x)

	l := c.find(x)
	if l == nil && n.forwarded(c, thread, x) {
		counts.ForwardedHits++
		return true, false
	}
	if l == nil {
		counts.Misses++
		if n.h.Classify {
			switch {
			case distance < 0:
				counts.Compulsory++
			case c.lost[x]:
				counts.Coherence++
			case distance >= int(c.Lines)+c.VictimLines:
				counts.Capacity++
			default:
				counts.Conflict++
			}
		}
		return false, false
	}
	if marked = l.marked; marked {
		counts.UsefulPrefetches++
		l.marked = false
	}
	if c.inVictims(x) {
		counts.VictimHits++
		n.put(c, c.take(x))
	} else {
		n.use(c, x)
	}
	return true, marked
}

// forwarded says whether caches inside an exclusive one, of its other threads, hold x.
func (n *naive) forwarded(c *naiveCache, thread int, x uint64) bool {
	if c.Inclusion != cache.Exclusive {
		return false
	}
	for level := range c.level {
		for other := c.instance * c.SharedBy; other < min((c.instance+1)*c.SharedBy, max(n.h.Threads, 1)); other++ {
			if inner := n.serving(level, other); inner != n.serving(level, thread) && inner.find(x) != nil {
				return true
			}
		}
	}
	return false
}

// cohere is step 2.
func (n *naive) cohere(thread int, x uint64, write bool, served int) {
	for level, instances := range n.caches {
		for _, c := range instances {
			l := c.find(x)
			if c == n.serving(level, thread) || l == nil {
				continue
			}
			dirty := l.dirty
			if write {
				c.take(x)
				c.lost[x] = true
				n.of(c).Invalidations++
			} else if served > 0 {
				l.dirty = false
			}
			if dirty && (write || served > 0) {
				n.of(c).WriteBacks++
				n.send(c, x)
			}
		}
	}
}

// fill is step 3, inwards to a level that is 0 but for prefetches.
func (n *naive) fill(thread int, x uint64, served, innermost int, write bool) {
	var filled []*naiveCache
	for level := served - 1; level >= innermost; level-- {
		c := n.serving(level, thread)
		if level > innermost && c.Inclusion == cache.Exclusive || write && c.NoWriteAllocate {
			continue
		}
		filled = append(filled, c)
	}
	var heir *naiveCache
	if len(filled) > 0 && served < len(n.caches) && n.h.Levels[served].Inclusion == cache.Exclusive {
		from := n.serving(served, thread)
		if from.find(x) != nil && from.take(x).dirty {
			for _, c := range filled {
				if heir == nil && !c.WriteThrough {
					heir = c
				}
			}
			if heir == nil {
				n.send(from, x)
			}
		}
	}
	for _, c := range filled {
		n.put(c, naiveLine{line: x, dirty: c == heir})
	}
}

// store is step 4.
func (n *naive) store(thread int, x uint64) {
	for level := range n.caches {
		c := n.serving(level, thread)
		if l := c.find(x); l != nil {
			if c.WriteThrough {
				n.send(c, x)
			} else {
				l.dirty = true
			}
			return
		}
	}
	n.totals.MemoryWrites++
}

func (n *naive) prefetch(level, thread int, p uint64) {
	c := n.serving(level, thread)
	if c.find(p) != nil {
		return
	}
	n.of(c).Prefetches++
	found := level + 1
	for found < len(n.caches) && n.serving(found, thread).find(p) == nil && !n.forwarded(n.serving(found, thread), thread, p) {
		found++
	}
	if found == len(n.caches) {
		n.totals.MemoryReads++
	}
	n.cohere(thread, p, false, found)
	n.fill(thread, p, found, level, false)
	c.find(p).marked = true
}

func (n *naive) put(c *naiveCache, l naiveLine) {
	n.time++
	l.held, l.put = true, n.time
	set := c.sets[l.line%uint64(len(c.sets))]
	way := c.choose(l.line)
	v := set[way]
	set[way] = l
	n.use(c, l.line)
	delete(c.lost, l.line)
	if !v.held {
		return
	}
	if c.VictimLines > 0 {
		c.victims = append(c.victims, v)
		if len(c.victims) <= c.VictimLines {
			return
		}
		v = c.victims[0]
		c.victims = slices.Delete(c.victims, 0, 1)
	}
	n.leave(c, v)
}

func (n *naive) leave(c *naiveCache, v naiveLine) {
	n.of(c).Evictions++
	first := c.instance * c.SharedBy
	if c.Inclusion == cache.Inclusive {
		for _, instances := range n.caches[:c.level] {
			for _, inner := range instances {
				if t := inner.instance * inner.SharedBy; first <= t && t < first+c.SharedBy && inner.find(v.line) != nil {
					v.dirty = inner.take(v.line).dirty || v.dirty
					n.of(inner).BackInvalidations++
				}
			}
		}
	}
	if v.dirty {
		n.of(c).WriteBacks++
	}
	if c.level+1 == len(n.caches) || n.h.Levels[c.level+1].Inclusion != cache.Exclusive {
		if v.dirty {
			n.send(c, v.line)
		}
		return
	}
	next := n.serving(c.level+1, first)
	if l := next.find(v.line); l != nil {
		l.dirty = l.dirty || v.dirty
		n.use(next, v.line)
		return
	}
	n.put(next, naiveLine{line: v.line, dirty: v.dirty})
}

func (n *naive) send(from *naiveCache, x uint64) {
	for level := from.level + 1; level < len(n.caches); level++ {
		c := n.serving(level, from.instance*from.SharedBy)
		if l := c.find(x); l != nil && !c.WriteThrough {
			l.dirty = true
			return
		}
	}
	n.totals.MemoryWrites++
}
