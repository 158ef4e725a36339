package scale

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// published puts the published model together where its counters were measured, and says what lacks where not: each series then has the
// published functions by itself.
//
// Where runs were left out, the time of equation 2 is compared with theirs. This is how section 3.4 refines communication: it fits again with
// one more run, and checks with another one.
func (s *study) published(r *Result, points [][]float64, whole *counters.Set) {
	small := s.smallest()
	runs, kernels, err := s.runs(small)
	if err == nil && (s.options.GHz <= 0 || s.options.Latencies == scaling.Latencies{}) {
		err = fmt.Errorf("the clock and latencies of the machine are needed; name the machine")
	}
	var model *scaling.APMT
	if err == nil {
		model, err = scaling.FitAPMT(runs, kernels, s.options.GHz, s.options.Latencies, func(p float64) float64 { return s.work(withFirst(small, p)) })
	}
	if err != nil {
		r.Warnings = append(r.Warnings, fmt.Sprintf("equation 2 of the published model is not put together (%v); each series is fitted by itself", err))
		return
	}
	r.APMT = s.describeAPMT(model, points)
	for _, at := range points {
		if err := model.LargerProblem(); err != nil && edgeRatio(at, small) != 1 {
			r.Warnings = append(r.Warnings, "larger problems are out of the published model's reach: "+err.Error())
		}
		parts := s.equation2(model, at, small)
		b := Breakdown{Params: named(s.set.Parameters, at), Total: parts.Total()}
		for _, part := range []Part{
			{Name: "compute", Seconds: parts.Compute},
			{Name: "memory, not overlapped", Seconds: parts.Memory},
			{Name: "point-to-point", Seconds: parts.PointToPoint},
			{Name: "collective", Seconds: parts.Collective},
			{Name: scaling.Rest, Seconds: parts.Rest},
		} {
			if part.Seconds > 0 {
				part.Share = part.Seconds / b.Total
				b.Parts = append(b.Parts, part)
			}
		}
		r.Breakdowns = append(r.Breakdowns, b)
		r.Predictions = append(r.Predictions, wholeTime(model, b.Params, b.Total))
	}
	if series := whole.Find(counters.WholeRun, "time"); series != nil && s.options.HoldOut > 0 {
		for _, m := range leftOut(series, s.values()) {
			h := HeldOut{Prediction: wholeTime(model, named(s.set.Parameters, m.At), s.equation2(model, m.At, small).Total()), Measured: m.Median()}
			h.Error = scaling.Error(h.Value, h.Measured)
			r.HeldOut = append(r.HeldOut, h)
		}
	}
}

// equation2Time is the metric of the time that equation 2 gives.
const equation2Time = "time of equation 2"

// equation2 is the time of the run at a point, in parts; small is the problem that the model was fitted to.
func (s *study) equation2(model *scaling.APMT, at, small []float64) scaling.Breakdown {
	return model.Predict(at[0], s.work(at), s.work(withFirst(small, at[0])), edgeRatio(at, small))
}

func wholeTime(model *scaling.APMT, params map[string]float64, seconds float64) Prediction {
	return Prediction{
		Callpath: counters.WholeRun, Metric: equation2Time, Params: params, Value: seconds,
		Form: fmt.Sprintf("%d kernels, BF_comm %.3g", len(model.Kernels), model.BFComm),
	}
}

// smallest is the smallest measured problem: the published model is fitted to it alone, and reaches others by their work per process.
func (s *study) smallest() []float64 {
	measured := s.measured()
	best := measured[0]
	for _, m := range measured {
		if slices.Compare(m[1:], best[1:]) < 0 {
			best = m
		}
	}
	return best
}

// edgeRatio is the factor by which the paper lets messages grow with the problem: the mean ratio of the sizes.
func edgeRatio(at, small []float64) float64 {
	product := 1.0
	for j := 1; j < len(at); j++ {
		product *= at[j] / small[j]
	}
	return math.Pow(product, 1/float64(max(len(at)-1, 1)))
}

// runs gathers the counters of each measured run of the smallest problem; functions that are no kernels become one.
func (s *study) runs(small []float64) ([]scaling.Run, []string, error) {
	var names []string
	if len(s.set.Parameters) > 1 && len(s.options.Work) == 0 {
		return nil, nil, fmt.Errorf("with several parameters it needs the size of the problem, such as n^3")
	}
	for _, k := range s.kernels {
		names = append(names, k.Name)
	}
	if len(names) == 0 {
		return nil, nil, scaling.ErrCounters
	}
	var out []scaling.Run
	for _, p := range firsts(restricted(s.set, func(at []float64) bool { return slices.Equal(at[1:], small[1:]) })) {
		point := withFirst(small, p)
		run := scaling.Run{P: p, Kernels: map[string]scaling.Counters{}, Time: s.at(counters.WholeRun, "time", point)}
		run.Comm = scaling.Communication{
			PointToPoint: orZero(s.at(counters.PointToPoint, "time", point)), PointToPointBytes: orZero(s.at(counters.PointToPoint, "bytes", point)),
			Collectives: s.collectives(point),
		}
		rest := s.counters(counters.WholeRun, point)
		for _, name := range names {
			if name == scaling.Rest {
				continue
			}
			c := s.counters(name, point)
			run.Kernels[name] = c
			rest = minus(rest, c)
		}
		if slices.Contains(names, scaling.Rest) {
			run.Kernels[scaling.Rest] = rest
		}
		out = append(out, run)
	}
	return out, names, nil
}

// collectives are those of a measured point by their functions, or all as one where these were not told apart.
func (s *study) collectives(point []float64) map[string]scaling.Traffic {
	out := map[string]scaling.Traffic{}
	below := counters.Collective + "->"
	for _, series := range s.set.Series {
		name, is := strings.CutPrefix(series.Callpath, below)
		if is && series.Metric == "time" && !strings.Contains(name, "->") {
			out[name] = scaling.Traffic{Seconds: orZero(s.at(series.Callpath, "time", point)), Bytes: orZero(s.at(series.Callpath, "bytes", point))}
		}
	}
	if len(out) == 0 {
		out["collective"] = scaling.Traffic{Seconds: orZero(s.at(counters.Collective, "time", point)), Bytes: orZero(s.at(counters.Collective, "bytes", point))}
	}
	return out
}

// at is a measured value; NaN where there is none.
func (s *study) at(callpath, metric string, point []float64) float64 {
	if series := s.set.Find(callpath, metric); series != nil {
		for _, m := range series.Points {
			if slices.Equal(m.At, point) {
				return m.Median()
			}
		}
	}
	return math.NaN()
}

func orZero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}

// counters are those of a function at a measured point; NaN where one was not measured.
func (s *study) counters(callpath string, p []float64) scaling.Counters {
	return scaling.Counters{
		Cycles: s.at(callpath, "cycles", p), Instructions: s.at(callpath, "instructions", p),
		L1: s.at(callpath, "l1_hits", p), L2: s.at(callpath, "l2_hits", p), LLC: s.at(callpath, "llc_hits", p), Memory: s.at(callpath, "llc_misses", p),
		Stalls: s.at(callpath, "load_stalls", p) + orZero(s.at(callpath, "store_stalls", p)),
	}
}

// minus is what is left of a without b.
func minus(a, b scaling.Counters) scaling.Counters {
	return scaling.Counters{
		Cycles: a.Cycles - b.Cycles, Instructions: a.Instructions - b.Instructions,
		L1: a.L1 - b.L1, L2: a.L2 - b.L2, LLC: a.LLC - b.LLC, Memory: a.Memory - b.Memory, Stalls: a.Stalls - b.Stalls,
	}
}
