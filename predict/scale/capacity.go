package scale

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/model/cache"
	"foresee/model/scaling"
)

// Cache is one whose misses are predicted from reuse profiles.
type Cache struct {
	Metric   string // l1_misses, l2_misses, llc_misses
	Name     string // of the level
	Geometry cache.Geometry
	Line     int64 // bytes
}

// withReuse adds the misses that reuse profiles of a set give at their own points, where nothing else was measured of these regions.
func withReuse(set *counters.Set, o *Options) (*counters.Set, error) {
	if len(set.Reuse) == 0 {
		return set, nil
	}
	if len(o.Caches) == 0 {
		return nil, fmt.Errorf("reuse profiles say how often a cache misses once it is known; name the machine with --machine")
	}
	out := *set
	out.Series, out.Reuse = slices.Clone(set.Series), slices.Clone(set.Reuse)
	nameWhole(&out)
	for _, region := range regionsOf(&out) {
		for _, c := range o.Caches {
			if matching(&out, region, c.Metric) != nil {
				continue
			}
			series := counters.Series{Callpath: region, Metric: c.Metric}
			for _, r := range out.Reuse {
				if r.LineBytes != c.Line {
					return nil, fmt.Errorf("the reuse profile of %s is of lines of %d bytes, and %s of the machine has %d; make it with foresee profile --line %d", r.Region, r.LineBytes, c.Name, c.Line, c.Line)
				}
				if r.Region == region {
					series.Points = append(series.Points, counters.Measurement{At: r.At, Values: []float64{missesOf(&r, c.Geometry)}})
				}
			}
			out.Series = append(out.Series, series)
		}
	}
	return &out, nil
}

// nameWhole takes the only region, where it is none of the functions measured, for the whole run.
func nameWhole(set *counters.Set) {
	regions := regionsOf(set)
	if len(regions) != 1 || !slices.ContainsFunc(set.Series, func(s counters.Series) bool { return s.Callpath == counters.WholeRun }) ||
		slices.ContainsFunc(set.Series, func(s counters.Series) bool { return isRegion(s.Callpath, regions[0]) }) {
		return
	}
	for i := range set.Reuse {
		set.Reuse[i].Region = counters.WholeRun
	}
}

// regionsOf are the regions of reuse profiles, in order.
func regionsOf(set *counters.Set) (out []string) {
	for _, r := range set.Reuse {
		if !slices.Contains(out, r.Region) {
			out = append(out, r.Region)
		}
	}
	return out
}

// matching is the series of a metric of the function that a region is: compilers append parts to names, after a dot.
func matching(set *counters.Set, region, metric string) *counters.Series {
	for i := range set.Series {
		if s := &set.Series[i]; s.Metric == metric && isRegion(s.Callpath, region) {
			return s
		}
	}
	return nil
}

// isRegionOf says whether a callpath is that of a region with reuse profiles.
func isRegionOf(set *counters.Set, callpath string) bool {
	return slices.ContainsFunc(set.Reuse, func(r counters.Reuse) bool { return isRegion(callpath, r.Region) })
}

func isRegion(callpath, region string) bool {
	name := lastName(callpath)
	return name == region || strings.HasPrefix(name, region+".")
}

// missesOf is what a cache misses of a profile.
func missesOf(r *counters.Reuse, g cache.Geometry) float64 {
	misses := r.Cold
	for _, b := range r.Bins {
		misses += b.Count * (1 - g.HitProbability((b.Low+b.High)/2))
	}
	return misses
}

// capacity gives the misses of regions with reuse profiles the model of these: it knows where data begin to fit, which counts of misses
// on one side do not tell. Where misses were measured as well, they say how many more there are than the profile has.
func (s *study) capacity() error {
	for _, region := range regionsOf(s.set) {
		var profiles []scaling.Reuse
		for _, r := range s.set.Reuse {
			if r.Region != region {
				continue
			}
			p := scaling.Reuse{At: r.At, Cold: r.Cold}
			for _, b := range r.Bins {
				p.Distances, p.Counts = append(p.Distances, (b.Low+b.High)/2), append(p.Counts, b.Count)
			}
			profiles = append(profiles, p)
		}
		if len(profiles) < fewest {
			s.warnings = append(s.warnings, fmt.Sprintf("there is one reuse profile of %s; without one at another point it is of no use", region))
			continue
		}
		l, err := scaling.FitLocality(s.set.Parameters, profiles, s.prior())
		if err != nil {
			return fmt.Errorf("%s: %w", region, err)
		}
		for _, c := range s.options.Caches {
			for _, f := range s.fits {
				if f.metric == c.Metric && isRegion(f.callpath, region) {
					f.model, f.own, f.profiled = calibrated(l.Misses(c.Geometry.HitProbability, s.options.Interval), f.series), nil, true
				}
			}
		}
	}
	return nil
}

// onlyReuse says whether all that is predicted comes from reuse profiles.
func (s *study) onlyReuse() bool {
	return !slices.ContainsFunc(s.fits, func(f *fitted) bool { return !f.profiled })
}

// valueOf is a model's value, without its interval where that costs less.
func valueOf(m scaling.Model, at []float64) float64 {
	if m, ok := m.(interface{ Median([]float64) float64 }); ok {
		return m.Median(at)
	}
	return m.At(at).Value
}

// calibrated is a model times the mean ratio of what was measured to it.
func calibrated(m scaling.Model, series *scaling.Series) scaling.Model {
	sum, n := 0.0, 0.0
	for i, at := range series.At {
		if v := valueOf(m, at); v > 0 {
			sum, n = sum+math.Log(series.Y[i]/v), n+1
		}
	}
	if n == 0 {
		return m
	}
	return &scaling.Scaled{Model: m, Factor: math.Exp(sum / n)}
}
