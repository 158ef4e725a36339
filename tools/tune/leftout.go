package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"foresee/accuracy"
	"foresee/accuracy/measurements"
	"foresee/model/scaling"
)

// leftOut is the table of errors with hyperparameters tuned without the application that is predicted, from round ones.
func leftOut(ctx context.Context, sets []measurements.Benchmark, steps int, seed uint64, progress func(done, total int)) (*accuracy.Table, error) {
	var applications []string
	for i := range sets {
		if a := sets[i].Application(); !slices.Contains(applications, a) {
			applications = append(applications, a)
		}
	}
	var lock sync.Mutex // of medians, inside and asked
	var done atomic.Int64
	medians := map[string]map[int]float64{} // by benchmark and k
	var inside, asked int
	var group errgroup.Group
	group.SetLimit(2) // each fits on all cores; the other one works while the last fit of a step is waited for
	for _, application := range applications {
		group.Go(func() error {
			var others []measurements.Benchmark
			for _, s := range sets {
				if s.Application() != application {
					others = append(others, s)
				}
			}
			prior := tune(ctx, others, scaling.DefaultHyperparameters(), steps, seed).Prior(1)
			for i := range sets {
				if sets[i].Application() != application {
					continue
				}
				found := map[int]float64{}
				var in, of int
				for _, k := range sets[i].Ks {
					out := sets[i].Run(k, measurements.Combined(prior))
					found[k] = out.Median()
					in, of = in+out.Inside, of+out.Asked
				}
				lock.Lock()
				medians[sets[i].Name] = found
				inside, asked = inside+in, asked+of
				lock.Unlock()
			}
			progress(int(done.Add(1)), len(applications))
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	t := leftOutTable(sets, medians, steps)
	t.Summary = append(t.Summary, fmt.Sprintf("intervals of 80 %% hold %.0f %% of the %d values", 100*float64(inside)/float64(max(asked, 1)), asked))
	return t, nil
}

// tried are the numbers of measured points that the table shows.
var tried = []int{3, 4, 5}

// leftOutTable shows the medians by benchmark and k, and their means.
func leftOutTable(sets []measurements.Benchmark, medians map[string]map[int]float64, evaluations int) *accuracy.Table {
	t := &accuracy.Table{
		Title:   "Scaling: each application predicted with a prior tuned on the others",
		Text:    fmt.Sprintf("As in the table of many applications, but the figures of the prior are tuned anew, from the round ones by %d random steps, on the sets of all other applications.", evaluations),
		Columns: []string{"set", "k = 3", "k = 4", "k = 5"},
	}
	sums, counts := map[int]float64{}, map[int]float64{}
	for i := range sets {
		row := []string{sets[i].Name}
		for _, k := range tried {
			v, there := medians[sets[i].Name][k]
			if !there {
				row = append(row, "")
				continue
			}
			sums[k], counts[k] = sums[k]+v, counts[k]+1
			row = append(row, fmt.Sprintf("%.1f", v))
		}
		t.Rows = append(t.Rows, row)
	}
	row := []string{"**mean**"}
	for _, k := range tried {
		row = append(row, fmt.Sprintf("**%.1f**", sums[k]/max(counts[k], 1)))
	}
	t.Rows = append(t.Rows, row)
	return t
}
