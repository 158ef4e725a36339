package followed

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// What a user is told of. Chosen: below it no guess of a cost matters.
const (
	mostUnmeasured = 0.01 // share of a region's instructions whose cost nobody measured
	mostCalls      = 1e-3 // library calls of unknown cost for each instruction: some two percent of its time, as they are taken
	mostNamed      = 8    // of a kind
	leastShare     = 0.01 // of the run's instructions, that a region has of which something is told
)

// Doubts say what of a region's cost was not measured and is taken as usual: instructions by their forms, and calls of functions whose code was not
// recorded.
func (f *Follower) Doubts(region int) (all []string) {
	f.settle()
	ran, unknown, called, whole := 0.0, 0.0, 0.0, 0.0
	forms, names := map[string]float64{}, map[string]float64{}
	for p, c := range f.costing {
		s := f.code[p.segment]
		whole += c.Times * float64(len(s.steps))
		if p.region != region {
			continue
		}
		ran += c.Times * float64(len(s.steps))
		unknown += c.Times * float64(len(s.unmeasured))
		for _, form := range s.unmeasured {
			forms[form] += c.Times
		}
		if s.unknown != "" && c.library > 0 {
			called += c.library
			names[s.unknown] += c.library
		}
	}
	if ran < leastShare*whole {
		return nil
	}
	if unknown > mostUnmeasured*ran {
		all = append(all, fmt.Sprintf("of %.0f %% of the instructions the cost was not measured and is taken as usual: %s", 100*unknown/ran, most(forms)))
	}
	if called > mostCalls*ran {
		all = append(all, fmt.Sprintf("functions of libraries whose code is not recorded, nor their cost measured, are taken as short calls, one for every %.0f instructions: %s", ran/called, most(names)))
	}
	return all
}

// most are the names that count most, of those that count the same in the order of the alphabet.
func most(counts map[string]float64) string {
	names := slices.Sorted(maps.Keys(counts))
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case counts[a] > counts[b]:
			return -1
		case counts[a] < counts[b]:
			return 1
		}
		return 0
	})
	if beyond := len(names) - mostNamed; beyond > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("%d more", beyond))
	}
	return strings.Join(names, "; ")
}
