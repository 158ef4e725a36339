package bandwidth

import (
	"math"
	"slices"
)

// Plateau is a stretch of sizes over which a random pointer chase takes the same time.
type Plateau struct {
	Latency float64 // in the unit of the points
	From    float64 // bytes of its first point
	To      float64 // and of its last
	// Edge is where half of the way to the next plateau is done: where half of the lines miss. 0 of the last one.
	Edge float64
}

// Of plateaus.
const (
	leastRise    = 1.4  // from one to the next
	leastOctaves = 0.75 // that one reaches over
	leastPoints  = 4
	unevenness   = 0.05 // of the latencies on one, usually
	mostUneven   = 4    // times that; more of a single point tells no more
	rampCost     = 1.5  // of an octave between plateaus, where one of a plateau that is as uneven as usual costs 1
	plateauCost  = 1
)

// ChasePlateaus finds those of a chase: bytes and latencies, by bytes. It deals the points to plateaus and to ramps between them so that the sum of what
// plateaus are off by (absolutely, in logarithms), of ramps' lengths, and of a price of each plateau is least: one point that is far off moves none.
func ChasePlateaus(points [][2]float64) []Plateau {
	p := newPlateauProblem(points)
	if len(p.all) == 0 {
		return nil
	}
	last := p.solve()
	var out []Plateau
	for s := last; s != nil; s = s.before {
		out = append(out, Plateau{Latency: math.Exp(s.level), From: points[s.first][0], To: points[s.last][0]})
	}
	slices.Reverse(out)
	for i := range len(out) - 1 {
		out[i].Edge = crossing(points, out[i], out[i+1])
	}
	return out
}

// stretch is points that may be a plateau.
type stretch struct {
	first, last int
	level       float64 // median of the logarithms
	cost        float64
	best        float64 // of all up to its end
	before      *stretch
}

type plateauProblem struct {
	y, weight []float64 // logarithms, and octaves that a point stands for
	ramp      []float64 // cost of a ramp before each point, from the first on
	all       []*stretch
}

func newPlateauProblem(points [][2]float64) *plateauProblem {
	n := len(points)
	p := &plateauProblem{y: make([]float64, n), weight: make([]float64, n), ramp: make([]float64, n+1)}
	at := func(i int) float64 { return math.Log2(points[min(max(i, 0), n-1)][0]) }
	for i := range points {
		p.y[i] = math.Log(points[i][1])
		p.weight[i] = (at(i+1) - at(i-1)) / 2
		p.ramp[i+1] = p.ramp[i] + rampCost*p.weight[i]
	}
	for first := range n {
		var sorted []float64
		for last := first; last < n; last++ {
			i, _ := slices.BinarySearch(sorted, p.y[last])
			sorted = slices.Insert(sorted, i, p.y[last])
			if last-first+1 < leastPoints || at(last)-at(first) < leastOctaves {
				continue
			}
			s := &stretch{first: first, last: last, level: sorted[len(sorted)/2]}
			for i := first; i <= last; i++ {
				s.cost += p.weight[i] * min(math.Abs(p.y[i]-s.level)/unevenness, mostUneven)
			}
			if s.cost < p.ramp[last+1]-p.ramp[first] { // else it is a ramp rather
				s.cost += plateauCost
				p.all = append(p.all, s)
			}
		}
	}
	return p
}

// solve gives the last plateau of the cheapest deal.
func (p *plateauProblem) solve() (last *stretch) {
	least := math.Inf(1)
	slices.SortStableFunc(p.all, func(a, b *stretch) int { return a.last - b.last })
	for i, s := range p.all {
		s.best = p.ramp[s.first] + s.cost
		for _, t := range p.all[:i] {
			if t.last >= s.first || s.level-t.level < math.Log(leastRise) {
				continue
			}
			if cost := t.best + p.ramp[s.first] - p.ramp[t.last+1] + s.cost; cost < s.best {
				s.best, s.before = cost, t
			}
		}
		if all := s.best + p.ramp[len(p.y)] - p.ramp[s.last+1]; all < least {
			least, last = all, s
		}
	}
	return last
}

// crossing is the size at which a chase is halfway between two plateaus, for good: points that come back below do not count.
func crossing(points [][2]float64, from, to Plateau) float64 {
	half := (from.Latency + to.Latency) / 2
	var below, above [2]float64
	for _, q := range points {
		switch {
		case q[0] < from.From || q[0] > to.To:
		case q[1] < half && q[0] < to.From || q[0] <= from.To:
			below, above = q, [2]float64{}
		case above[0] == 0:
			above = q
		}
	}
	if above[0] == 0 || above[1] <= below[1] {
		return math.Sqrt(from.To * to.From)
	}
	share := min(max((half-below[1])/(above[1]-below[1]), 0), 1)
	return below[0] * math.Pow(above[0]/below[0], share)
}

// The odd factors that sizes of caches have.
const mostOdd = 15

// widestEdge is how far below the middle of the way to the next plateau a cache ends at most: where the way is longer, something else made it so.
const widestEdge = 1.2

// CacheSize is the size of the cache that a plateau shows: the simplest number, a power of two or a small odd number of them, of those between the last
// size that it held and the one half of which it misses.
func (p Plateau) CacheSize() int64 {
	low, high := 0.99*max(min(p.To, p.Edge), p.Edge/widestEdge), 1.03*p.Edge
	for k := int64(1); k <= mostOdd; k += 2 {
		n := math.Floor(math.Log2(high / float64(k)))
		if size := float64(k) * math.Exp2(n); n >= 0 && size >= low {
			return int64(size)
		}
	}
	return int64(p.Edge)
}
