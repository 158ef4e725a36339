package predict

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"foresee/application"
	"foresee/application/nest"
	"foresee/application/trace"
	"foresee/model/reuse"
	"foresee/model/threads"
)

// finding is what is known of the reuse in one region at one scope.
type finding struct {
	region, scope string
	threads       int
	accesses      int64
	samples       int64 // 0: exact
	histogram     *reuse.Histogram
	distances     *reuse.Distribution // of samples
	intervals     *reuse.Distribution
	estimates     []*reuse.Estimate // of shards: one a stream
	model         string            // of threads; empty for traces
	interleave    string
}

// modelOf is empty where one thread's own stream is analysed, which no model of threads has a part in.
func (f *finding) modelOf() string {
	if f.threads == 1 {
		return ""
	}
	return f.model
}

// interleaveOf is empty where there is nothing to interleave.
func (f *finding) interleaveOf() string {
	if f.threads == 1 {
		return ""
	}
	return f.interleave
}

// longest is the greatest finite distance.
func (f *finding) longest() float64 {
	d := f.distances
	if f.histogram != nil {
		d = f.histogram.Distribution()
	}
	if d == nil { // only intervals are known
		return f.intervals.Cold
	}
	if n := len(d.Points); n > 0 {
		return d.Points[n-1].Value
	}
	return 0
}

// missRatios are those of fully associative LRU caches, with standard errors.
func (f *finding) missRatios(lines []float64, method string) (ratios, errs []float64) {
	switch {
	case f.histogram != nil:
		return f.histogram.MissRatios(lines)
	case f.estimates != nil:
		return f.estimated(lines)
	case method == MethodAET || f.distances == nil:
		return f.intervals.AET(lines), make([]float64, len(lines))
	}
	return f.distances.MissRatios(lines), f.distances.MissErrors(lines)
}

// estimated is the mean over the streams, by their lengths. The streams follow the same lines by the same seed, and
// threads do the same things, so that their errors add up.
func (f *finding) estimated(lines []float64) (ratios, errs []float64) {
	ratios, errs = make([]float64, len(lines)), make([]float64, len(lines))
	for _, e := range f.estimates {
		m, s := e.MissRatios(lines)
		share := float64(e.Accesses) / math.Max(float64(f.accesses), 1)
		for i := range lines {
			ratios[i] += share * m[i]
			errs[i] += share * s[i]
		}
	}
	return ratios, errs
}

// job runs the analyses of one request.
type job struct {
	ctx             context.Context
	options         Options
	method, measure string
	profile         bool // a histogram is wanted, not a curve
	meter           *meter
	warnings        []string
	localities      *localities
}

func newJob(ctx context.Context, s *application.Signature, o Options, method, measure string, steps int) (*job, error) {
	o, err := o.of(s)
	j := &job{ctx: ctx, options: o, method: method, measure: measure, meter: newMeter(o.Progress, steps)}
	j.localities = newLocalities(ctx, o, func(done, total int) { j.meter.part(float64(done) / float64(total)) })
	return j, err
}

// all analyses a signature at each number of threads.
func (j *job) all(s *application.Signature, threads []int, scopes []string, line int64) ([]*finding, error) {
	if s.Streams != nil {
		return j.observed(s.Streams, threads, scopes, line)
	}
	var out []*finding
	for _, p := range s.Loops {
		for _, t := range threads {
			found, err := j.program(p, t, scopes, line)
			out = append(out, found...)
			if err != nil {
				warning, ok := without(s, p, err)
				if !ok || len(out) == 0 && p == s.Loops[len(s.Loops)-1] {
					return out, inRegion(p, err)
				}
				j.warnings = append(j.warnings, warning)
				out = slices.DeleteFunc(out, func(f *finding) bool { return f.region == p.Region })
				break
			}
			j.meter.next()
		}
	}
	return out, nil
}

// program finds out about one program at one number of threads, by the method that was asked for.
func (j *job) program(p *nest.Program, threads int, scopes []string, line int64) ([]*finding, error) {
	switch j.method {
	case MethodExact, MethodShards:
		return j.walked(p, threads, scopes, line)
	case "", MethodClass, MethodAET:
		return j.sampled(p, threads, scopes, line)
	}
	return nil, fmt.Errorf("unknown method %q; there are %s, %s, %s and %s", j.method, MethodClass, MethodAET, MethodExact, MethodShards)
}

// sampled answers from a signature, or draws reuses from the streams.
func (j *job) sampled(p *nest.Program, threads int, scopes []string, line int64) ([]*finding, error) {
	model, interleave, err := j.localities.choose(p, threads, line)
	switch {
	case err != nil:
		return nil, err
	case model == ThreadsSymbolic:
		return j.symbolic(p, threads, scopes, line, interleave)
	case model == ThreadsPublished:
		return j.pluss(p, threads, scopes, line)
	case threads > 1 && interleave == uniform:
		return j.walked(p, threads, scopes, line)
	}
	var out []*finding
	for _, scope := range scopes {
		s, err := nest.NewStream(p, streamOptions(threads, scope, line))
		if err != nil {
			return out, err
		}
		sampled, err := j.sample(s)
		if err != nil {
			return out, err
		}
		out = append(out, &finding{
			region: p.Region, scope: scope, threads: threads, accesses: s.Len(), samples: int64(sampled.Reuses),
			distances: sampled.Distances, intervals: sampled.Intervals, model: ThreadsExact, interleave: interleave,
		})
	}
	return out, nil
}

// uniform is the interleaving that only enumerating shows as it is.
const uniform = threads.Uniform

// symbolic answers from a signature.
func (j *job) symbolic(p *nest.Program, count int, scopes []string, line int64, interleave string) ([]*finding, error) {
	m, err := j.localities.model(p, line)
	if err != nil {
		return nil, err
	}
	var out []*finding
	for _, scope := range scopes {
		t := j.localities.team(count, streamOptions(count, scope, line).Group)
		s := m.Signature()
		f := &finding{
			region: p.Region, scope: scope, threads: count, accesses: s.Accesses, samples: int64(len(s.Samples)),
			model: ThreadsSymbolic, interleave: interleave,
		}
		if j.measure == "interval" || j.method == MethodAET {
			f.intervals = m.Intervals(t)
		} else {
			f.distances = m.Distances(t)
		}
		out = append(out, f)
	}
	return out, j.ctx.Err()
}

// pluss gives the intervals of the published model.
func (j *job) pluss(p *nest.Program, count int, scopes []string, line int64) ([]*finding, error) {
	if !slices.Equal(scopes, []string{"shared"}) {
		return nil, PublishedShared
	}
	if j.measure == "distance" && j.profile {
		return nil, PublishedIntervals
	}
	c, err := j.localities.collected(p, line)
	if err != nil {
		return nil, err
	}
	return []*finding{{
		region: p.Region, scope: "shared", threads: count, accesses: int64(c.Total), samples: int64(len(c.Intervals)),
		intervals: c.Concurrent(count), model: ThreadsPublished, interleave: uniform,
	}}, nil
}

// walked enumerates every access.
func (j *job) walked(p *nest.Program, threads int, scopes []string, line int64) ([]*finding, error) {
	interleave := j.options.Interleave
	if interleave == "" {
		interleave = roundRobin
	}
	s, each, err := j.walk(p, threads, line, interleave)
	if err != nil {
		return nil, err
	}
	l := newLocality(j.localityOptions(scopes, line))
	err = enumerate(j.ctx, s, each, j.meter.part, l.add)
	found := l.findings(&trace.Names{})
	for _, f := range found {
		f.region, f.threads, f.model, f.interleave = p.Region, threads, ThreadsExact, interleave
	}
	return found, err
}

const roundRobin = threads.RoundRobin

// walk gives the stream of a number of threads, and how to walk through it.
func (j *job) walk(p *nest.Program, count int, line int64, interleave string) (*nest.Stream, func(func(nest.Place) bool), error) {
	if interleave == uniform && count > 1 && deals(p) {
		s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: line, Undealt: true})
		if err == nil {
			return s, func(f func(nest.Place) bool) { s.EachScheduled(count, j.options.Seed, f) }, nil
		}
	}
	j.localities.warnOfFree(p, count)
	s, err := nest.NewStream(p, streamOptions(count, "shared", line))
	if err != nil {
		return nil, nil, err
	}
	if interleave == uniform {
		return s, func(f func(nest.Place) bool) { s.EachRandom(j.options.Seed, f) }, nil
	}
	return s, s.Each, nil
}

// deals tells whether a program has loops whose iterations go to whoever is free.
func deals(p *nest.Program) bool {
	found := false
	nest.Walk(p.Body, func(n nest.Node) {
		if l, ok := n.(*nest.Loop); ok && l.Work != nil && l.Work.Schedule.OnDemand() {
			found = true
		}
	})
	return found
}

// localityOptions say what is measured of accesses that are walked through.
func (j *job) localityOptions(scopes []string, line int64) localityOptions {
	o := localityOptions{
		line: line, measure: j.measure, workers: j.options.Workers,
		private: slices.Contains(scopes, "private"), shared: slices.Contains(scopes, "shared"),
	}
	if j.method == MethodShards {
		o.shards = &reuse.ShardsOptions{Rate: j.options.Rate, MaxLines: j.options.MaxLines, Seed: j.options.Seed}
	}
	return o
}

// findings are one for each scope and region, in the order of the regions' numbers.
func (l *locality) findings(names *trace.Names) []*finding {
	_ = l.finish() // what is too much was said before
	var out []*finding
	if l.options.private {
		out = append(out, l.of("private", l.private, names)...)
	}
	if l.shared != nil {
		out = append(out, l.of("shared", []*channel{l.shared}, names)...)
	}
	return out
}

// of are the findings of one scope: by region, or with a sample of the lines of all accesses together.
func (l *locality) of(scope string, channels []*channel, names *trace.Names) []*finding {
	if l.options.shards != nil {
		f := &finding{region: outside, scope: scope, threads: l.threads(), distances: &reuse.Distribution{}}
		for _, c := range channels {
			if c == nil {
				continue
			}
			e := c.shards.Estimate()
			f.estimates = append(f.estimates, e)
			f.accesses += e.Accesses
			f.samples += e.Followed
			f.distances.Join(e.Distribution())
		}
		f.distances.Sort()
		return []*finding{f}
	}
	regions := map[int]*reuse.Histogram{}
	for _, c := range channels {
		if c == nil {
			continue
		}
		for region, h := range c.found {
			if regions[region] == nil {
				regions[region] = reuse.NewHistogram(reuse.Fine)
			}
			regions[region].Merge(h)
		}
	}
	var out []*finding
	for _, region := range slices.Sorted(maps.Keys(regions)) {
		h := regions[region]
		out = append(out, &finding{
			region: regionName(region, names), scope: scope, threads: l.threads(), accesses: h.Total(), histogram: h,
		})
	}
	return out
}

// silent names regions of loops that make no accesses.
func silent(s *application.Signature, found []*finding) (warnings []string) {
	for _, f := range found {
		if w := f.region + ": " + noAccesses; s.Streams == nil && f.accesses == 0 && !slices.Contains(warnings, w) {
			warnings = append(warnings, w)
		}
	}
	return warnings
}
