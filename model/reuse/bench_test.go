package reuse_test

import (
	"fmt"
	"sync"
	"testing"

	"foresee/application/trace/synthetic"
	"foresee/model/reuse"
)

const benchLines = 1 << 20

// streams are what the engines are measured on.
var streams = []struct {
	name string
	make func() []uint64
}{
	{"matmul", sync.OnceValue(func() []uint64 { return synthetic.Take(&synthetic.MatrixProduct{N: 200}, 32_000_000) })},
	{"stencil", sync.OnceValue(func() []uint64 { return synthetic.Take(&synthetic.Stencil{N: 1000}, 24_000_000) })},
	{"uniform", sync.OnceValue(func() []uint64 { return synthetic.Take(synthetic.NewUniform(benchLines, 1), 20_000_000) })},
	{"zipf", sync.OnceValue(func() []uint64 { return synthetic.Take(synthetic.NewZipf(benchLines, 0.99, 1), 20_000_000) })},
}

// bench runs f on every stream and reports references a second.
func bench(b *testing.B, f func(addresses []uint64)) {
	for _, s := range streams {
		b.Run(s.name, func(b *testing.B) {
			addresses := s.make()
			b.ResetTimer()
			for b.Loop() {
				f(addresses)
			}
			b.ReportMetric(float64(len(addresses))*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mref/s")
		})
	}
}

func BenchmarkStack(b *testing.B) {
	for _, r := range []struct {
		name string
		r    reuse.Resolution
	}{{"full", reuse.Full}, {"fine", reuse.Fine}, {"coarse", reuse.Coarse}} {
		b.Run(r.name, func(b *testing.B) {
			bench(b, func(addresses []uint64) {
				reuse.NewStack(64).Add(addresses, reuse.NewHistogram(r.r))
			})
		})
	}
}

func BenchmarkIntervals(b *testing.B) {
	bench(b, func(addresses []uint64) {
		reuse.NewIntervals(64).Add(addresses, reuse.NewHistogram(reuse.Fine))
	})
}

func BenchmarkBaseline(b *testing.B) {
	bench(b, func(addresses []uint64) {
		t := newTree(1 << 23)
		h := reuse.NewHistogram(reuse.Fine)
		for _, a := range addresses[:len(addresses)/4] {
			if d := t.touch(a >> 6); d < 0 {
				h.Cold++
			} else {
				h.Add(d, 1)
			}
		}
	})
}

func BenchmarkShards(b *testing.B) {
	for _, o := range []struct {
		name    string
		options reuse.ShardsOptions
	}{{"rate0.01", reuse.ShardsOptions{Rate: 0.01}}, {"plain0.01", reuse.ShardsOptions{Rate: 0.01, Plain: true}}, {"lines8192", reuse.ShardsOptions{MaxLines: 8192}}} {
		b.Run(o.name, func(b *testing.B) {
			bench(b, func(addresses []uint64) {
				s := reuse.NewShards(64, o.options)
				s.Add(addresses)
				s.Estimate()
			})
		})
	}
}

func BenchmarkParallel(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers%d", workers), func(b *testing.B) {
			bench(b, func(addresses []uint64) {
				reuse.NewParallel(64, workers).Add(addresses, reuse.NewHistogram(reuse.Full))
			})
		})
	}
}

func BenchmarkPaired(b *testing.B) {
	bench(b, func(addresses []uint64) {
		p, h := reuse.NewPaired(64), reuse.NewHistogram(reuse.Full)
		for from := 0; from < len(addresses); from += 1 << 17 { // as commands hand them over
			p.Add(addresses[from:min(from+1<<17, len(addresses))], h)
		}
	})
}
