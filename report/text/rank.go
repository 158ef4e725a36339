package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"foresee/predict/rank"
	"foresee/report"
)

// Ranking writes the answer and a table of machines, the fastest first.
func Ranking(w io.Writer, r *rank.Result, o Options) error {
	var b strings.Builder
	b.WriteString(report.RankingText(r) + "\n\n")
	b.WriteString(rankTable(r, o).String())
	if len(r.Programs) > 1 {
		b.WriteString("\n" + programTable(r).String())
	}
	b.WriteString(lacking(r))
	if v := r.Inversions; v != nil {
		b.WriteString(inversionText(v))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// rankTable is a row for each machine.
func rankTable(r *rank.Result, o Options) *table {
	money, power := false, false
	for _, e := range r.Machines {
		money, power = money || e.PerEuro != nil, power || e.PerJoule != nil
	}
	t := &table{left: map[int]bool{1: true}}
	header := []string{"rank", "machine", "cores", "threads", "time", "speed", "interval", "at worst"}
	if money {
		header = append(header, "per €")
	}
	if power {
		header = append(header, "per J")
	}
	t.left[len(header)] = true
	t.row(append(header, "bound by")...)
	for _, e := range r.Machines {
		place := "–"
		if e.Rank > 0 {
			place = strconv.Itoa(e.Rank)
		}
		p := longest(&e)
		threads := "–"
		if p.Threads > 0 {
			threads = strconv.Itoa(p.Threads)
		}
		cells := []string{place, e.Machine, strconv.Itoa(e.Cores), threads, report.SecondsOr(p.TimeS), report.Speedup(e.Speed), rangeOf(e.SpeedLow, e.SpeedHigh), report.Speedup(e.SpeedAtWorst)}
		if money {
			cells = append(cells, report.Speedup(e.PerEuro))
		}
		if power {
			cells = append(cells, report.Speedup(e.PerJoule))
		}
		t.row(append(cells, p.BoundBy)...)
	}
	return t
}

// longest is the program that takes longest on a machine, by which threads and bound are shown.
func longest(e *rank.Entry) rank.Program {
	out := rank.Program{}
	for _, p := range e.Programs {
		if p.TimeS != nil && (out.TimeS == nil || *p.TimeS > *out.TimeS) {
			out = p
		}
	}
	return out
}

func rangeOf(low, high *float64) string {
	if low == nil || high == nil {
		return "–"
	}
	return report.Speedup(low) + " – " + report.Speedup(high)
}

// programTable is the times of several programs.
func programTable(r *rank.Result) *table {
	t := &table{left: map[int]bool{0: true}}
	t.row(append([]string{"time of"}, r.Programs...)...)
	for _, e := range r.Machines {
		cells := []string{e.Machine}
		for _, p := range e.Programs {
			cell := report.SecondsOr(p.TimeS)
			if p.Threads > 0 {
				cell += fmt.Sprintf(" (%d)", p.Threads)
			}
			cells = append(cells, cell)
		}
		t.row(cells...)
	}
	return t
}

// lacking says what files lack that times turn on.
func lacking(r *rank.Result) string {
	var b strings.Builder
	for _, e := range r.Machines {
		var said []string
		if len(e.Missing) > 0 {
			said = append(said, "lacks "+strings.Join(e.Missing, ", "))
		}
		if len(e.Assumed) > 0 {
			said = append(said, "has from a relative "+strings.Join(e.Assumed, ", "))
		}
		if len(said) > 0 {
			b.WriteString("  " + e.Machine + " " + strings.Join(said, "; ") + "\n")
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\nranked at worst, with the worst value of the others in place of each that is lacking:\n" + b.String()
}

// inversionText compares with measured times.
func inversionText(v *rank.Inversions) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\nagainst measured times: %d of %s of machines in the wrong order; times off by %.1f %% in the mean (n = %d)\n", v.Inverted, report.CountOf(int64(v.Pairs), "pair"), 100*v.MeanError, v.Times)
	for _, p := range v.Of {
		fmt.Fprintf(&b, "  %s: %s was faster than %s by %.1f %%, predicted %.1f %% slower\n", p.Program, p.Faster, p.Slower, 100*(p.MeasuredRatio-1), 100*(1/p.PredictedRatio-1))
	}
	return b.String()
}

// RankingCSV writes a record for each machine and program.
func RankingCSV(w io.Writer, r *rank.Result) error {
	records := [][]string{{"rank", "machine", "cores", "speed", "speed_low", "speed_high", "speed_at_worst", "price_eur", "watts", "per_euro", "per_joule", "program", "time_s", "low_s", "high_s", "at_worst_s", "threads", "bound_by", "missing", "assumed"}}
	for _, e := range r.Machines {
		place := ""
		if e.Rank > 0 {
			place = strconv.Itoa(e.Rank)
		}
		record := []string{place, e.Machine, strconv.Itoa(e.Cores)}
		for _, v := range []*float64{e.Speed, e.SpeedLow, e.SpeedHigh, e.SpeedAtWorst, e.PriceEUR, e.Watts, e.PerEuro, e.PerJoule} {
			record = append(record, optional(v))
		}
		for _, p := range e.Programs {
			records = append(records, append(record[:len(record):len(record)], p.Program, optional(p.TimeS), optional(p.LowS), optional(p.HighS), optional(p.AtWorstS),
				strconv.Itoa(p.Threads), p.BoundBy, strings.Join(e.Missing, " "), strings.Join(e.Assumed, " ")))
		}
	}
	return writeCSV(w, records)
}
