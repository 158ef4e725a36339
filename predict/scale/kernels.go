package scale

import (
	"cmp"
	"slices"
	"strings"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// costOf is the metric by which a set's functions are weighed: cycles, else instructions, of runs with profiles; empty without them.
func costOf(set *counters.Set) string {
	for _, metric := range []string{"cycles", "instructions"} {
		if set.Find(counters.WholeRun, metric) != nil {
			return metric
		}
	}
	return ""
}

// isFunction tells functions of profiles from the run and its parts.
func isFunction(callpath string) bool {
	return callpath != counters.WholeRun && !strings.HasPrefix(callpath, counters.WholeRun+"->")
}

// kernelsOf finds the functions that matter.
func kernelsOf(set *counters.Set, share float64) []Kernel {
	metric := costOf(set)
	costs := map[float64]map[string]float64{}
	for _, series := range set.Series {
		if metric == "" || series.Metric != metric || !isFunction(series.Callpath) {
			continue
		}
		for _, m := range series.Points {
			if costs[m.At[0]] == nil {
				costs[m.At[0]] = map[string]float64{}
			}
			costs[m.At[0]][series.Callpath] += m.Median()
		}
	}
	var runs []scaling.Cost
	for p, functions := range costs {
		runs = append(runs, scaling.Cost{Processes: p, Functions: functions})
	}
	if len(runs) == 0 {
		return nil
	}
	slices.SortFunc(runs, func(a, b scaling.Cost) int { return cmp.Compare(a.Processes, b.Processes) })
	processes := make([]float64, len(runs))
	for i, r := range runs {
		processes[i] = r.Processes
	}
	var out []Kernel
	for _, k := range scaling.Critical(runs, share) {
		out = append(out, Kernel{Name: k.Name, Shares: k.Shares, Processes: processes, Functions: k.Functions, Growing: k.Growing})
	}
	return out
}

// withRest puts all functions that are no kernels together, as the rest. What the largest over the ranks of such a sum is, is not known, so
// the rest has means alone. Sets without profiles stay as they are.
func withRest(set *counters.Set, kernels []Kernel) *counters.Set {
	if len(kernels) == 0 {
		return set
	}
	named := map[string]bool{}
	for _, k := range kernels {
		named[k.Name] = true
	}
	out := &counters.Set{Parameters: set.Parameters}
	rest := map[string]*counters.Series{}
	var metrics []string
	for _, series := range set.Series {
		if named[series.Callpath] || !isFunction(series.Callpath) {
			out.Series = append(out.Series, series)
			continue
		}
		if strings.HasSuffix(series.Metric, counters.MaxSuffix) {
			continue
		}
		if rest[series.Metric] == nil {
			rest[series.Metric] = &counters.Series{Callpath: scaling.Rest, Metric: series.Metric}
			metrics = append(metrics, series.Metric)
		}
		addTo(rest[series.Metric], series)
	}
	for _, metric := range metrics {
		slices.SortFunc(rest[metric].Points, func(a, b counters.Measurement) int { return slices.Compare(a.At, b.At) })
		out.Series = append(out.Series, *rest[metric])
	}
	return out
}

// addTo adds the medians of a series to a sum.
func addTo(sum *counters.Series, series counters.Series) {
	for _, m := range series.Points {
		at := slices.IndexFunc(sum.Points, func(s counters.Measurement) bool { return slices.Equal(s.At, m.At) })
		if at < 0 {
			sum.Points = append(sum.Points, counters.Measurement{At: m.At, Values: []float64{m.Median()}})
			continue
		}
		sum.Points[at].Values[0] += m.Median()
	}
}
