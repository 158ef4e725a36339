package fit

import (
	"errors"
	"math"
	"math/rand/v2"
	"sync"

	"foresee/machine/bandwidth"
)

const (
	// starts are the points that the descent begins from: the usual values, and others about them.
	starts = 6
	// shake is the standard deviation of a start from the usual values, of the way between the bounds. Chosen, no source.
	shake = 0.15
	// inside keeps starts off the bounds, where the descent sees no slope: of the way between them.
	inside = 0.02
	// leastPoints is how many points there must be for each level: with fewer, parameters say nothing.
	leastPoints = 3
)

// Extended fits the form to points that were swept on the described caches, from several starts; the same seed gives the same form.
func Extended(h *bandwidth.Hierarchy, points []bandwidth.Point, seed uint64) (*bandwidth.Extended, error) {
	if len(points) < leastPoints*(len(h.Levels)+1) {
		return nil, errors.New("too few points to fit")
	}
	p := newProblem(h, points)
	r := rand.New(rand.NewPCG(seed, 11))
	var found [starts][]float64
	var group sync.WaitGroup
	for i := range starts {
		x := p.start(r, i)
		group.Go(func() { found[i] = p.descend(x) })
	}
	group.Wait()
	var best []float64
	least := math.Inf(1)
	for _, x := range found {
		if e := p.error(x); e < least {
			best, least = x, e
		}
	}
	if best == nil {
		return nil, errors.New("no fit found")
	}
	return p.form(best), nil
}

// problem is a fit: all parameters with their limits, and the points. Its unknowns x are logits: 0 is halfway between the bounds of a
// parameter, in logarithms, and ±∞ are the bounds.
type problem struct {
	h          *bandwidth.Hierarchy
	points     []bandwidth.Point
	parameters []Instance
	limits     []limits
}

func newProblem(h *bandwidth.Hierarchy, points []bandwidth.Point) *problem {
	p := &problem{h: h, points: points, parameters: Instances(len(h.Levels))}
	s := newSetting(h, points)
	for _, in := range p.parameters {
		p.limits = append(p.limits, in.limits(s, in.Level))
	}
	return p
}

// start gives the unknowns of the usual values, but for the first start shaken.
func (p *problem) start(r *rand.Rand, number int) []float64 {
	x := make([]float64, len(p.limits))
	for i, l := range p.limits {
		way := math.Log(l.usual/l.low) / math.Log(l.high/l.low)
		if number > 0 {
			way += shake * r.NormFloat64()
		}
		way = min(max(way, inside), 1-inside)
		x[i] = math.Log(way / (1 - way))
	}
	return x
}

// values are the parameters at unknowns.
func (p *problem) values(x []float64) []float64 {
	v := make([]float64, len(x))
	for i, u := range x {
		l := &p.limits[i]
		v[i] = l.low * math.Pow(l.high/l.low, 1/(1+math.Exp(-u)))
	}
	return v
}

// form is the form at unknowns.
func (p *problem) form(x []float64) *bandwidth.Extended { return p.formOf(p.values(x)) }

func (p *problem) formOf(values []float64) *bandwidth.Extended {
	n := len(p.h.Levels)
	f := &bandwidth.Extended{Sources: make([]bandwidth.Source, n), Capacities: make([]bandwidth.Capacity, n)}
	for i := range f.Sources {
		f.Sources[i].Name = "memory"
		if i+1 < n {
			f.Sources[i].Name = p.h.Levels[i+1].Name
		}
	}
	for i, in := range p.parameters {
		in.Set(f, in.Level, values[i])
	}
	return f
}

// residuals fills out: of each point the logarithm of the computed over the measured time, then of each parameter with a prior how many
// prior standard deviations it lies off.
func (p *problem) residuals(x, out []float64) {
	v := p.values(x)
	f := p.formOf(v)
	for i, q := range p.points {
		out[i] = math.Log(f.PointNs(q, p.h.Line, p.h.Page) / q.Ns())
	}
	for i, l := range p.limits {
		if l.sd > 0 {
			out[len(p.points)+i] = math.Log(v[i]/l.usual) / l.sd
		}
	}
}

// error is the mean absolute relative error of the bandwidth.
func (p *problem) error(x []float64) float64 {
	return bandwidth.ErrorsOf(p.form(x).Errors(p.h, p.points)).Mean
}

// priorWeight is what a deviation of one prior standard deviation costs for each point, in the unit of the sum of residuals: with 1000
// points 0.3, as much as one point that is off by 35 %, as ln 1.35 = 0.3. Chosen, no source.
const priorWeight = 3e-4

func (p *problem) priorWeight() float64 { return priorWeight * float64(len(p.points)) }

// cost is the sum of the absolute residuals of points, and of the squares of those of priors.
func (p *problem) cost(residuals []float64) (sum float64) {
	for i, v := range residuals {
		if i < len(p.points) {
			sum += math.Abs(v)
		} else {
			sum += p.priorWeight() * v * v
		}
	}
	return sum
}
