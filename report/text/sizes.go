package text

import (
	"fmt"
	"slices"
	"strconv"

	"foresee/predict"
	"foresee/report"
)

// sizeOf is the cell of a size, empty where there is but one.
func sizeOf(p *predict.Prediction) []string {
	if p.Size == nil {
		return nil
	}
	return []string{strconv.FormatInt(p.Size.Value, 10)}
}

// firstColumns are the headings of what tells rows of a group apart.
func firstColumns(g report.Group) []string {
	if s := g.Rows[0].Size; s != nil {
		return []string{s.Name, "threads"}
	}
	return []string{"threads"}
}

// accessesOf says how many accesses and operations a group has; of several sizes those of the first and the last.
func accessesOf(g report.Group) string {
	first, last := g.Rows[0], g.Rows[len(g.Rows)-1]
	if first.Size == nil || first.Accesses == last.Accesses {
		return report.Count(first.Accesses) + " accesses" + flopsOf(first)
	}
	return report.Count(first.Accesses) + " to " + report.Count(last.Accesses) + " accesses"
}

// holdingsText is a table of the sizes that levels hold what a group uses again; empty where they were not looked for.
func holdingsText(r *predict.PredictionResult, g report.Group) string {
	var levels []string
	var counts []int
	rows := map[int]map[string]string{}
	name := ""
	for _, h := range r.Holdings {
		if h.Region != g.Region || h.Machine != g.Machine {
			continue
		}
		name = h.Name
		levels = report.AppendNew(levels, h.Level)
		if rows[h.Threads] == nil {
			rows[h.Threads] = map[string]string{}
			counts = append(counts, h.Threads)
		}
		rows[h.Threads][h.Level] = heldUntil(h)
	}
	if name == "" {
		return ""
	}
	t := &table{}
	t.row(slices.Concat([]string{"threads"}, levels)...)
	for _, n := range counts {
		cells := []string{strconv.Itoa(n)}
		for _, l := range levels {
			cells = append(cells, rows[n][l])
		}
		t.row(cells...)
	}
	return fmt.Sprintf("\n%s up to which a level holds what is used again: it misses at most 1 %% of the accesses besides first uses\n\n%s", name, t.String())
}

// heldUntil is a size, or that there is none.
func heldUntil(h predict.Holding) string {
	switch {
	case h.Until == nil:
		return fmt.Sprintf("< %d", *h.Over)
	case h.Over == nil:
		return fmt.Sprintf("≥ %d", *h.Until)
	case *h.Over > *h.Until+1:
		return fmt.Sprintf("%d to %d", *h.Until, *h.Over-1)
	}
	return strconv.FormatInt(*h.Until, 10)
}
