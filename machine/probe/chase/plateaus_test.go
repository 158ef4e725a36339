package chase

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// cached is a machine whose chase is made up: caches with least recently used replacement, in pages of some size that lie anywhere.
type cached struct {
	sizes   []float64
	ways    []int
	latency []float64 // of each level and of memory
	page    float64
	random  []bool // of each level: any line gives way
	noise   float64
	spikes  float64 // the share of points that something slowed down
}

// chase is what such a machine shows.
func (c *cached) chase(r *rand.Rand) (out [][2]float64) {
	for b := 4096.0; b <= 8*c.sizes[len(c.sizes)-1]; b *= math.Pow(2, 1.0/6) {
		ns, miss := c.latency[0], 1.0
		for i, size := range c.sizes {
			miss = min(miss, c.missing(i, b, size, r))
			ns += miss * (c.latency[i+1] - c.latency[i])
		}
		ns *= math.Exp(c.noise * math.Abs(r.NormFloat64()))
		if r.Float64() < c.spikes {
			ns *= 1 + 4*r.Float64()
		}
		out = append(out, [2]float64{b, ns})
	}
	return out
}

// missing is the share of lines of a chase that a cache misses. Of one with random replacement a line that comes again after all others is there if
// each miss between left it: h = (1 - 1/lines)^(misses). Of one with colours, those hit that have no more pages than ways.
func (c *cached) missing(level int, bytes, size float64, r *rand.Rand) float64 {
	if c.random[level] {
		h := 0.5
		for range 200 {
			h = 0.5*h + 0.5*math.Exp(-(1-h)*bytes/size)
		}
		return 1 - h
	}
	colours := size / float64(c.ways[level]) / c.page
	if level == 0 || colours <= 1 {
		if bytes <= size {
			return 0
		}
		return min(1, (bytes-size)*float64(c.ways[level]+1)/size)
	}
	pages := make([]int, int(colours))
	n := int(math.Ceil(bytes / c.page))
	for range n {
		pages[r.IntN(len(pages))]++
	}
	missed := 0
	for _, p := range pages {
		if p > c.ways[level] {
			missed += p
		}
	}
	return float64(missed) / float64(n)
}

func TestPlateaus(t *testing.T) {
	const k, m = 1 << 10, 1 << 20
	for name, c := range map[string]cached{
		"Zen 5":             {sizes: []float64{48 * k, 1 * m, 32 * m}, ways: []int{12, 8, 16}, latency: []float64{4, 14, 47, 400}, page: 2 * m},
		"Zen 5, colours":    {sizes: []float64{48 * k, 1 * m, 32 * m}, ways: []int{12, 8, 16}, latency: []float64{4, 14, 47, 400}, page: 4096},
		"random last level": {sizes: []float64{48 * k, 2 * m, 64 * m}, ways: []int{12, 16, 16}, latency: []float64{5, 15, 90, 300}, page: 4096, random: []bool{false, false, true}},
		"Skylake":           {sizes: []float64{32 * k, 256 * k, 8 * m}, ways: []int{8, 4, 16}, latency: []float64{4, 12, 42, 220}, page: 4096},
		"two levels":        {sizes: []float64{32 * k, 512 * k}, ways: []int{4, 16}, latency: []float64{3, 15, 140}, page: 4096},
		"one level":         {sizes: []float64{32 * k}, ways: []int{4}, latency: []float64{3, 60}, page: 4096},
		"four levels":       {sizes: []float64{32 * k, 256 * k, 6 * m, 128 * m}, ways: []int{8, 8, 12, 16}, latency: []float64{4, 12, 45, 110, 300}, page: 2 * m},
		"large":             {sizes: []float64{64 * k, 1 * m, 96 * m}, ways: []int{4, 8, 12}, latency: []float64{4, 13, 60, 350}, page: 2 * m},
	} {
		if c.random == nil {
			c.random = make([]bool, len(c.sizes))
		}
		for _, noise := range []float64{0, 0.02, 0.06} {
			for seed := range uint64(5) {
				c.noise, c.spikes = noise, noise/2
				t.Run(fmt.Sprintf("%s, noise %g, seed %d", name, noise, seed), func(t *testing.T) {
					got := Plateaus(c.chase(rand.New(rand.NewPCG(seed, 5))))
					if len(got) != len(c.latency) {
						t.Fatalf("%d plateaus, want %d: %+v", len(got), len(c.latency), got)
					}
					for i, p := range got {
						if e := p.Latency/c.latency[i] - 1; math.Abs(e) > 0.03+2*noise && !(i == len(got)-1 && e < 0 && e > -0.2) {
							t.Errorf("latency %d: %.3g, want %g", i, p.Latency, c.latency[i])
						}
						if i == len(c.sizes) {
							break
						}
						tolerance := 1.15
						if c.random[i] { // half of its lines miss well past its end
							tolerance = 1.6
						}
						if ratio := p.Capacity / c.sizes[i]; ratio > tolerance || ratio < 1/1.3 {
							t.Errorf("level %d ends at %.4g, want %g", i+1, p.Capacity, c.sizes[i])
						}
						if size := p.CacheSize(); noise == 0 && i == 0 && float64(size) != c.sizes[i] {
							t.Errorf("L1 of %d, want %g", size, c.sizes[i])
						}
					}
				})
			}
		}
	}
}

// Of what has no plateaus none are told, and a single one is a machine without caches.
func TestNoPlateaus(t *testing.T) {
	var flat, slope [][2]float64
	for b := 4096.0; b < 1<<28; b *= 1.12 {
		flat = append(flat, [2]float64{b, 5})
		slope = append(slope, [2]float64{b, math.Pow(b, 0.6)})
	}
	if got := Plateaus(flat); len(got) != 1 || got[0].Capacity != 0 {
		t.Errorf("flat: %+v", got)
	}
	if got := Plateaus(slope); len(got) > 0 {
		t.Errorf("slope: %+v", got)
	}
	if got := Plateaus(nil); got != nil {
		t.Errorf("nothing: %+v", got)
	}
}

func TestCacheSize(t *testing.T) {
	const k, m = 1 << 10, 1 << 20
	for _, c := range []struct {
		to, edge float64
		want     float64
	}{
		{31 * k, 33 * k, 32 * k},
		{46 * k, 50 * k, 48 * k},
		{36 * k, 41 * k, 40 * k},
		{60 * k, 70 * k, 64 * k},
		{0.7 * m, 1.02 * m, 1 * m},
		{1.2 * m, 1.3 * m, 5 * m / 4},
		{20 * m, 33.5 * m, 32 * m},
		{35 * m, 37 * m, 36 * m},
		{1, 1, 1},
	} {
		if got := (Plateau{To: c.to, Capacity: c.edge}).CacheSize(); math.Abs(float64(got)/c.want-1) > 0.002 {
			t.Errorf("from %g to %g: %d, want %g", c.to, c.edge, got, c.want)
		}
	}
}
