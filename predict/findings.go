package predict

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"foresee/application/nest"
	"foresee/application/trace"
	"foresee/model/reuse"
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
}

// longest is the greatest finite distance.
func (f *finding) longest() float64 {
	d := f.distances
	if f.histogram != nil {
		d = f.histogram.Distribution()
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
	case method == MethodAET:
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
	meter           *meter
	warnings        []string
}

func newJob(ctx context.Context, o Options, method, measure string, steps int) *job {
	return &job{ctx: ctx, options: o, method: method, measure: measure, meter: newMeter(o.Progress, steps)}
}

// all analyses programs at each number of threads, or a trace.
func (j *job) all(programs []*nest.Program, src trace.Source, threads []int, scopes []string, line int64) ([]*finding, error) {
	if src != nil {
		return j.trace(src, scopes, line)
	}
	var out []*finding
	for _, p := range programs {
		for _, t := range threads {
			found, err := j.program(p, t, scopes, line)
			out = append(out, found...)
			if err != nil {
				return out, fmt.Errorf("%s: %w", p.Region, err)
			}
			j.meter.next()
		}
	}
	return out, nil
}

func (j *job) program(p *nest.Program, threads int, scopes []string, line int64) ([]*finding, error) {
	switch j.method {
	case MethodExact, MethodShards:
		return j.walked(p, threads, scopes, line)
	case "", MethodClass, MethodAET:
		return j.sampled(p, threads, scopes, line)
	}
	return nil, fmt.Errorf("unknown method %q; there are %s, %s, %s and %s", j.method, MethodClass, MethodAET, MethodExact, MethodShards)
}

// sampled draws reuses from the streams.
func (j *job) sampled(p *nest.Program, threads int, scopes []string, line int64) ([]*finding, error) {
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
			distances: sampled.Distances, intervals: sampled.Intervals,
		})
	}
	return out, nil
}

// walked enumerates every access.
func (j *job) walked(p *nest.Program, threads int, scopes []string, line int64) ([]*finding, error) {
	s, err := nest.NewStream(p, streamOptions(threads, "shared", line))
	if err != nil {
		return nil, err
	}
	l := newLocality(j.localityOptions(scopes, line))
	err = enumerate(j.ctx, s, j.meter.part, l.add)
	found := l.findings(&trace.Names{})
	for _, f := range found {
		f.region, f.threads = p.Region, threads
	}
	return found, err
}

func (j *job) trace(src trace.Source, scopes []string, line int64) ([]*finding, error) {
	switch j.method {
	case MethodExact, MethodShards, "":
	default:
		return nil, fmt.Errorf("method %q is for C sources; a trace is analysed by %s or %s", j.method, MethodExact, MethodShards)
	}
	l := newLocality(j.localityOptions(scopes, line))
	err := eachEvent(j.ctx, src, l.add)
	if j.method == MethodShards && len(src.Names().Regions) > 0 {
		j.warnings = append(j.warnings, "shards: a sample of the lines does not tell regions apart; this is of the whole trace")
	}
	return l.findings(src.Names()), err
}

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
	_ = l.flush() // what is too much was said before
	var out []*finding
	if l.options.private {
		out = append(out, l.of("private", l.private, names)...)
	}
	if l.shared != nil {
		out = append(out, l.of("shared", []*channel{l.shared}, names)...)
	}
	return out
}

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
