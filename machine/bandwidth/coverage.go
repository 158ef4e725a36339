package bandwidth

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// binEdges are the bins of hit rates of Tikir et al., section 2: from 100 % down in ranges that double.
var binEdges = []float64{0.99, 0.98, 0.96, 0.92, 0.84, 0.68, 0.36}

// Bin is the bin of a hit rate, 0 for the highest of eight.
func Bin(hit float64) int {
	for i, e := range binEdges {
		if hit >= e {
			return i
		}
	}
	return len(binEdges)
}

// Coverage is the part of the space of hit rates that points come to, in bins of each cache level.
type Coverage map[[mostLevels]int8]bool

func binsOf(hits []float64) (key [mostLevels]int8) {
	for i, h := range hits {
		if i < mostLevels {
			key[i] = int8(Bin(h))
		}
	}
	return key
}

// Coverage is that of the points by the form's own hit rates, in which caches end softly.
func (f *Extended) Coverage(points []Point, line float64) Coverage {
	c := Coverage{}
	for _, p := range points {
		per, most := p.perAccess(line), 1.0
		hits := make([]float64, len(f.Edges))
		for i, e := range f.Edges {
			most = min(most, distuv.UnitNormal.CDF(math.Log(p.held(line)/e.Bytes)/e.Width))
			hits[i] = 1 - per*most
		}
		c[binsOf(hits)] = true
	}
	return c
}

// Coverage is that of the points by least recently used replacement on the described caches.
func (h *Hierarchy) Coverage(points []Point) Coverage {
	c := Coverage{}
	for _, p := range points {
		hits := h.Hits(p)
		c[binsOf(hits[:len(hits)-1])] = true
	}
	return c
}

// Has says whether there is a point in the bins of some cumulative hit rates.
func (c Coverage) Has(hits []float64) bool { return c[binsOf(hits)] }
