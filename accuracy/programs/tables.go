package programs

import (
	"fmt"
	"math"
	"slices"

	"foresee/accuracy"
)

// tables are those of the errors by half, of each program, and of what recording costs.
func tables(all []*outcome) []*accuracy.Table {
	return []*accuracy.Table{summary(all), details(all), costs(all)}
}

// leftOut are the times without a part of the prediction.
var leftOut = []struct {
	name string
	of   func(o *outcome) float64
}{
	{"all", func(o *outcome) float64 { return o.predicted }},
	{"without page faults", func(o *outcome) float64 { return o.predicted - o.faults }},
	{"the core alone", func(o *outcome) float64 { return o.core }},
}

// summary has a row for each half, and what the errors are without parts of the prediction.
func summary(all []*outcome) *accuracy.Table {
	t := &accuracy.Table{
		Title: "Times of whole programs recorded as their compiler made them",
		Text: fmt.Sprintf("The programs of examples/programs, one thread, from the machine code of each compiler; predicted: the sum over all functions; measured: the quartile of %d runs of the plain program, in passes over all of them, "+
			"less what it takes to start a program that does nothing. All print the same plainly and recorded. Errors in percent. The programs were halved by a hash of their names.", passes),
		Columns: []string{"prediction", "half", "n", "mean", "median", "p90", "worst", "inside the interval"},
	}
	for _, part := range leftOut {
		for _, h := range []string{"A", "B"} {
			var e accuracy.Errors
			inside := 0
			for _, o := range all {
				if o.half != h {
					continue
				}
				e.Add(o.program, 100*math.Abs(part.of(o)/o.measured-1))
				if o.low <= o.measured && o.measured <= o.high {
					inside++
				}
			}
			if e.N() == 0 {
				continue
			}
			worst, of := e.Worst()
			row := []string{part.name, h, fmt.Sprint(e.N()), fmt.Sprintf("%.1f", e.Mean()), fmt.Sprintf("%.1f", e.Quantile(0.5)), fmt.Sprintf("%.1f", e.Quantile(0.9)), fmt.Sprintf("%.0f (%s)", worst, of), ""}
			if part.name == leftOut[0].name {
				row[len(row)-1] = fmt.Sprint(inside)
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// sorted are the outcomes by program.
func sorted(all []*outcome) []*outcome {
	out := slices.Clone(all)
	slices.SortStableFunc(out, func(a, b *outcome) int {
		if a.program < b.program {
			return -1
		} else if a.program > b.program {
			return 1
		}
		return 0
	})
	return out
}

// details has a row for each program as a compiler made it.
func details(all []*outcome) *accuracy.Table {
	t := &accuracy.Table{
		Title:   "Times, program by program",
		Text:    "Milliseconds; of the prediction also what the core takes with all data in its first caches, and page faults.",
		Columns: []string{"program", "half", "compiler", "measured", "predicted", "error", "core", "page faults"},
	}
	for _, o := range sorted(all) {
		t.Rows = append(t.Rows, []string{
			o.program, o.half, o.by, milliseconds(o.measured), milliseconds(o.predicted), fmt.Sprintf("%+.0f %%", 100*(o.predicted/o.measured-1)), milliseconds(o.core), milliseconds(o.faults),
		})
	}
	return t
}

func milliseconds(s float64) string { return fmt.Sprintf("%.2f", 1e3*s) }

// costs has a row for each program.
func costs(all []*outcome) *accuracy.Table {
	t := &accuracy.Table{
		Title:   "What recording them costs",
		Text:    "Seconds of a recorded run of the whole program, whose recording is compressed and counted beside it, as a multiple of the plain run; bytes of the recording for each access.",
		Columns: []string{"program", "compiler", "slowdown", "accesses", "bytes an access"},
	}
	var slower, bytes accuracy.Errors
	product := 0.0
	for _, o := range sorted(all) {
		times := o.recorded / o.measured
		product += math.Log(times)
		slower.Add(o.program, times)
		bytes.Add(o.program, o.bytes/o.accesses)
		t.Rows = append(t.Rows, []string{o.program, o.by, fmt.Sprintf("%.1f", times), fmt.Sprintf("%.3g", o.accesses), fmt.Sprintf("%.3f", o.bytes/o.accesses)})
	}
	worst, of := slower.Worst()
	most, ofMost := bytes.Worst()
	t.Summary = []string{
		fmt.Sprintf("slowdown: geometric mean %.1f, worst %.1f (%s), n = %d", math.Exp(product/float64(max(len(all), 1))), worst, of, slower.N()),
		fmt.Sprintf("bytes an access: mean %.3f, worst %.3f (%s), n = %d", bytes.Mean(), most, ofMost, bytes.N()),
	}
	return t
}
