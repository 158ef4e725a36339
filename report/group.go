package report

import (
	"slices"

	"foresee/predict"
)

// Group is one region on one machine at all thread counts.
type Group struct {
	Region  string
	Machine string
	Rows    []predict.Prediction // by threads, as in the result
}

// Groups keeps the order in which regions and machines come.
func Groups(r *predict.PredictionResult) []Group {
	type key struct{ region, machine string }
	index := map[key]int{}
	var all []Group
	for _, p := range r.Predictions {
		k := key{p.Region, p.Machine}
		i, ok := index[k]
		if !ok {
			i = len(all)
			index[k] = i
			all = append(all, Group{Region: p.Region, Machine: p.Machine})
		}
		all[i].Rows = append(all[i].Rows, p)
	}
	return all
}

// Levels are the names of the levels with hit rates, innermost first.
func (g Group) Levels() []string {
	var names []string
	for _, p := range g.Rows {
		for _, h := range p.HitRates {
			names = AppendNew(names, h.Level)
		}
	}
	return names
}

// TermLevels are the levels that lines come from in any row, innermost first.
func (g Group) TermLevels() []string {
	var names []string
	for _, p := range g.Rows {
		if p.Terms == nil {
			continue
		}
		for _, l := range p.Terms.Levels {
			names = AppendNew(names, l.Level)
		}
	}
	return names
}

// HasTime tells whether any row has a time.
func (g Group) HasTime() bool {
	return slices.ContainsFunc(g.Rows, func(p predict.Prediction) bool { return p.TimeS != nil })
}

// HasTerms tells whether any row says what its time is made of.
func (g Group) HasTerms() bool {
	return slices.ContainsFunc(g.Rows, func(p predict.Prediction) bool { return p.Terms != nil })
}

// Threads are the thread counts of the rows.
func (g Group) Threads() []int {
	var all []int
	for _, p := range g.Rows {
		all = append(all, p.Threads)
	}
	return all
}

// HitRate returns the hit rate of a level, and false where the machine lacks it.
func HitRate(p predict.Prediction, level string) (predict.HitRate, bool) {
	for _, h := range p.HitRates {
		if h.Level == level {
			return h, true
		}
	}
	return predict.HitRate{}, false
}

// LevelTime returns the time of the lines from a level.
func LevelTime(t *predict.Terms, level string) (float64, bool) {
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

// AppendNew appends a value that the list does not hold yet.
func AppendNew[T comparable](list []T, v T) []T {
	if slices.Contains(list, v) {
		return list
	}
	return append(list, v)
}
