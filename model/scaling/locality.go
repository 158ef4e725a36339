package scaling

import (
	"fmt"
	"math"
	"slices"
)

// Reuse is the reuse distances of a program's accesses at one point of its parameters, by ascending distance.
type Reuse struct {
	At        []float64
	Cold      float64   // first uses
	Distances []float64 // in lines
	Counts    []float64 // of accesses at each
}

// groups is the number of groups that the accesses of a program are told apart by. The share of accesses up to the end of group q is
// 1 − (1 − q/groups)²: those of long distances, of which caches miss some, are told apart more finely.
const groups = 160

func upToGroup(q int) float64 {
	rest := 1 - float64(q)/groups
	return 1 - rest*rest
}

// Locality is how the reuse distances of a program change with its parameters: the accesses, ordered by their distance, are cut into
// groups, and the mean distance of each group follows a law of its own, as do the numbers of accesses and of first uses (the pattern
// method of Zhong, Shen and Ding, Program locality analysis using reuse distance, TOPLAS 31(6), 2009, section 4, with groups of
// other sizes, and foresee's laws in the place of its constant, linear and square-root ones).
type Locality struct {
	points   int
	accesses *Posterior   // but for first uses
	cold     *Posterior   // nil where there are none
	laws     []*Posterior // of the groups' distances
	known    map[string]*predictedReuse
}

// predictedReuse is the distances of the groups, plus one, and the accesses at a point, the same for all caches.
type predictedReuse struct {
	distances, lows, highs []float64
	accesses, cold         Prediction
}

// at keeps what it finds: every cache asks for the same points.
func (l *Locality) at(at []float64, interval float64) *predictedReuse {
	key := fmt.Sprint(interval, at)
	if r := l.known[key]; r != nil {
		return r
	}
	r := &predictedReuse{}
	for _, p := range append(slices.Clone(l.laws), l.accesses, l.cold) {
		if p != nil {
			p.Interval = interval
		}
	}
	for _, g := range l.laws {
		p := g.At(at)
		r.distances, r.lows, r.highs = append(r.distances, p.Value), append(r.lows, p.Low), append(r.highs, p.High)
	}
	r.accesses = l.accesses.At(at)
	if l.cold != nil {
		r.cold = l.cold.At(at)
	}
	for _, d := range [][]float64{r.distances, r.lows, r.highs} {
		slices.Sort(d)
	}
	l.known[key] = r
	return r
}

// FitLocality finds the laws; it needs profiles at two points. The prior is that of series over the same parameters.
func FitLocality(parameters []string, profiles []Reuse, prior Prior) (*Locality, error) {
	if len(profiles) < 2 {
		return nil, fmt.Errorf("%w: reuse profiles of one point say nothing of another", ErrTooFew)
	}
	series := func(name string) *Series { return &Series{Name: name, Parameters: parameters} }
	add := func(s *Series, at []float64, y float64) {
		s.At, s.Y, s.Spread = append(s.At, at), append(s.Y, y), append(s.Spread, 0)
	}
	accesses, cold := series("accesses"), series("first uses")
	distances := make([]*Series, groups)
	for q := range distances {
		distances[q] = series(fmt.Sprintf("distances of group %d", q))
	}
	for _, r := range profiles {
		reused := 0.0
		for _, n := range r.Counts {
			reused += n
		}
		if !(reused > 0) {
			return nil, fmt.Errorf("the reuse profile at %v has no access that uses a line again", r.At)
		}
		add(accesses, r.At, reused)
		if r.Cold > 0 {
			add(cold, r.At, r.Cold)
		}
		for q, d := range r.grouped(reused) {
			add(distances[q], r.At, 1+d)
		}
	}
	l := &Locality{points: len(profiles), known: map[string]*predictedReuse{}}
	var err error
	if l.accesses, err = Fit(accesses, prior); err != nil {
		return nil, err
	}
	if len(cold.Y) > 0 {
		if l.cold, err = Fit(cold, prior); err != nil {
			return nil, err
		}
	}
	l.laws, err = FitAll(distances, prior)
	return l, err
}

// grouped is the mean distance of each group.
func (r *Reuse) grouped(reused float64) []float64 {
	out := make([]float64, groups)
	q := 0
	mass := func(q int) float64 { return (upToGroup(q+1) - upToGroup(q)) * reused }
	room := mass(0)
	for i, n := range r.Counts {
		for n > 0 && q < groups {
			take := min(n, room)
			out[q] += take / mass(q) * r.Distances[i]
			n, room = n-take, room-take
			if room <= 1e-9*mass(q) {
				if q++; q < groups {
					room = mass(q)
				}
			}
		}
	}
	return out
}

// Misses is the model of the misses of a cache, of which hit gives the probability that an access of a reuse distance, in lines, hits.
func (l *Locality) Misses(hit func(distance float64) float64, interval float64) Model {
	return &capacityMisses{l, hit, interval}
}

type capacityMisses struct {
	*Locality
	hit      func(float64) float64
	interval float64
}

// At adds up the groups. The ends of the interval are those of all laws at once, as what moves one distance moves the others.
func (m *capacityMisses) At(at []float64) Prediction {
	r := m.at(at, m.interval)
	out := Prediction{
		Value: r.accesses.Value*m.missed(r.distances) + r.cold.Value,
		Low:   r.accesses.Low*m.missed(r.lows) + r.cold.Low, High: r.accesses.High*m.missed(r.highs) + r.cold.High,
	}
	out.Low, out.High = min(out.Low, out.Value), max(out.High, out.Value)
	return out
}

// Median is the value alone, which costs a fraction of the interval.
func (m *capacityMisses) Median(at []float64) float64 {
	distances := make([]float64, len(m.laws))
	for i, g := range m.laws {
		distances[i] = g.Median(at)
	}
	slices.Sort(distances)
	cold := 0.0
	if m.cold != nil {
		cold = m.cold.Median(at)
	}
	return m.accesses.Median(at)*m.missed(distances) + cold
}

// spreadOf is how far the distances of a group may lie from their mean, as a factor, and missSteps how many between are looked at.
const (
	spreadOf  = 1.5
	missSteps = 8
)

// missed is the share of accesses that miss, of the ascending mean distances of the groups, plus one; within a group they go on evenly to halfway
// to its neighbours.
func (m *capacityMisses) missed(distances []float64) (sum float64) {
	for i, d := range distances {
		low, high := d, d
		if i > 0 {
			low = max((distances[i-1]+d)/2, d/spreadOf)
		}
		if i+1 < len(distances) {
			high = min((distances[i+1]+d)/2, d*spreadOf)
		}
		miss := 0.0
		for k := range missSteps {
			between := low + (high-low)*(float64(k)+0.5)/missSteps
			miss += (1 - m.hit(max(between-1, 0))) / missSteps
		}
		sum += miss * (upToGroup(i+1) - upToGroup(i))
	}
	return sum
}

// Formula says what it is.
func (m *capacityMisses) Formula() string {
	return fmt.Sprintf("accesses whose reuse distance the cache does not hold, by %d reuse profiles", m.points)
}

// Scaled is a model times a factor.
type Scaled struct {
	Model
	Factor float64
}

// Median is the value alone.
func (s *Scaled) Median(at []float64) float64 {
	if m, ok := s.Model.(interface{ Median([]float64) float64 }); ok {
		return s.Factor * m.Median(at)
	}
	return s.At(at).Value
}

// At multiplies.
func (s *Scaled) At(at []float64) Prediction {
	p := s.Model.At(at)
	return Prediction{p.Value * s.Factor, p.Low * s.Factor, p.High * s.Factor}
}

// Formula is the model's, and the factor.
func (s *Scaled) Formula() string {
	if math.Abs(s.Factor-1) < 0.005 {
		return s.Model.Formula()
	}
	return fmt.Sprintf("%.3g × %s", s.Factor, s.Model.Formula())
}
