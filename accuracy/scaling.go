package accuracy

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"foresee/accuracy/measurements"
	"foresee/model/scaling"
)

// Scaling measures predictions at more processes and on larger problems than were measured.
func Scaling(ctx context.Context, o Options) (*Section, error) {
	s := &Section{Name: "scaling"}
	if o.Data == "" {
		s.Notes = append(s.Notes, "Of the sets of measured applications only those are here whose licence lets foresee carry them; --data FOLDER reads all.")
	}
	sets, err := measurements.Benchmarks(o.Data)
	if err != nil {
		return nil, err
	}
	s.Tables = append(s.Tables, protocol(sets))
	s.Tables = append(s.Tables, laws(o))
	for _, table := range []func(context.Context, Options) (*Table, error){sizes, simulatedKernels, collectives, recordedPrograms, lammpsCounters, messageCounts} {
		t, err := table(ctx, o)
		if err != nil {
			return nil, err
		}
		if t != nil {
			s.Tables = append(s.Tables, t)
		}
	}
	return s, nil
}

// method predicts all series of a set, fitted to their first points.
type method struct {
	name string
	fit  func(series []*scaling.Series) []scaling.Model // nil models are counted as failures
}

// single makes a method of one that fits each series by itself.
func single(fit func(*scaling.Series) (scaling.Model, error)) func([]*scaling.Series) []scaling.Model {
	return func(series []*scaling.Series) []scaling.Model {
		out := make([]scaling.Model, len(series))
		for i, s := range series {
			if m, err := fit(s); err == nil {
				out[i] = m
			}
		}
		return out
	}
}

// perProcess is a function of the work per process, 1/p of one problem.
type perProcess struct{ *scaling.Function }

func (f perProcess) At(at []float64) scaling.Prediction {
	return f.Function.At([]float64{1 / at[0]})
}

// published fits the functions that APMT tries, over x of the number of processes.
func published(x func(p float64) float64, wrap func(*scaling.Function) scaling.Model) func(*scaling.Series) (scaling.Model, error) {
	return func(s *scaling.Series) (scaling.Model, error) {
		xs := make([]float64, len(s.Y))
		for i, at := range s.At {
			xs[i] = x(at[0])
		}
		f, err := scaling.FitFunction(xs, s.Y)
		if err != nil {
			return nil, err
		}
		return wrap(f), nil
	}
}

// methods are those that are compared: foresee's first, then the baselines and published models. APMT is fitted over p, and over D/p as the paper has
// it, D the same in all runs; Nan's a·D/p + b is then Amdahl's law.
func methods() []method {
	return []method{
		{"foresee", measurements.Combined(scaling.DefaultPrior(1))},
		{"power law", single(func(s *scaling.Series) (scaling.Model, error) { return scaling.FitPowerLaw(s) })},
		{"time × p", single(func(s *scaling.Series) (scaling.Model, error) { return scaling.FitTimesP(s) })},
		{"Amdahl, Nan", single(func(s *scaling.Series) (scaling.Model, error) { return scaling.FitAmdahl(s) })},
		{"Worley", single(func(s *scaling.Series) (scaling.Model, error) { return scaling.FitWorley(s) })},
		{"own alone", measurements.Own(scaling.DefaultPrior(1))},
		{"median of three", medianOfThree},
		{"APMT, of p", single(published(func(p float64) float64 { return p }, func(f *scaling.Function) scaling.Model { return f }))},
		{"APMT, of D/p", single(published(func(p float64) float64 { return 1 / p }, func(f *scaling.Function) scaling.Model { return perProcess{f} }))},
	}
}

// middle is the median of models, without an interval.
type middle []scaling.Model

func (m middle) At(at []float64) scaling.Prediction {
	var values []float64
	for _, one := range m {
		values = append(values, scaling.ValueOf(one, at))
	}
	slices.Sort(values)
	return scaling.Prediction{Value: values[len(values)/2], Low: math.NaN(), High: math.NaN()}
}

func (m middle) Formula() string { return "the median of several models" }

// medianOfThree is the plain median of foresee's own model, Amdahl's law and the power law.
func medianOfThree(series []*scaling.Series) []scaling.Model {
	out := measurements.Own(scaling.DefaultPrior(1))(series)
	for i, s := range series {
		amdahl, err := scaling.FitAmdahl(s)
		power, powerErr := scaling.FitPowerLaw(s)
		if err == nil && powerErr == nil && out[i] != nil {
			out[i] = middle{out[i], amdahl, power}
		}
	}
	return out
}

// protocol is the table of all sets: k smallest numbers of processes fitted, all larger ones predicted.
func protocol(sets []measurements.Benchmark) *Table {
	all := methods()
	t := &Table{
		Title:   "Scaling: many applications, few small runs",
		Text:    fmt.Sprintf("Measured times, cycles, calls and bytes of applications at growing numbers of processes. Of each series the k smallest runs are fitted and all larger ones predicted; a figure is the median of the absolute errors over a set in percent, each cut off at %d. foresee has a prior of round figures; the table of priors tuned on the others shows that tuning does no better. foresee is its own model combined with Amdahl's law and a power law by their past errors.", measurements.TooLarge),
		Columns: []string{"set", "k", "values"},
	}
	for _, m := range all {
		t.Columns = append(t.Columns, m.name)
	}
	means, counts := map[int][]float64{}, map[int]int{}
	compared, inside, asked := 0, map[int]int{}, map[int]int{}
	better := make([]int, len(all))
	sums := map[string][]float64{}
	for _, k := range []int{3, 4, 5} {
		for i := range sets {
			if !slices.Contains(sets[i].Ks, k) {
				continue
			}
			row, medians := []string{sets[i].Name, fmt.Sprint(k)}, make([]float64, len(all))
			for j, m := range all {
				o := sets[i].Run(k, m.fit)
				if j == 0 {
					row = append(row, fmt.Sprint(len(o.Errors)))
					inside[k], asked[k] = inside[k]+o.Inside, asked[k]+o.Asked
				}
				medians[j] = o.Median()
				row = append(row, fmt.Sprintf("%.1f", medians[j]))
			}
			if means[k] == nil {
				means[k] = make([]float64, len(all))
			}
			for j, v := range medians {
				means[k][j] += v
			}
			counts[k]++
			compared++
			for j, v := range medians {
				if medians[0] <= v {
					better[j]++
				}
			}
			if sums[sets[i].Name] == nil {
				sums[sets[i].Name] = make([]float64, len(all))
			}
			for j, v := range medians {
				sums[sets[i].Name][j] += v
			}
			t.Rows = append(t.Rows, row)
		}
	}
	for _, k := range []int{3, 4, 5} {
		if counts[k] == 0 {
			continue
		}
		row := []string{"**mean**", fmt.Sprint(k), fmt.Sprintf("%d sets", counts[k])}
		for _, v := range means[k] {
			row = append(row, fmt.Sprintf("**%.1f**", v/float64(counts[k])))
		}
		t.Rows = append(t.Rows, row)
	}
	t.Summary = append(t.Summary,
		fmt.Sprintf("no worse than the power law in %d of %d cases, than time × p in %d; in the mean over its k, of %d sets no worse in %d and %d", better[1], compared, better[2], len(sums), noWorse(sums, 1), noWorse(sums, 2)),
		fmt.Sprintf("intervals of 80 %% hold %s", heldByPoints(inside, asked)))
	return t
}

// heldByPoints says how many values intervals held, by the number of fitted points.
func heldByPoints(inside, asked map[int]int) string {
	var parts []string
	in, all := 0, 0
	for _, k := range slices.Sorted(maps.Keys(asked)) {
		parts = append(parts, fmt.Sprintf("%.0f %% of %d from k = %d", 100*float64(inside[k])/float64(asked[k]), asked[k], k))
		in, all = in+inside[k], all+asked[k]
	}
	return fmt.Sprintf("%.0f %% of the %d values: %s", 100*float64(in)/float64(all), all, strings.Join(parts, ", "))
}

// noWorse counts the sets whose first mean is not above that of method j.
func noWorse(sums map[string][]float64, j int) int {
	n := 0
	for _, means := range sums {
		if means[0] <= means[j] {
			n++
		}
	}
	return n
}
