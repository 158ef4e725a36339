package accuracy

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"foresee/internal/quantile"
)

// Section is what one validation has to say.
type Section struct {
	Name   string // of the validation: cache, time, …
	By     string // the command that writes it, without its name; empty: foresee validate
	Tables []*Table
	Notes  []string
}

// Markdown writes the section.
func (s *Section) Markdown(w io.Writer) error {
	for _, n := range s.Notes {
		if _, err := fmt.Fprintf(w, "%s\n\n", n); err != nil {
			return err
		}
	}
	for i, t := range s.Tables {
		if i > 0 {
			if _, err := io.WriteString(w, "\n"); err != nil {
				return err
			}
		}
		if err := t.Markdown(w); err != nil {
			return err
		}
	}
	return nil
}

// Replace puts the section into a document in place of its former self, or at the end.
func (s *Section) Replace(document string) (string, error) {
	var b strings.Builder
	begin, end := s.marks()
	fmt.Fprintf(&b, "%s\n\n", begin)
	if err := s.Markdown(&b); err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "\n%s\n", end)
	i, j := strings.Index(document, begin), strings.Index(document, end)
	switch {
	case i < 0 && j < 0:
		if document != "" {
			document = strings.TrimRight(document, "\n") + "\n\n"
		}
		return document + b.String(), nil
	case i < 0 || j < i:
		return "", fmt.Errorf("the marks of section %s are broken; restore the lines %q and %q", s.Name, begin, end)
	}
	return document[:i] + b.String() + strings.TrimPrefix(document[j+len(end):], "\n"), nil
}

// marks are the lines of a document between which the section stands.
func (s *Section) marks() (begin, end string) {
	return fmt.Sprintf("<!-- %s %s -->", cmp.Or(s.By, "foresee validate"), s.Name), fmt.Sprintf("<!-- end of %s -->", s.Name)
}

// Table is a titled table of figures; its first column names the rows.
type Table struct {
	Title   string
	Text    string // what was measured against what
	Columns []string
	Rows    [][]string
	Summary []string // below the table: mean, worst, n
	// Values are figures of the table as numbers, by what they are of, for who holds foresee to them: what is printed is rounded.
	Values map[string]float64
}

// value notes a figure that the table shows.
func (t *Table) value(of string, v float64) {
	if t.Values == nil {
		t.Values = map[string]float64{}
	}
	t.Values[of] = v
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

// Errors are errors of one kind, each with the name of what it is of.
type Errors struct {
	names  []string
	values []float64
}

// Add takes an error of a name in.
func (e *Errors) Add(name string, v float64) {
	e.names, e.values = append(e.names, name), append(e.values, v)
}

// Mean is the mean error.
func (e *Errors) Mean() float64 {
	s := 0.0
	for _, v := range e.values {
		s += v
	}
	return s / math.Max(float64(len(e.values)), 1)
}

// Worst is the largest error and what it is of.
func (e *Errors) Worst() (float64, string) {
	if len(e.values) == 0 {
		return 0, ""
	}
	i := 0
	for j, v := range e.values {
		if v > e.values[i] {
			i = j
		}
	}
	return e.values[i], e.names[i]
}

// Quantile is the quantile of the errors, as package quantile defines it.
func (e *Errors) Quantile(q float64) float64 { return quantile.Of(e.values, q) }

// N is the number of errors.
func (e *Errors) N() int { return len(e.values) }

func (e *Errors) line(what, format string) string {
	worst, name := e.Worst()
	return fmt.Sprintf("%s: mean "+format+", worst "+format+" (%s), n = %d", what, e.Mean(), worst, name, e.N())
}
