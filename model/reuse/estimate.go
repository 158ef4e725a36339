package reuse

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Estimate is what a Shards knows of the reuse distances of its stream: the share of accesses of at least each
// distance. Up to the head's reach it comes from the bursts, past it from the followed lines.
//
// Where the two meet they differ, since a few much used lines may or may not be followed. What the followed lines
// say of greater distances is corrected by that difference times the regression of the one on the other over the
// groups of lines: whole where all lines are alike, hardly at all where others make the short distances.
type Estimate struct {
	Accesses int64
	Rate     float64     // at the end
	Followed int64       // lines
	reach    int         // distances below it, in lines, are the head's
	head     []float64   // share of the accesses with at least each distance, from 0 to reach
	open     []float64   // by distance as head: by how much it may be off, since the distances of some accesses are not known
	heads    [][]float64 // of groups of bursts
	tail     survivor
	tails    []survivor // of groups of lines
	bursts   int        // that the head was measured in
	plain    bool       // as published: there is no head
	exact    bool       // every line was followed to the end, so that nothing is estimated
}

// survivor is an estimate of the number of accesses with a distance of at least each value.
type survivor struct {
	values []float64 // of the followed lines' accesses, rising
	above  []float64 // weight of values[i:] and cold; one longer
}

// Estimate gives what is known now.
func (s *Shards) Estimate() *Estimate {
	s.follow()
	e := &Estimate{Accesses: s.seen, Rate: s.rate(), Followed: s.Followed(), plain: s.options.Plain}
	e.exact = len(s.tails) == 1 && s.threshold == allLines
	for g := range shardGroups {
		e.tails = append(e.tails, survivorOf(s.tails, g, g+1, !e.plain))
	}
	e.tail = survivorOf(s.tails, 0, shardGroups, !e.plain)
	e.head = []float64{1}
	if s.head != nil && !e.exact {
		e.addHead(s.head)
	}
	return e
}

// addHead takes over what the bursts tell, as far as they tell it.
func (e *Estimate) addHead(h *head) {
	var all survival
	for g := range h.groups {
		all.merge(&h.groups[g])
	}
	if e.reach = all.reach(); e.reach == 0 {
		return
	}
	e.head, e.open = all.estimate(e.reach)
	e.bursts = h.number + 1
	for g := range h.groups {
		if h.groups[g].weight() > 0 {
			share, _ := h.groups[g].estimate(e.reach)
			e.heads = append(e.heads, share)
		}
	}
}

// merge adds the counts of another group of bursts.
func (s *survival) merge(o *survival) {
	for d := range s.seen {
		s.seen[d] += o.seen[d]
		s.open[d] += o.open[d]
	}
}

// weight is of all accesses that the bursts stand for, as they tell it.
func (s *survival) weight() (all float64) {
	for d := range s.seen {
		all += s.seen[d] + s.open[d]
	}
	return all
}

// reach is the greatest distance, in lines, up to which the bursts are believed: where few accesses are known to have a greater one,
// or too many may have a smaller one without it being known.
func (s *survival) reach() int {
	const (
		openShare  = 0.05              // of the accesses of at least a distance, those that may have less; chosen
		openAtMost = 0.002             // of all accesses, where that is more; chosen
		fewest     = 50 * leastStretch // least weight of accesses of at least a distance; chosen: a standard error of a seventh
	)
	all := s.weight()
	above, open := all, 0.0
	for d := range headLines {
		if above < fewest || open > math.Max(openShare*above, openAtMost*all) {
			return d
		}
		above -= s.seen[d]
		open += s.open[d]
	}
	return headLines
}

// estimate is the share of accesses of at least each distance from 0 to reach, and by how much it may be off because accesses are open: all of
// them are taken to have as much.
func (s *survival) estimate(reach int) (share, doubt []float64) {
	share, doubt = make([]float64, reach+1), make([]float64, reach+1)
	all := s.weight()
	above, open := all, 0.0
	for d := range share {
		share[d], doubt[d] = math.Max(above, 0)/all, open/2/all
		above -= s.seen[d]
		open += s.open[d]
	}
	return share, doubt
}

// survivorOf collects the values of some groups of lines. centred puts a value in the middle of the distances that it
// is likely to stand for.
func survivorOf(tails []tail, from, to int, centred bool) survivor {
	type point struct{ value, weight float64 }
	var points []point
	cold := 0.0
	for _, t := range tails {
		h := NewHistogram(Fine)
		for _, g := range t.groups[from:to] {
			h.Merge(g)
		}
		cold += float64(h.Cold) / t.rate
		h.Each(func(low, high, n int64) {
			v := float64(low+high) / 2
			if centred && t.rate < 1 {
				v += 0.5
			}
			points = append(points, point{v / t.rate, float64(n) / t.rate})
		})
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.value, b.value) })
	s := survivor{values: make([]float64, len(points)), above: make([]float64, len(points)+1)}
	s.above[len(points)] = cold
	for i := len(points) - 1; i >= 0; i-- {
		s.values[i] = points[i].value
		s.above[i] = s.above[i+1] + points[i].weight
	}
	return s
}

// from is the weight of distances of at least c.
func (s *survivor) from(c float64) float64 {
	return s.above[sort.SearchFloat64s(s.values, c)]
}

// at is the share of accesses with a distance of at least c.
func (e *Estimate) at(c float64) float64 {
	switch n := float64(e.Accesses); {
	case n == 0:
		return 0
	case c < float64(e.reach):
		return e.head[int(math.Ceil(math.Max(c, 0)))]
	case e.plain:
		return e.tail.from(c) / math.Max(e.tail.from(0), 1)
	case e.exact:
		return e.tail.from(c) / n
	default:
		m := e.tail.from(c)/n + e.slope(c)*e.gap()
		return math.Min(math.Max(m, 0), e.head[e.reach])
	}
}

// gap is how much more the head says than the followed lines, where they meet.
func (e *Estimate) gap() float64 {
	return e.head[e.reach] - e.tail.from(float64(e.reach))/float64(e.Accesses)
}

// slope is the regression of the groups' weights from c on those from the reach of the head. Where the followed lines
// have nothing to say from there on, what the head says is carried only as far as a distance at its reach may be
// mistaken for one below.
func (e *Estimate) slope(c float64) float64 {
	joint, square := 0.0, 0.0
	n := float64(len(e.tails))
	meanX, meanY := e.tail.from(float64(e.reach))/n, e.tail.from(c)/n
	for i := range e.tails {
		x, y := e.tails[i].from(float64(e.reach))-meanX, e.tails[i].from(c)-meanY
		joint += x * y
		square += x * x
	}
	if square == 0 {
		if c <= float64(e.reach)*(1+2*e.off(float64(e.reach))) {
			return 1
		}
		return 0
	}
	return math.Min(math.Max(joint/square, 0), 1)
}

// MissRatios gives the miss ratios of fully associative LRU caches of the given numbers of lines, and their standard
// errors: the spread between groups of lines and bursts, and the doubt about the distances, which are known to about
// 1/√(distance · rate) of themselves and may all be off together, and half of the correction at the head's end. Two standard errors are meant to hold the truth
// nine times in ten at least.
func (e *Estimate) MissRatios(lines []float64) (ratios, standardErrors []float64) {
	lowest := 1.0
	for _, c := range lines {
		m := e.at(c)
		if c >= float64(e.reach) {
			lowest = math.Min(lowest, m)
			m = lowest
		}
		ratios = append(ratios, m)
		standardErrors = append(standardErrors, e.errorAt(c))
	}
	return ratios, standardErrors
}

// edgeDoubt is what the ends of the bursts may be worth, as a share of the accesses: a burst begins in the middle of things, everywhere
// alike. Chosen: four accesses of each burst.
const edgeDoubt = 4.0 / burstLength

// errorAt is the standard error of the miss ratio of a cache of c lines: of the head where the head tells it, and past that of the followed
// lines, of the head's end as far as it corrects them, and of the distances themselves.
func (e *Estimate) errorAt(c float64) float64 {
	if e.exact || e.Accesses == 0 {
		return 0
	}
	variance := 0.0
	if !e.plain {
		variance = edgeDoubt * edgeDoubt
	}
	if c < float64(e.reach) {
		return math.Sqrt(variance + e.headVariance(int(math.Ceil(c))))
	}
	slope := 0.0
	if !e.plain {
		slope = e.slope(c)
	}
	variance += e.tailVariance(c, slope) + slope*slope*e.headVariance(e.reach)
	off := math.Min(2*e.off(c), 1)
	doubt := (e.at(math.Max(c*(1-off), float64(e.reach))) - e.at(c*(1+off))) / 2
	if !e.plain {
		// Near the head's end the gap may be of either side; further out only what was carried there can be wrong.
		near := math.Max(slope, math.Exp(-(c/math.Max(float64(e.reach), 1)-1)/math.Max(e.off(float64(e.reach)), 1e-3)))
		doubt = math.Hypot(doubt, near*e.gap()/2)
	}
	return math.Sqrt(variance + doubt*doubt)
}

// off is by how much of itself a distance is off, one standard deviation: lines are followed at random.
func (e *Estimate) off(distance float64) float64 {
	return 1 / math.Sqrt(math.Max(distance*e.Rate, 1e-9))
}

// headVariance is that of the mean over the groups of bursts, with what is in phases that no burst met: half of what
// one burst stands for.
func (e *Estimate) headVariance(d int) float64 {
	var shares []float64
	for _, h := range e.heads {
		shares = append(shares, h[d])
	}
	unseen := 0.5 / math.Max(float64(e.bursts), 1)
	open := 0.0
	if d < len(e.open) {
		open = e.open[d]
	}
	return varianceOfMean(shares) + unseen*unseen + open*open
}

// tailVariance is that of the share from c, less what the head takes care of.
func (e *Estimate) tailVariance(c, slope float64) float64 {
	groups := float64(len(e.tails))
	var shares []float64
	for i := range e.tails {
		t := &e.tails[i]
		shares = append(shares, groups*(t.from(c)-slope*t.from(float64(e.reach)))/float64(e.Accesses))
	}
	return varianceOfMean(shares)
}

// varianceOfMean is the squared standard error of the mean of independent values: their variance over their number; 0 of a single one.
func varianceOfMean(x []float64) float64 {
	n := float64(len(x))
	if n < 2 {
		return 0
	}
	mean, squares := 0.0, 0.0
	for _, v := range x {
		mean += v / n
	}
	for _, v := range x {
		squares += (v - mean) * (v - mean)
	}
	return squares / (n - 1) / n
}

// Distribution gives the estimate as weighted values.
func (e *Estimate) Distribution() *Distribution {
	n := float64(e.Accesses)
	d := &Distribution{}
	for v := range e.reach {
		if w := e.head[v] - e.head[v+1]; w > 0 {
			d.Points = append(d.Points, Point{Value: float64(v), Weight: n * w, Class: -1})
		}
	}
	share := e.at(float64(e.reach))
	for i := sort.SearchFloat64s(e.tail.values, float64(e.reach)); i < len(e.tail.values); i++ {
		v := e.tail.values[i]
		after := math.Min(share, e.at(math.Nextafter(v, math.Inf(1))))
		if after < share {
			d.Points = append(d.Points, Point{Value: v, Weight: n * (share - after), Class: -1})
		}
		share = after
	}
	d.Cold = n * share
	return d
}
