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

// ErrChanged is what Predict returns where the configuration changes within the measured runs.
var ErrChanged = errors.New("the application changed its configuration")

// Predict fits the series of a set and predicts them at the points asked for. Past a change of configuration it refuses, as
// what was measured before it says nothing of what comes after; it goes on with the points after it, where these are three.
func Predict(ctx context.Context, set *counters.Set, o Options) (*Result, error) {
	if err := o.fill(); err != nil {
		return nil, err
	}
	set.ProcessesFirst()
	set.Sort()
	points, err := o.points(set)
	if err != nil {
		return nil, err
	}
	for name := range o.Work {
		if !slices.Contains(set.Parameters[1:], name) {
			return nil, fmt.Errorf("the size of the problem names %s, and the measurements have the parameters %s", name, strings.Join(set.Parameters, ", "))
		}
	}
	r := &Result{Model: o.Model, Interval: o.Interval, Parameters: set.Parameters}
	r.Warnings = append(r.Warnings, set.Warnings...)
	whole := set
	if o.HoldOut > 0 {
		if set, err = withoutLargest(set, o.HoldOut); err != nil {
			return nil, err
		}
	}
	found := kernelsOf(set, o.Share)
	if o.Callpath == "" {
		minor := notable(set)
		set, whole = withRest(set, found, minor), withRest(whole, found, minor)
	}
	s, err := newStudy(ctx, set, found, &o)
	if err != nil {
		return nil, err
	}
	if s, err = s.configuration(ctx, r); err != nil {
		return nil, err
	}
	r.Warnings = append(r.Warnings, s.warnings...)
	r.Measured = len(s.measured())
	if o.Model == APMT {
		s.published(r, points)
	}
	for _, at := range points {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s.warnFar(r, at)
		for _, f := range s.fits {
			if strings.HasPrefix(f.callpath, restPart) {
				continue
			}
			r.Predictions = append(r.Predictions, f.predict(set.Parameters, at))
		}
	}
	if o.HoldOut > 0 {
		s.heldOut(r, whole)
	}
	s.describe(r, points)
	return r, nil
}

// configuration finds changes, and goes on with what lies after the last one.
func (s *study) configuration(ctx context.Context, r *Result) (*study, error) {
	for {
		changes := s.changes()
		if len(changes) == 0 {
			return s, nil
		}
		last := changes[len(changes)-1]
		text := last.String()
		r.Changes = append(r.Changes, text)
		if s.options.AllowChange {
			s.warnings = append(s.warnings, "the configuration changes "+text+"; it is predicted all the same, as asked")
			return s, nil
		}
		after := restricted(s.set, func(at []float64) bool { return at[0] >= last.To })
		if distinct(after) < 3 {
			return nil, fmt.Errorf("%w %s; runs before that say nothing of runs after it. Measure at three values of %s from %g up, or predict all the same with --allow-change", ErrChanged, text, s.set.Parameters[0], last.To)
		}
		r.Warnings = append(r.Warnings, fmt.Sprintf("the configuration changes %s; only runs from %s=%g up are used", text, s.set.Parameters[0], last.To))
		next, err := newStudy(ctx, after, s.kernels, s.options)
		if err != nil {
			return nil, err
		}
		s = next
	}
}

// costMetrics are those in which a change of configuration shows.
var costMetrics = []string{"cycles", "gcycles", "instructions"}

// changes of the parts of the time, the cycles or the instructions, ascending. Sizes have none: work may grow with any power of them.
func (s *study) changes() []scaling.Change {
	if !s.processes() {
		return nil
	}
	parts := map[string][]*scaling.Series{}
	var metrics []string
	crowded := s.crowded()
	for _, f := range s.fits {
		if crowded && IsTime(f.metric) {
			continue
		}
		if !IsTime(f.metric) && !slices.Contains(costMetrics, f.metric) || strings.HasSuffix(f.metric, counters.MaxSuffix) || s.holdsOthers(f) {
			continue
		}
		if parts[f.metric] == nil {
			metrics = append(metrics, f.metric)
		}
		parts[f.metric] = append(parts[f.metric], f.series)
	}
	var out []scaling.Change
	for _, metric := range metrics {
		out = append(out, scaling.Changes(parts[metric])...)
	}
	slices.SortStableFunc(out, func(a, b scaling.Change) int { return cmp.Compare(a.To, b.To) })
	return out
}

// leastProcessor is the part of the time that ranks must have had a processor for their times to say something.
const leastProcessor = 0.8

// crowded says whether recorded runs had fewer processors than ranks, and warns: such times jump where the processors run out.
func (s *study) crowded() bool {
	whole, cpu := s.byName[counters.WholeRun+" time"], s.byName[counters.WholeRun+" cpu"]
	if whole == nil || cpu == nil {
		return false
	}
	for i, at := range whole.series.At {
		if share := cpu.measured(at) / whole.series.Y[i]; share < leastProcessor {
			s.warnings = append(s.warnings, fmt.Sprintf("at %s the ranks had a processor for %.0f %% of their time: times are of a machine with too few cores, and say little of another", counters.FormatPoint(s.set.Parameters, at), 100*share))
			return true
		}
	}
	return false
}

// holdsOthers says whether a series is the sum of others: it is above them as a callpath, or within a tenth of all others of its metric together.
func (s *study) holdsOthers(f *fitted) bool {
	if s.above[f.name()] {
		return true
	}
	for i, at := range f.series.At {
		all := s.totals[f.metric][counters.FormatPoint(s.set.Parameters, at)]
		others := all.sum - f.series.Y[i]
		if all.n < 3 || scaling.Error(f.series.Y[i], others) > 0.1 || others <= 0 {
			return false
		}
	}
	return true
}

// matters says whether a series has a hundredth of the largest of its metric somewhere.
func (f *fitted) matters(s *study) bool {
	for i, at := range f.series.At {
		if f.series.Y[i] >= 0.01*s.totals[f.metric][counters.FormatPoint(s.set.Parameters, at)].largest {
			return true
		}
	}
	return false
}

func restricted(set *counters.Set, keep func(at []float64) bool) *counters.Set {
	out := &counters.Set{Parameters: set.Parameters}
	for _, series := range set.Series {
		kept := counters.Series{Callpath: series.Callpath, Metric: series.Metric}
		for _, m := range series.Points {
			if keep(m.At) {
				kept.Points = append(kept.Points, m)
			}
		}
		if len(kept.Points) > 0 {
			out.Series = append(out.Series, kept)
		}
	}
	return out
}

// firsts is the distinct values of the first parameter, ascending.
func firsts(set *counters.Set) []float64 {
	var out []float64
	for _, series := range set.Series {
		for _, m := range series.Points {
			out = append(out, m.At[0])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func distinct(set *counters.Set) int { return len(firsts(set)) }

func withoutLargest(set *counters.Set, n int) (*counters.Set, error) {
	all := firsts(set)
	if len(all)-n < fewest {
		return nil, fmt.Errorf("%d values of %s were measured; with %d of them held out, fewer than %d are left", len(all), set.Parameters[0], n, fewest)
	}
	limit := all[len(all)-n]
	return restricted(set, func(at []float64) bool { return at[0] < limit }), nil
}

// measured is the distinct points.
func (s *study) measured() [][]float64 {
	var out [][]float64
	for _, f := range s.fits {
		out = append(out, f.series.At...)
	}
	slices.SortFunc(out, slices.Compare)
	return slices.CompactFunc(out, slices.Equal)
}

// farthest is how many times the largest measured value a parameter may be before the result is called a guess.
const farthest = 64

func (s *study) warnFar(r *Result, at []float64) {
	for j, name := range s.set.Parameters {
		most := 0.0
		for _, m := range s.measured() {
			most = max(most, m[j])
		}
		if at[j] > farthest*most {
			r.Warnings = append(r.Warnings, fmt.Sprintf("%s=%g is %.3g times the largest measured value; nothing in such small runs tells what begins to matter there", name, at[j], at[j]/most))
		}
	}
}

func (f *fitted) predict(parameters []string, at []float64) Prediction {
	p := f.model.At(at)
	return Prediction{
		Callpath: f.callpath, Metric: f.metric, Params: named(parameters, at), Value: p.Value, Low: known(p.Low), High: known(p.High),
		Form: f.model.Formula(), Exponent: f.exponent(at),
	}
}

func named(parameters []string, at []float64) map[string]float64 {
	out := make(map[string]float64, len(at))
	for j, name := range parameters {
		out[name] = at[j]
	}
	return out
}

// pointOf is named undone.
func pointOf(parameters []string, params map[string]float64) []float64 {
	out := make([]float64, len(parameters))
	for j, name := range parameters {
		out[j] = params[name]
	}
	return out
}

func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

// exponent is the slope of log y over log of the first parameter, over a doubling around the point.
func (f *fitted) exponent(at []float64) float64 {
	a, b := slices.Clone(at), slices.Clone(at)
	a[0], b[0] = at[0]/math.Sqrt2, at[0]*math.Sqrt2
	low, high := f.value(a), f.value(b)
	if !(low > 0) || !(high > 0) {
		return 0
	}
	return math.Log2(high / low)
}

// value of a model without the cost of its interval. Models that know whole numbers of processes only are asked at those around.
func (f *fitted) value(at []float64) float64 {
	if f.own != nil {
		return f.own.Median(at)
	}
	if _, ok := f.model.(*surface); ok {
		at = slices.Clone(at)
		at[0] = math.Exp2(math.Round(math.Log2(at[0])))
	}
	return f.model.At(at).Value
}

// heldOut predicts what was left out.
func (s *study) heldOut(r *Result, whole *counters.Set) {
	largest := slices.Max(firsts(s.set))
	for _, series := range whole.Series {
		f := s.byName[series.Callpath+" "+series.Metric]
		if f == nil || strings.HasPrefix(series.Callpath, restPart) {
			continue
		}
		for _, m := range series.Points {
			measured := m.Median()
			if m.At[0] <= largest || !(measured > 0) {
				continue
			}
			h := HeldOut{Prediction: f.predict(s.set.Parameters, m.At), Measured: measured}
			h.Error = scaling.Error(h.Value, measured)
			h.Inside = h.Low != nil && h.High != nil && measured >= *h.Low && measured <= *h.High
			r.HeldOut = append(r.HeldOut, h)
		}
	}
	slices.SortStableFunc(r.HeldOut, func(a, b HeldOut) int {
		return cmp.Compare(a.Params[s.set.Parameters[0]], b.Params[s.set.Parameters[0]])
	})
}

func lastName(callpath string) string {
	if i := strings.LastIndex(callpath, "->"); i >= 0 {
		return callpath[i+2:]
	}
	return callpath
}
