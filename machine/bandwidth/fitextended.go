package bandwidth

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"foresee/internal/quantile"

	"gonum.org/v1/gonum/mat"
)

// Errors of a fit, as shares of the measured bandwidth.
type Errors struct {
	Mean   float64 `yaml:"mean"`
	Median float64 `yaml:"median"`
	P90    float64 `yaml:"p90"`
	Worst  float64 `yaml:"worst"`
	N      int     `yaml:"n"`
}

// ErrorsOf sums up absolute relative errors.
func ErrorsOf(values []float64) Errors {
	e := Errors{N: len(values), Median: quantile.Median(values), P90: quantile.Of(values, 0.9), Worst: quantile.Of(values, 1)}
	for _, v := range values {
		e.Mean += v / float64(len(values))
	}
	return e
}

// FitExtended fits the extended form to points, from several starts; the same seed gives the same fit.
func FitExtended(h *Hierarchy, points []Point, seed uint64) (*Extended, error) {
	if len(points) < 3*(len(h.Levels)+1) {
		return nil, errors.New("too few points to fit")
	}
	p := newExtendedProblem(h, points)
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

// Errors are those of a form at points.
func (f *Extended) Errors(h *Hierarchy, points []Point) []float64 {
	out := make([]float64, len(points))
	for i, p := range points {
		out[i] = math.Abs(f.GBs(p, h.Line, h.Page)-p.GBs) / p.GBs
	}
	return out
}

const (
	starts = 6
	// rounds of descent, each with the weights that the last one's errors give.
	rounds = 80
)

// extendedProblem knows the parameters of Extended as a vector, each between bounds.
type extendedProblem struct {
	h         *Hierarchy
	points    []Point
	low, high []float64
	first     []float64
	doubt     []float64 // of the first value: the standard deviation of its logarithm; 0: any value will do
}

func newExtendedProblem(h *Hierarchy, points []Point) *extendedProblem {
	p := &extendedProblem{h: h, points: points}
	least, most := math.Inf(1), 0.0
	for _, q := range points {
		least, most = min(least, q.Ns()), max(most, q.Ns())
	}
	add := func(low, first, high, doubt float64) {
		p.doubt = append(p.doubt, doubt)
		p.low, p.high, p.first = append(p.low, low), append(p.high, high), append(p.first, min(max(first, low*1.01), high*0.99))
	}
	add(least/3, least*1.05, least*4, 0)
	add(1e-2, 1, 100, 0)
	add(1, 3, 20, 0.5)
	add(0.5, 1.3, 3, 0.1)
	worked := slices.ContainsFunc(points, func(q Point) bool { return q.CoreNs > 0 && q.Columns })
	runs := slices.ContainsFunc(points, func(q Point) bool { return q.Run > 0 })
	nothing := func() { add(1e-9, 1e-8, 1e-7, 0.01) } // what no point tells of
	for i := range len(h.Levels) {
		share := float64(i+1) / float64(len(h.Levels))
		far := least * math.Pow(most/least, share)
		add(far/300, far/3, most*8, 0)  // sequential
		add(1e-3, 0.5, 1000, 1)         // far over sequential, less one
		add(0.3, 2, 60, 0.5)            // reach
		add(1e-3, 1.5, 100, 0.7)        // crowded over far, less one
		add(0.3, 1.7, 20, 0.3)          // crowded reach
		add(far/30, far/3, most*8, 0.5) // exposed
		add(1e-3, 0.2, 5, 1)            // share
		if worked {                     // exposed of far lines, and share
			add(far/30, far/2, most*8, 1)
			add(1e-3, 0.5, 30, 1)
		} else {
			nothing()
			nothing()
		}
		if runs { // start of a run, and more for each line of a short one
			add(far/30, far*4, most*30, 1)
			add(1e-3, far/4, most, 1)
		} else {
			nothing()
			nothing()
		}
	}
	before, longest := 0.0, 0.0
	for _, q := range points {
		longest = max(longest, q.Bytes)
	}
	for i, l := range h.Levels {
		width := 1 / math.Sqrt(max(l.Ways, 1))
		if l.Virtual {
			width = 0.05
		}
		if last := i == len(h.Levels)-1; last && i > 0 { // a hypervisor may say anything
			most := min(l.Bytes*1.5, longest)
			add(min(before*1.5, most/4), min(l.Bytes, longest)/2, most, 0)
		} else {
			add(l.Bytes/3, l.Bytes, l.Bytes*2, 0)
		}
		before = l.Bytes
		add(0.02, width, 1.5, 0.7)
	}
	add(1e-3, 1, 200, 0)
	add(1e-3, 1, 500, 2)
	add(128*h.Page, 2048*h.Page, 1<<16*h.Page, 0.5)
	add(0.03, 0.1, 1, 0.3)
	add(0.02, 0.65, 0.98, 0.2)
	return p
}

// start is the usual values, but for the first start shaken.
func (p *extendedProblem) start(r *rand.Rand, number int) []float64 {
	x := make([]float64, len(p.first))
	for i, v := range p.first {
		g := math.Log(v/p.low[i]) / math.Log(p.high[i]/p.low[i])
		if number > 0 {
			g += 0.15 * r.NormFloat64()
		}
		g = min(max(g, 0.02), 0.98)
		x[i] = math.Log(g / (1 - g))
	}
	return x
}

func (p *extendedProblem) values(x []float64) []float64 {
	v := make([]float64, len(x))
	for i, u := range x {
		v[i] = p.low[i] * math.Pow(p.high[i]/p.low[i], 1/(1+math.Exp(-u)))
	}
	return v
}

func (p *extendedProblem) form(x []float64) *Extended {
	v := p.values(x)
	f := &Extended{CoreNs: v[0], PassNs: v[1], Norm: v[2], Steepness: v[3]}
	v = v[4:]
	for i := range p.h.Levels {
		name := "memory"
		if i+1 < len(p.h.Levels) {
			name = p.h.Levels[i+1].Name
		}
		far := v[0] * (1 + v[1])
		f.Sources = append(f.Sources, Source{Name: name, SequentialNs: v[0], FarNs: far, Reach: v[2], CrowdedNs: far * (1 + v[3]), CrowdedReach: v[4], ExposedNs: v[5], ExposedShare: v[6], FarExposedNs: v[7], FarExposedShare: v[8], StartNs: v[9], StartLineNs: v[10]})
		v = v[11:]
	}
	for range p.h.Levels {
		f.Edges = append(f.Edges, Edge{v[0], v[1]})
		v = v[2:]
	}
	f.WalkNs, f.TableNs, f.TLBBytes, f.TLBWidth, f.Halfway = v[0], v[1], v[2], v[3], v[4]
	return f
}

// residuals are the logarithms of predicted over measured times.
func (p *extendedProblem) residuals(x, out []float64) {
	f := p.form(x)
	for i, q := range p.points {
		out[i] = math.Log(f.pointNs(q, p.h.Line, p.h.Page) / q.Ns())
	}
	v := p.values(x)
	for i, d := range p.doubt {
		if d > 0 {
			out[len(p.points)+i] = math.Log(v[i]/p.first[i]) / d
		}
	}
}

func (p *extendedProblem) error(x []float64) float64 {
	return ErrorsOf(p.form(x).Errors(p.h, p.points)).Mean
}

// descend is Levenberg and Marquardt's method on residuals weighted so that their absolute values are summed.
func (p *extendedProblem) descend(x []float64) []float64 {
	m, n := len(p.points)+len(x), len(x)
	r, moved, weights := make([]float64, m), make([]float64, m), make([]float64, m)
	jacobian := mat.NewDense(m, n, nil)
	damping := 1e-2
	p.residuals(x, r)
	for range rounds {
		for i, v := range r {
			weights[i] = 1 / max(math.Abs(v), 0.01)
			if i >= len(p.points) {
				weights[i] = 2 * p.belief()
			}
		}
		const h = 1e-5
		for j := range n {
			was := x[j]
			x[j] += h
			p.residuals(x, moved)
			x[j] = was
			for i := range m {
				jacobian.Set(i, j, (moved[i]-r[i])/h)
			}
		}
		if !p.step(x, r, moved, weights, jacobian, &damping) {
			break
		}
	}
	return x
}

// step tries steps, damped more and more, until one helps.
func (p *extendedProblem) step(x, r, moved, weights []float64, jacobian *mat.Dense, damping *float64) bool {
	m, n := len(r), len(x)
	normal, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i := range m {
		row := jacobian.RawRowView(i)
		for a := range n {
			if row[a] == 0 {
				continue
			}
			right.SetVec(a, right.AtVec(a)-weights[i]*row[a]*r[i])
			for b := a; b < n; b++ {
				normal.SetSym(a, b, normal.At(a, b)+weights[i]*row[a]*row[b])
			}
		}
	}
	before := p.cost(r)
	for range 12 {
		damped := mat.NewSymDense(n, nil)
		damped.CopySym(normal)
		for a := range n {
			damped.SetSym(a, a, normal.At(a, a)*(1+*damping)+1e-9+*damping*1e-3)
		}
		var factor mat.Cholesky
		var delta mat.VecDense
		if !factor.Factorize(damped) || factor.SolveVecTo(&delta, right) != nil {
			*damping *= 4
			continue
		}
		to := make([]float64, n)
		for a := range n {
			to[a] = min(max(x[a]+min(max(delta.AtVec(a), -2), 2), -6), 6)
		}
		p.residuals(to, moved)
		if after := p.cost(moved); after < before {
			copy(x, to)
			copy(r, moved)
			*damping = max(*damping/3, 1e-9)
			return after < before*(1-1e-7)
		}
		*damping *= 4
	}
	return false
}

// belief is what a deviation of one standard deviation from the usual value costs, in the unit of summed residuals.
func (p *extendedProblem) belief() float64 { return 3e-4 * float64(len(p.points)) }

func (p *extendedProblem) cost(r []float64) (sum float64) {
	for i, v := range r {
		if i < len(p.points) {
			sum += math.Abs(v)
		} else {
			sum += p.belief() * v * v
		}
	}
	return sum
}
