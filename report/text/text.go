// Package text writes results as tables for a terminal and as comma-separated values.
//
// Tables are aligned, without colour. Cells of CSV that a spreadsheet would take for a formula are marked as text.
package text

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"foresee/predict"
	"foresee/report"
)

// Options choose what the tables show.
type Options struct {
	Verbose bool   // also standard errors and the lines that each level serves
	More    string // how the reader comes to rows that were left out; empty where nothing is to be said
}

// more follows a number of rows that were left out.
func (o Options) more() string {
	if o.More == "" {
		return ""
	}
	return "; " + o.More
}

// Prediction writes, for each region and machine, a table with a row for each thread count.
func Prediction(w io.Writer, r *predict.PredictionResult, o Options) error {
	var b strings.Builder
	b.WriteString(partLine(r.Partial))
	for i, g := range report.Groups(r) {
		if i > 0 {
			b.WriteString("\n")
		}
		first := g.Rows[0]
		fmt.Fprintf(&b, "%s on %s: %s%s\n%s\n", g.Region, g.Machine, accessesOf(g), leftOut(first)+modelOf(first)+enteredOf(first), g.ThreadsLine())
		b.WriteString(rateTable(g, o).String())
		if g.HasTerms() {
			b.WriteString("\nwhere the time goes, on the slowest thread\n\n")
			b.WriteString(termTable(g, o).String())
		}
		if first.Size == nil {
			b.WriteString(sharedText(g.SharedCaches()))
		}
		b.WriteString(holdingsText(r, g))
	}
	b.WriteString(entriesText(r))
	if len(r.Predictions) == 0 {
		b.WriteString("nothing to predict\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// rateTable is the table of hit rates and times.
func rateTable(g report.Group, o Options) *table {
	levels := g.Levels()
	header := firstColumns(g)
	for _, l := range levels {
		header = append(header, l+" hits")
		if o.Verbose {
			header = append(header, "± points")
		}
	}
	t := &table{left: map[int]bool{}}
	if g.HasTime() {
		header = append(header, "time", "interval", "speed-up", "bound by")
		t.left[len(header)-1] = true
	}
	t.row(header...)
	for _, p := range g.Rows {
		cells := append(sizeOf(&p), strconv.Itoa(p.Threads))
		for _, l := range levels {
			h, ok := report.HitRate(p, l)
			cells = append(cells, report.Known(ok, report.Percent(h.HitRate)))
			if o.Verbose {
				cells = append(cells, report.Known(ok, strconv.FormatFloat(100*h.StandardError, 'f', 3, 64)))
			}
		}
		if g.HasTime() {
			cells = append(cells, report.SecondsOr(p.TimeS), report.Interval(p.TimeLowS, p.TimeHighS), report.Speedup(p.Speedup), boundOf(&p))
		}
		t.row(cells...)
	}
	return t
}

// termTable is the table of where the time goes.
func termTable(g report.Group, o Options) *table {
	sources := g.TermLevels()
	header := append(firstColumns(g), "compute", "memory")
	for _, l := range sources {
		header = append(header, "from "+l)
		if o.Verbose {
			header = append(header, "lines")
		}
	}
	t := &table{}
	t.row(append(header, "parallel")...)
	for _, p := range g.Rows {
		if p.Terms == nil {
			continue
		}
		cells := append(sizeOf(&p), strconv.Itoa(p.Threads), report.Seconds(p.Terms.ComputeS), report.Seconds(p.Terms.MemoryS))
		for _, l := range sources {
			s, ok := report.LevelTime(p.Terms, l)
			cells = append(cells, report.Known(ok, report.Seconds(s)))
			if o.Verbose {
				cells = append(cells, report.Known(ok, report.Count(int64(levelLines(p.Terms, l)+0.5))))
			}
		}
		t.row(append(cells, report.Seconds(p.Terms.ParallelS))...)
	}
	return t
}

// levelLines is how many lines come from a level.
func levelLines(t *predict.Terms, level string) float64 {
	i := slices.IndexFunc(t.Levels, func(l predict.LevelTerm) bool { return l.Level == level })
	if i < 0 {
		return 0
	}
	return t.Levels[i].Lines
}

// boundOf is what bounds a time, and of the core what binds its code.
func boundOf(p *predict.Prediction) string {
	if p.CoreBoundBy != "" && (p.BoundBy == "compute" || p.BoundBy == "latency") {
		return p.BoundBy + ": " + p.CoreBoundBy
	}
	return p.BoundBy
}

// entriesText says what the entries of a run take together, by machine, the longest first; nothing of a single region.
func entriesText(r *predict.PredictionResult) string {
	byMachine := map[string][]report.Group{}
	var machines []string
	for _, g := range report.Groups(r) {
		if first := g.Rows[0]; first.Entered > 0 && first.TimeS != nil {
			machines = report.AppendNew(machines, g.Machine)
			byMachine[g.Machine] = append(byMachine[g.Machine], g)
		}
	}
	var b strings.Builder
	for _, m := range machines {
		groups := byMachine[m]
		if len(groups) < 2 {
			continue
		}
		all := func(g report.Group) float64 { return *g.Rows[0].TimeS * float64(g.Rows[0].Entered) }
		slices.SortStableFunc(groups, func(x, y report.Group) int { return cmp.Compare(all(y), all(x)) })
		threads := groups[0].Rows[0].Threads
		fmt.Fprintf(&b, "\nall entries of the run on %s, threads=%d; each from empty caches; regions that call others hold their time\n\n", m, threads)
		t := &table{left: map[int]bool{0: true}}
		t.row("region", "entered", "each", "all")
		for _, g := range groups {
			t.row(g.Region, report.Count(g.Rows[0].Entered), report.Seconds(*g.Rows[0].TimeS), report.Seconds(all(g)))
		}
		b.WriteString(t.String())
	}
	return b.String()
}

// mostValues is how many values of a run a line names.
const mostValues = 6

// enteredOf says how often a run entered a region, and with which values.
func enteredOf(p predict.Prediction) string {
	if p.Entered == 0 {
		return ""
	}
	times := "once"
	if p.Entered > 1 {
		times = report.Count(p.Entered) + " times"
	}
	said := "\nentered " + times + " in the run"
	for i, v := range p.Values {
		switch {
		case i == 0:
			said += ", with "
		case i == mostValues:
			return said + fmt.Sprintf(" and %d more", len(p.Values)-i)
		default:
			said += ", "
		}
		said += fmt.Sprintf("%s = %d", v.Text, v.Value)
	}
	return said
}

// leftOut says that a region is not whole.
func leftOut(p predict.Prediction) string {
	switch p.LeftOut {
	case 0:
		return ""
	case 1:
		return "; without a part that cannot be read"
	}
	return fmt.Sprintf("; without %d parts that cannot be read", p.LeftOut)
}

// modelOf names the model of the time, where it is not the usual one, and the compiler of whose code it is.
func modelOf(p predict.Prediction) (said string) {
	if p.TimeS == nil {
		return ""
	}
	if p.Model != predict.ModelOverlap {
		said = "; time by the " + p.Model + " model"
	}
	if p.Code != "" {
		said += "; core's time of the code by " + p.Code
	} else if p.CodeAssumed != "" {
		said += "; core's time of code as " + p.CodeAssumed + " makes it"
	}
	return said
}

// flopsOf counts floating-point operations; of accesses alone, which have no time, none are known.
func flopsOf(p predict.Prediction) string {
	if p.Flops == 0 && p.TimeS == nil {
		return ""
	}
	return ", " + report.Count(p.Flops) + " flops"
}
