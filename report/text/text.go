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
	Judged  bool   // of a comparison what is worse by more than is allowed
	Caches  bool   // the cache that the threads need together by number of threads
	All     bool   // of a prediction every row and every table
	More    string // how the reader comes to rows that were left out; empty where nothing is to be said
}

// more follows a number of rows that were left out.
func (o Options) more() string {
	if o.More == "" {
		return ""
	}
	return "; " + o.More
}

// mostGroups is how many regions on machines have tables of their own, unless all are asked for. Chosen: what a screen shows.
const mostGroups = 4

// Prediction writes the answer and, for each region and machine, a table with a row for each thread count.
func Prediction(w io.Writer, r *predict.PredictionResult, o Options) error {
	var b strings.Builder
	b.WriteString(partLine(r.Partial))
	groups := report.Groups(r)
	shown := make([]int, len(groups))
	for i := range groups {
		shown[i] = i
	}
	left := 0
	if r.Answer != nil {
		if !o.All {
			shown, left = report.LongestFirst(r.Answer, mostGroups)
		}
		b.WriteString(answerText(r, o))
	}
	b.WriteString(runText(r, groups, o))
	for n, i := range shown {
		if n > 0 {
			b.WriteString("\n")
		}
		b.WriteString(groupText(groups[i], r.Answer, i, o))
		b.WriteString(holdingsText(r, groups[i]))
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n%s of other regions or machines not shown%s\n", report.CountOf(int64(left), "table"), o.more())
	}
	b.WriteString(entriesText(r))
	if len(r.Predictions) == 0 {
		b.WriteString("nothing to predict\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// answerText is the answers, a line each.
func answerText(r *predict.PredictionResult, o Options) string {
	a := r.Answer
	most := report.MostLines
	switch {
	case o.All:
		most = len(a.Regions)
	case r.Recorded:
		most = min(most, worthALine(a))
	}
	var b strings.Builder
	shown, left := report.LongestFirst(a, most)
	for _, i := range shown {
		b.WriteString(a.Regions[i].Text + "\n")
	}
	if left > 0 {
		fmt.Fprintf(&b, "… and %d that take less%s\n", left, o.more())
	}
	return b.String() + "\n"
}

// leastOfRun is the share of a run's time from which a part of it is worth a line. Chosen.
const leastOfRun = 0.005

// worthALine is how many parts of a run take enough of its time, one where times are not known.
func worthALine(a *predict.Answer) (n int) {
	sums := map[string]float64{}
	for _, r := range a.Regions {
		sums[r.Machine] += r.BestTimeS
	}
	for _, r := range a.Regions {
		if r.BestTimeS >= leastOfRun*sums[r.Machine] {
			n++
		}
	}
	return max(n, 1)
}

// groupText is the tables of one region on one machine; answers are of all groups, or nil.
func groupText(g report.Group, a *predict.Answer, i int, o Options) string {
	var b strings.Builder
	first := g.Rows[0]
	caches := g.SharedCaches()
	fmt.Fprintf(&b, "%s on %s: %s%s\n%s\n", g.Region, g.Machine, accessesOf(g), leftOut(first)+modelOf(first)+enteredOf(first), g.ThreadsLine())
	left := 0
	if a != nil && !o.All {
		g, left = report.Chosen(g, &a.Regions[i])
	}
	b.WriteString(rateTable(g, o).String())
	if left > 0 {
		fmt.Fprintf(&b, "… and %s%s\n", report.CountOf(int64(left), "row"), o.more())
	}
	if g.HasTerms() {
		b.WriteString("\nwhere the time goes, on the slowest thread\n\n")
		b.WriteString(termTable(g, o).String())
	}
	if arrays := arrayTable(g); arrays != nil && first.Size == nil {
		b.WriteString("\n" + arrays.String())
	}
	if first.Size == nil {
		b.WriteString(sharedText(caches, o))
	}
	return b.String()
}

// arrayTable is whose lines the levels lack, with the most threads; nil where that is not known.
func arrayTable(g report.Group) *table {
	p := g.Rows[len(g.Rows)-1]
	if len(p.Arrays) == 0 {
		return nil
	}
	t := &table{left: map[int]bool{0: true, len(p.HitRates) + 1: true}}
	header := []string{"lines by array, threads=" + strconv.Itoa(p.Threads)}
	for _, h := range p.HitRates {
		header = append(header, h.Level+" lacks")
	}
	t.row(append(header, "most by")...)
	for i, a := range p.Arrays {
		if i == report.MostLines {
			break
		}
		cells := []string{a.Array}
		for _, m := range a.Misses {
			cells = append(cells, report.Count(m))
		}
		t.row(append(cells, strings.TrimSpace(a.Access+" "+a.Place))...)
	}
	return t
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
			cells = append(cells, report.SecondsOr(p.TimeS), report.Interval(p.TimeLowS, p.TimeHighS), report.Speedup(p.Speedup), report.BoundOf(&p))
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
	faults := slices.ContainsFunc(g.Rows, func(p predict.Prediction) bool { return p.Terms != nil && p.Terms.FaultsS > 0 })
	if faults {
		header = append(header, "page faults")
	}
	header = append(header, "parallel")
	serial := slices.ContainsFunc(g.Rows, func(p predict.Prediction) bool { return report.SerialShare(&p) >= leastSerial })
	if serial {
		header = append(header, "of it serial")
	}
	t := &table{}
	t.row(header...)
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
		if faults {
			cells = append(cells, report.Seconds(p.Terms.FaultsS))
		}
		cells = append(cells, report.Seconds(p.Terms.ParallelS))
		if serial {
			cells = append(cells, report.Known(p.Threads > 1, report.Seconds(p.Terms.SerialS)))
		}
		t.row(cells...)
	}
	return t
}

// leastSerial is the share of a time from which it is worth a column what one thread does alone. Chosen.
const leastSerial = 0.01

// levelLines is how many lines come from a level.
func levelLines(t *predict.Terms, level string) float64 {
	i := slices.IndexFunc(t.Levels, func(l predict.LevelTerm) bool { return l.Level == level })
	if i < 0 {
		return 0
	}
	return t.Levels[i].Lines
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
