package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/report"
)

const (
	thumbWidth = 20
	legendRow  = 15
	maxLegend  = 190 // points that the names of a legend may take
	textRise   = 1.2 // lifts text so that its small letters stand in the middle of the line beside it
)

// drawThumb draws the sample of a series in the legend.
func (f *Figure) drawThumb(c draw.Canvas, s series, at vg.Point) {
	if !s.noline {
		c.StrokeLine2(s.line(), at.X, at.Y, at.X+thumbWidth, at.Y)
	}
	if !s.plain && !s.nodots {
		c.DrawGlyphNoClip(s.glyph(), vg.Point{X: at.X + thumbWidth/2, Y: at.Y})
	}
}

// drawRightLegend lists the series beside the data; a lone one is named by the title.
func (f *Figure) drawRightLegend(c draw.Canvas) draw.Canvas {
	if len(f.series) < 2 {
		return c
	}
	listed := slices.DeleteFunc(slices.Clone(f.series), func(s series) bool { return (s.plain || s.noline) && s.name == "" })
	names := align(textStyle(labelSize, ink), draw.XLeft, draw.YCenter)
	width := vg.Length(0)
	for _, s := range listed {
		width = max(width, names.Width(fit(names, s.name, maxLegend)))
	}
	left := c.Max.X - width - thumbWidth - 6
	rows := int((c.Max.Y - c.Min.Y - 40) / legendRow)
	for i, s := range listed {
		y := c.Max.Y - 18 - vg.Length(i)*legendRow
		if i == rows-1 && len(listed) > rows {
			c.FillText(names, vg.Point{X: left, Y: y}, "… and "+report.Count(int64(len(listed)-i))+" more")
			break
		}
		f.drawThumb(c, s, vg.Point{X: left, Y: y})
		c.FillText(names, vg.Point{X: left + thumbWidth + 6, Y: y + textRise}, fit(names, s.name, maxLegend))
	}
	c.Max.X = left - 14
	return c
}

// drawTopLegend puts the series in rows above the data.
func (f *Figure) drawTopLegend(c draw.Canvas) draw.Canvas {
	if len(f.series) < 2 {
		return c
	}
	names := align(textStyle(labelSize, ink), draw.XLeft, draw.YCenter)
	x, y := c.Min.X, c.Max.Y-legendRow/2
	for _, s := range f.series {
		name := fit(names, s.name, maxLegend)
		width := thumbWidth + 5 + names.Width(name)
		if x > c.Min.X && x+width > c.Max.X {
			x, y = c.Min.X, y-legendRow
		}
		f.drawThumb(c, s, vg.Point{X: x, Y: y})
		c.FillText(names, vg.Point{X: x + thumbWidth + 5, Y: y + textRise}, name)
		x += width + 14
	}
	c.Max.Y = y - legendRow/2 - 6
	return c
}

// placed is a mark with the place of its label.
type placed struct {
	mark
	row  int
	x    vg.Length // centre of the label
	line vg.Length
}

// placeMarks says how many rows the labels of the marks need above the data.
func placeMarks(marks []mark, a area) int {
	rows := 0
	for _, p := range placeLabels(marks, a) {
		rows = max(rows, p.row+1)
	}
	return rows
}

// placeLabels gives each label the lowest row where it hits no other.
func placeLabels(marks []mark, a area) []placed {
	style := textStyle(tickSize, muted)
	var all []placed
	var ends []vg.Length // right end of each row
	sorted := slices.Clone(marks)
	slices.SortStableFunc(sorted, func(a, b mark) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	for _, m := range sorted {
		half := style.Width(m.label) / 2
		line := a.xAt(m.at)
		x := min(max(line, a.rect.Min.X+half), a.rect.Max.X-half)
		row := slices.IndexFunc(ends, func(end vg.Length) bool { return end+7 < x-half })
		if row < 0 {
			row = len(ends)
			ends = append(ends, 0)
		}
		ends[row] = x + half
		all = append(all, placed{m, row, x, line})
	}
	return all
}

// drawMarks draws marks as dashed lines with labels above the plot.
func (f *Figure) drawMarks(c draw.Canvas, a area) {
	style := align(textStyle(tickSize, muted), draw.XCenter, draw.YBottom)
	dashed := draw.LineStyle{Color: muted, Width: 0.8, Dashes: []vg.Length{3, 2.5}}
	all := placeLabels(f.marks, a)
	for _, p := range all {
		top := a.rect.Max.Y + vg.Length(p.row)*(tickSize+4)
		// The line of a higher label ends below the labels under it that it would cross.
		for _, q := range all {
			if half := style.Width(q.label) / 2; q.row < p.row && p.line > q.x-half-4 && p.line < q.x+half+4 {
				top = min(top, a.rect.Max.Y+vg.Length(q.row)*(tickSize+4))
			}
		}
		c.StrokeLine2(dashed, p.line, a.rect.Min.Y, p.line, top+1)
		c.FillText(style, vg.Point{X: p.x, Y: a.rect.Max.Y + vg.Length(p.row)*(tickSize+4) + 3}, p.label)
	}
}
