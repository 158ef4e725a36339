package report

import (
	"slices"

	"foresee/predict"
)

// group is one region on one machine at all thread counts.
type group struct {
	Region  string
	Machine string
	Rows    []predict.Prediction // by threads, as in the result
}

// groups keeps the order in which regions and machines come.
func groups(r *predict.PredictionResult) []group {
	type key struct{ region, machine string }
	index := map[key]int{}
	var all []group
	for _, p := range r.Predictions {
		k := key{p.Region, p.Machine}
		i, ok := index[k]
		if !ok {
			i = len(all)
			index[k] = i
			all = append(all, group{Region: p.Region, Machine: p.Machine})
		}
		all[i].Rows = append(all[i].Rows, p)
	}
	return all
}

// levels are the names of the levels with hit rates, innermost first.
func (g group) levels() []string {
	var names []string
	for _, p := range g.Rows {
		for _, h := range p.HitRates {
			names = appendNew(names, h.Level)
		}
	}
	return names
}

// termLevels are the levels that lines come from in any row, innermost first.
func (g group) termLevels() []string {
	var names []string
	for _, p := range g.Rows {
		if p.Terms == nil {
			continue
		}
		for _, l := range p.Terms.Levels {
			names = appendNew(names, l.Level)
		}
	}
	return names
}

func (g group) hasTime() bool {
	return slices.ContainsFunc(g.Rows, func(p predict.Prediction) bool { return p.TimeS != nil })
}

func (g group) hasTerms() bool {
	return slices.ContainsFunc(g.Rows, func(p predict.Prediction) bool { return p.Terms != nil })
}

func (g group) threads() []int {
	var all []int
	for _, p := range g.Rows {
		all = append(all, p.Threads)
	}
	return all
}

// hitRate returns the hit rate of a level, and false where the machine lacks it.
func hitRate(p predict.Prediction, level string) (predict.HitRate, bool) {
	for _, h := range p.HitRates {
		if h.Level == level {
			return h, true
		}
	}
	return predict.HitRate{}, false
}

// levelTime returns the time of the lines from a level.
func levelTime(t *predict.Terms, level string) (float64, bool) {
	if t == nil {
		return 0, false
	}
	for _, l := range t.Levels {
		if l.Level == level {
			return l.TimeS, true
		}
	}
	return 0, false
}

func appendNew[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}
