// Package answer sums predictions up: with how many threads a region is fastest, how few do nearly as well, from where on what bounds it, and which array
// is to blame. Times are in seconds, shares of 1; nothing is computed anew.
package answer

import (
	"slices"

	"foresee/predict"
)

// Of sums predictions up, without words; nil where there are none, or of several sizes, of which each would have an answer of its own.
func Of(r *predict.PredictionResult) *predict.Answer {
	if len(r.Predictions) == 0 || r.Predictions[0].Size != nil {
		return nil
	}
	type key struct{ region, machine string }
	rows := map[key][]predict.Prediction{}
	var order []key
	for _, p := range r.Predictions {
		k := key{p.Region, p.Machine}
		if rows[k] == nil {
			order = append(order, k)
		}
		rows[k] = append(rows[k], p)
	}
	out := &predict.Answer{}
	for _, k := range order {
		out.Regions = append(out.Regions, OfRegion(rows[k]))
	}
	return out
}

// OfRegion sums up the predictions of one region on one machine, by number of threads.
func OfRegion(rows []predict.Prediction) predict.RegionAnswer {
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b predict.Prediction) int { return a.Threads - b.Threads })
	out := predict.RegionAnswer{Region: rows[0].Region, Machine: rows[0].Machine}
	for _, p := range rows {
		out.Threads = append(out.Threads, p.Threads)
	}
	best := Best(rows)
	if best < 0 {
		out.Level, out.Array, out.ArrayShare = farthest(&rows[len(rows)-1])
		return out
	}
	p := &rows[best]
	out.BestThreads, out.BestTimeS, out.BoundBy = p.Threads, *p.TimeS, p.BoundBy
	for _, q := range rows {
		if q.TimeS != nil && *q.TimeS*predict.Enough <= *p.TimeS {
			out.EnoughThreads = q.Threads
			break
		}
	}
	from := best
	for from > 0 && rows[from-1].TimeS != nil && rows[from-1].BoundBy == p.BoundBy {
		from--
	}
	out.BoundFrom = rows[from].Threads
	if from > 0 {
		out.BoundBefore = rows[from-1].BoundBy
	}
	out.Level = Slowest(p)
	out.Array, out.ArrayShare = Culprit(p, out.Level)
	return out
}

// asFast is the share by which times may differ that are as good as equal. Chosen: the noise of sampling.
const asFast = 0.002

// Best is the place of the prediction with the least time, the first of those as good as equal; −1 where there is no time.
func Best(rows []predict.Prediction) int {
	best := -1
	for i, p := range rows {
		if p.TimeS != nil && (best < 0 || *p.TimeS < (1-asFast)**rows[best].TimeS) {
			best = i
		}
	}
	return best
}

// Slowest is the level whose lines take most time: what bounds the prediction, where a level does.
func Slowest(p *predict.Prediction) string {
	if p.Terms == nil {
		return ""
	}
	level, most := "", 0.0
	for _, l := range p.Terms.Levels {
		if l.Level == p.BoundBy {
			return l.Level
		}
		if l.TimeS > most {
			level, most = l.Level, l.TimeS
		}
	}
	return level
}

// farthest is memory, of which accesses without a time are told, where the last level lacks any lines.
func farthest(p *predict.Prediction) (level, array string, share float64) {
	if len(p.HitRates) == 0 || p.HitRates[len(p.HitRates)-1].HitRate >= 1 {
		return "", "", 0
	}
	array, share = Culprit(p, memory)
	return memory, array, share
}

// memory is what serves the lines that the last level lacks, as terms name it.
const memory = "memory"

// Served is how many lines of an array come from a level: those that the level inside it lacks, and it does not.
func Served(p *predict.Prediction, a predict.ArrayMisses, level string) int64 {
	for i := range a.Misses {
		last := i+1 == len(p.HitRates)
		switch {
		case last && level == memory:
			return a.Misses[i]
		case !last && p.HitRates[i+1].Level == level:
			return max(a.Misses[i]-a.Misses[i+1], 0)
		}
	}
	return 0
}

// Culprit is the array that most of the lines from a level are of, and its share of them; "" where arrays are not told apart or there are no lines.
func Culprit(p *predict.Prediction, level string) (array string, share float64) {
	var most, all int64
	for _, a := range p.Arrays {
		n := Served(p, a, level)
		all += n
		if n > most {
			array, most = a.Array, n
		}
	}
	if all == 0 {
		return "", 0
	}
	return array, float64(most) / float64(all)
}
