package bandwidth

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Hits are those of a simulation of the passes.
func TestHitsAgainstSimulation(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 200 {
		ways := float64(1 + r.IntN(8))
		sets := float64(int(1) << r.IntN(5))
		if r.IntN(3) == 0 {
			sets = float64(1 + r.IntN(20)) // not a power of two
		}
		h := &Hierarchy{Levels: []Level{{Name: "L1", Bytes: ways * sets * 64, Ways: ways, Virtual: true}}, Line: 64, Page: 4096}
		p := Point{Stride: 1 << r.IntN(7), Bytes: float64(64 * (1 + r.IntN(400)))}
		got, want := h.Hits(p)[0], simulatedHits(p, int(sets), int(ways))
		if math.Abs(got-want) > 1e-9 {
			t.Fatalf("%+v, %g sets of %g: %g, want %g", p, sets, ways, got, want)
		}
	}
}

// simulatedHits passes over an array until nothing changes, with least recently used replacement.
func simulatedHits(p Point, sets, ways int) float64 {
	stacks := make([][]int, sets)
	hits, all := 0, 0
	for range 3 {
		hits, all = 0, 0
		for a := 0; float64(a) < p.Bytes; a += 8 * p.Stride {
			line := a / 64
			s := &stacks[line%sets]
			found := -1
			for i, l := range *s {
				if l == line {
					found = i
				}
			}
			all++
			if found >= 0 {
				hits++
				*s = append((*s)[:found], (*s)[found+1:]...)
			} else if len(*s) == ways {
				*s = (*s)[1:]
			}
			*s = append(*s, line)
		}
	}
	return float64(hits) / float64(all)
}
