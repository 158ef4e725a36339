package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"foresee/predict"
	"foresee/report"
)

// Curves writes a table for each region: a row for each cache size, a column for each curve.
func Curves(w io.Writer, r *predict.CurveResult, o Options) error {
	var b strings.Builder
	b.WriteString(partLine(r.Partial))
	for i, curves := range report.CurvesByRegion(r) {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s: miss ratios of a fully associative LRU cache, lines of %d B\n%s\n", curves[0].Region, r.LineBytes, report.CurvesThreadsLine(curves))
		b.WriteString(sparklines(curves))
		b.WriteString("\n")
		b.WriteString(curveTable(curves, r.Levels, o).String())
	}
	if len(r.Curves) == 0 {
		b.WriteString("no curves\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// sparklines draws each curve in a line of text.
func sparklines(curves []predict.Curve) string {
	top := 0.0
	for _, c := range curves {
		for _, p := range c.Points {
			top = max(top, p.MissRatio)
		}
	}
	t := &table{left: map[int]bool{0: true, 1: true, 2: true}}
	for _, c := range curves {
		var values []float64
		for _, p := range c.Points {
			values = append(values, p.MissRatio)
		}
		t.row(report.CurveName(c), sparkline(values, top), report.CountOf(c.Accesses, "access"))
	}
	return t.String()
}

// curveTable is the table of miss ratios by size.
func curveTable(curves []predict.Curve, marks []predict.LevelMark, o Options) *table {
	header := []string{"cache"}
	for _, c := range curves {
		header = append(header, report.CurveName(c))
		if o.Verbose {
			header = append(header, "±")
		}
	}
	t := &table{left: map[int]bool{len(header): true}}
	t.row(header...)
	sizes := report.CurveSizes(curves)
	for i, size := range sizes {
		if len(sizes) > fewSizes && !o.Verbose && i > 0 && i < len(sizes)-1 && marksUpTo(marks, sizes, i) == "" && dull(curves, sizes, i) {
			continue
		}
		cells := []string{report.Bytes(size)}
		for _, c := range curves {
			p, ok := report.PointAt(c, size)
			cells = append(cells, report.Known(ok, report.Ratio(p.MissRatio)))
			if o.Verbose {
				cells = append(cells, report.Known(ok, report.Ratio(p.StandardError)))
			}
		}
		t.row(append(cells, marksUpTo(marks, sizes, i))...)
	}
	return t
}

// fewSizes are shown all; of more, those that say nothing new are left out.
const fewSizes = 24

// dull tells whether no curve changes visibly around size i.
func dull(curves []predict.Curve, sizes []int64, i int) bool {
	for _, c := range curves {
		before, _ := report.PointAt(c, sizes[i-1])
		here, _ := report.PointAt(c, sizes[i])
		after, _ := report.PointAt(c, sizes[i+1])
		if report.Ratio(before.MissRatio) != report.Ratio(here.MissRatio) || report.Ratio(here.MissRatio) != report.Ratio(after.MissRatio) {
			return false
		}
	}
	return true
}

// marksUpTo names the levels that are as large as size i, or whose size lies between it and the next larger one.
func marksUpTo(marks []predict.LevelMark, sizes []int64, i int) string {
	var names []string
	for _, m := range marks {
		switch {
		case m.Bytes == sizes[i]:
			names = append(names, m.Level+" of "+m.Machine)
		case m.Bytes > sizes[i] && i+1 < len(sizes) && m.Bytes < sizes[i+1]:
			names = append(names, m.Level+" of "+m.Machine+" has "+report.Bytes(m.Bytes))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "← " + strings.Join(names, ", ")
}

// Profiles writes a histogram for each profile.
//
// Bins are of powers of two, unless the text is to be verbose.
func Profiles(w io.Writer, r *predict.ProfileResult, o Options) error {
	var b strings.Builder
	b.WriteString(partLine(r.Partial))
	for i, p := range r.Profiles {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s, %s, %s: reuse %ss of %s, lines of %d B, %s\n\n", p.Region,
			report.Plural(p.Threads, "thread"), p.Scope, p.Measure, report.CountOf(p.Accesses, "access"), r.LineBytes, report.Sampled(p.Samples))
		if line := report.ThreadsLine([]string{p.ThreadsModel}, []string{p.Interleave}); line != "" {
			b.WriteString(line + "\n")
		}
		if !o.Verbose {
			p.Histogram = report.Octaves(p.Histogram)
		}
		b.WriteString(profileTable(p).String())
	}
	if len(r.Profiles) == 0 {
		b.WriteString("no profiles\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// profileTable is the table of a histogram.
func profileTable(p predict.Profile) *table {
	top := p.Cold
	for _, b := range p.Histogram {
		top = max(top, b.Count)
	}
	t := &table{left: map[int]bool{4: true}}
	t.row(p.Measure, "accesses", "share", "up to here")
	seen := int64(0)
	row := func(name string, count int64, cumulative string) {
		t.row(name, report.Count(count), report.Percent(report.Share(count, p.Accesses)), cumulative, bar(report.Share(count, top), 24))
	}
	for _, b := range p.Histogram {
		seen += b.Count
		row(binName(b), b.Count, report.Percent(report.Share(seen, p.Accesses)))
	}
	row("cold", p.Cold, "")
	return t
}

func binName(b predict.Bin) string {
	if b.Low == b.High {
		return strconv.FormatInt(b.Low, 10)
	}
	return fmt.Sprintf("%d – %d", b.Low, b.High)
}
