package scaling

import (
	"fmt"
	"math"
	"slices"
)

// Change is a place between two measured numbers of processes where an application becomes another one: it deals the work
// differently, starts or stops using an algorithm, or uses other libraries. What was measured before says nothing of what comes after.
type Change struct {
	From, To float64 // measured values of the first parameter
	Series   []string
	Share    float64 // of the cost that the changed series have
}

func (c Change) String() string {
	return fmt.Sprintf("between %g and %g, where %s changed abruptly", c.From, c.To, quoteSome(c.Series))
}

// quoteSome lists up to three names, and of more the first two and how many others there are.
func quoteSome(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s, %s and %d more", names[0], names[1], len(names)-2)
	}
	out := names[0]
	for i, n := range names[1:] {
		if i == len(names)-2 {
			out += " and " + n
		} else {
			out += ", " + n
		}
	}
	return out
}

// What tells a change of configuration: a slope, of log y over log p between two points, that no algorithm of one configuration has. Work falls with
// 1/p, an exchange of all with all grows with p². A steeper slope that its neighbours lead up to, as caches that come to hold the data
// do, is no change. Nor does a slope leave those of all other gaps by much. All are chosen.
const (
	ownSlope      = 1.      // least difference from the slopes beside it
	steepestFall  = -1.6    // slope below which there is a change
	steepestRise  = 2.2     // slope above which there is a change
	farthestSlope = 1.8     // difference from all other slopes from which there is a change
	leastJump     = 0.9     // of log y between two points: a factor of 2.5
	leastShare    = 1. / 7. // of the cost, at one end of the gap, that two series need
	mostShare     = 0.5     // of the cost that a single one needs
)

// Changes finds the gaps where series jump that have, two of them at least, a seventh of the cost of all, or one of them half. The series are parts of one cost, of
// one metric and none within another. Only points that differ in the first parameter alone are compared.
func Changes(series []*Series) []Change {
	gaps := map[[2]float64]*gapCosts{}
	var order [][2]float64
	for _, s := range series {
		pairs := s.neighbours()
		for i, pair := range pairs {
			a, b := pair[0], pair[1]
			at := [2]float64{s.At[a][0], s.At[b][0]}
			g := gaps[at]
			if g == nil {
				g = &gapCosts{}
				gaps[at], order = g, append(order, at)
			}
			g.add(s.Name, s.Y[a], s.Y[b], s.jumps(pairs, i))
		}
	}
	var out []Change
	for _, at := range order {
		g := gaps[at]
		if share := g.share(); share >= mostShare || len(g.names) >= 2 && share >= leastShare {
			out = append(out, Change{From: at[0], To: at[1], Series: g.names, Share: share})
		}
	}
	slices.SortFunc(out, func(a, b Change) int { return slices.Compare([]float64{a.From, a.To}, []float64{b.From, b.To}) })
	return out
}

// jumps says whether a series jumps at pair i.
func (s *Series) jumps(pairs [][2]int, i int) bool {
	slope := s.slope(pairs[i])
	if math.Abs(math.Log(s.Y[pairs[i][1]]/s.Y[pairs[i][0]])) < leastJump {
		return false
	}
	nearest := math.Inf(1)
	for j, other := range pairs {
		if j != i && slices.Equal(s.At[other[0]][1:], s.At[pairs[i][0]][1:]) {
			nearest = min(nearest, math.Abs(s.slope(other)-slope))
		}
	}
	beyond := slope < steepestFall || slope > steepestRise
	return beyond && nearest > ownSlope || nearest > farthestSlope && !math.IsInf(nearest, 1)
}

// slope of log y over log of the first parameter between two points.
func (s *Series) slope(pair [2]int) float64 {
	return math.Log(s.Y[pair[1]]/s.Y[pair[0]]) / math.Log(s.At[pair[1]][0]/s.At[pair[0]][0])
}

// gapCosts are the costs at both ends of a gap, of all series and of those that jump.
type gapCosts struct {
	names       []string
	all, jumped [2]float64
}

// add counts a series with its values before and after the gap.
func (g *gapCosts) add(name string, before, after float64, jumps bool) {
	g.all[0], g.all[1] = g.all[0]+before, g.all[1]+after
	if !jumps {
		return
	}
	g.jumped[0], g.jumped[1] = g.jumped[0]+before, g.jumped[1]+after
	if !slices.Contains(g.names, name) {
		g.names = append(g.names, name)
	}
}

func (g *gapCosts) share() float64 { return max(g.jumped[0]/g.all[0], g.jumped[1]/g.all[1]) }

// Ends are the pairs of points with the smallest and the largest first parameter, for each choice of the others.
func (s *Series) Ends() [][2]int {
	var out [][2]int
	seen := map[int]bool{}
	for i, a := range s.At {
		if seen[i] {
			continue
		}
		low, high := i, i
		for j, b := range s.At {
			if !slices.Equal(a[1:], b[1:]) {
				continue
			}
			seen[j] = true
			if b[0] < s.At[low][0] {
				low = j
			}
			if b[0] > s.At[high][0] {
				high = j
			}
		}
		out = append(out, [2]int{low, high})
	}
	return out
}

// neighbours are pairs of points next to each other in the first parameter and equal in all others.
func (s *Series) neighbours() [][2]int {
	var out [][2]int
	for i, a := range s.At {
		best := -1
		for j, b := range s.At {
			if b[0] > a[0] && slices.Equal(a[1:], b[1:]) && (best < 0 || b[0] < s.At[best][0]) {
				best = j
			}
		}
		if best >= 0 {
			out = append(out, [2]int{i, best})
		}
	}
	return out
}
