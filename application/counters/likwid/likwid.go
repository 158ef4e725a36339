// Package likwid reads what likwid-perfctr -O prints: counters by region and hardware thread, as comma-separated tables.
package likwid

import (
	"bytes"
	"math"
	"strconv"
	"strings"

	"foresee/application/counters"
	"foresee/application/counters/input"
)

// Is tells the output by its first tables, which may come after what the program itself prints.
func Is(head []byte) bool {
	for line := range bytes.Lines(head) {
		if bytes.HasPrefix(line, []byte("TABLE,Group ")) || bytes.HasPrefix(line, []byte("TABLE,Region ")) || bytes.HasPrefix(line, []byte("STRUCT,Info,")) {
			return true
		}
	}
	return false
}

// likwidTable is the head of a table of likwid-perfctr: TABLE,[Region NAME,]Group N Raw|Metric[ STAT],GROUP,LINES.
type likwidTable struct {
	region, group string
	kind          string // "Raw", "Metric"; "" where the rows are of no use
	rows          int    // rows of events or metrics still to come
}

// Read reads the tables that likwid-perfctr -O writes, with or without regions of the marker API. Counts are
// summed over the hardware threads; of times, the longest is taken.
//
// Source: LIKWID's wiki, page likwid-perfctr, and the layout that its printing functions give.
func Read(in *input.Lines) ([]counters.Profile, error) {
	t, seen := counters.NewTableOf(in, "likwid"), make(map[[2]string]string)
	var current likwidTable
	tables := 0
	for in.Next() {
		cells := strings.Split(strings.TrimSpace(in.Text()), ",")
		switch cells[0] {
		case "TABLE":
			checkRows(t, current)
			next, err := parseLIKWID(in, cells[1:])
			if err != nil {
				return nil, err
			}
			current = next
			tables++
		case "STRUCT":
			checkRows(t, current)
			current = likwidTable{}
		case "", "Event", "Metric", "Region Info":
		default:
			if err := addRow(t, in, &current, cells, seen); err != nil {
				return nil, err
			}
		}
	}
	if err := in.Failed(); err != nil {
		return nil, err
	}
	checkRows(t, current)
	t.CheckEnd(in)
	if tables == 0 || len(t.Events) == 0 {
		return nil, in.Fail("there is no table of events: the file is cut off; run likwid-perfctr -O again")
	}
	return []counters.Profile{t.Done()}, nil
}

// parseLIKWID reads the head of a table.
func parseLIKWID(in *input.Lines, cells []string) (likwidTable, error) {
	var head likwidTable
	if len(cells) > 3 && strings.HasPrefix(cells[0], "Region ") {
		head.region, cells = strings.TrimPrefix(cells[0], "Region "), cells[1:]
	}
	if len(cells) < 3 {
		return head, in.Fail("the head of the table has no group and number of lines; run likwid-perfctr -O again")
	}
	words := strings.Fields(cells[0]) // Group 1 Raw STAT
	if len(words) < 3 || words[0] != "Group" {
		return head, in.Fail("the table is of %s; Group N Raw or Group N Metric must stand there", input.Quote(cells[0]))
	}
	head.group = words[1]
	if len(words) == 3 {
		head.kind = words[2]
	}
	rows, err := strconv.Atoi(cells[2])
	if err != nil {
		return head, in.Fail("the number of lines of the table is %s, not a whole number; run likwid-perfctr -O again", input.Quote(cells[2]))
	}
	head.rows = rows
	return head, nil
}

// checkRows warns of a table with fewer rows than its head says.
func checkRows(t *counters.Table, head likwidTable) {
	if head.kind != "" && head.rows > 0 {
		t.Warn("%d rows of a table of group %s are missing: the file may be cut off", head.rows, head.group)
	}
}

// addRow reads "EVENT,COUNTER,VALUE of each hardware thread", or a row of times. Other metrics are left out:
// they are made of the events.
func addRow(t *counters.Table, in *input.Lines, head *likwidTable, cells []string, seen map[[2]string]string) error {
	first := 1
	isTime := strings.Contains(cells[0], "RDTSC") && strings.Contains(cells[0], "untime")
	switch {
	case head.kind == "", cells[0] == "call count":
		return nil
	case head.kind == "Metric":
		head.rows--
		if !isTime {
			return nil
		}
	case !isTime || len(cells) > 1 && cells[1] == "TSC":
		head.rows--
		first = 2
	}
	if len(cells) <= first {
		return in.Fail("%s has no value; the file is cut off here: run likwid-perfctr -O again", cells[0])
	}
	place := [2]string{head.region, cells[0]}
	if group, there := seen[place]; there && group != head.group {
		t.Warn("%s was counted in groups %s and %s: the first is kept", cells[0], group, head.group)
		return nil
	}
	seen[place] = head.group
	return addThreads(t, in, head.region, cells[0], cells[first:], isTime)
}

// addThreads sums an event over the threads; of times the longest counts.
func addThreads(t *counters.Table, in *input.Lines, region, event string, cells []string, isTime bool) error {
	threads := 0
	for _, cell := range cells {
		if cell == "" {
			continue // the lines are filled up to one width
		}
		value, err := input.Measured(cell)
		if err != nil {
			return in.Fail("%s: %w; run likwid-perfctr -O again", event, err)
		}
		threads++
		switch {
		case math.IsNaN(value):
			t.Warn("%s was not counted by every hardware thread", event)
			t.Add(region, event, value)
		case isTime:
			t.Largest(region, event, value)
		default:
			t.Add(region, event, value)
		}
	}
	if threads == 0 {
		return in.Fail("%s has no value; the file is cut off here: run likwid-perfctr -O again", event)
	}
	if threads > 1 {
		t.Warn("the counts are sums over %d hardware threads", threads)
	}
	return nil
}
