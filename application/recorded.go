package application

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"foresee/application/record/instrument"
	"foresee/application/recording"
)

// Recorded is a run that was recorded, or is being recorded, whose accesses can be dealt to any number of threads. It implements
// Streams.
type Recorded struct {
	Source     recording.Source
	Dealt      bool // it can be dealt to any number of threads
	ByFunction bool // regions are functions instead of parallel regions

	// Alone, where it is set, runs the program with a number of threads and takes the place of Source. What it gives is called at the
	// end of the analysis, with its error, and gives the error of both.
	Alone func(threads int) (recording.Source, func(failed error) error, error)
}

// Dealable implements Streams.
func (r *Recorded) Dealable() bool { return r.Dealt || r.Alone != nil }

// OneByOne implements Streams.
func (r *Recorded) OneByOne() bool { return r.Alone != nil }

// Each implements Streams. Where the recording was cut off, what is whole stands.
func (r *Recorded) Each(ctx context.Context, d Dealing, threads []int, f func(context.Context, int, Team, int) error) error {
	if r.Alone != nil {
		return r.eachAlone(ctx, d, threads, f)
	}
	branches := recording.Fan(r.Source, len(threads))
	errs := make([]error, len(threads))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group sync.WaitGroup
	workers := max(1, runtime.GOMAXPROCS(0)/len(threads))
	for i, n := range threads {
		t, err := recording.NewTeam(branches[i], r.options(d, n))
		if err != nil {
			errs[i] = err
			branches[i].Close()
			continue
		}
		group.Go(func() {
			defer branches[i].Close()
			defer t.Close()
			errs[i] = f(ctx, i, ranTeam{t, n}, workers)
			if errs[i] != nil && !errors.Is(errs[i], recording.ErrCut) {
				cancel()
			}
		})
	}
	group.Wait()
	var failed error
	for _, err := range errs {
		if err != nil && (failed == nil || errors.Is(failed, context.Canceled) && !errors.Is(err, context.Canceled)) {
			failed = err
		}
	}
	return failed
}

func (r *Recorded) options(d Dealing, threads int) recording.Options {
	o := recording.Options{Threads: threads, Interleave: d.Interleave, Seed: d.Seed, ByFunction: r.ByFunction, Mimic: d.Mimic, Lines: d.Lines}
	if d.Follower != nil {
		o.Follower = func(thread int) recording.Follower { return d.Follower(threads, thread) }
	}
	return o
}

// eachAlone takes a run for each number of threads, one after the other: they may write the same files.
func (r *Recorded) eachAlone(ctx context.Context, d Dealing, threads []int, f func(context.Context, int, Team, int) error) error {
	one := func(i int) error {
		source, end, err := r.Alone(threads[i])
		if err != nil {
			return err
		}
		t, err := recording.NewTeam(source, r.options(d, threads[i]))
		if err != nil {
			return end(err)
		}
		defer t.Close()
		return end(f(ctx, i, ranTeam{t, threads[i]}, runtime.GOMAXPROCS(0)))
	}
	for i := range threads {
		if err := one(i); err != nil {
			return err
		}
	}
	return nil
}

// ranTeam is a number of threads that a recorded run is dealt to.
type ranTeam struct {
	*recording.Team
	threads int
}

// Ran implements Team.
func (t ranTeam) Ran() *recording.Team { return t.Team }

// Mixed implements Team.
func (t ranTeam) Mixed() (dealt, interleave string) { return t.Dealt(), t.Interleave() }

// mostRepeated is the share of accesses from which they are said to be each thread's.
const mostRepeated = 0.05

// What makes the pieces of a loop that runs as vectors too short for what is counted in it to be that of the program. Chosen: before and after the
// vectors of a piece, up to some 32 iterations run one by one, which is a twentieth of pieces as long as this.
const (
	vectorBytes     = 16
	shortPiece      = 640  // iterations
	vectorisedShare = 0.05 // of the accesses
)

// vectorPiece is the length, in iterations, of the short pieces in which those worksharing loops of a region came that run as vectors
// themselves, several iterations at once; 0 where hardly any of its accesses are of such a loop.
func vectorPiece(code *recording.Code, r *recording.Region) int64 {
	all, vectors := 0.0, 0.0
	var pieces recording.Dealt
	for i, d := range r.Dealt {
		accesses := code.Segments[i].Accesses
		here := float64(r.Counts[i]) * float64(len(accesses))
		all += here
		wide := slices.ContainsFunc(accesses, func(a instrument.Access) bool { return a.Size >= vectorBytes })
		itself := r.Counts[i] < d.Iterations // else they are of a loop within an iteration, or outside worksharing loops
		if wide && itself && d.Iterations < shortPiece*d.Chunks {
			vectors += here
			pieces.Chunks, pieces.Iterations = pieces.Chunks+d.Chunks, pieces.Iterations+d.Iterations
		}
	}
	if vectors <= vectorisedShare*all {
		return 0
	}
	return pieces.Iterations / pieces.Chunks
}

// EndedBySignal begins what is said of a program that a signal has ended.
const EndedBySignal = "the program was ended by signal"

// Notes implements Team.
func (t ranTeam) Notes() []string {
	var all []string
	head, code, notes, ending, meta := t.Info()
	printed := strings.Split(meta[recording.MetaPrinted], ",")
	for _, n := range notes {
		if n.Printed(printed) {
			continue
		}
		if head.Cut || n.Kind >= recording.NoteExclusion || n.Kind == recording.NoteNested {
			all = append(all, n.String())
		}
	}
	for _, r := range t.Regions() {
		if share := r.Repeated(); head.Cut && t.threads > 1 && share > mostRepeated {
			all = append(all, fmt.Sprintf("%s: %.0f %% of its accesses are made by each thread outside worksharing loops, after the first of these; where they go through what the thread gathered in its iterations (a private list or vector), they are too many here; run it with that number of virtual threads", r.Name, 100*share))
		}
	}
	for _, r := range t.Regions() {
		if length := vectorPiece(code, r); head.Cut && length > 0 {
			all = append(all, fmt.Sprintf("%s: its worksharing loops run as vectors, and pieces of %d iterations on average, cut for the numbers of threads that are asked for, end between them: more accesses and operations are made one by one than in the program, other ones with other numbers of threads; name fewer, or build it without vectors (-fno-vectorize)", r.Name, length))
		}
	}
	if t.Crossed() {
		all = append(all, "the run was not recorded for some of these numbers of threads: iterations are dealt in blocks that differ a little from those of the loops' schedules; name these numbers when it is recorded")
	}
	if head.Moves() {
		all = append(all, "the addresses of data change from run to run here (the system does not let them be fixed), and results with them, a little")
	}
	for _, m := range code.Modules {
		if m.Unseen > 0 {
			all = append(all, fmt.Sprintf("%s: %d vector instructions access memory in a way that is not recorded", m.Name, m.Unseen))
		}
	}
	if ending.Signal != 0 {
		all = append(all, fmt.Sprintf("%s %d; this is of what it did before", EndedBySignal, ending.Signal))
	}
	return all
}
