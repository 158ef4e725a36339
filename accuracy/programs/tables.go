package programs

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"foresee/accuracy"
)

// tables are, of own or public programs, those of the errors by half, of each program, and of what recording costs.
func tables(whose string, all []*outcome) []*accuracy.Table {
	return []*accuracy.Table{summary(whose, all), details(whose, all), costs(whose, all)}
}

// part is a time of which the errors are shown.
type part struct {
	name string
	of   func(o *outcome) times
}

// parts are the prediction, and what it is without each of its parts.
func parts() []part {
	all := []part{{"all", func(o *outcome) times { return o.predicted }}}
	for i, p := range leftOut {
		all = append(all, part{p.name, func(o *outcome) times { return o.without[i] }})
	}
	return append(all, part{"the core alone, all data in its first caches", func(o *outcome) times { return times{time: o.predicted.core} }})
}

// summary has a row for each half, and what the errors are without parts of the prediction.
func summary(whose string, all []*outcome) *accuracy.Table {
	t := &accuracy.Table{
		Title: "Times of whole programs recorded as their compiler made them: " + whose,
		Text: fmt.Sprintf("One thread, from the machine code of each compiler; predicted: the sum over all functions; measured: the least CPU time of %d runs of the plain program, in passes over all of them, less that of a program that does nothing "+
			"and is linked with the same libraries. All print the same plainly and recorded, times aside. Errors in percent. The programs were halved by the SHA-256 of their names; those that were looked at while the models were made are in half A. "+
			"What is left out is of %s's code.", passes, dissected),
		Columns: []string{"prediction", "half", "n", "mean", "median", "p90", "worst", "inside the interval"},
	}
	for i, p := range parts() {
		for _, h := range []string{"A", "B"} {
			of := slices.DeleteFunc(slices.Clone(all), func(o *outcome) bool { return o.half != h || i > 0 && o.without == nil })
			if len(of) > 0 {
				t.Rows = append(t.Rows, p.row(h, of, i == 0))
			}
		}
	}
	return t
}

// row are the errors of a half.
func (p part) row(half string, of []*outcome, interval bool) []string {
	var e accuracy.Errors
	inside := 0
	for _, o := range of {
		at := p.of(o)
		e.Add(o.name, 100*math.Abs(at.time/o.measured-1))
		if at.low <= o.measured && o.measured <= at.high {
			inside++
		}
	}
	worst, name := e.Worst()
	row := []string{
		p.name, half, fmt.Sprint(e.N()), fmt.Sprintf("%.1f", e.Mean()), fmt.Sprintf("%.1f", e.Quantile(0.5)), fmt.Sprintf("%.1f", e.Quantile(0.9)), fmt.Sprintf("%.0f (%s)", worst, name), "",
	}
	if interval {
		row[len(row)-1] = fmt.Sprint(inside)
	}
	return row
}

// sorted are the outcomes by program.
func sorted(all []*outcome) []*outcome {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b *outcome) int { return cmp.Compare(a.name, b.name) })
	return out
}

// details has a row for each program as a compiler made it.
func details(whose string, all []*outcome) *accuracy.Table {
	t := &accuracy.Table{
		Title:   "Times, program by program: " + whose,
		Text:    "Milliseconds; of the prediction also what the core takes with all data in its first caches, and page faults.",
		Columns: []string{"program", "half", "compiler", "measured", "predicted", "error", "core", "page faults"},
	}
	for _, o := range sorted(all) {
		t.Rows = append(t.Rows, []string{
			o.name, o.half, o.by, milliseconds(o.measured), milliseconds(o.predicted.time), fmt.Sprintf("%+.0f %%", 100*(o.predicted.time/o.measured-1)), milliseconds(o.predicted.core), milliseconds(o.predicted.faults),
		})
	}
	return t
}

func milliseconds(s float64) string { return fmt.Sprintf("%.2f", 1e3*s) }

// costs has a row for each program.
func costs(whose string, all []*outcome) *accuracy.Table {
	t := &accuracy.Table{
		Title:   "What recording them costs: " + whose,
		Text:    "CPU time of the program that records, and of recording and predicting together, as multiples of the plain run's; bytes of the recording, compressed, for each access.",
		Columns: []string{"program", "compiler", "recorder", "recorded and predicted", "accesses", "bytes an access"},
	}
	var slower, whole, bytes accuracy.Errors
	for _, o := range sorted(all) {
		slower.Add(o.name, o.recording/o.measured)
		whole.Add(o.name, o.whole/o.measured)
		if o.accesses >= fewAccesses {
			bytes.Add(o.name, o.bytes/o.accesses)
		}
		t.Rows = append(t.Rows, []string{
			o.name, o.by, fmt.Sprintf("%.1f", o.recording/o.measured), fmt.Sprintf("%.1f", o.whole/o.measured), fmt.Sprintf("%.3g", o.accesses), fmt.Sprintf("%.3f", o.bytes/o.accesses),
		})
	}
	most, ofMost := bytes.Worst()
	t.Summary = []string{
		multiples("recorder", all, &slower, func(o *outcome) float64 { return o.recording }), multiples("recorded and predicted", all, &whole, func(o *outcome) float64 { return o.whole }),
		fmt.Sprintf("bytes an access, of programs with %.0e or more: mean %.3f, worst %.3f (%s), n = %d", float64(fewAccesses), bytes.Mean(), most, ofMost, bytes.N()),
	}
	return t
}

// fewAccesses are too few to say how many bytes an access takes: the code itself is recorded as well. Chosen.
const fewAccesses = 1e6

// multiples sums up multiples of the plain run.
func multiples(what string, all []*outcome, e *accuracy.Errors, of func(*outcome) float64) string {
	product := 0.0
	for _, o := range all {
		product += math.Log(of(o) / o.measured)
	}
	worst, name := e.Worst()
	return fmt.Sprintf("%s: geometric mean %.1f, worst %.1f (%s), n = %d", what, math.Exp(product/float64(max(len(all), 1))), worst, name, e.N())
}
