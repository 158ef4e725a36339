package figure

import (
	"errors"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/predict"
	"foresee/report"
)

// Curves draws miss ratio curves as "svg" or "png", with the caches of the machines as vertical lines.
func Curves(w io.Writer, format string, r *predict.CurveResult) error {
	f, err := CurveFigure(r)
	if err != nil {
		return err
	}
	return single(f, 680, 400).partly(r.Partial).write(w, format)
}

// single is a picture of one figure.
func single(f *Figure, width, height vg.Length) picture {
	height = max(height, vg.Length(min(len(f.series), 40))*legendRow+100)
	return picture{f.Title, width, height, func(c draw.Canvas) { f.draw(c) }}
}

// sameIn tells what all curves have in common.
type sameIn struct{ region, threads, scope bool }

// common says what all curves have in common: it is said once, above them.
func common(curves []predict.Curve) sameIn {
	s := sameIn{true, true, true}
	for _, c := range curves {
		s.region = s.region && c.Region == curves[0].Region
		s.threads = s.threads && c.Threads == curves[0].Threads
		s.scope = s.scope && c.Scope == curves[0].Scope
	}
	return s
}

// label names a curve by what it does not share with the others.
func (s sameIn) label(c predict.Curve) string {
	name := ""
	add := func(part string) {
		if name != "" {
			name += ", "
		}
		name += part
	}
	if !s.region {
		add(c.Region)
	}
	if !s.threads {
		add(report.Plural(c.Threads, "thread"))
	}
	if !s.scope {
		add(c.Scope)
	}
	return name
}

// subtitle says what the curves share.
func (s sameIn) subtitle(c predict.Curve) string {
	text := "fully associative LRU"
	if s.threads {
		text += ", " + report.Plural(c.Threads, "thread")
	}
	if s.scope {
		text += ", " + c.Scope
	}
	return text
}

// CurveFigure is the plot of miss ratio curves; an error where no curve has a point.
func CurveFigure(r *predict.CurveResult) (*Figure, error) {
	f := &Figure{Title: "Miss ratio curves"}
	lo, hi, top := math.Inf(1), 0.0, 0.0
	same := common(r.Curves)
	for i, c := range r.Curves {
		s := series{name: same.label(c), style: i, nodots: len(c.Points) > 16}
		for _, p := range c.Points {
			x := float64(p.CacheBytes)
			if x <= 0 {
				continue
			}
			lo, hi, top = min(lo, x), max(hi, x), max(top, p.MissRatio+p.StandardError)
			s.points = append(s.points, point{x, p.MissRatio, max(0, p.MissRatio-p.StandardError), min(1, p.MissRatio+p.StandardError)})
		}
		s.tooltip = func(p point) string { return report.Bytes(int64(p.x)) + ": " + report.Ratio(p.y) }
		f.series = append(f.series, s)
	}
	if hi == 0 {
		return nil, errors.New("the result has no curve to plot")
	}
	if same.region {
		f.Title = "Miss ratio of " + r.Curves[0].Region
	}
	f.subtitle = same.subtitle(r.Curves[0])
	if line := strings.TrimSpace(report.CurvesThreadsLine(r.Curves)); line != "" {
		f.subtitle += "; " + line
	}
	f.x = bytesAxis("cache size", lo, hi)
	if top == 0 {
		top = 1
	}
	f.y = linearAxis("miss ratio", 0, min(1, top), plainTick)
	f.marks = levelMarks(r.Levels, lo, hi)
	return f, nil
}

// levelMarks are the sizes of caches that lie on the axis.
func levelMarks(levels []predict.LevelMark, lo, hi float64) []mark {
	var machines []string
	for _, l := range levels {
		machines = report.AppendNew(machines, l.Machine)
	}
	var marks []mark
	for _, l := range levels {
		if at := float64(l.Bytes); at >= lo && at <= hi {
			label := l.Level + " " + report.Bytes(l.Bytes)
			if len(machines) > 1 {
				label = l.Machine + " " + l.Level
			}
			marks = append(marks, mark{at, label})
		}
	}
	return marks
}
