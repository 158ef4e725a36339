package figure

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/report"
)

// NotMeasuredError says that a machine holds no measurements to draw.
type NotMeasuredError struct{ Machine string }

func (e *NotMeasuredError) Error() string {
	return "machine " + e.Machine + " holds no measurements to draw"
}

// The figures of a machine stand below one another. Sizes in points, chosen: as wide as a page's text.
const (
	machineWidth  = 780
	machineHeight = 360 // of each
	machineGap    = 18
)

// Machine draws what a machine was measured from: latency, and bandwidth by stride, down columns, and as loops of programs
// use it, against the size of the array.
func Machine(w io.Writer, format string, m *machine.Machine) error {
	if m.Measured == nil || len(m.Measured.Sweeps)+len(m.Measured.Chases) == 0 {
		return &NotMeasuredError{m.Name}
	}
	figures := []*Figure{}
	for _, of := range []func(*machine.Machine) *Figure{latencyFigure, stridesFigure, columnsFigure, loopsFigure} {
		if f := of(m); f != nil {
			figures = append(figures, f)
		}
	}
	p := picture{title: m.Title, width: machineWidth, height: vg.Length(len(figures)*(machineHeight+machineGap) - machineGap), draw: func(c draw.Canvas) {
		n := vg.Length(len(figures))
		each := (c.Max.Y - c.Min.Y - machineGap*(n-1)) / n
		for i, f := range figures {
			top := c.Max.Y - vg.Length(i)*(each+machineGap)
			f.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: top - each}, Max: vg.Point{X: c.Max.X, Y: top}}})
		}
	}}
	return p.write(w, format)
}

// cacheMarks mark the sizes of caches in bytes, as they are described and as measurements found them, that lie between the ends of an axis.
func cacheMarks(m *machine.Machine, lo, hi float64) (marks []mark) {
	for _, l := range m.Levels {
		if at := float64(l.Size.Or(0)); at >= lo && at <= hi {
			marks = append(marks, mark{at, l.Name + " " + report.Bytes(int64(at))})
		}
		if at := float64(l.EffectiveSize.Or(0)); at >= lo && at <= hi {
			marks = append(marks, mark{at, l.Name + " found"})
		}
	}
	return marks
}

// latencyFigure draws latency against the size of the array.
func latencyFigure(m *machine.Machine) *Figure {
	f := &Figure{Title: m.Title + ": latency", subtitle: "random pointer chase, ns a load; " + m.Measured.Source}
	lo, hi, least, most := math.Inf(1), 0.0, math.Inf(1), 0.0
	for i, c := range m.Measured.Chases {
		s := series{name: c.Kind + " pages", style: i}
		s.points, lo, hi, least, most = curvePoints(c, lo, hi, least, most)
		s.tooltip = func(p point) string {
			return report.Bytes(int64(p.x)) + ": " + strconv.FormatFloat(p.y, 'g', 3, 64) + " ns"
		}
		f.series = append(f.series, s)
	}
	if hi == 0 {
		return nil
	}
	f.x, f.y = bytesAxis("size of the array", lo, hi), decadesAxis("ns", least, most)
	f.marks = cacheMarks(m, lo, hi)
	return f
}

func stridesFigure(m *machine.Machine) *Figure {
	return bandwidthFigure(m, "bandwidth", "MultiMAPS, one core, GB/s of the 8-byte elements used", map[string]func(*machine.Curve) string{
		machine.SweepRead: func(c *machine.Curve) string { return "stride " + strconv.Itoa(c.Stride) },
	})
}

func columnsFigure(m *machine.Machine) *Figure {
	return bandwidthFigure(m, "bandwidth down columns", "a matrix by its columns, one 8-byte element of each line, one core, GB/s of the elements used", map[string]func(*machine.Curve) string{
		machine.SweepColumns: rowsOf,
	})
}

func rowsOf(c *machine.Curve) string {
	return "rows of " + report.Bytes(int64(bandwidth.WordBytes*c.Stride))
}

// loopsFigure draws the bandwidth of passes as loops of programs make them.
func loopsFigure(m *machine.Machine) *Figure {
	return bandwidthFigure(m, "bandwidth as loops use it", "arrays side by side (a), with products and sums of each element (w), and in tiles; one core, GB/s of the elements used", map[string]func(*machine.Curve) string{
		machine.SweepWorked: func(c *machine.Curve) string {
			if c.Stride > 1 {
				return fmt.Sprintf("w %d, %s", c.Work, rowsOf(c))
			}
			return fmt.Sprintf("a %d, w %d", c.Streams, c.Work)
		},
		machine.SweepRuns: func(c *machine.Curve) string { return fmt.Sprintf("tiles, %d lines", c.Lines) },
	})
}

// bandwidthFigure draws the sweeps of the kinds that names has, each curve by the name that it gives, and the fitted function beside each; nil
// where the machine has none of these sweeps.
func bandwidthFigure(m *machine.Machine, title, subtitle string, names map[string]func(*machine.Curve) string) *Figure {
	f := &Figure{Title: m.Title + ": " + title, subtitle: subtitle}
	lo, hi, least, most := math.Inf(1), 0.0, math.Inf(1), 0.0
	var fitted []series
	form, line, page := m.Fit(machine.SweepRead), float64(m.LineBytes.Or(64)), float64(m.Measured.Page)
	for _, c := range m.Measured.Sweeps {
		name := names[c.Kind]
		if name == nil {
			continue
		}
		s := series{name: name(&c), style: len(f.series), nodots: true}
		s.points, lo, hi, least, most = curvePoints(c, lo, hi, least, most)
		s.tooltip = func(p point) string {
			return report.Bytes(int64(p.x)) + ": " + strconv.FormatFloat(p.y, 'g', 3, 64) + " GB/s"
		}
		f.series = append(f.series, s)
		if form == nil {
			continue
		}
		by := series{plain: true}
		for _, p := range m.Measured.CurvePoints(&c) {
			y := form.GBs(p, line, page)
			by.points = append(by.points, point{p.Bytes, y, y, y})
		}
		fitted = append(fitted, by)
	}
	if hi == 0 {
		return nil
	}
	if form != nil {
		f.subtitle += "; dashed: the fitted function"
	}
	f.series = append(f.series, fitted...)
	f.x, f.y = bytesAxis("size of the array", lo, hi), decadesAxis("GB/s", least, most)
	f.marks = cacheMarks(m, lo, hi)
	return f
}

// curvePoints are the points of a curve of bytes, value and spread, a share of the value: the interval is as wide as the spread, with the value in
// its middle. lo to most are the ends of both axes so far, and come back widened to hold the curve.
func curvePoints(c machine.Curve, lo, hi, least, most float64) (points []point, _, _, _, _ float64) {
	for _, p := range c.Points {
		lo, hi, least, most = min(lo, p[0]), max(hi, p[0]), min(least, p[1]), max(most, p[1])
		points = append(points, point{p[0], p[1], p[1] * (1 - p[2]/2), p[1] * (1 + p[2]/2)})
	}
	return points, lo, hi, least, most
}

// beyond is how much further an axis goes than its values, as a factor. Chosen: lines do not touch the frame.
const beyond = 1.1

// decadesAxis is logarithmic with ticks at 1, 2 and 5 of each decade.
func decadesAxis(label string, lo, hi float64) axis {
	a := axis{label: label, scale: logarithmic, min: lo / beyond, max: hi * beyond}
	for e := int(math.Floor(math.Log10(a.min))); e <= int(math.Ceil(math.Log10(a.max))); e++ {
		for _, digit := range []float64{1, 2, 5} {
			if at := digit * math.Pow(10, float64(e)); at >= a.min && at <= a.max {
				a.ticks = append(a.ticks, tick{at, strconv.FormatFloat(at, 'g', 3, 64)})
			}
		}
	}
	return a
}
