package bandwidth

// MostLevels is the largest number of levels, memory included, that hit rates are kept for.
const MostLevels = 8

// binEnds are the lower ends of the bins of hit rates of Tikir et al., section 2: from 100 % down in ranges that double.
var binEnds = []float64{0.99, 0.98, 0.96, 0.92, 0.84, 0.68, 0.36}

// Bin is the bin of a hit rate, 0 for the highest of eight: 0.985 lies in bin 1, from 98 to 99 %.
func Bin(hit float64) int {
	for i, end := range binEnds {
		if hit >= end {
			return i
		}
	}
	return len(binEnds)
}

// Coverage is the part of the space of hit rates that points come to, in bins of each cache level (Tikir et al., section 2).
type Coverage map[[MostLevels]int8]bool

func binsOf(hits []float64) (key [MostLevels]int8) {
	for i, h := range hits {
		if i < MostLevels {
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
		hits := make([]float64, len(f.Capacities))
		for i, capacity := range f.Capacities {
			most = min(most, capacity.Misses(p.held(line)))
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
