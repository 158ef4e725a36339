package text

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"foresee/predict/scale"
	"foresee/report"
)

// mostRows is how many series and kernels the text shows without verbose.
const mostRows = 24

// Scaling writes predictions at scale as tables.
func Scaling(w io.Writer, r *scale.Result, o Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s measured, model %s, %s\n", report.Plural(r.Measured, "point"), r.Model, report.Intervals(r))
	scalingBreakdowns(&b, r)
	scalingPredictions(&b, r, o)
	scalingWithheld(&b, r, o.Verbose)
	scalingEfficiency(&b, r)
	scalingAdvice(&b, r)
	scalingKernels(&b, r, o.Verbose)
	scalingAPMT(&b, r)
	scalingHeldOut(&b, r, o.Verbose)
	if said := report.Refined(r); said != "" {
		fmt.Fprintf(&b, "%s\n", said)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// scalingPredictions writes the table of predictions.
func scalingPredictions(b *strings.Builder, r *scale.Result, o Options) {
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
		low, high := report.Ends(p)
		row := []string{shorten60(p.Callpath), p.Metric, report.ScalingPoint(r, p.Params), report.Predicted(p), low, high, fmt.Sprintf("%s^%+.2f", r.Parameters[0], p.Exponent)}
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

// scalingWithheld says what is not predicted, and why.
func scalingWithheld(b *strings.Builder, r *scale.Result, verbose bool) {
	for i, w := range r.Withheld {
		if i == 0 {
			b.WriteString("\n")
		}
		if i >= mostRows && !verbose {
			fmt.Fprintf(b, "%d more are not predicted\n", len(r.Withheld)-i)
			return
		}
		fmt.Fprintf(b, "not predicted: %s %s at %s: %s\n", shorten60(w.Callpath), w.Metric, report.ScalingPoint(r, w.Params), report.NotAnswered(r, w))
	}
}

// countSeries is how many series there are.
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

// scalingBreakdowns writes the parts of each time.
func scalingBreakdowns(b *strings.Builder, r *scale.Result) {
	for _, d := range r.Breakdowns {
		fmt.Fprintf(b, "\nat %s %s\n", report.ScalingPoint(r, d.Params), report.Seconds(d.Total))
		t := &table{left: map[int]bool{0: true, 3: true}}
		for _, p := range d.Parts {
			t.row("  "+p.Name, report.Seconds(p.Seconds), report.Percent(p.Share), bar(p.Share, 24))
		}
		b.WriteString(t.String())
		if d.Apart > 0 {
			fmt.Fprintf(b, "  each by itself, as in the table below, they add up to %s; here they are taken off in proportion\n", report.Seconds(d.Apart))
		}
		if d.Limiting != "" {
			for _, p := range d.Parts {
				if p.Name == d.Limiting {
					fmt.Fprintf(b, "  limited by %s, which goes with %s^%+.2f\n", p.Name, r.Parameters[0], p.Exponent)
				}
			}
		}
	}
}

// scalingEfficiency writes the table of speed-ups.
func scalingEfficiency(b *strings.Builder, r *scale.Result) {
	if len(r.Scaling) == 0 {
		return
	}
	t := &table{left: map[int]bool{0: true, 1: true, 2: true}}
	t.row("at", "scaling", "against", "speed-up", "efficiency")
	for _, e := range r.Scaling {
		t.row(report.ScalingPoint(r, e.Params), e.Kind, report.ScalingPoint(r, e.Base), fmt.Sprintf("%.3g", e.SpeedUp), report.Percent(e.Efficiency))
	}
	fmt.Fprintf(b, "\n%s", t)
	if said := report.Stops(r); said != "" {
		fmt.Fprintf(b, "%s\n", said)
	}
}

// scalingAdvice writes how far it can be trusted and which runs would tell more.
func scalingAdvice(b *strings.Builder, r *scale.Result) {
	if len(r.Trust) > 0 {
		b.WriteString("\n")
		t := &table{left: map[int]bool{0: true, 1: true}}
		t.row("callpath", "metric", "interval within a factor of two up to")
		for _, trust := range r.Trust[:min(len(r.Trust), 8)] {
			t.row(shorten60(trust.Callpath), trust.Metric, report.Reach(r, trust))
		}
		b.WriteString(t.String())
	}
	if said := report.FurtherRuns(r); said != "" {
		fmt.Fprintf(b, "%s\n", said)
	}
}

// scalingKernels writes the table of kernels.
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
			row = append(row, report.Percent(s))
		}
		t.row(append(row, note)...)
	}
	fmt.Fprintf(b, "\n%s", t)
}

// scalingAPMT writes the parts of the published model.
func scalingAPMT(b *strings.Builder, r *scale.Result) {
	if r.APMT == nil {
		return
	}
	columns, rows := report.APMTKernels(r)
	t := &table{left: map[int]bool{0: true}}
	t.row(columns...)
	for _, row := range rows {
		t.row(row...)
	}
	fmt.Fprintf(b, "\n%s", t)
	for _, line := range report.APMTFunctions(r) {
		fmt.Fprintf(b, "%s\n", line)
	}
}

// scalingHeldOut writes the table of what was left out of the fit, and how far off it was.
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
		low, high := report.Ends(h.Prediction)
		t.row(shorten60(h.Callpath), h.Metric, report.ScalingPoint(r, h.Params), report.Quantity(h.Metric, h.Measured), report.Predicted(h.Prediction), low, high, mark, report.Percent(h.Error))
	}
	fmt.Fprintf(b, "\n%s", t)
	slices.Sort(errors)
	mean := 0.0
	for _, e := range errors {
		mean += e / float64(len(errors))
	}
	fmt.Fprintf(b, "held out: error %s in the mean, %s in the median, %s at worst, n = %d; %d inside the interval\n",
		report.Percent(mean), report.Percent((errors[(len(errors)-1)/2]+errors[len(errors)/2])/2), report.Percent(errors[len(errors)-1]), len(errors), inside)
}

// ScalingCSV writes the predictions, one row each; held-out ones have what was measured.
func ScalingCSV(w io.Writer, r *scale.Result) error {
	header := append([]string{"callpath", "metric"}, r.Parameters...)
	rows := [][]string{append(header, "value", "low", "high", "exponent", "measured")}
	row := func(p scale.Prediction, measured string) {
		line := []string{p.Callpath, p.Metric}
		for _, name := range r.Parameters {
			line = append(line, report.Number(p.Params[name]))
		}
		rows = append(rows, append(line, report.Number(p.Value), optional(p.Low), optional(p.High), report.Number(p.Exponent), measured))
	}
	for _, p := range r.Predictions {
		row(p, "")
	}
	for _, h := range r.HeldOut {
		row(h.Prediction, report.Number(h.Measured))
	}
	return writeCSV(w, rows)
}
