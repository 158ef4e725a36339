// Package page writes results as HTML pages that need nothing else: no network, no other file. Styles and scripts are embedded.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"foresee/machine"
	"foresee/predict"
	"foresee/report"
	"foresee/report/figure"
)

// Contents is what the page of a prediction shows.
type Contents struct {
	Command    string // that made the report
	Prediction *predict.PredictionResult
	Curves     *predict.CurveResult // may be nil
	Machines   []*machine.Machine
}

//go:embed page.html
var pageText string

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"count": report.Count, "seconds": report.SecondsOr, "interval": report.Interval, "speedup": report.Speedup, "plural": report.Plural,
	"rate": func(p predict.Prediction, level string) string {
		h, ok := report.HitRate(p, level)
		return report.Known(ok, report.Percent(h.HitRate))
	},
	"from": func(p predict.Prediction, level string) string {
		s, ok := report.LevelTime(p.Terms, level)
		return report.Known(ok, report.Seconds(s))
	},
	"plain":  report.Seconds,
	"bytes":  report.Bytes,
	"ratio":  report.Ratio,
	"style":  func() template.CSS { return template.CSS(pageStyle) },
	"script": func() template.JS { return template.JS(pageScript) },
}).Parse(pageText))

// pageData is what the template reads.
type pageData struct {
	Contents
	Title    string
	Part     string // of a run that did not come to its end; else empty
	Groups   []pageGroup
	Threads  []int // of the summary's columns
	Curves   []pageCurves
	Details  []report.MachineDetails
	Notes    []string
	Warnings []string
}

// pageGroup is what the page shows of a region on a machine.
type pageGroup struct {
	report.Group
	ID     string
	Levels []string
	From   []string // levels that lines come from
	Plots  []template.HTML
	Bars   template.HTML
	Model  string // of threads
	Shared *report.SharedCaches
}

// pageCurves is what it shows of a region's miss ratios.
type pageCurves struct {
	Region string
	Plot   template.HTML
	Sizes  []int64
	Curves []predict.Curve
}

// Prediction writes one self-contained page: no network, no clock.
func Prediction(w io.Writer, p Contents) error {
	d := pageData{Contents: p, Title: p.Prediction.Input, Notes: report.Notes(p.Prediction), Warnings: pageWarnings(p.Prediction)}
	if p.Prediction.Partial {
		d.Part = report.PartText
	}
	for i, g := range report.Groups(p.Prediction) {
		d.Groups = append(d.Groups, newPageGroup(fmt.Sprintf("g%d", i), g))
		for _, t := range g.Threads() {
			d.Threads = report.AppendNew(d.Threads, t)
		}
	}
	slices.Sort(d.Threads)
	if p.Curves != nil {
		for _, curves := range report.CurvesByRegion(p.Curves) {
			d.Curves = append(d.Curves, newPageCurves(p.Curves, curves))
		}
	}
	for _, m := range p.Machines {
		d.Details = append(d.Details, report.Details(m))
	}
	if err := pageTemplate.Execute(w, d); err != nil {
		return fmt.Errorf("cannot write the page: %w", err)
	}
	return nil
}

// newPageGroup prepares a region on a machine.
func newPageGroup(id string, g report.Group) pageGroup {
	p := pageGroup{
		Group: g, ID: id, Levels: g.Levels(), From: g.TermLevels(), Model: strings.TrimSpace(g.ThreadsLine()), Shared: g.SharedCaches(),
	}
	if len(g.Rows) > 1 {
		titles := []string{"Hit rates", "Time", "Speed-up"}
		for i, f := range figure.ThreadFigures(g) {
			f.Title = titles[i]
			p.Plots = append(p.Plots, f.Inline(titles[i]+" of "+g.Region+" on "+g.Machine, 380, 300))
		}
	}
	if g.HasTerms() {
		b := figure.TermBars(g.Rows, func(p predict.Prediction) string { return report.Plural(p.Threads, "thread") })
		p.Bars = b.Inline("Parts of the time of "+g.Region, 780)
	}
	return p
}

// newPageCurves prepares the curves of a region.
func newPageCurves(r *predict.CurveResult, curves []predict.Curve) pageCurves {
	p := pageCurves{Region: curves[0].Region, Curves: curves, Sizes: report.CurveSizes(curves)}
	f, err := figure.CurveFigure(&predict.CurveResult{Header: r.Header, LineBytes: r.LineBytes, Curves: curves, Levels: r.Levels})
	if err == nil { // a region without points has a table without rows
		p.Plot = f.Inline(f.Title, 780, 400)
	}
	return p
}

// At is the row of a thread count, or nil.
func (g pageGroup) At(threads int) *predict.Prediction {
	for i := range g.Rows {
		if g.Rows[i].Threads == threads {
			return &g.Rows[i]
		}
	}
	return nil
}

// Ratios are the miss ratios at a size, by curve.
func (c pageCurves) Ratios(size int64) []string {
	var cells []string
	for _, curve := range c.Curves {
		p, ok := report.PointAt(curve, size)
		cells = append(cells, report.Known(ok, report.Ratio(p.MissRatio)))
	}
	return cells
}

// Name names a curve within its region.
func (c pageCurves) Name(curve predict.Curve) string { return report.CurveName(curve) }

// pageWarnings are all warnings, each once.
func pageWarnings(r *predict.PredictionResult) []string {
	all := slices.Clone(r.Warnings)
	for _, p := range r.Predictions {
		for _, w := range p.Warnings {
			all = report.AppendNew(all, w)
		}
	}
	return all
}
