package predict

import (
	"fmt"
	"sync"

	"foresee/application"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/threads"
	"foresee/model/timing"
)

// Request says what to predict.
type Request struct {
	Signature *application.Signature
	Machines  []*machine.Machine
	Threads   []int // of a trace: the one number that it has
	// WithinCores leaves out numbers of threads above a machine's cores, where it has fewer.
	WithinCores bool
	// Fastest looks for the number of threads with the least time, from Threads on, and gives it with its neighbours; of accesses that were made
	// it looks among Threads alone.
	Fastest  bool
	Model    string // one of Models; "": ModelAuto
	PPT      timing.PPTOptions
	Compiler []string // of C source: a compiler with its flags, of whose code the core's times are; empty: of the source's operations
	Options  Options

	// Uncompiled has foresee make the code for the flags of Compiler itself, though that may be here.
	Uncompiled bool
	// Reordered puts loops into the order that Compiler gives them also where Uncompiled.
	Reordered bool

	// Sharing asks, of accesses that were made, which lines threads take from one another; the times of the last Padded machines are as if each thread had
	// lines of its own in place of those that it shares falsely.
	Sharing bool
	Padded  int

	distances bool // of one thread are wanted
}

// CurveRequest asks for miss ratio curves.
type CurveRequest struct {
	Signature *application.Signature
	Machines  []*machine.Machine // for marks and, when Line is 0, the line size; may be empty
	Threads   []int              // of a trace: the one number that it has, or none, where that shows
	Scope     string             // "private", "shared" (default) or "both"
	Sizes     []int64            // bytes; empty: a geometric grid
	Line      int64              // bytes; 0: the first machine's, or 64
	Method    string             // MethodClass (default), MethodAET, MethodExact or MethodShards (these walk); of accesses that were made MethodExact (default) or MethodShards
	Options   Options
}

// ProfileRequest asks for histograms.
type ProfileRequest struct {
	Signature *application.Signature
	Machines  []*machine.Machine
	Threads   []int  // as for curves
	Scope     string // "private", "shared" (default) or "both"
	Measure   string // "distance" (default) or "interval"
	Line      int64
	Method    string // as for curves, without "aet"
	Options   Options
}

// Options are common to all requests.
type Options struct {
	Seed    uint64
	Samples int // reuse intervals sampled a stream; 0: the default
	// Effort is the share of the usual work of sampling that is done, above 0 and at most 1; 0: all of it. A fiftieth gives hit rates that are
	// off by a point or two in a tenth of the time, for a first look.
	Effort   float64
	Workers  int // goroutines; 0: one a core
	Progress func(done, total int)
	HitModel string // HitModelPlaced (default of loops), HitModelSDCM or, of accesses that were made, HitModelSimulated (their default)
	// Page is the size of pages, in bytes, which lie in physical memory in no order, so that caches past the first, which are placed by
	// physical addresses, see them anywhere. 0: that of the machine's measurement, or 4 KiB; InOrder: as in virtual memory.
	Page int64
	// Warm has caches hold what a call of the region before left, of loops; else they start empty.
	Warm bool
	Rate float64 // of MethodShards: the share of the lines that are followed at least
	// ThreadsModel is ThreadsAuto (default), ThreadsSymbolic, ThreadsPublished or ThreadsExact; Interleave threads.Uniform
	// or threads.RoundRobin, by default the model's own: at random, but threads taking turns for ThreadsExact.
	ThreadsModel, Interleave string
	// Mimic deals a recorded run to threads as in PPT-Multicore: basic blocks by how often they run.
	Mimic bool
	// MissRatio is what SharedCache asks for; 0: a point more than one thread's.
	MissRatio float64
	MaxLines  int // of MethodShards: the lines that are followed at most; 0: no bound but Rate
	// Remedy gives what can be done about an error, to stand behind its text where it becomes a warning; nil: nothing is said of that.
	Remedy func(error) string

	// known are localities that were saved with the signature.
	known map[*nest.Program]*threads.Signature
}

// of takes what a signature knows already.
func (o Options) of(s *application.Signature) (Options, error) {
	var err error
	o.known, err = known(s)
	return o, err
}

// dealing is how accesses that were made become those of a number of threads.
func (o *Options) dealing() application.Dealing {
	return application.Dealing{Interleave: o.Interleave, Seed: o.Seed, Mimic: o.Mimic}
}

// said is an error as a warning says it.
func (o *Options) said(err error) string {
	if o.Remedy == nil {
		return err.Error()
	}
	return err.Error() + o.Remedy(err)
}

// InOrder, as Options.Page, is data in the same order in physical memory as in virtual.
const InOrder = -1

// usualPage is the size of pages of most systems, in bytes: of x86 processors, and of Arm's under most distributions of Linux.
const usualPage = 4 << 10

// pageOn is the size of pages on a machine; 0: data lie in order.
func (o *Options) pageOn(m *machine.Machine) int64 {
	switch {
	case o.Page < 0:
		return 0
	case o.Page > 0:
		return o.Page
	case m.Measured != nil && m.Measured.Page > 0:
		return int64(m.Measured.Page)
	}
	return usualPage
}

// Models of cache hits. Simulated, of accesses that were made, is exact simulation of the caches. SDCM is the paper's: lines fall into sets at random. Placed is SDCM with the probability of
// a conflict taken from where the lines lie: arrays one after another in memory, line number modulo sets.
const (
	HitModelPlaced    = "placed"
	HitModelSDCM      = "sdcm"
	HitModelSimulated = "simulated"
)

// meter turns steps, and parts of steps, into progress in thousandths of a step, never going back.
type meter struct {
	mu     sync.Mutex
	report func(done, total int) // may be nil
	steps  int
	done   int
	shown  int
}

func newMeter(report func(done, total int), steps int) *meter {
	return &meter{report: report, steps: steps}
}

// thousand is in how many parts progress is told.
const thousand = 1000

// next ends a step.
func (m *meter) next() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done++
	m.show(m.done * thousand)
}

// part says how much of the present step is done; it may be called by several goroutines.
func (m *meter) part(x float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.show(m.done*thousand + int(x*(thousand-1)))
}

func (m *meter) show(done int) {
	if m.report != nil && done > m.shown {
		m.shown = done
		m.report(done, m.steps*thousand)
	}
}

// Conflict is a wish that the chosen model or method cannot fulfil, and why.
type Conflict string

func (c Conflict) Error() string { return string(c) }

// Wishes that do not go together.
const (
	PublishedShared    Conflict = "the published model of threads is of a cache that all threads share"
	PublishedIntervals Conflict = "the published model of threads knows intervals, no distances"
	PublishedCurves    Conflict = "the published model of threads gives curves of shared caches, no hit rates of a machine"
	PublishedRandom    Conflict = "the published model of threads is of threads interleaved at random"
	SymbolicRandom     Conflict = "the symbolic model of threads is of threads interleaved at random"
	ExactTurns         Conflict = "the exact model of threads solves for threads that take turns"
	SampledDistances   Conflict = "sampled lines (the method shards) estimate reuse distances, no intervals"
)

// WalkError is a method that walks through accesses, together with a model of threads that does not.
type WalkError struct{ Method, ThreadsModel string }

func (e *WalkError) Error() string {
	return fmt.Sprintf("the method %s walks through every access of each number of threads, the model of threads %s through none", e.Method, e.ThreadsModel)
}

// MethodError is a method that takes loops, asked for accesses that were made.
type MethodError struct{ Method string }

func (e *MethodError) Error() string {
	return fmt.Sprintf("method %q is for C sources; accesses that were made are analysed by %s or %s", e.Method, MethodExact, MethodShards)
}

// LinesError is an input that touches more lines than can be told apart.
type LinesError struct{ Most int64 }

func (e *LinesError) Error() string { return fmt.Sprintf("more than %d million lines", e.Most>>20) }

// ThreadError is an access of a thread that there is not.
type ThreadError struct {
	Thread  int // numbered from 0
	Threads int // how many there are
}

func (e *ThreadError) Error() string {
	return fmt.Sprintf("an access of thread %d, numbered from 0, but the threads are %d", e.Thread, e.Threads)
}
