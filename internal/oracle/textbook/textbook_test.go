package textbook

import (
	"testing"

	"foresee/application/trace/synthetic"
	"foresee/model/cache"
	"foresee/model/reuse"
)

// levels are 8-way 32 KiB, 8-way 256 KiB and 20-way 20 MiB.
var levels = []cache.Level{
	{Name: "L1", Geometry: cache.Geometry{Lines: 512, Ways: 8}},
	{Name: "L2", Geometry: cache.Geometry{Lines: 4096, Ways: 8}},
	{Name: "L3", Geometry: cache.Geometry{Lines: 327680, Ways: 20}},
}

// The baselines that speeds are compared with must do the same work: their results are those of the engines.
func TestBaselinesFindWhatTheEnginesFind(t *testing.T) {
	for name, addresses := range map[string][]uint64{
		"product": synthetic.Take(&synthetic.MatrixProduct{N: 40}, 100_000),
		"zipf":    synthetic.Take(synthetic.NewZipf(1<<14, 0.9, 1), 100_000),
	} {
		got, want := NewBaseline(len(addresses)).Distances(addresses), reuse.NewHistogram(reuse.Full)
		reuse.NewStack(64).Add(addresses, want)
		counts := map[int64]int64{}
		got.Each(func(low, _, n int64) { counts[low] += n })
		want.Each(func(low, _, n int64) { counts[low] -= n })
		for d, n := range counts {
			if n != 0 {
				t.Errorf("%s: distance %d is off by %d", name, d, n)
			}
		}
		if got.Cold != want.Cold {
			t.Errorf("%s: %d cold, want %d", name, got.Cold, want.Cold)
		}
		s, err := cache.NewSimulator(cache.Hierarchy{Levels: levels})
		if err != nil {
			t.Fatal(err)
		}
		s.Addresses(addresses, 64)
		for j, misses := range Misses(levels, addresses) {
			if want := s.Counts().Levels[j].Misses; misses != want {
				t.Errorf("%s: %d misses of level %d, want %d", name, misses, j, want)
			}
		}
	}
}
