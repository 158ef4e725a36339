package scale

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
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
}

// extremes are the sum, the largest and the number of a metric's series at a point.
type extremes struct {
	sum, largest float64
	n            int
}

// fewest is the number of points below which nothing is extrapolated.
const fewest = 2

// enough is the number of values of the first parameter from which on intervals hold what they say.
const enough = 4

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
	if n := distinct(set); n < enough {
		s.warnings = append(s.warnings, fmt.Sprintf("only %d values of %s are fitted: intervals of fewer than %d hold less than they say; measure at one more", n, set.Parameters[0], enough))
	}
	s.order()
	s.index()
	return s, s.fit(ctx)
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

// tiny is how much smaller than at the next number of processes a value on a single one must be to be no more than the overhead of calls
// that have nobody to talk to.
const tiny = 20

// withoutLone leaves a single process out of what processes do together: all of MPI, and other series that it has next to nothing of.
func withoutLone(set *counters.Set, one counters.Series) counters.Series {
	if !counters.IsProcesses(set.Parameters[0]) || len(one.Points) < 3 {
		return one
	}
	together := strings.HasPrefix(one.Callpath, counters.WholeRun+"->") && one.Callpath != counters.Computing || strings.HasPrefix(lastName(one.Callpath), "MPI_")
	out := counters.Series{Callpath: one.Callpath, Metric: one.Metric}
	for i, m := range one.Points {
		if m.At[0] == 1 && (together || m.Median() > 0 && nextTo(one.Points, i) > tiny*m.Median()) {
			continue
		}
		out.Points = append(out.Points, m)
	}
	if len(out.Points) < fewest {
		return one
	}
	return out
}

// nextTo is the value at the next larger first parameter, the others equal; 0 without one.
func nextTo(points []counters.Measurement, i int) float64 {
	best := -1
	for j, m := range points {
		if m.At[0] > points[i].At[0] && slices.Equal(m.At[1:], points[i].At[1:]) && (best < 0 || m.At[0] < points[best].At[0]) {
			best = j
		}
	}
	if best < 0 {
		return 0
	}
	return points[best].Median()
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
	const most = 4
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
	}
	if s.options.Model == Auto || s.options.Model == Own {
		s.sums()
	}
	if s.options.Model == Auto {
		s.slowest()
	}
	return nil
}

func (s *study) fitGroup(group []*fitted) error {
	switch s.options.Model {
	case Auto, Own:
		series := make([]*scaling.Series, len(group))
		for i, f := range group {
			series[i] = f.series
		}
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
	for _, f := range group {
		m, err := s.baseline(f.series)
		if err != nil {
			return err
		}
		f.model = m
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

// function is the published function of a series: of p, or of the work per process.
func (s *study) function(series *scaling.Series) (scaling.Model, error) {
	x := make([]float64, len(series.Y))
	for i, at := range series.At {
		x[i] = s.work(at)
	}
	f, err := scaling.FitFunction(x, series.Y)
	if err != nil {
		return nil, err
	}
	return &ofWork{Function: f, study: s}, nil
}

// ofWork is a function of the work per process.
type ofWork struct {
	*scaling.Function
	study *study
}

// At is the function at a point's work per process.
func (f *ofWork) At(at []float64) scaling.Prediction {
	return f.Function.At([]float64{f.study.work(at)})
}

// Formula names x.
func (f *ofWork) Formula() string {
	return strings.ReplaceAll(f.Function.Formula(), "x", f.study.workName())
}

// work is the x of the published functions: p, or D/p where the size of the problem is told.
func (s *study) work(at []float64) float64 {
	if len(s.options.Work) == 0 {
		return at[0]
	}
	x := 1 / at[0]
	for j, name := range s.set.Parameters[1:] {
		x *= math.Pow(at[j+1], s.options.Work[name])
	}
	return x
}

func (s *study) workName() string {
	if len(s.options.Work) == 0 {
		return s.set.Parameters[0]
	}
	return "D/" + s.set.Parameters[0]
}

// slowest models the largest over the ranks as the mean times a ratio, since what makes ranks differ changes with the number of
// processes otherwise than the work does.
func (s *study) slowest() {
	var ratios []*scaling.Series
	var of []*fitted
	for _, f := range s.fits {
		mean := s.byName[f.callpath+" "+strings.TrimSuffix(f.metric, counters.MaxSuffix)]
		if !strings.HasSuffix(f.metric, counters.MaxSuffix) || mean == nil || len(mean.series.Y) != len(f.series.Y) {
			continue
		}
		ratio := *f.series
		ratio.Y = make([]float64, len(f.series.Y))
		for i := range ratio.Y {
			ratio.Y[i] = max(f.series.Y[i]/mean.series.Y[i], 1)
		}
		ratios, of = append(ratios, &ratio), append(of, f)
	}
	if len(ratios) == 0 {
		return
	}
	models, err := scaling.FitAll(ratios, scaling.RatioPrior(len(s.set.Parameters)))
	if err != nil {
		return
	}
	for i, f := range of {
		mean := s.byName[f.callpath+" "+strings.TrimSuffix(f.metric, counters.MaxSuffix)]
		models[i].Interval = s.options.Interval
		f.model = &product{mean: mean.model, ratio: models[i]}
		f.own = nil
	}
}

// product is a mean times the ratio of the slowest rank to it.
type product struct {
	mean  scaling.Model
	ratio *scaling.Posterior
}

// At multiplies; distances to the interval's ends add as independent ones, in logarithms. The largest is not below the mean.
func (p *product) At(at []float64) scaling.Prediction {
	a, b := p.mean.At(at), p.ratio.At(at)
	ratio := max(b.Value, 1)
	out := scaling.Prediction{Value: a.Value * ratio}
	low := math.Hypot(math.Log(a.Value/a.Low), math.Log(ratio/max(b.Low, 1)))
	high := math.Hypot(math.Log(a.High/a.Value), math.Log(max(b.High, ratio)/ratio))
	out.Low, out.High = out.Value*math.Exp(-low), out.Value*math.Exp(high)
	return out
}

// Formula is the product in words.
func (p *product) Formula() string {
	return "mean over the ranks (" + p.mean.Formula() + ") × largest over mean (" + p.ratio.Formula() + ")"
}
