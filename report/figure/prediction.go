package figure

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/predict"
	"foresee/report"
)

// maxRows bounds the regions and machines in one picture.
const maxRows = 12

const (
	panelWidth, panelHeight = 300, 250
	panelGap                = 26
	rowTitle                = 24
)

// Prediction draws hit rates, times and speed-ups against threads as "svg" or "png", a row for each region and
// machine. With a single thread count it draws hit rates and the parts of the time of all regions side by side.
func Prediction(w io.Writer, format string, r *predict.PredictionResult) error {
	all := report.Groups(r)
	if len(all) == 0 {
		return errors.New("the result has no prediction to plot")
	}
	several := slices.ContainsFunc(all, func(g report.Group) bool { return len(g.Rows) > 1 })
	if !several {
		return barsPicture(all).partly(r.Partial).write(w, format)
	}
	return panelsPicture(all).partly(r.Partial).write(w, format)
}

// panelsPicture draws a row of plots for each region and machine.
func panelsPicture(all []report.Group) picture {
	shown := all[:min(len(all), maxRows)]
	columns := 1
	for _, g := range shown {
		columns = max(columns, len(ThreadFigures(g)))
	}
	bottom := vg.Length(0)
	if len(shown) < len(all) {
		bottom = 20
	}
	rowHeight := vg.Length(panelHeight + rowTitle + panelGap/2)
	width := vg.Length(columns*panelWidth + (columns-1)*panelGap + 2*margin)
	p := picture{title: "Predicted hit rates, times and speed-ups", width: width, height: vg.Length(len(shown))*rowHeight + 2*margin + bottom - panelGap/2}
	p.draw = func(c draw.Canvas) {
		for i, g := range shown {
			drawPanels(c, c.Max.Y-vg.Length(i)*rowHeight, g)
		}
		if bottom > 0 {
			c.FillText(align(textStyle(labelSize, muted), draw.XLeft, draw.YBottom), c.Min,
				fmt.Sprintf("… and %d more; fewer regions and machines show them", len(all)-len(shown)))
		}
	}
	return p
}

// drawPanels draws one row.
func drawPanels(c draw.Canvas, top vg.Length, g report.Group) {
	title := align(bold(titleSize), draw.XLeft, draw.YTop)
	c.FillText(title, vg.Point{X: c.Min.X, Y: top}, fit(title, g.Region+" on "+g.Machine, c.Max.X-c.Min.X))
	for i, f := range ThreadFigures(g) {
		left := c.Min.X + vg.Length(i*(panelWidth+panelGap))
		panel := c
		panel.Rectangle = vg.Rectangle{
			Min: vg.Point{X: left, Y: top - rowTitle - panelHeight},
			Max: vg.Point{X: left + panelWidth, Y: top - rowTitle},
		}
		f.draw(panel)
	}
}

// ThreadFigures are the hit rates and, where they are known, time and speed-up against threads.
func ThreadFigures(g report.Group) []*Figure {
	figures := []*Figure{rateFigure(g)}
	if g.HasTime() {
		figures = append(figures, timeFigure(g), speedupFigure(g))
	}
	return figures
}

// rateFigure draws hit rates against threads.
func rateFigure(g report.Group) *Figure {
	f := &Figure{x: threadsAxis(sortedThreads(g)), legend: legendTop}
	low := 100.0
	for i, level := range g.Levels() {
		s := series{name: level, style: i, tooltip: tooltipPercent}
		for _, p := range g.Rows {
			if h, ok := report.HitRate(p, level); ok {
				v, e := 100*h.HitRate, 100*h.StandardError
				s.points = append(s.points, point{float64(p.Threads), v, max(0, v-e), min(100, v+e)})
				low = min(low, max(0, v-e))
			}
		}
		f.series = append(f.series, sorted(s))
	}
	label := "hit rate, cumulative"
	if slices.ContainsFunc(f.series, func(s series) bool {
		return slices.ContainsFunc(s.points, func(p point) bool { return p.high > p.low })
	}) {
		label += "; band: error of sampling"
	}
	f.y = linearAxis(label, min(low, 99.9), 100, percentTick)
	return f
}

// timeFigure draws times against threads.
func timeFigure(g report.Group) *Figure {
	f := &Figure{x: threadsAxis(sortedThreads(g)), legend: legendTop}
	s := series{name: "time, in its interval", style: 0, tooltip: func(p point) string { return report.Seconds(p.y) }}
	lo, hi := math.Inf(1), 0.0
	for _, p := range g.Rows {
		if p.TimeS == nil || *p.TimeS <= 0 {
			continue
		}
		pt := point{float64(p.Threads), *p.TimeS, *p.TimeS, *p.TimeS}
		if p.TimeLowS != nil && p.TimeHighS != nil && *p.TimeLowS > 0 {
			pt.low, pt.high = *p.TimeLowS, *p.TimeHighS
		}
		lo, hi = min(lo, pt.low), max(hi, pt.high)
		s.points = append(s.points, pt)
	}
	s = sorted(s)
	if len(s.points) == 0 {
		f.y, f.note = linearAxis("time", 0, 1, plainTick), "not known"
		return f
	}
	ideal := idealTime(s)
	lo = min(lo, ideal.points[len(ideal.points)-1].y)
	f.series = []series{ideal, s}
	f.y = decadeAxis("time", lo, hi, shortSeconds)
	return f
}

// idealTime is the time of the fewest threads, divided among more.
func idealTime(s series) series {
	ideal := series{name: "ideal", plain: true}
	first := s.points[0]
	for _, p := range s.points {
		y := first.y * first.x / p.x
		ideal.points = append(ideal.points, point{p.x, y, y, y})
	}
	return ideal
}

// speedupFigure draws speed-ups against threads, with the ideal one.
func speedupFigure(g report.Group) *Figure {
	threads := sortedThreads(g)
	f := &Figure{x: threadsAxis(threads), legend: legendTop}
	s := series{name: "speed-up", style: 2, tooltip: func(p point) string { return report.Number(math.Round(p.y*100) / 100) }}
	ideal := series{name: "ideal", plain: true}
	lo, hi := math.Inf(1), 0.0
	for _, n := range threads {
		v := float64(n)
		lo, hi = min(lo, v), max(hi, v)
		ideal.points = append(ideal.points, point{v, v, v, v})
	}
	for _, p := range g.Rows {
		if p.Speedup != nil && *p.Speedup > 0 {
			v := *p.Speedup
			lo, hi = min(lo, v), max(hi, v)
			s.points = append(s.points, point{float64(p.Threads), v, v, v})
		}
	}
	f.series = []series{ideal, sorted(s)}
	f.y = doublingAxis("speed-up", lo, hi)
	return f
}

func sortedThreads(g report.Group) []int {
	threads := g.Threads()
	slices.Sort(threads)
	return slices.Compact(threads)
}

func sorted(s series) series {
	slices.SortStableFunc(s.points, func(a, b point) int { return int(a.x - b.x) })
	return s
}

func tooltipPercent(p point) string { return report.Percent(p.y / 100) }
