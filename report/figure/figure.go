// Package figure draws results as SVG and PNG: lines over axes with their legends, stacked bars, and for each result of foresee the
// figures that show it. Pages take the same figures with [Figure.Inline].
//
// Equal results give equal bytes; fonts are embedded.
package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Figure is one plot with lines. Its size is chosen by who draws it.
type Figure struct {
	Title, subtitle string
	x, y            axis
	series          []series
	marks           []mark
	legend          legendPlace
	note            string // shown in the middle of a figure without data
}

// legendPlace is where the legend stands.
type legendPlace int

const (
	legendRight legendPlace = iota
	legendTop
)

// series is one line. Its colour, marker and dashes follow from style, a running number.
type series struct {
	name    string
	style   int
	points  []point
	plain   bool // a thin grey dashed line without markers, for what is only to compare with
	nodots  bool // a line without markers, for many points
	noline  bool // markers without a line, for what was measured
	tooltip func(p point) string
}

// point is a value with the ends of its interval; low = high = y where there is none.
type point struct{ x, y, low, high float64 }

// mark is a labelled vertical line.
type mark struct {
	at    float64
	label string
}

// area is where the data of a figure lie on the canvas, in points.
type area struct {
	rect vg.Rectangle
	x, y axis
}

func (a area) at(p point) vg.Point { return vg.Point{X: a.xAt(p.x), Y: a.yAt(p.y)} }

func (a area) xAt(v float64) vg.Length {
	return a.rect.Min.X + vg.Length(a.x.norm(v))*(a.rect.Max.X-a.rect.Min.X)
}

func (a area) yAt(v float64) vg.Length {
	return a.rect.Min.Y + vg.Length(a.y.norm(v))*(a.rect.Max.Y-a.rect.Min.Y)
}

// draw puts the figure on the canvas and tells where its data are.
func (f *Figure) draw(c draw.Canvas) area {
	c = f.drawTitles(c)
	if f.legend == legendTop {
		c = f.drawTopLegend(c)
	} else {
		c = f.drawRightLegend(c)
	}
	a := f.layout(&c)
	f.drawGrid(c, a)
	f.drawMarks(c, a)
	for _, s := range f.series {
		drawBand(c, a, s, len(f.series))
	}
	for _, s := range f.series {
		drawSeries(c, a, s)
	}
	if f.note != "" {
		c.FillText(align(textStyle(labelSize, muted), draw.XCenter, draw.YCenter),
			vg.Point{X: (a.rect.Min.X + a.rect.Max.X) / 2, Y: (a.rect.Min.Y + a.rect.Max.Y) / 2}, f.note)
	}
	return a
}

// drawTitles draws title and subtitle, and gives what is left of the canvas.
func (f *Figure) drawTitles(c draw.Canvas) draw.Canvas {
	width := c.Max.X - c.Min.X
	if f.Title != "" {
		s := align(bold(titleSize), draw.XLeft, draw.YTop)
		c.FillText(s, vg.Point{X: c.Min.X, Y: c.Max.Y}, fit(s, f.Title, width))
		c.Max.Y -= titleSize + 6
	}
	if f.subtitle != "" {
		s := align(textStyle(labelSize, muted), draw.XLeft, draw.YTop)
		c.FillText(s, vg.Point{X: c.Min.X, Y: c.Max.Y}, fit(s, f.subtitle, width))
		c.Max.Y -= labelSize + 7
	}
	return c
}

// layout leaves room for the labels around the data.
func (f *Figure) layout(c *draw.Canvas) area {
	ticks := textStyle(tickSize, muted)
	left := vg.Length(0)
	for _, t := range f.y.ticks {
		left = max(left, ticks.Width(t.label))
	}
	left += 6
	if f.y.label != "" {
		left += labelSize + 7
	}
	bottom := vg.Length(tickSize + 8)
	if f.x.label != "" {
		bottom += labelSize + 5
	}
	right := vg.Length(4)
	for _, t := range f.x.ticks {
		if f.x.norm(t.at) > 0.95 {
			right = max(right, ticks.Width(t.label)/2+1)
		}
	}
	a := area{x: f.x, y: f.y, rect: vg.Rectangle{
		Min: vg.Point{X: c.Min.X + left, Y: c.Min.Y + bottom},
		Max: vg.Point{X: c.Max.X - right, Y: c.Max.Y - tickSize/2},
	}}
	rows := placeMarks(f.marks, a)
	a.rect.Max.Y -= vg.Length(rows) * (tickSize + 4)
	return a
}

// drawGrid draws the lines and labels of both axes.
func (f *Figure) drawGrid(c draw.Canvas, a area) {
	thin := draw.LineStyle{Color: grid, Width: 0.7}
	labels := textStyle(tickSize, muted)
	for _, t := range f.x.ticks {
		x := a.xAt(t.at)
		c.StrokeLine2(thin, x, a.rect.Min.Y, x, a.rect.Max.Y)
		if t.label != "" {
			c.FillText(align(labels, draw.XCenter, draw.YTop), vg.Point{X: x, Y: a.rect.Min.Y - 5}, t.label)
		}
	}
	for _, t := range f.y.ticks {
		y := a.yAt(t.at)
		c.StrokeLine2(thin, a.rect.Min.X, y, a.rect.Max.X, y)
		c.FillText(align(labels, draw.XRight, draw.YCenter), vg.Point{X: a.rect.Min.X - 5, Y: y + textRise}, t.label)
	}
	c.StrokeLine2(draw.LineStyle{Color: frame, Width: 0.9}, a.rect.Min.X, a.rect.Min.Y, a.rect.Max.X, a.rect.Min.Y)
	names := align(textStyle(labelSize, ink), draw.XCenter, draw.YBottom)
	c.FillText(names, vg.Point{X: (a.rect.Min.X + a.rect.Max.X) / 2, Y: c.Min.Y + 2}, f.x.label)
	if f.y.label != "" {
		names = align(names, draw.XCenter, draw.YTop)
		names.Rotation = math.Pi / 2
		c.FillText(names, vg.Point{X: c.Min.X, Y: (a.rect.Min.Y + a.rect.Max.Y) / 2}, f.y.label)
	}
}

// drawBand draws the interval of a series, fainter where there are many.
func drawBand(c draw.Canvas, a area, s series, bands int) {
	var upper, lower []vg.Point
	wide := false
	for _, p := range s.points {
		upper = append(upper, a.at(point{x: p.x, y: p.high}))
		lower = append(lower, a.at(point{x: p.x, y: p.low}))
		wide = wide || p.high > p.low
	}
	if !wide {
		return
	}
	if len(s.points) == 1 { // an error bar
		c.StrokeLine2(draw.LineStyle{Color: translucent(seriesColor(s.style), bands), Width: 5}, lower[0].X, lower[0].Y, upper[0].X, upper[0].Y)
		return
	}
	for i := len(lower) - 1; i >= 0; i-- {
		upper = append(upper, lower[i])
	}
	c.FillPolygon(translucent(seriesColor(s.style), bands), upper)
}

// drawSeries draws the line and the marks of a series.
func drawSeries(c draw.Canvas, a area, s series) {
	var line []vg.Point
	for _, p := range s.points {
		line = append(line, a.at(p))
	}
	if len(line) > 1 && !s.noline {
		c.StrokeLines(s.line(), line)
	}
	if s.plain || s.nodots && len(line) > 1 {
		return
	}
	for _, pt := range line {
		c.DrawGlyphNoClip(s.glyph(), pt)
	}
}

func (s series) line() draw.LineStyle {
	if s.plain {
		return draw.LineStyle{Color: frame, Width: 1.1, Dashes: []vg.Length{4, 3}}
	}
	return draw.LineStyle{Color: seriesColor(s.style), Width: lineWidth, Dashes: dashes[s.style/len(palette)%len(dashes)]}
}

func (s series) glyph() draw.GlyphStyle {
	return draw.GlyphStyle{Color: color.Color(seriesColor(s.style)), Radius: markerSize, Shape: markers[s.style%len(markers)]}
}
