package reuse

// filter is the top of an LRU stack, apart from the rest: most references of real programs are to one of the few
// newest lines, and are answered here. What it passes on stays exact, since lines in the filter are not in the order.
type filter struct {
	lines [filterLines]uint64
	hits  [filterLines]int64 // by distance
}

const (
	// filterLines is how many lines the filter holds. Chosen: they fit into registers, where pass keeps them.
	filterLines = 4
	// noLine stands for no line: no address has a line of that number.
	noLine = ^uint64(0)
)

func newFilter() filter { return filter{lines: [filterLines]uint64{noLine, noLine, noLine, noLine}} }

// pass looks addresses up. Those of lines that are not in the filter go to missed, and the lines that they push
// out, or noLine, to pushed; it gives their number.
func (f *filter) pass(addresses []uint64, shift uint8, missed, pushed *[batch]uint64) int {
	f0, f1, f2, f3 := f.lines[0], f.lines[1], f.lines[2], f.lines[3]
	var h0, h1, h2, h3 int64
	m := uint(0)
	for _, a := range addresses {
		x := a >> (shift & 63)
		if x == f0 {
			h0++
			continue
		}
		if x == f1 {
			h1++
			f0, f1 = x, f0
			continue
		}
		if x == f2 {
			h2++
			f0, f1, f2 = x, f0, f1
			continue
		}
		if x == f3 {
			h3++
		} else {
			missed[m%batch] = x
			pushed[m%batch] = f3
			m++
		}
		f0, f1, f2, f3 = x, f0, f1, f2
	}
	f.lines = [filterLines]uint64{f0, f1, f2, f3}
	f.hits[0] += h0
	f.hits[1] += h1
	f.hits[2] += h2
	f.hits[3] += h3
	return int(m)
}

// size is the number of lines in the filter.
func (f *filter) size() (n uint64) {
	for _, l := range f.lines {
		if l != noLine {
			n++
		}
	}
	return n
}
