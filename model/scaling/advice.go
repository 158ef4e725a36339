package scaling

import (
	"math"
)

// Advice is a further run and how much it is expected to narrow the interval at the point that was asked for.
type Advice struct {
	At        []float64
	Narrowing float64 // 1 − expected width after it over the width now, at best: the forms themselves may all be wrong
}

// Advise says how much measuring at each of the points would tell about the one that is asked for: the share of its variance that
// the forms explain together, as 1 − √(1 − r²) with r the correlation over the forms of the two predictions, noise of the new run included.
func (p *Posterior) Advise(asked []float64, candidates [][]float64) []Advice {
	x := p.design.at(asked)
	var out []Advice
	for _, at := range candidates {
		out = append(out, Advice{At: at, Narrowing: p.narrowing(x, p.design.at(at))})
	}
	return out
}

// narrowing is 1 − √(1 − r²), with the correlation r of the predictions at both points over all forms.
func (p *Posterior) narrowing(asked, measured []float64) float64 {
	a, b := p.mixture(asked), p.mixture(measured)
	var ma, mb float64
	for i, w := range a.share {
		ma, mb = ma+w*a.mean[i], mb+w*b.mean[i]
	}
	var va, vb, cov float64
	for i, w := range a.share {
		da, db := a.mean[i]-ma, b.mean[i]-mb
		va += w * (da*da + a.deviation[i]*a.deviation[i])
		vb += w * (db*db + b.deviation[i]*b.deviation[i])
		cov += w * (da*db + p.common(i, asked, measured))
	}
	if va <= 0 || vb <= 0 {
		return 0
	}
	r2 := min(cov*cov/(va*vb), 1)
	return 1 - math.Sqrt(1-r2)
}

// common is the covariance of two points within form i: level and slopes that are not known exactly, and what the form misses beyond
// the measured range, taken as one wrong slope.
func (p *Posterior) common(i int, a, b []float64) float64 {
	c := &p.components[i]
	if c.walk != nil {
		return c.walk.common(p.design, a, b)
	}
	v := &p.variants[c.variant]
	da, db := make([]float64, len(v.free)), make([]float64, len(v.free))
	for k, j := range v.free {
		da[k], db[k] = a[j]-p.design.centre[j], b[j]-p.design.centre[j]
	}
	v.scale.forward(da)
	v.scale.forward(db)
	growth := p.growth(v)
	return dot(da, db) + 1/(v.precision*float64(len(p.design.y))) + growth*growth*p.beyond(a)*p.beyond(b)
}
