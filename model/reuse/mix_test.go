package reuse

import (
	"math"
	"testing"
)

// TestMix holds the hash of lines against what a random one does: of lines in sequence and at strides of rows, of powers of two among them, the
// threshold takes its share, and those taken fall into all groups alike, within five standard errors of a binomial distribution.
func TestMix(t *testing.T) {
	const n, rate = 1 << 17, 1.0 / 64
	for _, seed := range []uint64{0, hash(1), hash(2)} {
		for _, stride := range []uint64{1, 2, 3, 7, 64, 125, 1 << 10, 1000, 1 << 16, 1 << 20, 1<<20 + 1, 1 << 32, 1 << 40} {
			taken, groups := 0.0, [shardGroups]float64{}
			for i := range uint64(n) {
				if m := mix(0x7f00_0000_0000>>6+i*stride, seed); m>>32 < rate*allLines {
					taken++
					groups[groupOf(m)]++
				}
			}
			if off := math.Abs(taken-n*rate) / math.Sqrt(n*rate*(1-rate)); off > 5 {
				t.Errorf("seed %#x, stride %d: %g lines are followed, %.1f standard errors from %g", seed, stride, taken, off, n*rate)
			}
			for g, got := range groups {
				if off := math.Abs(got-n*rate/shardGroups) / math.Sqrt(n*rate/shardGroups); off > 5 {
					t.Errorf("seed %#x, stride %d: %g lines in group %d, %.1f standard errors from %g", seed, stride, got, g, off, n*rate/shardGroups)
				}
			}
		}
	}
}
