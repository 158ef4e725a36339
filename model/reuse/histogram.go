package reuse

import "math/bits"

// subBits sets the resolution: an octave has 2^subBits bins, so a value is known to 1 in 2^subBits.
const subBits = 7

// Histogram counts values with a bounded relative error: values below 2^8 have a bin each, larger ones share
// 128 bins an octave, so a bin's ends differ by less than 0.8 %. The zero value is empty. Histograms merge.
type Histogram struct {
	Cold   int64   // values that are infinite
	counts []int64 // by bin
	total  int64
}

// BinOf is the bin of a value ≥ 0.
func BinOf(v int64) int {
	if v < 1<<(subBits+1) {
		return int(v)
	}
	shift := bits.Len64(uint64(v)) - subBits - 1
	return shift<<subBits + int(v>>shift)
}

// Bounds gives the least and greatest value of a bin.
func Bounds(bin int) (low, high int64) {
	if bin < 1<<(subBits+1) {
		return int64(bin), int64(bin)
	}
	shift := bin>>subBits - 1
	low = int64(bin-shift<<subBits) << shift
	return low, low + 1<<shift - 1
}

// Add counts a value n times.
func (h *Histogram) Add(v, n int64) {
	b := BinOf(v)
	if b >= len(h.counts) {
		h.counts = append(h.counts, make([]int64, b+1-len(h.counts))...)
	}
	h.counts[b] += n
	h.total += n
}

// Merge adds another histogram.
func (h *Histogram) Merge(o *Histogram) {
	h.Cold += o.Cold
	h.total += o.total
	if len(o.counts) > len(h.counts) {
		h.counts = append(h.counts, make([]int64, len(o.counts)-len(h.counts))...)
	}
	for i, n := range o.counts {
		h.counts[i] += n
	}
}

// Total is the number of values, cold ones included.
func (h *Histogram) Total() int64 { return h.total + h.Cold }

// Each calls f for the bins that are not empty, in order.
func (h *Histogram) Each(f func(low, high, count int64)) {
	for b, n := range h.counts {
		if n != 0 {
			low, high := Bounds(b)
			f(low, high, n)
		}
	}
}

// Distribution gives the histogram with every value at the middle of its bin.
func (h *Histogram) Distribution() *Distribution {
	d := &Distribution{Cold: float64(h.Cold)}
	h.Each(func(low, high, n int64) {
		d.Points = append(d.Points, Point{Value: float64(low+high) / 2, Weight: float64(n), Class: -1})
	})
	return d
}
