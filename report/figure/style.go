package figure

import (
	"fmt"
	"image/color"
	"strings"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	xfont "golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The colours of the plots. The greys are chosen: text has a contrast to paper of 15.8 and 6.4 (WCAG 2 asks for 4.5), frames one of 2.0 and the
// grid one of 1.2, so that both stay behind the data. palette is that of Okabe and Ito (Color Universal Design, 2008), which colour-blind readers
// can tell apart, but for its yellow, which a white page swallows, and with a dark grey in place of black, which is softer beside text.
var (
	ink   = color.NRGBA{0x1f, 0x23, 0x28, 0xff} // titles and names
	muted = color.NRGBA{0x57, 0x60, 0x6a, 0xff} // subtitles and ticks
	frame = color.NRGBA{0xaf, 0xb8, 0xc1, 0xff}
	grid  = color.NRGBA{0xe6, 0xea, 0xef, 0xff}
	paper = color.NRGBA{0xff, 0xff, 0xff, 0xff}

	palette = []color.NRGBA{
		{0x00, 0x72, 0xb2, 0xff}, // blue
		{0xd5, 0x5e, 0x00, 0xff}, // vermillion
		{0x00, 0x9e, 0x73, 0xff}, // bluish green
		{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
		{0xe6, 0x9f, 0x00, 0xff}, // orange
		{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		{0x33, 0x33, 0x33, 0xff}, // dark grey
	}
	markers = []draw.GlyphDrawer{
		draw.CircleGlyph{},
		draw.BoxGlyph{},
		draw.PyramidGlyph{},
		diamondGlyph{},
		draw.RingGlyph{},
		draw.SquareGlyph{},
		draw.TriangleGlyph{},
	}
	// dashes are the lengths of strokes and gaps, in points, of each round of the palette: the first is not dashed. Chosen, to look different.
	dashes = [][]vg.Length{nil, {5, 2.5}, {1.5, 2}, {7, 2, 1.5, 2}}
)

// Sizes in points. Chosen.
const (
	titleSize  = 12 // of text
	labelSize  = 9.5
	tickSize   = 8.5
	lineWidth  = 1.6 // of a series
	markerSize = 2.6 // the radius
)

// diamondShare is half the diagonal of a square over the radius of a circle of the same area, √(π/2), rounded.
const diamondShare = 1.25

// diamondGlyph is a filled square on its corner.
type diamondGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (diamondGlyph) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, pt vg.Point) {
	r := s.Radius * diamondShare
	c.FillPolygon(s.Color, []vg.Point{
		{X: pt.X - r, Y: pt.Y},
		{X: pt.X, Y: pt.Y + r},
		{X: pt.X + r, Y: pt.Y},
		{X: pt.X, Y: pt.Y - r},
	})
}

// fonts reads the two embedded fonts when the first plot is drawn: most commands draw none.
var fonts = sync.OnceValue(func() text.Plain {
	cache := font.NewCache(nil)
	for weight, ttf := range map[xfont.Weight][]byte{
		xfont.WeightNormal: liberationsansregular.TTF,
		xfont.WeightBold:   liberationsansbold.TTF,
	} {
		face, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // the font is compiled in
		}
		cache.Add(font.Collection{{Font: sans(weight, 0), Face: face}})
	}
	return text.Plain{Fonts: cache}
})

func sans(weight xfont.Weight, size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Weight: weight, Size: size}
}

func textStyle(size vg.Length, c color.Color) draw.TextStyle {
	return draw.TextStyle{Color: c, Font: sans(xfont.WeightNormal, size), Handler: fonts()}
}

func bold(size vg.Length) draw.TextStyle {
	s := textStyle(size, ink)
	s.Font.Weight = xfont.WeightBold
	return s
}

// align returns the style with another alignment.
func align(s draw.TextStyle, x draw.XAlignment, y draw.YAlignment) draw.TextStyle {
	s.XAlign, s.YAlign = x, y
	return s
}

// fit shortens a text in its middle so that it is no wider than width: names tend to differ at their ends.
func fit(s draw.TextStyle, txt string, width vg.Length) string {
	txt = strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, txt)
	if s.Width(txt) <= width {
		return txt
	}
	runes := []rune(txt)
	for keep := len(runes) - 1; keep > 1; keep-- {
		short := string(runes[:(keep+1)/2]) + "…" + string(runes[len(runes)-keep/2:])
		if s.Width(short) <= width {
			return short
		}
	}
	return "…"
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

func seriesColor(i int) color.NRGBA { return palette[i%len(palette)] }

// How much of a band covers what is behind it, of 255: 18 %, and 9 % of each where there are more than fewBands. Chosen: where as many lie over
// each other lines are still seen.
const (
	bandAlpha = 0x2e
	manyAlpha = 0x16
	fewBands  = 3
)

// translucent lightens a colour for bands; many bands over each other are lighter still.
func translucent(c color.NRGBA, bands int) color.NRGBA {
	c.A = bandAlpha
	if bands > fewBands {
		c.A = manyAlpha
	}
	return c
}
