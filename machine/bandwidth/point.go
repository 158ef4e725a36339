package bandwidth

import "math"

// WordBytes is the size of an element of a sweep: a C double.
const WordBytes = 8

// TileRows is how many rows the tiles have of sweeps in which lines come in short runs: so many runs go on beside one another. Chosen: twice
// as many as prefetchers usually follow streams, so that each run must be found anew.
const TileRows = 64

// Point is one measurement of MultiMAPS: cyclic passes over an array, of which each stride-th element is used.
type Point struct {
	Stride  int     // in elements of 8 bytes
	Bytes   float64 // of the array
	GBs     float64 // measured, of the elements used
	Columns bool    // the array is a matrix with rows of a stride, and a pass uses an element of each line, column by column
	CoreNs  float64 // of an access that L1 serves, where the loop does more than the sweep's; 0: as the sweep's
	Streams int     // arrays that are passed over side by side, of so many bytes together; 0: one
	Run     int     // lines of a row that are passed over before those of the next row, in tiles of a matrix with rows of a stride; 0: all
}

// Ns is the measured time of one access, in ns: at 16 GB/s half a ns.
func (p Point) Ns() float64 { return WordBytes / p.GBs }

// stride is how many elements one access is from the one before, as a rule.
func (p Point) stride() int {
	if p.Run > 0 {
		return 1
	}
	return p.Stride
}

// accesses is how many accesses one pass makes.
func (p Point) accesses() float64 {
	return max(1, math.Floor(p.Bytes/(WordBytes*float64(p.stride()))))
}

// lines is how many lines one pass uses, and how many lines each is from the one before.
func (p Point) lines(line float64) (n, step float64) {
	bytes := WordBytes * float64(p.stride())
	step = max(1, bytes/line)
	return max(1, math.Ceil(p.Bytes/(line*step))), step
}

// perAccess is the number of new lines that an access comes to: 1/8 of a line of 64 bytes at stride 1, one from stride 8 on.
func (p Point) perAccess(line float64) float64 {
	if p.Columns {
		return 1
	}
	return min(1, WordBytes*float64(p.stride())/line)
}

// held is what a cache must hold for all lines to hit, in bytes: as much as would fill the sets that they come to. Lines by a step of two
// come to half of the sets, so an array of which half the lines are used takes as much of the cache as all of it would.
func (p Point) held(line float64) float64 {
	row := WordBytes * p.stride()
	if p.Columns || float64(row) <= line {
		return p.Bytes
	}
	return p.Bytes * max(float64(row&-row), line) / float64(row)
}
