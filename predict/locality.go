package predict

import (
	"math/bits"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"foresee/application/trace"
	"foresee/model/reuse"
)

// localityOptions say what a locality measures.
type localityOptions struct {
	line            int64
	measure         string // "distance" or "interval"
	private, shared bool
	group           int                  // threads that share a "private" cache; 0: one
	shards          *reuse.ShardsOptions // nil: exact
	workers         int
}

// locality measures the reuse of a stream of events in one pass: of each thread's own accesses, of all in the order
// of the stream, or both; apart for each region, with what was used before it in mind.
type locality struct {
	options localityOptions
	shift   uint
	shared  *channel
	private []*channel
	current regionStacks
	pending int
	limit   int
}

// channel is what one cache would see. Its accesses are measured in pieces.
type channel struct {
	engine engine
	shards *reuse.Shards
	shift  uint
	lines  []uint64
	cuts   []cut
	region int
	last   uint64                   // the line before, plus one
	again  int64                    // uses of it in this region that are not among the lines: their distance is 0
	found  map[int]*reuse.Histogram // by region

	collapses bool // uses of the same line in succession are only counted
}

// cut ends a stretch of accesses in one region.
type cut struct{ region, end int }

// engine measures distances or intervals of lines.
type engine interface {
	Add(lines []uint64, h *reuse.Histogram)
	Lines() int64
}

// piece is how many accesses are gathered before they are measured. Chosen: 8 MiB of lines.
const piece = 1 << 20

// newLocality begins to measure accesses.
func newLocality(o localityOptions) *locality {
	if o.workers <= 0 {
		o.workers = runtime.GOMAXPROCS(0)
	}
	o.group = max(o.group, 1)
	l := &locality{options: o, shift: uint(bits.TrailingZeros64(uint64(o.line))), limit: piece}
	if o.shared {
		l.shared = l.newChannel(!o.private)
	}
	return l
}

// newChannel begins to measure one stream; alone says that there is no other one, so that several cores may work for it.
func (l *locality) newChannel(alone bool) *channel {
	c := &channel{shift: l.shift, found: map[int]*reuse.Histogram{}}
	switch {
	case l.options.shards != nil:
		c.shards = reuse.NewShards(1, *l.options.shards)
	case l.options.measure == "interval":
		c.engine = reuse.NewIntervals(1)
	case alone:
		c.engine = reuse.NewParallel(1, l.options.workers)
	default:
		c.engine = reuse.NewStack(1)
	}
	c.collapses = c.shards == nil && l.options.measure != "interval"
	return c
}

// add takes the next events.
func (l *locality) add(events []trace.Event) error {
	from := 0
	for i := range events {
		if events[i].Size > large {
			if err := l.some(events[from : i+1]); err != nil {
				return err
			}
			from = i + 1
		}
	}
	return l.some(events[from:])
}

// large is the size, in bytes, from which accesses are measured before many more like them are gathered: each is many lines. Chosen: 256 lines.
const large = 1 << 14

// some takes accesses that are not many more than are gathered at a time.
func (l *locality) some(events []trace.Event) error {
	if l.shared != nil && !l.options.private {
		l.addShared(events)
	} else {
		l.addEach(events)
	}
	if l.pending >= l.limit {
		return l.flush()
	}
	return nil
}

// addShared is add for one stream of all threads.
func (l *locality) addShared(events []trace.Event) {
	s, shift, thread := l.shared, l.shift, -1
	before := len(s.lines)
	for i := range events {
		e := &events[i]
		if e.Kind > trace.Write {
			l.current.mark(*e)
			thread = -1
			continue
		}
		if int(e.Thread) != thread {
			thread = int(e.Thread)
			s.in(l.current.of(e.Thread))
		}
		line, last := e.Address>>shift, (e.Address+uint64(e.Size)-1)>>shift
		for ; ; line++ {
			if s.last == line+1 {
				s.again++
			} else {
				s.lines = append(s.lines, line)
				if s.collapses {
					s.last = line + 1
				}
			}
			if line == last {
				break
			}
		}
	}
	l.pending += len(s.lines) - before
}

// addEach is add for streams of single threads, or of some, and that of all if it is wanted.
func (l *locality) addEach(events []trace.Event) {
	for i := range events {
		e := &events[i]
		if e.Kind > trace.Write {
			l.current.mark(*e)
			continue
		}
		region := l.current.of(e.Thread)
		first, last := e.Address>>l.shift, (e.Address+uint64(e.Size)-1)>>l.shift
		for line := first; ; line++ {
			if l.shared != nil {
				l.shared.append(line, region)
			}
			if l.options.private {
				l.thread(int(e.Thread)/l.options.group).append(line, region)
			}
			l.pending++
			if line == last {
				break
			}
		}
	}
}

// thread is the channel of a thread's own stream.
func (l *locality) thread(t int) *channel {
	for t >= len(l.private) {
		l.private = append(l.private, nil)
	}
	if l.private[t] == nil {
		l.private[t] = l.newChannel(false)
	}
	return l.private[t]
}

// append gathers an access; those that go on in the same line count without being gathered, where that is enough.
func (c *channel) append(line uint64, region int) {
	c.in(region)
	if c.last == line+1 {
		c.again++
		return
	}
	if c.collapses {
		c.last = line + 1
	}
	c.lines = append(c.lines, line)
}

// in says which region the next lines are of.
func (c *channel) in(region int) {
	if region != c.region {
		c.cut(region)
		c.last = 0
	}
}

// cut ends what was gathered of the present region and begins another one.
func (c *channel) cut(region int) {
	if c.again > 0 {
		c.histogram(c.region).Add(0, c.again)
		c.again = 0
	}
	c.cuts = append(c.cuts, cut{c.region, len(c.lines)})
	c.region = region
}

// flush measures what is gathered, channels side by side.
func (l *locality) flush() error {
	var group errgroup.Group
	group.SetLimit(l.options.workers)
	for _, c := range l.channels() {
		group.Go(func() error {
			c.measure()
			return nil
		})
	}
	group.Wait()
	l.pending = 0
	if p, ok := l.onlyParallel(); ok {
		l.limit = max(piece, p.Piece())
	}
	for _, c := range l.channels() {
		if c.engine != nil && c.engine.Lines() > reuse.MostLines-int64(l.limit) {
			return &LinesError{Most: reuse.MostLines}
		}
	}
	return nil
}

// onlyParallel is the engine of the shared stream, where several cores work for it.
func (l *locality) onlyParallel() (*reuse.Parallel, bool) {
	if l.shared == nil {
		return nil, false
	}
	p, ok := l.shared.engine.(*reuse.Parallel)
	return p, ok
}

// channels are all that measure, the shared one first.
func (l *locality) channels() []*channel {
	var all []*channel
	if l.shared != nil {
		all = append(all, l.shared)
	}
	for _, c := range l.private {
		if c != nil {
			all = append(all, c)
		}
	}
	return all
}

// measure measures what is gathered, region by region.
func (c *channel) measure() {
	c.cut(c.region)
	from := 0
	for _, k := range c.cuts {
		if k.end > from {
			c.count(c.lines[from:k.end], k.region)
		}
		from = k.end
	}
	c.lines, c.cuts = c.lines[:0], c.cuts[:0]
}

// count measures lines of a region.
func (c *channel) count(lines []uint64, region int) {
	if c.shards != nil {
		c.shards.Add(lines)
		return
	}
	c.engine.Add(lines, c.histogram(region))
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

// threads is the number of threads that were seen.
func (l *locality) threads() int { return max(1, len(l.current.inside)) }

// regionStacks say which region each thread is in.
type regionStacks struct {
	inside [][]int // by thread: the regions entered and not left; numbers are one more than those of the trace
}

// mark takes an event that is no access.
func (r *regionStacks) mark(e trace.Event) {
	switch e.Kind {
	case trace.Enter:
		r.of(e.Thread)
		r.inside[e.Thread] = append(r.inside[e.Thread], int(e.Address)+1)
	case trace.Leave:
		r.of(e.Thread)
		s := r.inside[e.Thread]
		for i := len(s) - 1; i >= 0; i-- { // the innermost of that name
			if s[i] == int(e.Address)+1 {
				r.inside[e.Thread] = slices.Delete(s, i, i+1)
				return
			}
		}
	}
}

// of is the region that a thread is in, 0 outside all. A thread that is in none of its own is in that of thread 0, which
// opens parallel regions for the others.
func (r *regionStacks) of(thread uint16) int {
	if int(thread) >= len(r.inside) {
		r.inside = append(r.inside, make([][]int, int(thread)+1-len(r.inside))...)
	}
	s := r.inside[thread]
	if len(s) == 0 {
		s = r.inside[0]
	}
	if len(s) == 0 {
		return 0
	}
	return s[len(s)-1]
}

// outside is the name of what is in no region.
const outside = "program"

// regionName is the name of a region of regionStacks.
func regionName(region int, names *trace.Names) string {
	if region == 0 {
		return outside
	}
	return names.Regions[region-1]
}
