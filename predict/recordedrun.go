package predict

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"foresee/application/record/recording"
	"foresee/application/trace"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/model/reuse"
	"foresee/model/threads"
)

// recorded predicts from a recorded run: hit rates by simulating the caches of each machine on the accesses of each number
// of threads (or by SDCM from their reuse distances), times from these and the operations of the code that ran.
func (r *Request) recorded(ctx context.Context, out *PredictionResult) error {
	counts := r.Threads
	if !slices.Contains(counts, 1) && !r.Recording.Options.Mimic && (r.Recording.Dealt || r.Recording.Alone != nil) {
		counts = append([]int{1}, counts...) // for the speed-up
	}
	for _, w := range r.Recording.Warnings {
		out.warn(w)
	}
	runs := make([]*recordedRun, len(counts))
	err := r.Recording.each(ctx, counts, func(ctx context.Context, i int, t *recording.Team, workers int) error {
		run, err := newRecordedRun(r, counts[i], t, workers)
		if err != nil {
			return err
		}
		runs[i] = run
		err = eachEvent(ctx, t, run.add)
		return run.finish(err)
	})
	for _, run := range runs {
		if run == nil {
			return err
		}
		for _, w := range Notes(run.team, run.threads) {
			out.warn(w)
		}
	}
	for _, region := range runs[len(runs)-1].team.Regions() {
		for k := range r.Machines {
			var alone *float64
			for _, run := range runs {
				p, failed := run.predict(region.Name, k)
				if failed != nil {
					return failed
				}
				if p == nil {
					continue
				}
				if run.threads == 1 {
					alone = p.TimeS
				}
				if alone != nil && p.TimeS != nil && *p.TimeS > 0 {
					s := *alone / *p.TimeS
					p.Speedup = &s
				}
				if slices.Contains(r.Threads, run.threads) {
					out.Predictions = append(out.Predictions, *p)
				}
			}
		}
	}
	return err
}

// recordedRun is a recorded run at one number of threads on all machines.
type recordedRun struct {
	request     *Request
	threads     int
	team        *recording.Team
	simulations []*simulation // by machine
	warnings    [][]string
	localities  map[sharingKey]*locality
	regions     [][]SimulationRegion
}

// sharingKey is what caches see the same.
type sharingKey struct {
	group int
	line  int64
}

func newRecordedRun(r *Request, count int, t *recording.Team, workers int) (*recordedRun, error) {
	run := &recordedRun{request: r, threads: count, team: t, localities: map[sharingKey]*locality{}}
	for _, m := range r.Machines {
		if r.Options.HitModel == HitModelSDCM {
			for i := range m.Levels {
				k := run.key(m, &m.Levels[i])
				if run.localities[k] == nil {
					run.localities[k] = newLocality(localityOptions{line: k.line, measure: "distance", private: true, group: k.group, workers: workers})
				}
			}
		}
		if k, ok := pagesOf(r.Model, m); ok && run.localities[k] == nil {
			run.localities[k] = newLocality(localityOptions{line: k.line, measure: "distance", private: true, group: 1, workers: workers})
		}
		h, warnings, err := Hierarchy(m, count, nil)
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, cumulate(&h, m)...)
		s, err := newSimulation(h, false)
		if err != nil {
			return nil, err
		}
		s.streams = newStreams(count, len(h.Levels), m.PrefetchStreams())
		s.frames.shift = uint(bits.Len64(uint64(max(r.Options.pageOn(m)/h.LineBytes, 1)) - 1))
		run.simulations = append(run.simulations, s)
		run.warnings = append(run.warnings, warnings)
	}
	return run, nil
}

// pagesOf is what translations of addresses see, where the model of time asks for it.
func pagesOf(model string, m *machine.Machine) (sharingKey, bool) {
	if modelOn(model, m) != ModelBandwidth || m.Measured == nil || m.Measured.Page == 0 {
		return sharingKey{}, false
	}
	return sharingKey{1, int64(m.Measured.Page)}, true
}

// cumulate makes exclusive levels hold what the levels above them hold as well, as cumulative hit rates count them: a line that
// another core has in its cache is a hit there.
func cumulate(h *cache.Hierarchy, m *machine.Machine) (said []string) {
	for j := 1; j < len(h.Levels); j++ {
		l := &h.Levels[j]
		if l.Inclusion != cache.Exclusive {
			continue
		}
		l.Inclusion = cache.NonInclusive
		sets := l.Lines / l.Ways
		l.Ways += innerLines(m, &m.Levels[j], h.Threads) / sets
		l.Lines = sets * l.Ways
		said = append(said, fmt.Sprintf("%s: %s is exclusive; it is simulated as one that holds what the caches above it hold as well", m.Name, l.Name))
	}
	return said
}

func (run *recordedRun) key(m *machine.Machine, l *machine.Level) sharingKey {
	o := threads.Stream(run.threads, l.SharedBy.Or(1), int64(m.Line(l)))
	return sharingKey{o.Group, o.Line}
}

func (run *recordedRun) add(events []trace.Event) error {
	for _, s := range run.simulations {
		if err := s.add(events); err != nil {
			return err
		}
	}
	for _, l := range run.localities {
		if err := l.add(events); err != nil {
			return err
		}
	}
	return nil
}

func (run *recordedRun) finish(failed error) error {
	for _, s := range run.simulations {
		run.regions = append(run.regions, s.regions(run.team.Names()))
	}
	for _, l := range run.localities {
		if err := l.flush(); err != nil {
			return err
		}
	}
	return failed
}

// predict gives what is known of a region on a machine; nil where it made no accesses.
func (run *recordedRun) predict(name string, machine int) (*Prediction, error) {
	m := run.request.Machines[machine]
	region := run.stats(name)
	if region == nil || region.Words == 0 {
		return nil, nil
	}
	p := &Prediction{Region: name, Machine: m.Name, Threads: run.threads, Model: modelOn(run.request.Model, m), Warnings: []string{}, HitRates: []HitRate{}}
	if run.threads > 1 {
		p.ThreadsModel, p.Interleave = run.team.Dealt(), run.team.Interleave()
	}
	lines := run.simulated(p, m, name, machine)
	if p.Accesses == 0 {
		return nil, nil
	}
	if run.request.Options.HitModel == HitModelSDCM {
		if err := run.sdcm(p, m, name); err != nil {
			return nil, err
		}
	}
	if n := m.TotalCores(); n > 0 && run.threads > n {
		p.Warnings = append(p.Warnings, fmt.Sprintf("more threads than the %d cores of machine %s: as if it had a core for each", n, m.Name))
	}
	if _, ok := m.Parallel.ForkJoinNs.Get(); !ok && run.threads > 1 && run.request.Model != ModelPPT {
		p.Warnings = append(p.Warnings, fmt.Sprintf("machine %s has no parallel.fork_join_ns: opening parallel regions and passing barriers costs nothing here", m.Name))
	}
	run.time(p, m, region, lines)
	return p, nil
}

func (run *recordedRun) stats(name string) *recording.Region {
	for _, s := range run.team.Regions() {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// simulated fills in the hit rates of the simulation and gives, for each level and memory, how the lines that it serves come.
func (run *recordedRun) simulated(p *Prediction, m *machine.Machine, name string, machine int) []served {
	s := run.simulations[machine]
	p.Warnings = append(p.Warnings, run.warnings[machine]...)
	for i, r := range run.regions[machine] {
		if r.Region != name {
			continue
		}
		p.Accesses = r.Accesses
		for j, l := range r.Levels {
			p.HitRates = append(p.HitRates, HitRate{Level: l.Level, Scope: threads.Scope(run.key(m, &m.Levels[j]).group), HitRate: l.HitRate})
		}
		lines := make([]served, len(r.Levels)+1)
		for j := range lines {
			lines[j] = s.streams.of(s.order[i], j)
		}
		return lines
	}
	return nil
}

// sdcm replaces the hit rates by those that SDCM gives for the reuse distances.
func (run *recordedRun) sdcm(p *Prediction, m *machine.Machine, name string) error {
	above := 0.0
	p.HitRates = p.HitRates[:0]
	for i := range m.Levels {
		l := &m.Levels[i]
		g, assumption, err := geometry(m, l, run.threads)
		if err != nil {
			return err
		}
		if assumption != "" {
			p.Warnings = append(p.Warnings, assumption)
		}
		key := run.key(m, l)
		h := run.histogram(run.localities[key], name)
		if h == nil {
			return nil
		}
		hit, _ := h.Distribution().Expectation(func(value float64, _ int32) float64 { return g.HitProbability(value) })
		above = max(above, hit)
		p.HitRates = append(p.HitRates, HitRate{Level: l.Name, Scope: threads.Scope(key.group), HitRate: above})
	}
	return nil
}

func (run *recordedRun) histogram(l *locality, name string) *reuse.Histogram {
	var sum *reuse.Histogram
	for _, c := range l.private {
		if c == nil {
			continue
		}
		for region, h := range c.found {
			if regionName(region, run.team.Names()) != name {
				continue
			}
			if sum == nil {
				sum = reuse.NewHistogram(reuse.Fine)
			}
			sum.Merge(h)
		}
	}
	return sum
}
