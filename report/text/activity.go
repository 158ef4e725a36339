package text

import (
	"io"
	"sort"

	"foresee/predict"
	"foresee/report"
)

// mostArrays is how many arrays of a region the table shows; the other forms have all.
const mostArrays = 5

// Activity shows what a traced program did, by region, and the arrays that were used most.
func Activity(w io.Writer, r *predict.ActivityResult) error {
	t := &table{left: map[int]bool{0: true}}
	head := []string{"region", "entries", "iterations"}
	if !r.Uncounted {
		head = append(head, "loads", "stores", "loaded", "stored", "flops")
	}
	t.row(head...)
	arrays := &table{left: map[int]bool{0: true, 1: true}}
	for _, a := range r.Regions {
		row := []string{a.Region, report.Count(a.Entries), report.Count(a.Iterations)}
		if !r.Uncounted {
			row = append(row, report.Count(a.Loads), report.Count(a.Stores), report.Bytes(a.LoadedBytes), report.Bytes(a.StoredBytes), report.Known(a.Instructions > 0 || a.Accesses == 0, report.Count(a.Flops)))
		}
		t.row(row...)
		all := append([]predict.ArrayActivity{}, a.Arrays...)
		sort.SliceStable(all, func(i, j int) bool { return all[i].Bytes > all[j].Bytes })
		for _, n := range all[:min(len(all), mostArrays)] {
			arrays.row(a.Region, n.Name, report.Count(n.Loads), report.Count(n.Stores), report.Bytes(n.Bytes))
		}
	}
	text := partLine(r.Partial) + t.String()
	if len(arrays.rows) > 0 {
		head := &table{left: arrays.left, rows: append([][]string{{"region", "array", "loads", "stores", "bytes"}}, arrays.rows...)}
		text += "\n" + head.String()
	}
	_, err := io.WriteString(w, text)
	return err
}

// ActivityCSV writes one line for each region; what was not recorded is blank.
func ActivityCSV(w io.Writer, r *predict.ActivityResult) error {
	records := [][]string{{"region", "entries", "chunks", "iterations", "accesses", "loads", "stores", "loaded_bytes", "stored_bytes", "flops", "instructions"}}
	for _, a := range r.Regions {
		line := []string{a.Region}
		for _, n := range []int64{a.Entries, a.Chunks, a.Iterations} {
			line = append(line, integer(n))
		}
		for _, n := range []int64{a.Accesses, a.Loads, a.Stores, a.LoadedBytes, a.StoredBytes, a.Flops, a.Instructions} {
			if r.Uncounted {
				line = append(line, "")
			} else {
				line = append(line, integer(n))
			}
		}
		records = append(records, line)
	}
	return writeCSV(w, partColumn(r.Partial, records))
}
