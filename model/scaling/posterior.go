package scaling

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// Posterior is foresee's model of a series: all forms of the prior, each with the probability that the measurements leave it.
type Posterior struct {
	Series     *Series
	Interval   float64 // probability of Low to High
	prior      *Prior
	design     *design
	bends      []Bend     // of the prior, and refined ones
	parent     []int      // the prior's bend that each is a part of
	sums       []bentSums // of the prior's bends: sharing changes their shares only
	variants   []variant
	largest    map[float64]float64 // u at the measured point where it is largest, by power of the sizes
	walkLogs   []float64           // log likelihood of each walk at each noise: sharing changes their shares only
	components []component
}

// negligible is the log of the share, relative to the largest, below which a form is dropped. Chosen: a third of
// a thousandth.
const negligible = -8

// form is a bend at a variant, or a walk at a noise, with the logarithm of its share.
type form struct {
	share float64
	bend  int32 // −1 − walk for walks
	index int32 // of the variant, or of the noise
}

// component is a form that counts, solved.
type component struct {
	share   float64
	bend    int // −1 for walks
	variant int
	noise   int
	offset  float64
	slopes  []float64
	u0      float64
	walk    *walked
	walking int // index of the walk
}

// Fit finds the model of a single series.
func Fit(s *Series, prior Prior) (*Posterior, error) {
	all, err := FitAll([]*Series{s}, prior)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// FitAll finds the models of the series of one application, which share what they find about slopes, bends and noise. All need the same
// parameters, and one point at least.
func FitAll(series []*Series, prior Prior) ([]*Posterior, error) {
	out := make([]*Posterior, len(series))
	for i, s := range series {
		if len(s.Y) == 0 {
			return nil, fmt.Errorf("%s: %w: a model needs one", s.Name, ErrTooFew)
		}
		if len(s.Parameters) != len(series[0].Parameters) {
			return nil, fmt.Errorf("%s has other parameters than %s; fit them apart", s.Name, series[0].Name)
		}
		out[i] = &Posterior{Series: s, Interval: 0.8, design: newDesign(s)}
	}
	solveAll(out, &prior)
	if prior.Passes <= 0 || prior.Pool <= 0 || len(out) < 2 {
		return out, nil
	}
	alone := trends(out)
	for range prior.Passes {
		solveAll(out, prior.shared(out))
	}
	solveAll(turned(out, alone), &prior)
	return out, nil
}

// solveAll solves each series by itself, on all cores.
func solveAll(all []*Posterior, prior *Prior) {
	var next atomic.Int64
	work := func() {
		var space workspace
		for i := next.Add(1) - 1; i < int64(len(all)); i = next.Add(1) - 1 {
			all[i].prior = prior
			all[i].solve(&space)
		}
	}
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(all)) - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
}

// workspace is memory that solving one series after another uses again.
type workspace struct {
	forms []form
	walks []float64
}

// solve weighs all forms and keeps those that count.
func (p *Posterior) solve(space *workspace) {
	p.prepare()
	sums, forms := p.weighBends(p.sums, 0, space.forms[:0])
	p.sums = slices.Clip(sums)
	if p.refine(forms) {
		sums, forms = p.weighBends(p.sums, len(p.sums), forms)
	}
	forms = p.weighWalks(forms, &space.walks)
	space.forms = forms
	best := math.Inf(-1)
	for _, f := range forms {
		best = max(best, f.share)
	}
	forms = slices.DeleteFunc(forms, func(f form) bool { return f.share < best+negligible })
	total, m := 0.0, len(p.design.parameters)
	p.components = slices.Grow(p.components[:0], len(forms))
	solutions := make([]float64, 2*m*len(forms))
	for i, f := range forms {
		c := component{share: math.Exp(f.share - best), bend: int(f.bend)}
		total += c.share
		if f.bend >= 0 {
			c.variant = int(f.index)
			p.settle(&c, &sums[f.bend], solutions[2*m*i:2*m*(i+1)])
		} else {
			c.bend, c.walking, c.noise = -1, int(-1-f.bend), int(f.index)
			c.walk, _ = p.walk(p.prior.Walks[c.walking], p.design.noise(p.prior.Noise[c.noise]), nil)
		}
		p.components = append(p.components, c)
	}
	for i := range p.components {
		p.components[i].share /= total
	}
}

// prepare lists the bends, the variants, and where each work is largest, before the measurements are looked at.
func (p *Posterior) prepare() {
	p.largest = map[float64]float64{}
	most := len(p.prior.Bends) + refined*(1+2*refinements)
	p.bends, p.parent = append(slices.Grow(p.bends[:0], most), p.prior.Bends...), slices.Grow(p.parent[:0], most)
	for i, b := range p.prior.Bends {
		p.parent = append(p.parent, i)
		if _, there := p.largest[b.Work]; !there {
			p.largest[b.Work] = p.design.largestWork(b.Work)
		}
	}
	p.variants = p.variants[:0]
	for s := range p.prior.Slopes {
		for n := range p.prior.Noise {
			p.variants = append(p.variants, p.newVariant(s, n))
		}
	}
}

// variant is a slope of the first parameter at one noise, with what does not depend on the bend.
type variant struct {
	slope, noise int
	precision    float64   // of one point
	free         []int     // parameters whose slope is not fixed
	scale        lower     // of the precision of the free ones
	prior        []float64 // precision × mean of the free slopes
	constant     float64   // of the log likelihood
	// With one free slope, its likelihood is the square of its right side times this.
	half float64
}

// newVariant prepares a slope with a noise: the least squares that all bends with them share.
func (p *Posterior) newVariant(slope, noise int) variant {
	m := len(p.design.parameters)
	s, sigma := p.prior.Slopes[slope], p.design.noise(p.prior.Noise[noise])
	v := variant{slope: slope, noise: noise, precision: 1 / (sigma * sigma)}
	v.constant = math.Log(s.Share) + math.Log(p.prior.Noise[noise].Share) - float64(len(p.design.y)-1)*math.Log(sigma)
	var beliefs []Slope
	if s.Deviation > 0 {
		v.free, beliefs = append(v.free, 0), append(beliefs, s)
	}
	for j := 1; j < m; j++ {
		v.free, beliefs = append(v.free, j), append(beliefs, p.prior.Others)
	}
	k := len(v.free)
	a := make([]float64, k*k)
	for i, j := range v.free {
		for l, q := range v.free {
			a[i*k+l] = p.design.gram[j*m+q] * v.precision
		}
		belief := 1 / (beliefs[i].Deviation * beliefs[i].Deviation)
		a[i*k+i] += belief
		v.prior = append(v.prior, belief*beliefs[i].Mean)
		v.constant -= belief*beliefs[i].Mean*beliefs[i].Mean/2 + math.Log(beliefs[i].Deviation)
	}
	v.scale = factor(k, a)
	if k == 1 {
		v.half = 1 / (2 * a[0])
	}
	v.constant -= v.scale.halfLog
	return v
}

// bentSums are the moments of y less a bend.
type bentSums struct {
	mean, square float64
	cross        []float64 // with each centred parameter
}

// bent is what a rising bend adds to y at each measured point; a falling one takes it away.
func (p *Posterior) bent(b *Bend, out []float64) {
	d := p.design
	if b.Overhead <= 0 {
		clear(out)
		return
	}
	largest := p.largest[b.Work]
	for i := range out {
		out[i] = b.rising(d.work(i, b.Work)-largest, d.x[0][i], d.reference[0])
	}
}

// moments are the sums that least squares need of y without a bend.
func (p *Posterior) moments(falling bool, bent, cross []float64) bentSums {
	d := p.design
	out := bentSums{cross: cross}
	sign := 1.0
	if falling {
		sign = -1
	}
	for i, b := range bent {
		out.mean += d.y[i] - sign*b
	}
	out.mean /= float64(len(bent))
	for i, b := range bent {
		r := d.y[i] - sign*b - out.mean
		out.square += r * r
		for j := range d.x {
			out.cross[j] += r * (d.x[j][i] - d.centre[j])
		}
	}
	return out
}

// weighBends gives the bends from the first on their log shares at every variant; levels and slopes are found later, for those that count.
// Sums that are known already are kept.
func (p *Posterior) weighBends(sums []bentSums, first int, out []form) ([]bentSums, []form) {
	m := len(p.design.parameters)
	best := math.Inf(-1)
	for _, f := range out {
		best = max(best, f.share)
	}
	bent, t := make([]float64, len(p.design.y)), make([]float64, m)
	cross := make([]float64, m*(len(p.bends)-len(sums)))
	sums = slices.Grow(sums, len(p.bends)-len(sums))
	if cap(out) == 0 {
		out = make([]form, 0, len(p.bends)*len(p.variants)/4)
	}
	var known *Bend
	for bi := first; bi < len(p.bends); bi++ {
		b := &p.bends[bi]
		if bi >= len(sums) {
			if known == nil || !b.mirrors(known) {
				p.bent(b, bent)
				known = b
			}
			sums = append(sums, p.moments(b.Falling, bent, cross[:m:m]))
			cross = cross[m:]
		}
		if !(b.Share > 0) {
			continue
		}
		share, slope, rest := math.Log(b.Share), -1, 0.0
		for vi := range p.variants {
			v := &p.variants[vi]
			if v.slope != slope {
				slope, rest = v.slope, p.rest(v.slope, &sums[bi])
			}
			log := share + v.constant - rest*v.precision/2
			if v.half > 0 {
				j := v.free[0]
				t := (sums[bi].cross[j]-p.fixed(v.slope)*p.design.gram[j])*v.precision + v.prior[0]
				log += t * t * v.half
			} else if k := len(v.free); k > 0 {
				p.rightSide(v, &sums[bi], t)
				v.scale.forward(t[:k])
				log += dot(t[:k], t[:k]) / 2
			}
			if log > best+negligible {
				best = max(best, log)
				out = append(out, form{share: log, bend: int32(bi), index: int32(vi)})
			}
		}
	}
	return sums, out
}

// fixed is the first parameter's slope where it is fixed, else 0.
func (p *Posterior) fixed(slope int) float64 {
	if s := p.prior.Slopes[slope]; s.Deviation == 0 {
		return s.Mean
	}
	return 0
}

// rest is the squares that a fixed slope leaves.
func (p *Posterior) rest(slope int, sums *bentSums) float64 {
	s := p.fixed(slope)
	return max(sums.square+s*(s*p.design.gram[0]-2*sums.cross[0]), 0)
}

// rightSide fills t with the right side of the normal equations of the free slopes.
func (p *Posterior) rightSide(v *variant, sums *bentSums, t []float64) {
	slope := p.fixed(v.slope)
	for i, j := range v.free {
		t[i] = (sums.cross[j]-slope*p.design.gram[j])*v.precision + v.prior[i]
	}
}

// settle finds the level and the slopes of a form with a bend, in a solution of twice as many places as there are parameters.
func (p *Posterior) settle(c *component, sums *bentSums, solution []float64) {
	v := &p.variants[c.variant]
	c.noise, c.u0 = v.noise, p.largest[p.bends[c.bend].Work]
	p.rightSide(v, sums, solution)
	k := len(v.free)
	v.scale.forward(solution[:k])
	v.scale.backward(solution[:k])
	c.slopes = solution[len(p.design.parameters):]
	c.slopes[0] = p.prior.Slopes[v.slope].Mean
	for i, j := range v.free {
		c.slopes[j] = solution[i]
	}
	c.offset = sums.mean - dot(c.slopes, p.design.centre)
}

// at is the mean and the variance of log y at x, a point in the design's logarithms. Beyond the measured range nothing that is dealt falls
// faster than 1/p: work can be dealt to more processes, but not made less by them.
func (p *Posterior) at(c *component, x []float64) (mean, variance float64) {
	mean, variance = p.form(c, x)
	if p.prior.Dealt && x[0] > 0 {
		edge := append([]float64{0}, x[1:]...)
		least, _ := p.form(c, edge)
		mean = max(mean, least-x[0])
	}
	return mean, variance
}

// form is the mean and the variance of log y that one form predicts at x, the logarithms of the parameters.
func (p *Posterior) form(c *component, x []float64) (mean, variance float64) {
	if c.walk != nil {
		return c.walk.at(p.design, x)
	}
	mean = c.offset + dot(c.slopes, x)
	if b := &p.bends[c.bend]; b.Overhead > 0 {
		mean += b.value(work(x, b.Work)-c.u0, x[0], p.design.reference[0])
	}
	v := &p.variants[c.variant]
	distance := make([]float64, len(v.free))
	for i, j := range v.free {
		distance[i] = x[j] - p.design.centre[j]
	}
	v.scale.forward(distance)
	beyond := p.beyond(x) * p.growth(v)
	return mean, (1+1/float64(len(p.design.y)))/v.precision + dot(distance, distance) + beyond*beyond
}

// growth is what a form with a bend may miss for each unit beyond the measured range.
func (p *Posterior) growth(v *variant) float64 {
	return p.prior.Growth + p.prior.NoiseGrowth/math.Sqrt(v.precision)
}

// sizeDoubt is how many times as much a unit beyond the measured sizes counts as one of processes. Chosen: no bend is in the sizes alone, so that
// what bends there is not seen.
const sizeDoubt = 3

// beyond is how far x lies above the measured range, in logarithms.
func (p *Posterior) beyond(x []float64) float64 {
	s := max(x[0], 0) * max(x[0], 0)
	for _, v := range x[1:] {
		s += sizeDoubt * sizeDoubt * max(v, 0) * max(v, 0)
	}
	return math.Sqrt(s)
}
