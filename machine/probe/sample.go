package probe

import (
	"fmt"
	"slices"
)

// Sample is a measured value: the median of some, and how far apart they lie.
type Sample struct {
	Value   float64
	Spread  float64 // between the quartiles, over the median
	N       int
	fastest bool // the first decile, not the median
}

func sampleOf(values []float64) Sample { return sampleAt(values, 0.5) }

// fastestOf is for what a core can do, of values that fall into a fast and a slow mode.
func fastestOf(values []float64) Sample {
	s := sampleAt(values, 0.1)
	s.fastest = true
	return s
}

func sampleAt(values []float64, quantile float64) Sample {
	s := Sample{N: len(values)}
	if s.N == 0 {
		return s
	}
	sorted := slices.Sorted(slices.Values(values))
	at := func(q float64) float64 {
		x := q * float64(len(sorted)-1)
		i := min(int(x), len(sorted)-2)
		if i < 0 {
			return sorted[0]
		}
		return sorted[i] + (x-float64(i))*(sorted[i+1]-sorted[i])
	}
	s.Value = at(quantile)
	if median := at(0.5); median != 0 {
		s.Spread = (at(0.75) - at(0.25)) / median
	}
	return s
}

// said is the sample in words, for sources.
func (s Sample) said() string {
	if s.fastest {
		return fmt.Sprintf("fastest tenth of %d, spread %.1f %%", s.N, 100*s.Spread)
	}
	return fmt.Sprintf("median of %d, spread %.1f %%", s.N, 100*s.Spread)
}
