package chase

import (
	"errors"
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"foresee/internal/patternsearch"
	"foresee/internal/quantile"
	"foresee/machine/bandwidth"
)

// Latency is what a chase shows: the latency of each cache and of memory, and where the caches end.
type Latency struct {
	Ns         []float64 // of L1, …, memory
	Capacities []bandwidth.Capacity
	Error      float64 // mean of the absolute relative errors
}

// beyond is how many widths past a capacity nothing is left to tell: Φ(6) is 1 but for 10⁻⁹.
const beyond = 6

// At is the latency of a chase through so many bytes: each level's latency counts by the share of loads that the levels before it miss.
// With 1 ns in L1, 5 ns in L2 and L1 ending softly at 32 KiB, a chase through 32 KiB takes (1 + 5)/2 = 3 ns.
func (l *Latency) At(bytes float64) float64 {
	ns, most := l.Ns[0], 1.0
	for i, c := range l.Capacities {
		off := math.Log(bytes/c.Bytes) / c.Width
		if off < -beyond { // no line misses
			break
		}
		if off < beyond { // else all of its lines miss
			most = min(most, distuv.UnitNormal.CDF(off))
		}
		ns += most * (l.Ns[i+1] - l.Ns[i])
	}
	return ns
}

// Ranges of what is searched. Chosen, far outside of what caches have: L1 takes 0.89 to 1.33 times the shortest load that was measured, each
// level 1.2 to 35 times as long as the one before; caches end at half to twice the size described, over widths of 0.03 to 1.2.
const (
	firstRange, firstShift = 1.5, 0.3
	riseRange, riseShift   = 30, 0.05
	capacityRange          = 2
	widthRange, leastWidth = 40, 0.03
)

// searchStarts are those of the search; the first is from the middles of the levels. Chosen, no source.
const searchStarts = 8

// narrowness is what a whole range of width costs, in the unit of the mean error: of two fits that are as good the sharper one is taken.
const narrowness = 1e-3

// Fit fits latencies and capacities to points of bytes and latencies; the same seed gives the same.
func Fit(h *bandwidth.Hierarchy, points [][2]float64, seed uint64) (*Latency, error) {
	if len(points) < 2*(len(h.Levels)+1) {
		return nil, errors.New("too few sizes to tell the levels apart")
	}
	s := newSearch(h, points)
	best, _ := patternsearch.Minimise(s.genes(), seed, searchStarts, s.cost, s.guess())
	out := s.latency(best)
	for _, p := range points {
		out.Error += math.Abs(out.At(p[0])/p[1]-1) / float64(len(points))
	}
	return out, nil
}

// search is the fit as a function of genes from 0 to 1: of the first latency, and of each cache the rise to the next latency, the capacity
// and the width.
type search struct {
	h              *bandwidth.Hierarchy
	points         [][2]float64
	least, longest float64 // of the latencies, and of the sizes
}

func newSearch(h *bandwidth.Hierarchy, points [][2]float64) *search {
	s := &search{h: h, points: points, least: math.Inf(1)}
	for _, p := range points {
		s.least, s.longest = min(s.least, p[1]), max(s.longest, p[0])
	}
	return s
}

func (s *search) genes() int { return 1 + 3*len(s.h.Levels) }

// Places of the genes of a cache.
func (s *search) rise(level int) int     { return 1 + level }
func (s *search) capacity(level int) int { return 1 + len(s.h.Levels) + level }
func (s *search) width(level int) int    { return 1 + 2*len(s.h.Levels) + level }

// latency is what genes stand for.
func (s *search) latency(genes []float64) *Latency {
	l := &Latency{Ns: []float64{s.least * math.Pow(firstRange, genes[0]-firstShift)}}
	for i := range s.h.Levels {
		l.Ns = append(l.Ns, l.Ns[i]*math.Pow(riseRange, riseShift+genes[s.rise(i)]))
		low, high := s.capacities(i)
		l.Capacities = append(l.Capacities, bandwidth.Capacity{
			Bytes: low * math.Pow(high/low, genes[s.capacity(i)]), Width: leastWidth * math.Pow(widthRange, genes[s.width(i)]),
		})
	}
	return l
}

// capacities are the bounds of a cache's capacity: of the last one the size that is told may be that of a whole processor.
func (s *search) capacities(level int) (low, high float64) {
	bytes := s.h.Levels[level].Bytes
	if level == 0 || level < len(s.h.Levels)-1 {
		return bytes / capacityRange, bytes * capacityRange
	}
	high = min(bytes*1.5, s.longest)
	return min(s.h.Levels[level-1].Bytes*1.5, high/4), high
}

// cost is the mean absolute logarithm of computed over measured latencies, and a little for each width.
func (s *search) cost(genes []float64) (sum float64) {
	l := s.latency(genes)
	for _, p := range s.points {
		sum += math.Abs(math.Log(l.At(p[0])/p[1])) / float64(len(s.points))
	}
	for i := range s.h.Levels {
		sum += narrowness * genes[s.width(i)]
	}
	return sum
}

// insideNext is how far below the size of the next cache the middle of a level reaches.
const insideNext = 1.6

// guess is the genes of what the middles of the levels show: the median latency of sizes from twice one cache to well inside the next. A
// level without such sizes is taken to be three times as far as the one before.
func (s *search) guess() []float64 {
	n := len(s.h.Levels)
	genes := make([]float64, s.genes())
	genes[0] = firstShift
	before := s.least
	for i := range n {
		low, high := 2*s.h.Levels[i].Bytes, s.longest
		if i+1 < n {
			high = s.h.Levels[i+1].Bytes / insideNext
		}
		var here []float64
		for _, p := range s.points {
			if p[0] >= low && p[0] <= high {
				here = append(here, p[1])
			}
		}
		ns := 3 * before
		if len(here) > 0 {
			ns = quantile.Median(here)
		}
		genes[s.rise(i)] = min(max(math.Log(ns/before)/math.Log(riseRange)-riseShift, 0), 1)
		before = ns
		genes[s.capacity(i)], genes[s.width(i)] = 0.5, 0.5
	}
	return genes
}
