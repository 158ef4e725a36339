package published_test

import (
	"fmt"

	"foresee/machine/bandwidth/published"
)

// The worked number of equation 5, (2·40 + 3·20 + 50·5)/55 as Form derives it, and the penalties of equation 6 on top: p₁ = 0.0163 and
// p₂ = 0.0220 take (p₁ + p₂)·2·40 from the first level and give p₁·3·20 and p₂·50·5 to the others, 0.062·55 in all.
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
