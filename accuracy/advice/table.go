package advice

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"foresee/accuracy"
)

// section is what was found, as tables.
func (m *measurement) section() *accuracy.Section {
	return &accuracy.Section{Name: "advise", Tables: []*accuracy.Table{m.experts(), m.gains()}}
}

// experts is the table of programs with what an expert would change.
func (m *measurement) experts() *accuracy.Table {
	t := &accuracy.Table{
		Title: "What an expert would change",
		Text: fmt.Sprintf("The loops of examples/slow at %s, on machine %s with %d threads: what an expert would do, and the changes that are shown, the first one first. "+
			"A program is right where what the expert does is among the first %d.", m.size(slowSize), m.Machine.Name, teamThreads, firstFew),
		Columns: []string{"program", "expert", "shown", "right"},
	}
	right, n := 0, 0
	for _, r := range m.rows {
		if len(r.expert) == 0 {
			continue
		}
		n++
		mark := "no"
		if r.hit {
			right++
			mark = "yes"
		}
		t.Rows = append(t.Rows, []string{r.name, strings.Join(r.expert, " or "), strings.Join(r.shown[:min(len(r.shown), firstFew)], "; "), mark})
	}
	t.Summary = append(t.Summary, fmt.Sprintf("right: %d of %d", right, n))
	return t
}

// gains is the table of changes that were applied and run.
func (m *measurement) gains() *accuracy.Table {
	t := &accuracy.Table{
		Title: "Patches applied, compiled and run",
		Text: fmt.Sprintf("Every change that is shown, of the loops of examples/slow at %s and the kernels at %s: the patch is applied, compiled with gcc -O2 -fopenmp, and run on one thread and on three; "+
			"what it prints is that of the program before, to the last digit, or within %g where sums are added up in another order. The ratio is that of the times before and after, on one thread, the least of %d "+
			"runs that take turns, by the processor's time, against the predicted one; changes without effect on one thread (threads, schedules) are not timed.", m.size(slowSize), m.size(kernelSize), tolerance, runs),
		Columns: []string{"program", "rank", "change", "predicted", "measured", "error", "results"},
	}
	var errors accuracy.Errors
	equal, signs, notables := 0, 0, 0
	for _, c := range m.changes {
		result, measured, off := "equal", "–", "–"
		if c.equal {
			equal++
		} else {
			result = "differ"
		}
		if c.timed {
			e := math.Max(c.predicted/c.ratio, c.ratio/c.predicted) - 1
			measured, off = fmt.Sprintf("%.2f", c.ratio), fmt.Sprintf("%.0f %%", 100*e)
			errors.Add(c.program+": "+c.change, 100*e)
			if c.predicted > notable || c.predicted < 1/notable {
				notables++
				if (c.predicted > 1) == (c.ratio > 1) {
					signs++
				}
			}
		}
		rank := "together"
		if c.rank > 0 {
			rank = fmt.Sprint(c.rank)
		}
		t.Rows = append(t.Rows, []string{c.program, rank, c.change, fmt.Sprintf("%.2f", c.predicted), measured, off, result})
	}
	worst, of := errors.Worst()
	t.Summary = append(
		t.Summary,
		fmt.Sprintf("results equal: %d of %d", equal, len(m.changes)),
		fmt.Sprintf("sign right: %d of %d whose predicted gain or loss is above %.0f %%", signs, notables, 100*(notable-1)),
		fmt.Sprintf("error of the ratio, in %%: mean %.1f, median %.1f, 80 %% within %.1f, worst %.1f (%s), n = %d", errors.Mean(), errors.Quantile(0.5), errors.Quantile(0.8), worst, of, errors.N()),
	)
	t.Values = map[string]float64{"equal": float64(equal), "changes": float64(len(m.changes))}
	return t
}

// size is that of programs which have another one by default.
func (m *measurement) size(usual string) string { return cmp.Or(m.Size, usual) }
