package text

import (
	"fmt"
	"io"
	"math"

	"foresee/report"
)

// much is the change of a quantity that is worth a mark.
const much = 0.1

// Drift writes a line for each quantity and a verdict.
func Drift(w io.Writer, d *report.Drift) error {
	t := &table{left: map[int]bool{0: true, 4: true}}
	t.row("quantity", "then", "now", "change", "")
	for _, v := range d.Values {
		flag := ""
		if math.Abs(v.Change) > much {
			flag = "!"
		}
		t.row(v.What, fmt.Sprintf("%.4g %s", v.Then, v.Unit), fmt.Sprintf("%.4g %s", v.Now, v.Unit), fmt.Sprintf("%+.1f %%", 100*v.Change), flag)
	}
	verdict := "the machine is as it was"
	switch {
	case d.Median > much:
		verdict = "the machine has changed, or is not the one that was measured: measure it again"
	case d.Worst > much:
		verdict = "most is as it was; lines with ! are not (other work on the machine is the usual cause)"
	}
	_, err := fmt.Fprintf(w, "%s\n%s: changes of %.1f %% in the median, %.1f %% at worst, n = %d\n", t, verdict, 100*d.Median, 100*d.Worst, len(d.Values))
	return err
}

// DriftCSV writes one record for each quantity.
func DriftCSV(w io.Writer, d *report.Drift) error {
	records := [][]string{{"what", "unit", "then", "now", "change", "spread"}}
	for _, v := range d.Values {
		records = append(records, []string{v.What, v.Unit, report.Number(v.Then), report.Number(v.Now), report.Number(v.Change), report.Number(v.Spread)})
	}
	return writeCSV(w, records)
}
