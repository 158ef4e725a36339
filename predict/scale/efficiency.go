package scale

import (
	"fmt"
	"math"
	"slices"

	"foresee/application/counters"
)

// When a time does not fall, for one problem on more processes. Chosen: from 1 to 4 processes it must fall by a quarter.
const (
	muchFarther = 4   // times the processes, from which on it is looked at
	hardlyFalls = 0.2 // the power of the processes that it must fall by
)

// grows warns where the time of what is said to be one problem does not fall with more processes.
func (s *study) grows(r *Result, total *fitted) {
	if !s.processes() || s.options.Weak {
		return
	}
	for _, pair := range total.series.Ends() {
		p := total.series.At[pair[1]][0] / total.series.At[pair[0]][0]
		if p >= muchFarther && total.series.Y[pair[1]] > total.series.Y[pair[0]]*math.Pow(p, -hardlyFalls) {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the time does not fall from %s to %s; if the problem grew with the processes, say so, or give its size as a parameter",
				counters.FormatPoint(s.set.Parameters, total.series.At[pair[0]]), counters.FormatPoint(s.set.Parameters, total.series.At[pair[1]])))
			return
		}
	}
}

// efficiency compares a point with the smallest measured run of the same problem, else with the measured run that has the same work for each
// process; false where there is neither. The speed-up is that of the time; the efficiency is that over the processes in use, for one problem
// (strong), or over the work of each process, for the same work of each (weak): 1 where nothing is lost.
func (s *study) efficiency(total *fitted, at []float64) (Scaling, bool) {
	if !s.processes() {
		return Scaling{}, false
	}
	base := -1
	for i, m := range total.series.At {
		if slices.Equal(m[1:], at[1:]) && (base < 0 || m[0] < total.series.At[base][0]) {
			base = i
		}
	}
	kind := "strong"
	if base < 0 {
		kind, base = "weak", s.sameWork(total, at)
	}
	if base < 0 {
		return Scaling{}, false
	}
	from := total.series.At[base]
	speed := total.series.Y[base] / total.value(at)
	efficiency := speed
	switch {
	case s.options.Weak:
		kind = "weak"
	case kind == "strong":
		efficiency = speed * from[0] / at[0]
	default:
		efficiency = speed * s.workRatio(total, at, from)
	}
	return Scaling{Params: named(s.set.Parameters, at), Kind: kind, Base: named(s.set.Parameters, from), SpeedUp: speed, Efficiency: efficiency}, true
}

// What counts as the same work for each process, as shares of it. Chosen: sizes are whole numbers, which seldom fit exactly, and the ratio of
// the times is mended by that of the work.
const (
	similarWork = 0.25 // apart at most
	equallyNear = 0.02 // apart, of two runs: the one on fewer processes is taken
)

// sameWork is the measured run with the work for each process nearest to a point's, if similar, on the fewest processes; −1 where there is
// none. Work grows with the sizes as the time does on the fewest processes.
func (s *study) sameWork(total *fitted, at []float64) int {
	best, nearest := -1, similarWork
	for i, m := range total.series.At {
		if off := math.Abs(s.workRatio(total, at, m) - 1); off < nearest-equallyNear || off < nearest+equallyNear && best >= 0 && m[0] < total.series.At[best][0] {
			best, nearest = i, min(nearest, off)
		}
	}
	return best
}

// workRatio is the work of each process at a point over that at another.
func (s *study) workRatio(total *fitted, at, from []float64) float64 {
	share := from[0] / at[0]
	for j := 1; j < len(at); j++ {
		share *= math.Pow(at[j]/from[j], total.sizeExponent(j))
	}
	return share
}

// sizeExponent is the power of parameter j that the time grows with when it doubles, from the first measured point on, which has the fewest
// processes.
func (f *fitted) sizeExponent(j int) float64 {
	a, b := slices.Clone(f.series.At[0]), slices.Clone(f.series.At[0])
	b[j] *= 2
	return math.Log2(f.value(b) / f.value(a))
}

// surely is how many times the processes with the least time all of the interval must lie above it, for that to be said. Chosen.
const surely = 4

// stops looks for half the efficiency and the least time among processes up to farthest times the measured.
func (s *study) stops(total *fitted, at []float64) *Stop {
	if !s.processes() {
		return nil
	}
	e, ok := s.efficiency(total, at)
	if !ok || e.Kind != "strong" {
		return nil
	}
	most := slices.Max(s.values())
	out := &Stop{UpTo: most * farthest, Others: counters.FormatPoint(s.set.Parameters[1:], at[1:])}
	least, fastest := math.Inf(1), 0.0
	const fine = 16 // numbers of processes looked at in each doubling: steps of 4.4 %; chosen
	for i := 0; ; i++ {
		p := e.Base[s.set.Parameters[0]] * math.Exp2(float64(i)/fine)
		if p > out.UpTo*1.0001 { // rounding does not leave out the last one
			break
		}
		point := slices.Clone(at)
		point[0] = p
		t := total.value(point)
		if t < least {
			least, fastest = t, p
		}
		if eff := total.value(withFirst(at, e.Base[s.set.Parameters[0]])) * e.Base[s.set.Parameters[0]] / (t * p); out.Half == nil && eff < 0.5 {
			whole := math.Ceil(p)
			out.Half = &whole
		}
	}
	// A least time at the last number of processes is none: it may fall on. They are 4.4 % apart.
	if sure := withFirst(at, min(fastest*surely, out.UpTo)); fastest < out.UpTo*0.97 && total.model.At(sure).Low > least {
		whole := math.Round(fastest)
		out.Fastest = &whole
	}
	return out
}
