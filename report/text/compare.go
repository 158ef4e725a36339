package text

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"foresee/predict/compare"
	"foresee/report"
)

// Comparison writes the answer, and tables of times, terms and misses side by side.
func Comparison(w io.Writer, r *compare.Result, o Options) error {
	var b strings.Builder
	fmt.Fprintf(&b, "A: %s\nB: %s\n\n", r.A, r.B)
	shown := len(r.Pairs)
	if !o.All {
		shown = min(shown, report.MostLines)
	}
	for i := range r.Pairs[:shown] {
		b.WriteString(report.PairText(&r.Pairs[i]) + "\n")
	}
	if left := len(r.Pairs) - shown; left > 0 {
		fmt.Fprintf(&b, "… and %s%s\n", report.CountOf(int64(left), "pair"), o.more())
	}
	if len(r.Pairs) == 0 {
		b.WriteString("nothing to compare: both sides have no region, machine and number of threads in common\n")
	}
	if !o.All {
		shown = min(shown, mostGroups)
	}
	for i := range r.Pairs[:shown] {
		b.WriteString("\n" + pairTables(&r.Pairs[i]))
	}
	for _, x := range r.Alone {
		b.WriteString("\n" + x)
	}
	if len(r.Unread) > 0 {
		b.WriteString("\nnot compared, as neither side can be read: " + strings.Join(r.Unread, ", "))
	}
	if len(r.Alone)+len(r.Unread) > 0 {
		b.WriteString("\n")
	}
	if o.Judged {
		b.WriteString(verdict(r))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// pairTables are the times and misses of one pair.
func pairTables(p *compare.Pair) string {
	var b strings.Builder
	b.WriteString(report.PairName(p) + "\n\n")
	t := &table{left: map[int]bool{0: true}}
	t.row("", "A", "B", "B − A")
	t.row("accesses", report.Count(p.A.Accesses), report.Count(p.B.Accesses), signedCount(p.B.Accesses-p.A.Accesses))
	t.row("flops", report.Count(p.A.Flops), report.Count(p.B.Flops), signedCount(p.B.Flops-p.A.Flops))
	if p.Ratio != nil {
		t.row("time", report.Seconds(*p.A.TimeS), report.Seconds(*p.B.TimeS), signedSeconds(*p.B.TimeS-*p.A.TimeS))
		t.row("bound by", p.A.BoundBy, p.B.BoundBy, "")
	}
	for _, x := range p.Terms {
		if x.AS == 0 && x.BS == 0 {
			continue
		}
		name := x.Term
		if name != "compute" && name != "parallel" {
			name = "from " + name
		}
		t.row("  "+name, report.Seconds(x.AS), report.Seconds(x.BS), signedSeconds(x.BS-x.AS))
	}
	b.WriteString(t.String())
	if len(p.Levels) == 0 {
		return b.String()
	}
	t = &table{left: map[int]bool{0: true, 4: true}}
	t.row("misses", "A", "B", "change", "most by")
	for i := range p.Levels {
		l := &p.Levels[i]
		most := ""
		if l.Array != "" {
			most = strings.TrimSpace(fmt.Sprintf("%s: %s → %s  %s %s", l.Array, report.Count(l.ArrayA), report.Count(l.ArrayB), l.Access, l.Place))
		}
		t.row(l.Level, report.Count(l.A), report.Count(l.B), report.ChangeOf(l), most)
	}
	return b.String() + "\n" + t.String()
}

func signedCount(n int64) string {
	if n > 0 {
		return "+" + report.Count(n)
	}
	return report.Count(n)
}

func signedSeconds(s float64) string {
	switch {
	case s == 0:
		return "0 s"
	case math.Abs(s) < 1e-9:
		return "± < 1 ns"
	case s < 0:
		return "−" + report.Seconds(-s)
	}
	return "+" + report.Seconds(s)
}

// verdict says what is worse; nothing where nothing was judged and nothing is worse.
func verdict(r *compare.Result) string {
	if !r.Worse {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\nworse by more than %s %%\n", strconv.FormatFloat(100*r.Judge.Above, 'g', -1, 64))
	for i := range r.Pairs {
		p := &r.Pairs[i]
		for _, f := range p.Findings {
			what := "time"
			if f.What == compare.Misses {
				what = "misses of " + f.Level
			}
			by := "none before"
			if f.Ratio > 0 {
				by = "× " + strconv.FormatFloat(f.Ratio, 'f', 3, 64)
			}
			fmt.Fprintf(&b, "  %s: %s %s\n", report.PairName(p), what, by)
		}
	}
	return b.String()
}

// ComparisonCSV writes a record for each pair.
func ComparisonCSV(w io.Writer, r *compare.Result) error {
	var levels []string
	for _, p := range r.Pairs {
		for _, l := range p.Levels {
			levels = report.AppendNew(levels, l.Level)
		}
	}
	header := []string{"region_a", "region_b", "machine_a", "machine_b", "threads_a", "threads_b", "time_a_s", "time_b_s", "ratio", "ratio_low", "ratio_high"}
	for _, l := range levels {
		header = append(header, l+"_misses_a", l+"_misses_b")
	}
	records := [][]string{append(header, "worse")}
	for i := range r.Pairs {
		records = append(records, pairRecord(&r.Pairs[i], levels))
	}
	return writeCSV(w, records)
}

// pairRecord is a line of CSV.
func pairRecord(p *compare.Pair, levels []string) []string {
	record := []string{p.A.Region, p.B.Region, p.A.Machine, p.B.Machine, strconv.Itoa(p.A.Threads), strconv.Itoa(p.B.Threads)}
	for _, v := range []*float64{p.A.TimeS, p.B.TimeS, p.Ratio, p.RatioLow, p.RatioHigh} {
		record = append(record, optional(v))
	}
	for _, name := range levels {
		a, b := "", ""
		for _, l := range p.Levels {
			if l.Level == name {
				a, b = integer(l.A), integer(l.B)
			}
		}
		record = append(record, a, b)
	}
	var worse []string
	for _, f := range p.Findings {
		worse = append(worse, strings.TrimSpace(f.What+" "+f.Level))
	}
	return append(record, strings.Join(worse, "; "))
}
