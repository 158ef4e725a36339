package threads

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"foresee/application/nest"
	"foresee/model/reuse"
)

// Interleavings of threads between barriers. Model is of threads at random.
const (
	Uniform    = "uniform"     // every access is made by a thread drawn at random
	RoundRobin = "round-robin" // threads take turns
)

// Team says which threads run and which of them share the cache; their accesses mix at random.
type Team struct {
	Threads int
	Group   int // neighbouring threads that share the cache; 1: private caches
	Seed    uint64
}

// Model answers for any team from one signature. It is safe for concurrent use.
type Model struct {
	s     *Signature
	work  []*work   // by shape
	alone []float64 // by sample: what the pooled footprint gives for its window with one thread
}

// NewModel prepares a signature.
func NewModel(s *Signature) *Model {
	m := &Model{s: s}
	for i := range s.Shapes {
		m.work = append(m.work, newWork(&s.Shapes[i]))
	}
	m.alone = m.follow(Team{Threads: 1, Group: 1}).footprints()
	return m
}

// Signature is what the model answers from.
func (m *Model) Signature() *Signature { return m.s }

// Distances is the distribution of reuse distances in the caches that a team's groups see.
func (m *Model) Distances(t Team) *reuse.Distribution { return m.Sampled(t).Distances }

// Sampled is what reuse.Sample would find in the streams of a team's groups, without intervals.
func (m *Model) Sampled(t Team) *reuse.Sampled {
	f := m.follow(t)
	footprint := f.footprints()
	for i := range footprint {
		switch {
		case f.alike(i):
			footprint[i] = m.s.Samples[i].Distance
		case f.own[i]:
			footprint[i] = f.corrected(i, footprint[i])
		}
	}
	return &reuse.Sampled{
		Distances: f.collect(footprint, 0), Accesses: m.s.Accesses, Reuses: len(m.s.Samples), Last: m.s.Last(), Elsewhere: f.elsewhere(),
	}
}

// elsewhere counts, by reference, the accesses that use a line next where there is one thread, but here come from another group, which the
// line is new to.
func (f *followed) elsewhere() (out []int) {
	weights := []float64{}
	for i := range f.m.s.Samples {
		y := &f.m.s.Samples[i]
		if y.Interval == 0 || !math.IsInf(f.interval[i], 1) {
			continue
		}
		for int(y.Reference) >= len(weights) {
			weights = append(weights, 0)
		}
		weights[y.Reference] += y.Weight
	}
	for _, w := range weights {
		out = append(out, int(w+0.5))
	}
	return out
}

// Intervals is the distribution of reuse intervals in the caches that a team's groups see, in accesses of all
// threads.
func (m *Model) Intervals(t Team) *reuse.Distribution {
	f := m.follow(t)
	return f.collect(f.interval, math.Inf(1))
}

// copies is the most threads that work in an execution that uses private objects; at least 1.
func (m *Model) copies(plans []*plan) int {
	most := 1
	for i := range m.s.Samples {
		if y := &m.s.Samples[i]; y.Private && y.Shape >= 0 {
			most = max(most, plans[y.Shape].live(0))
		}
	}
	return most
}

// Balance is how evenly the work of a team is spread, by the schedules of the loops.
func (m *Model) Balance(t Team) nest.Balance {
	plans := m.plans(t.Threads)
	inside, all, sum := 0.0, 0.0, 0.0
	for i := range m.s.Samples {
		y := &m.s.Samples[i]
		all += y.Weight
		if y.Shape < 0 {
			continue
		}
		inside += y.Weight
		p := plans[y.Shape]
		sum += y.Weight * slices.Max(p.length) * float64(t.Threads) / max(p.work.total, 1)
	}
	b := nest.Balance{Imbalance: 1}
	if inside > 0 && t.Threads > 1 {
		b.Parallel, b.Imbalance = inside/all, sum/inside
	}
	return b
}

// plans deals every execution to a number of threads.
func (m *Model) plans(count int) []*plan {
	plans := make([]*plan, len(m.s.Shapes))
	inParallel(len(plans), func(first, end int) {
		size := planSpace(count)
		space := make([]float64, size*(end-first))
		for i := first; i < end; i++ {
			plans[i] = newPlan(m.work[i], &m.s.Loops[m.s.Shapes[i].Loop], count, space[(i-first)*size:(i-first+1)*size])
		}
	})
	return plans
}

// inParallel cuts 0 … n−1 into pieces for all cores.
func inParallel(n int, f func(first, end int)) {
	workers := runtime.GOMAXPROCS(0)
	piece := n/(4*workers) + 1
	var next atomic.Int64
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for first := int(next.Add(int64(piece))) - piece; first < n; first = int(next.Add(int64(piece))) - piece {
				f(first, min(first+piece, n))
			}
		})
	}
	group.Wait()
}

// followed is where a team's accesses stand and when their lines are used next, in accesses of all threads.
type followed struct {
	m        *Model
	team     Team
	at       []float64 // by sample
	interval []float64 // +Inf: never
	own      []bool    // by the same thread
	inside   []bool    // of the same execution
	steps    []float64 // accesses of its own that the thread makes until then, where it is the one and the execution the same; else 0
	spread   []float64 // how far other threads are ahead or behind, one standard deviation
	copies   int       // of private objects: threads that use them
	weight   []float64 // accesses of the group that the sample stands for, over those of all
}

// follow places all samples and finds their next uses.
func (m *Model) follow(t Team) *followed {
	n := len(m.s.Samples)
	f := &followed{
		m: m, team: t, at: make([]float64, n), interval: make([]float64, n), own: make([]bool, n),
		inside: make([]bool, n), steps: make([]float64, n), spread: make([]float64, n), weight: make([]float64, n),
	}
	plans := m.plans(t.Threads)
	f.copies = m.copies(plans)
	walkers := newWalkers(t)
	inParallel(n, func(first, end int) {
		g := &follower{Team: t, plans: plans, walkers: walkers}
		for i := first; i < end; i++ {
			y := &m.s.Samples[i]
			g.number = i
			g.follow(y)
			f.at[i], f.interval[i], f.own[i], f.inside[i], f.steps[i], f.spread[i], f.weight[i] = g.at, g.interval, g.own, g.inside, g.steps, g.spread, g.weight
		}
	})
	return f
}

// parts is how many parts a sample is split into for standard errors, as in package reuse.
const parts = 16

// collect makes the distribution: intervals become distances, and what is never used again as much as there are
// lines.
func (f *followed) collect(values []float64, most float64) *reuse.Distribution {
	s := f.m.s
	finite, never := 0.0, 0.0
	for i := range s.Samples {
		if math.IsInf(f.interval[i], 1) {
			never += s.Samples[i].Weight
		} else {
			finite += s.Samples[i].Weight
		}
	}
	total := float64(s.Accesses)
	cold := f.cold(never, finite)
	scale := 0.0
	if finite > 0 {
		scale = (total - cold) / finite
	}
	d := &reuse.Distribution{Cold: cold, ColdError: f.coldError(cold), Classes: s.Apart, Parts: make([]float64, parts)}
	for i := range d.Parts {
		d.Parts[i] = cold / parts
	}
	most = max(most, cold-1) // there are no more lines than are touched
	for i := range s.Samples {
		if math.IsInf(f.interval[i], 1) {
			continue
		}
		d.Points = append(d.Points, reuse.Point{
			Value: math.Round(min(max(values[i], 0), most)), Weight: s.Samples[i].Weight * scale,
			Reference: s.Samples[i].Reference, Class: s.Samples[i].Class, Part: uint8(i % parts),
		})
	}
	d.Sort()
	return d
}

// groups is the number of caches.
func (f *followed) groups() float64 {
	return math.Ceil(float64(f.team.Threads) / float64(f.team.Group))
}

// alike tells whether a cache of one thread sees between two uses of a line just what it sees where there is one thread alone.
func (f *followed) alike(i int) bool {
	return f.team.Group == 1 && f.steps[i] > 0 && f.steps[i] == float64(f.m.s.Samples[i].Interval)
}

// between is how many accesses come between a use and the next one. Threads at random make a whole number of them: where each of T makes one
// access in T on average, at least n come before the thread's next one with probability (1−1/T)ⁿ, for which the mean time between the two
// must be half an access shorter; of more accesses of the thread the sum is rounded.
func (f *followed) between(i int) float64 {
	switch {
	case f.team.Threads == 1 || !f.inside[i]:
		return f.interval[i] - 1
	case f.steps[i] == 1:
		return math.Ceil(f.interval[i]*(1-0.5/float64(f.team.Threads))) - 1
	}
	return math.Max(math.Round(f.interval[i]), 1) - 1
}

// corrected applies to a window between two uses by one thread what the pooled footprint got wrong of it with one
// thread: to the thread's own part, and to those of the others as far as they are in step with it.
func (f *followed) corrected(i int, footprint float64) float64 {
	y := &f.m.s.Samples[i]
	alone := f.m.alone[i]
	if alone <= 0 || y.Interval <= 1 {
		return footprint
	}
	ratio := min(max(y.Distance/alone, 0.1), 10)
	own := float64(y.Interval)
	step := own / (own + f.spread[i])
	return footprint*(1+step*(ratio-1)) + (1-step)*(y.Distance-alone)
}

// cold is the number of first uses: of one cache for all, the lines and the threads' copies of private ones; of
// several, from the samples.
func (f *followed) cold(never, finite float64) float64 {
	s := f.m.s
	if f.team.Group >= f.team.Threads {
		return min(s.Lines+s.Private*float64(f.copies-1), float64(s.Accesses))
	}
	return max(never/max(never+finite, 1)*float64(s.Accesses), s.Lines)
}

// coldError is the standard error of the number of first uses: of one cache that of the lines, of several that of a share of the samples.
func (f *followed) coldError(cold float64) float64 {
	s := f.m.s
	if f.team.Group >= f.team.Threads {
		return s.LinesError
	}
	share := cold / max(float64(s.Accesses), 1)
	return math.Sqrt(max(share*(1-share), 0)/float64(max(len(s.Samples), 1))) * float64(s.Accesses)
}

// footprints gives for every sample the number of distinct lines that its group touches until the next use.
func (f *followed) footprints() []float64 {
	order := make([]int, len(f.at))
	for i := range order {
		order[i] = i
	}
	sortBy(order, f.at)
	w := newWindows(f, order)
	out := make([]float64, len(f.at))
	direct, within := w.direct()
	for inTime, i := range order {
		if math.IsInf(f.interval[i], 1) {
			continue
		}
		pooled := w.pooled(inTime, f.between(i), f.inside[i])
		// Samples within the window count its lines where there are many, the pool of neighbours where there are few; between them both.
		// Chosen: with 48 samples the one is off by a seventh, with 256 by a sixteenth, less than neighbours differ.
		const few, many = 48, 256
		share := min(max(math.Log(float64(within[inTime])/few)/math.Log(float64(many)/few), 0), 1)
		out[i] = share*direct[inTime] + (1-share)*pooled
	}
	return out
}
