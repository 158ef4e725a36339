package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/machine"
	"foresee/predict"
)

// Page is what one HTML report shows.
type Page struct {
	Command    string // that made the report
	Prediction *predict.PredictionResult
	Curves     *predict.CurveResult // may be nil
	Machines   []*machine.Machine
}

//go:embed page/page.html
var pageText string

//go:embed page/page.css
var pageStyle string

//go:embed page/page.js
var pageScript string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"count": Count, "seconds": secondsOr, "interval": Interval, "speedup": speedup, "plural": plural,
	"rate": func(p predict.Prediction, level string) string {
		h, ok := hitRate(p, level)
		return known(ok, Percent(h.HitRate))
	},
	"from": func(p predict.Prediction, level string) string {
		s, ok := levelTime(p.Terms, level)
		return known(ok, Seconds(s))
	},
	"plain":  Seconds,
	"bytes":  Bytes,
	"ratio":  Ratio,
	"style":  func() template.CSS { return template.CSS(pageStyle) },
	"script": func() template.JS { return template.JS(pageScript) },
}).Parse(pageText))

// pageData is what the template reads.
type pageData struct {
	Page
	Title    string
	Part     string // of a run that did not come to its end; else empty
	Groups   []pageGroup
	Threads  []int // of the summary's columns
	Curves   []pageCurves
	Details  []MachineDetails
	Notes    []string
	Warnings []string
}

type pageGroup struct {
	group
	ID     string
	Levels []string
	From   []string // levels that lines come from
	Plots  []template.HTML
	Bars   template.HTML
	Model  string // of threads
	Shared *sharedCaches
}

type pageCurves struct {
	Region string
	Plot   template.HTML
	Sizes  []int64
	Curves []predict.Curve
}

// HTML writes one self-contained page: no network, no clock.
func HTML(w io.Writer, p Page) error {
	d := pageData{Page: p, Title: p.Prediction.Input, Notes: notes(p.Prediction), Warnings: pageWarnings(p.Prediction)}
	if p.Prediction.Partial {
		d.Part = partText
	}
	for i, g := range groups(p.Prediction) {
		d.Groups = append(d.Groups, newPageGroup(fmt.Sprintf("g%d", i), g))
		for _, t := range g.threads() {
			d.Threads = appendNew(d.Threads, t)
		}
	}
	slices.Sort(d.Threads)
	if p.Curves != nil {
		for _, curves := range curvesByRegion(p.Curves) {
			d.Curves = append(d.Curves, newPageCurves(p.Curves, curves))
		}
	}
	for _, m := range p.Machines {
		d.Details = append(d.Details, Details(m))
	}
	if err := pageTemplate.Execute(w, d); err != nil {
		return fmt.Errorf("cannot write the page: %w", err)
	}
	return nil
}

func newPageGroup(id string, g group) pageGroup {
	p := pageGroup{
		group: g, ID: id, Levels: g.levels(), From: g.termLevels(), Model: strings.TrimSpace(g.threadsLine()), Shared: g.sharedCaches(),
	}
	if len(g.Rows) > 1 {
		titles := []string{"Hit rates", "Time", "Speed-up"}
		for i, f := range threadFigures(g) {
			f.title = titles[i]
			p.Plots = append(p.Plots, inline(f, titles[i]+" of "+g.Region+" on "+g.Machine, 380, 300))
		}
	}
	if g.hasTerms() {
		b := termBars(g.Rows, func(p predict.Prediction) string { return plural(p.Threads, "thread") })
		pic := picture{"Parts of the time of " + g.Region, 780, b.height() + 2*margin, b.draw}
		p.Bars = themed(pic.svg())
	}
	return p
}

func newPageCurves(r *predict.CurveResult, curves []predict.Curve) pageCurves {
	p := pageCurves{Region: curves[0].Region, Curves: curves, Sizes: curveSizes(curves)}
	f, err := curveFigure(&predict.CurveResult{Header: r.Header, LineBytes: r.LineBytes, Curves: curves, Levels: r.Levels})
	if err == nil { // a region without points has a table without rows
		p.Plot = inline(f, f.title, 780, 400)
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
		p, ok := pointAt(curve, size)
		cells = append(cells, known(ok, Ratio(p.MissRatio)))
	}
	return cells
}

// Name names a curve within its region.
func (c pageCurves) Name(curve predict.Curve) string { return curveName(curve) }

// inline draws a figure with a transparent disc, which names the value, over each point.
func inline(f *figure, title string, width, height vg.Length) template.HTML {
	var a area
	p := picture{title, width, height, func(c draw.Canvas) { a = f.draw(c) }}
	svg := p.svg()
	var b strings.Builder
	for _, s := range f.series {
		if s.tooltip == nil {
			continue
		}
		for _, pt := range s.points {
			at := a.at(pt)
			text := strings.TrimPrefix(s.name+", "+xName(f, pt)+": "+s.tooltip(pt), ", ")
			fmt.Fprintf(&b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"transparent\" data-tip=\"%s\"/>\n",
				float64(at.X), float64(height-at.Y), template.HTMLEscapeString(text))
		}
	}
	return themed(strings.TrimSuffix(svg, "</svg>\n") + b.String() + "</svg>\n")
}

func xName(f *figure, p point) string {
	if f.x.label == "threads" {
		return plural(int(p.x), "thread")
	}
	return Bytes(int64(p.x))
}

// theme lets the page's style choose the colours, for light and dark.
var theme = func() *strings.Replacer {
	pairs := []string{
		hex(paper), "var(--paper)", hex(ink), "var(--ink)", hex(muted), "var(--muted)",
		hex(frame), "var(--frame)", hex(grid), "var(--grid)",
	}
	for i, c := range palette {
		pairs = append(pairs, hex(c)+"\"", fmt.Sprintf("var(--c%d)\"", i), hex(c)+";stroke-w", fmt.Sprintf("var(--c%d);stroke-w", i))
	}
	return strings.NewReplacer(pairs...)
}()

// themed is safe: the texts in svg are escaped where they are written.
func themed(svg string) template.HTML { return template.HTML(theme.Replace(svg)) }

func pageWarnings(r *predict.PredictionResult) []string {
	all := slices.Clone(r.Warnings)
	for _, p := range r.Predictions {
		for _, w := range p.Warnings {
			all = appendNew(all, w)
		}
	}
	return all
}
