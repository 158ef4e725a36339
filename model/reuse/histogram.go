package reuse

import (
	"fmt"
	"math"
	"math/bits"
)

// Resolution is how finely a histogram tells values apart: an octave, from one power of two to the next, has
// 2^Resolution bins, so that the ends of a bin differ by less than 1 in 2^Resolution; below 2^(Resolution+1) every
// value has a bin of its own.
type Resolution uint8

// Resolutions. Predictions are made with Fine; Coarse takes less memory, and Full is exact.
const (
	Coarse Resolution = 2  // 4 bins an octave
	Fine   Resolution = 7  // 128 bins an octave: ends differ by less than 0.8 %
	Full   Resolution = 63 // a bin for each value: memory grows with the largest
)

// Histogram counts values with a bounded relative error. Histograms of one resolution merge.
type Histogram struct {
	Cold       int64   // values that are infinite
	counts     []int64 // by bin
	total      int64
	resolution Resolution
}

// NewHistogram makes an empty histogram.
func NewHistogram(r Resolution) *Histogram { return &Histogram{resolution: r} }

// BinOf is the bin of a value ≥ 0.
func (r Resolution) BinOf(v int64) int {
	if r == Full {
		return int(v)
	}
	shift := bits.Len64(uint64(v)|1<<r) - int(r) - 1
	return shift<<r + int(v>>(shift&63))
}

// Bounds gives the least and greatest value of a bin.
func (r Resolution) Bounds(bin int) (low, high int64) {
	if r == Full || bin < 1<<(r+1) {
		return int64(bin), int64(bin)
	}
	shift := bin>>r - 1
	low = int64(bin-shift<<r) << shift
	return low, low + 1<<shift - 1
}

// Add counts a value n times.
func (h *Histogram) Add(v, n int64) {
	b := h.resolution.BinOf(v)
	h.reach(b)
	h.counts[b] += n
	h.total += n
}

// reach makes room for a bin.
func (h *Histogram) reach(bin int) {
	if bin >= len(h.counts) {
		h.counts = grown(h.counts, bin+1)
	}
}

// addAll counts values up to the greatest given.
func (h *Histogram) addAll(values []uint32, greatest uint64) {
	h.reach(h.resolution.BinOf(int64(greatest)))
	h.total += int64(len(values))
	if h.resolution == Full {
		counts := h.counts
		for _, v := range values {
			counts[v]++
		}
		return
	}
	counts, r := h.counts, uint(h.resolution)&31
	for _, v := range values {
		shift := uint(bits.Len32(v|1<<r)) - r - 1
		counts[uint(v>>(shift&31))+shift<<r]++
	}
}

// addLong is addAll for values of 64 bits.
func (h *Histogram) addLong(values []uint64, greatest uint64) {
	h.reach(h.resolution.BinOf(int64(greatest)))
	h.total += int64(len(values))
	counts, r := h.counts, uint(h.resolution)&63
	if h.resolution == Full {
		for _, v := range values {
			counts[v]++
		}
		return
	}
	for _, v := range values {
		shift := uint(bits.Len64(v|1<<r)) - r - 1
		counts[uint(v>>(shift&63))+shift<<r]++
	}
}

// Merge adds another histogram of the same resolution.
func (h *Histogram) Merge(o *Histogram) {
	if h.resolution != o.resolution {
		panic(fmt.Sprintf("reuse: histograms of %d and %d bins an octave do not merge", 1<<h.resolution, 1<<o.resolution))
	}
	h.Cold += o.Cold
	h.total += o.total
	h.reach(len(o.counts) - 1)
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
			low, high := h.resolution.Bounds(b)
			f(low, high, n)
		}
	}
}

// MissRatios gives, for fully associative LRU caches of the given numbers of lines, the share of accesses whose distance
// is at least that, and how far off it may be: a size inside a bin takes its part of the bin, and may be wrong by the
// rest of it.
func (h *Histogram) MissRatios(lines []float64) (ratios, errors []float64) {
	above := make([]int64, len(h.counts)+1) // counts[i:] and cold
	above[len(h.counts)] = h.Cold
	for i := len(h.counts) - 1; i >= 0; i-- {
		above[i] = above[i+1] + h.counts[i]
	}
	total := math.Max(float64(above[0]), 1)
	ratios, errors = make([]float64, len(lines)), make([]float64, len(lines))
	for i, size := range lines {
		c := int64(math.Ceil(math.Max(size, 0)))
		bin := h.resolution.BinOf(c)
		if bin >= len(h.counts) {
			ratios[i] = float64(h.Cold) / total
			continue
		}
		low, high := h.resolution.Bounds(bin)
		part := float64(high-c+1) / float64(high-low+1)
		ratios[i] = (float64(above[bin+1]) + part*float64(h.counts[bin])) / total
		if c > low {
			errors[i] = math.Max(part, 1-part) * float64(h.counts[bin]) / total
		}
	}
	return ratios, errors
}

// Distribution gives the histogram with every value at the middle of its bin.
func (h *Histogram) Distribution() *Distribution {
	d := &Distribution{Cold: float64(h.Cold)}
	h.Each(func(low, high, n int64) {
		d.Points = append(d.Points, Point{Value: float64(low+high) / 2, Weight: float64(n), Class: -1})
	})
	return d
}
