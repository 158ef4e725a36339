package text

import (
	"fmt"
	"io"
	"strconv"

	"foresee/predict/replay"
	"foresee/report"
)

// mostCalls is how many functions the table shows; the other forms have all.
const mostCalls = 12

// Replay shows how long a program takes on a cluster, and where the time goes.
func Replay(w io.Writer, r *replay.Result, o Options) error {
	text := fmt.Sprintf("%s on %s of %s, %s on each: %s\n", report.Plural(r.Ranks, "rank"), report.Plural(r.Nodes, "node"), r.Cluster,
		strconv.Itoa(r.RanksPerNode), report.Seconds(r.Seconds))
	if c := r.Carried; c != nil {
		text += fmt.Sprintf("carried on from a recording of %s: a grid of %s to one of %s\n", report.Plural(c.Recorded, "rank"), c.From, c.To)
	}
	text += scaledText(r) + "\n" + splitsText(r, o)
	t := &table{left: map[int]bool{0: true}}
	t.row("time", "mean of a rank", "share of time")
	for _, one := range []struct {
		name  string
		value float64
	}{
		{"computing", r.Mean.Compute},
		{"messages and collectives", r.Mean.Transfer},
		{"waiting for others in them", r.Mean.Waiting},
		{"ended before the last", r.Mean.Idle},
	} {
		t.row(one.name, report.Seconds(one.value), share(one.value, r.Seconds))
	}
	text += t.String() + "\n" + callsText(r, o)
	text += fmt.Sprintf("\nload balance: the rank that computes longest computes %s times the mean\n", report.Significant(r.Imbalance, 3))
	_, err := io.WriteString(w, text)
	return err
}

// scaledText says by what computing was scaled, and the interval that follows.
func scaledText(r *replay.Result) (text string) {
	if r.LowSeconds != nil && r.HighSeconds != nil {
		text = fmt.Sprintf("between %s and %s\n", report.Seconds(*r.LowSeconds), report.Seconds(*r.HighSeconds))
	}
	s := r.Scaled
	if s == nil {
		return text
	}
	team := func(t replay.Team) string {
		return fmt.Sprintf("%s of %s on %s, %s", report.Plural(t.Ranks, "rank"), report.Plural(t.Threads, "thread"), t.Machine, report.Seconds(t.TimeS))
	}
	return text + fmt.Sprintf("computing takes %s times as long (%s to %s), as %s: %s there, %s where it was recorded\n",
		report.Significant(s.Factor, 3), report.Significant(s.Low, 3), report.Significant(s.High, 3), s.Program, team(s.There), team(s.Recorded))
}

// splitsText shows how a node may be split.
func splitsText(r *replay.Result, o Options) string {
	if len(r.Splits) == 0 {
		return ""
	}
	t := &table{left: map[int]bool{4: true}}
	t.row("ranks of a node", "threads of each", "ranks", "time", "between")
	for _, d := range r.Splits[:min(len(r.Splits), mostCalls)] {
		time, between := "–", d.Why
		if d.Seconds != nil {
			time, between = report.Seconds(*d.Seconds), ""
		}
		if d.LowSeconds != nil && d.HighSeconds != nil {
			between = report.Seconds(*d.LowSeconds) + " to " + report.Seconds(*d.HighSeconds)
		}
		t.row(strconv.Itoa(d.Ranks), strconv.Itoa(d.Threads), strconv.Itoa(d.AllRanks), time, between)
	}
	text := "the best split of a node:\n" + t.String()
	if rest := len(r.Splits) - mostCalls; rest > 0 {
		text += fmt.Sprintf("and %s; %s\n", report.Plural(rest, "more split"), o.More)
	}
	return text + "\n"
}

func share(part, whole float64) string {
	if whole == 0 {
		return "–"
	}
	return report.Percent(part / whole)
}

func callsText(r *replay.Result, o Options) string {
	if len(r.Calls) == 0 {
		return ""
	}
	t := &table{left: map[int]bool{0: true}}
	t.row("function", "mean of a rank", "most of a rank", "of the mean waiting", "share of time")
	for _, c := range r.Calls[:min(len(r.Calls), mostCalls)] {
		t.row(c.Call, report.Seconds(c.Mean), report.Seconds(c.Max), report.Seconds(c.Waiting), share(c.Mean, r.Seconds))
	}
	text := t.String()
	if rest := len(r.Calls) - mostCalls; rest > 0 {
		text += fmt.Sprintf("and %s; %s\n", report.Plural(rest, "more function"), o.More)
	}
	return text
}

// ReplayCSV has a line for each rank.
func ReplayCSV(w io.Writer, r *replay.Result) error {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	records := [][]string{{"cluster", "rank", "time_s", "compute_s", "mpi_s", "waiting_s", "idle_s"}}
	for _, one := range r.ByRank {
		records = append(records, []string{r.Cluster, strconv.Itoa(one.Rank), number(one.Seconds), number(one.Compute), number(one.MPI), number(one.Waiting), number(one.Idle)})
	}
	return writeCSV(w, records)
}
