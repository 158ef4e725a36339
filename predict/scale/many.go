package scale

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"foresee/application/counters"
)

// What the model of a series costs: so much for each point, and as much as so many points besides. 1000 series of 5 points are some
// seconds' work, and a fifth of a GiB; all that are given their own model must not cost more. Chosen.
const (
	costOfSeries = 20
	mostCost     = 1000 * (costOfSeries + 5)
)

// keepLargest leaves out the series that have the smallest part of their metric, where there are very many. The run and its parts stay.
func (s *study) keepLargest() {
	cost := 0
	for _, f := range s.fits {
		cost += costOfSeries + len(f.series.Y)
	}
	if cost <= mostCost || len(s.fits) == 1 {
		return
	}
	parts := make(map[*fitted]float64, len(s.fits))
	for _, f := range s.fits {
		if parts[f] = s.part(f); !isFunction(f.callpath) {
			parts[f] = math.Inf(1)
		}
	}
	bySize := slices.Clone(s.fits)
	slices.SortStableFunc(bySize, func(a, b *fitted) int { return cmp.Compare(parts[b], parts[a]) })
	kept := 0
	for cost = 0; ; kept++ {
		if cost += costOfSeries + len(bySize[kept].series.Y); kept > 0 && cost > mostCost {
			break
		}
	}
	left := bySize[kept:]
	for _, f := range left {
		delete(s.byName, f.name())
	}
	s.fits = slices.DeleteFunc(s.fits, func(f *fitted) bool { return s.byName[f.name()] != f })
	s.warnings = append(s.warnings, fmt.Sprintf("%d of %d series, each with up to %.2g %% of the largest of its metric, are left out, as so many would take long; to see them, ask for some metrics or callpaths only",
		len(left), len(bySize), 100*parts[left[0]]))
}

// part is what a series has of the largest of its metric, at the point where it has most.
func (s *study) part(f *fitted) float64 {
	most := 0.0
	for i, at := range f.series.At {
		most = max(most, f.series.Y[i]/s.totals[f.metric][counters.FormatPoint(s.set.Parameters, at)].largest)
	}
	return most
}
