package report

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/model/xmodel"
	"foresee/predict"
)

//go:embed page/xgraph.html
var xPageText string

//go:embed page/xgraph.js
var xPageScript string

//go:embed page/xmodel.js
var xModelScript string

var xPage = template.Must(template.New("xgraph").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(pageStyle) }, "script": func() template.JS { return template.JS(xPageScript) },
	"model": func() template.JS { return template.JS(xModelScript) },
}).Parse(xPageText))

// XText writes what the X-model says.
func XText(w io.Writer, r *predict.XResult) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", r.Title)
	if r.Source != "" {
		fmt.Fprintf(&b, "%s\n", r.Source)
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(&b, "warning: %s\n", text)
	}
	p := r.Params
	fmt.Fprintf(&b, "\nn %s threads, Z %s operations a request, E %s and M %s operations a cycle, R %s requests a cycle, L %s cycles\n", short(p.N), short(p.Z), short(p.E), short(p.M), short(p.R), short(p.L))
	if c := p.Cache; c != nil {
		how := fmt.Sprintf("α %s, β %s", short(c.Alpha), Bytes(int64(min(c.Beta, 1<<62))))
		if r.Program != nil && c.Hits != nil {
			how = fmt.Sprintf("hits of the program's own curve (equation 3 with α %s, β %s is off by %.2g at most)", short(r.Program.Alpha), Bytes(int64(min(r.Program.Beta, 1<<62))), r.Program.Misfit)
		}
		fmt.Fprintf(&b, "cache of %s, hit in %s cycles; %s\n", Bytes(int64(min(c.Size, 1<<62))), short(c.Latency), how)
	}
	at := r.Points
	delta := "nobody"
	if at.Delta > 0 {
		delta = short(at.Delta)
	}
	fmt.Fprintf(&b, "π %s threads saturate computing, δ %s memory", short(at.Pi), delta)
	if at.Psi != nil {
		fmt.Fprintf(&b, "; cache peak ψ at %s threads, %s times the plateau", short(at.Psi.K), short(at.Psi.Supply/at.Plateau))
	}
	if at.Low != nil {
		fmt.Fprintf(&b, ", valley at %s", short(at.Low.K))
	}
	fmt.Fprintf(&b, "; %s\n", r.Sensitivity)
	par := r.Parallelism
	fmt.Fprintf(&b, "parallelism of the machine and of the workload: memory %s, %s; threads %s, %s; data %s, %s; instructions –, %s\n\n",
		short(par.MachineMLP), short(par.WorkloadMLP), short(par.MachineTLP), short(par.WorkloadTLP), short(par.MachineDLP), short(par.WorkloadDLP), short(par.WorkloadILP))
	xStates(&b, r.States)
	if r.Against != nil {
		b.WriteString("\nagainst:\n")
		xStates(&b, r.Against.States)
		fmt.Fprintf(&b, "computing throughput ×%.3g\n", r.Against.Gain)
	}
	if r.Loss != nil {
		span := fmt.Sprintf("from %s threads on", short(r.Loss.From))
		if r.Loss.To > 0 {
			span = fmt.Sprintf("with %s to %s threads", short(r.Loss.From), short(r.Loss.To))
		}
		fmt.Fprintf(&b, "\n%s there are two stable states: between them memory loses %s requests a cycle at least, %s at most\n", span, short(r.Loss.Least), short(r.Loss.Most))
	}
	fmt.Fprintf(&b, "\nbest number of threads: %d (×%.3g)\n", r.BestThreads, r.BestGain)
	if len(r.WhatIf) == 0 {
		b.WriteString("nothing that was tried does better\n")
	} else {
		t := &table{left: map[int]bool{0: true, 3: true}}
		t.row("what if", "computing", "memory", "then bound by", "harms from")
		for _, g := range r.WhatIf {
			harms := ""
			if g.Harms > 0 {
				harms = "×" + short(g.Harms)
			}
			limit := string(g.Limit)
			if g.Several {
				limit += " (two stable states)"
			}
			t.row(g.String(), fmt.Sprintf("×%.3g", g.Gain), fmt.Sprintf("×%.3g", g.After.Memory/g.Before.Memory), limit, harms)
		}
		b.WriteString("\n" + t.String())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }

func xStates(b *strings.Builder, states []predict.XState) {
	t := &table{left: map[int]bool{0: true, 1: true}}
	header := []string{"state", "bound by", "k", "x", "requests/cycle", "operations/cycle"}
	scaled := len(states) > 0 && states[0].GBs > 0
	if scaled {
		header = append(header, "GB/s", "GFLOP/s")
	}
	t.row(append(header, "hits")...)
	for _, s := range states {
		kind := "unstable"
		if s.Stable {
			kind = "stable"
		}
		if s.Touches {
			kind = "touches"
		}
		if s.Taken {
			kind += ", taken"
		}
		bound := string(s.Bound)
		if !s.Stable {
			bound = "–"
		}
		row := []string{kind, bound, short(s.K), short(s.X), short(s.Memory), short(s.Compute)}
		if scaled {
			row = append(row, short(s.GBs), short(s.GFlops))
		}
		t.row(append(row, Percent(s.HitRate))...)
	}
	b.WriteString(t.String())
}

// XCSV writes one record for each state.
func XCSV(w io.Writer, r *predict.XResult) error {
	records := [][]string{{"scenario", "stable", "bound", "k", "x", "requests_per_cycle", "operations_per_cycle", "gbs", "gflops", "hit_rate"}}
	add := func(name string, states []predict.XState) {
		for _, s := range states {
			records = append(records, []string{name, strconv.FormatBool(s.Stable), string(s.Bound), number(s.K), number(s.X), number(s.Memory), number(s.Compute), number(s.GBs), number(s.GFlops), number(s.HitRate)})
		}
	}
	add("first", r.States)
	if r.Against != nil {
		add("against", r.Against.States)
	}
	return writeCSV(w, records)
}

// xUnits are what the axes count in.
type xUnits struct {
	memory, compute         float64 // of a request, an operation per cycle
	memoryName, computeName string
}

func unitsOf(s xmodel.Scale) xUnits {
	if s.GHz > 0 && s.RequestBytes > 0 {
		return xUnits{s.GBs(1), s.GFlops(1), "GB/s", "GFLOP/s"}
	}
	return xUnits{1, 1, "requests/cycle", "operations/cycle"}
}

// PlotX draws the X-graph as "svg" or "png": supply and demand of memory against the threads in it, states, π, δ and ψ; memory's
// throughput left, computing right; a second scenario dashed, with an arrow from the one state to the other.
func PlotX(w io.Writer, format string, r *predict.XResult) error {
	u := unitsOf(r.Scale)
	n := r.Params.N
	scenarios := []xmodel.Params{r.Params}
	if r.Against != nil {
		scenarios = append(scenarios, r.Against.Params)
		n = max(n, r.Against.Params.N)
	}
	f := &figure{title: r.Title, subtitle: fmt.Sprintf("%s threads, Z %s, E %s; filled: stable, open: unstable", short(r.Params.N), short(r.Params.Z), short(r.Params.E)), legend: legendTop}
	most := 0.0
	for i, p := range scenarios {
		supply := series{name: "supply of memory f(k)", style: 0, nodots: true}
		demand := series{name: "demand g(n−k)/Z", style: 1, nodots: true}
		if i > 0 {
			supply.name, demand.name, supply.style, demand.style = "f(k), against", "g(n−k)/Z, against", len(palette), len(palette)+1
		}
		for j := range 601 {
			k := n * float64(j) / 600
			y := p.Supply(k) * u.memory
			most = max(most, y)
			supply.points = append(supply.points, point{k, y, y, y})
			if k <= p.N {
				d := p.Demand(p.N-k) * u.memory
				most = max(most, d)
				demand.points = append(demand.points, point{k, d, d, d})
			}
		}
		f.series = append(f.series, supply, demand)
	}
	f.x = linearAxis("threads in the memory system, k (of n; the others compute)", 0, n, plainTick)
	f.x.max = n
	f.x.ticks = slices.DeleteFunc(f.x.ticks, func(t tick) bool { return t.at > n })
	f.y = linearAxis("memory, "+u.memoryName, 0, most*1.05, plainTick)
	add := func(at float64, label string) {
		if at > 0 && at < n {
			f.marks = append(f.marks, mark{at, label})
		}
	}
	add(n-r.Points.Pi, "π")
	add(r.Points.Delta, "δ")
	if r.Points.Psi != nil {
		add(r.Points.Psi.K, "ψ")
	}
	p := picture{title: r.Title, width: 700, height: 430, draw: func(c draw.Canvas) {
		inner := c
		inner.Max.X -= 52
		a := f.draw(inner)
		xRight(c, a, r, u)
		xMarks(c, a, r, u)
	}}
	return p.write(w, format)
}

// xRight labels computing throughput at the right side: Z times memory's.
func xRight(c draw.Canvas, a area, r *predict.XResult, u xUnits) {
	labels := align(textStyle(tickSize, muted), draw.XLeft, draw.YCenter)
	factor := r.Params.Z * u.compute / u.memory
	axis := linearAxis("", 0, a.y.max*factor, plainTick)
	for _, t := range axis.ticks {
		if t.at <= a.y.max*factor*1.0001 {
			y := a.yAt(t.at / factor)
			c.StrokeLine2(draw.LineStyle{Color: frame, Width: 0.7}, a.rect.Max.X, y, a.rect.Max.X+3, y)
			c.FillText(labels, vg.Point{X: a.rect.Max.X + 6, Y: y + textRise}, t.label)
		}
	}
	names := align(textStyle(labelSize, ink), draw.XCenter, draw.YBottom)
	names.Rotation = -math.Pi / 2
	c.FillText(names, vg.Point{X: c.Max.X - 12, Y: (a.rect.Min.Y + a.rect.Max.Y) / 2}, "computing, "+u.computeName)
}

// xMarks draws the states, and the arrow from the first scenario's to the other's.
func xMarks(c draw.Canvas, a area, r *predict.XResult, u xUnits) {
	place := func(s predict.XState) vg.Point { return a.at(point{x: s.K, y: s.Memory * u.memory}) }
	settled := func(states []predict.XState) (predict.XState, bool) {
		for _, s := range states {
			if s.Taken {
				return s, true
			}
		}
		return predict.XState{}, false
	}
	all := r.States
	if r.Against != nil {
		all = append(append([]predict.XState{}, all...), r.Against.States...)
		from, ok := settled(r.States)
		to, ok2 := settled(r.Against.States)
		if ok && ok2 {
			arrow(c, place(from), place(to))
		}
	}
	for _, s := range all {
		at := place(s)
		dot := draw.GlyphStyle{Color: palette[2], Radius: 4.2, Shape: draw.CircleGlyph{}}
		if !s.Stable {
			c.DrawGlyphNoClip(draw.GlyphStyle{Color: paper, Radius: 4.2, Shape: draw.CircleGlyph{}}, at)
			dot = draw.GlyphStyle{Color: ink, Radius: 4.2, Shape: draw.RingGlyph{}}
		}
		c.DrawGlyphNoClip(dot, at)
	}
}

func arrow(c draw.Canvas, from, to vg.Point) {
	dx, dy := float64(to.X-from.X), float64(to.Y-from.Y)
	length := math.Hypot(dx, dy)
	if length < 12 {
		return
	}
	ux, uy := dx/length, dy/length
	tip := vg.Point{X: to.X - vg.Length(5*ux), Y: to.Y - vg.Length(5*uy)}
	c.StrokeLine2(draw.LineStyle{Color: color.Color(ink), Width: 1.2}, from.X, from.Y, tip.X, tip.Y)
	side := func(sign float64) vg.Point {
		return vg.Point{X: tip.X - vg.Length(7*ux-sign*3*uy), Y: tip.Y - vg.Length(7*uy+sign*3*ux)}
	}
	c.FillPolygon(ink, []vg.Point{tip, side(1), side(-1)})
}

// slider is one parameter of the page.
type slider struct {
	Key     string  `json:"key"`
	Name    string  `json:"name"`
	Meaning string  `json:"meaning"`
	Value   float64 `json:"value"`
	First   float64 `json:"first"` // of the scenario that is drawn dashed
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// xData is what the page's script reads.
type xData struct {
	Sliders     []slider  `json:"sliders"`
	Printed     bool      `json:"printed"`
	Table       []float64 `json:"table,omitempty"`
	TableSize   float64   `json:"tableSize,omitempty"`
	MemoryUnit  float64   `json:"memoryUnit"`
	MemoryName  string    `json:"memoryName"`
	ComputeUnit float64   `json:"computeUnit"`
	ComputeName string    `json:"computeName"`
}

// XHTML writes a page of its own with a slider for each parameter; it computes states itself.
func XHTML(w io.Writer, r *predict.XResult) error {
	u := unitsOf(r.Scale)
	data := xData{MemoryUnit: u.memory, MemoryName: u.memoryName, ComputeUnit: u.compute, ComputeName: u.computeName}
	p, q := r.Params, r.Params
	if r.Against != nil {
		q = r.Against.Params
	}
	var after []float64
	if after = []float64{q.N, q.Z, q.E, q.M, q.R, q.L}; q.Cache != nil {
		after = append(after, q.Cache.Latency, q.Cache.Size, q.Cache.Alpha, q.Cache.Beta)
	}
	add := func(key, name, meaning string, v float64) {
		now := v
		if i := len(data.Sliders); i < len(after) {
			now = max(after[i], v*1e-12)
		}
		data.Sliders = append(data.Sliders, slider{key, name, meaning, now, v, min(v, now) / 16, max(v, now) * 16})
	}
	add("n", "n", "threads", max(p.N, 1e-9))
	add("Z", "Z", "operations a request", p.Z)
	add("E", "E", "operations a cycle of a thread", p.E)
	add("M", "M", "operations a cycle of all lanes", p.M)
	add("R", "R", "requests a cycle of memory", p.R)
	add("L", "L", "cycles of a request to memory", p.L)
	if c := p.Cache; c != nil && c.Size > 0 {
		data.Printed = c.Printed
		add("latency", "Ls", "cycles of a hit in the cache", c.Latency)
		add("size", "S", "size of the cache", c.Size)
		if c.Hits == nil {
			add("alpha", "α", "locality, above 1", c.Alpha)
			add("beta", "β", "locality, a size", c.Beta)
			last := &data.Sliders[len(data.Sliders)-2]
			last.Low, last.High = 1.001, max(2, c.Alpha*4)
		} else {
			data.Table, data.TableSize = xmodel.HitTable(c.Hits, c.Size), c.Size
		}
	}
	text, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return xPage.Execute(w, map[string]any{
		"Title": r.Title, "Source": r.Source, "Warnings": r.Warnings, "MemoryName": u.memoryName, "ComputeName": u.computeName, "Data": template.JS(text),
	})
}
