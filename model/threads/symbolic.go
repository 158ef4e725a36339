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
	s       *Signature
	work    []*work   // by shape
	alone   []float64 // by sample: what the pooled footprint gives for its window with one thread
	last    []int     // Signature.Last
	private []int32   // samples of private objects in parallel code
	teams   teams
	asked
}

// asked is what every team asks of samples, by sample.
type asked struct {
	weight   []float64
	loop     []int32   // one more than its number; serialCode
	quantile []float64 // standard normal numbers; those of successive samples fill the distribution evenly
	lo, hi   []int64   // the first and the last iteration of its runs; hi < lo where it has none
	alike    []bool    // every iteration of the execution touches the line alike, in as many accesses
	likes    bool      // there are such samples
	members  []int     // by loop: samples
	loops    int       // that have samples
	serial   bool      // there are samples of serial code
}

// serialCode is what stands for the loop of a sample of serial code.
const serialCode = 0

// NewModel prepares a signature.
func NewModel(s *Signature) *Model {
	m := &Model{s: s, last: s.Last()}
	for i := range s.Shapes {
		m.work = append(m.work, newWork(&s.Shapes[i]))
	}
	m.ask()
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	m.alone = slices.Clone(m.follow(Team{Threads: 1, Group: 1}, r).footprints())
	return m
}

// ask finds what every team asks.
func (m *Model) ask() {
	n := len(m.s.Samples)
	m.weight, m.quantile = make([]float64, n), make([]float64, n)
	m.loop, m.alike, m.lo, m.hi = make([]int32, n), make([]bool, n), make([]int64, n), make([]int64, n)
	m.members = make([]int, len(m.s.Loops)+1)
	for i := range m.s.Samples {
		y := &m.s.Samples[i]
		m.weight[i], m.quantile[i] = y.Weight, quantileOf(i)
		if y.Shape >= 0 {
			m.loop[i] = m.s.Shapes[y.Shape].Loop + 1
			m.lo[i], m.hi[i] = span(y.Runs)
			m.alike[i] = alike(y, m.work[y.Shape])
			m.likes = m.likes || m.alike[i]
			if y.Private {
				m.private = append(m.private, int32(i))
			}
		}
		if m.members[m.loop[i]]++; m.members[m.loop[i]] == 1 {
			m.loops++
		}
	}
	m.serial = m.members[serialCode] > 0
}

// Signature is what the model answers from.
func (m *Model) Signature() *Signature { return m.s }

// Distances is the distribution of reuse distances in the caches that a team's groups see.
func (m *Model) Distances(t Team) *reuse.Distribution { return m.Sampled(t).Distances }

// Sampled is what reuse.Sample would find in the streams of a team's groups, without intervals.
func (m *Model) Sampled(t Team) *reuse.Sampled {
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	f := m.follow(t, r)
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
		Distances: f.collect(footprint, 0), Accesses: m.s.Accesses, Reuses: len(m.s.Samples), Last: slices.Clone(m.last), Elsewhere: f.elsewhere(),
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
	r := rooms.Get().(*room)
	defer rooms.Put(r)
	f := m.follow(t, r)
	return f.collect(f.interval, math.Inf(1))
}

// copies is the most threads that work in an execution that uses private objects; at least 1.
func (m *Model) copies(plans []plan) int {
	most := 1
	for _, i := range m.private {
		most = max(most, plans[m.s.Samples[i].Shape].live(0))
	}
	return most
}

// Balance is how evenly the work of a team is spread, by the schedules of the loops.
func (m *Model) Balance(t Team) nest.Balance {
	plans := m.dealt(t).plans
	inside, all, sum := 0.0, 0.0, 0.0
	for i := range m.s.Samples {
		y := &m.s.Samples[i]
		all += y.Weight
		if y.Shape < 0 {
			continue
		}
		inside += y.Weight
		p := &plans[y.Shape]
		sum += y.Weight * p.longest() * float64(t.Threads) / max(p.work.total, 1)
	}
	b := nest.Balance{Imbalance: 1}
	if inside > 0 && t.Threads > 1 {
		b.Parallel, b.Imbalance = inside/all, sum/inside
	}
	return b
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
	m      *Model
	team   Team
	room   *room
	copies int // of private objects: threads that use them
	*uses
}

// uses are what following finds, by sample.
type uses struct {
	at       []float64
	interval []float64 // +Inf: never
	own      []bool    // by the same thread
	inside   []bool    // of the same execution
	steps    []float64 // accesses of its own that the thread makes until then, where it is the one and the execution the same; else 0
	spread   []float64 // how far other threads are ahead or behind, one standard deviation
	weight   []float64 // accesses of the group that the sample stands for, over those of all
}

// room is what a question works in; rooms are those that are free.
type room struct {
	uses
	sorter     sorter
	pools      [3]pools
	counted    counted
	order      []int32 // samples by time
	byInterval []int32
	byEnd      []int32 // places in time, by the ends of the windows that begin there
	sorted     []float64
	end        []float64
	direct     []float64
	within     []int32
	footprint  []float64
}

var rooms = sync.Pool{New: func() any { return &room{} }}

// follow places all samples and finds their next uses.
func (m *Model) follow(t Team, r *room) *followed {
	n := len(m.s.Samples)
	f := &followed{m: m, team: t, room: r, uses: &r.uses}
	f.at, f.interval, f.steps, f.spread, f.uses.weight = sized(f.at, n), sized(f.interval, n), sized(f.steps, n), sized(f.spread, n), sized(f.uses.weight, n)
	f.own, f.inside = sized(f.own, n), sized(f.inside, n)
	d := m.dealt(t)
	f.copies = m.copies(d.plans)
	inParallel(n, func(first, end int) {
		g := &follower{Team: t, m: m, plans: d.plans, walkers: d.walkers}
		for i := first; i < end; i++ {
			g.number = i
			g.follow(&m.s.Samples[i])
			f.at[i], f.interval[i], f.own[i], f.inside[i], f.steps[i], f.spread[i], f.uses.weight[i] = g.at, g.interval, g.own, g.inside, g.steps, g.spread, g.weight
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

// footprints gives for every sample the number of distinct lines that its group touches until the next use. They are in the room of the question.
func (f *followed) footprints() []float64 {
	w := newWindows(f)
	f.room.footprint = sized(f.room.footprint, len(f.at))
	out := f.room.footprint
	direct, within := w.direct()
	for inTime, i := range w.order {
		if math.IsInf(f.interval[i], 1) {
			out[i] = 0
			continue
		}
		share := 0.0
		if n := within[inTime]; n > fewWithin {
			share = min(math.Log(float64(n)/fewWithin)/math.Log(float64(manyWithin)/fewWithin), 1)
		}
		pooled := 0.0
		if share < 1 {
			pooled = w.pooled(i, f.between(int(i)), f.inside[i])
		}
		out[i] = share*direct[inTime] + (1-share)*pooled
	}
	return out
}
