package bandwidth

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"foresee/internal/quantile"
)

// Latency is what a random pointer chase shows: the latency of each cache and of memory, and where the caches end.
type Latency struct {
	Ns    []float64 // L1, …, memory
	Edges []Edge
	Error float64 // mean of the absolute relative errors
}

// beyond is how many widths past an edge nothing is left to tell.
const beyond = 6

// At is the latency of a chase through so many bytes: each level's share is what the levels before it miss.
func (l *Latency) At(bytes float64) float64 {
	ns, most := l.Ns[0], 1.0
	for i, e := range l.Edges {
		if off := math.Log(bytes/e.Bytes) / e.Width; off < beyond { // else all of its lines miss
			most = min(most, distuv.UnitNormal.CDF(off))
		}
		if most == 0 {
			break
		}
		ns += most * (l.Ns[i+1] - l.Ns[i])
	}
	return ns
}

// latencyStarts are those of the search; the first is from the middles of the levels.
const latencyStarts = 8

// FitLatency fits to points of bytes and ns; the same seed gives the same.
func FitLatency(h *Hierarchy, points [][2]float64, seed uint64) (*Latency, error) {
	n := len(h.Levels)
	if len(points) < 2*(n+1) {
		return nil, errors.New("too few sizes to tell the levels apart")
	}
	least, longest := math.Inf(1), 0.0
	for _, p := range points {
		least, longest = min(least, p[1]), max(longest, p[0])
	}
	at := func(genes []float64) *Latency {
		l := &Latency{Ns: []float64{least * math.Pow(1.5, genes[0]-0.3)}}
		for i := range n {
			l.Ns = append(l.Ns, l.Ns[i]*math.Pow(30, 0.05+genes[1+i]))
		}
		before := 0.0
		for i, level := range h.Levels {
			low, high := level.Bytes/2, level.Bytes*2
			if i == n-1 && i > 0 {
				high = min(level.Bytes*1.5, longest)
				low = min(before*1.5, high/4)
			}
			e := Edge{low * math.Pow(high/low, genes[1+n+i]), 0.03 * math.Pow(40, genes[1+2*n+i])}
			l.Edges = append(l.Edges, e)
			before = level.Bytes
		}
		return l
	}
	cost := func(genes []float64) (sum float64) {
		l := at(genes)
		for _, p := range points {
			sum += math.Abs(math.Log(l.At(p[0])/p[1])) / float64(len(points))
		}
		for i := range n { // as narrow as will do
			sum += 1e-3 * genes[1+2*n+i]
		}
		return sum
	}
	best, _ := local(1+3*n, seed, latencyStarts, cost, guess(h, points, least, longest))
	out := at(best)
	for _, p := range points {
		out.Error += math.Abs(out.At(p[0])/p[1]-1) / float64(len(points))
	}
	return out, nil
}

// guess is the genes of what the middles of the levels show.
func guess(h *Hierarchy, points [][2]float64, least, longest float64) []float64 {
	n := len(h.Levels)
	genes := make([]float64, 1+3*n)
	genes[0] = 0.3
	before := least
	for i := range n {
		low, high := 2*h.Levels[i].Bytes, longest
		if i+1 < n {
			high = h.Levels[i+1].Bytes / 1.6
		}
		var here []float64
		for _, p := range points {
			if p[0] >= low && p[0] <= high {
				here = append(here, p[1])
			}
		}
		ns := 3 * before
		if len(here) > 0 {
			ns = quantile.Median(here)
		}
		genes[1+i] = min(max(math.Log(ns/before)/math.Log(30)-0.05, 0), 1)
		before = ns
		genes[1+n+i], genes[1+2*n+i] = 0.5, 0.5
	}
	return genes
}
