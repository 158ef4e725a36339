package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/predict/scale"
)

// Intervals says how wide the intervals of a result are meant to be.
func Intervals(r *scale.Result) string {
	if r.Model == scale.Auto || r.Model == scale.Own {
		return fmt.Sprintf("intervals of %.0f %%", 100*r.Interval)
	}
	return "which has no intervals"
}

// ScalingPoint writes a point as p=16,n=64 in the result's order.
func ScalingPoint(r *scale.Result, params map[string]float64) string {
	at := make([]float64, len(r.Parameters))
	for j, name := range r.Parameters {
		at[j] = params[name]
	}
	return counters.FormatPoint(r.Parameters, at)
}

// unitOf is the unit of a metric, or nothing.
func unitOf(metric string) string {
	switch strings.TrimSuffix(metric, counters.MaxSuffix) {
	case "time", "cpu", "time of equation 2":
		return "s"
	case "bytes":
		return "B"
	}
	return ""
}

// Quantity writes a value with the unit of its metric.
func Quantity(metric string, v float64) string {
	switch unitOf(metric) {
	case "s":
		return Seconds(v)
	case "B":
		return Significant(v, 4) + " B"
	}
	return Significant(v, 4)
}

// Predicted writes a value with the digits that its interval supports, and the unit of its metric.
func Predicted(p scale.Prediction) string {
	if p.Low == nil || p.High == nil {
		return Quantity(p.Metric, p.Value)
	}
	return within(p.Metric, p.Value, *p.Low, *p.High)
}

// Ends writes the ends of an interval, or nothing.
func Ends(p scale.Prediction) (low, high string) {
	if p.Low == nil || p.High == nil {
		return "", ""
	}
	return within(p.Metric, *p.Low, *p.Low, *p.High), within(p.Metric, *p.High, *p.Low, *p.High)
}

// within writes a value with the digits that an interval supports: as many as put the last one below a twentieth of its width, two to four.
func within(metric string, v, low, high float64) string {
	digits := 4
	if width := 2 * (high - low) / (high + low); width > 0 {
		digits = min(max(int(math.Ceil(math.Log10(20/width))), 2), 4)
	}
	v = rounded(v, digits)
	switch unit := unitOf(metric); {
	case unit == "s" && (v == 0 || math.Abs(v) >= 1e-9):
		size, name := SecondsUnit(v)
		return Significant(v/size, min(digits, 3)) + " " + name
	case unit == "s":
		return Seconds(v)
	case unit != "":
		return Significant(v, digits) + " " + unit
	}
	return Significant(v, digits)
}

// rounded is a value with some significant digits.
func rounded(v float64, digits int) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	r, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', digits, 64), 64)
	if err != nil {
		return v
	}
	return r
}

// NotAnswered says why something is not predicted, and what would help.
func NotAnswered(r *scale.Result, w scale.Withheld) string {
	text := w.Reason
	if w.Run != nil {
		text += fmt.Sprintf("; a run at %s would tell most", ScalingPoint(r, w.Run))
	}
	return text
}

// Refined says whether an accuracy that was asked for is reached, and what to run next where not.
func Refined(r *scale.Result) string {
	f := r.Refinement
	if f == nil {
		return ""
	}
	text := fmt.Sprintf("the run at %s, which was left out, is met within %s; %s were asked for", ScalingPoint(r, f.At), Percent(f.Error), Percent(f.Asked))
	if f.Reached {
		return text
	}
	if f.Part != "" {
		text += fmt.Sprintf(". Most of it comes from %s", f.Part)
	}
	var runs []string
	for _, at := range f.Next {
		runs = append(runs, ScalingPoint(r, at))
	}
	return text + fmt.Sprintf(". Measure at %s next: the first refines the model, the second checks it", strings.Join(runs, " and "))
}

// Stops says where more processes stop paying.
func Stops(r *scale.Result) string {
	s := r.Stops
	if s == nil {
		return ""
	}
	var said []string
	if s.Half != nil {
		said = append(said, fmt.Sprintf("below half its efficiency from %s=%g up", r.Parameters[0], *s.Half))
	}
	if s.Fastest != nil {
		said = append(said, fmt.Sprintf("fastest at %s=%g", r.Parameters[0], *s.Fastest))
	}
	if len(said) == 0 {
		said = []string{fmt.Sprintf("more processes pay up to %s=%g, where the search ended", r.Parameters[0], s.UpTo)}
	}
	text := strings.Join(said, "; ")
	if s.Others != "" {
		text = s.Others + ": " + text
	}
	return text
}

// Reach is how far a model is trusted.
func Reach(r *scale.Result, t scale.Trust) string {
	if t.UpTo == nil {
		return "nowhere past the measured"
	}
	return fmt.Sprintf("%s=%g", r.Parameters[0], *t.UpTo)
}

// What is said of further runs. Chosen: so many fit in a line, and a narrowing of less is not worth a run.
const (
	furtherRuns    = 3
	leastNarrowing = 0.02 // a share of the interval's width
)

// FurtherRuns says which runs would tell most.
func FurtherRuns(r *scale.Result) string {
	var runs []string
	for _, a := range r.Advice[:min(len(r.Advice), furtherRuns)] {
		if a.Narrowing > leastNarrowing {
			runs = append(runs, fmt.Sprintf("%s by up to %.0f %%", ScalingPoint(r, a.Params), 100*a.Narrowing))
		}
	}
	if len(runs) == 0 {
		return ""
	}
	return "a further run should narrow the interval of the last point: " + strings.Join(runs, ", ")
}
