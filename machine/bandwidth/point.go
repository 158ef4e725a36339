package bandwidth

import "math"

// WordBytes is the size of an element.
const WordBytes = 8

// TileRows is how many rows the tiles have of sweeps in which lines come in short runs: so many runs go on beside one another.
const TileRows = 64

// Point is one measurement of MultiMAPS: passes over an array, of which every so manieth element is used.
type Point struct {
	Stride  int     // in elements of 8 bytes
	Bytes   float64 // of the array
	GBs     float64 // of the elements used
	Columns bool    // the array is a matrix with rows of a stride, and a pass uses an element of each line, column by column
	CoreNs  float64 // of an access that L1 serves, where the loop does more than the sweep's; 0: as the sweep
	Streams int     // arrays that are passed over side by side, of so many bytes together; 0: one
	Run     int     // lines of a row that are passed over before those of another row, in tiles of a matrix with rows of a stride; 0: all
}

// Ns is the time of one access.
func (p Point) Ns() float64 { return WordBytes / p.GBs }

// stride is how many elements one access is from the one before, as a rule.
func (p Point) stride() int {
	if p.Run > 0 {
		return 1
	}
	return p.Stride
}

// accesses of one pass.
func (p Point) accesses() float64 {
	return max(1, math.Floor(p.Bytes/(WordBytes*float64(p.stride()))))
}

// lines used in one pass, and how many lines each is from the one before.
func (p Point) lines(line float64) (n, step float64) {
	bytes := WordBytes * float64(p.stride())
	step = max(1, bytes/line)
	return max(1, math.Ceil(p.Bytes/(line*step))), step
}

// perAccess is the number of new lines an access comes to.
func (p Point) perAccess(line float64) float64 {
	if p.Columns {
		return 1
	}
	return min(1, WordBytes*float64(p.stride())/line)
}

// held is what a cache must hold for all lines to hit: as much as would fill the sets that they come to.
func (p Point) held(line float64) float64 {
	row := WordBytes * p.stride()
	if p.Columns || float64(row) <= line {
		return p.Bytes
	}
	return p.Bytes * max(float64(row&-row), line) / float64(row)
}

// Level is a cache, as the sweep sees it.
type Level struct {
	Name    string
	Bytes   float64
	Ways    float64
	Virtual bool // indexed by virtual addresses: pages do not lie in random places
}

// Hierarchy is what a sweep ran on: caches from L1 outwards; memory comes after them.
type Hierarchy struct {
	Levels []Level
	Line   float64
	Page   float64
}

// Hits gives the cumulative hit rates of a point by least recently used replacement on the described caches, and 1 for memory
// (Tikir et al., section 3.1). A pass over an array comes to its lines in turn, so that of the lines of one set either all hit or
// none: exactly what a simulation gives. Pages lie as in virtual memory.
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

// fitting is the share of n lines, so many lines apart, that lie in sets with no more than ways of them.
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
