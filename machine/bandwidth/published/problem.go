package published

import (
	"fmt"
	"math"

	"foresee/machine/bandwidth"
)

// bounds of the parameters of a Form, in the order of genes: bandwidths, cycles, factors, rates.
type bounds struct{ low, high []float64 }

// boundsOf are chosen wide, as the paper gives none: bandwidths from half of the least measured one to one and a half times the greatest;
// cycles over three decades, as only their ratios count; penalties from a thousandth to ten times a level's bandwidth; rates x from 10⁻⁴,
// where one miss in 10⁴ brings 62 % of the penalty, to 10, where all misses bring 14 %.
func boundsOf(levels int, points []bandwidth.Point) bounds {
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

// problem is the fit of a Form to points: those of equal hit rates are put together, as the function cannot tell them apart.
type problem struct {
	bounds bounds
	levels int
	groups []group
	points int
}

// group is the measured bandwidths at one tuple of hit rates.
type group struct {
	hits []float64
	gbs  []float64
}

func newProblem(h *bandwidth.Hierarchy, points []bandwidth.Point) (*problem, error) {
	if len(h.Levels)+1 > bandwidth.MostLevels {
		return nil, fmt.Errorf("%d cache levels; at most %d can be fitted", len(h.Levels), bandwidth.MostLevels-1)
	}
	if len(points) == 0 {
		return nil, fmt.Errorf("nothing to fit: no points")
	}
	p := &problem{levels: len(h.Levels) + 1, points: len(points), bounds: boundsOf(len(h.Levels)+1, points)}
	found := map[[bandwidth.MostLevels]float64]int{}
	for _, q := range points {
		hits := h.Hits(q)
		var key [bandwidth.MostLevels]float64
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
	var values [2*bandwidth.MostLevels + 4]float64
	v := values[:len(genes)]
	p.bounds.at(genes, v)
	n := p.levels
	sum := 0.0
	for i := range p.groups {
		g := &p.groups[i]
		bw := equation1(v[:n], v[n:2*n], v[2*n:2*n+2], v[2*n+2:], g.hits)
		for _, y := range g.gbs {
			sum += math.Abs(bw-y) / y
		}
	}
	return sum / float64(p.points)
}

func (p *problem) form(genes []float64) *Form {
	v := make([]float64, len(genes))
	p.bounds.at(genes, v)
	n := p.levels
	return &Form{Bandwidths: v[:n:n], Cycles: v[n : 2*n : 2*n], Factors: [2]float64(v[2*n:]), Rates: [2]float64(v[2*n+2:])}
}
