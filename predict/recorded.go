package predict

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"

	"foresee/application/record/recording"
	"foresee/model/reuse"
)

// Recording is one run of a program, whose accesses can be dealt to any number of threads.
type Recording struct {
	Source   recording.Source
	Options  recording.Options // Threads is set for each number
	Dealt    bool              // it can be dealt to any number of threads
	Warnings []string          // for whoever reads the result

	// Alone, where it is set, runs the program with a number of threads and takes the place of Source. What it gives is called at the
	// end of the analysis, with its error, and gives the error of both.
	Alone func(threads int) (recording.Source, func(failed error) error, error)
}

// each makes a team for each number of threads and runs f on all of them side by side, as the run is read only once.
// The first error in the order of threads is given; where the recording was cut off, what is whole stands.
func (r *Recording) each(ctx context.Context, threads []int, f func(ctx context.Context, i int, t *recording.Team, workers int) error) error {
	if r.Alone != nil {
		return r.eachAlone(ctx, threads, f)
	}
	branches := recording.Fan(r.Source, len(threads))
	errs := make([]error, len(threads))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var group sync.WaitGroup
	workers := max(1, runtime.GOMAXPROCS(0)/len(threads))
	for i, n := range threads {
		o := r.Options
		o.Threads = n
		t, err := recording.NewTeam(branches[i], o)
		if err != nil {
			errs[i] = err
			branches[i].Close()
			continue
		}
		group.Go(func() {
			defer branches[i].Close()
			defer t.Close()
			errs[i] = f(ctx, i, t, workers)
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

// eachAlone takes a run for each number of threads, one after the other: they may write the same files.
func (r *Recording) eachAlone(ctx context.Context, threads []int, f func(ctx context.Context, i int, t *recording.Team, workers int) error) error {
	one := func(i int) error {
		source, end, err := r.Alone(threads[i])
		if err != nil {
			return err
		}
		o := r.Options
		o.Threads = threads[i]
		t, err := recording.NewTeam(source, o)
		if err != nil {
			return end(err)
		}
		defer t.Close()
		return end(f(ctx, i, t, runtime.GOMAXPROCS(0)))
	}
	for i := range threads {
		if err := one(i); err != nil {
			return err
		}
	}
	return nil
}

// mostRepeated is the share of accesses from which they are said to be each thread's.
const mostRepeated = 0.05

// Notes are what the user should know of the run, as it was dealt to a number of threads.
func Notes(t *recording.Team, threads int) []string {
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
		if share := r.Repeated(); head.Cut && threads > 1 && share > mostRepeated {
			all = append(all, fmt.Sprintf("%s: %.0f %% of its accesses are made by each thread outside worksharing loops, after the first of these; where they go through what the thread gathered in its iterations (a private list or vector), they are too many here: --at-threads T runs it with T threads", r.Name, 100*share))
		}
	}
	if t.Crossed() {
		all = append(all, "the run was not recorded for some of these numbers of threads: iterations are dealt in blocks that differ a little from those of the loops' schedules; record with --threads")
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
		all = append(all, fmt.Sprintf("the program was ended by signal %d; this is of what it did before", ending.Signal))
	}
	return all
}

// team takes all events of a team, those of one thread in runs.
func (l *locality) team(ctx context.Context, t *recording.Team) error {
	if !t.Single() || l.shared == nil || l.options.private || l.options.measure == "interval" {
		return eachEvent(ctx, t, l.add)
	}
	s := l.shared
	if s.shards != nil {
		s.shards = reuse.NewShards(l.options.line, *l.options.shards) // runs are of addresses, not of lines
	}
	s.in(l.current.of(0))
	for {
		marks, err := t.ReadRuns(s)
		for _, e := range marks {
			l.current.mark(e)
			s.in(l.current.of(0))
		}
		if len(s.lines) >= l.limit {
			if err := l.flush(); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
	}
}

// recording measures the locality of a recorded run.
func (j *job) recording(r *Recording, threads []int, scopes []string, line int64) ([]*finding, error) {
	switch j.method {
	case MethodExact, MethodShards, "":
	default:
		return nil, fmt.Errorf("method %q is for C sources; a recorded run is analysed by %s or %s", j.method, MethodExact, MethodShards)
	}
	found := make([][]*finding, len(threads))
	said := make([][]string, len(threads))
	j.warnings = append(j.warnings, r.Warnings...)
	err := r.each(j.ctx, threads, func(ctx context.Context, i int, t *recording.Team, workers int) error {
		o := j.localityOptions(scopes, line)
		o.workers = workers
		l := newLocality(o)
		err := l.team(ctx, t)
		said[i] = Notes(t, threads[i])
		found[i] = l.findings(t.Names())
		for _, f := range found[i] {
			f.threads, f.model, f.interleave = threads[i], t.Dealt(), t.Interleave()
		}
		return err
	})
	if j.method == MethodShards {
		j.warnings = append(j.warnings, "shards: a sample of the lines does not tell regions apart; this is of the whole run")
	}
	var out []*finding
	for i, f := range found {
		out = append(out, f...)
		for _, w := range said[i] {
			if !slices.Contains(j.warnings, w) {
				j.warnings = append(j.warnings, w)
			}
		}
	}
	return out, err
}
