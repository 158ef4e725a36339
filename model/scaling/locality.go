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

// groups is the number of groups that the accesses of a program are told apart by. Chosen: none has more
// than 1.25 % of the accesses.
const groups = 160

// longer is the share of accesses past group q, of the longest distances: (1 − q/groups)², so that those of which caches miss some are
// told apart more finely; its odds times a factor, where that share changes with the program's parameters.
func longer(q int, factor float64) float64 {
	rest := 1 - float64(q)/groups
	rest *= rest
	return rest * factor / (1 - rest + rest*factor)
}

// shrinkings, which are chosen, are the powers of the number of accesses by which the share of long distances may fall: 1/3 where work grows with the
// cube of a problem and data with the square.
var shrinkings = [...]float64{0, 1. / 6, 1. / 3, 1. / 2, 2. / 3}

// Locality is how the reuse distances of a program change with its parameters: the accesses, ordered by their distance, are cut into
// groups, and the mean distance of each group follows a law of its own, as do the numbers of accesses and of first uses (the pattern
// method of Zhong, Shen and Ding, Program locality analysis using reuse distance, TOPLAS 31(6), 2009, section 4, with groups of
// other sizes, and foresee's laws in the place of its constant, linear and square-root ones). The share of long distances may fall
// with a power of the number of accesses, that by which smaller profiles foretell the largest best.
type Locality struct {
	points    int
	accesses  *Posterior // but for first uses
	cold      *Posterior // nil where there are none
	laws      []*Posterior
	shrinking float64
	reference float64 // number of accesses
	// doubts are how far, in logarithms, the smaller profiles are off at the distances of the largest, by group.
	doubts []float64
	known  map[string]*predictedReuse
}

// factor of the odds of long distances.
func (l *Locality) factor(accesses float64) float64 {
	return math.Pow(accesses/l.reference, -l.shrinking)
}

// predictedReuse is the distances of the groups, plus one, and the accesses at a point, the same for all caches.
type predictedReuse struct {
	distances, lows, highs []float64
	accesses, cold         Prediction
}

// at is the distances and accesses at a point, with intervals of that probability. It keeps what it finds: every cache asks for the same points.
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
	for q, g := range l.laws {
		p := g.At(at)
		wider := 1.0
		if l.doubts != nil {
			wider = math.Exp(l.doubts[q] * math.Sqrt2 * math.Erfinv(interval))
		}
		r.distances, r.lows, r.highs = append(r.distances, p.Value), append(r.lows, p.Low/wider), append(r.highs, p.High*wider)
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

// FitLocality finds the laws; it needs profiles at two points, by ascending parameters. The prior is that of series over the same
// parameters.
func FitLocality(parameters []string, profiles []Reuse, prior Prior) (*Locality, error) {
	if len(profiles) < 2 {
		return nil, fmt.Errorf("%w: reuse profiles of one point say nothing of another", ErrTooFew)
	}
	l := &Locality{points: len(profiles), known: map[string]*predictedReuse{}}
	accesses, cold := &Series{Name: "accesses", Parameters: parameters}, &Series{Name: "first uses", Parameters: parameters}
	for _, r := range profiles {
		reused := r.reused()
		if !(reused > 0) {
			return nil, fmt.Errorf("the reuse profile at %v has no access that uses a line again", r.At)
		}
		l.reference = max(l.reference, reused)
		accesses.add(r.At, reused)
		if r.Cold > 0 {
			cold.add(r.At, r.Cold)
		}
	}
	var err error
	if l.accesses, err = Fit(accesses, prior); err != nil {
		return nil, err
	}
	if len(cold.Y) > 0 {
		if l.cold, err = Fit(cold, prior); err != nil {
			return nil, err
		}
	}
	if len(profiles) > 2 {
		least := math.Inf(1)
		last := &profiles[len(profiles)-1]
		alone := prior
		alone.Pool = 0
		for _, shrinking := range shrinkings {
			try := &Locality{shrinking: shrinking, reference: l.reference}
			if err := try.fit(parameters, profiles[:len(profiles)-1], alone); err != nil {
				return nil, err
			}
			off, doubts := 0.0, make([]float64, groups)
			for q, d := range last.grouped(try.factor(last.reused())) {
				doubts[q] = math.Abs(math.Log(try.laws[q].Median(last.At) / (1 + d)))
				off += doubts[q]
			}
			if off < least*(1-1e-9) {
				least, l.shrinking, l.doubts = off, shrinking, doubts
			}
		}
	}
	return l, l.fit(parameters, profiles, prior)
}

// fit finds the laws of the groups' distances.
func (l *Locality) fit(parameters []string, profiles []Reuse, prior Prior) (err error) {
	distances := make([]*Series, groups)
	for q := range distances {
		distances[q] = &Series{Name: fmt.Sprintf("distances of group %d", q), Parameters: parameters}
	}
	for _, r := range profiles {
		for q, d := range r.grouped(l.factor(r.reused())) {
			distances[q].add(r.At, 1+d)
		}
	}
	l.laws, err = FitAll(distances, prior)
	return err
}

// add adds a point that was not repeated.
func (s *Series) add(at []float64, y float64) {
	s.At, s.Y, s.Spread = append(s.At, at), append(s.Y, y), append(s.Spread, 0)
}

// reused is the accesses but for first uses.
func (r *Reuse) reused() (sum float64) {
	for _, n := range r.Counts {
		sum += n
	}
	return sum
}

// grouped is the mean distance of each group.
func (r *Reuse) grouped(factor float64) []float64 {
	out := make([]float64, groups)
	reused, q := r.reused(), 0
	mass := func(q int) float64 { return (longer(q, factor) - longer(q+1, factor)) * reused }
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

// Hit is the probability that an access of a reuse distance, in lines, hits a cache, which may be another at each point.
type Hit func(at []float64, distance float64) float64

// Misses is the model of the misses of a cache.
func (l *Locality) Misses(hit Hit, interval float64) Model {
	return &capacityMisses{l, hit, interval}
}

// capacityMisses is the model of the misses of one cache.
type capacityMisses struct {
	*Locality
	hit      Hit
	interval float64
}

// At adds up the groups. The ends of the interval are those of all laws at once, as what moves one distance moves the others.
func (m *capacityMisses) At(at []float64) Prediction {
	r := m.at(at, m.interval)
	out := Prediction{
		Value: r.accesses.Value*m.missed(at, r.accesses.Value, r.distances) + r.cold.Value,
		Low:   r.accesses.Low*m.missed(at, r.accesses.Value, r.lows) + r.cold.Low, High: r.accesses.High*m.missed(at, r.accesses.Value, r.highs) + r.cold.High,
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
	n := m.accesses.Median(at)
	return n*m.missed(at, n, distances) + cold
}

// spreadOf is how far the distances of a group may lie from their mean, as a factor, and missSteps how many
// between are looked at. Chosen: groups lie nearer to one another than that but where a pattern ends.
const (
	spreadOf  = 1.5
	missSteps = 8
)

// missed is the share of accesses that miss, of the ascending mean distances of the groups, plus one; within a group they go on evenly to halfway
// to its neighbours.
func (m *capacityMisses) missed(at []float64, accesses float64, distances []float64) (sum float64) {
	factor := m.factor(accesses)
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
			miss += (1 - m.hit(at, max(between-1, 0))) / missSteps
		}
		sum += miss * (longer(i, factor) - longer(i+1, factor))
	}
	return sum
}

// Formula says what it is.
func (m *capacityMisses) Formula() string {
	return fmt.Sprintf("accesses whose reuse distance the cache does not hold, by %d reuse profiles", m.points)
}

// Scaled is a model times a factor, of which the logarithm has a standard deviation.
type Scaled struct {
	Model
	Factor, Deviation float64
	Interval          float64 // probability of the model's interval
}

// Median is the value alone.
func (s *Scaled) Median(at []float64) float64 {
	return s.Factor * ValueOf(s.Model, at)
}

// At multiplies; distances to the interval's ends add as independent ones, in logarithms.
func (s *Scaled) At(at []float64) Prediction {
	p := s.Model.At(at)
	doubt := s.Deviation * math.Sqrt2 * math.Erfinv(s.Interval)
	low := math.Hypot(math.Log(p.Value/p.Low), doubt)
	high := math.Hypot(math.Log(p.High/p.Value), doubt)
	v := p.Value * s.Factor
	return Prediction{v, v * math.Exp(-low), v * math.Exp(high)}
}

// Formula is the model's, and the factor.
func (s *Scaled) Formula() string {
	if math.Abs(s.Factor-1) < 0.005 {
		return s.Model.Formula()
	}
	return fmt.Sprintf("%.3g × %s", s.Factor, s.Model.Formula())
}

// AtMost is a model that another bounds.
type AtMost struct{ Model, Bound Model }

// Median is the value alone.
func (m *AtMost) Median(at []float64) float64 { return min(ValueOf(m.Model, at), ValueOf(m.Bound, at)) }

// ValueOf is a model's value, without its interval where that costs less.
func ValueOf(m Model, at []float64) float64 {
	if m, ok := m.(interface{ Median([]float64) float64 }); ok {
		return m.Median(at)
	}
	return m.At(at).Value
}

// At is the smaller of both.
func (m *AtMost) At(at []float64) Prediction {
	a, b := m.Model.At(at), m.Bound.At(at)
	return Prediction{min(a.Value, b.Value), min(a.Low, b.Low), min(a.High, b.High)}
}

// Formula is the model's.
func (m *AtMost) Formula() string { return m.Model.Formula() }
