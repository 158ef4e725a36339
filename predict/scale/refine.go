package scale

import (
	"math"
	"slices"
	"strings"

	"foresee/application/counters"
)

// Refinement compares the model with a run that it was not fitted to, and says what to run next where it is off by more than was asked: the loop of
// APMT's section 3.4, one round of it for each further pair of runs, of which one refits and one validates.
type Refinement struct {
	Asked   float64              `json:"asked" jsonschema:"largest error that was asked for"`
	Error   float64              `json:"error" jsonschema:"|predicted/measured − 1| of the whole time at the run that was left out"`
	At      map[string]float64   `json:"at" jsonschema:"the run that was left out"`
	Reached bool                 `json:"reached"`
	Series  string               `json:"series,omitempty" jsonschema:"where none is the time of the whole: the one that is off most"`
	Part    string               `json:"part,omitempty" jsonschema:"compute or messages: what most of the error comes from, where both were measured"`
	Next    []map[string]float64 `json:"next,omitempty" jsonschema:"two runs: one to fit again, one to validate"`
}

// refinement judges the model by the runs that were left out, at the largest of them: by the time of the whole, or where none is by the series that is off most.
func (s *study) refinement(r *Result, total *fitted) *Refinement {
	var last *HeldOut
	for i := range r.HeldOut {
		h := &r.HeldOut[i]
		whole := total == nil || h.Callpath == total.callpath && h.Metric == total.metric
		if r.APMT != nil { // the published model's time of the whole is that of equation 2
			whole = h.Metric == equation2Time
		}
		at := func(x *HeldOut) float64 { return x.Params[s.set.Parameters[0]] }
		if whole && (last == nil || at(h) > at(last) || at(h) == at(last) && (total != nil || h.Error > last.Error)) {
			last = h
		}
	}
	if last == nil {
		return nil
	}
	out := &Refinement{Asked: s.options.Accuracy, Error: last.Error, At: last.Params, Reached: last.Error <= s.options.Accuracy}
	if total == nil {
		out.Series = strings.TrimSpace(last.Callpath + " " + last.Metric)
	}
	if out.Reached {
		return out
	}
	if total != nil {
		out.Part = s.offPart(r, total, last)
	}
	out.Next = s.next(pointOf(s.set.Parameters, last.Params))
	return out
}

// offPart says whether computing or messages are more off, in seconds, at a run that was left out.
func (s *study) offPart(r *Result, total *fitted, at *HeldOut) string {
	var compute, messages float64
	known := false
	for _, h := range r.HeldOut {
		rest, below := strings.CutPrefix(h.Callpath, total.callpath+"->")
		if !below || strings.Contains(rest, "->") || h.Metric != "time" || h.Params[s.set.Parameters[0]] != at.Params[s.set.Parameters[0]] {
			continue
		}
		known = true
		if h.Callpath == counters.Computing {
			compute += h.Value - h.Measured
		} else {
			messages += h.Value - h.Measured
		}
	}
	switch {
	case !known:
		return ""
	case math.Abs(messages) > math.Abs(compute):
		return "messages"
	}
	return "compute"
}

// next are two runs beyond the largest that was measured, at twice and three times its processes: what is fitted last is what predictions start from.
func (s *study) next(largest []float64) (out []map[string]float64) {
	for _, factor := range []float64{2, 3} {
		out = append(out, named(s.set.Parameters, withFirst(slices.Clone(largest), factor*largest[0])))
	}
	return out
}
