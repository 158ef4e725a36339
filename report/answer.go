package report

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foresee/predict"
	"foresee/predict/answer"
)

// MostLines is how many rows of a table, and how many answers, are shown unless all are asked for. Chosen: what is read at a glance.
const MostLines = 12

// Answer sums a result up in words; nil where there is nothing to say. Searched says that the numbers of threads are those of a search, which
// tried others as well.
func Answer(r *predict.PredictionResult, searched bool) *predict.Answer {
	a := answer.Of(r)
	if a == nil {
		return nil
	}
	var lines []string
	for i, g := range Groups(r) {
		a.Regions[i].Text = sentence(&a.Regions[i], g, searched)
		lines = append(lines, a.Regions[i].Text)
	}
	a.Text = strings.Join(lines, "\n")
	return a
}

// LongestFirst are the places of the answers to show: all where that are few, else those of most time, with how many are left out.
func LongestFirst(a *predict.Answer, most int) (shown []int, left int) {
	for i := range a.Regions {
		shown = append(shown, i)
	}
	if len(shown) <= most {
		return shown, 0
	}
	slices.SortStableFunc(shown, func(i, j int) int { return cmp.Compare(a.Regions[j].BestTimeS, a.Regions[i].BestTimeS) })
	return shown[:most], len(shown) - most
}

// sentence answers for one region on one machine.
func sentence(a *predict.RegionAnswer, g Group, searched bool) string {
	said := a.Region + " on " + a.Machine + ": "
	if last := &g.Rows[len(g.Rows)-1]; last.LeftOutLoops > last.Loops {
		said += fmt.Sprintf("most of it cannot be read, %d of %s; what was read is ", last.LeftOutLoops, Plural(last.LeftOutLoops+last.Loops, "loop"))
	}
	if a.BestThreads == 0 {
		return said + locality(a, g) + without(&g.Rows[len(g.Rows)-1])
	}
	p := rowAt(g, a.BestThreads)
	said += fastest(a, p, searched) + "; " + bound(a, p)
	if len(a.Threads) > 1 && a.EnoughThreads < a.BestThreads {
		said += fmt.Sprintf("; 90 %% of its speed with %d", a.EnoughThreads)
	}
	return said + "." + serial(p) + without(p)
}

// The shares of a time of several threads that code takes which one of them runs alone: from where on it is said, and is what bounds the time.
const (
	serialSaid   = 0.2
	mostlySerial = 0.5
)

// SerialShare is the share of a time of several threads that one of them works alone.
func SerialShare(p *predict.Prediction) float64 {
	if p.Terms == nil || p.TimeS == nil || *p.TimeS <= 0 {
		return 0
	}
	return p.Terms.SerialS / *p.TimeS
}

// serial says how much of the time is code that one thread runs while the others wait.
func serial(p *predict.Prediction) string {
	share := SerialShare(p)
	if share < serialSaid {
		return ""
	}
	said := fmt.Sprintf(" One thread alone takes %s (%s) of that", Seconds(p.Terms.SerialS), wholePercent(share))
	if p.Terms.SerialPlace != "" {
		said += ", most in the loop at " + filepath.Base(p.Terms.SerialPlace)
	}
	return said + ": code that is not parallel."
}

// without says what the numbers are without, and how much that is by what is known of it.
func without(p *predict.Prediction) string {
	if p.LeftOut == 0 {
		return ""
	}
	said := " Not in it: " + Plural(p.LeftOut, "part") + " that cannot be read"
	if p.LeftOutLoops > 0 {
		said += fmt.Sprintf(" (%s; %d were read)", Plural(p.LeftOutLoops, "loop"), p.Loops)
	}
	return said + "."
}

func rowAt(g Group, threads int) *predict.Prediction {
	i := slices.IndexFunc(g.Rows, func(p predict.Prediction) bool { return p.Threads == threads })
	return &g.Rows[i]
}

// fastest says with how many threads, and how fast.
func fastest(a *predict.RegionAnswer, p *predict.Prediction, searched bool) string {
	took := Seconds(*p.TimeS) + " (" + Interval(p.TimeLowS, p.TimeHighS) + ")"
	if len(a.Threads) == 1 {
		return took + " with " + Plural(a.BestThreads, "thread")
	}
	said := "fastest with " + strconv.Itoa(a.BestThreads) + " of " + counts(a.Threads) + " threads: " + took
	if searched {
		said = "fastest with " + Plural(a.BestThreads, "thread") + " of all that there are cores for: " + took
	}
	if p.Speedup != nil && a.BestThreads > 1 {
		said += ", " + Speedup(p.Speedup) + " times as fast as one"
	}
	return said
}

// mostCounts is how many numbers of threads are named. Chosen.
const mostCounts = 6

// counts names numbers of threads.
func counts(threads []int) string {
	first, last := threads[0], threads[len(threads)-1]
	if len(threads) > 2 && last-first == len(threads)-1 {
		return fmt.Sprintf("%d–%d", first, last)
	}
	var all []string
	for _, n := range threads {
		all = append(all, strconv.Itoa(n))
	}
	if len(all) > mostCounts {
		all = append(all[:mostCounts-2], "…", all[len(all)-1])
	}
	return strings.Join(all, ", ")
}

// bound says what binds, from where on, and whose lines they are.
func bound(a *predict.RegionAnswer, p *predict.Prediction) string {
	by := BoundOf(p)
	if SerialShare(p) > mostlySerial {
		return "bound by " + by
	}
	if a.Array != "" && a.Level == a.BoundBy {
		by += " (" + wholePercent(a.ArrayShare) + " of the lines: " + a.Array + ")"
	}
	switch {
	case len(a.Threads) == 1:
		return "bound by " + by
	case a.BoundBefore == "":
		return "bound throughout by " + by
	}
	return fmt.Sprintf("from %d on bound by %s, before by %s", a.BoundFrom, by, a.BoundBefore)
}

// BoundOf is what bounds a time, and of the core what binds its code.
func BoundOf(p *predict.Prediction) string {
	if SerialShare(p) > mostlySerial {
		return "serial code (" + p.BoundBy + ")"
	}
	if p.CoreBoundBy != "" && (p.BoundBy == "compute" || p.BoundBy == "latency") {
		return p.BoundBy + ": " + p.CoreBoundBy
	}
	return p.BoundBy
}

// wholePercent prints a share in whole percent, 100 and 0 being exact.
func wholePercent(share float64) string {
	p := math.Round(100 * share)
	switch {
	case share < 1 && p == 100:
		p = 99
	case share > 0 && p == 0:
		p = 1
	}
	return strconv.FormatFloat(p, 'f', 0, 64) + " %"
}

// locality answers where there is no time.
func locality(a *predict.RegionAnswer, g Group) string {
	p := g.Rows[len(g.Rows)-1]
	var served []string
	for _, h := range p.HitRates {
		served = append(served, h.Level+" "+Percent(h.HitRate))
	}
	if len(served) == 0 {
		return "nothing is known of its accesses."
	}
	said := "hits with " + Plural(p.Threads, "thread") + ": " + strings.Join(served, ", ")
	if a.Array != "" {
		said += "; " + wholePercent(a.ArrayShare) + " of the lines from " + a.Level + ": " + a.Array
	}
	return said + "; no time."
}

// Chosen keeps the rows of a group that show most: the ends, the best, those beside it, where what bounds changes, and of the others those
// that are spread most evenly by ratio; left is how many there are besides.
func Chosen(g Group, a *predict.RegionAnswer) (Group, int) {
	n := len(g.Rows)
	if n <= MostLines {
		return g, 0
	}
	keep := make([]bool, n)
	kept := 0
	take := func(i int) {
		if i >= 0 && i < n && !keep[i] && kept < MostLines {
			keep[i] = true
			kept++
		}
	}
	take(0)
	take(n - 1)
	for i, p := range g.Rows {
		if t := p.Threads; t == a.BestThreads || t == a.EnoughThreads || t == a.BoundFrom {
			take(i)
		}
	}
	for i, p := range g.Rows {
		if p.Threads == a.BestThreads {
			take(i - 1)
			take(i + 1)
		}
	}
	for kept < MostLines {
		take(loneliest(g.Rows, keep))
	}
	var rows []predict.Prediction
	for i, p := range g.Rows {
		if keep[i] {
			rows = append(rows, p)
		}
	}
	g.Rows = rows
	return g, n - kept
}

// loneliest is the row whose number of threads is farthest, by ratio, from those that are kept.
func loneliest(rows []predict.Prediction, keep []bool) int {
	best, most := -1, 0.0
	for i, p := range rows {
		nearest := math.Inf(1)
		for j, q := range rows {
			if keep[j] {
				nearest = math.Min(nearest, math.Abs(math.Log(float64(p.Threads)/float64(q.Threads))))
			}
		}
		if !keep[i] && (best < 0 || nearest > most) {
			best, most = i, nearest
		}
	}
	return best
}
