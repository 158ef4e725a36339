package reuse

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Point is a value with its weight.
type Point struct {
	Value     float64
	Weight    float64
	Reference int32 // that makes the access
	Class     int32 // index into Distribution.Classes; −1 when the distance is 0 or known exactly
	Part      uint8 // which part of the sample it is from, for standard errors
}

// Distribution is a weighted set of finite values, and the weight of infinite (cold) ones. Points are sorted by
// value once Sort was called.
type Distribution struct {
	Points []Point
	Cold   float64
	Parts  []float64 // cold weight of each part of a sample; nil when the distribution is exact
	Doubts []Doubt
	// ColdError is the standard error of Cold. The weights of the points make up for what is cold.
	ColdError float64
	// Classes says, for each class of a sample, how far apart in memory, in lines, its accesses and the distinct
	// lines in between lie: a sample of the differences.
	Classes [][]int64
}

// Conflicts gives, for each class, the probability that a distinct line touched between use and reuse falls into
// the same set as the line itself, when the line number modulo the number of sets chooses the set. Lines spread
// at random would give 1/sets; a walk with a stride that shares a factor with the number of sets gives more. Pages of fewer lines
// than there are sets lie anywhere: then the place in the page is what lines share, and chance decides the rest. 0: lines lie in order.
func (d *Distribution) Conflicts(sets, page int64) []float64 {
	places := sets
	if page > 0 {
		places = min(page, sets)
	}
	out := make([]float64, len(d.Classes))
	for i, differences := range d.Classes {
		same := 0.0
		for _, x := range differences {
			if x%places == 0 {
				same++
			}
		}
		n := float64(len(differences))
		expected := n / float64(places)
		out[i] = 1 / float64(sets)
		// Only more conflicts than chance explains count: by half, and by three standard deviations and a bit.
		// Fewer are taken for an accident, since the places looked at are spread evenly.
		if same > 1.5*expected && same > expected+3*math.Sqrt(expected)+2 {
			out[i] = same / n * float64(places) / float64(sets)
		}
	}
	return out
}

// Doubt is weight whose values may all be off together: their mean is known to ±Error.
type Doubt struct {
	Weight, Value, Error float64
	Class                int32
}

// Join adds the points of another distribution.
func (d *Distribution) Join(o *Distribution) {
	d.Points = append(d.Points, o.Points...)
	d.Cold += o.Cold
}

// Sort orders the points by value, which is no NaN.
func (d *Distribution) Sort() {
	order := make([]valued, len(d.Points)) // shorter than the points, which are moved once
	for i := range d.Points {
		order[i] = valued{d.Points[i].Value, int32(i)}
	}
	slices.SortFunc(order, func(a, b valued) int {
		switch {
		case a.value < b.value:
			return -1
		case a.value > b.value:
			return 1
		}
		return 0
	})
	points := make([]Point, len(order))
	for i, v := range order {
		points[i] = d.Points[v.index]
	}
	d.Points = points
}

// valued is the index of a point, with its value.
type valued struct {
	value float64
	index int32
}

// Total is the sum of all weights.
func (d *Distribution) Total() float64 {
	t := d.Cold
	for _, p := range d.Points {
		t += p.Weight
	}
	return t
}

// FirstUses is the share of the weight that is cold: accesses that no cache serves, however large.
func (d *Distribution) FirstUses() float64 {
	if total := d.Total(); total > 0 {
		return d.Cold / total
	}
	return 0
}

// HitCurve is the share of accesses that a fully associative LRU cache serves, as a function of its size in lines: those whose reuse distance
// is below it. Each answer is a search among the points, which must be sorted.
func (d *Distribution) HitCurve() func(lines float64) float64 {
	total := d.Total()
	if total == 0 {
		return func(float64) float64 { return 0 }
	}
	below := make([]float64, len(d.Points)+1) // weight of points[:i]
	for i, p := range d.Points {
		below[i+1] = below[i] + p.Weight
	}
	return func(lines float64) float64 {
		return below[sort.Search(len(d.Points), func(i int) bool { return d.Points[i].Value >= lines })] / total
	}
}

// MissRatios gives, for caches of the given numbers of lines, the share of accesses whose reuse distance is at
// least that: the misses of a fully associative LRU cache. The points must be sorted.
func (d *Distribution) MissRatios(lines []float64) []float64 {
	above := make([]float64, len(d.Points)+1) // weight of points[i:]
	for i := len(d.Points) - 1; i >= 0; i-- {
		above[i] = above[i+1] + d.Points[i].Weight
	}
	total := above[0] + d.Cold
	out := make([]float64, len(lines))
	for i, c := range lines {
		k := sort.Search(len(d.Points), func(j int) bool { return d.Points[j].Value >= c })
		if total > 0 {
			out[i] = (above[k] + d.Cold) / total
		}
	}
	return out
}

// Smallest is the size, in lines, of the smallest cache with a miss ratio of at most ratio; ok is false when first uses
// alone are more. Points must be sorted.
func (d *Distribution) Smallest(ratio float64) (lines float64, ok bool) {
	most := ratio * d.Total() // weight that may miss
	above := d.Cold
	if above > most {
		return 0, false
	}
	for i := len(d.Points) - 1; i >= 0; i-- {
		if above += d.Points[i].Weight; above > most {
			return math.Floor(d.Points[i].Value) + 1, true
		}
	}
	return 0, true
}

// MissErrors gives the standard errors of MissRatios: the spread between the parts of the sample, and the
// doubt about the distances themselves.
func (d *Distribution) MissErrors(lines []float64) []float64 {
	return d.errors(func(value float64, i int) float64 {
		if value >= lines[i] {
			return 1
		}
		return 0
	}, func(q Doubt, i int) float64 {
		p := distuv.UnitNormal.CDF((q.Value - lines[i]) / math.Max(q.Error, 1e-9))
		return p * (1 - p)
	}, len(lines))
}

// errors gives the standard error of the mean of each of n functions of the value.
func (d *Distribution) errors(f func(value float64, i int) float64, doubt func(Doubt, int) float64, n int) []float64 {
	out := make([]float64, n)
	parts := len(d.Parts)
	if parts < 2 {
		return out
	}
	total := d.Total()
	for i := range out {
		sums, weights := slices.Clone(d.Parts), slices.Clone(d.Parts)
		above := 0.0
		for _, p := range d.Points {
			w := p.Weight * f(p.Value, i)
			above += w
			sums[p.Part] += w
			weights[p.Part] += p.Weight
		}
		variance := spread(sums, weights)/float64(parts) + square(d.coldShare()*(1-d.ofReuses(above)))
		for _, q := range d.Doubts {
			w := q.Weight / total
			variance += w * w * doubt(q, i)
		}
		out[i] = math.Sqrt(variance)
	}
	return out
}

// coldShare is the standard error of the share that is cold.
func (d *Distribution) coldShare() float64 {
	if total := d.Total(); total > 0 {
		return d.ColdError / total
	}
	return 0
}

// ofReuses is the share that a weight is of all that is not cold.
func (d *Distribution) ofReuses(weight float64) float64 {
	if reuses := d.Total() - d.Cold; reuses > 0 {
		return weight / reuses
	}
	return 0
}

func square(x float64) float64 { return x * x }

// spread is the variance between the ratios sums/weights.
func spread(sums, weights []float64) float64 {
	mean, n := 0.0, 0.0
	for i := range sums {
		if weights[i] > 0 {
			mean += sums[i] / weights[i]
			n++
		}
	}
	if n < 2 {
		return 0
	}
	mean /= n
	v := 0.0
	for i := range sums {
		if weights[i] > 0 {
			x := sums[i]/weights[i] - mean
			v += x * x
		}
	}
	return v / (n - 1)
}

// Expectation is the mean of f, given a value and its class, over the distribution, with f taken as 0 for cold
// values, and its standard error.
func (d *Distribution) Expectation(f func(value float64, class int32) float64) (mean, standardError float64) {
	total := d.Total()
	if total == 0 {
		return 0, 0
	}
	sums := make([]float64, max(len(d.Parts), 1))
	weights := make([]float64, len(sums))
	for _, p := range d.Points {
		v := p.Weight * f(p.Value, p.Class)
		mean += v
		sums[p.Part] += v
		weights[p.Part] += p.Weight
	}
	variance := spread(sums, weights)/float64(len(sums)) + square(d.coldShare()*d.ofReuses(mean))
	for _, q := range d.Doubts {
		w := q.Weight / total * math.Abs(f(q.Value+q.Error, q.Class)-f(math.Max(q.Value-q.Error, 0), q.Class)) / 2
		variance += w * w
	}
	return mean / total, math.Sqrt(variance)
}

// AET gives miss ratios from reuse intervals by the average eviction time model (Hu et al., ATC 2016): the
// cache of c lines holds a line for T accesses, where the integral of P(interval > t) from 0 to T is c, and the
// miss ratio is P(interval > T). The points must be sorted intervals.
func (d *Distribution) AET(lines []float64) []float64 {
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(lines[a], lines[b]) })
	out := make([]float64, len(lines))
	total := d.Total()
	if total == 0 {
		return out
	}
	left, filled, at := total, 0.0, 0.0
	next := 0
	for i := 0; i <= len(d.Points) && next < len(order); i++ {
		until := math.Inf(1)
		if i < len(d.Points) {
			until = d.Points[i].Value
		}
		p := left / total
		for next < len(order) && p > 0 && filled+p*(until-at) > lines[order[next]] {
			out[order[next]] = p
			next++
		}
		if i == len(d.Points) {
			break
		}
		filled += p * (until - at)
		at = until
		left = math.Max(left-d.Points[i].Weight, d.Cold)
	}
	return out // a cache that nothing fills misses nothing more: 0 when there are no cold accesses
}

// Lifetime is for how many accesses, on average, a cache of so many lines keeps one that is not used again, by the average eviction time
// model: in that time a stream with these intervals, which must be sorted, comes to as many other lines. +Inf: it never fills the cache.
func (d *Distribution) Lifetime(lines float64) float64 {
	total := d.Total()
	left, filled, at := total, 0.0, 0.0
	for i := range d.Points {
		p := &d.Points[i]
		more := left / total * (p.Value - at)
		if filled+more >= lines {
			break
		}
		filled, at, left = filled+more, p.Value, left-p.Weight
	}
	if left <= 0 {
		return math.Inf(1)
	}
	return at + (lines-filled)*total/left
}
