package conflict

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"foresee/model/cache"
	"foresee/model/reuse"
)

// How reuses are split. All are chosen.
const (
	fewest     = 400 // strata have at least one in so many of the reuses, if there are as many of a kind
	firstWalks = 4   // reuses of a stratum that are followed before the rest is split
	leastCost  = 100 // work of a walk, at least
)

// stratum is reuses of the same kind whose intervals are alike.
type stratum struct {
	classes []int32
	members []int // draws, by position
	order   []int // of members, so that any number of the first are spread evenly
	next    int   // of order: members that are followed or about to be
	n       float64
	sum     []float64 // of hits among n, by level
	work    int64
}

// stratify joins neighbouring classes of a kind until they have enough members. Reuses within so few accesses that the first level keeps the
// line in any case are left out.
func stratify(sampled *reuse.Sampled, levels []cache.Level) (strata []*stratum) {
	members, order := candidates(sampled, safe(&levels[0]))
	kinds := sampled.Kinds
	slices.SortFunc(order, func(a, b int32) int {
		x, y := &kinds[a], &kinds[b]
		return cmp.Or(x.Source-y.Source, x.Sink-y.Sink, x.Level-y.Level, x.Bin-y.Bin)
	})
	var s *stratum
	for i, class := range order {
		if i > 0 {
			x, y := &kinds[order[i-1]], &kinds[class]
			if len(s.members) >= len(sampled.Draws)/fewest || x.Source != y.Source || x.Sink != y.Sink || x.Level != y.Level {
				s = nil
			}
		}
		if s == nil {
			s = &stratum{sum: make([]float64, len(levels))}
			strata = append(strata, s)
		}
		s.classes = append(s.classes, class)
		s.members = append(s.members, members[class]...)
	}
	for _, s := range strata {
		slices.Sort(s.members)
		s.order = scattered(len(s.members))
	}
	return strata
}

// candidates lists the draws of each class whose intervals are longer than a number of accesses, and the classes that have any.
func candidates(sampled *reuse.Sampled, safe int64) (members [][]int, classes []int32) {
	members = make([][]int, len(sampled.Kinds))
	for i, d := range sampled.Draws {
		if d.Class >= 0 && d.Interval > safe {
			members[d.Class] = append(members[d.Class], i)
		}
	}
	for class := range members {
		if len(members[class]) > 0 {
			classes = append(classes, int32(class))
		}
	}
	return members, classes
}

// safe is the longest interval, in accesses, in which a level never loses a line.
func safe(l *cache.Level) int64 {
	if l.Replacement == cache.PLRU { // every access turns one bit of those that lead to the line
		return int64(bits.Len64(uint64(l.Ways)))
	}
	return l.Ways
}

// scattered lists 0 … n−1 so that the first of them are spread over all: by the van der Corput sequence.
func scattered(n int) []int {
	out := make([]int, 0, n)
	width := bits.Len(uint(max(n, 1) - 1))
	for i := range 1 << width {
		if r := int(bits.Reverse64(uint64(i)) >> (64 - width)); r < n {
			out = append(out, r)
		}
	}
	return out
}

// take lists further reuses of a stratum, n at most.
func (s *stratum) take(n int, most int64, out []walk) []walk {
	for ; n > 0 && s.next < len(s.members); n-- {
		out = append(out, walk{stratum: s, draw: s.members[s.order[s.next]], most: most})
		s.next++
	}
	return out
}

// deviation is the standard deviation of an outcome at a level, with half a hit and half a miss more than were seen.
func (s *stratum) deviation(level int) float64 {
	p := (s.sum[level] + 0.5) / (s.n + 1)
	return math.Sqrt(p * (1 - p))
}

// greatest is the greatest deviation at any level.
func (s *stratum) greatest() (most float64) {
	for l := range s.sum {
		most = math.Max(most, s.deviation(l))
	}
	return most
}

// first are the walks of the first round, which take half of the work at most.
func (c *counter) first() (out []walk) {
	most := min(c.o.Work/mostOfAll, c.o.Work/2/int64(firstWalks*max(len(c.strata), 1)))
	for _, s := range c.strata {
		out = s.take(firstWalks, most, out)
	}
	return out
}

// more lists further walks, so that all together take about so much work, or as much as the error wanted needs: of each stratum in
// proportion to its weight, to how much its reuses differ, and inversely to the root of what a walk costs (Neyman).
func (c *counter) more(work float64) (out []walk) {
	need := make([]float64, len(c.strata))
	total := 0.0 // sum of weight · deviation · √cost
	for i, s := range c.strata {
		cost := math.Max(float64(s.work)/math.Max(s.n, 1), leastCost)
		need[i] = c.weight(s) * s.greatest() / math.Sqrt(cost)
		total += need[i] * cost
	}
	if total == 0 {
		return nil
	}
	scale := min(work, total*total/(wantedError*wantedError)) / total
	for i, s := range c.strata {
		out = s.take(int(need[i]*scale)-s.next, c.o.Work/mostOfAll, out)
	}
	return out
}
