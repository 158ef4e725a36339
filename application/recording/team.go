package recording

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"

	"foresee/application/trace"
)

// Ways in which the threads' accesses mix.
const (
	RoundRobin = "round-robin"
	Uniform    = "uniform"
)

// Options say what to make of a recording.
type Options struct {
	Threads    int
	Interleave string // RoundRobin (default) or Uniform
	Seed       uint64
	ByFunction bool  // regions are functions instead of parallel regions
	Mimic      bool  // the paper's way: basic blocks are dealt by how often they run, not iterations by the schedule
	Lines      Lines // of caches, if accesses of one thread that change nothing in them are to be left out
	// Follower gives who is told what a thread runs; nil, as is what it gives: nobody.
	Follower func(thread int) Follower
}

// Follower follows what a thread runs, segment by segment.
type Follower interface {
	// Follow takes a segment that runs in a region (the number of it in Regions; −1: outside of all), with its words, which are not to be kept.
	Follow(code *Code, region int, segment int32, words []uint64)
	// Pass takes a segment that runs so often when its words are not wanted.
	Pass(code *Code, region int, segment int32, times uint64)
	// Wants says whether the words of the next segment are wanted.
	Wants() bool
	// Idle is how often a segment may run in a row before words are wanted; 0: they are.
	Idle(code *Code, segment int32) uint64
}

// Team is the accesses of a number of threads. It is a trace.Source: threads between two barriers run together.
type Team struct {
	info
	options Options
	source  Source
	dealer  *dealer
	holder  holder
	random  *rand.Rand
	records int64

	pieces             []*piece // between two barriers
	later              []*piece // those of phases to come
	unnamed            *unnamed // of a region of the program's own threads; nil: it has its name
	current            *piece
	blocks             blocks // allocated in regions and not freed
	inRegion           bool
	named              bool            // the region has its name
	handed             map[int]chunkID // by thread: the chunk handed out last
	regionPC           uint64
	chunks, iterations int64
	recorded, repeated uint64 // words of the region, and those of Repeated
	barriers           int64  // that the region passed, the one at its end among them
	allocated          int64  // blocks so far
	heapNames          named
	gave               bool  // the last call of Read gave events
	counted            int   // counts of all regions
	crowded            error // why there are too many
	region             int   // index of its statistics; −1: none
	direct             bool
	runners            []*runner
	mimic              *mimic

	ready []trace.Event // events that go out before anything else
	mode  mode
	next  int // of the threads in turn
	alive []int
	names trace.Names
	byKey map[string]int
	stats []*Region
	err   error
}

// chunkID tells chunks apart.
type chunkID struct {
	loop  uint64
	first int64
}

// mode is what a team does next.
type mode int

const (
	reading mode = iota // the next record decides
	running             // the phase's threads run together
	alone               // one thread, decoded as it comes
)

// NewTeam begins to read the accesses of a number of threads.
func NewTeam(src Source, o Options) (*Team, error) {
	if o.Threads < 1 || o.Threads > 1<<12 {
		return nil, fmt.Errorf("%d threads: there must be 1 to %d", o.Threads, 1<<12)
	}
	if o.Interleave == "" {
		o.Interleave = RoundRobin
	}
	if o.Interleave != RoundRobin && o.Interleave != Uniform {
		return nil, fmt.Errorf("unknown interleaving %q; there are %s and %s", o.Interleave, RoundRobin, Uniform)
	}
	t := &Team{
		options: o, source: src, dealer: newDealer(o.Threads), holder: holder{most: mostHeld},
		handed: map[int]chunkID{},
		random: rand.New(rand.NewPCG(o.Seed, 0x666f7265736565)), byKey: map[string]int{}, region: -1,
	}
	for i := range o.Threads {
		t.runners = append(t.runners, newRunner(t, i))
		if o.Lines.Bytes > 0 && o.Threads == 1 {
			t.runners[i].lines = newLineRun(o.Lines)
		}
		if o.Follower != nil {
			t.runners[i].decoder.follower = o.Follower(i)
		}
	}
	if o.Mimic {
		t.mimic = newMimic(t)
	}
	return t, nil
}

// Close frees what the team holds.
func (t *Team) Close() error {
	t.holder.close()
	return nil
}

// Names implements trace.Source.
func (t *Team) Names() *trace.Names {
	t.names.Objects = t.objects
	return &t.names
}

// Regions gives what ran, by region, once all is read.
func (t *Team) Regions() []*Region { return t.stats }

// Info gives what the recording says of the run, once all is read.
func (t *Team) Info() (h Head, c *Code, notes []Note, e Ending, meta map[string]string) {
	return t.Head, &t.Code, t.Notes, t.Ending, t.Meta
}

// Interleave is how the threads' accesses mix.
func (t *Team) Interleave() string { return t.options.Interleave }

// Ways in which the accesses of threads were found.
const (
	DealtCut    = "cut"    // one run, whose iterations are dealt by the loops' schedules
	DealtMimic  = "mimic"  // one run, whose basic blocks are dealt by how often they run
	DealtFibers = "fibers" // a run with that number of virtual threads
)

// Dealt is one of these.
func (t *Team) Dealt() string {
	switch {
	case t.options.Mimic:
		return DealtMimic
	case t.spread():
		return DealtCut
	}
	return DealtFibers
}

// Crossed says that iterations had to be dealt in other blocks than the loop's schedule has at this number of threads,
// because the run was not cut for it.
func (t *Team) Crossed() bool { return t.dealer.crossed }

// Read implements trace.Source. Where the recording was cut off it gives what is whole, then ErrCut.
func (t *Team) Read(events []trace.Event) (int, error) {
	if t.gave {
		t.names.Changed = t.names.Changed[:0]
	}
	n, err := t.read(events)
	t.gave = n > 0
	return n, err
}

// read gives what is ready, and makes more ready until there is some.
func (t *Team) read(events []trace.Event) (int, error) {
	for {
		if len(t.ready) > 0 {
			n := copy(events, t.ready)
			t.ready = t.ready[n:]
			return n, nil
		}
		if t.err != nil {
			return 0, t.err
		}
		n := 0
		switch t.mode {
		case alone:
			n = t.runAlone(events)
		case running:
			n = t.runTogether(events)
		default:
			t.err = t.step()
		}
		if n > 0 || t.mode != reading && t.err == nil {
			return n, nil
		}
	}
}

// step takes the next record.
func (t *Team) step() error {
	if p, ok := t.source.(*putBack); ok && p.given {
		t.source = p.Source
	}
	if p, ok := t.source.(*again); ok && len(p.records) == 0 {
		t.source = p.Source
	}
	if t.crowded != nil {
		return &Error{t.records, typeLeave, t.crowded.Error()}
	}
	r, err := t.source.Next()
	if errors.Is(err, io.EOF) || errors.Is(err, ErrCut) {
		t.source = ended{err}
		switch {
		case t.unnamed != nil:
			t.nameOwn("")
			return nil
		case len(t.pieces) > 0:
			return t.endPhase()
		case t.inRegion:
			t.leave()
			return nil
		}
		t.collect()
	}
	if err != nil {
		return err
	}
	t.records++
	if t.unnamed != nil && t.await(r) {
		return nil
	}
	if err := t.record(r); err != nil {
		return t.at(r.Type, err)
	}
	return nil
}

// at says at which record something is damaged.
func (t *Team) at(kind byte, err error) error {
	if IsDamaged(err) || errors.As(err, new(*holdError)) {
		return err
	}
	return &Error{t.records, kind, err.Error()}
}

// ended gives the same error for ever.
type ended struct{ err error }

func (e ended) Next() (*Record, error) { return nil, e.err }

// record takes a record as it comes.
func (t *Team) record(r *Record) error {
	if done, err := t.take(r); done {
		if err == nil && r.Type == typeHeader {
			err = t.checkThreads()
		}
		return err
	}
	switch r.Type {
	case typeBarrier, typeEnter, typeLeave:
		if len(t.pieces) > 0 && (r.Type != typeBarrier || t.mimic == nil) {
			t.source = &putBack{Source: t.source, record: r}
			t.records--
			return t.endPhase()
		}
	}
	switch r.Type {
	case typePiece:
		return t.beginPiece(r)
	case typeEvents:
		return t.events(r)
	case typeBarrier:
		t.barriers++
		t.ready = append(t.ready[:0:0], trace.Event{Kind: trace.Barrier})
	case typeEnter:
		t.dealer.begin()
		n := &numbers{data: r.Data}
		t.inRegion, t.named, t.regionPC = true, false, n.next()
		if n.next(); n.next() == 1 && !n.bad {
			t.unnamed = &unnamed{}
		}
	case typeLeave:
		t.leave()
	case typeAllocate, typeFree:
		t.heap(r)
	default:
		return fmt.Errorf("a record of this type is not known; it may be of a newer foresee")
	}
	return nil
}

// putBack gives a record once more.
type putBack struct {
	Source
	record *Record
	given  bool
}

// Next gives the record that was put back, and then those that follow.
func (p *putBack) Next() (*Record, error) {
	if !p.given {
		p.given = true
		return p.record, nil
	}
	return p.Source.Next()
}

func (t *Team) checkThreads() error {
	if !t.spread() && t.options.Threads != t.Head.Threads {
		return fmt.Errorf("it is of %d threads and cannot be dealt to %d; record the program with %d virtual threads", t.Head.Threads, t.options.Threads, t.options.Threads)
	}
	return nil
}

// spread says whether pieces were recorded by one thread, to be dealt.
func (t *Team) spread() bool { return t.Head.Dealable() }

// beginPiece deals a piece to its thread, by the number of threads that was asked for.
func (t *Team) beginPiece(r *Record) error {
	p, err := parsePiece(r)
	if err != nil {
		return err
	}
	if last := t.handed[p.thread]; p.kind == pieceChunk && (last.loop != p.loop || last.first != p.first) { // not one that goes on
		t.chunks++
		t.iterations += p.end - p.first
		t.handed[p.thread] = chunkID{p.loop, p.first}
	}
	p.known = t.blocks
	t.current = p
	t.direct = t.mimic == nil && (t.options.Threads == 1 || p.kind == pieceSerial)
	if t.direct {
		t.dealer.deal(p)
		t.runners[0].start(p)
		return nil
	}
	t.pieces = append(t.pieces, p)
	return nil
}

// events takes the accesses of the present piece.
func (t *Team) events(r *Record) error {
	if t.current == nil {
		return errors.New("events before the first piece")
	}
	words, n := binary.Uvarint(r.Data)
	if n <= 0 || words > mostRun {
		return errEvents
	}
	data := r.Data[n:]
	t.name(data)
	t.recorded += words
	if t.current.kind == pieceEach && t.chunks > 0 {
		t.repeated += words
	}
	t.current.words += words
	if t.direct {
		t.count(words, words)
		t.runners[0].decoder.feed(data)
		t.mode = alone
		return nil
	}
	f, err := t.holder.keep(data)
	t.current.frames = append(t.current.frames, f)
	return err
}
