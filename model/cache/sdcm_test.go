package cache_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"foresee/model/cache"
	"foresee/model/reuse"
)

// plainSum is eq. 1 of PPT-Multicore with 300-bit numbers: the oracle.
func plainSum(d, a, b int64) float64 {
	const bits = 300
	p := new(big.Float).SetPrec(bits).Quo(big.NewFloat(float64(a)).SetPrec(bits), big.NewFloat(float64(b)).SetPrec(bits))
	q := new(big.Float).SetPrec(bits).Sub(big.NewFloat(1).SetPrec(bits), p)
	power := func(x *big.Float, n int64) *big.Float {
		r := big.NewFloat(1).SetPrec(bits)
		y := new(big.Float).SetPrec(bits).Set(x)
		for ; n > 0; n >>= 1 {
			if n&1 == 1 {
				r.Mul(r, y)
			}
			y.Mul(y, y)
		}
		return r
	}
	sum := new(big.Float).SetPrec(bits)
	for i := int64(0); i < a && i <= d; i++ {
		c := new(big.Float).SetPrec(bits).SetInt(new(big.Int).Binomial(d, i))
		c.Mul(c, power(p, i))
		c.Mul(c, power(q, d-i))
		sum.Add(sum, c)
	}
	f, _ := sum.Float64()
	return f
}

func TestHitProbabilityAgainstPlainSum(t *testing.T) {
	for _, g := range []cache.Geometry{{512, 8}, {4096, 8}, {327680, 20}, {6, 2}, {12, 12}, {1000, 1}, {768, 12}, {16384, 128}, {880 * 11, 11}} {
		for _, d := range []int64{0, 1, 2, 7, 8, 9, 100, 511, 512, 1000, 4096, 40960, 327680, 655360, 5_000_000, 1e9, 1e12} {
			got, want := g.HitProbability(float64(d)), plainSum(d, g.Ways, g.Lines)
			if g.Lines == g.Ways { // one set, which holds the lines used last
				want = 0
				if d < g.Lines {
					want = 1
				}
			}
			if math.Abs(got-want) > 1e-9 || math.IsNaN(got) {
				t.Errorf("%+v at %d: %.15g, want %.15g", g, d, got, want)
			}
		}
	}
}

func TestDirectMapped(t *testing.T) { // eq. 2
	g := cache.Geometry{Lines: 512, Ways: 1}
	for _, d := range []float64{1, 10, 512, 5000} {
		if got, want := g.HitProbability(d), math.Pow(511.0/512, d); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %v: %v, want %v", d, got, want)
		}
	}
}

func TestHitProbabilityFalls(t *testing.T) {
	g := cache.Geometry{Lines: 768, Ways: 12}
	before := 1.0
	for d := 0.0; d < 5000; d++ {
		p := g.HitProbability(d)
		if p > before+1e-12 || p < 0 {
			t.Fatalf("at %v: %v after %v", d, p, before)
		}
		before = p
	}
	if p := g.HitProbability(math.Inf(1)); p != 0 {
		t.Errorf("cold: %v", p)
	}
}

// TestSimulatorOnRandomLines: lines in random order nearly meet SDCM's assumption, so the two must nearly agree;
// the lines in between are drawn without replacement and not with it, which is worth less than a point.
func TestSimulatorOnRandomLines(t *testing.T) {
	g := cache.Geometry{Lines: 96, Ways: 6}
	s, err := cache.NewSimulator(cache.Hierarchy{Levels: []cache.Level{{Geometry: g}}})
	if err != nil {
		t.Fatal(err)
	}
	e := reuse.NewStack(1)
	rng := rand.New(rand.NewPCG(1, 1))
	const lines, n = 1600, 400_000
	want := 0.0
	for range n {
		// Half of the accesses go to a few lines, so that distances are short and long.
		l := rng.Int64N(lines)
		if rng.IntN(2) == 0 {
			l = rng.Int64N(96)
		}
		if d, ok := e.Touch(uint64(l)); ok {
			want += g.HitProbability(float64(d))
		}
		s.Access(0, uint64(l), false)
	}
	c := s.Counts().Levels[0]
	if got := 1 - float64(c.Misses)/n; math.Abs(got-want/n) > 0.01 {
		t.Errorf("simulated %.4f, model %.4f", got, want/n)
	}
}

func TestGeometryIsChecked(t *testing.T) {
	for _, g := range []cache.Geometry{{}, {Lines: 4, Ways: 8}, {Lines: 4, Ways: 0}} {
		if g.Validate() == nil {
			t.Errorf("%+v is accepted", g)
		}
	}
}
