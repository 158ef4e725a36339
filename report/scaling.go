package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/predict/scale"
)

// mostRows is how many series and kernels the text shows without verbose.
const mostRows = 24

// ScalingText writes predictions at scale as tables.
func ScalingText(w io.Writer, r *scale.Result, o TextOptions) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s measured, model %s, %s\n", plural(r.Measured, "point"), r.Model, intervals(r))
	scalingBreakdowns(&b, r)
	scalingPredictions(&b, r, o)
	scalingEfficiency(&b, r)
	scalingAdvice(&b, r)
	scalingKernels(&b, r, o.Verbose)
	scalingHeldOut(&b, r, o.Verbose)
	_, err := io.WriteString(w, b.String())
	return err
}

func intervals(r *scale.Result) string {
	if r.Model == scale.Auto || r.Model == scale.Own {
		return fmt.Sprintf("intervals of %.0f %%", 100*r.Interval)
	}
	return "which has no intervals"
}

// scalingPoint writes a point as p=16,n=64 in the result's order.
func scalingPoint(r *scale.Result, params map[string]float64) string {
	at := make([]float64, len(r.Parameters))
	for j, name := range r.Parameters {
		at[j] = params[name]
	}
	return counters.FormatPoint(r.Parameters, at)
}

func scalingPredictions(b *strings.Builder, r *scale.Result, o TextOptions) {
	if len(r.Predictions) == 0 {
		return
	}
	t := &table{left: map[int]bool{0: true, 1: true, 2: true}}
	header := []string{"callpath", "metric", "at", "predicted", "from", "to", "goes with"}
	if o.Verbose {
		t.left[7], header = true, append(header, "model")
	}
	t.row(header...)
	shown := map[string]bool{}
	for _, p := range r.Predictions {
		name := p.Callpath + " " + p.Metric
		if !shown[name] && len(shown) >= mostRows && !o.Verbose {
			continue
		}
		shown[name] = true
		low, high := "", ""
		if p.Low != nil && p.High != nil {
			low, high = quantity(p.Metric, *p.Low), quantity(p.Metric, *p.High)
		}
		row := []string{shorten60(p.Callpath), p.Metric, scalingPoint(r, p.Params), quantity(p.Metric, p.Value), low, high, fmt.Sprintf("%s^%+.2f", r.Parameters[0], p.Exponent)}
		if o.Verbose {
			row = append(row, p.Form)
		}
		t.row(row...)
	}
	fmt.Fprintf(b, "\n%s", t)
	if all := countSeries(r.Predictions); all > len(shown) {
		fmt.Fprintf(b, "%d more series%s\n", all-len(shown), o.more())
	}
}

func countSeries(predictions []scale.Prediction) int {
	seen := map[string]bool{}
	for _, p := range predictions {
		seen[p.Callpath+" "+p.Metric] = true
	}
	return len(seen)
}

// shorten60 keeps the end of a long name, which tells the functions apart.
func shorten60(name string) string {
	runes := []rune(name)
	if len(runes) <= 60 {
		return name
	}
	return "…" + string(runes[len(runes)-59:])
}

// quantity writes a value with the unit of its metric.
func quantity(metric string, v float64) string {
	switch strings.TrimSuffix(metric, counters.MaxSuffix) {
	case "time", "cpu", "time of equation 2":
		return Seconds(v)
	case "bytes":
		return significant(v, 4) + " B"
	}
	return significant(v, 4)
}

func scalingBreakdowns(b *strings.Builder, r *scale.Result) {
	for _, d := range r.Breakdowns {
		fmt.Fprintf(b, "\nat %s %s\n", scalingPoint(r, d.Params), Seconds(d.Total))
		t := &table{left: map[int]bool{0: true, 3: true}}
		for _, p := range d.Parts {
			t.row("  "+p.Name, Seconds(p.Seconds), Percent(p.Share), bar(p.Share, 24))
		}
		b.WriteString(t.String())
		if d.Limiting != "" {
			for _, p := range d.Parts {
				if p.Name == d.Limiting {
					fmt.Fprintf(b, "  limited by %s, which goes with %s^%+.2f\n", p.Name, r.Parameters[0], p.Exponent)
				}
			}
		}
	}
}

func scalingEfficiency(b *strings.Builder, r *scale.Result) {
	if len(r.Scaling) == 0 {
		return
	}
	t := &table{left: map[int]bool{0: true, 1: true, 2: true}}
	t.row("at", "scaling", "against", "speed-up", "efficiency")
	for _, e := range r.Scaling {
		t.row(scalingPoint(r, e.Params), e.Kind, scalingPoint(r, e.Base), fmt.Sprintf("%.3g", e.SpeedUp), Percent(e.Efficiency))
	}
	fmt.Fprintf(b, "\n%s", t)
	if said := stops(r); said != "" {
		fmt.Fprintf(b, "%s\n", said)
	}
}

// stops says where more processes stop paying.
func stops(r *scale.Result) string {
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

// reach is how far a model is trusted.
func reach(r *scale.Result, t scale.Trust) string {
	if t.UpTo == nil {
		return "nowhere past the measured"
	}
	return fmt.Sprintf("%s=%g", r.Parameters[0], *t.UpTo)
}

// furtherRuns says which runs would tell most.
func furtherRuns(r *scale.Result) string {
	var runs []string
	for _, a := range r.Advice[:min(len(r.Advice), 3)] {
		if a.Narrowing > 0.02 {
			runs = append(runs, fmt.Sprintf("%s by up to %.0f %%", scalingPoint(r, a.Params), 100*a.Narrowing))
		}
	}
	if len(runs) == 0 {
		return ""
	}
	return "a further run should narrow the interval of the last point: " + strings.Join(runs, ", ")
}

func scalingAdvice(b *strings.Builder, r *scale.Result) {
	if len(r.Trust) > 0 {
		b.WriteString("\n")
		t := &table{left: map[int]bool{0: true, 1: true}}
		t.row("callpath", "metric", "interval within a factor of two up to")
		for _, trust := range r.Trust[:min(len(r.Trust), 8)] {
			t.row(shorten60(trust.Callpath), trust.Metric, reach(r, trust))
		}
		b.WriteString(t.String())
	}
	if said := furtherRuns(r); said != "" {
		fmt.Fprintf(b, "%s\n", said)
	}
}

func scalingKernels(b *strings.Builder, r *scale.Result, verbose bool) {
	if len(r.Kernels) == 0 {
		return
	}
	t := &table{left: map[int]bool{0: true}}
	header := []string{"kernel"}
	for _, p := range r.Kernels[0].Processes {
		header = append(header, fmt.Sprintf("%s=%g", r.Parameters[0], p))
	}
	t.row(append(header, "")...)
	for i, k := range r.Kernels {
		if i >= mostRows && !verbose && k.Functions == 1 {
			continue
		}
		name, note := shorten60(k.Name), ""
		if k.Functions > 1 {
			name = fmt.Sprintf("%s of %d functions", k.Name, k.Functions)
		}
		if k.Growing {
			note = "does not fall"
		}
		row := []string{name}
		for _, s := range k.Shares {
			row = append(row, Percent(s))
		}
		t.row(append(row, note)...)
	}
	fmt.Fprintf(b, "\n%s", t)
}

func scalingHeldOut(b *strings.Builder, r *scale.Result, verbose bool) {
	if len(r.HeldOut) == 0 {
		return
	}
	t := &table{left: map[int]bool{0: true, 1: true, 2: true, 7: true}}
	t.row("held out", "metric", "at", "measured", "predicted", "from", "to", "", "error")
	var errors []float64
	inside := 0
	for i, h := range r.HeldOut {
		errors = append(errors, h.Error)
		mark := "outside"
		if h.Inside {
			inside++
			mark = ""
		}
		if i >= 3*mostRows && !verbose {
			continue
		}
		low, high := "", ""
		if h.Low != nil && h.High != nil {
			low, high = quantity(h.Metric, *h.Low), quantity(h.Metric, *h.High)
		}
		t.row(shorten60(h.Callpath), h.Metric, scalingPoint(r, h.Params), quantity(h.Metric, h.Measured), quantity(h.Metric, h.Value), low, high, mark, Percent(h.Error))
	}
	fmt.Fprintf(b, "\n%s", t)
	slices.Sort(errors)
	mean := 0.0
	for _, e := range errors {
		mean += e / float64(len(errors))
	}
	fmt.Fprintf(b, "held out: error %s in the mean, %s in the median, %s at worst, n = %d; %d inside the interval\n",
		Percent(mean), Percent((errors[(len(errors)-1)/2]+errors[len(errors)/2])/2), Percent(errors[len(errors)-1]), len(errors), inside)
}

// ScalingCSV writes the predictions, one row each; held-out ones have what was measured.
func ScalingCSV(w io.Writer, r *scale.Result) error {
	header := append([]string{"callpath", "metric"}, r.Parameters...)
	rows := [][]string{append(header, "value", "low", "high", "exponent", "measured")}
	row := func(p scale.Prediction, measured string) {
		line := []string{p.Callpath, p.Metric}
		for _, name := range r.Parameters {
			line = append(line, number(p.Params[name]))
		}
		rows = append(rows, append(line, number(p.Value), optional(p.Low), optional(p.High), number(p.Exponent), measured))
	}
	for _, p := range r.Predictions {
		row(p, "")
	}
	for _, h := range r.HeldOut {
		row(h.Prediction, number(h.Measured))
	}
	return writeCSV(w, rows)
}
