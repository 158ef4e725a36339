package figure

import (
	_ "embed"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/model/xmodel"
	"foresee/predict"
	"foresee/report"
)

// XGraph draws the X-graph as "svg" or "png": supply and demand of memory against the threads in it, states, π, δ and ψ; memory's
// throughput left, computing right; a second scenario dashed, with an arrow from the one state to the other.
func XGraph(w io.Writer, format string, r *predict.XResult) error {
	u := report.XUnitsOf(r.Scale)
	n := r.Params.N
	scenarios := []xmodel.Params{r.Params}
	if r.Against != nil {
		scenarios = append(scenarios, r.Against.Params)
		n = max(n, r.Against.Params.N)
	}
	f := &Figure{Title: r.Title, subtitle: fmt.Sprintf("%s threads, Z %s, E %s; filled: stable, open: unstable", report.Short(r.Params.N), report.Short(r.Params.Z), report.Short(r.Params.E)), legend: legendTop}
	most := 0.0
	for i, p := range scenarios {
		supply := series{name: "supply of memory f(k)", style: 0, nodots: true}
		demand := series{name: "demand g(n−k)/Z", style: 1, nodots: true}
		if i > 0 {
			supply.name, demand.name, supply.style, demand.style = "f(k), against", "g(n−k)/Z, against", len(palette), len(palette)+1
		}
		for j := range 601 {
			k := n * float64(j) / 600
			y := p.Supply(k) * u.Memory
			most = max(most, y)
			supply.points = append(supply.points, point{k, y, y, y})
			if k <= p.N {
				d := p.Demand(p.N-k) * u.Memory
				most = max(most, d)
				demand.points = append(demand.points, point{k, d, d, d})
			}
		}
		f.series = append(f.series, supply, demand)
	}
	f.x = linearAxis("threads in the memory system, k (of n; the others compute)", 0, n, plainTick)
	f.x.max = n
	f.x.ticks = slices.DeleteFunc(f.x.ticks, func(t tick) bool { return t.at > n })
	f.y = linearAxis("memory, "+u.MemoryName, 0, most*1.05, plainTick)
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
func xRight(c draw.Canvas, a area, r *predict.XResult, u report.XUnits) {
	labels := align(textStyle(tickSize, muted), draw.XLeft, draw.YCenter)
	factor := r.Params.Z * u.Compute / u.Memory
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
	c.FillText(names, vg.Point{X: c.Max.X - 12, Y: (a.rect.Min.Y + a.rect.Max.Y) / 2}, "computing, "+u.ComputeName)
}

// xMarks draws the states, and the arrow from the first scenario's to the other's.
func xMarks(c draw.Canvas, a area, r *predict.XResult, u report.XUnits) {
	place := func(s predict.XState) vg.Point { return a.at(point{x: s.K, y: s.Memory * u.Memory}) }
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

// arrow draws an arrow, unless it would be a dot.
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
