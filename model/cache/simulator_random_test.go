package cache_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"foresee/model/cache"
)

// TestSimulatorAgainstTheNaiveOne compares every access, and the counts where they could first differ.
func TestSimulatorAgainstTheNaiveOne(t *testing.T) {
	hierarchies := 2500
	if testing.Short() {
		hierarchies = 300
	}
	for seed := range hierarchies {
		rng := rand.New(rand.NewPCG(uint64(seed), 2026))
		h := randomHierarchy(rng)
		stream := randomStream(rng, h, 100+rng.IntN(400))
		if _, what := difference(t, h, stream, false); what == "" {
			continue
		}
		stream, what := smallest(t, h, stream)
		t.Fatalf("hierarchy %d: %s\n%+v\n%v", seed, what, h, stream)
	}
}

// difference is the first access at which the simulators differ, and how; counts are compared at the end or always.
func difference(t *testing.T, h cache.Hierarchy, stream []step, always bool) (at int, what string) {
	s, err := cache.NewSimulator(h)
	if err != nil {
		t.Fatalf("%+v: %v", h, err)
	}
	n := newNaive(h)
	for i, a := range stream {
		before := ""
		if always {
			before = n.String()
		}
		got, want := s.Access(a.thread, a.line, a.write), n.access(a.thread, a.line, a.write)
		if got != want {
			return i, fmt.Sprintf("access %d, %v, served by level %d, want %d; before it\n%s", i, a, got, want, before)
		}
		if (always || i == len(stream)-1) && !reflect.DeepEqual(s.Counts(), n.counts()) {
			return i, fmt.Sprintf("counts after access %d, %v:\n%+v, want\n%+v; before it\n%safter it\n%s", i, a, s.Counts(), n.counts(), before, n)
		}
	}
	return len(stream), ""
}

// smallest leaves out accesses, for as long as the simulators differ.
func smallest(t *testing.T, h cache.Hierarchy, stream []step) ([]step, string) {
	at, what := difference(t, h, stream, true)
	stream = stream[:at+1]
	for size := len(stream) / 2; size > 0; size /= 2 {
		for i := 0; i+size <= len(stream); {
			shorter := slices.Delete(slices.Clone(stream), i, i+size)
			if at, w := difference(t, h, shorter, true); w != "" {
				stream, what = shorter[:at+1], w
			} else {
				i += size
			}
		}
	}
	return stream, what
}

func TestSimulatorLinesAreReads(t *testing.T) {
	for seed := range 200 {
		rng := rand.New(rand.NewPCG(uint64(seed), 7))
		h := randomHierarchy(rng)
		s, err := cache.NewSimulator(h)
		if err != nil {
			t.Fatal(err)
		}
		n := newNaive(h)
		for range 4 { // batches and single accesses mixed, so that a batch finds a state that it did not make
			var lines []uint64
			for _, a := range randomStream(rng, h, rng.IntN(150)) {
				lines = append(lines, a.line)
				n.access(0, a.line, false)
			}
			s.Lines(lines)
			for _, a := range randomStream(rng, h, 20) {
				if got, want := s.Access(a.thread, a.line, a.write), n.access(a.thread, a.line, a.write); got != want {
					t.Fatalf("hierarchy %d: %v after a batch served by %d, want %d\n%+v", seed, a, got, want, h)
				}
			}
		}
		if !reflect.DeepEqual(s.Counts(), n.counts()) {
			t.Fatalf("hierarchy %d:\n%+v, want\n%+v\n%+v", seed, s.Counts(), n.counts(), h)
		}
	}
}

// pick draws one of the values; repeat one to have it more often.
func pick[T any](rng *rand.Rand, values ...T) T { return values[rng.IntN(len(values))] }

func randomHierarchy(rng *rand.Rand) cache.Hierarchy {
	for {
		h := cache.Hierarchy{
			Threads:   1 + rng.IntN(6),
			LineBytes: pick[int64](rng, 0, 8, 64, 256, 512, 1024, 4096),
			Seed:      rng.Uint64(),
			Classify:  rng.IntN(4) > 0,
		}
		switch rng.IntN(20) {
		case 0:
			h.Threads = 0
		case 1:
			h.Threads = 70 // more than a word of them
		}
		sharedBy := pick(rng, 0, 1, 1, 2, 3, 6)
		most := int64(4)
		for range 1 + rng.IntN(3) {
			h.Levels = append(h.Levels, randomLevel(rng, most, sharedBy))
			most *= 2
			sharedBy = pick(rng, sharedBy, 2*sharedBy, 3*sharedBy, 6, 7)
		}
		if h.Validate() == nil {
			return h
		}
	}
}

func randomLevel(rng *rand.Rand, most int64, sharedBy int) cache.Level {
	ways := 1 + rng.Int64N(most+1)
	sets := 1 + rng.Int64N(most+1)
	if rng.IntN(20) == 0 {
		sets, ways = 1, 50+rng.Int64N(100)
	}
	l := cache.Level{
		Geometry:    cache.Geometry{Lines: ways * sets, Ways: ways},
		SharedBy:    sharedBy,
		Replacement: pick(rng, cache.LRU, cache.FIFO, cache.PLRU, cache.Random),
		Inclusion:   pick(rng, cache.NonInclusive, cache.Inclusive, cache.Exclusive),
	}
	l.WriteThrough = rng.IntN(3) == 0
	l.NoWriteAllocate = rng.IntN(3) == 0
	l.VictimLines = pick(rng, 0, 0, 1, 2, 5)
	l.Prefetcher = pick(rng, cache.NoPrefetch, cache.NoPrefetch, cache.NextLine, cache.Stride)
	l.Degree = pick(rng, 0, 1, 2, 3, 4, 20)
	return l
}

// randomStream is made of pieces, each of which is hard for something, and at least that long.
func randomStream(rng *rand.Rand, h cache.Hierarchy, length int) []step {
	base := pick[uint64](rng, 0, 0, 0, 1000, 1<<32-20, 1<<52)
	threads := max(h.Threads, 1)
	writes := pick(rng, 0, 0.1, 0.4, 0.9)
	page := uint64(64)
	if h.LineBytes > 0 {
		page = uint64(4096 / h.LineBytes)
	}
	var stream []step
	for len(stream) < length {
		g := pick(rng, h.Levels...).Geometry
		sets, lines := uint64(g.Lines/g.Ways), uint64(g.Lines)
		from, hot := base+rng.Uint64N(2*lines), rng.Uint64N(2*lines)
		var next func(i uint64) uint64
		switch rng.IntN(8) {
		case 0: // a loop one line too long for the cache
			next = func(i uint64) uint64 { return from + i%(lines+1) }
		case 1: // a loop of one way too many through one set
			next = func(i uint64) uint64 { return from + i%uint64(g.Ways+1)*sets }
		case 2:
			stride := 1 + rng.Uint64N(page)
			next = func(i uint64) uint64 { return from + i*stride }
		case 3: // downwards, which meets line 0
			stride := 1 + rng.Uint64N(3)
			next = func(i uint64) uint64 { return base + 40*stride - i%41*stride }
		case 4: // pages that share an entry of the stride prefetcher
			stride := 1 + rng.Uint64N(2)
			next = func(i uint64) uint64 { return from + i/5%2*64*page + i*stride }
		case 5: // a few hot lines among others, with repeats
			next = func(uint64) uint64 { return base + pick(rng, hot, hot, hot+1, hot+2*sets, rng.Uint64N(4*lines)) }
		case 6:
			next = func(uint64) uint64 { return base + rng.Uint64N(2*lines) }
		case 7: // the same few lines, for threads to fight over
			next = func(i uint64) uint64 { return base + i/2%3 }
		}
		apart := uint64(0) // between the threads' lines
		if rng.IntN(4) == 0 {
			apart = lines
		}
		turns, first := 1+rng.Uint64N(4), rng.IntN(threads)
		alone := rng.IntN(4) == 0
		steps := 10 + rng.Uint64N(60)
		if lines >= 50 && rng.IntN(2) == 0 {
			steps += 2 * lines
		}
		for i := range steps {
			thread := first
			if !alone {
				thread = (first + int(i/turns)) % threads
			}
			stream = append(stream, step{thread, next(i) + apart*uint64(thread), rng.Float64() < writes})
		}
	}
	return stream
}
