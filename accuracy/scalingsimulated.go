package accuracy

import (
	"context"
	"fmt"
	"strings"

	"foresee/accuracy/measurements"
	"foresee/application/counters"
	"foresee/model/scaling"
	"foresee/predict/scale"
)

// simulatedKernels is the table of kernels that ran in SimGrid's simulated time.
func simulatedKernels(ctx context.Context, _ Options) (*Table, error) {
	t := &Table{
		Title: "Scaling: kernels in simulated time",
		Text: "Four kernels of MPI programs in the simulated time of SimGrid SMPI (accuracy/measurements/smpi/smpi_kernels.c) and the part of it that the slowest rank spends in messages, each problem of one size in all, " +
			"predicted with foresee scale --holdout 4: fitted on 1, 2, 4, 8 and 16 ranks. Errors in percent.",
		Columns: []string{"series", "32 ranks", "64", "128", "256", "in the interval", "power law, 256", "time × p, 256"},
	}
	set, err := measurements.Read("", "smpi/smpi_kernels.jsonl")
	if err != nil {
		return nil, err
	}
	const held = 4
	r, err := scale.Predict(ctx, set, scale.Options{HoldOut: held})
	if err != nil {
		return nil, err
	}
	var all, whole, power, timesP Errors
	for _, s := range set.Series {
		row, inside := []string{s.Callpath}, 0
		for _, h := range r.HeldOut {
			if h.Callpath != s.Callpath {
				continue
			}
			if h.Inside {
				inside++
			}
			all.Add(h.Callpath, 100*h.Error)
			row = append(row, fmt.Sprintf("%.1f", 100*h.Error))
			if len(row) == 1+held && !strings.Contains(s.Callpath, "->") {
				whole.Add(h.Callpath, 100*h.Error)
			}
		}
		row = append(row, fmt.Sprintf("%d of %d", inside, held))
		if strings.Contains(s.Callpath, "->") { // next to nothing on one rank: no law of the other two
			t.Rows = append(t.Rows, append(row, "–", "–"))
			continue
		}
		known := s
		known.Points = s.Points[:len(s.Points)-held]
		last := s.Points[len(s.Points)-1]
		of := func(m scaling.Model) float64 { return 100 * scaling.Error(m.At(last.At).Value, last.Median()) }
		law, times, err := baselines(set.Parameters, known)
		if err != nil {
			return nil, err
		}
		power.Add(s.Callpath, of(law))
		timesP.Add(s.Callpath, of(times))
		t.Rows = append(t.Rows, append(row, fmt.Sprintf("%.1f", of(law)), fmt.Sprintf("%.1f", of(times))))
	}
	t.Summary = []string{
		all.line("all, %", "%.1f") + fmt.Sprintf(", median %.1f", all.Quantile(0.5)),
		whole.line("whole kernels on 256 ranks, %", "%.1f"),
		power.line("the same, power law, %", "%.1f"),
		timesP.line("the same, time × p, %", "%.1f"),
	}
	return t, nil
}

// baselines are the power law and the time × P form of a series.
func baselines(parameters []string, s counters.Series) (law, times scaling.Model, err error) {
	series, err := scaling.NewSeries(parameters, s)
	if err != nil {
		return nil, nil, err
	}
	if law, err = scaling.FitPowerLaw(series); err != nil {
		return nil, nil, err
	}
	times, err = scaling.FitTimesP(series)
	return law, times, err
}
