package predict

import (
	"context"
	"fmt"
	"math"

	"foresee/application/nest"
	"foresee/model/reuse"
)

// Profiles computes histograms of reuse distance or reuse interval.
func Profiles(ctx context.Context, r ProfileRequest) (*ProfileResult, error) {
	line := lineOf(r.Line, r.Machines)
	measure := r.Measure
	if measure == "" {
		measure = "distance"
	}
	if measure != "distance" && measure != "interval" {
		return nil, fmt.Errorf("unknown measure %q; there are distance and interval", measure)
	}
	out := &ProfileResult{Header: newHeader(ProfileSchema, r.Input, r.Warnings, r.Programs), LineBytes: line}
	job := &job{ctx: ctx, options: r.Options, meter: newMeter(r.Options.Progress, len(r.Programs)*len(r.Threads))}
	for _, p := range r.Programs {
		for _, t := range r.Threads {
			o, scope, err := streamOptions(t, r.Scope, line)
			if err != nil {
				return nil, err
			}
			profile, err := job.profile(p, o, measure, r.Method)
			if err != nil {
				return nil, err
			}
			profile.Scope = scope
			out.Profiles = append(out.Profiles, *profile)
			job.meter.next()
		}
	}
	return out, nil
}

func (j *job) profile(p *nest.Program, o nest.Options, measure, method string) (*Profile, error) {
	s, err := nest.NewStream(p, o)
	if err != nil {
		return nil, err
	}
	out := &Profile{Region: p.Region, Threads: o.Threads, Measure: measure, Accesses: s.Len(), Histogram: []Bin{}}
	var h *reuse.Histogram
	switch method {
	case MethodExact:
		h, err = j.exact(s, measure)
	case "", MethodClass:
		h, err = j.sampledHistogram(s, measure, out)
	default:
		return nil, fmt.Errorf("unknown method %q; there are %s and %s", method, MethodClass, MethodExact)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Region, err)
	}
	out.Cold = h.Cold
	h.Each(func(low, high, count int64) { out.Histogram = append(out.Histogram, Bin{low, high, count}) })
	return out, nil
}

// sampledHistogram scales a sample up to the whole stream, rounding so that the counts add up to it.
func (j *job) sampledHistogram(s *nest.Stream, measure string, out *Profile) (*reuse.Histogram, error) {
	sampled, err := j.sample(s)
	if err != nil {
		return nil, err
	}
	out.Samples = int64(sampled.Reuses)
	d := sampled.Distances
	if measure == "interval" {
		d = sampled.Intervals
	}
	h := &reuse.Histogram{Cold: int64(math.Round(d.Cold))}
	exact, counted := 0.0, int64(0)
	for _, p := range d.Points {
		exact += p.Weight
		n := int64(math.Round(exact)) - counted
		counted += n
		if n > 0 {
			h.Add(int64(math.Round(p.Value)), n)
		}
	}
	if rest := s.Len() - h.Cold - counted; rest != 0 && len(d.Points) > 0 {
		h.Add(int64(math.Round(d.Points[len(d.Points)-1].Value)), rest)
	}
	return h, nil
}
