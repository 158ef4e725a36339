package scale

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// fitted is a series with its model.
type fitted struct {
	callpath, metric string
	series           *scaling.Series
	model            scaling.Model
	own              *scaling.Posterior // where the model is foresee's own
	whole            *scaling.Posterior // of a sum of parts: the model of the whole by itself
	profiled         bool               // the model is of reuse profiles
}

func (f *fitted) name() string { return f.callpath + " " + f.metric }

// study is the series of a set and what was found.
type study struct {
	set      *counters.Set
	options  *Options
	fits     []*fitted
	byName   map[string]*fitted
	kernels  []Kernel
	above    map[string]bool                // series above others as a callpath, by name
	totals   map[string]map[string]extremes // by metric and point
	warnings []string
	points   [][]float64 // once asked for: those of measured
	firsts   []float64   // once asked for: those of values
}

// extremes are the sum, the largest and the number of a metric's series at a point.
type extremes struct {
	sum, largest float64
	n            int
}

// fewest is the number of points below which nothing is extrapolated: one has no direction.
const fewest = 2

// enough is the number of values of the first parameter from which on intervals hold what they say. docs/accuracy/scaling.md tells how many of
// them held the truth.
const enough = 4

// newStudy fits all series of a set that are wanted, whole times and counts from their parts.
func newStudy(ctx context.Context, set *counters.Set, kernels []Kernel, o *Options) (*study, error) {
	s := &study{set: set, options: o, byName: map[string]*fitted{}, kernels: kernels}
	var short, zero []string
	for _, one := range set.Series {
		if !o.wants(one) {
			continue
		}
		series, err := scaling.NewSeries(set.Parameters, withoutLone(set, one))
		if err != nil && !errors.Is(err, scaling.ErrZero) {
			return nil, err
		}
		if len(series.Left) > 0 {
			s.warnings = append(s.warnings, fmt.Sprintf("%s: points left out: %s", series.Name, list(series.Left)))
		}
		switch {
		case err != nil && len(series.Left) == 0:
			zero = append(zero, series.Name)
			continue
		case len(series.Y) < fewest:
			short = append(short, series.Name)
			continue
		}
		s.fits = append(s.fits, &fitted{callpath: one.Callpath, metric: one.Metric, series: series})
	}
	if len(short) > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("measured at fewer than %d points, so nothing can be said of %s", fewest, list(short)))
	}
	if len(zero) > 0 {
		s.warnings = append(s.warnings, "zero at every point, and left out: "+list(zero))
	}
	if len(s.fits) == 0 {
		return nil, s.nothing()
	}
	if n := s.fittedValues(); n < enough {
		s.warnings = append(s.warnings, fmt.Sprintf("only %d values of %s are fitted: intervals of fewer than %d hold less than they say; measure at one more", n, set.Parameters[0], enough))
	}
	s.index()
	s.keepLargest()
	s.order()
	return s, s.fit(ctx)
}

// fittedValues is how many values of the first parameter are fitted.
func (s *study) fittedValues() int {
	all := map[float64]bool{}
	for _, f := range s.fits {
		for _, at := range f.series.At {
			all[at[0]] = true
		}
	}
	return len(all)
}

// order puts the run and its parts first, then kernels by their share, then all else as it was measured.
func (s *study) order() {
	place := map[string]int{}
	for i, k := range s.kernels {
		place[k.Name] = i + 1
	}
	rank := func(f *fitted) int {
		switch i, kernel := place[f.callpath]; {
		case !isFunction(f.callpath):
			return 0
		case kernel:
			return i
		}
		return len(place) + 1
	}
	slices.SortStableFunc(s.fits, func(a, b *fitted) int { return cmp.Compare(rank(a), rank(b)) })
}

// nothing says why no series is left.
func (s *study) nothing() error {
	var metrics []string
	for _, one := range s.set.Series {
		if !slices.Contains(metrics, one.Metric) {
			metrics = append(metrics, one.Metric)
		}
	}
	wanted := false
	for _, one := range s.set.Series {
		wanted = wanted || s.options.wants(one)
	}
	switch {
	case len(s.set.Series) > 0 && !wanted:
		return fmt.Errorf("no series has the metric or callpath asked for; the metrics are %s", list(metrics))
	case len(s.warnings) > 0:
		return fmt.Errorf("no series has %d points or more (%s); measure at more values of %s", fewest, strings.Join(s.warnings, "; "), strings.Join(s.set.Parameters, ", "))
	}
	return fmt.Errorf("no series has %d points or more; measure at more values of %s", fewest, strings.Join(s.set.Parameters, ", "))
}

// index finds what needs all series once.
func (s *study) index() {
	s.above, s.totals = map[string]bool{}, map[string]map[string]extremes{}
	for _, f := range s.fits {
		s.byName[f.name()] = f
		for at := strings.LastIndex(f.callpath, "->"); at >= 0; at = strings.LastIndex(f.callpath[:at], "->") {
			s.above[f.callpath[:at]+" "+f.metric] = true
		}
		if s.totals[f.metric] == nil {
			s.totals[f.metric] = map[string]extremes{}
		}
		for i, at := range f.series.At {
			key := counters.FormatPoint(s.set.Parameters, at)
			e := s.totals[f.metric][key]
			s.totals[f.metric][key] = extremes{e.sum + f.series.Y[i], max(e.largest, f.series.Y[i]), e.n + 1}
		}
	}
}

func (o *Options) wants(s counters.Series) bool {
	metric := strings.TrimSuffix(s.Metric, counters.MaxSuffix)
	return (len(o.Metrics) == 0 || slices.Contains(o.Metrics, s.Metric) || slices.Contains(o.Metrics, metric)) &&
		(o.Callpath == "" || strings.Contains(s.Callpath, o.Callpath) || s.Callpath == counters.WholeRun)
}

// list names the first few of many.
func list(names []string) string {
	const most = 4 // names; chosen
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}

// fit gives every series its model. Series of one metric are fitted together, as they share what they find.
func (s *study) fit(ctx context.Context) error {
	groups := map[string][]*fitted{}
	var order []string
	for _, f := range s.fits {
		if _, there := groups[f.metric]; !there {
			order = append(order, f.metric)
		}
		groups[f.metric] = append(groups[f.metric], f)
	}
	for _, metric := range order {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := s.fitGroup(groups[metric]); err != nil {
			return err
		}
	}
	if s.options.Model == Auto {
		s.surfaces()
		if err := s.capacity(); err != nil {
			return err
		}
	}
	if s.options.Model == Auto || s.options.Model == Own {
		s.sums()
	}
	if s.options.Model == Auto {
		s.slowest()
	}
	return nil
}

// fitGroup fits series that share what they find.
func (s *study) fitGroup(group []*fitted) error {
	if s.options.Model == Auto || s.options.Model == Own {
		return s.fitOwn(group)
	}
	for _, f := range group {
		m, err := s.baseline(f.series)
		if err != nil {
			return err
		}
		f.model = m
	}
	return nil
}

// fitOwn fits foresee's own model, for Auto combined with laws.
func (s *study) fitOwn(group []*fitted) error {
	series := make([]*scaling.Series, len(group))
	for i, f := range group {
		series[i] = f.series
	}
	if s.options.Model == Own {
		models, err := scaling.FitAll(series, s.prior())
		if err != nil {
			return err
		}
		for i, m := range models {
			m.Interval = s.options.Interval
			group[i].model, group[i].own = m, m
		}
		return nil
	}
	models, err := scaling.Combine(series, s.prior())
	if err != nil {
		return err
	}
	for i, m := range models {
		m.Own.Interval = s.options.Interval
		group[i].model, group[i].own = m, m.Own
	}
	return nil
}

// processes says whether the first parameter is a number of processes.
func (s *study) processes() bool { return counters.IsProcesses(s.set.Parameters[0]) }

func (s *study) prior() scaling.Prior {
	if s.processes() {
		return scaling.DefaultPrior(len(s.set.Parameters))
	}
	return scaling.SizePrior(len(s.set.Parameters))
}

// baseline is the model of one series by itself.
func (s *study) baseline(series *scaling.Series) (scaling.Model, error) {
	if s.options.Model == PowerLaw {
		return scaling.FitPowerLaw(series)
	}
	if s.options.Model == APMT && (len(series.Parameters) == 1 || len(s.options.Work) > 0) {
		return s.function(series)
	}
	if len(series.Parameters) > 1 {
		return nil, fmt.Errorf("the model %s knows one parameter, and the measurements have %s; take the model auto, or measurements at one size", s.options.Model, strings.Join(series.Parameters, ", "))
	}
	if s.options.Model == TimesP {
		return scaling.FitTimesP(series)
	}
	return nil, fmt.Errorf("the model %s is not for single series", s.options.Model)
}
