package cache_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"foresee/model/cache"
)

func (c *naiveCache) find(x uint64) *naiveLine {
	set := c.sets[x%uint64(len(c.sets))]
	for i := range set {
		if set[i].held && set[i].line == x {
			return &set[i]
		}
	}
	for i := range c.victims {
		if c.victims[i].line == x {
			return &c.victims[i]
		}
	}
	return nil
}

func (c *naiveCache) inVictims(x uint64) bool {
	return slices.ContainsFunc(c.victims, func(v naiveLine) bool { return v.line == x })
}

// take removes x, wherever it is.
func (c *naiveCache) take(x uint64) naiveLine {
	l := c.find(x)
	taken := *l
	if c.inVictims(x) {
		c.victims = slices.DeleteFunc(c.victims, func(v naiveLine) bool { return v.line == x })
	} else {
		*l = naiveLine{}
	}
	return taken
}

// use makes x the most recently used; a line in the victim cache stays there.
func (n *naive) use(c *naiveCache, x uint64) {
	n.time++
	for i, v := range c.victims {
		if v.line == x {
			c.victims = append(slices.Delete(c.victims, i, i+1), v)
			return
		}
	}
	set := x % uint64(len(c.sets))
	for way := range c.sets[set] {
		if l := &c.sets[set][way]; l.held && l.line == x {
			l.used = n.time
			c.trees[set].use(way)
		}
	}
}

// choose is the way of its set that x is put into.
func (c *naiveCache) choose(x uint64) int {
	number := x % uint64(len(c.sets))
	set := c.sets[number]
	if i := slices.IndexFunc(set, func(l naiveLine) bool { return !l.held }); i >= 0 {
		return i
	}
	switch c.Replacement {
	case cache.PLRU:
		return c.trees[number].choose()
	case cache.Random:
		return c.rng.IntN(int(c.Ways))
	}
	age := func(l naiveLine) int {
		if c.Replacement == cache.FIFO {
			return l.put
		}
		return l.used
	}
	oldest := slices.MinFunc(set, func(a, b naiveLine) int { return cmp.Compare(age(a), age(b)) })
	return slices.Index(set, oldest)
}

// wanted are the lines to prefetch after a lookup of x.
func (c *naiveCache) wanted(x uint64, start bool, linesOfPage uint64) []uint64 {
	var lines []uint64
	switch c.Prefetcher {
	case cache.NextLine:
		for i := 1; start && i <= c.Degree; i++ {
			lines = append(lines, x+uint64(i))
		}
	case cache.Stride:
		page := x / linesOfPage
		e, known := c.strides[page%64]
		if !known || e.page != page {
			c.strides[page%64] = naiveStride{page: page, last: x}
			return nil
		}
		difference := int64(x) - int64(e.last)
		if x != e.last && difference == e.stride {
			for i := 1; i <= c.Degree; i++ {
				p := int64(x) + int64(i)*e.stride
				if p >= 0 && uint64(p)/linesOfPage == page {
					lines = append(lines, uint64(p))
				}
			}
		} else {
			e.stride = difference
		}
		e.last = x
		c.strides[page%64] = e
	}
	return lines
}

// naiveNode is a node of a PLRU tree; its leaves are the ways, and those past the last way are leaves that do not exist.
type naiveNode struct {
	first, past int
	replaceHigh bool
	low, high   *naiveNode
}

func newNaiveTree(ways int) *naiveNode {
	leaves := 1
	for leaves < ways {
		leaves *= 2
	}
	var build func(first, past int) *naiveNode
	build = func(first, past int) *naiveNode {
		if first >= ways {
			return nil
		}
		n := &naiveNode{first: first, past: past}
		if past-first > 1 {
			middle := (first + past) / 2
			n.low, n.high = build(first, middle), build(middle, past)
		}
		return n
	}
	return build(0, leaves)
}

func (n *naiveNode) use(way int) {
	switch {
	case n.past-n.first == 1:
	case way < (n.first+n.past)/2:
		n.replaceHigh = true
		n.low.use(way)
	default:
		n.replaceHigh = false
		n.high.use(way)
	}
}

func (n *naiveNode) choose() int {
	switch {
	case n.past-n.first == 1:
		return n.first
	case n.replaceHigh && n.high != nil:
		return n.high.choose()
	}
	return n.low.choose()
}

func (n *naive) String() string {
	var b strings.Builder
	line := func(l naiveLine) {
		if !l.held {
			b.WriteString(" -")
			return
		}
		fmt.Fprintf(&b, " %d", l.line)
		if l.dirty {
			b.WriteString("d")
		}
		if l.marked {
			b.WriteString("p")
		}
	}
	for level, instances := range n.caches {
		for _, c := range instances {
			fmt.Fprintf(&b, "level %d instance %d:", level, c.instance)
			for i, set := range c.sets {
				if !slices.ContainsFunc(set, func(l naiveLine) bool { return l.held }) {
					continue
				}
				fmt.Fprintf(&b, "\n  set %d:", i)
				for _, l := range set {
					line(l)
				}
			}
			if len(c.victims) > 0 {
				b.WriteString("\n  victims, the oldest first:")
				for _, l := range c.victims {
					line(l)
				}
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
