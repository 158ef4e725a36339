package cache_test

import (
	"fmt"

	"foresee/model/cache"
)

// Two lines that fall into one set of a direct-mapped cache throw each other out, so that all 20 accesses miss; with two ways both stay, and
// the first of each misses alone.
func ExampleSimulator() {
	for _, ways := range []int64{1, 2} {
		s, err := cache.NewSimulator(cache.Hierarchy{Levels: []cache.Level{
			{Name: "L1", Geometry: cache.Geometry{Lines: 8, Ways: ways}},
		}})
		if err != nil {
			panic(err)
		}
		for range 10 {
			s.Access(0, 0, false) // thread 0 reads line 0
			s.Access(0, 8, false)
		}
		l1 := s.Counts().Levels[0]
		fmt.Printf("%d ways: %d of %d accesses miss\n", ways, l1.Misses, l1.Accesses)
	}
	// Output:
	// 1 ways: 20 of 20 accesses miss
	// 2 ways: 2 of 20 accesses miss
}

// SDCM gives the probability of a hit where nothing is known but the reuse distance: of 512 lines in sets of 8, it falls from 1 to 0
// around the size of the cache, not at it. Each of the D lines since then fell into the set, one of 64, with a probability of 1/64: they have
// thrown the line out unless at most 7 did, Σ_{a<8} C(D, a)·(1/64)^a·(63/64)^(D−a), which is 0.710 for D = 400.
func ExampleGeometry_HitProbability() {
	l1 := cache.Geometry{Lines: 512, Ways: 8}
	for _, distance := range []float64{100, 400, 512, 700, 2000} {
		fmt.Printf("%4g lines: %.3f\n", distance, l1.HitProbability(distance))
	}
	// Output:
	// 100 lines: 1.000
	//  400 lines: 0.710
	//  512 lines: 0.452
	//  700 lines: 0.145
	// 2000 lines: 0.000
}
