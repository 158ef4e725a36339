package figure

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/predict"
	"foresee/report"
)

// Bars is a horizontal chart: a row for each category with either stacked parts or dots.
type Bars struct {
	Title    string
	subtitle string
	x        axis
	names    []string // of the parts, for the legend
	rows     []barRow
	stacked  bool
}

// barRow is a row of bars, of one name.
type barRow struct {
	name   string
	values []float64 // by names; NaN: none
	whole  float64   // that the parts are of, which overlap: marked where it is known; 0: nothing is marked
}

const barPitch = 24 // points from row to row

// part is a piece of the time of a prediction.
type part struct {
	name    string
	seconds float64
}

// parts split the terms of a time; memory is split into its levels where they are known.
func parts(t *predict.Terms) []part {
	all := []part{{"compute", t.ComputeS}}
	if len(t.Levels) == 0 {
		all = append(all, part{"memory", t.MemoryS})
	}
	for _, l := range t.Levels {
		all = append(all, part{"from " + l.Level, l.TimeS})
	}
	return append(all, part{"parallel", t.ParallelS})
}

// TermBars stack the parts of the times of predictions; name gives a row its name.
func TermBars(rows []predict.Prediction, name func(predict.Prediction) string) *Bars {
	b := &Bars{Title: "Where the time goes, on the slowest thread", stacked: true}
	for _, p := range rows {
		if p.Terms != nil {
			for _, part := range parts(p.Terms) {
				b.names = report.AppendNew(b.names, part.name)
			}
		}
	}
	// parallel comes last, whatever levels the machines have.
	if i := slices.Index(b.names, "parallel"); i >= 0 {
		b.names = append(slices.Delete(b.names, i, i+1), "parallel")
	}
	top := 0.0
	for _, p := range rows {
		row := barRow{name: name(p), values: make([]float64, len(b.names))}
		sum := 0.0
		if p.Terms != nil {
			for _, part := range parts(p.Terms) {
				row.values[slices.Index(b.names, part.name)] += part.seconds
				sum += part.seconds
			}
		}
		if p.Terms != nil && p.TimeS != nil {
			row.whole = *p.TimeS
			sum = max(sum, row.whole)
		}
		top = max(top, sum)
		b.rows = append(b.rows, row)
	}
	size, unit := report.SecondsUnit(top)
	b.x = linearAxis("s", 0, top/size, plainTick)
	b.x.label = "time of each part in " + unit + "; line: predicted time, as parts overlap"
	b.x.min, b.x.max = b.x.min*size, b.x.max*size
	for i := range b.x.ticks {
		b.x.ticks[i].at *= size
	}
	return b
}

// rateDots show the hit rates of predictions.
func rateDots(rows []predict.Prediction, name func(predict.Prediction) string) *Bars {
	b := &Bars{Title: "Hit rates, cumulative", names: report.Group{Rows: rows}.Levels()}
	low := 100.0
	for _, p := range rows {
		row := barRow{name: name(p)}
		for _, level := range b.names {
			v := math.NaN()
			if h, ok := report.HitRate(p, level); ok {
				v = 100 * h.HitRate
				low = min(low, v)
			}
			row.values = append(row.values, v)
		}
		b.rows = append(b.rows, row)
	}
	b.x = linearAxis("share of all loads and stores", min(low, 99.9), 100, percentTick)
	return b
}

func (b *Bars) height() vg.Length {
	titles := vg.Length(90)
	if b.subtitle != "" {
		titles += labelSize + 7
	}
	return vg.Length(len(b.rows))*barPitch + titles
}

// draw draws the rows below their legend.
func (b *Bars) draw(c draw.Canvas) {
	f := &Figure{Title: b.Title, subtitle: b.subtitle, x: b.x, legend: legendTop}
	for i, name := range b.names {
		f.series = append(f.series, series{name: name, style: i})
	}
	c = f.drawTitles(c)
	c.Max.Y -= 2
	if b.stacked {
		c = b.drawSwatches(c)
	} else {
		c = f.drawTopLegend(c)
	}
	names := align(textStyle(labelSize, ink), draw.XRight, draw.YCenter)
	left := vg.Length(0)
	for i := range b.rows {
		b.rows[i].name = fit(names, b.rows[i].name, 170)
		left = max(left, names.Width(b.rows[i].name))
	}
	inner := c
	inner.Min.X += left
	a := f.layout(&inner)
	f.drawGrid(inner, a)
	pitch := (a.rect.Max.Y - a.rect.Min.Y) / vg.Length(len(b.rows))
	for i, row := range b.rows {
		y := a.rect.Max.Y - (vg.Length(i)+0.5)*pitch
		c.FillText(names, vg.Point{X: a.rect.Min.X - 6, Y: y + textRise}, row.name)
		if b.stacked {
			drawStack(c, a, y, min(pitch*0.62, 16), row)
		} else {
			drawDots(c, a, y, f.series, row)
		}
	}
}

// drawStack draws the parts of a sum one after another.
func drawStack(c draw.Canvas, a area, y, height vg.Length, row barRow) {
	sum := 0.0
	for i, v := range row.values {
		if v <= 0 {
			continue
		}
		x0, x1 := a.xAt(sum), a.xAt(sum+v)
		c.FillPolygon(seriesColor(i), rectangle(x0, y-height/2, x1, y+height/2))
		sum += v
	}
	if row.whole > 0 {
		x := a.xAt(row.whole)
		c.StrokeLine2(draw.LineStyle{Color: ink, Width: 1.6}, x, y-height/2-2.5, x, y+height/2+2.5)
	}
}

func rectangle(x0, y0, x1, y1 vg.Length) []vg.Point {
	return []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

// drawDots draws values as dots on one line, which shows how far they are apart.
func drawDots(c draw.Canvas, a area, y vg.Length, all []series, row barRow) {
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, v := range row.values {
		if !math.IsNaN(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if hi > lo {
		c.StrokeLine2(draw.LineStyle{Color: frame, Width: 1.2}, a.xAt(lo), y, a.xAt(hi), y)
	}
	for i, v := range row.values {
		if !math.IsNaN(v) {
			g := all[i].glyph()
			g.Radius = 3.4
			c.DrawGlyphNoClip(g, vg.Point{X: a.xAt(v), Y: y})
		}
	}
}

// drawSwatches draws the legend of parts, and gives what is left of the canvas.
func (b *Bars) drawSwatches(c draw.Canvas) draw.Canvas {
	names := align(textStyle(labelSize, ink), draw.XLeft, draw.YCenter)
	x, y := c.Min.X, c.Max.Y-legendRow/2
	for i, name := range b.names {
		width := 14 + names.Width(name)
		if x > c.Min.X && x+width > c.Max.X {
			x, y = c.Min.X, y-legendRow
		}
		c.FillPolygon(seriesColor(i), rectangle(x, y-4.5, x+9, y+4.5))
		c.FillText(names, vg.Point{X: x + 14, Y: y + textRise}, name)
		x += width + 14
	}
	c.Max.Y = y - legendRow/2 - 6
	return c
}

// barsPicture shows many regions at one thread count.
func barsPicture(all []report.Group) picture {
	const most = 40
	var rows []predict.Prediction
	for _, g := range all[:min(len(all), most)] {
		rows = append(rows, g.Rows[0])
	}
	name := rowNames(rows)
	charts := []*Bars{rateDots(rows, name)}
	charts[0].subtitle = sharedBy(rows)
	if slices.ContainsFunc(rows, func(p predict.Prediction) bool { return p.Terms != nil }) {
		charts = append(charts, TermBars(rows, name))
		charts[1].subtitle = charts[0].subtitle
	}
	const width = 420
	p := picture{
		title: "Predicted hit rates and times", height: charts[0].height() + 2*margin,
		width: vg.Length(len(charts)*width + (len(charts)-1)*panelGap + 2*margin),
	}
	if len(all) > most {
		p.title += fmt.Sprintf(" of the first %d regions", most)
	}
	p.draw = func(c draw.Canvas) {
		for i, b := range charts {
			half := c
			half.Min.X += vg.Length(i * (width + panelGap))
			half.Max.X = half.Min.X + width
			b.draw(half)
		}
	}
	return p
}

// sharedBy says the machine and the number of threads of predictions that have them in common: rows are named by what differs.
func sharedBy(rows []predict.Prediction) string {
	machine, threads := rows[0].Machine, report.Plural(rows[0].Threads, "thread")
	for _, p := range rows {
		if p.Machine != rows[0].Machine {
			machine = "several machines"
		}
		if p.Threads != rows[0].Threads {
			threads = "several numbers of threads"
		}
	}
	return machine + ", " + threads
}

// rowNames name predictions by what differs between them.
func rowNames(rows []predict.Prediction) func(predict.Prediction) string {
	machines, threads := false, false
	for _, p := range rows {
		machines = machines || p.Machine != rows[0].Machine
		threads = threads || p.Threads != rows[0].Threads
	}
	return func(p predict.Prediction) string {
		name := p.Region
		if machines {
			name += ", " + p.Machine
		}
		if threads {
			name += ", " + report.Plural(p.Threads, "thread")
		}
		return name
	}
}
