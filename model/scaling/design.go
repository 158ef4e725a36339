package scaling

import "math"

// design is a series in logarithms, relative to the largest measured value of each parameter.
type design struct {
	parameters []string
	reference  []float64   // log of the largest
	x          [][]float64 // by parameter, then point
	y          []float64
	centre     []float64 // means of x
	gram       []float64 // of the centred x, m × m
	spread     float64   // root mean square of the repetitions' spreads
}

// newDesign takes the logarithms of a series, relative to its largest point, and what least squares need of them.
func newDesign(s *Series) *design {
	n, m := len(s.Y), len(s.Parameters)
	d := &design{parameters: s.Parameters, reference: make([]float64, m), x: make([][]float64, m), centre: make([]float64, m), gram: make([]float64, m*m)}
	for j, v := range s.Largest() {
		d.reference[j] = math.Log(v)
		d.x[j] = make([]float64, n)
	}
	for i, at := range s.At {
		d.y = append(d.y, math.Log(s.Y[i]))
		for j, v := range at {
			d.x[j][i] = math.Log(v) - d.reference[j]
			d.centre[j] += d.x[j][i] / float64(n)
		}
	}
	for j := range m {
		for k := range m {
			for i := range n {
				d.gram[j*m+k] += (d.x[j][i] - d.centre[j]) * (d.x[k][i] - d.centre[k])
			}
		}
	}
	d.spread = repeated(s.Spread)
	return d
}

// repeated is the root mean square of the spreads of the points that were repeated.
func repeated(spreads []float64) float64 {
	sum, n := 0.0, 0.0
	for _, v := range spreads {
		if v > 0 {
			sum, n = sum+v*v, n+1
		}
	}
	return math.Sqrt(sum / max(n, 1))
}

// noise is the standard deviation of a point.
func (d *design) noise(n Noise) float64 { return math.Hypot(n.Deviation, d.spread) }

// at is a point in the design's logarithms.
func (d *design) at(point []float64) []float64 {
	x := make([]float64, len(point))
	for j, v := range point {
		x[j] = math.Log(v) - d.reference[j]
	}
	return x
}

// work is u of measured point i, before it is made relative to the largest.
func (d *design) work(i int, power float64) float64 {
	u := d.x[0][i]
	for _, x := range d.x[1:] {
		u -= power * x[i]
	}
	return u
}

// work is u = log p − κ·Σ log sizes at a point, before it is made relative to the largest measured one.
func work(x []float64, power float64) float64 {
	u := x[0]
	for _, v := range x[1:] {
		u -= power * v
	}
	return u
}

// largestWork is the largest measured u.
func (d *design) largestWork(power float64) float64 {
	most := math.Inf(-1)
	for i := range d.y {
		most = max(most, d.work(i, power))
	}
	return most
}

// value of a bend at u relative to the largest measured u; x is log p relative to the largest measured p, and logP the log of that.
func (b *Bend) value(u, x, logP float64) float64 {
	if b.Falling {
		return -b.rising(u, x, logP)
	}
	return b.rising(u, x, logP)
}

// rising is the value if the slope rises.
func (b *Bend) rising(u, x, logP float64) float64 {
	return math.Log(1 - b.Overhead + b.growing(u, x, logP))
}

// mirrors says whether two bends differ in their sign and share at most.
func (b *Bend) mirrors(other *Bend) bool {
	return b.Overhead == other.Overhead && b.kind().rising() == other.kind().rising()
}

// growing is the overhead at u, of y at the largest measured one.
func (b *Bend) growing(u, x, logP float64) float64 {
	g := b.Overhead * math.Exp(b.Delta*u)
	if b.Log && logP > 0 {
		g *= max(0, 1+x/logP)
	}
	return g
}
