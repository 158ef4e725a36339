package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"foresee/predict"
	"foresee/report"
)

// runText is where the time of a recorded run goes, by region, the longest first, on each machine; nothing of a single region.
func runText(r *predict.PredictionResult, groups []report.Group, o Options) string {
	if !r.Recorded {
		return ""
	}
	byMachine := map[string][]report.Group{}
	var machines []string
	for _, g := range groups {
		if g.Rows[0].TimeS != nil {
			machines = report.AppendNew(machines, g.Machine)
			byMachine[g.Machine] = append(byMachine[g.Machine], g)
		}
	}
	var b strings.Builder
	for _, m := range machines {
		if all := byMachine[m]; len(all) > 1 {
			b.WriteString(profileText(m, all, o) + "\n")
		}
	}
	return b.String()
}

// profileText is the profile of a run on one machine, with the fewest and the most threads.
func profileText(on string, groups []report.Group, o Options) string {
	time := func(g report.Group) float64 { return *g.Rows[0].TimeS }
	groups = slices.Clone(groups)
	slices.SortStableFunc(groups, func(x, y report.Group) int { return cmp.Compare(time(y), time(x)) })
	ends := []int{0}
	if last := len(groups[0].Rows) - 1; last > 0 {
		ends = append(ends, last)
	}
	sums := make([]float64, len(ends))
	for _, g := range groups {
		for n, k := range ends {
			if k < len(g.Rows) && g.Rows[k].TimeS != nil {
				sums[n] += *g.Rows[k].TimeS
			}
		}
	}
	t := &table{left: map[int]bool{0: true, 2*len(ends) + 1: true}}
	header := []string{"region"}
	for _, k := range ends {
		header = append(header, report.Plural(groups[0].Rows[k].Threads, "thread"), "share")
	}
	t.row(append(header, "bound by")...)
	row := func(name string, of func(n, k int) (float64, bool), bound string) {
		cells := []string{name}
		for n, k := range ends {
			s, ok := of(n, k)
			cells = append(cells, report.Known(ok, report.Seconds(s)), report.Known(ok && sums[n] > 0, fmt.Sprintf("%.1f %%", 100*s/sums[n])))
		}
		t.row(append(cells, bound)...)
	}
	shown := groups
	if few := func(g report.Group) bool { return time(g) < leastOfRun*sums[0] }; !o.All {
		shown = groups[:min(len(groups), report.MostLines)]
		if n := slices.IndexFunc(shown, few); n >= 0 && n < len(groups)-1 {
			shown = groups[:n]
		}
	}
	rest := slices.Clone(sums)
	for _, g := range shown {
		row(g.Region, func(n, k int) (float64, bool) {
			if k >= len(g.Rows) || g.Rows[k].TimeS == nil {
				return 0, false
			}
			rest[n] -= *g.Rows[k].TimeS
			return *g.Rows[k].TimeS, true
		}, report.BoundOf(&g.Rows[0]))
	}
	if left := len(groups) - len(shown); left > 0 {
		row(fmt.Sprintf("… and %d more%s", left, o.more()), func(n, _ int) (float64, bool) { return max(rest[n], 0), true }, "")
	}
	row("all", func(n, _ int) (float64, bool) { return sums[n], true }, "")
	return "the run on " + on + ", by time\n\n" + t.String()
}
