package cache

import "math/bits"

// Colouring gives pages places in physical memory that have nothing to do with their addresses, the same every time: an operating system
// takes any free page, and a cache whose sets span more than a page sees pages of any colour side by side. The zero value leaves lines
// where they are.
type Colouring struct {
	shift uint                                      // lines of a page, as a power of two; 0: lines stay where they are
	known [knownFrames]struct{ page, frame uint64 } // of pages that were asked for, by their last bits; a frame of 0 is none, others are one more
}

// knownFrames is how many pages have their frames at hand. Chosen: more than loops walk through at a time.
const knownFrames = 32

// NewColouring is for pages and lines of so many bytes; pages of no more than a line leave lines where they are.
func NewColouring(page, line int64) Colouring {
	return Colouring{shift: uint(bits.Len64(uint64(max(page/line, 1))) - 1)}
}

// frameBits is the binary logarithm of the number of pages that are moved, so that lines of a byte in them are still below 2^63.
const frameBits = 40

// Line gives the place of a line in physical memory.
func (f *Colouring) Line(line uint64) uint64 {
	if f.shift == 0 {
		return line
	}
	shift := f.shift & 63
	page := line >> shift
	k := &f.known[page%knownFrames]
	if k.page != page || k.frame == 0 {
		k.page, k.frame = page, frameOf(page)+1
	}
	return (k.frame-1)<<shift | line&(1<<shift-1)
}

// frameOf is a permutation of the numbers below 2^frameBits; others stay what they are. Multiplying by an odd number and folding the upper half into
// the lower are both permutations; the odd numbers are those of well-known hashes (golden ratio; SplitMix64), and any other would do.
func frameOf(page uint64) uint64 {
	if page>>frameBits != 0 {
		return page
	}
	const mask = 1<<frameBits - 1
	for _, odd := range [...]uint64{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9} {
		page = page * odd & mask
		page ^= page >> (frameBits/2 + 1)
	}
	return page
}
