//go:build !js

package predict

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"foresee/application"
	"foresee/application/recording"
	"foresee/predict/followed"
)

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
