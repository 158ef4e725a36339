package text

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"foresee/predict"
)

// Causes that were not told apart are blank; those that were told apart are counted, zeros too. Memory has a row of its own.
func TestSimulationCSVLeavesUnknownBlank(t *testing.T) {
	level := predict.SimulatedLevel{Level: "L1", Accesses: 10, Misses: 4, HitRate: 0.6}
	told := level
	told.Causes = &predict.Causes{Compulsory: 3, Capacity: 1}
	for want, l := range map[string]predict.SimulatedLevel{"": level, "0": told} {
		r := &predict.SimulationResult{Threads: 2, Regions: []predict.SimulationRegion{{
			Region: "k", Accesses: 10, Levels: []predict.SimulatedLevel{l}, MemoryReads: 4, MemoryWrites: 2,
		}}}
		rows := readCSV(t, func(b *bytes.Buffer) error { return SimulationCSV(b, r) })
		if len(rows) != 2 || rows[0]["level"] != "L1" || rows[1]["level"] != "memory" {
			t.Fatalf("%v", rows)
		}
		if got := rows[0]["conflict"]; got != want {
			t.Errorf("conflicts %q, want %q", got, want)
		}
		if rows[0]["cumulative_hit_rate"] != "0.6" || rows[0]["lines_read"] != "" || rows[1]["lines_read"] != "4" || rows[1]["lines_written"] != "2" {
			t.Errorf("%v", rows)
		}
	}
}

// A run of which regions alone were counted has no loads, not none of them.
func TestActivityLeavesUncountedOut(t *testing.T) {
	for _, uncounted := range []bool{true, false} {
		r := &predict.ActivityResult{Uncounted: uncounted, Regions: []predict.Activity{{Region: "k", Entries: 3}}}
		row := readCSV(t, func(b *bytes.Buffer) error { return ActivityCSV(b, r) })[0]
		if row["entries"] != "3" || row["iterations"] != "0" || (row["loads"] == "") != uncounted || (row["flops"] == "") != uncounted {
			t.Errorf("uncounted %v: %v", uncounted, row)
		}
		var table strings.Builder
		if err := Activity(&table, r); err != nil || strings.Contains(table.String(), "loads") == uncounted {
			t.Errorf("uncounted %v, %v:\n%s", uncounted, err, &table)
		}
	}
}

// readCSV gives each row by the names of its columns.
func readCSV(t *testing.T, write func(*bytes.Buffer) error) (rows []map[string]string) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}
