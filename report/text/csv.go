package text

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"foresee/predict"
	"foresee/report"
)

// PredictionCSV writes one record for each region, machine and thread count. A machine without one of the levels
// has empty cells there.
func PredictionCSV(w io.Writer, r *predict.PredictionResult) error {
	all := report.Group{Rows: r.Predictions}
	levels, sources := all.Levels(), all.TermLevels()
	header := []string{"region", "machine", "threads", "accesses", "flops"}
	for _, l := range levels {
		header = append(header, l+"_hit_rate")
	}
	header = append(header, "time_s", "time_low_s", "time_high_s", "speedup", "compute_s", "memory_s", "parallel_s")
	for _, l := range sources {
		header = append(header, "from_"+l+"_s")
	}
	records := [][]string{append(header, "bound_by", "model", "threads_model", "interleave", "smallest_shared_cache_bytes", "overflow_threads")}
	for _, p := range r.Predictions {
		records = append(records, predictionRecord(p, levels, sources))
	}
	return writeCSV(w, partColumn(r.Partial, sizeColumns(r.Predictions, records)))
}

// sizeColumns puts the size of the data in front of each line, where there are several.
func sizeColumns(all []predict.Prediction, records [][]string) [][]string {
	if len(all) == 0 || all[0].Size == nil {
		return records
	}
	records[0] = append([]string{"size_of", "size"}, records[0]...)
	for i, p := range all {
		records[i+1] = append([]string{p.Size.Name, integer(p.Size.Value)}, records[i+1]...)
	}
	return records
}

// predictionRecord is a line of CSV.
func predictionRecord(p predict.Prediction, levels, sources []string) []string {
	record := []string{p.Region, p.Machine, strconv.Itoa(p.Threads), integer(p.Accesses), integer(p.Flops)}
	for _, l := range levels {
		cell := ""
		if h, ok := report.HitRate(p, l); ok {
			cell = report.Number(h.HitRate)
		}
		record = append(record, cell)
	}
	for _, v := range []*float64{p.TimeS, p.TimeLowS, p.TimeHighS, p.Speedup} {
		record = append(record, optional(v))
	}
	if t := p.Terms; t != nil {
		record = append(record, report.Number(t.ComputeS), report.Number(t.MemoryS), report.Number(t.ParallelS))
	} else {
		record = append(record, "", "", "")
	}
	for _, l := range sources {
		cell := ""
		if s, ok := report.LevelTime(p.Terms, l); ok {
			cell = report.Number(s)
		}
		record = append(record, cell)
	}
	smallest, overflow := "", ""
	if c := p.SharedCache; c != nil {
		if c.SmallestBytes != nil {
			smallest = integer(*c.SmallestBytes)
		}
		if c.OverflowThreads != nil {
			overflow = strconv.Itoa(*c.OverflowThreads)
		}
	}
	return append(record, p.BoundBy, p.Model, p.ThreadsModel, p.Interleave, smallest, overflow)
}

// CurvesCSV writes one record for each point of each curve.
func CurvesCSV(w io.Writer, r *predict.CurveResult) error {
	records := [][]string{{"region", "threads", "scope", "accesses", "cache_bytes", "miss_ratio", "standard_error", "threads_model", "interleave"}}
	for _, c := range r.Curves {
		for _, p := range c.Points {
			records = append(records, []string{
				c.Region, strconv.Itoa(c.Threads), c.Scope, integer(c.Accesses),
				integer(p.CacheBytes), report.Number(p.MissRatio), report.Number(p.StandardError), c.ThreadsModel, c.Interleave,
			})
		}
	}
	return writeCSV(w, partColumn(r.Partial, records))
}

// ProfilesCSV writes one record for each bin; cold accesses are a bin from -1 to -1.
func ProfilesCSV(w io.Writer, r *predict.ProfileResult) error {
	records := [][]string{{"region", "threads", "scope", "measure", "accesses", "samples", "low", "high", "count"}}
	for _, p := range r.Profiles {
		head := []string{p.Region, strconv.Itoa(p.Threads), p.Scope, p.Measure, integer(p.Accesses), integer(p.Samples)}
		for _, b := range p.Histogram {
			records = append(records, append(head[:len(head):len(head)], integer(b.Low), integer(b.High), integer(b.Count)))
		}
		records = append(records, append(head[:len(head):len(head)], "-1", "-1", integer(p.Cold)))
	}
	return writeCSV(w, partColumn(r.Partial, records))
}

// writeCSV writes lines whose cells no spreadsheet takes for formulas.
func writeCSV(w io.Writer, records [][]string) error {
	c := csv.NewWriter(w)
	for _, r := range records {
		safe := make([]string, len(r))
		for i, cell := range r {
			safe[i] = harmless(cell)
		}
		if err := c.Write(safe); err != nil {
			return fmt.Errorf("cannot write the result as CSV: %w", err)
		}
	}
	c.Flush()
	if err := c.Error(); err != nil {
		return fmt.Errorf("cannot write the result as CSV: %w", err)
	}
	return nil
}

// harmless puts an apostrophe before a cell that a spreadsheet would take for a formula, such as a region whose name begins with an
// equals sign. Numbers, negative ones too, stay as they are.
func harmless(cell string) string {
	if cell == "" || !strings.ContainsRune("=+-@\t\r\n＝＋－＠", []rune(cell)[0]) {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil {
		return cell
	}
	return "'" + cell
}

func integer(n int64) string { return strconv.FormatInt(n, 10) }

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return report.Number(*v)
}
