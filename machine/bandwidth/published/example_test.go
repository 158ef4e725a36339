package published_test

import (
	"fmt"

	"foresee/machine/bandwidth/published"
)

// The worked number of equation 5, and the penalties of equation 6 on top.
func ExampleForm_GBs() {
	f := &published.Form{Bandwidths: []float64{40, 20, 5}, Cycles: []float64{4, 12, 200}, Rates: [2]float64{0.1, 0.1}}
	hits := []float64{0.5, 0.75, 1}
	fmt.Printf("%.2f GB/s\n", f.GBs(hits))
	f.Factors = [2]float64{0.5, 0.5}
	fmt.Printf("%.2f GB/s\n", f.GBs(hits))
	// Output:
	// 7.09 GB/s
	// 7.15 GB/s
}
