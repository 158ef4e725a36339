package bandwidth

import "math"

// Level is a cache as it is described.
type Level struct {
	Name    string
	Bytes   float64
	Ways    float64
	Virtual bool // indexed by virtual addresses: that pages lie in no order does not matter

	LatencyNs float64 // of a load that it serves; 0: not known
}

// Hierarchy is what a sweep ran on: caches from L1 outwards; memory comes after them. Lines and pages are of so many bytes.
type Hierarchy struct {
	Levels []Level
	Line   float64
	Page   float64

	MemoryLatencyNs float64 // 0: not known
}

// Hits gives the cumulative hit rates of a point by least recently used replacement on the described caches, and 1 for memory: hᵢ of
// Tikir et al., section 3.1. A pass over an array comes to its lines in turn, so that of the lines of one set either all hit or none:
// exactly what a simulation gives. Pages lie as in virtual memory.
func (h *Hierarchy) Hits(p Point) []float64 {
	n, step := p.lines(h.Line)
	per := p.perAccess(h.Line)
	hits := make([]float64, 0, len(h.Levels)+1)
	least := 0.0
	for _, l := range h.Levels {
		sets := max(1, math.Round(l.Bytes/(h.Line*l.Ways)))
		least = max(least, 1-per*(1-fitting(n, step, sets, l.Ways)))
		hits = append(hits, least)
	}
	return append(hits, 1)
}

// fitting is the share of n lines, step lines apart, that lie in sets with no more than ways of them.
func fitting(n, step, sets, ways float64) float64 {
	used := sets / gcd(sets, step) // sets that lines come to, in turn
	each, more := math.Floor(n/used), math.Mod(n, used)
	fit := 0.0
	if each <= ways {
		fit += (used - more) * each
	}
	if each+1 <= ways {
		fit += more * (each + 1)
	}
	return fit / n
}

func gcd(a, b float64) float64 {
	for b > 0 {
		a, b = b, math.Mod(a, b)
	}
	return a
}

// wellInside is by what factor an array must be smaller than a cache, and larger than the one before, for its point to lie on the plateau
// of that cache; see Constants.
const wellInside = 1.6

// Plateau is the level that alone serves a point's lines, from 0 for L1 to the number of caches for memory; −1: none does, as the point
// lies on the drop between two levels.
func (h *Hierarchy) Plateau(p Point) int {
	before := 0.0
	for i, l := range h.Levels {
		if p.Bytes < l.Bytes/wellInside && p.Bytes > before*wellInside {
			return i
		}
		before = l.Bytes
	}
	if p.Bytes > before*wellInside {
		return len(h.Levels)
	}
	return -1
}

// OnPlateau says whether one level alone serves a point's lines.
func (h *Hierarchy) OnPlateau(p Point) bool { return h.Plateau(p) >= 0 }
