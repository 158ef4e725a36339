package predict

import (
	"context"
	"fmt"
	"math"
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
	"foresee/machine"
	"foresee/model/cache"
	"foresee/model/conflict"
	"foresee/model/reuse"
	"foresee/model/threads"
	"foresee/model/traffic"
	"foresee/predict/hierarchy"
)

// Analysis keeps the sampled streams of one program, so that levels and machines that see the same share them. It
// is not safe for concurrent use; the sampling itself uses all cores.
type Analysis struct {
	ctx     context.Context
	program *nest.Program
	options Options
	source  *traffic.Source // nil before the first stream
	streams map[streamKey]*traffic.Stream
	runs    *nest.Runs // of the program; nil: not counted yet, or not to be counted
	places  *localities
	counts  map[countKey]*conflict.Hits
	ratios  map[countKey][]float64        // of misses that are counted at one thread to those that chance would have
	walked  map[int64]*reuse.Distribution // of one thread by walking, by length of lines
	both    *Analysis                     // of two calls in a row; nil before it is needed
	step    func(part float64)            // called with the part done of the stream being sampled; may be nil
}

// streamKey is a stream and how it is known.
type streamKey struct {
	options           nest.Options
	model, interleave string
}

// countKey is caches that hits are counted in, in words, and a number of threads: machines whose other levels differ share what was counted.
type countKey struct {
	caches  string
	threads int
}

// countKey is that of a machine's levels.
func (s *Analysis) countKey(m *machine.Machine, levels []cache.Level, threads int) countKey {
	return countKey{fmt.Sprintf("lines of %d B, pages of %d B: %+v", m.LineBytes.Or(64), s.options.pageOn(m), levels), threads}
}

// NewAnalysis begins the analysis of a program; nothing is sampled before it is needed.
func NewAnalysis(ctx context.Context, p *nest.Program, o Options) *Analysis {
	s := &Analysis{ctx: ctx, program: p, options: o, streams: map[streamKey]*traffic.Stream{}, counts: map[countKey]*conflict.Hits{}, ratios: map[countKey][]float64{}, walked: map[int64]*reuse.Distribution{}}
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
		out = append(out, h.rate())
	}
	return out, nil
}

// get answers from the program's signature or samples a stream, or gives the one known before.
func (s *Analysis) get(o nest.Options) (*traffic.Stream, error) {
	model, interleave, err := s.places.choose(s.program, o.Threads, o.Line)
	if err != nil {
		return nil, inRegion(s.program, err)
	}
	key := streamKey{o, model, interleave}
	if st, ok := s.streams[key]; ok {
		return st, nil
	}
	of := o
	if model == ThreadsSymbolic {
		of = undealt(o.Line)
	}
	n, err := s.places.stream(s.program, of)
	if err != nil {
		return nil, err
	}
	sampled, err := s.sampled(n, o, key)
	if err != nil {
		return nil, inRegion(s.program, err)
	}
	if s.runs == nil {
		s.runs = runsOf(s.program)
	}
	if s.source == nil {
		s.source = traffic.NewSource(s.program, s.runs)
	}
	st := s.source.Stream(n, sampled, o.Line)
	s.streams[key] = st
	return st, nil
}

// runsOf are how often the nodes of a program run; none of them where they cannot be counted.
func runsOf(p *nest.Program) *nest.Runs {
	runs, err := nest.CountRuns(p)
	if err != nil {
		return &nest.Runs{}
	}
	return runs
}

// sampled is the reuse of a stream as the model of threads has it.
func (s *Analysis) sampled(n *nest.Stream, o nest.Options, key streamKey) (*reuse.Sampled, error) {
	switch {
	case key.model == ThreadsSymbolic:
		return s.places.sampled(s.program, o)
	case key.model == ThreadsPublished:
		return nil, PublishedCurves
	case o.Threads > 1 && o.Group > 1 && key.interleave == threads.Uniform:
		return nil, ExactTurns
	}
	sampled, err := reuse.Sample(s.ctx, n, reuse.SampleOptions{
		Seed: s.options.Seed, Reuses: s.options.Samples, Effort: s.options.Effort, Workers: s.options.Workers, Progress: s.report, Draws: true,
		Lines: s.places.lines(s.program, o),
	})
	if err == nil {
		s.places.counted(s.program, o, sampled.Distances)
	}
	return sampled, err
}

func (s *Analysis) report(done, total int) {
	if s.step != nil {
		s.step(float64(done) / float64(total))
	}
}

// levelHits is what one level does for a run.
type levelHits struct {
	traffic.Level
	level      *machine.Level
	group      int
	hit        float64 // cumulative
	first      float64 // share of first uses of lines, which no cache serves
	err        float64
	assumption string
	need       Need
	model      func(distance float64, class int32) float64 // the share of reuses at a distance that this level or one above it serves
}

// rate is the hit rate as results have it.
func (h *levelHits) rate() HitRate {
	return HitRate{Level: h.level.Name, Scope: threads.Scope(h.group), HitRate: h.hit, StandardError: h.err, Need: h.need}
}

// hits gives the hit rate of every level of a machine: conflicts are counted where that can be done, else taken as chance has them; misses of caches
// that serve one thread of several, first uses aside, then are as many times more or less than chance has them as with one thread. Where nothing is
// parallel, one thread has all caches to itself.
func (s *Analysis) hits(m *machine.Machine, count int, model string) ([]levelHits, error) {
	if count > 1 && !s.program.HasParallel() {
		alone, err := s.hits(m, 1, model)
		for i := range alone {
			l := alone[i].level
			alone[i].group = threads.Stream(count, l.SharedBy.Or(1), int64(m.Line(l))).Group
		}
		return alone, err
	}
	counted, err := s.conflicts(m, count, model)
	if err != nil {
		return nil, inRegion(s.program, err)
	}
	var ratio []float64
	if counted == nil && count > 1 && model != HitModelSDCM {
		if ratio, err = s.ratio(m, model); err != nil {
			return nil, err
		}
	}
	return s.levels(m, count, model, counted, ratio)
}

// mostRatio bounds by how many times conflicts may be more or less than chance has them. Chosen: beyond it one thread says little about several.
const mostRatio = 10

// ratio is, of each level, how many times as many misses, first uses aside, are counted at one thread as chance would have; nil where they cannot be
// counted.
func (s *Analysis) ratio(m *machine.Machine, model string) ([]float64, error) {
	key := s.countKey(m, s.countable(m, 1), 1)
	if known, ok := s.ratios[key]; ok {
		return known, nil
	}
	counted, err := s.conflicts(m, 1, model)
	if err != nil || counted == nil {
		return nil, err
	}
	with, err := s.levels(m, 1, model, counted, nil)
	if err != nil {
		return nil, err
	}
	without, err := s.levels(m, 1, model, nil, nil)
	if err != nil {
		return nil, err
	}
	var all []float64
	for i := range counted.Rates {
		r := 1.0
		if again := 1 - without[i].hit - without[i].first; again > 0 {
			r = min(max((1-with[i].hit-with[i].first)/again, 1./mostRatio), mostRatio)
		}
		all = append(all, r)
	}
	s.ratios[key] = all
	return all, nil
}

// levels applies SDCM to every level of a machine, with what was counted in its place, or with so many times the misses.
func (s *Analysis) levels(m *machine.Machine, count int, model string, counted *conflict.Hits, ratio []float64) ([]levelHits, error) {
	var out []levelHits
	above := 0.0
	for i := range m.Levels {
		l := &m.Levels[i]
		g, assumption, err := hierarchy.Geometry(m, l, count)
		if err != nil {
			return nil, err
		}
		o := threads.Stream(count, l.SharedBy.Or(1), int64(m.Line(l)))
		st, err := s.get(o)
		if err != nil {
			return nil, err
		}
		st = st.Following(m.PrefetchStreams())
		h := levelHits{level: l, group: o.Group, assumption: assumption, first: st.Sampled.Distances.FirstUses()}
		probability := hitModel(model, st, g, s.options.pageOn(m)/int64(m.Line(l)))
		if counted != nil && i < len(counted.Rates) {
			probability = countedHits(counted.Rates[i], probability)
		}
		h.model = probability
		probability = remembered(probability, st.Sampled.Distances.Points)
		h.hit, h.err = st.Sampled.Distances.Expectation(probability)
		h.need = needOf(st.Sampled.Distances, g)
		if counted != nil && i < len(counted.Errors) {
			h.err = math.Hypot(h.err, counted.Errors[i])
		}
		if i < len(ratio) && o.Group == 1 {
			h.hit = max(1-h.first-max(1-h.hit-h.first, 0)*ratio[i], 0)
		}
		h.hit = max(h.hit, above) // what a level above serves counts here as well
		above = h.hit
		h.Level = traffic.Level{Name: l.Name, Line: o.Line, Miss: 1 - h.hit, Missed: st.Misses(probability, 1-h.hit)}
		out = append(out, h)
	}
	return out, nil
}

// remembered is a function of points that several sums go through in their order: it asks for each once, and once for neighbours that are alike.
func remembered(f func(value float64, class int32) float64, points []reuse.Point) func(value float64, class int32) float64 {
	known, next := make([]float64, 0, len(points)), 0
	return func(value float64, class int32) float64 {
		if next == len(points) {
			next = 0
		}
		if len(points) == 0 || points[next].Value != value || points[next].Class != class {
			return f(value, class)
		}
		if next == len(known) {
			if next > 0 && points[next-1].Value == value && points[next-1].Class == class {
				known = append(known, known[next-1])
			} else {
				known = append(known, f(value, class))
			}
		}
		next++
		return known[next-1]
	}
}

// hitModel gives the probability of a hit at a distance.
// A page has so many lines, which lie in order in caches; 0: all do.
func hitModel(model string, st *traffic.Stream, g cache.Geometry, page int64) func(value float64, class int32) float64 {
	if model == HitModelSDCM || g.Lines == g.Ways {
		return func(value float64, _ int32) float64 { return g.HitProbability(value) }
	}
	conflicts := st.Sampled.Distances.Conflicts(g.Lines/g.Ways, page)
	return func(value float64, class int32) float64 {
		if class < 0 {
			return g.HitProbability(value)
		}
		return g.HitProbabilityAt(value, conflicts[class])
	}
}

// twice is the analysis of two calls of the region in a row.
func (s *Analysis) twice() *Analysis {
	if s.both == nil {
		p := *s.program
		call := expr.Var(len(p.Vars))
		p.Vars = append(slices.Clone(p.Vars), "call")
		p.Body = []nest.Node{&nest.Loop{Var: call, Lo: expr.Int(0), Hi: expr.Int(1), Step: 1, Body: p.Body, Pos: p.Pos}}
		s.both = NewAnalysis(s.ctx, &p, s.options)
		s.both.step = s.step
	}
	return s.both
}

// again are the levels of a second call, of which the first has what is given: what two calls in a row miss, less what the first one does.
func (s *Analysis) again(m *machine.Machine, count int, once []levelHits) ([]levelHits, error) {
	both, err := s.twice().hits(m, count, s.options.HitModel)
	if err != nil {
		return nil, err
	}
	above := 1.0
	for i := range both {
		h := &both[i]
		h.Miss = min(max(2*h.Miss-once[i].Miss, 0), above)
		above = h.Miss
		h.hit, h.first = 1-h.Miss, 0
		h.err = 2*h.err + once[i].err
		h.Missed = h.Missed.Again(once[i].Missed, h.Miss)
	}
	return both, nil
}

// stays is the share of all accesses that bring lines for the first time, where the last level of caches has room for all of them: a call after this one
// would find them there.
func (s *Analysis) stays(m *machine.Machine, count int, levels []levelHits) float64 {
	if len(levels) == 0 || s.options.Warm || s.program.Region == "main" {
		return 0
	}
	last := &levels[len(levels)-1]
	o := last.Missed.Stream()
	size, known := last.level.Capacity()
	if lines := last.first * float64(o.Nest.Len()); !known || lines*float64(last.Line) > float64(size) {
		return 0
	}
	return last.first
}

// leastCounted is the effort from which conflicts are counted. Chosen: with less, walks end before outer levels lose a line, and say that they would.
const leastCounted = 0.5

// conflicts counts the hits of classes of reuses in the first levels of a machine, as many as serve one thread each: how the accesses of
// several interleave is not known. nil: there is nothing to count.
func (s *Analysis) conflicts(m *machine.Machine, count int, model string) (*conflict.Hits, error) {
	levels := s.countable(m, count)
	if model == HitModelSDCM || len(levels) == 0 || s.options.Effort > 0 && s.options.Effort < leastCounted {
		return nil, nil
	}
	key := s.countKey(m, levels, count)
	if known := s.counts[key]; known != nil {
		return known, nil
	}
	o := threads.Stream(count, 1, int64(m.Line(&m.Levels[0])))
	chosen, _, err := s.places.choose(s.program, count, o.Line)
	if err != nil || chosen != ThreadsExact {
		return nil, err
	}
	st, err := s.get(o)
	if err != nil {
		return nil, err
	}
	page := s.options.pageOn(m)
	var prior []func(float64, int32) float64
	for i := range levels {
		g, _, err := hierarchy.Geometry(m, &m.Levels[i], count)
		if err != nil {
			return nil, err
		}
		prior = append(prior, hitModel(model, st, g, page/o.Line))
	}
	counted, err := conflict.Count(s.ctx, st.Nest, st.Sampled, conflict.Options{
		Levels: levels, Page: page, Effort: s.options.Effort, Workers: s.options.Workers,
		Prior: func(level int, distance float64, class int32) float64 { return prior[level](distance, class) },
	})
	if err == nil {
		s.counts[key] = counted
	}
	return counted, err
}

// mostWays is up to how many ways a set is looked through. Chosen: caches with more are nearly fully associative, of which distances tell all.
const mostWays = 64

// countable are the first levels whose ways are known, that serve one thread each, and that replace by use: what others hold depends on too
// much that was before.
func (s *Analysis) countable(m *machine.Machine, count int) (out []cache.Level) {
	line := int64(m.LineBytes.Or(64))
	for i := range m.Levels {
		l := &m.Levels[i]
		if _, known := l.Ways.Get(); !known || count > 1 && l.SharedBy.Or(1) > 1 || int64(m.Line(l)) != line {
			break
		}
		c, _, err := hierarchy.Level(m, l, line, nil)
		if err != nil || c.Ways > mostWays || c.Replacement == cache.FIFO || c.Replacement == cache.Random {
			break
		}
		out = append(out, c)
	}
	return out
}

// countedHits is the share of hits that was counted of a class, else what a model says.
func countedHits(counted []float64, model func(float64, int32) float64) func(float64, int32) float64 {
	return func(value float64, class int32) float64 {
		if class < 0 || math.IsNaN(counted[class]) {
			return model(value, class)
		}
		return counted[class]
	}
}
