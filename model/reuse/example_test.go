package reuse_test

import (
	"fmt"

	"foresee/model/reuse"
)

// Of the lines a b b a, the second b follows the first at once, and one other line lies between the two a. Two of four accesses find nothing in
// any cache, and the one at distance 1 nothing in a cache of one line: 3/4 and 2/4.
func Example() {
	stack := reuse.NewStack(64)
	histogram := reuse.NewHistogram(reuse.Coarse)
	const a, b = 0, 64 // addresses
	stack.Add([]uint64{a, b, b, a}, histogram)
	histogram.Each(func(low, _, count int64) {
		fmt.Printf("distance %d: %d\n", low, count)
	})
	fmt.Println("cold:", histogram.Cold)
	ratios, _ := histogram.MissRatios([]float64{1, 2})
	fmt.Printf("a cache of one line misses %.0f %%, one of two %.0f %%\n", 100*ratios[0], 100*ratios[1])
	// Output:
	// distance 0: 1
	// distance 1: 1
	// cold: 2
	// a cache of one line misses 75 %, one of two 50 %
}
