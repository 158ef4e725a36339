package recording

import (
	"cmp"
	"slices"

	"foresee/application/trace"
)

// runner is one thread of a team: it decodes the pieces dealt to it, one after the other.
type runner struct {
	team    *Team
	thread  int
	decoder *decoder
	queue   []*piece
	frames  []frame // of the piece that runs
	piece   *piece
	buffer  []trace.Event
	at, n   int
	inside  int      // the function it is in, of teams by function; −1: none
	regions []int32  // by segment: the number of its function as a region, plus one; 0: it did not run yet
	lines   *lineRun // nil: all accesses are given

	instances []instance // of the paper's way, by basic block; nil: the other
}

func newRunner(t *Team, thread int) *runner {
	return &runner{team: t, thread: thread, decoder: newDecoder(&t.Code, &t.region), inside: -1}
}

func (r *runner) start(p *piece) {
	r.piece = p
	r.frames = p.frames
	r.decoder.begin()
	if r.decoder.lines = r.lines; r.moves() {
		r.decoder.lines = nil
	}
	r.decoder.chunk, r.decoder.iterations = chunkID{p.loop, p.first}, 0
	if p.kind == pieceChunk && (r.instances == nil || r.thread == 0) { // in the paper's way all threads go through all pieces
		r.decoder.iterations = p.end - p.first
	}
	r.decoder.notLast = r.team.spread() && p.kind == pieceEach && p.last != r.thread
}

// bufferEvents is how far a thread is decoded ahead.
const bufferEvents = 1024

// refill decodes the next events; false when the thread is at the end of the phase.
func (r *runner) refill() (bool, error) {
	if r.buffer == nil {
		r.buffer = make([]trace.Event, bufferEvents)
	}
	for {
		n := r.decode(r.buffer)
		if r.decoder.failed != nil {
			return false, r.decoder.failed
		}
		if n > 0 || r.piece != nil && !r.decoder.idle() {
			r.at, r.n = 0, n
			return true, nil
		}
		switch {
		case len(r.frames) > 0:
			data, err := r.team.holder.read(r.frames[0])
			if err != nil {
				return false, err
			}
			r.frames = r.frames[1:]
			r.decoder.feed(data)
		case len(r.queue) > 0:
			r.start(r.queue[0])
			r.queue = r.queue[1:]
		default:
			return false, nil
		}
	}
}

// decode fills events with what the thread does.
func (r *runner) decode(events []trace.Event) int {
	switch {
	case r.instances != nil:
		return r.mimicked(events)
	case r.team.options.ByFunction:
		return r.byFunction(events)
	}
	n := r.decoder.fill(events)
	if n > 0 {
		r.place(events[:n])
	}
	return n
}

// special says whether the piece has blocks that it, or one before it, allocated.
func (r *runner) special() bool { return !r.piece.known.empty() || !r.piece.own.empty() }

// moves says whether accesses of the piece are to be given another thread or place.
func (r *runner) moves() bool { return r.thread > 0 || r.special() || r.team.tls.bytes > 0 }

// place gives events their thread, and private data its place.
func (r *runner) place(events []trace.Event) {
	t := r.team
	thread := uint16(r.thread)
	private := r.thread > 0 && t.spread()
	if !r.moves() {
		return
	}
	special := r.special()
	home := uint64(r.thread) // whose the private data are
	if !t.spread() {
		home = uint64(r.piece.thread)
	}
	shift := uint64(r.thread) * (t.stack.bytes + t.Head.Page)
	for i := range events {
		e := &events[i]
		e.Thread = thread
		switch {
		case private && t.stack.holds(e.Address):
			e.Address += shift
		case private && t.locals.holds(e.Address):
			e.Address += home * privateStride
		case t.tls.holds(e.Address):
			e.Address = privateBase + home*privateStride + e.Address - t.tls.low
		case special:
			e.Address += r.ownerOf(e.Address) * heapStride
		}
	}
}

// Where the private data of threads are put.
const (
	privateBase   = 0x6f00_0000_0000
	privateStride = 1 << 32
	heapStride    = 1 << 44
)

// ownerOf is the thread that has allocated an address; 0 where it is shared.
func (r *runner) ownerOf(address uint64) uint64 {
	for _, list := range [2]blocks{r.piece.own, r.piece.known} {
		if b := list.find(address); b != nil {
			if b.owner >= 0 {
				return uint64(b.owner)
			}
			return uint64(r.thread)
		}
	}
	return 0
}

// byFunction marks the functions that the segments are of.
func (r *runner) byFunction(events []trace.Event) int {
	d := r.decoder
	n := 0
	for steps := 0; len(events)-n >= 2*mostBatch+2 && steps < mostSteps; steps++ {
		if d.copying() {
			k := d.fillBlock(events[n:])
			r.place(events[n : n+k])
			n += k
			continue
		}
		if d.leaving() {
			n += d.lines.fill(events[n:])
			continue
		}
		if times := d.leave(); times > 0 {
			n += r.enter(d.previous, times, events[n:])
			continue
		}
		segment, ok := d.step()
		if !ok {
			break
		}
		n += r.enter(segment, 1, events[n:])
		k := d.accesses(segment, events[n:])
		r.place(events[n : n+k])
		n += k
	}
	return n
}

// enter writes the marks from one function to another, into which a segment leads that runs so often.
func (r *runner) enter(segment int32, times uint64, events []trace.Event) int {
	t := r.team
	region := r.regionOf(segment)
	t.tally(region, r.thread, segment, times)
	if region == r.inside {
		return 0
	}
	n := 0
	if r.inside >= 0 {
		events[n] = trace.Event{Kind: trace.Leave, Address: uint64(r.inside), Thread: uint16(r.thread)}
		n++
	}
	t.stats[region].Entries++
	events[n] = trace.Event{Kind: trace.Enter, Address: uint64(region), Thread: uint16(r.thread)}
	r.inside = region
	return n + 1
}

// regionOf is the function that a segment is of, as a region.
func (r *runner) regionOf(segment int32) int {
	if int(segment) >= len(r.regions) {
		r.regions = append(r.regions, make([]int32, len(r.team.Code.Segments)-len(r.regions))...)
	}
	n := &r.regions[segment]
	if *n == 0 {
		*n = int32(r.team.key(cmp.Or(r.team.Code.Segments[segment].Place.Function, "unknown"))) + 1
	}
	return int(*n) - 1
}

// runAlone decodes the frame at hand.
func (t *Team) runAlone(events []trace.Event) int {
	r := t.runners[0]
	n := r.decode(events)
	if r.decoder.failed != nil {
		t.err = &Error{t.records, typeEvents, r.decoder.failed.Error()}
		return 0
	}
	if n == 0 && r.decoder.idle() {
		t.mode = reading
	}
	return n
}

// mostStalls bounds how long threads run without an access before the reader is asked whether it still wants any.
const mostStalls = 16

// endPhase deals the pieces at hand and lets the threads run.
func (t *Team) endPhase() error {
	if len(t.pieces) == 0 {
		return nil
	}
	pieces := t.pieces
	t.pieces = nil
	if t.mimic != nil {
		return t.mimic.phase(pieces)
	}
	slices.SortStableFunc(pieces, func(a, b *piece) int { return cmp.Compare(a.phase, b.phase) })
	t.later = pieces
	t.beginPhase()
	return nil
}

// beginPhase deals the pieces that come first of those at hand, and lets the threads run.
func (t *Team) beginPhase() {
	n := 1
	for n < len(t.later) && t.later[n].phase == t.later[0].phase {
		n++
	}
	pieces := t.later[:n]
	t.later = t.later[n:]
	before := slices.Clone(t.dealer.team.Done())
	for _, p := range pieces {
		owner := p.thread % t.options.Threads // a region that takes more threads than the run has shares those
		if t.spread() {
			owner = t.dealer.deal(p)
		} else {
			t.dealer.team.Add(owner, p.words)
		}
		if !p.own.empty() {
			settle(p, max(owner, 0))
		}
		t.give(p, owner)
	}
	var all, busiest uint64
	for i, w := range t.dealer.team.Done() {
		all += w - before[i]
		busiest = max(busiest, w-before[i])
	}
	if !t.options.ByFunction {
		t.count(all, busiest)
	}
	t.begin()
}

// give puts a piece into the queues of those who run it.
func (t *Team) give(p *piece, owner int) {
	if owner != each {
		t.runners[owner].queue = append(t.runners[owner].queue, p)
		return
	}
	for _, r := range t.runners {
		r.queue = append(r.queue, p)
	}
}

// begin lets the threads of a phase run together.
func (t *Team) begin() {
	t.mode = running
	t.alive = t.alive[:0]
	for i, r := range t.runners {
		r.at, r.n = 0, 0
		if len(r.queue) > 0 {
			t.alive = append(t.alive, i)
		}
	}
	t.next = 0
}

// runTogether takes one access of a thread after the other.
func (t *Team) runTogether(events []trace.Event) int {
	n, stalls := 0, 0
	for n < len(events) && len(t.alive) > 0 {
		if t.options.Interleave == Uniform {
			t.next = t.random.IntN(len(t.alive))
		} else if t.next >= len(t.alive) {
			t.next = 0
		}
		r := t.runners[t.alive[t.next]]
		if r.at == r.n {
			more, err := r.refill()
			if err != nil {
				t.err = t.at(typeEvents, err)
				return n
			}
			if more && r.n == 0 { // code without accesses
				t.next++
				if stalls++; stalls > mostStalls {
					return n
				}
				continue
			}
			if !more {
				t.alive = append(t.alive[:t.next], t.alive[t.next+1:]...)
				continue
			}
		}
		events[n] = r.buffer[r.at]
		r.at++
		n++
		t.next++
	}
	if len(t.alive) == 0 && len(t.later) > 0 {
		t.beginPhase()
	} else if len(t.alive) == 0 {
		t.mode = reading
		t.holder.drop()
	}
	return n
}
