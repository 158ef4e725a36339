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

// costsOf are the costs of a set's functions, by ascending first parameter.
func costsOf(set *counters.Set) []scaling.Cost {
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
	slices.SortFunc(runs, func(a, b scaling.Cost) int { return cmp.Compare(a.Processes, b.Processes) })
	return runs
}

// kernelsOf finds the functions that matter.
func kernelsOf(set *counters.Set, share, cover float64) []Kernel {
	runs := costsOf(set)
	if len(runs) == 0 {
		return nil
	}
	processes := make([]float64, len(runs))
	for i, r := range runs {
		processes[i] = r.Processes
	}
	var out []Kernel
	for _, k := range scaling.Critical(runs, share, cover) {
		out = append(out, Kernel{Name: k.Name, Shares: k.Shares, Processes: processes, Functions: k.Functions, Growing: k.Growing})
	}
	return out
}

// ownModel is the share of the cost from which on a function of the rest has a model of its own: the rest is their sum, as functions that
// follow different laws together follow none. Chosen: a thousandth.
const ownModel = 0.001

// restPart is the callpath of a function of the rest.
const restPart = scaling.Rest + "->"

// notable are the functions with a share of the cost that is worth a model.
func notable(set *counters.Set) map[string]bool {
	out := map[string]bool{}
	for _, r := range costsOf(set) {
		total := 0.0
		for _, v := range r.Functions {
			total += v
		}
		for name, v := range r.Functions {
			if v >= ownModel*total {
				out[name] = true
			}
		}
	}
	return out
}

// withRest puts all functions that are no kernels together, as the rest, and below it those worth a model, and all others as one. What the
// largest over the ranks of such a sum is, is not known, so the rest has means alone. Sets without profiles stay as they are.
func withRest(set *counters.Set, kernels []Kernel, notable map[string]bool) *counters.Set {
	if len(kernels) == 0 {
		return set
	}
	named := map[string]bool{}
	for _, k := range kernels {
		named[k.Name] = true
	}
	out := &counters.Set{Parameters: set.Parameters, Reuse: set.Reuse}
	sums := map[string]*counters.Series{}
	var order []string
	add := func(callpath string, series counters.Series) {
		key := callpath + " " + series.Metric
		if sums[key] == nil {
			sums[key], order = &counters.Series{Callpath: callpath, Metric: series.Metric}, append(order, key)
		}
		addTo(sums[key], series)
	}
	for _, series := range set.Series {
		switch {
		case named[series.Callpath] || !isFunction(series.Callpath) || isRegionOf(set, series.Callpath):
			out.Series = append(out.Series, series)
		case strings.HasSuffix(series.Metric, counters.MaxSuffix):
		case notable[series.Callpath]:
			add(scaling.Rest, series)
			add(restPart+series.Callpath, series)
		default:
			add(scaling.Rest, series)
			add(restPart+scaling.Small, series)
		}
	}
	for _, key := range order {
		slices.SortFunc(sums[key].Points, func(a, b counters.Measurement) int { return slices.Compare(a.At, b.At) })
		out.Series = append(out.Series, *sums[key])
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
