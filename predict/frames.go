package predict

// frames gives pages places in physical memory that have nothing to do with their addresses, the same every time.
type frames struct {
	shift uint // lines of a page, as a power of two; 0: lines stay where they are
	page  uint64
	frame uint64
}

// Pages are numbered below 2^frameBits, so that lines of a byte in them are still below 2^63.
const frameBits = 40

// line gives the place of a line.
func (f *frames) line(line uint64) uint64 {
	if f.shift == 0 {
		return line
	}
	if page := line >> f.shift; page != f.page || f.frame == 0 {
		f.page, f.frame = page, frameOf(page)+1
	}
	return (f.frame-1)<<f.shift | line&(1<<f.shift-1)
}

// frameOf is a permutation of the numbers below 2^frameBits; others stay what they are.
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
