package text

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"foresee/advise"
	"foresee/report"
)

// AdviceOptions choose what of advice is shown.
type AdviceOptions struct {
	Patches bool // behind each change
}

// Advice writes, for each region, where its time goes and what to change, the largest gain first.
func Advice(w io.Writer, r *advise.Result, o AdviceOptions) error {
	var b strings.Builder
	for i, region := range r.Regions {
		if i > 0 {
			b.WriteString("\n")
		}
		fmt.Fprintf(&b, "%s on %s\n%s\n", region.Region, r.Machine, answer(&region))
		for _, c := range region.Causes {
			fmt.Fprintf(&b, "  %s\n", c)
		}
		b.WriteString(adviceTable(&region))
		for i, a := range region.Changes {
			adviceText(&b, strconv.Itoa(i+1), &a, o)
		}
		if region.Together != nil {
			adviceText(&b, "together", region.Together, o)
		}
		if len(region.Apart) > 0 {
			b.WriteString("\nno change of the source\n\n")
			for _, a := range region.Apart {
				fmt.Fprintf(&b, "  %s\n", a)
			}
		}
	}
	if len(r.Regions) == 0 {
		b.WriteString("nothing to advise on\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// answer is the line on top: the best that can be done.
func answer(r *advise.Region) string {
	best := r.Together
	if best == nil && len(r.Changes) > 0 {
		best = &r.Changes[0]
	}
	switch {
	case best == nil && r.Tried == 0:
		return "no change was found that gains without its loops being known"
	case best == nil:
		return fmt.Sprintf("no change of the source was found that gains, of %d tried", r.Tried)
	case r.Changes[0].Sharing && r.Changes[0].Patch != "":
		best = &r.Changes[0]
		return best.Title + ": ends false sharing, which the times leave out"
	case !best.Gains && r.Tried == 0:
		return "no change gains more than the noise"
	case !best.Gains:
		return fmt.Sprintf("no change of the source gains more than the noise, of %d tried", r.Tried)
	}
	last := best.After[len(best.After)-1]
	if e := best.Everywhere; e != nil {
		var names []string
		for _, x := range e.Others {
			names = append(names, x.Region)
		}
		return fmt.Sprintf("%s: %s times as fast with %s, %s instead of %s, together with %s, which it touches too", best.Title, report.Significant(best.Gain, 2), report.Plural(last.Threads, "thread"), report.Seconds(e.AfterS), report.Seconds(e.BeforeS), strings.Join(names, ", "))
	}
	return fmt.Sprintf("%s: %s times as fast with %s, %s instead of %s", best.Title, report.Significant(best.Gain, 2), report.Plural(last.Threads, "thread"), report.Seconds(last.TimeS), report.Seconds(r.Before[len(r.Before)-1].TimeS))
}

func adviceTable(r *advise.Region) string {
	if len(r.Changes) == 0 {
		return ""
	}
	t := &table{left: map[int]bool{1: true, 2: true}}
	header := []string{"", "change", "at"}
	for _, x := range r.Before {
		header = append(header, report.Plural(x.Threads, "thread"))
	}
	t.row(append(header, "gain", "interval")...)
	now := []string{"0", "as it stands", ""}
	for _, x := range r.Before {
		now = append(now, report.Seconds(x.TimeS))
	}
	t.row(now...)
	row := func(n string, a *advise.Advice) {
		cells := []string{n, a.Change, fmt.Sprintf("%s:%d", a.File, a.Line)}
		for _, x := range a.After {
			if a.Untimed {
				cells = append(cells, "–")
				continue
			}
			cells = append(cells, report.Seconds(x.TimeS))
		}
		if a.Untimed {
			t.row(append(cells, "–", "–")...)
			return
		}
		gain := report.Significant(a.Gain, 3)
		if !a.Gains {
			gain = "(" + gain + ")"
		}
		t.row(append(cells, gain, report.Significant(a.GainLow, 2)+" – "+report.Significant(a.GainHigh, 2))...)
	}
	for i := range r.Changes {
		row(strconv.Itoa(i+1), &r.Changes[i])
	}
	if r.Together != nil {
		row("+", r.Together)
	}
	return "\n" + t.String()
}

func adviceText(b *strings.Builder, n string, a *advise.Advice, o AdviceOptions) {
	fmt.Fprintf(b, "\n%s. %s:%d: %s\n   %s\n", n, a.File, a.Line, a.Title, a.Why)
	if a.Everywhere != nil {
		for _, x := range a.Everywhere.Others {
			fmt.Fprintf(b, "   %s uses the data too: %s → %s, %s; the gain is that of all together\n", x.Region, report.Seconds(x.BeforeS), report.Seconds(x.AfterS), becomes(x.AfterS/x.BeforeS))
		}
	}
	for _, c := range a.Conditions {
		fmt.Fprintf(b, "   only %s\n", c)
	}
	if a.Reorders {
		b.WriteString("   sums are added up in another order, and round otherwise\n")
	}
	if o.Patches {
		fmt.Fprintf(b, "\n%s", a.Patch)
	}
}

// becomes says what a ratio of times is.
func becomes(ratio float64) string {
	switch {
	case ratio > 1.005:
		return report.Significant(ratio, 3) + " times as long"
	case ratio < 0.995:
		return report.Significant(1/ratio, 3) + " times as fast"
	}
	return "as long as before"
}

// AdviceCSV writes one record for each change.
func AdviceCSV(w io.Writer, r *advise.Result) error {
	records := [][]string{{"region", "machine", "rank", "change", "title", "file", "line", "threads", "time_before_s", "time_after_s", "gain", "gain_low", "gain_high", "gains", "reorders", "conditions"}}
	for _, region := range r.Regions {
		record := func(rank string, a *advise.Advice) {
			for i, x := range a.After {
				records = append(records, []string{
					region.Region, r.Machine, rank, a.Change, a.Title, a.File, strconv.Itoa(a.Line), strconv.Itoa(x.Threads),
					report.Number(region.Before[i].TimeS), report.Number(x.TimeS), report.Number(region.Before[i].TimeS / x.TimeS),
					report.Number(a.GainLow), report.Number(a.GainHigh), strconv.FormatBool(a.Gains), strconv.FormatBool(a.Reorders), strings.Join(a.Conditions, "; "),
				})
			}
		}
		for i := range region.Changes {
			record(strconv.Itoa(i+1), &region.Changes[i])
		}
		if region.Together != nil {
			record("together", region.Together)
		}
	}
	return writeCSV(w, records)
}
