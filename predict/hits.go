package predict

import (
	"context"
	"errors"
	"fmt"
	"math"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/cache"
	"foresee/model/reuse"
	"foresee/model/threads"
)

// Analysis keeps the sampled streams of one program, so that levels and machines that see the same share them. It
// is not safe for concurrent use; the sampling itself uses all cores.
type Analysis struct {
	ctx     context.Context
	program *nest.Program
	options Options
	streams map[streamKey]*stream
	places  *localities
	step    func(part float64) // called with the part done of the stream being sampled; may be nil
}

// streamKey is a stream and how it is known.
type streamKey struct {
	options           nest.Options
	model, interleave string
}

type stream struct {
	nest    *nest.Stream
	sampled *reuse.Sampled
	steps   []int     // by reference: the class of the distance between successive lines, by bandwidth.UsualStreams
	movers  []int     // by reference: the variable of the innermost loop that moves it; -1: none
	writes  []bool    // by reference
	first   []float64 // by reference: the share of first uses of lines
}

// NewAnalysis begins the analysis of a program; nothing is sampled before it is needed.
func NewAnalysis(ctx context.Context, p *nest.Program, o Options) *Analysis {
	s := &Analysis{ctx: ctx, program: p, options: o, streams: map[streamKey]*stream{}}
	s.places = newLocalities(ctx, o, s.report)
	return s
}

// HitRates gives the cumulative hit rate of every level of a machine at a number of threads.
func (s *Analysis) HitRates(m *machine.Machine, count int, model string) ([]HitRate, error) {
	levels, err := s.hits(m, count, model)
	if err != nil {
		return nil, err
	}
	var out []HitRate
	for _, h := range levels {
		out = append(out, HitRate{h.level.Name, threads.Scope(h.group), h.hit, h.err})
	}
	return out, nil
}

// get answers from the program's signature or samples a stream, or gives the one known before.
func (s *Analysis) get(o nest.Options) (*stream, error) {
	model, interleave, err := s.places.choose(s.program, o.Threads, o.Line)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.program.Region, err)
	}
	key := streamKey{o, model, interleave}
	if st, ok := s.streams[key]; ok {
		return st, nil
	}
	of := o
	if model == ThreadsSymbolic {
		of = nest.Options{Threads: 1, Group: 1, Line: o.Line, Undealt: true}
	}
	n, err := nest.NewStream(s.program, of)
	if err != nil {
		return nil, err
	}
	sampled, err := s.sampled(n, o, key)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.program.Region, err)
	}
	st := &stream{nest: n, sampled: sampled, movers: make([]int, n.References()), writes: make([]bool, n.References())}
	st.steps = st.classes(bandwidth.UsualStreams)
	for i := range st.movers {
		if v, ok := n.Mover(i); ok {
			st.movers[i] = int(v)
		} else {
			st.movers[i] = -1
		}
		st.writes[i] = n.Reference(i).Write
	}
	st.first = firstUses(s.program, n, sampled.Last)
	st.balance(s.program)
	s.streams[key] = st
	return st, nil
}

// on is the stream as a machine sees it: its prefetchers may follow more streams than usual, or fewer, so that other steps count.
func (st *stream) on(m *machine.Machine) *stream {
	if m.PrefetchStreams() == bandwidth.UsualStreams {
		return st
	}
	seen := *st
	seen.steps = st.classes(m.PrefetchStreams())
	return &seen
}

// classes are the classes of the steps between successive lines of each reference. A loop of no more iterations than prefetchers follow
// streams makes as many streams, in which the step is that of the loop around it.
func (st *stream) classes(followed int) []int {
	out := make([]int, st.nest.References())
	for i := range out {
		step := bandwidth.RandomStep()
		if stride := st.nest.Stride(i, int64(followed)); stride != 0 {
			step = bandwidth.StepOfBytes(stride, float64(st.nest.Options().Line))
		}
		out[i] = step.Class()
	}
	return out
}

func (s *Analysis) sampled(n *nest.Stream, o nest.Options, key streamKey) (*reuse.Sampled, error) {
	switch {
	case key.model == ThreadsSymbolic:
		return s.places.sampled(s.program, o, key.interleave)
	case key.model == ThreadsPublished:
		return nil, errors.New("the published model gives curves of shared caches, no hit rates of a machine; take foresee mrc --threads-model pluss")
	case o.Threads > 1 && o.Group > 1 && key.interleave == threads.Uniform:
		return nil, errors.New("the exact model solves for threads that take turns; leave out --interleave uniform, or take --threads-model symbolic")
	}
	return reuse.Sample(s.ctx, n, reuse.SampleOptions{
		Seed: s.options.Seed, Reuses: s.options.Samples, Workers: s.options.Workers, Progress: s.report,
	})
}

func (s *Analysis) report(done, total int) {
	if s.step != nil {
		s.step(float64(done) / float64(total))
	}
}

// levelHits is what one level does for a run.
type levelHits struct {
	level      *machine.Level
	group      int
	line       int64   // bytes
	hit        float64 // cumulative
	err        float64
	miss       float64 // as a share of all accesses
	missed     misses  // the same by kind
	assumption string
}

// hits applies SDCM to every level of a machine.
func (s *Analysis) hits(m *machine.Machine, count int, model string) ([]levelHits, error) {
	var out []levelHits
	above := 0.0
	for i := range m.Levels {
		l := &m.Levels[i]
		g, assumption, err := geometry(m, l, count)
		if err != nil {
			return nil, err
		}
		o := threads.Stream(count, l.SharedBy.Or(1), int64(m.Line(l)))
		st, err := s.get(o)
		if err != nil {
			return nil, err
		}
		st = st.on(m)
		h := levelHits{level: l, group: o.Group, line: o.Line, assumption: assumption}
		probability := hitModel(model, st, g, s.options.pageOn(m)/int64(m.Line(l)))
		h.hit, h.err = st.sampled.Distances.Expectation(probability)
		h.hit = max(h.hit, above) // what a level above serves counts here as well
		above = h.hit
		h.miss = 1 - h.hit
		h.missed = st.misses(probability, h.miss)
		out = append(out, h)
	}
	return out, nil
}

// hitModel gives the probability of a hit at a distance.
// A page has so many lines, which lie in order in caches; 0: all do.
func hitModel(model string, st *stream, g cache.Geometry, page int64) func(value float64, class int32) float64 {
	if model == HitModelSDCM || g.Lines == g.Ways {
		return func(value float64, _ int32) float64 { return g.HitProbability(value) }
	}
	conflicts := st.sampled.Distances.Conflicts(g.Lines/g.Ways, page)
	return func(value float64, class int32) float64 {
		if class < 0 {
			return g.HitProbability(value)
		}
		return g.HitProbabilityAt(value, conflicts[class])
	}
}

// misses are shares of all accesses, by reference.
type misses struct {
	of    *stream
	lines []float64
}

// misses are those of one cache, of which all together are given.
func (st *stream) misses(hit func(value float64, class int32) float64, all float64) misses {
	m := misses{st, make([]float64, len(st.steps))}
	d := st.sampled.Distances
	total := d.Total()
	if total == 0 {
		return m
	}
	for _, p := range d.Points {
		if int(p.Reference) < len(m.lines) {
			m.lines[p.Reference] += p.Weight * (1 - hit(p.Value, p.Class)) / total
		}
	}
	for r, share := range st.first {
		m.lines[r] += d.Cold / total * share
	}
	sum := 0.0
	for _, n := range m.lines {
		sum += n
	}
	if sum > all && sum > 0 { // what a level above serves is no miss of this one
		for i := range m.lines {
			m.lines[i] *= all / sum
		}
	}
	return m
}

// walks are the shares of accesses, by reference, to pages whose translation the TLBs of a measured machine no longer have, by how many
// other pages were used since, and the shares of accesses whose entry in the page table is far away as well.
func (s *Analysis) walks(m *machine.Machine, count int, f *bandwidth.Extended) (walks, table []float64, err error) {
	page, line := float64(m.Measured.Page), float64(m.Line(&m.Levels[0]))
	st, err := s.get(threads.Stream(count, 1, int64(page)))
	if err != nil {
		return nil, nil, err
	}
	st = st.on(m)
	walks, table = make([]float64, len(st.steps)), make([]float64, len(st.steps))
	d := st.sampled.Distances
	total := d.Total()
	if total == 0 {
		return walks, table, nil
	}
	add := func(weight, pages float64, reference int) {
		if reference < len(st.steps) {
			walks[reference] += weight / total
			table[reference] += weight / total * f.TableMiss(bandwidth.StepOf(st.steps[reference]).Lines, pages, line)
		}
	}
	for _, p := range d.Points {
		add(p.Weight*f.TLBMiss(p.Value*page), p.Value, int(p.Reference))
	}
	for r, share := range st.first {
		add(d.Cold*share, math.Inf(1), r)
	}
	return walks, table, nil
}

// geometry is the cache that cumulative hits of a level are counted in: an exclusive level holds what the levels
// above do not, so that its lines and theirs add up.
func geometry(m *machine.Machine, l *machine.Level, count int) (g cache.Geometry, assumption string, err error) {
	size, ok := l.Capacity()
	if !ok {
		return g, "", fmt.Errorf("machine %s has no levels.%s.size; add it to a machine file", m.Name, l.Name)
	}
	line := int64(m.Line(l))
	g.Lines = int64(size) / line
	g.Ways = g.Lines
	if ways, ok := l.Ways.Get(); ok {
		g.Ways = int64(ways)
		g.Lines -= g.Lines % g.Ways // of sizes that were measured
	} else {
		assumption = fmt.Sprintf("machine %s does not say how many ways %s has; taken as fully associative", m.Name, l.Name)
	}
	if l.Inclusion.Or("") == "exclusive" {
		inner := innerLines(m, l, count)
		sets := g.Lines / g.Ways
		g.Ways += inner / sets
		g.Lines = sets * g.Ways
	}
	return g, assumption, g.Validate()
}

// innerLines counts the lines of the level above, over all cores that share l and run a thread.
func innerLines(m *machine.Machine, l *machine.Level, count int) int64 {
	for i := range m.Levels {
		if &m.Levels[i] != l || i == 0 {
			continue
		}
		inner := &m.Levels[i-1]
		size, _ := inner.Size.Get()
		instances := max(1, l.Sharers(count)/max(1, inner.Sharers(count)))
		return int64(size) / int64(m.Line(inner)) * int64(instances)
	}
	return 0
}
