package figure

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"foresee/report"
)

// Formats of pictures, as the endings of their files.
var Formats = []string{"svg", "png"}

const (
	margin = 14  // points around a picture
	dpi    = 192 // of PNG files
)

// picture draws on a canvas of a size that it chooses.
type picture struct {
	title         string // for screen readers
	width, height vg.Length
	draw          func(c draw.Canvas)
}

// partly puts above a picture, where it is so, that it is of a part of a run.
func (p picture) partly(partial bool) picture {
	if !partial {
		return p
	}
	const room = titleSize + 10
	whole := p.draw
	p.title = "Partial: " + p.title
	p.height += room
	p.draw = func(c draw.Canvas) {
		s := align(bold(titleSize), draw.XLeft, draw.YTop)
		c.FillText(s, vg.Point{X: c.Min.X, Y: c.Max.Y}, fit(s, report.PartText, c.Max.X-c.Min.X))
		c.Max.Y -= room
		whole(c)
	}
	return p
}

// write renders the picture in the format.
func (p picture) write(w io.Writer, format string) error {
	switch format {
	case "svg":
		_, err := io.WriteString(w, p.svg())
		return err
	case "png":
		c := vgimg.NewWith(vgimg.UseWH(p.width, p.height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(paper))
		p.draw(draw.Crop(draw.New(c), margin, -margin, margin, -margin))
		_, err := vgimg.PngCanvas{Canvas: c}.WriteTo(w)
		return err
	}
	return fmt.Errorf("unknown picture format %q; use svg or png", format)
}

var svgStart = regexp.MustCompile(`(?s)^.*?<svg [^>]*>\n`)

// svg renders the picture as an SVG document without prolog, which HTML can hold too.
func (p picture) svg() string {
	c := vgsvg.NewWith(vgsvg.UseWH(p.width, p.height))
	canvas := draw.New(c)
	canvas.FillPolygon(paper, []vg.Point{{}, {X: p.width}, {X: p.width, Y: p.height}, {Y: p.height}})
	p.draw(draw.Crop(canvas, margin, -margin, margin, -margin))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		panic(err) // a buffer takes everything
	}
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]g" height="%[2]g" viewBox="0 0 %[1]g %[2]g" `+
		`font-family="'Liberation Sans',Arimo,Arial,Helvetica,sans-serif" role="img">`+"\n<title>%[3]s</title>\n",
		float64(p.width), float64(p.height), html.EscapeString(p.title))
	return head + shorten(svgStart.ReplaceAllString(b.String(), ""))
}

var svgNoise = strings.NewReplacer(
	"font-family:Liberation Sans;font-variant:normal;font-weight:normal;font-style:normal;", "",
	"font-family:Liberation Sans;font-variant:normal;font-weight:bold;font-style:normal;", "font-weight:bold;",
	"\n\tstyle=", " style=",
)

// shorten leaves out what is the default, and lets readers' fonts stand in for Liberation Sans.
func shorten(svg string) string { return svgNoise.Replace(svg) }
