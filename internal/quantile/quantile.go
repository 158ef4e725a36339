// Package quantile gives quantiles of samples by one definition, for all of foresee.
//
// The q-quantile of n values lies at place q·(n−1) of the values in order, counted from 0, and between two of them evenly: definition 7
// of Hyndman and Fan (Sample Quantiles in Statistical Packages, The American Statistician 50, 1996), the default of R and of NumPy. Of
// 1, 2, 4, 8 the quantile at 0.9 lies at place 2.7 and is 4 + 0.7·(8 − 4) = 6.8. gonum's stat.Quantile has definitions 1 and 4 only,
// which give 8 and 6.4.
package quantile

import "slices"

// Of is the quantile of values at q from 0 to 1, in their unit; 0 of none. The values stay in their order.
func Of(values []float64, q float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	place := q * float64(len(sorted)-1)
	i := int(place)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (place-float64(i))*(sorted[i+1]-sorted[i])
}

// Median is the quantile at one half: the middle value, or the mean of the two in the middle.
func Median(values []float64) float64 { return Of(values, 0.5) }
