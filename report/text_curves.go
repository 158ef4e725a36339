package report

import (
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"foresee/predict"
)

// CurveText writes a table for each region: a row for each cache size, a column for each curve.
func CurveText(w io.Writer, r *predict.CurveResult, o TextOptions) error {
	var b strings.Builder
	b.WriteString(partLine(r.Partial))
	for i, curves := range curvesByRegion(r) {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s: miss ratios of a fully associative LRU cache, lines of %d B\n%s\n", curves[0].Region, r.LineBytes, curvesThreadsLine(curves))
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

func curvesByRegion(r *predict.CurveResult) [][]predict.Curve {
	var names []string
	for _, c := range r.Curves {
		names = appendNew(names, c.Region)
	}
	all := make([][]predict.Curve, len(names))
	for _, c := range r.Curves {
		i := slices.Index(names, c.Region)
		all[i] = append(all[i], c)
	}
	return all
}

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
		t.row(curveName(c), sparkline(values, top), countOf(c.Accesses, "access"))
	}
	return t.String()
}

func curveName(c predict.Curve) string { return plural(c.Threads, "thread") + ", " + c.Scope }

func curveTable(curves []predict.Curve, marks []predict.LevelMark, o TextOptions) *table {
	header := []string{"cache"}
	for _, c := range curves {
		header = append(header, curveName(c))
		if o.Verbose {
			header = append(header, "±")
		}
	}
	t := &table{left: map[int]bool{len(header): true}}
	t.row(header...)
	sizes := curveSizes(curves)
	for i, size := range sizes {
		if len(sizes) > fewSizes && !o.Verbose && i > 0 && i < len(sizes)-1 && marksUpTo(marks, sizes, i) == "" && dull(curves, sizes, i) {
			continue
		}
		cells := []string{Bytes(size)}
		for _, c := range curves {
			p, ok := pointAt(c, size)
			cells = append(cells, known(ok, Ratio(p.MissRatio)))
			if o.Verbose {
				cells = append(cells, known(ok, Ratio(p.StandardError)))
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
		before, _ := pointAt(c, sizes[i-1])
		here, _ := pointAt(c, sizes[i])
		after, _ := pointAt(c, sizes[i+1])
		if Ratio(before.MissRatio) != Ratio(here.MissRatio) || Ratio(here.MissRatio) != Ratio(after.MissRatio) {
			return false
		}
	}
	return true
}

func curveSizes(curves []predict.Curve) []int64 {
	var sizes []int64
	for _, c := range curves {
		for _, p := range c.Points {
			sizes = append(sizes, p.CacheBytes)
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

func pointAt(c predict.Curve, size int64) (predict.CurvePoint, bool) {
	for _, p := range c.Points {
		if p.CacheBytes == size {
			return p, true
		}
	}
	return predict.CurvePoint{}, false
}

// marksUpTo names the levels that are as large as size i, or whose size lies between it and the next larger one.
func marksUpTo(marks []predict.LevelMark, sizes []int64, i int) string {
	var names []string
	for _, m := range marks {
		switch {
		case m.Bytes == sizes[i]:
			names = append(names, m.Level+" of "+m.Machine)
		case m.Bytes > sizes[i] && i+1 < len(sizes) && m.Bytes < sizes[i+1]:
			names = append(names, m.Level+" of "+m.Machine+" has "+Bytes(m.Bytes))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "← " + strings.Join(names, ", ")
}

// ProfileText writes a histogram for each profile.
//
// Bins are of powers of two, unless the text is to be verbose.
func ProfileText(w io.Writer, r *predict.ProfileResult, o TextOptions) error {
	var b strings.Builder
	b.WriteString(partLine(r.Partial))
	for i, p := range r.Profiles {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s, %s, %s: reuse %ss of %s, lines of %d B, %s\n\n", p.Region,
			plural(p.Threads, "thread"), p.Scope, p.Measure, countOf(p.Accesses, "access"), r.LineBytes, sampled(p.Samples))
		if line := threadsLine([]string{p.ThreadsModel}, []string{p.Interleave}); line != "" {
			b.WriteString(line + "\n")
		}
		if !o.Verbose {
			p.Histogram = octaves(p.Histogram)
		}
		b.WriteString(profileTable(p).String())
	}
	if len(r.Profiles) == 0 {
		b.WriteString("no profiles\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// octaves joins bins: 0, 1, 2 to 3, 4 to 7 and so on. No bin lies across two of them.
func octaves(bins []predict.Bin) []predict.Bin {
	var out []predict.Bin
	for _, b := range bins {
		octave := bits.Len64(uint64(b.Low))
		low, high := int64(1)<<max(octave-1, 0), int64(1)<<octave-1
		if octave == 0 {
			low, high = 0, 0
		}
		if n := len(out); n == 0 || out[n-1].Low != low {
			out = append(out, predict.Bin{Low: low, High: high})
		}
		out[len(out)-1].Count += b.Count
	}
	return out
}

func sampled(n int64) string {
	if n == 0 {
		return "exact"
	}
	return Count(n) + " samples"
}

func profileTable(p predict.Profile) *table {
	top := p.Cold
	for _, b := range p.Histogram {
		top = max(top, b.Count)
	}
	t := &table{left: map[int]bool{4: true}}
	t.row(p.Measure, "accesses", "share", "up to here")
	seen := int64(0)
	row := func(name string, count int64, cumulative string) {
		t.row(name, Count(count), Percent(share(count, p.Accesses)), cumulative, bar(share(count, top), 24))
	}
	for _, b := range p.Histogram {
		seen += b.Count
		row(binName(b), b.Count, Percent(share(seen, p.Accesses)))
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

func share(n, of int64) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}
