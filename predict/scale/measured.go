package scale

import (
	"slices"
	"strings"

	"foresee/application/counters"
)

// tiny is how much smaller than at the next number of processes a value on a single one must be to be no more than the overhead of calls
// that have nobody to talk to. Chosen.
const tiny = 20

// withoutLone leaves a single process out of what processes do together: all of MPI, and other series that it has next to nothing of.
func withoutLone(set *counters.Set, one counters.Series) counters.Series {
	if !counters.IsProcesses(set.Parameters[0]) || len(one.Points) < 3 {
		return one
	}
	together := strings.HasPrefix(one.Callpath, counters.WholeRun+"->") && one.Callpath != counters.Computing || strings.HasPrefix(lastName(one.Callpath), "MPI_")
	out := counters.Series{Callpath: one.Callpath, Metric: one.Metric}
	for i, m := range one.Points {
		if m.At[0] == 1 && (together || m.Median() > 0 && nextTo(one.Points, i) > tiny*m.Median()) {
			continue
		}
		out.Points = append(out.Points, m)
	}
	if len(out.Points) < fewest {
		return one
	}
	return out
}

// nextTo is the value at the next larger first parameter, the others equal; 0 without one.
func nextTo(points []counters.Measurement, i int) float64 {
	best := -1
	for j, m := range points {
		if m.At[0] > points[i].At[0] && slices.Equal(m.At[1:], points[i].At[1:]) && (best < 0 || m.At[0] < points[best].At[0]) {
			best = j
		}
	}
	if best < 0 {
		return 0
	}
	return points[best].Median()
}
