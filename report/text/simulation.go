package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"foresee/predict"
	"foresee/report"
)

// Simulation writes a table for each region: a row for each level.
func Simulation(w io.Writer, r *predict.SimulationResult) error {
	var b strings.Builder
	b.WriteString(partLine(r.Partial))
	for i, region := range r.Regions {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s on %s, %s: %s to lines of %d B, simulated exactly, addresses in order\n\n", region.Region, r.Machine,
			report.Plural(r.Threads, "thread"), report.CountOf(region.Accesses, "access"), r.LineBytes)
		b.WriteString(simulatedLevels(region).String())
		if len(region.Arrays) > 0 {
			b.WriteString("\n")
			b.WriteString(simulatedArrays(region).String())
		}
	}
	if len(r.Regions) == 0 {
		b.WriteString("no accesses\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// simulationColumn is a count of a level; those that may be missing show when some level has one.
type simulationColumn struct {
	name  string
	rare  bool
	value func(predict.SimulatedLevel) int64
	cause bool // of misses: known only where they were told apart
}

// cell is the count in CSV: blank where it is not known.
func (c simulationColumn) cell(l predict.SimulatedLevel) string {
	if c.cause && l.Causes == nil {
		return ""
	}
	return integer(c.value(l))
}

// causeOf is the misses of one cause.
func causeOf(f func(*predict.Causes) int64) func(predict.SimulatedLevel) int64 {
	return func(l predict.SimulatedLevel) int64 {
		if l.Causes == nil {
			return 0
		}
		return f(l.Causes)
	}
}

var simulationColumns = []simulationColumn{
	{name: "accesses", value: func(l predict.SimulatedLevel) int64 { return l.Accesses }},
	{name: "misses", value: func(l predict.SimulatedLevel) int64 { return l.Misses }},
	{name: "compulsory", rare: true, cause: true, value: causeOf(func(c *predict.Causes) int64 { return c.Compulsory })},
	{name: "capacity", rare: true, cause: true, value: causeOf(func(c *predict.Causes) int64 { return c.Capacity })},
	{name: "conflict", rare: true, cause: true, value: causeOf(func(c *predict.Causes) int64 { return c.Conflict })},
	{name: "coherence", rare: true, cause: true, value: causeOf(func(c *predict.Causes) int64 { return c.Coherence })},
	{name: "evictions", value: func(l predict.SimulatedLevel) int64 { return l.Evictions }},
	{name: "write-backs", value: func(l predict.SimulatedLevel) int64 { return l.WriteBacks }},
	{name: "invalidations", rare: true, value: func(l predict.SimulatedLevel) int64 { return l.Invalidations }},
	{name: "back-invalidations", rare: true, value: func(l predict.SimulatedLevel) int64 { return l.BackInvalidations }},
	{name: "victim hits", rare: true, value: func(l predict.SimulatedLevel) int64 { return l.VictimHits }},
	{name: "forwarded hits", rare: true, value: func(l predict.SimulatedLevel) int64 { return l.ForwardedHits }},
	{name: "prefetches", rare: true, value: func(l predict.SimulatedLevel) int64 { return l.Prefetches }},
	{name: "useful", rare: true, value: func(l predict.SimulatedLevel) int64 { return l.UsefulPrefetches }},
}

// simulatedLevels is the table of levels; columns of what never happened are left out.
func simulatedLevels(r predict.SimulationRegion) *table {
	var columns []simulationColumn
	for _, c := range simulationColumns {
		shown := !c.rare
		for _, l := range r.Levels {
			shown = shown || c.value(l) > 0
		}
		if shown {
			columns = append(columns, c)
		}
	}
	t := &table{left: map[int]bool{0: true}}
	header := []string{"level", "cumulative hits", "local hits"}
	for _, c := range columns {
		header = append(header, c.name)
	}
	t.row(header...)
	for _, l := range r.Levels {
		row := []string{l.Level, report.Percent(l.HitRate), local(l)}
		for _, c := range columns {
			row = append(row, report.Count(c.value(l)))
		}
		t.row(row...)
	}
	t.row("memory", "", "", report.Count(r.MemoryReads)+" read", report.Count(r.MemoryWrites)+" written")
	return t
}

// local is the share of the accesses of a level that it serves.
func local(l predict.SimulatedLevel) string {
	if l.Accesses == 0 {
		return "–"
	}
	return report.Percent(1 - report.Share(l.Misses, l.Accesses))
}

// simulatedArrays shows, for each array, its accesses and the share of them that each level did not serve.
func simulatedArrays(r predict.SimulationRegion) *table {
	t := &table{left: map[int]bool{0: true}}
	header := []string{"array", "accesses"}
	for _, l := range r.Levels {
		header = append(header, l.Level+" misses", "of its accesses")
	}
	t.row(header...)
	for _, a := range r.Arrays {
		row := []string{a.Name, report.Count(a.Accesses)}
		for _, m := range a.Misses {
			row = append(row, report.Count(m), report.Percent(report.Share(m, a.Accesses)))
		}
		t.row(row...)
	}
	return t
}

// SimulationCSV writes one record for each level of each region, one for memory, and one for each level and array. Hit rates are cumulative;
// what was not counted is blank.
func SimulationCSV(w io.Writer, r *predict.SimulationResult) error {
	head := []string{"region", "machine", "threads", "array", "level", "accesses", "misses", "cumulative_hit_rate"}
	for _, c := range simulationColumns[2:] {
		head = append(head, strings.NewReplacer(" ", "_", "-", "_").Replace(c.name))
	}
	blank := make([]string, len(simulationColumns)-2)
	records := [][]string{append(head, "lines_read", "lines_written")}
	for _, region := range r.Regions {
		start := []string{region.Region, r.Machine, strconv.Itoa(r.Threads)}
		for _, l := range region.Levels {
			record := append(start[:3:3], "", l.Level, integer(l.Accesses), integer(l.Misses), report.Number(l.HitRate))
			for _, c := range simulationColumns[2:] {
				record = append(record, c.cell(l))
			}
			records = append(records, append(record, "", ""))
		}
		memory := append(start[:3:3], "", "memory", "", "", "")
		records = append(records, append(append(memory, blank...), integer(region.MemoryReads), integer(region.MemoryWrites)))
		for _, a := range region.Arrays {
			reached := a.Accesses
			for j, m := range a.Misses {
				record := append(start[:3:3], a.Name, region.Levels[j].Level, integer(reached), integer(m), report.Number(1-report.Share(m, a.Accesses)))
				records = append(records, append(append(record, blank...), "", ""))
				reached = m
			}
		}
	}
	return writeCSV(w, partColumn(r.Partial, records))
}
