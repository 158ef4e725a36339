package cache_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"foresee/model/cache"
)

// Hierarchies with inclusive levels, or an exclusive last one, have code of their own for batches, which works on the copies that single accesses
// leave; both must count what the naive simulator does.
func TestLinkedBatchesAgainstTheNaiveOne(t *testing.T) {
	seeds := 1500
	if testing.Short() {
		seeds = 200
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(uint64(seed), 24))
		h := linkedHierarchy(rng)
		s, err := cache.NewSimulator(h)
		if err != nil {
			t.Fatal(err)
		}
		n := newNaive(h)
		reach, writes := 1+rng.Uint64N(300), rng.IntN(4)
		for batch := range 6 {
			var references []uint64
			for i := range 100 + rng.IntN(500) {
				line := rng.Uint64N(reach)
				if rng.IntN(3) == 0 {
					line = uint64(i) % reach
				}
				write := rng.IntN(10) < writes
				n.access(0, line, write)
				if batch == 3 {
					s.Access(0, line, write)
					continue
				}
				r := line << 1
				if write {
					r |= 1
				}
				references = append(references, r)
			}
			s.Run(0, references)
			if !reflect.DeepEqual(s.Counts(), n.counts()) {
				t.Fatalf("hierarchy %d, batch %d:\n%+v, want\n%+v\n%+v", seed, batch, s.Counts(), n.counts(), h)
			}
		}
	}
}

// linkedHierarchy is of one to four levels, with sets that are multiples of one another or not.
func linkedHierarchy(rng *rand.Rand) cache.Hierarchy {
	var h cache.Hierarchy
	levels := 1 + rng.IntN(4)
	for j := range levels {
		ways, sets := pick[int64](rng, 1, 2, 3, 4, 8, 12, 16), pick[int64](rng, 1, 1, 2, 3, 4, 8)
		l := cache.Level{Geometry: cache.Geometry{Lines: ways * sets, Ways: ways}}
		l.Replacement = pick(rng, cache.LRU, cache.LRU, cache.PLRU)
		l.Inclusion = pick(rng, cache.NonInclusive, cache.Inclusive, cache.Inclusive)
		if j == levels-1 && rng.IntN(2) == 0 {
			l.Inclusion = cache.Exclusive
		}
		h.Levels = append(h.Levels, l)
	}
	return h
}
