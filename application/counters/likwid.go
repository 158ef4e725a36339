package counters

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

func isLIKWID(head []byte) bool {
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

// readLIKWID reads the tables that likwid-perfctr -O writes, with or without regions of the marker API. Counts are
// summed over the hardware threads; of times, the longest is taken.
//
// Source: LIKWID's wiki, page likwid-perfctr, and the layout that its printing functions give.
func readLIKWID(in *lines) ([]Profile, error) {
	t, seen := in.newTable("likwid"), make(map[[2]string]string)
	var current likwidTable
	tables := 0
	for in.next() {
		cells := strings.Split(strings.TrimSpace(in.text()), ",")
		switch cells[0] {
		case "TABLE":
			t.checkLIKWID(current)
			next, err := parseLIKWID(in, cells[1:])
			if err != nil {
				return nil, err
			}
			current = next
			tables++
		case "STRUCT":
			t.checkLIKWID(current)
			current = likwidTable{}
		case "", "Event", "Metric", "Region Info":
		default:
			if err := t.likwidRow(in, &current, cells, seen); err != nil {
				return nil, err
			}
		}
	}
	if err := in.failed(); err != nil {
		return nil, err
	}
	t.checkLIKWID(current)
	t.checkEnd(in)
	if tables == 0 || len(t.Events) == 0 {
		return nil, in.fail("there is no table of events: the file is cut off; run likwid-perfctr -O again")
	}
	return []Profile{t.done()}, nil
}

func parseLIKWID(in *lines, cells []string) (likwidTable, error) {
	var head likwidTable
	if len(cells) > 3 && strings.HasPrefix(cells[0], "Region ") {
		head.region, cells = strings.TrimPrefix(cells[0], "Region "), cells[1:]
	}
	if len(cells) < 3 {
		return head, in.fail("the head of the table has no group and number of lines; run likwid-perfctr -O again")
	}
	words := strings.Fields(cells[0]) // Group 1 Raw STAT
	if len(words) < 3 || words[0] != "Group" {
		return head, in.fail("the table is of %s; Group N Raw or Group N Metric must stand there", quote(cells[0]))
	}
	head.group = words[1]
	if len(words) == 3 {
		head.kind = words[2]
	}
	rows, err := strconv.Atoi(cells[2])
	if err != nil {
		return head, in.fail("the number of lines of the table is %s, not a whole number; run likwid-perfctr -O again", quote(cells[2]))
	}
	head.rows = rows
	return head, nil
}

// checkLIKWID warns of a table with fewer rows than its head says.
func (t *table) checkLIKWID(head likwidTable) {
	if head.kind != "" && head.rows > 0 {
		t.warn("%d rows of a table of group %s are missing: the file may be cut off", head.rows, head.group)
	}
}

// likwidRow reads "EVENT,COUNTER,VALUE of each hardware thread", or a row of times. Other metrics are left out:
// they are made of the events.
func (t *table) likwidRow(in *lines, head *likwidTable, cells []string, seen map[[2]string]string) error {
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
		return in.fail("%s has no value; the file is cut off here: run likwid-perfctr -O again", cells[0])
	}
	place := [2]string{head.region, cells[0]}
	if group, there := seen[place]; there && group != head.group {
		t.warn("%s was counted in groups %s and %s: the first is kept", cells[0], group, head.group)
		return nil
	}
	seen[place] = head.group
	return t.addThreads(in, head.region, cells[0], cells[first:], isTime)
}

func (t *table) addThreads(in *lines, region, event string, cells []string, isTime bool) error {
	threads := 0
	for _, cell := range cells {
		if cell == "" {
			continue // the lines are filled up to one width
		}
		value, err := measured(cell)
		if err != nil {
			return in.fail("%s: %w; run likwid-perfctr -O again", event, err)
		}
		threads++
		switch {
		case math.IsNaN(value):
			t.warn("%s was not counted by every hardware thread", event)
			t.add(region, event, value)
		case isTime:
			t.largest(region, event, value)
		default:
			t.add(region, event, value)
		}
	}
	if threads == 0 {
		return in.fail("%s has no value; the file is cut off here: run likwid-perfctr -O again", event)
	}
	if threads > 1 {
		t.warn("the counts are sums over %d hardware threads", threads)
	}
	return nil
}
