package probe

import (
	"fmt"
	"slices"
)

// Sample is a measured value: the median of some, and how far apart they lie.
type Sample struct {
	Value  float64
	Spread float64 // between the quartiles, over the median
	N      int
}

func sampleOf(values []float64) Sample {
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
	s.Value = at(0.5)
	if s.Value != 0 {
		s.Spread = (at(0.75) - at(0.25)) / s.Value
	}
	return s
}

// said is the sample in words, for sources.
func (s Sample) said() string {
	return fmt.Sprintf("median of %d, spread %.1f %%", s.N, 100*s.Spread)
}
