package scale

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

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
	SharedBy int   // cores; 0: one
	// Inner is the lines of the level before, of one core, where this one holds others than that.
	Inner int64
}

// at is what a process has of a cache: one that cores share is dealt evenly among the processes on them.
func (c *Cache) at(processes float64) cache.Geometry {
	sharers := max(1, min(int64(math.Ceil(processes)), int64(c.SharedBy)))
	g := c.Geometry
	sets := max(1, g.Lines/g.Ways)
	lines := g.Lines/sharers + c.Inner
	g.Ways = min(g.Ways+c.Inner/sets, lines)
	g.Lines = lines - lines%g.Ways
	return g
}

// LineError is a reuse profile of lines of another length than the machine has.
type LineError struct {
	Region, Level    string
	Profile, Machine int64 // lengths of a line in bytes
}

func (e *LineError) Error() string {
	return fmt.Sprintf("the reuse profile of %s is of lines of %d bytes, and %s of the machine has %d", e.Region, e.Profile, e.Level, e.Machine)
}

// withReuse adds the misses that reuse profiles of a set give at their own points, where no others were measured of these regions.
func withReuse(set *counters.Set, o *Options) (*counters.Set, error) {
	if len(set.Reuse) == 0 {
		return set, nil
	}
	if len(o.Caches) == 0 {
		return nil, errors.New("reuse profiles say how often a cache misses once it is known; name the machine")
	}
	out := *set
	out.Series, out.Reuse, out.Warnings = slices.Clone(set.Series), slices.Clone(set.Reuse), slices.Clone(set.Warnings)
	for _, r := range out.Reuse {
		for _, c := range o.Caches {
			if r.LineBytes != c.Line {
				return nil, &LineError{Region: r.Region, Level: c.Name, Profile: r.LineBytes, Machine: c.Line}
			}
		}
	}
	nameWhole(&out)
	for _, region := range regionsOf(&out) {
		for _, c := range o.Caches {
			series := counters.Series{Callpath: region, Metric: c.Metric}
			for _, r := range out.Reuse {
				if r.Region == region {
					series.Points = append(series.Points, counters.Measurement{At: r.At, Values: []float64{missesOf(&r, c.at(processesAt(out.Parameters, r.At)))}})
				}
			}
			switch measured := matching(&out, region, c.Metric); {
			case measured == nil:
				out.Series = append(out.Series, series)
			case len(measured.Points) < fewest:
				out.Warnings = append(out.Warnings, fmt.Sprintf("%s of %s was measured at one point only; its reuse profiles stand in for it", c.Metric, region))
				*measured = series
			}
		}
	}
	return &out, nil
}

// processesAt is the number of processes at a point; one where no parameter is that.
func processesAt(parameters []string, at []float64) float64 {
	for i, name := range parameters {
		if counters.IsProcesses(name) {
			return at[i]
		}
	}
	return 1
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
// on one side do not tell. Where misses were measured as well, they say how many more there are than the profile has. Profiles whose
// own largest point the others do not foretell are left aside.
func (s *study) capacity() error {
	regions := regionsOf(s.set)
	for _, region := range regions {
		if err := s.profiled(region); err != nil {
			return fmt.Errorf("%s: %w", region, err)
		}
	}
	if len(regions) == 0 || !s.processes() {
		return nil
	}
	if len(regions) > 1 {
		s.sharedWarning()
	}
	for _, c := range s.options.Caches {
		if c.SharedBy > 1 {
			s.warnings = append(s.warnings, fmt.Sprintf("%s are of a %s that is dealt evenly among up to %d processes", c.Metric, c.Name, c.SharedBy))
		}
	}
	return nil
}

// profiled gives the misses of a region their model, those of inner caches first: outer ones have no more.
func (s *study) profiled(region string) error {
	profiles := s.reuseOf(region)
	if len(profiles) < fewest {
		s.warnings = append(s.warnings, fmt.Sprintf("there are fewer than %d reuse profiles with lines used again of %s; they are of no use", fewest, region))
		return nil
	}
	all, err := scaling.FitLocality(s.set.Parameters, profiles, s.prior())
	if err != nil {
		return err
	}
	var rest *scaling.Locality
	if len(profiles) > fewest {
		if rest, err = scaling.FitLocality(s.set.Parameters, profiles[:len(profiles)-1], s.prior()); err != nil {
			return err
		}
	} else {
		s.warnings = append(s.warnings, fmt.Sprintf("there are %d reuse profiles of %s: whether their pattern stays the same is not known; make one more", fewest, region))
	}
	var inner scaling.Model
	for i := range s.options.Caches {
		c := &s.options.Caches[i]
		at := slices.IndexFunc(s.fits, func(f *fitted) bool { return f.metric == c.Metric && isRegion(f.callpath, region) })
		if at < 0 {
			continue
		}
		f := s.fits[at]
		m := s.profiledModel(f, c, all, rest, profiles)
		if m == nil {
			continue
		}
		if inner != nil {
			m = &scaling.AtMost{Model: m, Bound: inner}
		}
		inner = m
		f.model, f.own, f.profiled = m, nil, true
	}
	return nil
}

func (s *study) sharedWarning() {
	if f := s.byName[counters.WholeRun+" l1_misses"]; f != nil && !f.profiled {
		s.warnings = append(s.warnings, "misses of the whole run follow their own law, not the reuse profiles of its regions")
	}
}

// reuseOf are the profiles of a region with lines that are used again, by ascending parameters.
func (s *study) reuseOf(region string) (out []scaling.Reuse) {
	for _, r := range s.set.Reuse {
		if r.Region != region || r.Accesses() <= r.Cold {
			continue
		}
		p := scaling.Reuse{At: r.At, Cold: r.Cold}
		for _, b := range r.Bins {
			p.Distances, p.Counts = append(p.Distances, (b.Low+b.High)/2), append(p.Counts, b.Count)
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b scaling.Reuse) int { return slices.Compare(a.At, b.At) })
	return out
}

// What reuse profiles must meet to be believed, in natural logarithms. Both are chosen.
const (
	closeProfile = 0.35 // how far the misses of the largest profile may be from what smaller ones foretell: a factor of 1.42
	closeRatio   = 0.15 // how far the ratio of measured misses to those of profiles may drift: a factor of 1.16
)

// profiledModel is the model of a series by reuse profiles; nil, with a warning, where these do not foretell their own largest point or
// are at odds with what was measured.
func (s *study) profiledModel(f *fitted, c *Cache, all, rest *scaling.Locality, profiles []scaling.Reuse) scaling.Model {
	hit := func(at []float64, d float64) float64 {
		return c.at(processesAt(s.set.Parameters, at)).HitProbability(d)
	}
	deviation := 0.0
	if rest != nil {
		last := &profiles[len(profiles)-1]
		truth := last.Cold
		for i, d := range last.Distances {
			truth += last.Counts[i] * (1 - hit(last.At, d))
		}
		deviation = math.Abs(math.Log(scaling.ValueOf(rest.Misses(hit, s.options.Interval), last.At) / truth))
		if deviation > closeProfile {
			s.warnings = append(s.warnings, fmt.Sprintf("%s of %s does not follow its reuse profiles: the smaller ones are off by a factor of %.2g at the largest, as where the shares of near and far reuses change; it is predicted by its own law", c.Metric, f.callpath, math.Exp(deviation)))
			return nil
		}
	}
	m := all.Misses(hit, s.options.Interval)
	var ratios []float64
	for i, at := range f.series.At {
		if v := scaling.ValueOf(m, at); v > 0 {
			ratios = append(ratios, math.Log(f.series.Y[i]/v))
		}
	}
	mean, spread := stat.MeanStdDev(ratios, nil)
	if len(ratios) < 2 {
		spread = 0
	}
	if spread > closeRatio {
		s.warnings = append(s.warnings, fmt.Sprintf("%s of %s is at odds with its reuse profiles, by factors from %.2g to %.2g; it is predicted by its own law", c.Metric, f.callpath, math.Exp(slices.Min(ratios)), math.Exp(slices.Max(ratios))))
		return nil
	}
	return &scaling.Scaled{Model: m, Factor: math.Exp(mean), Deviation: math.Hypot(deviation, spread), Interval: s.options.Interval}
}

// onlyReuse says whether all that is predicted comes from reuse profiles.
func (s *study) onlyReuse() bool {
	for _, f := range s.fits {
		if !isRegionOf(s.set, f.callpath) {
			return false
		}
	}
	return true
}
