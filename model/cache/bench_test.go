package cache_test

import (
	"fmt"
	"sync"
	"testing"

	"foresee/application/trace/synthetic"
	"foresee/model/cache"
)

// threeLevels are 8-way 32 KiB, 8-way 256 KiB and 20-way 20 MiB.
var threeLevels = []cache.Level{
	{Name: "L1", Geometry: cache.Geometry{Lines: 512, Ways: 8}},
	{Name: "L2", Geometry: cache.Geometry{Lines: 4096, Ways: 8}},
	{Name: "L3", Geometry: cache.Geometry{Lines: 327680, Ways: 20}},
}

var streams = []struct {
	name string
	make func() []uint64
}{
	{"matmul", sync.OnceValue(func() []uint64 { return synthetic.Take(&synthetic.MatrixProduct{N: 200}, 32_000_000) })},
	{"stencil", sync.OnceValue(func() []uint64 { return synthetic.Take(&synthetic.Stencil{N: 1000}, 24_000_000) })},
	{"uniform", sync.OnceValue(func() []uint64 { return synthetic.Take(synthetic.NewUniform(1<<20, 1), 20_000_000) })},
	{"zipf", sync.OnceValue(func() []uint64 { return synthetic.Take(synthetic.NewZipf(1<<20, 0.99, 1), 20_000_000) })},
}

// bench simulates the streams; naive ones only a part of them.
func bench(b *testing.B, part int, f func(b *testing.B, addresses []uint64)) {
	for _, s := range streams {
		b.Run(s.name, func(b *testing.B) {
			addresses := s.make()
			addresses = addresses[:len(addresses)/part]
			b.ResetTimer()
			for b.Loop() {
				f(b, addresses)
			}
			b.ReportMetric(float64(len(addresses))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mref/s")
		})
	}
}

func simulator(b *testing.B, h cache.Hierarchy) *cache.Simulator {
	s, err := cache.NewSimulator(h)
	if err != nil {
		b.Fatal(err)
	}
	return s
}

func BenchmarkSimulator(b *testing.B) {
	bench(b, 1, func(b *testing.B, addresses []uint64) {
		simulator(b, cache.Hierarchy{Levels: threeLevels}).Addresses(addresses, 64)
	})
}

// outermost is threeLevels, the last of which is inclusive or exclusive.
func outermost(i cache.Inclusion) []cache.Level {
	levels := append([]cache.Level{}, threeLevels...)
	levels[2].Inclusion = i
	return levels
}

// What costs more: other policies, causes, threads.
func BenchmarkSimulatorFeatures(b *testing.B) {
	with := func(f func(l *cache.Level)) []cache.Level {
		levels := append([]cache.Level{}, threeLevels...)
		for i := range levels {
			f(&levels[i])
		}
		return levels
	}
	for _, c := range []struct {
		name string
		h    cache.Hierarchy
	}{
		{"PLRU", cache.Hierarchy{Levels: with(func(l *cache.Level) {
			l.Replacement = cache.PLRU
			l.Ways = min(l.Ways, 16)
			l.Lines = l.Lines / 20 * l.Ways
		})}},
		{"random", cache.Hierarchy{Levels: with(func(l *cache.Level) { l.Replacement = cache.Random })}},
		{"inclusive", cache.Hierarchy{Levels: with(func(l *cache.Level) { l.Inclusion = cache.Inclusive })}},
		{"inclusive L3", cache.Hierarchy{Levels: outermost(cache.Inclusive)}},
		{"exclusive L3", cache.Hierarchy{Levels: outermost(cache.Exclusive)}},
		{"victims", cache.Hierarchy{Levels: with(func(l *cache.Level) { l.VictimLines = 4 })}},
		{"stride", cache.Hierarchy{Levels: with(func(l *cache.Level) { l.Prefetcher = cache.Stride })}},
		{"causes", cache.Hierarchy{Levels: threeLevels, Classify: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			bench(b, 8, func(b *testing.B, addresses []uint64) { simulator(b, c.h).Addresses(addresses, 64) })
		})
	}
	for _, threads := range []int{1, 4, 16, 64} {
		levels := append([]cache.Level{}, threeLevels...)
		levels[2].SharedBy = 64
		b.Run(fmt.Sprint("threads ", threads), func(b *testing.B) {
			bench(b, 8, func(b *testing.B, addresses []uint64) {
				s := simulator(b, cache.Hierarchy{Levels: levels, Threads: threads})
				for i, a := range addresses {
					s.Access(i/64%threads, a>>6, i%4 == 3)
				}
			})
		})
	}
}
