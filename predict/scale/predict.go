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
	set, err := withReuse(set, &o)
	if err != nil {
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
	if said := mixed(set); said != "" {
		r.Warnings = append(r.Warnings, said)
	}
	set, said := sameNodes(set, points)
	if said != "" {
		r.Warnings = append(r.Warnings, said)
	}
	whole := set
	if o.HoldOut > 0 {
		if set, err = withoutLargest(set, o.HoldOut); err != nil {
			return nil, err
		}
	}
	found := kernelsOf(set, o.Share, o.Cover)
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
		s.published(r, points, whole)
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
			s.answer(r, f, at)
		}
	}
	if o.HoldOut > 0 {
		s.heldOut(r, whole)
	}
	s.describe(r, points)
	return r, nil
}

// answer predicts a series at a point, or says why it does not. Misses by capacity are predicted in any case: where data come to fit they fall to
// nothing, and the ratio of the interval's ends says little.
func (s *study) answer(r *Result, f *fitted, at []float64) {
	if p := f.model.At(at); tooWide(p) && !f.profiled {
		r.Withheld = append(r.Withheld, s.withheld(f, at, p))
		return
	}
	r.Predictions = append(r.Predictions, f.predict(s.set.Parameters, at))
}

// matters says whether a series has a hundredth of the largest of its metric somewhere.
func (f *fitted) matters(s *study) bool {
	return s.part(f) >= 0.01
}

// restricted is the part of a set at the points that are kept.
func restricted(set *counters.Set, keep func(at []float64) bool) *counters.Set {
	out := &counters.Set{Parameters: set.Parameters}
	for _, r := range set.Reuse {
		if keep(r.At) {
			out.Reuse = append(out.Reuse, r)
		}
	}
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

// withoutLargest leaves out the n largest values of the first parameter.
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
	if s.points == nil {
		for _, f := range s.fits {
			s.points = append(s.points, f.series.At...)
		}
		slices.SortFunc(s.points, slices.Compare)
		s.points = slices.CompactFunc(s.points, slices.Equal)
	}
	return s.points
}

// values are the distinct ones of the first parameter, ascending.
func (s *study) values() []float64 {
	if s.firsts == nil {
		s.firsts = firsts(s.set)
	}
	return s.firsts
}

// farthest is how many times the largest measured value a parameter may be before the result is called a guess. Chosen: six doublings,
// in which much may begin that nothing measured shows.
const farthest = 64

// warnFar warns of a point that nothing measured is near to.
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

// predict is what the model of a series says of a point.
func (f *fitted) predict(parameters []string, at []float64) Prediction {
	p := f.model.At(at)
	return Prediction{
		Callpath: f.callpath, Metric: f.metric, Params: named(parameters, at), Value: p.Value, Low: known(p.Low), High: known(p.High),
		Form: f.model.Formula(), Exponent: f.exponent(at),
	}
}

// named is a point by the names of its parameters.
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
	if _, ok := f.model.(*surface); ok {
		at = slices.Clone(at)
		at[0] = math.Exp2(math.Round(math.Log2(at[0])))
	}
	return scaling.ValueOf(f.model, at)
}

// heldOut predicts what was left out.
func (s *study) heldOut(r *Result, whole *counters.Set) {
	for _, series := range whole.Series {
		f := s.byName[series.Callpath+" "+series.Metric]
		if f == nil || strings.HasPrefix(series.Callpath, restPart) {
			continue
		}
		for _, m := range leftOut(&series, s.values()) {
			measured := m.Median()
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

// leftOut are the points of a series beyond all values of the first parameter that were kept, where something was measured.
func leftOut(series *counters.Series, kept []float64) (out []counters.Measurement) {
	largest := slices.Max(kept)
	for _, m := range series.Points {
		if m.At[0] > largest && m.Median() > 0 {
			out = append(out, m)
		}
	}
	return out
}

func lastName(callpath string) string {
	if i := strings.LastIndex(callpath, "->"); i >= 0 {
		return callpath[i+2:]
	}
	return callpath
}
