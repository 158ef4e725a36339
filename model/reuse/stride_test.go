package reuse_test

import (
	"fmt"
	"testing"

	"foresee/model/reuse"
)

// Strides for which a multiplicative hash piles keys up.
func BenchmarkStrides(b *testing.B) {
	for _, pages := range []uint64{1, 512, 75025, 196418, 832040} {
		b.Run(fmt.Sprint(pages), func(b *testing.B) {
			addresses := make([]uint64, 160_000)
			for i := range addresses {
				addresses[i] = uint64(i%80_000) * pages * 4096
			}
			for b.Loop() {
				reuse.NewStack(64).Add(addresses, reuse.NewHistogram(reuse.Fine))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(addresses)), "ns/ref")
		})
	}
}
