package predict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/reuse"
)

// Methods of analysis.
const (
	MethodClass  = "class"  // class stack distance on samples
	MethodAET    = "aet"    // average eviction time on sampled intervals
	MethodExact  = "exact"  // every access
	MethodShards = "shards" // every access to some of the lines
)

// Curves computes miss ratio curves. When it is interrupted, it gives what it has, and the error.
func Curves(ctx context.Context, r CurveRequest) (*CurveResult, error) {
	line := lineOf(r.Line, r.Machines)
	out := &CurveResult{Header: newHeader(CurveSchema, r.Signature), LineBytes: line, Levels: marks(r.Machines)}
	j, err := newJob(ctx, r.Signature, r.Options, r.Method, "distance", len(r.Signature.Loops)*len(r.Threads))
	if err != nil {
		return nil, err
	}
	scopes, err := scopesOf(r.Scope)
	err = errors.Join(err, r.Options.checkThreads(), r.Options.checkMethod(r.Method))
	if err != nil {
		return nil, err
	}
	found, err := j.all(r.Signature, r.Threads, scopes, line)
	out.Partial = found != nil && err != nil
	out.Warnings = append(out.Warnings, slices.Concat(j.warnings, j.localities.warnings)...)
	out.Warnings = append(out.Warnings, silent(r.Signature, found)...)
	for _, f := range found {
		out.Curves = append(out.Curves, f.curve(r, line))
	}
	return out, err
}

// curve is the miss ratios of a finding at the sizes asked for, or at a grid of them.
func (f *finding) curve(r CurveRequest, line int64) Curve {
	c := Curve{
		Region: f.region, Threads: f.threads, Scope: f.scope, Accesses: f.accesses, Points: []CurvePoint{},
		ThreadsModel: f.modelOf(), Interleave: f.interleaveOf(),
	}
	sizes := r.Sizes
	if len(sizes) == 0 {
		sizes = grid(f.longest(), line, r.Machines)
	}
	lines := make([]float64, len(sizes))
	for i, b := range sizes {
		lines[i] = math.Floor(float64(b) / float64(line))
	}
	ratios, errs := f.missRatios(lines, r.Method)
	for i := range sizes {
		c.Points = append(c.Points, CurvePoint{sizes[i], ratios[i], errs[i]})
	}
	return c
}

func (j *job) sample(s *nest.Stream) (*reuse.Sampled, error) {
	return reuse.Sample(j.ctx, s, reuse.SampleOptions{
		Seed: j.options.Seed, Reuses: j.options.Samples, Effort: j.options.Effort, Workers: j.options.Workers,
		Progress: func(done, total int) { j.meter.part(float64(done) / float64(total)) },
	})
}

// lineOf is the length of lines, in bytes, that was asked for, else that of the first machine, else 64.
func lineOf(line int64, machines []*machine.Machine) int64 {
	if line != 0 {
		return line
	}
	if len(machines) > 0 {
		return int64(machines[0].LineBytes.Or(64))
	}
	return 64
}

// scopesOf reads the scope of a request.
func scopesOf(scope string) ([]string, error) {
	switch scope {
	case "", "shared":
		return []string{"shared"}, nil
	case "private":
		return []string{"private"}, nil
	case "both":
		return []string{"private", "shared"}, nil
	}
	return nil, fmt.Errorf("unknown scope %q; there are private, shared and both", scope)
}

func streamOptions(threads int, scope string, line int64) nest.Options {
	if scope == "private" {
		return nest.Options{Threads: threads, Group: 1, Line: line}
	}
	return nest.Options{Threads: threads, Group: threads, Line: line}
}

// grid is geometric, four sizes an octave, from 16 lines to twice what the program touches or the largest cache.
func grid(longest float64, line int64, machines []*machine.Machine) []int64 {
	largest := max(float64(16*line*4), 2*(longest+1)*float64(line))
	for _, m := range marks(machines) {
		largest = max(largest, 1.5*float64(m.Bytes))
	}
	var sizes []int64
	for i := 0; ; i++ {
		b := int64(math.Round(16*math.Pow(2, float64(i)/4))) * line
		sizes = append(sizes, b)
		if float64(b) >= largest {
			return sizes
		}
	}
}

// marks are the sizes of the machines' caches, to be drawn beside curves.
func marks(machines []*machine.Machine) []LevelMark {
	var out []LevelMark
	for _, m := range machines {
		for _, l := range m.Levels {
			if size, ok := l.Capacity(); ok {
				out = append(out, LevelMark{m.Name, l.Name, int64(size)})
			}
		}
	}
	return out
}

// Profiles computes histograms of reuse distance or reuse interval. When it is interrupted, it gives what it has, and
// the error.
func Profiles(ctx context.Context, r ProfileRequest) (*ProfileResult, error) {
	line := lineOf(r.Line, r.Machines)
	measure := r.Measure
	if measure == "" {
		measure = "distance"
	}
	if measure != "distance" && measure != "interval" {
		return nil, fmt.Errorf("unknown measure %q; there are distance and interval", measure)
	}
	if measure == "interval" && r.Method == MethodShards {
		return nil, SampledDistances
	}
	scopes, err := scopesOf(r.Scope)
	err = errors.Join(err, r.Options.checkThreads(), r.Options.checkMethod(r.Method))
	if err != nil {
		return nil, err
	}
	out := &ProfileResult{Header: newHeader(ProfileSchema, r.Signature), LineBytes: line}
	j, err := newJob(ctx, r.Signature, r.Options, r.Method, measure, len(r.Signature.Loops)*len(r.Threads))
	if err != nil {
		return nil, err
	}
	j.profile = true
	found, err := j.all(r.Signature, r.Threads, scopes, line)
	out.Partial = found != nil && err != nil
	out.Warnings = append(out.Warnings, slices.Concat(j.warnings, j.localities.warnings)...)
	out.Warnings = append(out.Warnings, silent(r.Signature, found)...)
	for _, f := range found {
		out.Profiles = append(out.Profiles, f.profile(measure))
	}
	return out, err
}

// profile is a finding as a histogram.
func (f *finding) profile(measure string) Profile {
	out := Profile{
		Region: f.region, Threads: f.threads, Scope: f.scope, Measure: measure,
		Accesses: f.accesses, Samples: f.samples, Histogram: []Bin{},
		ThreadsModel: f.modelOf(), Interleave: f.interleaveOf(),
	}
	h := f.histogram
	if h == nil {
		h = f.scaled(measure)
	}
	out.Cold = h.Cold
	h.Each(func(low, high, count int64) { out.Histogram = append(out.Histogram, Bin{low, high, count}) })
	return out
}

// scaled is a sample scaled up to the whole stream, rounded so that the counts add up to it.
func (f *finding) scaled(measure string) *reuse.Histogram {
	d := f.distances
	if measure == "interval" {
		d = f.intervals
	}
	h := reuse.NewHistogram(reuse.Fine)
	h.Cold = int64(math.Round(d.Cold))
	exact, counted := 0.0, int64(0)
	for _, p := range d.Points {
		exact += p.Weight
		n := int64(math.Round(exact)) - counted
		counted += n
		if n > 0 {
			h.Add(int64(math.Round(p.Value)), n)
		}
	}
	if rest := f.accesses - h.Cold - counted; rest != 0 && len(d.Points) > 0 {
		h.Add(int64(math.Round(d.Points[len(d.Points)-1].Value)), rest)
	}
	return h
}
