package report

import (
	"fmt"

	"foresee/predict/rank"
)

// RankingText says in a sentence which machine is the fastest, how sure that is, and what is not known.
func RankingText(r *rank.Result) string {
	if len(r.Machines) == 0 || r.Machines[0].Rank == 0 {
		return "no machine has a time for all programs; what their files lack is named below."
	}
	first := &r.Machines[0]
	said := fmt.Sprintf("fastest: %s", first.Machine)
	if r.Against != first.Machine {
		said += fmt.Sprintf(", %s times as fast as %s", Speedup(first.Speed), r.Against)
	}
	sure, may := 0, 0
	for i := 1; i < len(r.Machines); i++ {
		e := &r.Machines[i]
		switch {
		case e.Rank == 0 || e.Speed != nil && *e.Speed > *first.SpeedAtWorst && len(e.Missing)+len(e.Assumed) > 0:
			may++
		case e.SpeedHigh != nil && *e.SpeedHigh < *first.SpeedLow:
			sure++
		}
	}
	if sure > 0 {
		said += fmt.Sprintf("; beyond its interval and theirs faster than %d of %d others", sure, len(r.Machines)-1)
	}
	if may > 0 {
		said += fmt.Sprintf("; %s may be faster, and lack values to tell", Plural(may, "other"))
	}
	return said + "."
}
