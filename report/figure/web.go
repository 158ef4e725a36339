package figure

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"foresee/report"
)

// Inline draws a figure for a page, with a transparent disc, which names the value, over each point.
func (f *Figure) Inline(title string, width, height vg.Length) template.HTML {
	var a area
	p := picture{title, width, height, func(c draw.Canvas) { a = f.draw(c) }}
	svg := p.svg()
	var b strings.Builder
	for _, s := range f.series {
		if s.tooltip == nil {
			continue
		}
		for _, pt := range s.points {
			at := a.at(pt)
			text := strings.TrimPrefix(s.name+", "+xName(f, pt)+": "+s.tooltip(pt), ", ")
			fmt.Fprintf(&b, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" fill=\"transparent\" data-tip=\"%s\"/>\n",
				float64(at.X), float64(height-at.Y), template.HTMLEscapeString(text))
		}
	}
	return themed(strings.TrimSuffix(svg, "</svg>\n") + b.String() + "</svg>\n")
}

// Inline draws a chart for a page.
func (b *Bars) Inline(title string, width vg.Length) template.HTML {
	p := picture{title, width, b.height() + 2*margin, b.draw}
	return themed(p.svg())
}

func xName(f *Figure, p point) string {
	if f.x.label == "threads" {
		return report.Plural(int(p.x), "thread")
	}
	return report.Bytes(int64(p.x))
}

// theme lets the page's style choose the colours, for light and dark.
var theme = func() *strings.Replacer {
	pairs := []string{
		hex(paper), "var(--paper)", hex(ink), "var(--ink)", hex(muted), "var(--muted)",
		hex(frame), "var(--frame)", hex(grid), "var(--grid)",
	}
	for i, c := range palette {
		pairs = append(pairs, hex(c)+"\"", fmt.Sprintf("var(--c%d)\"", i), hex(c)+";stroke-w", fmt.Sprintf("var(--c%d);stroke-w", i))
	}
	return strings.NewReplacer(pairs...)
}()

// themed is safe: the texts in svg are escaped where they are written.
func themed(svg string) template.HTML { return template.HTML(theme.Replace(svg)) }
