package scaling

import "math"

// walked is a form whose slope over the first parameter drifts at random: log y is an integrated random walk in log p, plus a line in the
// further parameters. It is a Gaussian process with covariance s²(3t − s)/6 · step² for s ≤ t, distances from the smallest
// p (Wahba, Spline Models for Observational Data, 1990, chapter 1).
type walked struct {
	walk      Walk
	deviation float64     // of log y at a point: the noise
	origin    float64     // the smallest log p, relative to the largest
	scale     lower       // of the covariance of log y at the measured points
	basis     [][]float64 // the level and the parameters at the measured points, through the inverse of scale
	rest      []float64   // what level and slopes leave of log y, through the inverse of scale
	solution  []float64   // level and slopes
	precision lower       // of the precision of level and slopes
}

// covariance is that of an integrated random walk of unit step at two distances in log p from its origin.
func covariance(s, t float64) float64 {
	if s > t {
		s, t = t, s
	}
	return s * s * (3*t - s) / 6
}

// weighWalks adds the walks, at every noise, to the forms, as far as they are not negligible beside the best. A form of a walk has −1 less its
// number for the bend, and the number of its noise. Solutions are not kept: those of the forms that count in the end are found again.
func (p *Posterior) weighWalks(forms []form, buffer *[]float64) []form {
	known := p.walkLogs != nil
	if !known {
		p.walkLogs = make([]float64, len(p.prior.Walks)*len(p.prior.Noise))
	}
	best := math.Inf(-1)
	for _, f := range forms {
		best = max(best, f.share)
	}
	for wi, w := range p.prior.Walks {
		if !(w.Share > 0) {
			continue
		}
		for ni, n := range p.prior.Noise {
			at := wi*len(p.prior.Noise) + ni
			if !known {
				_, p.walkLogs[at] = p.walk(w, p.design.noise(n), buffer)
			}
			log := p.walkLogs[at] + math.Log(w.Share) + math.Log(n.Share)
			if log > best+negligible {
				best = max(best, log)
				forms = append(forms, form{share: log, bend: int32(-1 - wi), index: int32(ni)})
			}
		}
	}
	return forms
}

// walk solves a walk and returns its log likelihood. The solution lives in the buffer, if there is one.
//
// The level may be anything, and the likelihood is the integral over all levels. That of other forms leaves out its constant factor 1/√n, so
// here that is taken out too: half of log n is added.
func (p *Posterior) walk(walk Walk, deviation float64, buffer *[]float64) (*walked, float64) {
	d := p.design
	n, k := len(d.y), 1+len(d.parameters)
	w := &walked{walk: walk, deviation: deviation, origin: math.Inf(1)}
	for _, x := range d.x[0] {
		w.origin = min(w.origin, x)
	}
	take := arena(buffer, 2*n*n+(k+2)*n+2*k*k+k)
	v, y := take(n*n), take(n)
	for i := range n {
		t := d.x[0][i] - w.origin
		for j := range i + 1 {
			v[i*n+j] = walk.Step * walk.Step * covariance(t, d.x[0][j]-w.origin)
		}
		v[i*n+i] += deviation * deviation
		y[i] = d.y[i] - walk.Drift*t*t/2
	}
	w.scale = factorIn(take(n*n), n, v)
	w.scale.forward(y)
	w.basis = make([][]float64, k)
	for j := range w.basis {
		w.basis[j] = take(n)
		for i := range n {
			if w.basis[j][i] = 1; j > 0 {
				w.basis[j][i] = d.x[j-1][i]
			}
		}
		w.scale.forward(w.basis[j])
	}
	log := w.regress(p.prior, y, take)
	return w, log - w.scale.halfLog + math.Log(float64(n))/2
}

// arena hands out zeroed parts of a buffer, or of new memory where there is none.
func arena(buffer *[]float64, size int) func(n int) []float64 {
	var own []float64
	if buffer == nil {
		buffer = &own
	}
	if len(*buffer) < size {
		*buffer = make([]float64, size)
	}
	rest := (*buffer)[:size]
	clear(rest)
	return func(n int) []float64 {
		out := rest[:n:n]
		rest = rest[n:]
		return out
	}
}

// regress finds level and slopes; y and the basis have unit noise. It returns the log likelihood but for the covariance's determinant.
func (w *walked) regress(prior *Prior, y []float64, take func(int) []float64) float64 {
	k := len(w.basis)
	a, t := take(k*k), take(k)
	rest, log := 0.0, 0.0
	for i := range k {
		for j := range k {
			a[i*k+j] = dot(w.basis[i], w.basis[j])
		}
		t[i] = dot(w.basis[i], y)
		if i == 0 {
			continue
		}
		belief := prior.Others
		if i == 1 {
			belief = prior.free()
		}
		precision := 1 / (belief.Deviation * belief.Deviation)
		a[i*k+i] += precision
		t[i] += precision * belief.Mean
		rest += precision * belief.Mean * belief.Mean
		log -= math.Log(belief.Deviation)
	}
	w.precision = factorIn(take(k*k), k, a)
	log -= w.precision.halfLog
	w.solution = t
	w.precision.forward(w.solution)
	log -= (dot(y, y) + rest - dot(w.solution, w.solution)) / 2
	w.precision.backward(w.solution)
	w.rest = y
	for i, b := range w.basis {
		for j := range b {
			w.rest[j] -= w.solution[i] * b[j]
		}
	}
	return log
}

// free is the widest of the prior's slopes.
func (p *Prior) free() Slope {
	out := Slope{Mean: 0, Deviation: 1}
	widest := 0.0
	for _, s := range p.Slopes {
		if s.Deviation > widest {
			widest, out = s.Deviation, s
		}
	}
	return out
}

// against gives the covariance k of the walk at a point with that at the measured points, through the inverse of scale, and h, what of the
// level and the parameters at the point the measured ones do not tell by it.
func (w *walked) against(d *design, x []float64) (k, h []float64) {
	t := max(x[0]-w.origin, 0)
	k = make([]float64, len(d.y))
	for i := range k {
		k[i] = w.walk.Step * w.walk.Step * covariance(t, d.x[0][i]-w.origin)
	}
	w.scale.forward(k)
	h = append([]float64{1}, x...)
	for i := range h {
		h[i] -= dot(k, w.basis[i])
	}
	return k, h
}

// at is the mean and the variance of log y, as one would measure it, at x: of the noise, of level and slopes, and of the walk.
func (w *walked) at(d *design, x []float64) (mean, variance float64) {
	k, h := w.against(d, x)
	t := max(x[0]-w.origin, 0)
	mean = w.walk.Drift*t*t/2 + dot(k, w.rest) + w.solution[0]
	for j, v := range x {
		mean += w.solution[j+1] * v
	}
	w.precision.forward(h)
	return mean, w.deviation*w.deviation + dot(h, h) + max(0, w.walk.Step*w.walk.Step*covariance(t, t)-dot(k, k))
}

// common is the covariance of two points after the measurements, without noise.
func (w *walked) common(d *design, a, b []float64) float64 {
	ka, ha := w.against(d, a)
	kb, hb := w.against(d, b)
	w.precision.forward(ha)
	w.precision.forward(hb)
	s, t := max(a[0]-w.origin, 0), max(b[0]-w.origin, 0)
	return dot(ha, hb) + w.walk.Step*w.walk.Step*covariance(s, t) - dot(ka, kb)
}
