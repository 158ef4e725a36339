package reuse_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
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

// A loop is the hardest case: all distances are one, and the followed lines are all wrong about it together.
func TestShardsStateTheirErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	streams := map[string]func(i int) uint64{
		"rare phase": func(i int) uint64 {
			if i/20_000 == 17 {
				return r.Uint64N(15_000) * 64
			}
			return uint64(i%100) * 64
		},
		"two phases": func(i int) uint64 {
			if i/8192%2 == 0 {
				return uint64(i%10) * 64
			}
			return r.Uint64N(30_000) * 64
		},
		"columns":     func(i int) uint64 { return uint64(i%2080)*8192 + uint64(i/2080%1024)*8 },
		"permutation": func(i int) uint64 { return uint64(i) * 7919 % 50_021 * 64 },
	}
	for _, n := range []int{600, 2049, 2060, 2100, 2300, 2500, 5000, 8192, 20_000} {
		streams[fmt.Sprint("loop of ", n)] = func(i int) uint64 { return uint64(i%n) * 64 }
	}
	inside, points := 0, 0
	for name, f := range streams {
		for _, length := range []int{3000, 50_000, 1 << 20} {
			addresses := make([]uint64, length)
			for i := range addresses {
				addresses[i] = f(i)
			}
			lines := logarithmicGrid(1 << 17)
			want := exactRatios(addresses, lines)
			here, worst := 0, 0.0
			const seeds = 10
			for seed := range uint64(seeds) {
				s := reuse.NewShards(64, reuse.ShardsOptions{Rate: 0.01, Seed: seed})
				s.Add(addresses)
				got, errs := s.Estimate().MissRatios(lines)
				for i := range lines {
					if x := math.Abs(got[i] - want[i]); x <= 2*errs[i]+1e-9 {
						here++
					} else {
						worst = math.Max(worst, x-2*errs[i])
					}
				}
			}
			inside, points = inside+here, points+seeds*len(lines)
			if share := float64(here) / float64(seeds*len(lines)); share < 0.9 {
				t.Logf("%s, %d accesses: %.0f %% within the stated error, worst beyond it %.3f", name, length, 100*share, worst)
			}
		}
	}
	share := float64(inside) / float64(points)
	t.Logf("%.1f %% of %d points within the stated error", 100*share, points)
	if share < 0.95 {
		t.Error("fewer than 95 %")
	}
}

// TestShardsOfLoopNests holds the mean over seeds to the truth where bursts must tell reuses of nearly their own length: kernels whose phases
// come to new lines at different speeds, at a cache of 16 KiB; and what is stated as the error to a use.
func TestShardsOfLoopNests(t *testing.T) {
	const lines, seeds = 256, 6
	err := kernels.With("SMALL", []string{"dct", "nussinov", "adi", "cholesky", "symm"}, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			s, err := nest.NewStream(k.Program, nest.Options{Threads: 1, Group: 1, Line: 64})
			if err != nil {
				return err
			}
			addresses := make([]uint64, 0, s.Len())
			s.Each(func(p nest.Place) bool {
				addresses = append(addresses, uint64(s.Address(p))*64)
				return true
			})
			want := exactRatios(addresses, []float64{lines})[0]
			mean, stated := 0.0, 0.0
			for seed := range uint64(seeds) {
				z := reuse.NewShards(64, reuse.ShardsOptions{Rate: 0.01, Seed: seed})
				z.Add(addresses)
				got, errs := z.Estimate().MissRatios([]float64{lines})
				mean, stated = mean+got[0]/seeds, stated+errs[0]/seeds
			}
			if math.Abs(mean-want) > 0.004 || stated > 0.03 {
				t.Errorf("%s: mean %.4f, want %.4f; stated error %.4f", k.Name, mean, want, stated)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
