//go:build !js

package predict

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"foresee/application"
	"foresee/application/nest"
	"foresee/application/recording"
	"foresee/machine"
	"foresee/model/timing"
	"foresee/predict/compiled"
	"foresee/predict/followed"
)

// What follows is no part of the engine that browsers load: accesses that were made, compilers, and signatures to be saved.

// ofAccesses predicts from accesses that were made: hit rates by simulating the caches of each machine on those of each number of threads
// (or by SDCM from their reuse distances), times from these and the operations of the code that ran, where it is known.
func (r *Request) ofAccesses(ctx context.Context, out *PredictionResult, f func(demands) error) error {
	counts := r.Threads
	if !slices.Contains(counts, 1) && !r.Options.Mimic && r.Signature.Streams.Dealable() {
		counts = append([]int{1}, counts...) // for the speed-up
	}
	runs := make([]*observed, len(counts))
	code := followed.NewMachines(slices.Min(counts), r.Machines)
	lines := map[int]*sites{} // by number of threads
	for _, n := range counts {
		if r.Sharing && n > 1 {
			lines[n] = newSites(int64(r.Machines[0].LineBytes.Or(64)))
		}
	}
	failed := r.Signature.Streams.Each(ctx, following(code, lines, r.Options.dealing()), counts, func(ctx context.Context, i int, t application.Team, workers int) error {
		run, err := r.observe(counts[i], t, workers)
		if err != nil {
			return err
		}
		runs[i], run.code, run.sites = run, code, lines[counts[i]]
		if counts[i] == code.Threads {
			code.Team = t.Ran()
		}
		err = eachEvent(ctx, t, run.add)
		return run.finish(err)
	})
	alone := r.Signature.Streams.OneByOne()
	if alone {
		runs = begun(runs)
	}
	if len(runs) == 0 || slices.Contains(runs, nil) {
		return failed
	}
	for _, run := range runs {
		for _, w := range run.team.Notes() {
			out.warn(w)
		}
	}
	for _, m := range r.Machines {
		if runs[0].ofCode() && m.Instructions == nil {
			out.warn(derivedCore(m))
		}
	}
	if failed != nil && !errors.Is(failed, recording.ErrCut) {
		for i, run := range runs {
			run.stopped = !alone || i == len(runs)-1
		}
	}
	for _, region := range runs[len(runs)-1].names() {
		for k, m := range r.Machines {
			if err := f(&regionRuns{name: region, on: m, number: k, runs: runs}); err != nil {
				return err
			}
		}
	}
	return failed
}

// following adds those who follow the code that runs to how accesses are dealt.
func following(code *followed.Machines, sites map[int]*sites, d application.Dealing) application.Dealing {
	d.Follower = func(threads, thread int) recording.Follower {
		switch machines := thread == 0 && threads == code.Threads; {
		case sites[threads] != nil && machines:
			return &siteFollower{sites[threads], code}
		case sites[threads] != nil:
			return &siteFollower{sites: sites[threads]}
		case machines:
			return code
		}
		return nil
	}
	return d
}

// begun are the runs before the first that has not begun.
func begun(runs []*observed) []*observed {
	if i := slices.Index(runs, nil); i >= 0 {
		return runs[:i]
	}
	return runs
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

// compile has the compiler that is named make the source's code; nil where none is named, is here, or makes code that can be followed.
func (r *Request) compile(ctx context.Context, out *PredictionResult) (*compiled.Code, error) {
	if len(r.Compiler) == 0 || r.Uncompiled || r.Signature.Kind == application.Module && r.Signature.Code == nil {
		return nil, nil //nolint:nilnil // no code is no error
	}
	if r.Signature.Code == nil {
		return nil, ErrNoCode
	}
	if _, err := exec.LookPath(r.Compiler[0]); err != nil {
		out.warn(fmt.Sprintf("%s is not here: times are those of code as %s makes it", r.Compiler[0], r.target(r.Machines[0])))
		return nil, nil //nolint:nilnil,nilerr // its code is made by foresee
	}
	code, err := compiled.Compile(ctx, r.Compiler, r.Signature.Code, r.Signature.Loops)
	switch {
	case errors.As(err, new(*compiled.CompilerError)), ctx.Err() != nil:
		return nil, err
	case err != nil:
		out.warn(notFollowed(err))
		return nil, nil //nolint:nilnil,nilerr // its code is made by foresee
	}
	if !compiled.OpenMP(r.Compiler) && slices.ContainsFunc(r.Threads, func(n int) bool { return n > 1 }) {
		out.warn(fmt.Sprintf("%s compiles without OpenMP (-fopenmp): its code runs on one thread; times at more are as if the loops were shared out all the same", strings.Join(r.Compiler, " ")))
	}
	for _, w := range code.Warnings {
		out.warn(w)
	}
	return code, nil
}

// notFollowed says why compiled code could not be followed.
func notFollowed(err error) string {
	return fmt.Sprintf("the compiled code cannot be followed (%v); times are those of code as gcc makes it", err)
}

// compiledOn gives blocks what they take on a machine; nil for regions of which the code does not tell it.
func (r *Request) compiledOn(ctx context.Context, m *machine.Machine, code *compiled.Code, own [][]*timing.Block, out *PredictionResult) ([][]*timing.Block, error) {
	cycles, err := code.On(ctx, m, r.Signature.Loops)
	if missing := new(compiled.MissingError); errors.As(err, &missing) {
		out.warn(r.Options.said(err) + "; its times are those of code as gcc makes it")
		return make([][]*timing.Block, len(own)), nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		out.warn(notFollowed(err))
		return make([][]*timing.Block, len(own)), nil //nolint:nilerr // code is made by foresee
	}
	if m.Instructions == nil {
		out.warn(derivedCore(m))
	}
	for _, w := range cycles.Warnings {
		out.warn(fmt.Sprintf("%s: %s", m.Name, w))
	}
	given, unknown := cycles.Give(r.Signature.Loops, own)
	for i, p := range r.Signature.Loops {
		if unknown[i] {
			out.warn(fmt.Sprintf("%s: its code is not executed when the compiled program runs; its times are those of code as %s makes it", p.Region, r.target(m)))
			given[i] = nil
		} else if !cycles.Counted(i) && p.Function != "" {
			out.warn(fmt.Sprintf("%s: how often its function runs in the compiled program is not told; its times are those of code as %s makes it", p.Region, r.target(m)))
			given[i] = nil
		} else if !cycles.Counted(i) {
			out.warn(fmt.Sprintf("%s: how often its function runs in the compiled program is not known, as its body begins in a macro or another file: it is taken to run once", p.Region))
		}
	}
	return given, nil
}

// SignatureRequest asks for signatures.
type SignatureRequest struct {
	Signature *application.Signature // of loops
	Line      int64                  // bytes; 0: 64
	Options   Options
}

// NoLoopsError is a signature that is to be saved, and knows accesses of a run instead of loops.
type NoLoopsError struct{ Kind application.Kind }

func (e *NoLoopsError) Error() string {
	return "a signature is made from a C source; a " + e.Kind.String() + " holds accesses of its own"
}

// Signatures analyses loops once, for any number of threads. Alone says which regions have no locality, and why.
func Signatures(ctx context.Context, r SignatureRequest) (file *application.SavedFile, alone []string, err error) {
	if r.Signature.Streams != nil {
		return nil, nil, &NoLoopsError{r.Signature.Kind}
	}
	line := lineOf(r.Line, nil)
	h := newHeader(application.SavedSchema, r.Signature)
	out := &application.SavedFile{Schema: h.Schema, Version: h.Version, Input: h.Input, Warnings: h.Warnings, LineBytes: line, Regions: []application.SavedRegion{}}
	progress := newMeter(r.Options.Progress, len(r.Signature.Loops))
	o, err := r.Options.of(r.Signature)
	if err != nil {
		return nil, nil, err
	}
	found := newLocalities(ctx, o, func(done, total int) { progress.part(float64(done) / float64(total)) })
	for _, p := range r.Signature.Loops {
		region, err := found.region(p, line)
		if err != nil {
			return nil, nil, inRegion(p, err)
		}
		out.Regions = append(out.Regions, *region)
		progress.next()
	}
	return out, found.warnings, nil
}

// region is a region as it is saved, with what two threads show of it where any number can be answered from that.
func (l *localities) region(p *nest.Program, line int64) (*application.SavedRegion, error) {
	out := &application.SavedRegion{Region: p.Region}
	n, err := out.SetProgram(p)
	if err != nil {
		return nil, err
	}
	if l.written += n; l.written > application.MostPrograms {
		return nil, application.ErrLongPrograms
	}
	model, _, err := l.choose(p, 2, line)
	if err != nil {
		return nil, err
	}
	if model != ThreadsSymbolic {
		s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: line})
		if err != nil {
			return nil, err
		}
		out.Accesses = s.Len()
		out.Lines, _, err = s.Footprint(l.options.Seed)
		return out, err
	}
	m, err := l.model(p, line)
	if err != nil {
		return nil, err
	}
	s := m.Signature()
	data, err := s.MarshalBinary()
	out.Accesses, out.Lines, out.Loops, out.Samples = s.Accesses, s.Lines, len(s.Loops), len(s.Samples)
	out.Locality = base64.StdEncoding.EncodeToString(data)
	return out, err
}
