package accuracy

import (
	"fmt"
	"io"
	"math"
	"strings"

	"foresee/internal/quantile"
)

// Table is a titled table of figures; its first column names the rows.
type Table struct {
	Title   string
	Text    string // what was measured against what
	Columns []string
	Rows    [][]string
	Summary []string // below the table: mean, worst, n
}

// Markdown writes the table.
func (t *Table) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s\n\n", t.Title, t.Text)
	for _, s := range t.Summary {
		fmt.Fprintf(&b, "- %s\n", s)
	}
	fmt.Fprintf(&b, "\n| %s |\n|---|%s\n", strings.Join(t.Columns, " | "), strings.Repeat("--:|", len(t.Columns)-1))
	for _, r := range t.Rows {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(r, " | "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Figures are errors of one kind with the name of what they are of.
type Figures struct {
	names  []string
	values []float64
}

func (f *Figures) add(name string, v float64) {
	f.names, f.values = append(f.names, name), append(f.values, v)
}

// Mean is the mean error.
func (f *Figures) Mean() float64 {
	s := 0.0
	for _, v := range f.values {
		s += v
	}
	return s / math.Max(float64(len(f.values)), 1)
}

// Worst is the largest error and what it is of.
func (f *Figures) Worst() (float64, string) {
	if len(f.values) == 0 {
		return 0, ""
	}
	i := 0
	for j, v := range f.values {
		if v > f.values[i] {
			i = j
		}
	}
	return f.values[i], f.names[i]
}

// Quantile is the quantile of the errors, as package quantile defines it.
func (f *Figures) Quantile(q float64) float64 { return quantile.Of(f.values, q) }

// N is the number of errors.
func (f *Figures) N() int { return len(f.values) }

func (f *Figures) line(what, format string) string {
	worst, name := f.Worst()
	return fmt.Sprintf("%s: mean "+format+", worst "+format+" (%s), n = %d", what, f.Mean(), worst, name, f.N())
}
