package predict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"foresee/model/reuse"
)

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
