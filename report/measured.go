package report

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/internal/quantile"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/machine/probe"
	"foresee/predict"
)

// MeasuredText tells what was found out about a machine, in a few lines.
func MeasuredText(w io.Writer, m *machine.Machine) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", m.Name, strings.Join(nonEmpty(m.Title, m.Vendor, m.Microarchitecture), "; "))
	for _, note := range m.Notes {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	b.WriteString("\n")
	t := &table{left: map[int]bool{0: true}}
	t.row("", "size", "found", "latency", "in sequence", "far apart")
	ghz := m.FrequencyGHz.Or(0)
	cost := func(v *machine.Value[float64]) string {
		cycles, ok := v.Get()
		if !ok || ghz == 0 {
			return "?"
		}
		return fmt.Sprintf("%.3g ns", cycles/ghz)
	}
	for i, l := range m.Levels {
		found := ""
		if v, ok := l.EffectiveSize.Get(); ok {
			found = Bytes(int64(v))
		}
		sequential, far := cost(l.SequentialCyclesPerLine), cost(l.FarCyclesPerLine)
		if i == 0 {
			sequential, far = "", ""
		}
		t.row(l.Name, Bytes(int64(l.Size.Or(0))), found, cost(l.LatencyCycles), sequential, far)
	}
	latency := "?"
	if ns, ok := m.Memory.LatencyNs.Get(); ok {
		latency = fmt.Sprintf("%.3g ns", ns)
	}
	t.row("memory", "", "", latency, cost(m.Memory.SequentialCyclesPerLine), cost(m.Memory.FarCyclesPerLine))
	b.WriteString(t.String())
	fmt.Fprintf(&b, "\nclock %.3g GHz", ghz)
	if one, ok := m.Memory.CoreBandwidthGBs.Get(); ok {
		fmt.Fprintf(&b, "; memory %.3g GB/s from one core", one)
	}
	if all, ok := m.Memory.BandwidthGBs.Get(); ok {
		fmt.Fprintf(&b, "; memory %.3g GB/s from all", all)
	}
	fmt.Fprintln(&b)
	if m.Measured != nil {
		if n, ok := m.Measured.PrefetchStreams.Get(); ok {
			fmt.Fprintf(&b, "prefetchers follow %d streams of lines side by side\n", n)
		}
		for _, f := range m.Measured.Fits {
			fmt.Fprintf(&b, "bandwidth function of %s sweeps: error %.1f %% in the mean, %.1f %% in the median, %.0f %% at worst, n = %d%s\n", f.Kind, 100*f.Errors.Mean, 100*f.Errors.Median, 100*f.Errors.Worst, f.Errors.N, roughly(f))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// roughly warns of a fit with large errors.
func roughly(f machine.MeasuredFit) string {
	if !f.Rough() {
		return ""
	}
	return " – rough: predictions that use it say so; measure again while the machine is idle"
}

// NotMeasuredError says that a machine holds no measurements to draw.
type NotMeasuredError struct{ Machine string }

func (e *NotMeasuredError) Error() string {
	return "machine " + e.Machine + " holds no measurements to draw"
}

// PlotMachine draws what a machine was measured from: latency, and bandwidth by stride, down columns, and as loops of programs
// use it, against the size of the array.
func PlotMachine(w io.Writer, format string, m *machine.Machine) error {
	if m.Measured == nil || len(m.Measured.Sweeps)+len(m.Measured.Chases) == 0 {
		return &NotMeasuredError{m.Name}
	}
	figures := []*figure{}
	for _, of := range []func(*machine.Machine) *figure{latencyFigure, stridesFigure, columnsFigure, loopsFigure} {
		if f := of(m); f != nil {
			figures = append(figures, f)
		}
	}
	const width, height, gap = 780, 360, 18
	p := picture{title: m.Title, width: width, height: vg.Length(len(figures)*(height+gap) - gap), draw: func(c draw.Canvas) {
		n := vg.Length(len(figures))
		each := (c.Max.Y - c.Min.Y - gap*(n-1)) / n
		for i, f := range figures {
			top := c.Max.Y - vg.Length(i)*(each+gap)
			f.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{Min: vg.Point{X: c.Min.X, Y: top - each}, Max: vg.Point{X: c.Max.X, Y: top}}})
		}
	}}
	return p.write(w, format)
}

func cacheMarks(m *machine.Machine, lo, hi float64) (marks []mark) {
	for _, l := range m.Levels {
		if at := float64(l.Size.Or(0)); at >= lo && at <= hi {
			marks = append(marks, mark{at, l.Name + " " + Bytes(int64(at))})
		}
		if at := float64(l.EffectiveSize.Or(0)); at >= lo && at <= hi {
			marks = append(marks, mark{at, l.Name + " found"})
		}
	}
	return marks
}

func latencyFigure(m *machine.Machine) *figure {
	f := &figure{title: m.Title + ": latency", subtitle: "random pointer chase, ns a load; " + m.Measured.Source}
	lo, hi, least, most := math.Inf(1), 0.0, math.Inf(1), 0.0
	for i, c := range m.Measured.Chases {
		s := series{name: c.Kind + " pages", style: i}
		s.points, lo, hi, least, most = curvePoints(c, lo, hi, least, most)
		s.tooltip = func(p point) string { return Bytes(int64(p.x)) + ": " + strconv.FormatFloat(p.y, 'g', 3, 64) + " ns" }
		f.series = append(f.series, s)
	}
	if hi == 0 {
		return nil
	}
	f.x, f.y = bytesAxis("size of the array", lo, hi), decadesAxis("ns", least, most)
	f.marks = cacheMarks(m, lo, hi)
	return f
}

func stridesFigure(m *machine.Machine) *figure {
	return bandwidthFigure(m, "bandwidth", "MultiMAPS, one core, GB/s of the 8-byte elements used", map[string]func(*machine.Curve) string{
		machine.SweepRead: func(c *machine.Curve) string { return "stride " + strconv.Itoa(c.Stride) },
	})
}

func columnsFigure(m *machine.Machine) *figure {
	return bandwidthFigure(m, "bandwidth down columns", "a matrix by its columns, one 8-byte element of each line, one core, GB/s of the elements used", map[string]func(*machine.Curve) string{
		machine.SweepColumns: rowsOf,
	})
}

func rowsOf(c *machine.Curve) string {
	return "rows of " + Bytes(int64(bandwidth.WordBytes*c.Stride))
}

func loopsFigure(m *machine.Machine) *figure {
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

// bandwidthFigure draws kinds of sweeps, each with names for its curves, and the fitted function beside them.
func bandwidthFigure(m *machine.Machine, title, subtitle string, names map[string]func(*machine.Curve) string) *figure {
	f := &figure{title: m.Title + ": " + title, subtitle: subtitle}
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
		s.tooltip = func(p point) string { return Bytes(int64(p.x)) + ": " + strconv.FormatFloat(p.y, 'g', 3, 64) + " GB/s" }
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

func curvePoints(c machine.Curve, lo, hi, least, most float64) (points []point, _, _, _, _ float64) {
	for _, p := range c.Points {
		lo, hi, least, most = min(lo, p[0]), max(hi, p[0]), min(least, p[1]), max(most, p[1])
		points = append(points, point{p[0], p[1], p[1] * (1 - p[2]/2), p[1] * (1 + p[2]/2)})
	}
	return points, lo, hi, least, most
}

// decadesAxis is logarithmic with ticks at 1, 2 and 5 of each decade.
func decadesAxis(label string, lo, hi float64) axis {
	a := axis{label: label, scale: logarithmic, min: lo / 1.1, max: hi * 1.1}
	for e := int(math.Floor(math.Log10(a.min))); e <= int(math.Ceil(math.Log10(a.max))); e++ {
		for _, digit := range []float64{1, 2, 5} {
			if at := digit * math.Pow(10, float64(e)); at >= a.min && at <= a.max {
				a.ticks = append(a.ticks, tick{at, strconv.FormatFloat(at, 'g', 3, 64)})
			}
		}
	}
	return a
}

// DriftSchema is that of foresee machine check.
const DriftSchema = "foresee.drift/v1"

// Drift is the result of foresee machine check.
type Drift struct {
	predict.Header
	Machine string      `json:"machine"`
	Median  float64     `json:"median_change"` // of the absolute relative changes
	Worst   float64     `json:"worst_change"`
	Values  []DriftItem `json:"values"`
}

// DriftItem is one quantity then and now.
type DriftItem struct {
	What   string  `json:"what"`
	Unit   string  `json:"unit"`
	Then   float64 `json:"then"`
	Now    float64 `json:"now"`
	Change float64 `json:"change"` // now over then, less one
	Spread float64 `json:"spread"` // of the samples now
}

// NewDrift sums up what a check found.
func NewDrift(h predict.Header, m *machine.Machine, drifts []probe.Drift) *Drift {
	d := &Drift{Header: h, Machine: m.Name, Values: []DriftItem{}}
	var changes []float64
	for _, x := range drifts {
		d.Values = append(d.Values, DriftItem{x.What, x.Unit, x.Then, x.Now, x.Change(), x.Spread})
		changes = append(changes, math.Abs(x.Change()))
		d.Worst = max(d.Worst, math.Abs(x.Change()))
	}
	d.Median = quantile.Median(changes)
	return d
}

// much is the change of a quantity that is worth a mark.
const much = 0.1

// DriftText writes a line for each quantity and a verdict.
func DriftText(w io.Writer, d *Drift) error {
	t := &table{left: map[int]bool{0: true, 4: true}}
	t.row("quantity", "then", "now", "change", "")
	for _, v := range d.Values {
		flag := ""
		if math.Abs(v.Change) > much {
			flag = "!"
		}
		t.row(v.What, fmt.Sprintf("%.4g %s", v.Then, v.Unit), fmt.Sprintf("%.4g %s", v.Now, v.Unit), fmt.Sprintf("%+.1f %%", 100*v.Change), flag)
	}
	verdict := "the machine is as it was"
	switch {
	case d.Median > much:
		verdict = "the machine has changed, or is not the one that was measured: measure it again"
	case d.Worst > much:
		verdict = "most is as it was; lines with ! are not (other work on the machine is the usual cause)"
	}
	_, err := fmt.Fprintf(w, "%s\n%s: changes of %.1f %% in the median, %.1f %% at worst, n = %d\n", t, verdict, 100*d.Median, 100*d.Worst, len(d.Values))
	return err
}

// DriftCSV writes one record for each quantity.
func DriftCSV(w io.Writer, d *Drift) error {
	records := [][]string{{"what", "unit", "then", "now", "change", "spread"}}
	for _, v := range d.Values {
		records = append(records, []string{v.What, v.Unit, number(v.Then), number(v.Now), number(v.Change), number(v.Spread)})
	}
	return writeCSV(w, records)
}
