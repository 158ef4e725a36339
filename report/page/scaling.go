package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"foresee/predict/scale"
	"foresee/report"
	"foresee/report/figure"
)

//go:embed scaling.html
var scalingPageText string

var scalingPage = template.Must(template.New("scaling").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(pageStyle) }, "script": func() template.JS { return template.JS(pageScript) },
}).Parse(scalingPageText))

// scalingData is what the page shows.
type scalingData struct {
	Title, Command string
	Result         *scale.Result
	Plots          []template.HTML
	Bars           template.HTML
	Tables         []pageTable
}

// pageTable is a table that can be sorted.
type pageTable struct {
	ID, Title, Text string
	Words           int // columns at the left that hold words
	Columns         []string
	Rows            [][]string
}

// Scaling writes predictions at scale as a page of its own.
func Scaling(w io.Writer, r *scale.Result, command string) error {
	figures, stack := figure.ScalingFigures(r)
	data := scalingData{Title: "From small runs to large ones", Command: command, Result: r}
	for _, f := range figures {
		data.Plots = append(data.Plots, f.Inline(f.Title, 560, 360))
	}
	if stack != nil {
		data.Bars = stack.Inline(stack.Title, 560)
	}
	data.Tables = append(data.Tables, predictionTable(r))
	if len(r.Withheld) > 0 {
		data.Tables = append(data.Tables, withheldTable(r))
	}
	if t := trustTable(r); len(t.Rows) > 0 {
		data.Tables = append(data.Tables, t)
	}
	if len(r.Scaling) > 0 {
		data.Tables = append(data.Tables, efficiencyTable(r))
	}
	if len(r.Kernels) > 0 {
		data.Tables = append(data.Tables, kernelTable(r))
	}
	if r.APMT != nil {
		data.Tables = append(data.Tables, apmtTable(r))
	}
	if len(r.HeldOut) > 0 {
		data.Tables = append(data.Tables, heldOutTable(r))
	}
	if err := scalingPage.Execute(w, data); err != nil {
		return fmt.Errorf("cannot write the page: %w", err)
	}
	return nil
}

func interval(p scale.Prediction) string {
	if p.Low == nil || p.High == nil {
		return "–"
	}
	low, high := report.Ends(p)
	return low + " – " + high
}

// predictionTable is the table of predictions.
func predictionTable(r *scale.Result) pageTable {
	t := pageTable{ID: "predictions", Title: "Predictions", Words: 3, Columns: []string{"callpath", "metric", "at", "predicted", "interval", "goes with", "model"}}
	for _, p := range r.Predictions {
		t.Rows = append(t.Rows, []string{p.Callpath, p.Metric, report.ScalingPoint(r, p.Params), report.Predicted(p), interval(p), fmt.Sprintf("%s^%+.2f", r.Parameters[0], p.Exponent), p.Form})
	}
	return t
}

// withheldTable is the table of what is not predicted.
func withheldTable(r *scale.Result) pageTable {
	t := pageTable{ID: "withheld", Title: "Not predicted", Words: 4, Columns: []string{"callpath", "metric", "at", "why"}}
	for _, w := range r.Withheld {
		t.Rows = append(t.Rows, []string{w.Callpath, w.Metric, report.ScalingPoint(r, w.Params), report.NotAnswered(r, w)})
	}
	return t
}

// efficiencyTable is the table of speed-ups.
func efficiencyTable(r *scale.Result) pageTable {
	t := pageTable{ID: "efficiency", Title: "Speed-up and efficiency", Words: 3, Columns: []string{"at", "scaling", "against", "speed-up", "efficiency"}, Text: report.Stops(r)}
	for _, e := range r.Scaling {
		t.Rows = append(t.Rows, []string{report.ScalingPoint(r, e.Params), e.Kind, report.ScalingPoint(r, e.Base), fmt.Sprintf("%.3g", e.SpeedUp), report.Percent(e.Efficiency)})
	}
	return t
}

// kernelTable is the table of kernels with their shares.
func kernelTable(r *scale.Result) pageTable {
	t := pageTable{ID: "kernels", Title: "Kernels", Words: 1, Text: "Share of the cost at each measured number of processes.", Columns: []string{"kernel"}}
	for _, p := range r.Kernels[0].Processes {
		t.Columns = append(t.Columns, fmt.Sprintf("%s=%g", r.Parameters[0], p))
	}
	t.Columns = append(t.Columns, "does not fall")
	for _, k := range r.Kernels {
		row := []string{k.Name}
		for _, s := range k.Shares {
			row = append(row, report.Percent(s))
		}
		growing := ""
		if k.Growing {
			growing = "yes"
		}
		t.Rows = append(t.Rows, append(row, growing))
	}
	return t
}

// apmtTable is the table of the published model's kernels.
func apmtTable(r *scale.Result) pageTable {
	t := pageTable{ID: "apmt", Title: "The published model", Text: strings.Join(report.APMTFunctions(r), "; "), Words: 1}
	t.Columns, t.Rows = report.APMTKernels(r)
	return t
}

// trustTable is the table of how far each series is told.
func trustTable(r *scale.Result) pageTable {
	t := pageTable{ID: "trust", Title: "How far to trust it", Text: report.FurtherRuns(r), Words: 2, Columns: []string{"callpath", "metric", "interval within a factor of two up to"}}
	for _, trust := range r.Trust {
		t.Rows = append(t.Rows, []string{trust.Callpath, trust.Metric, report.Reach(r, trust)})
	}
	return t
}

func outside(h scale.HeldOut) string {
	if h.Inside {
		return ""
	}
	return "outside"
}

// heldOutTable is the table of what was left out of the fit.
func heldOutTable(r *scale.Result) pageTable {
	t := pageTable{ID: "heldout", Title: "Held out", Words: 3, Text: strings.TrimSpace("Measured, but left out of the fit. " + report.Refined(r)), Columns: []string{"callpath", "metric", "at", "measured", "predicted", "interval", "", "error"}}
	for _, h := range r.HeldOut {
		t.Rows = append(t.Rows, []string{h.Callpath, h.Metric, report.ScalingPoint(r, h.Params), report.Quantity(h.Metric, h.Measured), report.Predicted(h.Prediction), interval(h.Prediction), outside(h), report.Percent(h.Error)})
	}
	return t
}
