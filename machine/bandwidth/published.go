package bandwidth

import (
	"fmt"
	"math"

	"foresee/internal/quantile"
)

// Published is equation 1 of Tikir et al. with its parameters, for n levels of which the last is memory:
//
//	Bw = Σ tᵢ/T · bᵢ · (1 + { −(p₁+p₂) of level 1; pᵢ₋₁ of the others })
//	tᵢ = (hᵢ − hᵢ₋₁) cᵢ,  T = Σ tᵢ
//	pᵢ = fᵢ · (1 − e^(−(1−hᵢ)/(1−hᵢ+xᵢ))) / (1 − e⁻¹) · tᵢ/T   for i = 1, 2, else 0
//
// Equation 6 is printed with the denominator 1 − e. It is read as 1 − e⁻¹, which makes the fraction run from 0, where all hits, to
// 1 for small x where nothing does, and so f the size of the penalty. With 1 − e it would only be another, negative, factor on f:
// both span the same functions as long as f is free, and with f ≥ 0 only this one lowers the bandwidth of level 1.
type Published struct {
	Bandwidths []float64  // bᵢ, GB/s, by level
	Cycles     []float64  // cᵢ: only their ratios count
	Factors    [2]float64 // fᵢ
	Rates      [2]float64 // xᵢ
}

// GBs is the bandwidth at cumulative hit rates, of which the last, of memory, is 1.
func (f *Published) GBs(hits []float64) float64 {
	return publishedGBs(f.Bandwidths, f.Cycles, f.Factors[:], f.Rates[:], hits)
}

const mostLevels = 8

func publishedGBs(b, c, f, x, hits []float64) float64 {
	var t [mostLevels]float64
	total, before := 0.0, 0.0
	for i, h := range hits {
		t[i] = (h - before) * c[i]
		total += t[i]
		before = h
	}
	if total <= 0 {
		return 0
	}
	var p [mostLevels]float64
	for i := range min(2, len(hits)-1) {
		miss := 1 - hits[i]
		if miss > 0 && f[i] != 0 {
			p[i] = f[i] * (1 - math.Exp(-miss/(miss+x[i]))) / (1 - 1/math.E) * t[i] / total
		}
	}
	sum := 0.0
	for i := range hits {
		penalty := 0.0
		if i == 0 {
			penalty = -(p[0] + p[1])
		} else {
			penalty = p[i-1]
		}
		sum += t[i] / total * b[i] * (1 + penalty)
	}
	return sum
}

// bounds of the parameters of Published, in the order of genes: bandwidths, cycles, factors, rates.
type bounds struct{ low, high []float64 }

func publishedBounds(levels int, points []Point) bounds {
	least, most := math.Inf(1), 0.0
	for _, p := range points {
		least, most = min(least, p.GBs), max(most, p.GBs)
	}
	var b bounds
	add := func(low, high float64) {
		b.low, b.high = append(b.low, low), append(b.high, high)
	}
	for range levels {
		add(least/2, most*1.5)
	}
	for range levels {
		add(1, 1000)
	}
	for range 2 {
		add(1e-3, 10)
	}
	for range 2 {
		add(1e-4, 10)
	}
	return b
}

// at maps genes from 0 to 1 to parameters, evenly in their logarithms.
func (b bounds) at(genes, out []float64) {
	for i, g := range genes {
		out[i] = b.low[i] * math.Pow(b.high[i]/b.low[i], min(max(g, 0), 1))
	}
}

// problem is the fit of Published to points: those of equal hit rates are put together, as the function cannot tell them apart.
type problem struct {
	bounds bounds
	levels int
	groups []group
	points int
}

type group struct {
	hits []float64
	gbs  []float64
}

func newProblem(h *Hierarchy, points []Point) (*problem, error) {
	if len(h.Levels)+1 > mostLevels {
		return nil, fmt.Errorf("%d cache levels; at most %d can be fitted", len(h.Levels), mostLevels-1)
	}
	if len(points) == 0 {
		return nil, fmt.Errorf("nothing to fit: no points")
	}
	p := &problem{levels: len(h.Levels) + 1, points: len(points), bounds: publishedBounds(len(h.Levels)+1, points)}
	found := map[[mostLevels]float64]int{}
	for _, q := range points {
		hits := h.Hits(q)
		var key [mostLevels]float64
		copy(key[:], hits)
		i, ok := found[key]
		if !ok {
			i = len(p.groups)
			found[key] = i
			p.groups = append(p.groups, group{hits: hits})
		}
		p.groups[i].gbs = append(p.groups[i].gbs, q.GBs)
	}
	return p, nil
}

func (p *problem) genes() int { return len(p.bounds.low) }

// error is the mean absolute relative error, the fitness of section 4 divided by the number of points.
func (p *problem) error(genes []float64) float64 {
	var values [2*mostLevels + 4]float64
	v := values[:len(genes)]
	p.bounds.at(genes, v)
	n := p.levels
	sum := 0.0
	for i := range p.groups {
		g := &p.groups[i]
		bw := publishedGBs(v[:n], v[n:2*n], v[2*n:2*n+2], v[2*n+2:], g.hits)
		for _, y := range g.gbs {
			sum += math.Abs(bw-y) / y
		}
	}
	return sum / float64(p.points)
}

func (p *problem) published(genes []float64) *Published {
	v := make([]float64, len(genes))
	p.bounds.at(genes, v)
	n := p.levels
	return &Published{Bandwidths: v[:n:n], Cycles: v[n : 2*n : 2*n], Factors: [2]float64(v[2*n:]), Rates: [2]float64(v[2*n+2:])}
}

// Plateaus is equation 5 without fitting: each level's bandwidth is the median of the points that it serves alone, and its
// latency that of a line from it.
func Plateaus(h *Hierarchy, points []Point, cycles []float64) (*Published, error) {
	n := len(h.Levels) + 1
	if len(cycles) != n {
		return nil, fmt.Errorf("%d latencies for %d levels with memory", len(cycles), n)
	}
	f := &Published{Bandwidths: make([]float64, n), Cycles: cycles, Rates: [2]float64{1, 1}}
	for i := range n {
		var here []float64
		for _, p := range points {
			if h.plateau(p) == i {
				here = append(here, p.GBs)
			}
		}
		if len(here) == 0 {
			return nil, fmt.Errorf("no point lies on the plateau of level %d", i+1)
		}
		f.Bandwidths[i] = quantile.Median(here)
	}
	return f, nil
}

// plateau is the level that alone serves a point's lines, well inside its size and well past the one before; −1: none.
func (h *Hierarchy) plateau(p Point) int {
	const apart = 1.6
	before := 0.0
	for i, l := range h.Levels {
		if p.Bytes < l.Bytes/apart && p.Bytes > before*apart {
			return i
		}
		before = l.Bytes
	}
	if p.Bytes > before*apart {
		return len(h.Levels)
	}
	return -1
}

// OnPlateau says whether one level alone serves a point's lines: what is not lies on a drop.
func (h *Hierarchy) OnPlateau(p Point) bool { return h.plateau(p) >= 0 }
