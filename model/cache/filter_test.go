package cache_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"foresee/model/cache"
)

// Hierarchies that are told only of what a filter says can change them count as simulators that are told everything, but for the hits of the first level
// that they do not see; each of these is a hit there.
func TestFilterLeavesOutWhatChangesNothing(t *testing.T) {
	left, shared := 0, 0
	for seed := range 1500 {
		rng := rand.New(rand.NewPCG(uint64(seed), 64))
		h := filteredHierarchy(rng)
		least, ok := h.Suffices()
		if !ok {
			t.Fatalf("%+v: a filter should do", h)
		}
		all, told := emptyCaches(t, h), emptyCaches(t, h)
		f := cache.NewFilter(h.Threads)
		hits := int64(0)
		for i, a := range filteredStream(rng, h.Threads) {
			want := all.Access(a.thread, a.line, a.write)
			effect := f.Access(a.thread, a.line, a.write)
			if effect == cache.SharedEffect {
				shared++
			}
			if effect < least {
				hits++
				if want != 0 {
					t.Fatalf("hierarchy %d: access %d, %v, is left out, and level %d served it\n%+v", seed, i, a, want, h)
				}
				continue
			}
			if got := told.Access(a.thread, a.line, a.write); got != want {
				t.Fatalf("hierarchy %d: access %d, %v, served by level %d, want %d\n%+v", seed, i, a, got, want, h)
			}
		}
		got := told.Counts()
		got.Levels[0].Accesses += hits
		if !reflect.DeepEqual(got, all.Counts()) {
			t.Fatalf("hierarchy %d: %+v, want %+v\n%+v", seed, got, all.Counts(), h)
		}
		left += int(hits)
	}
	if left < 100000 || shared < 1000 {
		t.Errorf("%d accesses were left out, and %d from some: the test shows little", left, shared)
	}
}

// Simulators that share their first level count as they do alone.
func TestJoinedSimulatorsCountAsAlone(t *testing.T) {
	for seed := range 100 {
		rng := rand.New(rand.NewPCG(uint64(seed), 65))
		var joined, alone []*cache.Simulator
		for range 6 {
			h := filteredHierarchy(rng)
			h.Threads = 1
			joined, alone = append(joined, emptyCaches(t, h)), append(alone, emptyCaches(t, h))
		}
		number := map[*cache.Simulator]int{}
		for i, s := range joined {
			number[s] = i
		}
		groups := cache.Joined(joined)
		served := make([]int, len(joined))
		for _, a := range filteredStream(rng, 1) {
			for _, g := range groups {
				hit := cache.AccessAll(g, 0, a.line, a.write, served)
				for k, s := range g {
					want := alone[number[s]].Access(0, a.line, a.write)
					if hit != (want == 0) || !hit && served[k] != want {
						t.Fatalf("seed %d: served by level %d (a hit: %v), want %d", seed, served[k], hit, want)
					}
				}
			}
		}
		for i, s := range joined {
			if !reflect.DeepEqual(s.Counts(), alone[i].Counts()) {
				t.Fatalf("seed %d: %+v, want %+v", seed, s.Counts(), alone[i].Counts())
			}
		}
	}
}

func emptyCaches(t *testing.T, h cache.Hierarchy) *cache.Simulator {
	s, err := cache.NewSimulator(h)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// filteredHierarchy is one of few ways, of sets that a filter is for.
func filteredHierarchy(rng *rand.Rand) cache.Hierarchy {
	h := cache.Hierarchy{Threads: 1 + rng.IntN(4), LineBytes: 64}
	sharers := 1
	for j := range 1 + rng.IntN(3) {
		l := cache.Level{Name: fmt.Sprint("L", j+1), SharedBy: 1, Replacement: cache.Replacement(rng.IntN(3))}
		if j == 0 {
			l.Ways = []int64{1, 2, 8}[rng.IntN(3)]
		} else {
			l.Ways, l.Inclusion = int64(1+rng.IntN(8)), cache.Inclusion(rng.IntN(3))
			sharers = max(sharers, 1+rng.IntN(2)*(h.Threads-1))
			l.SharedBy = sharers
		}
		if rng.IntN(2) == 0 { // as most are
			l.Replacement, l.Inclusion = cache.LRU, cache.NonInclusive
		}
		l.Lines = l.Ways * 64 * int64(1+rng.IntN(3))
		h.Levels = append(h.Levels, l)
	}
	return h
}

// filteredStream is accesses of a few lines in a few sets, most of them to the line before.
func filteredStream(rng *rand.Rand, threads int) (out []step) {
	last := make([]uint64, threads)
	for range 600 {
		thread := rng.IntN(threads)
		if rng.IntN(3) == 0 {
			last[thread] = uint64(rng.IntN(2)) + 64*uint64(rng.IntN(12))
		}
		out = append(out, step{thread, last[thread], rng.IntN(4) == 0})
	}
	return out
}

// TestKeeps touches a line and then as many others of its set as are kept beside it for certain, in any order: it is there still, whatever the set held. One more may
// drive it out.
func TestKeeps(t *testing.T) {
	for _, policy := range []cache.Replacement{cache.LRU, cache.PLRU} {
		for _, ways := range []int64{1, 2, 3, 4, 5, 6, 8, 10, 12, 16} {
			h := cache.Hierarchy{Levels: []cache.Level{{Geometry: cache.Geometry{Lines: 64 * ways, Ways: ways}, Replacement: policy}}}
			keeps := h.Keeps()
			lost := func(others int) bool {
				random := rand.New(rand.NewPCG(uint64(ways), 3))
				s, err := cache.NewSimulator(h)
				if err != nil {
					t.Fatal(err)
				}
				touch := func(line int) int { return s.Access(0, uint64(line)*64, false) }
				for range 5000 {
					all := random.Perm(2*int(ways) + 1)
					touch(all[0])
					for _, line := range all[1 : others+1] {
						touch(line)
					}
					if touch(all[0]) > 0 {
						return true
					}
				}
				return false
			}
			if keeps < 1 || lost(keeps-1) {
				t.Errorf("policy %d: of %d ways not %d lines are kept", policy, ways, keeps)
			}
			if !lost(keeps) {
				t.Errorf("policy %d: of %d ways more than %d lines are kept", policy, ways, keeps)
			}
		}
	}
}
