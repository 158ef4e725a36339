package predict

import (
	"cmp"
	"context"
	"math/bits"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"foresee/application"
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
// of the stream, or both; apart for each region, with what was used before it in mind. Where there are several workers, a piece of the stream is
// measured while the next one is taken.
type locality struct {
	options  localityOptions
	shift    uint
	shared   *channel
	private  []*channel
	parallel *reuse.Parallel // of the shared channel, where several cores work for it
	current  regionStacks
	pending  int // lines that are gathered
	limit    int // of these, from which on they are measured
	parts    []gathered
	measured chan error // of the piece that is being measured; nil: none
}

// How many accesses are gathered before they are measured. Chosen: with one worker half a first level of a cache and half a second one again;
// with several 1 MiB for one stream, so that handing them on costs nothing, and 2 MiB for many. A sample of the lines begins to be thinned out by how
// many accesses it was given, and so always has as many at a time.
const (
	pieceAlone   = 1 << 14
	pieceOne     = 1 << 17
	pieceMany    = 1 << 18
	pieceSampled = 1 << 20
)

// newLocality begins to measure accesses.
func newLocality(o localityOptions) *locality {
	if o.workers <= 0 {
		o.workers = runtime.GOMAXPROCS(0)
	}
	o.group = max(o.group, 1)
	l := &locality{options: o, shift: uint(bits.TrailingZeros64(uint64(o.line)))}
	if o.shared {
		l.shared = l.newChannel(!o.private)
	}
	l.limit = l.room()
	if o.shared && !o.private {
		l.shared.lines = make([]uint64, 0, l.roomOf(l.shared))
	}
	return l
}

const (
	// manyWorkers is how many workers measure parts of one stream side by side at least. Chosen: fewer, who also read it and gather its lines, do more
	// by dividing the steps of each access, as no line is then looked up twice.
	manyWorkers = 4
	// mostParts is how many workers measure one stream at most. Chosen: what they find is put together one after another, so that more are of little use.
	mostParts = 16
)

// roomOf is the room for lines that a channel's next piece begins with: that of a piece, the longest there may be, and what the last events may add,
// where it is the only one; else what it took before. What is not used of it takes no memory.
func (l *locality) roomOf(c *channel) int {
	switch {
	case l.options.private:
		return len(c.lines)
	case l.parallel != nil:
		return reuse.MostPart + 2*eventBatch
	}
	return l.limit + 2*eventBatch
}

// room is how many lines are to be gathered for a piece, or a part of it that one worker measures.
func (l *locality) room() int {
	switch {
	case l.options.shards != nil:
		return pieceSampled
	case l.options.workers == 1:
		return pieceAlone
	case l.parallel != nil:
		return l.parallel.Part()
	case l.options.private:
		return pieceMany
	}
	return pieceOne
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
	s, shift, thread := l.shared, l.shift&63, -1
	before := len(s.lines)
	last, again, lines, keeps := s.last, s.again, s.lines, s.keeps
	for i := range events {
		e := &events[i]
		if e.Kind > trace.Write {
			l.current.mark(*e)
			thread = -1
			continue
		}
		if int(e.Thread) != thread {
			thread = int(e.Thread)
			s.last, s.again, s.lines = last, again, lines
			s.in(l.current.of(e.Thread))
			last, again = s.last, s.again
		}
		line, end := e.Address>>shift, (e.Address+uint64(e.Size)-1)>>shift
		if line+1 == last {
			again++
		} else {
			lines = append(lines, line)
			last = (line + 1) & keeps
		}
		for line != end { // it straddles
			line++
			lines = append(lines, line)
			last = (line + 1) & keeps
		}
	}
	s.last, s.again, s.lines = last, again, lines
	l.pending += len(s.lines) - before
}

// addEach is add for streams of single threads, or of some, and that of all if it is wanted.
func (l *locality) addEach(events []trace.Event) {
	for i := range events {
		e := &events[i]
		if e.Kind == trace.Repeat {
			l.repeat(e.Thread, int64(e.Address))
			continue
		}
		if e.Kind > trace.Write {
			l.current.mark(*e)
			continue
		}
		region := l.current.of(e.Thread)
		line, end := e.Address>>l.shift, (e.Address+uint64(e.Size)-1)>>l.shift
		if l.shared != nil {
			l.shared.add(line, end, region)
		}
		if l.options.private {
			l.thread(int(e.Thread)/l.options.group).add(line, end, region)
		}
		l.pending += int(end-line) + 1
	}
}

// repeat counts accesses to what was used just before.
func (l *locality) repeat(thread uint16, n int64) {
	region := l.current.of(thread)
	for _, c := range []*channel{l.shared, l.thread(int(thread) / l.options.group)} {
		if c != nil {
			c.in(region)
			c.again += n
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

// flush has what is gathered measured: at once with one worker, else while more is gathered.
func (l *locality) flush() error {
	for _, c := range l.channels() {
		l.parts = append(l.parts, c.take(l.roomOf(c)))
	}
	l.pending = 0
	if l.parallel != nil && len(l.parts) < l.parallel.Workers() {
		return nil
	}
	return l.hand()
}

// hand has the parts measured, once those before them are.
func (l *locality) hand() error {
	if err := l.wait(); err != nil {
		return err
	}
	parts := l.parts
	l.parts = nil
	if l.options.workers == 1 {
		return l.measure(parts)
	}
	l.measured = make(chan error, 1)
	go func() { l.measured <- l.measure(parts) }()
	return nil
}

// wait waits for what is being measured.
func (l *locality) wait() (err error) {
	if l.measured != nil {
		err, l.measured = <-l.measured, nil
		l.limit = l.room()
	}
	return err
}

// finish measures what is left.
func (l *locality) finish() error {
	return cmp.Or(l.flush(), l.hand(), l.wait())
}

// measure measures parts: channels side by side, or consecutive ones of the only channel.
func (l *locality) measure(parts []gathered) error {
	if l.parallel != nil {
		all := make([]reuse.Part, len(parts))
		for i, g := range parts {
			all[i] = reuse.Part{Addresses: g.lines, Stretches: g.stretches()}
		}
		l.parallel.AddParts(all, func(lines []uint64) { l.shared.spare <- lines })
		return l.tooMany(l.shared)
	}
	var group errgroup.Group
	group.SetLimit(l.options.workers)
	for _, g := range parts {
		group.Go(func() error {
			g.measure()
			return l.tooMany(g.channel)
		})
	}
	return group.Wait()
}

// mostGathered is how many lines one part may add, at most. Chosen: more than the largest parts have.
const mostGathered = 1 << 23

// tooMany says when a channel has hardly room for more distinct lines.
func (l *locality) tooMany(c *channel) error {
	if c.engine != nil && c.engine.Lines() > reuse.MostLines-(mostParts+1)*mostGathered {
		return &LinesError{Most: reuse.MostLines}
	}
	return nil
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

// observed measures the locality of accesses that were made.
func (j *job) observed(s application.Streams, threads []int, scopes []string, line int64) ([]*finding, error) {
	switch j.method {
	case MethodExact, MethodShards, "":
	default:
		return nil, &MethodError{j.method}
	}
	found := make([][]*finding, max(len(threads), 1))
	notes := make([][]string, len(found))
	apart := false // of regions
	err := s.Each(j.ctx, j.options.dealing(), threads, func(ctx context.Context, i int, t application.Team, workers int) error {
		o := j.localityOptions(scopes, line)
		if workers > 0 {
			o.workers = workers
		}
		l := newLocality(o)
		said := 0
		if i < len(threads) {
			said = threads[i]
		}
		err := l.take(ctx, t, said)
		notes[i] = t.Notes()
		found[i] = l.findings(t.Names())
		apart = apart || t.Ran() != nil || len(t.Names().Regions) > 0
		for _, f := range found[i] {
			f.model, f.interleave = t.Mixed()
			f.threads = cmp.Or(said, f.threads)
		}
		return err
	})
	if j.method == MethodShards && apart {
		j.warn("shards: a sample of the lines does not tell regions apart; this is of all accesses")
	}
	for _, w := range slices.Concat(notes...) {
		j.warn(w)
	}
	return slices.Concat(found...), err
}
