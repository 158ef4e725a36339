package text

import (
	"fmt"
	"io"
	"strings"

	"foresee/report"
	"foresee/sweep"
)

// shortSweep is how many rows of a sweep are shown unless all are asked for. Chosen: what a screen holds.
const shortSweep = 40

// Sweep writes the best point of each region, and a table of the points: with Verbose all, else as many as a screen holds.
func Sweep(w io.Writer, r *sweep.Result, o Options) error {
	var b strings.Builder
	b.WriteString(partLine(r.Partial))
	fmt.Fprintf(&b, "%s; %s\n", spaceLine(r.Axes), report.CountOf(int64(len(r.Rows)), "prediction"))
	levels := sweepLevels(r)
	if n := len(r.Best); n > 0 && n < len(r.Rows) {
		fmt.Fprintf(&b, "\nleast time of each size:\n%s", sweepTable(r, r.Best, levels, o))
	}
	fmt.Fprintf(&b, "\nall points:\n%s", sweepTable(r, r.Rows, levels, o))
	_, err := io.WriteString(w, b.String())
	return err
}

// sweepTable shows rows, as many as a screen holds unless all are asked for.
func sweepTable(r *sweep.Result, rows []sweep.Row, levels []string, o Options) string {
	varied := variedAxes(r.Axes)
	t := &table{left: map[int]bool{0: true}}
	header := []string{"region"}
	for i, a := range r.Axes {
		if varied[i] {
			header = append(header, a.Name)
		}
	}
	for _, l := range levels {
		header = append(header, l+" hits")
	}
	t.left[len(header)+3] = true
	t.row(append(header, "time", "interval", "speed-up", "bound by")...)
	shown := rows
	if !o.Verbose && len(shown) > shortSweep {
		shown = shown[:shortSweep]
	}
	for _, row := range shown {
		t.row(sweepCells(r.Axes, row, varied, levels)...)
	}
	text := t.String()
	if n := len(rows) - len(shown); n > 0 {
		text += fmt.Sprintf("… and %s\n", report.CountOf(int64(n), "row"))
	}
	return text
}

// spaceLine says how many values the axes have.
func spaceLine(axes sweep.Space) string {
	var all []string
	for _, a := range axes {
		if len(a.Values) == 1 {
			all = append(all, a.Name+" "+a.Values[0])
		} else {
			all = append(all, fmt.Sprintf("%d × %s", len(a.Values), a.Name))
		}
	}
	return strings.Join(all, ", ")
}

// variedAxes are those with more than one value, or all where there is none.
func variedAxes(axes sweep.Space) []bool {
	out, any := make([]bool, len(axes)), false
	for i, a := range axes {
		out[i] = len(a.Values) > 1
		any = any || out[i]
	}
	for i := range out {
		out[i] = out[i] || !any
	}
	return out
}

// sweepLevels are the levels that any row has.
func sweepLevels(r *sweep.Result) (levels []string) {
	for _, row := range r.Rows {
		for _, h := range row.HitRates {
			levels = report.AppendNew(levels, h.Level)
		}
	}
	return levels
}

func sweepCells(axes sweep.Space, row sweep.Row, varied []bool, levels []string) []string {
	cells := []string{row.Region}
	for i, v := range row.At {
		if varied[i] {
			cells = append(cells, v)
		}
	}
	for _, l := range levels {
		rate, ok := row.Rate(l)
		cells = append(cells, report.Known(ok, report.Percent(rate)))
	}
	return append(cells, report.SecondsOr(row.TimeS), report.Interval(row.TimeLowS, row.TimeHighS), report.Speedup(row.Speedup), row.BoundBy)
}

// SweepCSV writes a record for each row, with a column for each axis.
func SweepCSV(w io.Writer, r *sweep.Result) error {
	levels := sweepLevels(r)
	header := []string{"region"}
	for _, a := range r.Axes {
		header = append(header, a.Name)
	}
	header = append(header, "accesses", "flops")
	for _, l := range levels {
		header = append(header, l+"_hit_rate")
	}
	records := [][]string{append(header, "time_s", "time_low_s", "time_high_s", "speedup", "bound_by")}
	for _, row := range r.Rows {
		record := append([]string{row.Region}, row.At...)
		record = append(record, integer(row.Accesses), integer(row.Flops))
		for _, l := range levels {
			cell := ""
			if rate, ok := row.Rate(l); ok {
				cell = report.Number(rate)
			}
			record = append(record, cell)
		}
		for _, v := range []*float64{row.TimeS, row.TimeLowS, row.TimeHighS, row.Speedup} {
			record = append(record, optional(v))
		}
		records = append(records, append(record, row.BoundBy))
	}
	return writeCSV(w, partColumn(r.Partial, records))
}
