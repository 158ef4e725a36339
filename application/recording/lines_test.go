package recording

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"foresee/application/trace"
	"foresee/model/cache"
)

// ran gives the accesses of a segment that runs many times over.
func (s *state) ran(times uint64) (out []trace.Event) {
	for j := uint64(1); j <= times; j++ {
		for i, a := range s.last {
			out = append(out, trace.Event{Address: a + j*s.stride[i], Size: s.sizes[i], Kind: s.kinds[i]})
		}
	}
	return out
}

// loops are random segments as loops have them: words side by side, a page or a power of two apart, that stand still, go up or down, straddle lines or
// leave one each time.
func loops(random *rand.Rand) (s state, times uint64) {
	strides := []int64{0, 1, 4, 8, 8, 8, 16, -8, -4, 32, 24, 64, -72, 128, 4096, 720}
	sizes := []uint32{1, 4, 8, 8, 8, 16, 32, 64}
	base, stride := uint64(1)<<30+uint64(random.IntN(1<<12)), strides[random.IntN(len(strides))]
	for range 1 + random.IntN(7) {
		switch random.IntN(5) {
		case 0:
			base += 8
		case 1:
			base += uint64(random.IntN(200))
		case 2:
			base += 4096 << random.IntN(4)
		case 3:
			base = 1<<30 + uint64(random.IntN(1<<14))
		}
		if random.IntN(4) == 0 {
			stride = strides[random.IntN(len(strides))]
		}
		s.last, s.stride = append(s.last, base), append(s.stride, uint64(stride))
		s.sizes, s.kinds = append(s.sizes, sizes[random.IntN(len(sizes))]), append(s.kinds, trace.Kind(random.IntN(2)))
	}
	return s, 1 + uint64(random.IntN(200))
}

// TestLines runs random loops one after the other, whole and with accesses left out: caches hit and miss as often, and as many accesses are made.
func TestLines(t *testing.T) {
	hierarchies := map[string]cache.Hierarchy{
		"LRU": {Levels: []cache.Level{
			{Geometry: cache.Geometry{Lines: 512, Ways: 8}}, {Geometry: cache.Geometry{Lines: 2048, Ways: 4}}, {Geometry: cache.Geometry{Lines: 8192, Ways: 16}},
		}},
		"tree-PLRU, the last exclusive": {Levels: []cache.Level{
			{Geometry: cache.Geometry{Lines: 512, Ways: 8}, Replacement: cache.PLRU},
			{Geometry: cache.Geometry{Lines: 1024, Ways: 4}},
			{Geometry: cache.Geometry{Lines: 4096, Ways: 16}, Inclusion: cache.Exclusive},
		}},
		"tree-PLRU of ten ways": {Levels: []cache.Level{{Geometry: cache.Geometry{Lines: 640, Ways: 10}, Replacement: cache.PLRU}, {Geometry: cache.Geometry{Lines: 1024, Ways: 8}}}},
		"four ways":             {Levels: []cache.Level{{Geometry: cache.Geometry{Lines: 256, Ways: 4}}, {Geometry: cache.Geometry{Lines: 1024, Ways: 8}}}},
	}
	for name, h := range hierarchies {
		t.Run(name, func(t *testing.T) {
			given, made := 0, int64(0)
			for seed := range uint64(40) {
				random := rand.New(rand.NewPCG(seed, 7))
				whole, some := simulator(t, h), simulator(t, h)
				left := newLineRun(Lines{64, h.Keeps()})
				events := make([]trace.Event, 150)
				count := func(s *cache.Simulator, e trace.Event) (n int64) {
					for line := e.Address >> 6; line <= (e.Address+uint64(e.Size)-1)>>6; line++ {
						s.Access(0, line, e.Kind == trace.Write)
						n++
					}
					return n
				}
				all, counted := int64(0), int64(0)
				for loop := range 60 {
					s, times := loops(random)
					for _, e := range s.ran(times) {
						all += count(whole, e)
					}
					for left.begin(&s, times); left.going(); {
						n := left.fill(events)
						for _, e := range events[:n] {
							if e.Kind == trace.Repeat {
								counted += int64(e.Address)
								continue
							}
							given++
							counted += count(some, e)
						}
					}
					if counted != all || left.skipped != 0 {
						t.Fatalf("seed %d, loop %d: %d accesses are told and %d left, %d were made", seed, loop, counted, left.skipped, all)
					}
					a, b := whole.Counts(), some.Counts()
					for j := range a.Levels {
						a.Levels[j].Accesses, b.Levels[j].Accesses = 0, 0
					}
					if got, want := fmt.Sprint(b), fmt.Sprint(a); got != want {
						t.Fatalf("seed %d, loop %d, %d runs of %+v:\n%s with accesses left out\n%s with all", seed, loop, times, s, got, want)
					}
				}
				made += all
			}
			if int64(given) > made*2/3 {
				t.Errorf("%d of %d accesses are given", given, made)
			}
		})
	}
}

func simulator(t *testing.T, h cache.Hierarchy) *cache.Simulator {
	s, err := cache.NewSimulator(h)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
