package cache_test

import (
	"math/rand/v2"
	"testing"

	"foresee/model/cache"
)

// TestChain holds a chain to the whole simulator, access by access: of random lines, those that fall into all sets of the chain are served by
// the same level. Inclusive levels take lines from others' sets as well, which a chain sees where all levels have the same sets.
func TestChain(t *testing.T) {
	level := func(sets, ways int64, r cache.Replacement, i cache.Inclusion) cache.Level {
		return cache.Level{Geometry: cache.Geometry{Lines: sets * ways, Ways: ways}, Replacement: r, Inclusion: i}
	}
	for name, levels := range map[string][]cache.Level{
		"LRU":       {level(4, 2, cache.LRU, 0), level(8, 4, cache.LRU, 0), level(24, 4, cache.LRU, 0)},
		"FIFO":      {level(4, 2, cache.FIFO, 0), level(8, 4, cache.FIFO, 0)},
		"PLRU":      {level(4, 4, cache.PLRU, 0), level(12, 6, cache.PLRU, 0)},
		"exclusive": {level(4, 2, cache.LRU, 0), level(8, 2, cache.PLRU, cache.Exclusive), level(16, 4, cache.LRU, cache.Exclusive)},
		"inclusive": {level(8, 2, cache.LRU, 0), level(8, 3, cache.LRU, cache.Inclusive), level(8, 4, cache.LRU, cache.Inclusive)},
	} {
		h := cache.Hierarchy{Levels: levels, Threads: 1}
		for target := range uint64(5) {
			s, err := cache.NewSimulator(h)
			if err != nil {
				t.Fatal(err)
			}
			c := cache.NewChain(levels)
			c.Aim(target)
			rng := rand.New(rand.NewPCG(3, target))
			sets := uint64(levels[len(levels)-1].Lines / levels[len(levels)-1].Ways)
			compared := 0
			for i := range 40_000 {
				line := rng.Uint64N(8*sets) / (1 + uint64(i/1000%3)) // more or less often the same
				want := s.Access(0, line, false)
				if !c.Meets(line) {
					continue
				}
				got := c.Touch(line)
				if line%sets == target%sets {
					compared++
					if got != want {
						t.Fatalf("%s: access %d, to line %d: level %d, want %d", name, i, line, got, want)
					}
				}
				if line == target && c.Holder() != 0 {
					t.Fatalf("%s: access %d: level %d holds the line that was just used", name, i, c.Holder())
				}
			}
			if compared < 1000 {
				t.Fatalf("%s: only %d accesses compared", name, compared)
			}
		}
	}
}
