package text

import (
	"strings"
	"unicode/utf8"
)

// table aligns cells in columns. Columns are right-aligned unless left says otherwise.
type table struct {
	left map[int]bool
	rows [][]string
}

func (t *table) row(cells ...string) { t.rows = append(t.rows, cells) }

// String gives the rows, each with its newline, without trailing blanks.
func (t *table) String() string {
	var widths []int
	for _, r := range t.rows {
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, r := range t.rows {
		var line strings.Builder
		for i, cell := range r {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if t.left[i] {
				line.WriteString(cell + pad)
			} else {
				line.WriteString(pad + cell)
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}

var eighths = []rune(" ▁▂▃▄▅▆▇█")

// sparkline draws values between 0 and top, one character each; what is more than nothing shows.
func sparkline(values []float64, top float64) string {
	var b strings.Builder
	for _, v := range values {
		i := 0
		if top > 0 && v > 0 {
			i = max(1, min(8, int(v/top*8+0.5)))
		}
		b.WriteRune(eighths[i])
	}
	return b.String()
}

// bar draws a share as a bar of at most width characters.
func bar(share float64, width int) string {
	n := int(share*float64(width)*8 + 0.5)
	if n == 0 && share > 0 {
		return "▏"
	}
	s := strings.Repeat("█", n/8)
	if n%8 > 0 {
		s += string([]rune(" ▏▎▍▌▋▊▉")[n%8])
	}
	return s
}
