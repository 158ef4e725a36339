package predict

import (
	"foresee/model/reuse"
)

// channel is what one cache would see. Its accesses are gathered, and measured in pieces, from which on others are gathered already.
type channel struct {
	shift  uint
	lines  []uint64
	cuts   []cut
	region int
	last   uint64 // the line before, plus one
	again  int64  // uses of it in this region that are not among the lines: their distance is 0
	keeps  uint64 // all bits where uses of the same line in succession are only counted, else 0: last is never that of a line then
	spare  chan []uint64
	made   int // buffers

	// What follows belongs to whoever measures.
	engine engine
	shards *reuse.Shards
	found  map[int]*reuse.Histogram // by region
}

// cut ends a stretch of accesses in one region.
type cut struct {
	region, end int
	again       int64 // uses of the line before in succession, within it
}

// engine measures distances or intervals of lines.
type engine interface {
	Add(lines []uint64, h *reuse.Histogram)
	Lines() int64
}

// gathered is lines of a channel that are to be measured.
type gathered struct {
	*channel
	lines []uint64
	cuts  []cut
}

// newChannel begins to measure one stream; alone says that there is no other one, so that several cores may work for it.
func (l *locality) newChannel(alone bool) *channel {
	c := &channel{shift: l.shift, found: map[int]*reuse.Histogram{}}
	others := 1 // buffers, besides the one that is filled
	switch {
	case l.options.shards != nil:
		c.shards = reuse.NewShards(1, *l.options.shards)
	case l.options.measure == "interval":
		c.engine = reuse.NewIntervals(1)
	case alone && l.options.workers >= manyWorkers:
		l.parallel = reuse.NewParallel(1, min(l.options.workers, mostParts))
		c.engine = l.parallel
		others = l.parallel.Workers()
	case alone && l.options.workers > 1:
		c.engine = reuse.NewPaired(1)
	default:
		c.engine = reuse.NewStack(1)
	}
	if c.shards == nil && l.options.measure != "interval" {
		c.keeps = ^uint64(0)
	}
	c.spare = make(chan []uint64, others)
	return c
}

// add gathers the lines of an access; those that go on in the same line count without being gathered, where that is enough.
func (c *channel) add(line, end uint64, region int) {
	c.in(region)
	for ; ; line++ {
		if c.last == line+1 {
			c.again++
		} else {
			c.lines = append(c.lines, line)
			c.last = (line + 1) & c.keeps
		}
		if line == end {
			return
		}
	}
}

// in says which region the next lines are of.
func (c *channel) in(region int) {
	if region != c.region {
		c.cut()
		c.region, c.last = region, 0
	}
}

// cut ends what was gathered of the present region.
func (c *channel) cut() {
	c.cuts = append(c.cuts, cut{c.region, len(c.lines), c.again})
	c.again = 0
}

// take gives what is gathered away, and goes on in other memory, which has room for so many lines. It waits for what is measured to give its
// memory back.
func (c *channel) take(room int) gathered {
	c.cut()
	g := gathered{c, c.lines, c.cuts}
	c.cuts = nil
	switch {
	case len(c.spare) == 0 && c.made < cap(c.spare):
		c.made++
		c.lines = nil
	default:
		c.lines = (<-c.spare)[:0]
	}
	if cap(c.lines) < room {
		c.lines = make([]uint64, 0, room)
	}
	return g
}

// measure measures what was gathered, region by region.
func (g gathered) measure() {
	from := 0
	for _, s := range g.stretches() {
		if g.shards != nil {
			g.shards.Add(g.lines[from:s.End])
		} else {
			g.engine.Add(g.lines[from:s.End], s.Histogram)
		}
		from = s.End
	}
	g.spare <- g.lines
}

// stretches are those of its regions; uses in succession, which were only counted, are told of there.
func (g gathered) stretches() []reuse.Stretch {
	var out []reuse.Stretch
	from := 0
	for _, k := range g.cuts {
		if k.again > 0 {
			g.histogram(k.region).Add(0, k.again)
		}
		if k.end == from {
			continue
		}
		from = k.end
		s := reuse.Stretch{End: k.end}
		if g.channel.shards == nil {
			s.Histogram = g.histogram(k.region)
		}
		out = append(out, s)
	}
	return out
}

// histogram is that of a region.
func (c *channel) histogram(region int) *reuse.Histogram {
	h := c.found[region]
	if h == nil {
		h = reuse.NewHistogram(reuse.Fine)
		c.found[region] = h
	}
	return h
}

// AddRun implements recording.Taker.
func (c *channel) AddRun(from, stride []uint64, sizes []uint32, times int) {
	if c.shards != nil {
		c.shards.AddRun(from, stride, sizes, times)
		return
	}
	shift, last, again, lines := c.shift&63, c.last, c.again, c.lines
	stride, sizes = stride[:len(from)], sizes[:len(from)]
	for j := range uint64(times) {
		for i, a := range from {
			a += (j + 1) * stride[i]
			line, end := a>>shift, (a+uint64(sizes[i])-1)>>shift
			if line+1 == last {
				again++
			} else {
				lines = append(lines, line)
				last = line + 1
			}
			for line != end { // it straddles
				line++
				lines = append(lines, line)
				last = line + 1
			}
		}
	}
	c.last, c.again, c.lines = last, again, lines
}
