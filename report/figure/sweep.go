package figure

import (
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/report"
	"foresee/sweep"
)

// SweepKinds are the pictures of sweeps.
var SweepKinds = []string{"lines", "heat"}

// mostSweepFigures is how many regions a picture shows. Chosen: more are no picture that is looked at.
const mostSweepFigures = 6

// errNoTimes is a sweep without a time.
var errNoTimes = errors.New("the sweep has no times to draw")

// Sweep draws the times of a design space over two of its axes, as lines or as a heat map, a figure for each region. Where other axes vary too, each
// point is the least time over them.
func Sweep(w io.Writer, format, kind string, r *sweep.Result, x, by string) error {
	views, err := r.Views(x, by)
	if err != nil {
		return err
	}
	if len(views) == 0 {
		return errNoTimes
	}
	views = views[:min(len(views), mostSweepFigures)]
	width, height := vg.Length(680), vg.Length(380)
	draws := make([]func(draw.Canvas), len(views))
	for i, v := range views {
		if kind == "heat" {
			h := newHeat(v)
			draws[i] = h.draw
			height = max(height, vg.Length(len(h.view.Cells))*heatRow+130)
			continue
		}
		f := sweepLines(v)
		draws[i] = func(c draw.Canvas) { f.draw(c) }
		height = max(height, vg.Length(min(len(f.series), 40))*legendRow+100)
	}
	p := picture{"Times of " + r.Input, width, height * vg.Length(len(views)), func(c draw.Canvas) {
		for i, d := range draws {
			part := c
			part.Max.Y = c.Max.Y - (c.Max.Y-c.Min.Y)*vg.Length(i)/vg.Length(len(draws))
			part.Min.Y = c.Max.Y - (c.Max.Y-c.Min.Y)*vg.Length(i+1)/vg.Length(len(draws)) + margin/2
			d(part)
		}
	}}
	return p.partly(r.Partial).write(w, format)
}

// leastOver says what a view leaves out.
func leastOver(v sweep.View) string {
	var names []string
	for _, a := range v.Rest {
		names = append(names, a.Name)
	}
	if names == nil {
		return ""
	}
	return "the least time over " + strings.Join(names, ", ")
}

// sweepLines is the time against one axis, with a line for each value of the other.
func sweepLines(v sweep.View) *Figure {
	f := &Figure{Title: "Time of " + v.Region, subtitle: leastOver(v)}
	places := v.X.Numbers()
	numbers := len(places) > 1
	for i := range places {
		numbers = numbers && places[i] > 0
	}
	if !numbers {
		places = places[:0]
		for i := range v.X.Values {
			places = append(places, float64(i))
		}
	}
	lo, hi := math.Inf(1), 0.0
	for i, line := range v.Cells {
		s := series{style: i, nodots: len(line) > 24}
		if v.By.Name != "" {
			s.name = v.By.Name + " " + v.By.Values[i]
		}
		for k, row := range line {
			if row == nil {
				continue
			}
			p := point{places[k], *row.TimeS, *row.TimeS, *row.TimeS}
			if row.TimeLowS != nil && len(v.Cells) <= fewBands {
				p.low, p.high = *row.TimeLowS, *row.TimeHighS
			}
			lo, hi = min(lo, p.low), max(hi, p.high)
			s.points = append(s.points, p)
		}
		s.tooltip = func(p point) string { return report.Seconds(p.y) }
		f.series = append(f.series, s)
	}
	f.x = sweepAxis(v.X, places, numbers)
	f.y = decadeAxis("time", lo, hi, shortSeconds)
	return f
}

// sweepAxis is logarithmic where the values are numbers, and has them one after the other where not.
func sweepAxis(a sweep.Axis, places []float64, numbers bool) axis {
	if !numbers {
		out := axis{label: a.Name, min: -0.5, max: float64(len(places)) - 0.5}
		every := 1 + len(places)/12
		for i, v := range a.Values {
			if i%every == 0 {
				out.ticks = append(out.ticks, tick{float64(i), v})
			}
		}
		return out
	}
	lo, hi := places[0], places[0]
	for _, p := range places {
		lo, hi = min(lo, p), max(hi, p)
	}
	out := axis{label: a.Name, scale: logarithmic, min: lo, max: hi}
	if lo == hi {
		out.min, out.max = lo/2, hi*2
	}
	const room = 0.09 // share of the axis that a label takes
	for i := len(places) - 1; i >= 0; i-- {
		if out.free(places[i], room) {
			out.ticks = append(out.ticks, tick{places[i], a.Values[i]})
		}
	}
	return out
}

const (
	heatRow    = 26 // points of a row of a heat map at least
	heatLabels = 14 // columns that are named at most
)

// heat is a heat map of times.
type heat struct {
	view   sweep.View
	lo, hi float64 // logarithms of the least and the most time
}

func newHeat(v sweep.View) *heat {
	h := &heat{v, math.Inf(1), math.Inf(-1)}
	for _, line := range v.Cells {
		for _, row := range line {
			if row != nil {
				h.lo, h.hi = min(h.lo, math.Log(*row.TimeS)), max(h.hi, math.Log(*row.TimeS))
			}
		}
	}
	return h
}

// share is where a time lies between the least and the most, as logarithms: 0 is the least.
func (h *heat) share(seconds float64) float64 {
	if h.hi <= h.lo {
		return 0
	}
	return (math.Log(seconds) - h.lo) / (h.hi - h.lo)
}

func (h *heat) draw(c draw.Canvas) {
	f := &Figure{Title: "Time of " + h.view.Region, subtitle: fmt.Sprintf("from %s (light) to %s (dark)", report.Seconds(math.Exp(h.lo)), report.Seconds(math.Exp(h.hi)))}
	if least := leastOver(h.view); least != "" {
		f.subtitle += "; " + least
	}
	c = f.drawTitles(c)
	labels := textStyle(tickSize, muted)
	left := vg.Length(0)
	for _, v := range h.view.By.Values {
		left = max(left, labels.Width(v))
	}
	rect := vg.Rectangle{Min: vg.Point{X: c.Min.X + left + labelSize + 18, Y: c.Min.Y + tickSize + labelSize + 18}, Max: vg.Point{X: c.Max.X - 4, Y: c.Max.Y - 4}}
	columns, rows := len(h.view.X.Values), len(h.view.Cells)
	wide, high := (rect.Max.X-rect.Min.X)/vg.Length(columns), (rect.Max.Y-rect.Min.Y)/vg.Length(rows)
	labelled := h.labelled(wide)
	for y, line := range h.view.Cells {
		bottom := rect.Max.Y - vg.Length(y+1)*high
		if h.view.By.Name != "" {
			c.FillText(align(labels, draw.XRight, draw.YCenter), vg.Point{X: rect.Min.X - 6, Y: bottom + high/2 + textRise}, h.view.By.Values[y])
		}
		for x, row := range line {
			if row != nil {
				h.cell(c, *row.TimeS, vg.Point{X: rect.Min.X + vg.Length(x)*wide, Y: bottom}, wide, high, labelled)
			}
		}
	}
	every := 1 + columns/heatLabels
	for x, v := range h.view.X.Values {
		if x%every == 0 {
			c.FillText(align(labels, draw.XCenter, draw.YTop), vg.Point{X: rect.Min.X + (vg.Length(x)+0.5)*wide, Y: rect.Min.Y - 5}, v)
		}
	}
	names := align(textStyle(labelSize, ink), draw.XCenter, draw.YBottom)
	c.FillText(names, vg.Point{X: (rect.Min.X + rect.Max.X) / 2, Y: c.Min.Y + 2}, h.view.X.Name)
	names = align(names, draw.XCenter, draw.YTop)
	names.Rotation = math.Pi / 2
	c.FillText(names, vg.Point{X: c.Min.X, Y: (rect.Min.Y + rect.Max.Y) / 2}, h.view.By.Name)
}

// cell draws one time, with its value where all have room.
func (h *heat) cell(c draw.Canvas, seconds float64, at vg.Point, wide, high vg.Length, labelled bool) {
	const gap = 0.6
	share := h.share(seconds)
	c.FillPolygon(heatColor(share), []vg.Point{
		{X: at.X + gap, Y: at.Y + gap}, {X: at.X + wide - gap, Y: at.Y + gap}, {X: at.X + wide - gap, Y: at.Y + high - gap}, {X: at.X + gap, Y: at.Y + high - gap},
	})
	if !labelled {
		return
	}
	shade := ink
	if share > 0.5 { // the dark half
		shade = paper
	}
	c.FillText(align(textStyle(tickSize, shade), draw.XCenter, draw.YCenter), vg.Point{X: at.X + wide/2, Y: at.Y + high/2 + textRise}, shortSeconds(seconds))
}

// labelled says whether the widest time fits into a cell.
func (h *heat) labelled(wide vg.Length) bool {
	style := textStyle(tickSize, ink)
	for _, line := range h.view.Cells {
		for _, row := range line {
			if row != nil && style.Width(shortSeconds(*row.TimeS)) > wide-4 {
				return false
			}
		}
	}
	return true
}

// The ends of the colours of a heat map: the least time is light, the most dark, so that it reads without colours too.
var (
	heatLight = color.NRGBA{0xe8, 0xf1, 0xfa, 0xff}
	heatDark  = color.NRGBA{0x08, 0x30, 0x5f, 0xff}
)

// heatColor is the colour of a share of the way from the least to the most time.
func heatColor(share float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.NRGBA{mix(heatLight.R, heatDark.R), mix(heatLight.G, heatDark.G), mix(heatLight.B, heatDark.B), 0xff}
}
