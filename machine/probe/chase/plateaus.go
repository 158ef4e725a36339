package chase

import (
	"math"
	"slices"
)

// Plateau is a stretch of sizes over which a chase takes the same time: a level that serves nearly all loads.
type Plateau struct {
	Latency float64 // in the unit of the points
	From    float64 // bytes of its first point
	To      float64 // and of its last
	// Capacity, in bytes, is where half of the way to the next plateau is done: where half of the lines miss. 0 of the last plateau.
	Capacity float64
}

// What counts as a plateau. Chosen, no source; the test tries them on made-up machines with noise.
const (
	leastRise    = 1.4  // of the latency, from one plateau to the next
	leastOctaves = 0.75 // of sizes that a plateau reaches over
	leastPoints  = 4    // on a plateau
	unevenness   = 0.05 // relative, of the latencies on a plateau, usually
	mostUneven   = 4    // times unevenness: a point further off counts no more than this
	rampCost     = 1.5  // of an octave between plateaus, where one of a plateau that is as uneven as usual costs 1
	plateauCost  = 1    // of each plateau
)

// Plateaus finds the plateaus of a chase: points of bytes and latencies, in the order of bytes. It deals the points to plateaus and to ramps
// between them so that a sum is least: of how far points lie off their plateaus (absolute logarithms), of the lengths of ramps, and of a
// price for each plateau. So one point that is far off moves no plateau.
func Plateaus(points [][2]float64) []Plateau {
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
		out[i].Capacity = crossing(points, out[i], out[i+1])
	}
	return out
}

// stretch is points, from the first to the last, that may be a plateau.
type stretch struct {
	first, last int
	level       float64  // median of the logarithms of the latencies
	cost        float64  // of its points, and of being a plateau
	best        float64  // least cost of all points up to its last, if it is a plateau
	before      *stretch // the plateau before it, of that cost
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

// solve gives the last plateau of the cheapest deal, by dynamic programming over the stretches in the order of their ends.
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

// crossing is the size, in bytes, at which a chase is halfway between two plateaus for good: points that come back below do not count.
// Without points that tell it is the geometric middle.
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

// mostOdd is the largest odd factor that sizes of caches have: 15 · 2ⁿ. 48 KiB are 3 · 2¹⁴, 1.25 MiB 5 · 2¹⁸.
const mostOdd = 15

// widestEnd is how many times below the middle of the way to the next plateau a cache ends at most: where the way is longer, something else
// made it so. Chosen, no source.
const widestEnd = 1.2

// A size may lie so little below what the chase went through without missing, and above where half of it misses.
const (
	justBelow = 0.99
	justAbove = 1.03
)

// CacheSize is the size of the cache that a plateau shows, in bytes: the simplest number, a power of two or a small odd number of them, of
// those between the last size that it held and the one half of which it misses. A plateau up to 46 KiB with its capacity at 50 KiB is a
// cache of 48 KiB.
func (p Plateau) CacheSize() int64 {
	low, high := justBelow*max(min(p.To, p.Capacity), p.Capacity/widestEnd), justAbove*p.Capacity
	for k := int64(1); k <= mostOdd; k += 2 {
		n := math.Floor(math.Log2(high / float64(k)))
		if size := float64(k) * math.Exp2(n); n >= 0 && size >= low {
			return int64(size)
		}
	}
	return int64(p.Capacity)
}
