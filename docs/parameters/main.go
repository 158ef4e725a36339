// Command parameters writes the table of the bandwidth function's parameters into a page of the documentation, from the table that they
// are fitted by.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/machine/bandwidth/fit"
)

//go:generate go run . ../models/bandwidth.md

// The lines of the page between which the tables stand.
const (
	begin = "<!-- go generate ./docs/parameters -->"
	end   = "<!-- end of parameters -->"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: parameters FILE.md")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "parameters:", err)
		os.Exit(1)
	}
}

func rewrite(path string) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	text, err := replaced(string(page))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

// replaced is the page with the tables of today.
func replaced(page string) (string, error) {
	before, rest, found := strings.Cut(page, begin+"\n")
	_, after, closed := strings.Cut(rest, end+"\n")
	if !found || !closed {
		return "", fmt.Errorf("no lines %q and %q", begin, end)
	}
	tables, err := tables()
	if err != nil {
		return "", err
	}
	return before + begin + "\n" + tables + end + "\n" + after, nil
}

// tables are those of the parameters that are fitted, and of the constants that are not.
func tables() (string, error) {
	forms, err := libraryForms()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| parameter | unit | meaning | low | usual | high | prior sd | seen | source |\n|---|---|---|--:|--:|--:|--:|--:|---|\n")
	for _, group := range []struct {
		path  string
		of    []fit.Parameter
		whole bool
	}{{"", fit.Global, true}, {"sources[].", fit.OfSource, false}, {"edges[].", fit.OfCapacity, false}, {"", fit.OfPages, true}} {
		for i := range group.of {
			p := &group.of[i]
			sd := ""
			if p.SD > 0 {
				sd = fmt.Sprint(p.SD)
			}
			fmt.Fprintf(&b, "| `%s%s` | %s | %s | %v | %v | %v | %s | %s | %s |\n", group.path, p.Name, p.Unit, p.Meaning, p.Low, p.Usual, p.High, sd, seen(p, forms, group.whole), p.Source)
		}
	}
	b.WriteString("\nNot fitted:\n\n| constant | unit | value | meaning | source |\n|---|---|--:|---|---|\n")
	for _, c := range bandwidth.Constants {
		fmt.Fprintf(&b, "| %s | %s | %g | %s | %s |\n", c.Name, c.Unit, c.Value, c.Meaning, c.Source)
	}
	return b.String(), nil
}

// libraryForms are the bandwidth functions of the machines that are shipped.
func libraryForms() (out []*bandwidth.Extended, err error) {
	for _, name := range machine.Library() {
		m, err := machine.Load(name)
		if err != nil {
			return nil, err
		}
		if m.Measured == nil {
			continue
		}
		for i := range m.Measured.Fits {
			out = append(out, &m.Measured.Fits[i].Form)
		}
	}
	return out, nil
}

// seen is the range of a parameter in forms, over all levels.
func seen(p *fit.Parameter, forms []*bandwidth.Extended, whole bool) string {
	least, most := math.Inf(1), math.Inf(-1)
	for _, f := range forms {
		levels := len(f.Sources)
		if whole {
			levels = 1
		}
		for level := range levels {
			v := p.Of(f, level)
			least, most = min(least, v), max(most, v)
		}
	}
	return short(least) + " – " + short(most)
}

// short is a number in three digits, without an exponent.
func short(v float64) string {
	digits := max(0, 2-int(math.Floor(math.Log10(v))))
	return strconv.FormatFloat(v, 'f', min(digits, 4), 64)
}
