package figure

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/application/counters"
	"foresee/predict/scale"
	"foresee/report"
)

// mostCurves is how many series one figure shows.
const mostCurves = 8

// Scaling draws predictions at scale: what was measured, the models with their bands, the series that matter, and the parts of the time.
func Scaling(w io.Writer, format string, r *scale.Result) error {
	figures, stack := ScalingFigures(r)
	if len(figures) == 0 {
		return errors.New("no series could be drawn: none was measured at the sizes asked for")
	}
	const width, height, gap = 720, 380, 18
	total := vg.Length(len(figures)*(height+gap) - gap)
	if stack != nil {
		total += stack.height() + gap
	}
	p := picture{title: figures[0].Title, width: width, height: total + 2*margin, draw: func(c draw.Canvas) {
		top := c.Max.Y
		place := func(h vg.Length) draw.Canvas {
			out := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: top - h}, Max: vg.Point{X: c.Max.X, Y: top}}}
			top -= h + gap
			return out
		}
		for _, f := range figures {
			f.draw(place(height))
		}
		if stack != nil {
			stack.draw(place(stack.height()))
		}
	}}
	return p.write(w, format)
}

// ScalingFigures are the whole, the series below it, and the parts as stacked bars.
func ScalingFigures(r *scale.Result) (figures []*Figure, stack *Bars) {
	curves := r.Curves()
	if len(curves) == 0 {
		return nil, nil
	}
	whole := wholeCurve(curves)
	figures = append(figures, curvesFigure(r, curves[whole:whole+1], true))
	var others []scale.Curve
	for i, c := range curves {
		if i != whole && c.Metric == curves[whole].Metric {
			others = append(others, c)
		}
	}
	slices.SortStableFunc(others, func(a, b scale.Curve) int { return -compareLast(a, b) })
	if len(others) > 0 {
		figures = append(figures, curvesFigure(r, others[:min(len(others), mostCurves)], false))
	}
	if len(r.Breakdowns) > 0 {
		stack = breakdownBars(r)
	}
	return figures, stack
}

// compareLast orders curves by where they end.
func compareLast(a, b scale.Curve) int {
	switch {
	case a.End < b.End:
		return -1
	case a.End > b.End:
		return 1
	}
	return strings.Compare(b.Callpath, a.Callpath)
}

// wholeCurve is the run's time, else the largest time, else the first curve.
func wholeCurve(curves []scale.Curve) int {
	best := -1
	for i, c := range curves {
		if c.Callpath == counters.WholeRun && c.Metric == "time" {
			return i
		}
		if scale.IsTime(c.Metric) && (best < 0 || compareLast(c, curves[best]) > 0) {
			best = i
		}
	}
	return max(best, 0)
}

// curvesFigure draws models along the first parameter, with what was measured.
func curvesFigure(r *scale.Result, curves []scale.Curve, band bool) *Figure {
	first := curves[0]
	f := &Figure{Title: first.Metric + " of " + lastCall(first.Callpath), subtitle: fmt.Sprintf("model %s, band of %.0f %%", r.Model, 100*r.Interval)}
	if !band {
		f.Title, f.subtitle = first.Metric+" of the parts that matter most", "lines: model; marks: measured"
	}
	if first.Others != "" {
		f.subtitle += "; " + first.Others
	}
	lo, hi, least, most := math.Inf(1), 0.0, math.Inf(1), 0.0
	see := func(x, y float64) {
		if y > 0 {
			lo, hi, least, most = min(lo, x), max(hi, x), min(least, y), max(most, y)
		}
	}
	for i, c := range curves {
		line := series{name: shortest(c.Callpath, curves), style: i, nodots: true}
		if band {
			line.name = "model"
		}
		c = c.Trace()
		for k, p := range c.P {
			if len(c.Measured) > 0 && p < c.Measured[0][0] {
				continue
			}
			pt := point{p, c.Value[k], c.Value[k], c.Value[k]}
			if band && !math.IsNaN(c.Low[k]) {
				pt.low, pt.high = c.Low[k], c.High[k]
				see(p, pt.low)
				see(p, pt.high)
			}
			see(p, pt.y)
			line.points = append(line.points, pt)
		}
		f.series = append(f.series, line)
		dots := series{style: i, noline: true}
		if band {
			dots.name = "measured"
		}
		for _, m := range c.Measured {
			see(m[0], m[1])
			dots.points = append(dots.points, point{m[0], m[1], m[1], m[1]})
		}
		if len(c.HeldOut) > 0 && band {
			held := series{style: i + 1, noline: true, name: "held out"}
			for _, m := range c.HeldOut {
				see(m[0], m[1])
				held.points = append(held.points, point{m[0], m[1], m[1], m[1]})
			}
			f.series = append(f.series, held)
		}
		dots.tooltip = func(p point) string { return report.Quantity(first.Metric, p.y) }
		f.series = append(f.series, dots)
	}
	f.x = doublingAxis(r.Parameters[0], lo, hi)
	if counters.IsProcesses(r.Parameters[0]) {
		f.x.label = "processes"
	}
	f.y = decadeAxis(first.Metric, least/1.15, most*1.15, func(v float64) string { return report.Quantity(first.Metric, v) })
	return f
}

// shortest is the last call of a callpath, or all of it where another curve ends in the same.
func shortest(callpath string, curves []scale.Curve) string {
	same := 0
	for _, c := range curves {
		if lastCall(c.Callpath) == lastCall(callpath) {
			same++
		}
	}
	if same > 1 {
		return callpath
	}
	return lastCall(callpath)
}

func lastCall(callpath string) string {
	if i := strings.LastIndex(callpath, "->"); i >= 0 {
		return callpath[i+2:]
	}
	return callpath
}

// breakdownBars stack the parts of the time at each point asked for, as shares: the times themselves differ by orders of magnitude.
func breakdownBars(r *scale.Result) *Bars {
	b := &Bars{Title: "Where the time goes", stacked: true, x: linearAxis("share of the time", 0, 100, percentTick)}
	for _, d := range r.Breakdowns {
		for _, p := range d.Parts {
			b.names = report.AppendNew(b.names, p.Name)
		}
	}
	slices.Sort(b.names)
	for _, d := range r.Breakdowns {
		row := barRow{name: report.ScalingPoint(r, d.Params), values: make([]float64, len(b.names))}
		for _, p := range d.Parts {
			row.values[slices.Index(b.names, p.Name)] = 100 * p.Share
		}
		b.rows = append(b.rows, row)
	}
	return b
}
