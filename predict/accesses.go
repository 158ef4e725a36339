//go:build !js

package predict

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"foresee/application"
	"foresee/application/recording"
	"foresee/application/trace"
	"foresee/machine"
	"foresee/model/reuse"
	"foresee/model/threads"
	"foresee/model/timing"
	"foresee/model/traffic"
	"foresee/predict/followed"
	"foresee/predict/hierarchy"
)

// regionRuns are what a region's accesses demand of one machine.
type regionRuns struct {
	name   string
	on     *machine.Machine
	number int // of the machine
	runs   []*observed
}

func (q *regionRuns) region() string { return q.name }

func (q *regionRuns) machine() *machine.Machine { return q.on }

func (q *regionRuns) done() {}

// sharedCache is not known of accesses.
func (q *regionRuns) sharedCache(*Prediction) (*SharedCache, error) { return nil, nil }

// of is what the region did with that number of threads; nil where it was not run with it.
func (q *regionRuns) of(count int) (*demand, error) {
	for _, run := range q.runs {
		if run.threads == count {
			return run.demand(q.name, q.number)
		}
	}
	return nil, nil
}

// distances are those of one thread, at the line of the first level.
func (q *regionRuns) distances() (*reuse.Distribution, error) {
	for _, run := range q.runs {
		if run.threads != 1 {
			continue
		}
		if h := run.histogram(run.localities[run.key(q.on, &q.on.Levels[0])], q.name); h != nil {
			return h.Distribution(), nil
		}
	}
	return nil, ErrNoRegions
}

// observed is what a team's accesses do on all machines.
type observed struct {
	request     *Request
	threads     int
	team        application.Team
	code        *followed.Machines
	touched     *firstTouch
	together    *together
	sites       *sites                   // nil: not wanted
	simulations []*caches                // by machine
	warnings    [][]string               // by machine: what its simulation assumes
	localities  map[sharingKey]*locality // reuse distances, where a model needs them
	regions     [][]SimulationRegion     // by machine: what the simulation found
	stopped     bool                     // wherever it was, unlike a recording that is cut off, which ends at one place for all numbers of threads
}

// sharingKey is what caches have in common that see the same streams.
type sharingKey struct {
	group int   // threads that share a cache
	line  int64 // bytes
}

// observe prepares what is to be found out of a team's accesses: simulations of the machines, or the locality of their levels.
func (r *Request) observe(count int, t application.Team, workers int) (*observed, error) {
	run := &observed{request: r, threads: count, team: t, localities: map[sharingKey]*locality{}, touched: newFirstTouch(), together: newTogether(count)}
	private := func(k sharingKey) {
		if run.localities[k] == nil {
			run.localities[k] = newLocality(localityOptions{line: k.line, measure: "distance", private: true, group: k.group, workers: workers})
		}
	}
	run.together.beside = workers > 1 && count == 1
	if r.Sharing && count > 1 {
		run.together.share(int64(r.Machines[0].LineBytes.Or(64)))
	}
	for k, m := range r.Machines {
		if r.Options.HitModel == HitModelSDCM {
			for i := range m.Levels {
				private(run.key(m, &m.Levels[i]))
			}
		}
		if r.distances && count == 1 {
			private(run.key(m, &m.Levels[0]))
		}
		if k, ok := pagesOf(r.Model, m); ok {
			private(k)
		}
		h, warnings, err := hierarchy.Of(m, count, nil)
		if err != nil {
			return nil, err
		}
		warnings = append(warnings, cumulate(&h, m)...)
		s, err := run.together.add(h, m.PrefetchStreams(), r.Options.pageOn(m), k >= len(r.Machines)-r.Padded)
		if err != nil {
			return nil, err
		}
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

// key is what a level of a machine sees of the team's accesses.
func (run *observed) key(m *machine.Machine, l *machine.Level) sharingKey {
	o := threads.Stream(run.threads, l.SharedBy.Or(1), int64(m.Line(l)))
	return sharingKey{o.Group, o.Line}
}

// add takes the next accesses.
func (run *observed) add(events []trace.Event) error {
	var beside errgroup.Group
	for _, l := range run.localities {
		if run.together.beside {
			beside.Go(func() error { return l.add(events) })
		} else if err := l.add(events); err != nil {
			return err
		}
	}
	if run.ofCode() {
		run.touched.add(events)
	}
	return cmp.Or(run.together.events(events, run.team.Names()), beside.Wait())
}

// ofCode says whether what runs is recorded as machine code. Its modules are known before its first access.
func (run *observed) ofCode() bool {
	ran := run.team.Ran()
	return ran != nil && followed.Compilers(&ran.Code) != ""
}

// finish measures what is left and keeps the regions; failed is how reading ended.
func (run *observed) finish(failed error) error {
	for _, s := range run.simulations {
		run.regions = append(run.regions, run.together.regions(s, run.team.Names()))
	}
	for _, l := range run.localities {
		if err := l.finish(); err != nil {
			return err
		}
	}
	return failed
}

// names are the regions, of a run in the order in which it came to them.
func (run *observed) names() (out []string) {
	if ran := run.team.Ran(); ran != nil {
		for _, r := range ran.Regions() {
			out = append(out, r.Name)
		}
		return out
	}
	if len(run.regions) > 0 {
		for _, r := range run.regions[0] {
			out = append(out, r.Region)
		}
	}
	return out
}

// errNoOperations is why a trace has no time.
var errNoOperations = errors.New("a trace holds accesses alone; what is computed between them is not known (a recording of the program holds both)")

// errStopped is why accesses that were not read to their end have no time.
var errStopped = errors.New("it was ended on the way: each number of threads got to a place of its own, with operations counted only up to parts that were whole")

// demand gives what is known of a region on a machine; nil where it made no accesses, and no machine code of it ran.
func (run *observed) demand(name string, number int) (*demand, error) {
	m := run.request.Machines[number]
	d := &demand{region: name, threads: run.threads, hits: []HitRate{}}
	d.dealt, d.interleave = run.team.Mixed()
	lines := run.simulated(d, m, number)
	region := run.stats(name)
	if d.accesses == 0 { // code alone
		if !run.ofCode() || !codeRan(region) {
			return nil, nil
		}
		lines = make([]traffic.Served, len(m.Levels)+1)
		for i := range m.Levels {
			d.hits = append(d.hits, HitRate{Level: m.Levels[i].Name, Scope: threads.Scope(run.key(m, &m.Levels[i]).group), HitRate: 1})
		}
	}
	if run.request.Options.HitModel == HitModelSDCM && d.accesses > 0 {
		if err := run.sdcm(d, m); err != nil {
			return nil, err
		}
	}
	switch {
	case run.team.Ran() == nil:
		d.unknown = errNoOperations
	case run.stopped:
		d.unknown = errStopped
	case region == nil || region.Words == 0 && d.accesses > 0:
		return nil, nil
	default:
		_, code, _, _, _ := run.team.Ran().Info()
		run.time(d, number, code, region, lines)
	}
	return d, nil
}

// stats is what the recording counted of a region; nil of accesses without one.
func (run *observed) stats(name string) *recording.Region {
	ran := run.team.Ran()
	if ran == nil {
		return nil
	}
	regions := ran.Regions()
	if i := slices.IndexFunc(regions, func(s *recording.Region) bool { return s.Name == name }); i >= 0 {
		return regions[i]
	}
	return nil
}

// simulated fills in the hit rates of the simulation and gives, for each level and memory, how the lines that it serves come.
func (run *observed) simulated(d *demand, m *machine.Machine, number int) []traffic.Served {
	s := run.simulations[number]
	d.warnings = append(d.warnings, run.warnings[number]...)
	for i, r := range run.regions[number] {
		if r.Region != d.region {
			continue
		}
		d.accesses = r.Accesses
		for j, l := range r.Levels {
			d.hits = append(d.hits, HitRate{Level: l.Level, Scope: threads.Scope(run.key(m, &m.Levels[j]).group), HitRate: l.HitRate})
		}
		d.arrays, d.sharing = arraysThatMissed(r.Arrays), run.together.sharing(s.order[i], run.sites)
		lines := make([]traffic.Served, len(r.Levels)+1)
		for j := range lines {
			lines[j] = s.arrival.Of(s.order[i], j)
		}
		return lines
	}
	return nil
}

// sdcm replaces the hit rates by those that SDCM gives for the reuse distances.
func (run *observed) sdcm(d *demand, m *machine.Machine) error {
	above := 0.0
	d.hits = d.hits[:0]
	for i := range m.Levels {
		l := &m.Levels[i]
		g, assumption, err := hierarchy.Geometry(m, l, run.threads)
		if err != nil {
			return err
		}
		if assumption != "" {
			d.warnings = append(d.warnings, assumption)
		}
		key := run.key(m, l)
		h := run.histogram(run.localities[key], d.region)
		if h == nil {
			return nil
		}
		hit, _ := h.Distribution().Expectation(func(value float64, _ int32) float64 { return g.HitProbability(value) })
		above = max(above, hit)
		d.hits = append(d.hits, HitRate{Level: l.Name, Scope: threads.Scope(key.group), HitRate: above})
	}
	return nil
}

// histogram is that of a region, summed over the groups of threads; nil where it made no accesses.
func (run *observed) histogram(l *locality, name string) *reuse.Histogram {
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

// time fills in what the time of a region that ran is made of.
func (run *observed) time(d *demand, number int, code *recording.Code, region *recording.Region, lines []traffic.Served) {
	m := run.request.Machines[number]
	blocks, flops, unknown := blocksOf(code, region)
	d.flops = flops
	waits := run.code.Give(number, region.Name, code, region.Counts, blocks)
	faults := 0.0
	if waits != nil {
		d.code, faults = followed.Compilers(code), run.touched.of(region.Name, run.team.Names())*region.Slowest(run.threads)
		d.warnings = append(d.warnings, run.code.Doubts(number, region.Name)...)
	}
	if unknown {
		d.unknown = errors.New("operations are not counted with gcc; build with clang")
	}
	slowest := region.Slowest(run.threads)
	chased := chasedShare(code, region)
	if run.request.Sharing {
		d.chased = chased
	}
	d.ppt = func() timing.PPTInput { return pptOf(code, region, blocks, d) }
	d.input = func(model string) (timing.Input, error) {
		in := timing.Input{
			Blocks: blocks, Threads: run.threads, Imbalance: slowest * float64(run.threads), Regions: float64(region.Forks), Barriers: float64(region.Barriers),
			Traffic: servedTraffic(d, lines, slowest, chased), Waits: waits, Faults: faults,
		}
		if model == ModelBandwidth {
			walks, table := run.walks(m, d.region)
			in.Walks, in.Table = walks*float64(d.accesses)*slowest, table
		}
		return in, nil
	}
}

// servedTraffic is the lines that each level serves below the first, of which the slowest thread has a share, and of which a share waits for the
// load before (chased). How many they are the hit rates say; how they come, the simulation. Runs that it saw begin were all begun anew.
func servedTraffic(d *demand, lines []traffic.Served, slowest, chased float64) (out []timing.Traffic) {
	for i := range d.hits {
		of := lines[i+1]
		t := timing.Traffic{Level: traffic.Memory, Sequential: of.Straight(), Steps: of.Steps, Written: of.Written, Streams: of.Streams, Run: of.Run, Begun: 1, Dependent: chased}
		if d.accesses > 0 {
			t.Between = of.Gap / (float64(d.accesses) * slowest)
			t.FarBetween = t.Between
		}
		share := 1 - d.hits[i].HitRate
		if i+1 < len(d.hits) {
			t.Level = d.hits[i+1].Level
			share -= 1 - d.hits[i+1].HitRate
		}
		t.AllLines = share * float64(d.accesses)
		t.Lines = t.AllLines * slowest
		out = append(out, t)
	}
	return out
}

// walks is the share of accesses to pages whose translation must be looked up, and the share of these whose entry in the page
// table is far away, pages being anywhere.
func (run *observed) walks(m *machine.Machine, name string) (walks, table float64) {
	k, ok := pagesOf(run.request.Model, m)
	f := m.Fit(machine.SweepRead)
	if !ok || f == nil {
		return 0, 0
	}
	h := run.histogram(run.localities[k], name)
	if h == nil {
		return 0, 0
	}
	return traffic.PageWalks(h.Distribution(), float64(k.line), float64(m.LineBytes.Or(64)), f)
}

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
	dealing := following(code, lines, r.Options.dealing())
	dealing.Lines = r.leftOut()
	failed := r.Signature.Streams.Each(ctx, dealing, counts, func(ctx context.Context, i int, t application.Team, workers int) error {
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

// team takes all events of a team of a recorded run, those of one thread in runs.
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
		if over, err := ended(ctx, err); over {
			return err
		}
	}
}
