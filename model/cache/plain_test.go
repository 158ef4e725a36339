package cache_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"foresee/model/cache"
)

// Plain hierarchies have code of their own for the usual numbers of ways and for powers of two of sets, and work in
// batches; both must count what single accesses of the naive simulator do.
func TestPlainBatchesOfReadsAndWrites(t *testing.T) {
	for seed := range 300 {
		rng := rand.New(rand.NewPCG(uint64(seed), 11))
		var h cache.Hierarchy
		for range 1 + rng.IntN(3) {
			ways, sets := pick[int64](rng, 1, 2, 3, 8, 12, 16, 20, 8, 12, 63, 64), pick[int64](rng, 1, 1, 2, 3, 4, 8)
			h.Levels = append(h.Levels, cache.Level{Geometry: cache.Geometry{Lines: ways * sets, Ways: ways}})
		}
		s, err := cache.NewSimulator(h)
		if err != nil {
			t.Fatal(err)
		}
		n := newNaive(h)
		reach := 1 + rng.Uint64N(300)
		writes := rng.IntN(3) // of ten accesses
		for range 3 {
			var references []uint64
			for i := range 1500 { // more than a batch
				line := rng.Uint64N(reach)
				if rng.IntN(3) == 0 {
					line = uint64(i) % reach
				}
				w := rng.IntN(10) < writes
				n.access(0, line, w)
				r := line << 1
				if w {
					r |= 1
				}
				references = append(references, r)
			}
			s.Run(0, references)
			if !reflect.DeepEqual(s.Counts(), n.counts()) {
				t.Fatalf("hierarchy %d:\n%+v, want\n%+v\n%+v", seed, s.Counts(), n.counts(), h)
			}
		}
	}
}
