package scale

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// describe says of the whole time what a user asks next: its parts, efficiency, where it stops paying, how far to trust, what to run.
func (s *study) describe(r *Result, points [][]float64) {
	r.Kernels = s.kernels
	r.curves = func() []Curve { return s.curves(r, points) }
	total := s.total()
	if total == nil {
		if s.options.Accuracy > 0 {
			r.Refinement = s.refinement(r, nil)
		}
		if !s.onlyReuse() {
			r.Warnings = append(r.Warnings, "no series is the time of the whole, so nothing is said of efficiency; it would be one above the others (main->solve), their sum, or one called total")
		}
		return
	}
	r.Whole = total.callpath
	if s.options.Accuracy > 0 {
		r.Refinement = s.refinement(r, total)
	}
	s.grows(r, total)
	for _, at := range points {
		if said := oneNode(total.series, at[0]); said != "" && s.processes() {
			r.Warnings = append(r.Warnings, said)
			break
		}
	}
	for _, at := range s.answerable(total, points) {
		if r.Model != APMT || len(r.Breakdowns) < len(points) {
			if b, ok := s.breakdown(total, at); ok {
				r.Breakdowns = append(r.Breakdowns, b)
			}
		}
		if e, ok := s.efficiency(total, at); ok {
			r.Scaling = append(r.Scaling, e)
		}
	}
	r.Trust = s.trust(points)
	if len(points) > 0 {
		r.Stops = s.stops(total, points[0])
		r.Advice = s.advise(total, points[len(points)-1])
	}
}

// wholeNames are how people call the time of the whole.
var wholeNames = []string{"total", "main", "main()", "main_loop", "program", "application", "wall", "elapsed", "whole"}

// total is the series of the whole time: of a recorded run, or the one above the others, as large as them together, called so, or the only one.
// Where there is none, nothing can be said of a whole.
func (s *study) total() *fitted {
	if f := s.byName[counters.WholeRun+" time"]; f != nil {
		return f
	}
	var best, only *fitted
	times, tops := 0, 0
	for _, f := range s.fits {
		if !IsTime(f.metric) || strings.HasSuffix(f.metric, counters.MaxSuffix) {
			continue
		}
		times, only = times+1, f
		called := slices.Contains(wholeNames, strings.ToLower(f.callpath))
		if !strings.Contains(f.callpath, "->") && !called {
			tops++
		}
		if (called || s.holdsOthers(f)) && (best == nil || f.last() > best.last()) {
			best = f
		}
	}
	if best != nil && tops > 1 && !slices.Contains(wholeNames, strings.ToLower(best.callpath)) && !s.isSum(best) {
		return nil // one of several
	}
	if best == nil && times == 1 {
		return only
	}
	return best
}

// IsTime knows the names under which tools keep times.
func IsTime(metric string) bool {
	m := strings.ToLower(metric)
	return m == "time" || m == "wall" || m == "seconds" || m == "runtime" || strings.HasPrefix(m, "time_") || strings.HasPrefix(m, "sec_per") || strings.HasPrefix(m, "walltime")
}

// last is the value at the largest measured point.
func (f *fitted) last() float64 { return f.series.Y[len(f.series.Y)-1] }

// parts are the series that the whole time is made of: those directly below it.
func (s *study) parts(total *fitted) []*fitted {
	var out []*fitted
	for _, f := range s.fits {
		rest, below := strings.CutPrefix(f.callpath, total.callpath+"->")
		if below && f.metric == total.metric && !strings.Contains(rest, "->") {
			out = append(out, f)
		}
	}
	return out
}

// told is by which factor the parts must add up to more than the total for it to be told. Chosen: less is not seen in what is printed.
const told = 1.01

// breakdown predicts the parts and makes them add up to the total: what they lack of it is the rest, what they have too much is taken off
// all in proportion.
func (s *study) breakdown(total *fitted, at []float64) (Breakdown, bool) {
	parts := s.parts(total)
	if len(parts) == 0 {
		return Breakdown{}, false
	}
	b := Breakdown{Params: named(s.set.Parameters, at), Total: total.value(at)}
	sum := 0.0
	for _, f := range parts {
		v := f.value(at)
		sum += v
		b.Parts = append(b.Parts, Part{Name: lastName(f.callpath), Seconds: v, Exponent: f.exponent(at)})
	}
	if rest := b.Total - sum; rest > 0.001*b.Total {
		b.Parts = append(b.Parts, Part{Name: scaling.Rest, Seconds: rest, Exponent: restExponent(total, parts, at)})
	} else if sum > b.Total {
		if sum > told*b.Total {
			b.Apart = sum
		}
		for i := range b.Parts {
			b.Parts[i].Seconds *= b.Total / sum
		}
	}
	for i := range b.Parts {
		b.Parts[i].Share = b.Parts[i].Seconds / b.Total
	}
	slices.SortStableFunc(b.Parts, func(x, y Part) int { return cmp.Compare(y.Seconds, x.Seconds) })
	b.Limiting = limiting(b.Parts)
	return b, true
}

// restExponent is how what the parts lack of the whole goes with the first parameter.
func restExponent(total *fitted, parts []*fitted, at []float64) float64 {
	rest := func(p float64) float64 {
		point := withFirst(at, p)
		v := total.value(point)
		for _, f := range parts {
			v -= f.value(point)
		}
		return v
	}
	low, high := rest(at[0]/math.Sqrt2), rest(at[0]*math.Sqrt2)
	if low <= 0 || high <= 0 {
		return 0
	}
	return math.Log2(high / low)
}

// limiting is the part with the largest share of what does not fall with 1/p.
func limiting(parts []Part) string {
	name, most := "", 0.0
	for _, p := range parts {
		if lost := p.Seconds * min(max(1+p.Exponent, 0), 1); lost > most {
			name, most = p.Name, lost
		}
	}
	return name
}

func withFirst(at []float64, p float64) []float64 {
	out := slices.Clone(at)
	out[0] = p
	return out
}

// trust looks how far the intervals of times stay within a factor of two.
func (s *study) trust(points [][]float64) []Trust {
	var out []Trust
	at := s.series(points)
	for _, f := range s.fits {
		if !IsTime(f.metric) || f.own == nil && f.whole == nil || !f.matters(s) {
			continue
		}
		t := Trust{Callpath: f.callpath, Metric: f.metric}
		most := slices.Max(s.values())
		for p := most; p <= most*farthest; p *= math.Sqrt2 {
			if v := f.model.At(withFirst(at, p)); v.High > 2*v.Low {
				break
			}
			reach := math.Floor(p)
			t.UpTo = &reach
		}
		out = append(out, t)
	}
	return out
}

// series is the point whose sizes plots and ranges are for: the last one asked for, else the largest measured.
func (s *study) series(points [][]float64) []float64 {
	if len(points) > 0 {
		return points[len(points)-1]
	}
	measured := s.measured()
	return measured[len(measured)-1]
}

// advise tries runs at half, twice and four times the largest measured number of processes.
func (s *study) advise(total *fitted, at []float64) []Advice {
	model := total.own
	if model == nil {
		model = total.whole
	}
	if model == nil {
		return nil
	}
	most := slices.Max(s.values())
	var candidates [][]float64
	for _, factor := range []float64{0.5, 0.75, 1.5, 2, 3, 4} {
		p := math.Round(most * factor)
		point := withFirst(at, p)
		if p >= at[0] || p < 1 || slices.ContainsFunc(s.measured(), func(m []float64) bool { return slices.Equal(m, point) }) {
			continue
		}
		candidates = append(candidates, point)
	}
	var out []Advice
	for _, a := range model.Advise(at, candidates) {
		out = append(out, Advice{Params: named(s.set.Parameters, a.At), Narrowing: a.Narrowing})
	}
	slices.SortStableFunc(out, func(a, b Advice) int { return cmp.Compare(b.Narrowing, a.Narrowing) })
	return out
}

// curves are those of the models along the first parameter.
func (s *study) curves(r *Result, points [][]float64) (all []Curve) {
	at := s.series(points)
	low, high := s.values()[0], slices.Max(s.values())
	for _, p := range points {
		high = max(high, p[0])
	}
	for _, h := range r.HeldOut {
		high = max(high, h.Params[s.set.Parameters[0]])
	}
	for _, f := range s.fits {
		if !f.matters(s) || strings.HasPrefix(f.callpath, restPart) {
			continue
		}
		c := Curve{Callpath: f.callpath, Metric: f.metric, Others: counters.FormatPoint(s.set.Parameters[1:], at[1:]), End: f.model.At(withFirst(at, high)).Value}
		c.trace = func(c *Curve) { f.trace(c, at, low, high) }
		for i, m := range f.series.At {
			if slices.Equal(m[1:], at[1:]) {
				c.Measured = append(c.Measured, [2]float64{m[0], f.series.Y[i]})
			}
		}
		for _, h := range r.HeldOut {
			if h.Callpath == f.callpath && h.Metric == f.metric && counters.FormatPoint(s.set.Parameters[1:], pointOf(s.set.Parameters, h.Params)[1:]) == c.Others {
				c.HeldOut = append(c.HeldOut, [2]float64{h.Params[s.set.Parameters[0]], h.Measured})
			}
		}
		all = append(all, c)
	}
	return all
}

// trace gives a curve its values.
func (f *fitted) trace(c *Curve, at []float64, low, high float64) {
	const steps = 48 // of a curve, evenly in the logarithm; chosen: it looks smooth
	for i := range steps + 1 {
		p := low * math.Pow(high/low, float64(i)/steps)
		v := f.model.At(withFirst(at, p))
		c.P, c.Value, c.Low, c.High = append(c.P, p), append(c.Value, v.Value), append(c.Low, v.Low), append(c.High, v.High)
	}
}
