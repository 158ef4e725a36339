package cache_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"foresee/model/cache"
)

// Simulators that share the lines count together what the naive one does, of any number of threads.
func TestSplitAgainstTheNaiveOne(t *testing.T) {
	shared := 0
	for seed := range 600 {
		rng := rand.New(rand.NewPCG(uint64(seed), 25))
		h := randomHierarchy(rng)
		if rng.IntN(2) == 0 {
			h = linkedHierarchy(rng)
		}
		if rng.IntN(4) > 0 { // such as can be shared, mostly
			h.Classify = false
			for j := range h.Levels {
				l := &h.Levels[j]
				l.Lines, l.VictimLines, l.Prefetcher = 4*l.Lines, 0, cache.NoPrefetch
			}
		}
		split, err := cache.NewSplit(h, 1+rng.IntN(9))
		if err != nil {
			t.Fatal(err)
		}
		shared += len(split.Simulators) - 1
		n := newNaive(h)
		references, threads := make([][]uint64, len(split.Simulators)), make([][]uint16, len(split.Simulators))
		for _, a := range randomStream(rng, h, 500) {
			n.access(a.thread, a.line, a.write)
			number, line := split.Of(a.line)
			r := line << 1
			if a.write {
				r |= 1
			}
			references[number], threads[number] = append(references[number], r), append(threads[number], uint16(a.thread))
		}
		var got cache.Counts
		for i, s := range split.Simulators {
			if h.Threads <= 1 {
				s.Run(0, references[i])
			} else {
				s.RunThreads(threads[i], references[i])
			}
			got.Add(s.Counts(), cache.Counts{Levels: make([]cache.LevelCounts, len(h.Levels))})
		}
		if !reflect.DeepEqual(got, n.counts()) {
			t.Fatalf("hierarchy %d by %d:\n%+v, want\n%+v\n%+v", seed, len(split.Simulators), got, n.counts(), h)
		}
	}
	if shared < 300 {
		t.Errorf("only %d simulators more than hierarchies", shared)
	}
}

// A directory that is begun anew, as the footprint is many times what the caches hold, and one whose bits stand for several instances each.
func TestDirectoryOfManyLinesAndThreads(t *testing.T) {
	for seed := range 12 {
		rng := rand.New(rand.NewPCG(uint64(seed), 26))
		threads := pick(rng, 2, 3, 8, 64, 65, 150, 300)
		h := cache.Hierarchy{Threads: threads}
		sharedBy := pick(rng, 1, 1, 2)
		for j := range 3 {
			ways, sets := pick[int64](rng, 1, 2, 4), pick[int64](rng, 1, 2, 3, 4)
			h.Levels = append(h.Levels, cache.Level{
				Geometry: cache.Geometry{Lines: ways * sets, Ways: ways}, SharedBy: sharedBy,
				Replacement: pick(rng, cache.LRU, cache.PLRU), Inclusion: pick(rng, cache.NonInclusive, cache.Inclusive, cache.Exclusive),
			})
			sharedBy *= pick(rng, 1, 2, threads)
			if j == 0 && rng.IntN(2) == 0 {
				h.Levels[0].Prefetcher = cache.NextLine
			}
		}
		s, err := cache.NewSimulator(h)
		if err != nil {
			t.Fatal(err)
		}
		n := newNaive(h)
		hot := 1 + rng.Uint64N(40)
		for i := range 20_000 {
			thread, line, write := rng.IntN(threads), rng.Uint64N(hot), rng.IntN(3) == 0
			if rng.IntN(2) == 0 {
				line = uint64(1000 + i)
			}
			if got, want := s.Access(thread, line, write), n.access(thread, line, write); got != want {
				t.Fatalf("hierarchy %d, access %d: served by level %d, want %d\n%+v", seed, i, got, want, h)
			}
		}
		if !reflect.DeepEqual(s.Counts(), n.counts()) {
			t.Fatalf("hierarchy %d:\n%+v, want\n%+v\n%+v", seed, s.Counts(), n.counts(), h)
		}
	}
}
