package reuse_test

import (
	"math"
	"testing"

	"foresee/model/reuse"
)

// logarithmicGrid has four sizes an octave, from one line up.
func logarithmicGrid(most float64) (lines []float64) {
	for c := 1.0; ; c *= math.Pow(2, 0.25) {
		if n := math.Round(c); len(lines) == 0 || n > lines[len(lines)-1] {
			lines = append(lines, n)
		}
		if c > most {
			return lines
		}
	}
}

func exactRatios(addresses []uint64, lines []float64) []float64 {
	h := reuse.NewHistogram(reuse.Full)
	reuse.NewStack(64).Add(addresses, h)
	return h.Distribution().MissRatios(lines)
}

func TestShardsOnLogarithmicGrid(t *testing.T) {
	for _, s := range streams {
		addresses := s.make()
		lines := logarithmicGrid(1 << 21)
		want := exactRatios(addresses, lines)
		for _, o := range []struct {
			name    string
			options reuse.ShardsOptions
			error   float64
		}{
			{"rate 0.01", reuse.ShardsOptions{Rate: 0.01, Seed: 1}, 0.02},
			{"8192 lines", reuse.ShardsOptions{MaxLines: 8192, Seed: 1}, 0.02},
			{"plain", reuse.ShardsOptions{Rate: 0.01, Seed: 1, Plain: true}, 0.5},
		} {
			sample := reuse.NewShards(64, o.options)
			sample.Add(addresses)
			e := sample.Estimate()
			got, errs := e.MissRatios(lines)
			mean, worst, inside := 0.0, 0.0, 0
			for i := range lines {
				x := math.Abs(got[i] - want[i])
				mean += x / float64(len(lines))
				worst = math.Max(worst, x)
				if x <= 2*errs[i]+1e-9 {
					inside++
				}
			}
			t.Logf("%s, %s: mean error %.4f, worst %.4f, inside %d of %d, rate %.4f, %d lines", s.name, o.name, mean, worst, inside, len(lines), e.Rate, e.Followed)
			if mean > o.error {
				t.Errorf("%s, %s: mean error %.4f", s.name, o.name, mean)
			}
		}
	}
}
