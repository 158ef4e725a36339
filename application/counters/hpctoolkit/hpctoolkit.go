// Package hpctoolkit reads the tables that HPCToolkit's hpcviewer exports: metrics by procedure, over all processes of a run.
package hpctoolkit

import (
	"bytes"
	"math"
	"regexp"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// metricTitle is "CPUTIME (sec):Sum (E)": the metric with its unit, how threads were summed up, and whether what is called is in it.
var metricTitle = regexp.MustCompile(`^\s*(.+?)\s*(?::\s*(\w+))?\s*(?:\[\d+,\d+\])?\s*\(([IE])\)\s*$`)

// Is tells a table by its head, whose first column is the scope and which has a metric with (I) or (E).
func Is(head []byte) bool {
	line, _, _ := bytes.Cut(head, []byte("\n"))
	titles := splitQuoted(string(line))
	return len(titles) > 1 && strings.EqualFold(strings.TrimSpace(titles[0]), "Scope") && slices.ContainsFunc(titles[1:], metricTitle.MatchString)
}

// column is one that is read.
type column struct {
	at    int
	event string
}

// lineScope is a scope within a procedure, whose costs the procedure's row has: a line, or a loop.
var lineScope = regexp.MustCompile(`^(?:loop at\b|.*\S: ?\d+(?:-\d+)?$)`)

// Read reads a table of procedures: the bottom-up view, in which none is opened, is one. Its sums are over all processes and threads of the run. The row of
// the whole, which comes first, checks that no scope is in it twice.
//
// Source: hpcviewer's user manual, and the export of hpcviewer 2023 to 2025.
func Read(in *input.Lines) ([]counters.Profile, error) {
	t := counters.NewTableOf(in, "hpctoolkit")
	t.Summed = true
	if !in.Next() {
		return nil, in.Failed()
	}
	titles := splitQuoted(in.Text())
	columns, err := columnsOf(in, titles)
	if err != nil {
		return nil, err
	}
	whole := make([]float64, len(columns))
	for row := 0; in.Next(); row++ {
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		fields := splitQuoted(in.Text())
		if len(fields) < len(titles) {
			return nil, in.Fail("the row has %d columns and the head %d; the file is cut off here: export it again", len(fields), len(titles))
		}
		name := strings.TrimSpace(fields[0])
		first := row == 0 && (strings.HasPrefix(name, "Experiment Aggregate") || strings.HasPrefix(name, "<program root>"))
		for i, c := range columns {
			v, err := input.Measured(fields[c.at])
			if err != nil {
				return nil, in.Fail("%s: %w", titles[c.at], err)
			}
			switch {
			case first:
				whole[i] = v
			case !lineScope.MatchString(name):
				t.Add(name, c.event, v)
			}
		}
	}
	if err := in.Failed(); err != nil {
		return nil, err
	}
	if len(t.Functions) == 0 {
		return nil, in.Fail("the table has no procedure; export the bottom-up view")
	}
	t.CheckEnd(in)
	p := t.Done()
	for i, c := range columns {
		// Row and whole are rounded; the whole of exclusive costs is that of all procedures.
		if sum := p.Total(c.event); whole[i] > 0 && !math.IsNaN(sum) && sum > 1.02*whole[i] {
			return nil, in.Fail("%s: the rows have %.4g together and the whole %.4g: some lie in others; export the bottom-up view, with no row opened", c.event, sum, whole[i])
		}
	}
	return []counters.Profile{p}, nil
}

// columnsOf chooses, of each metric, the sums without what is called; where there are none, the means are no cost of the run.
func columnsOf(in *input.Lines, titles []string) ([]column, error) {
	var columns []column
	for i, title := range titles[1:] {
		m := metricTitle.FindStringSubmatch(title)
		if m == nil || m[3] != "E" || m[2] != "" && !strings.EqualFold(m[2], "Sum") {
			continue
		}
		if !slices.ContainsFunc(columns, func(c column) bool { return c.event == m[1] }) {
			columns = append(columns, column{i + 1, m[1]})
		}
	}
	if len(columns) == 0 {
		return nil, in.Fail("no column is the sum of a metric without what is called, as CPUTIME (sec):Sum (E) is; show such a column and export again")
	}
	return columns, nil
}

// splitQuoted splits a line at its commas. A name stands in quotation marks, and may hold commas and, as the export does not double them, such marks: one
// ends the name where a comma or the end of the line follows.
func splitQuoted(line string) []string {
	line = strings.TrimRight(line, "\r")
	var fields []string
	for {
		if rest, quoted := strings.CutPrefix(strings.TrimLeft(line, " "), `"`); quoted {
			end := strings.Index(rest, `",`)
			if end < 0 {
				return append(fields, strings.TrimSuffix(rest, `"`))
			}
			fields, line = append(fields, rest[:end]), rest[end+2:]
			continue
		}
		field, rest, more := strings.Cut(line, ",")
		fields = append(fields, field)
		if !more {
			return fields
		}
		line = rest
	}
}
