package scaling

import (
	"cmp"
	"math"
	"slices"
)

// At is the median of what remains possible at a point, and the interval.
func (p *Posterior) At(at []float64) Prediction {
	x := p.design.at(at)
	m := p.mixture(x)
	tail := (1 - p.Interval) / 2
	return Prediction{Value: math.Exp(m.median()), Low: math.Exp(m.quantile(tail)), High: math.Exp(m.quantile(1 - tail))}
}

// mixture is normal distributions of log y with their shares.
type mixture struct{ share, mean, deviation []float64 }

// Median of what remains possible at a point, without the cost of the interval.
func (p *Posterior) Median(at []float64) float64 {
	m := p.mixture(p.design.at(at))
	return math.Exp(m.median())
}

// mixture is what all forms predict at x, the logarithms of the parameters.
func (p *Posterior) mixture(x []float64) mixture {
	var m mixture
	for i := range p.components {
		c := &p.components[i]
		mu, variance := p.at(c, x)
		m.share, m.mean, m.deviation = append(m.share, c.share), append(m.mean, mu), append(m.deviation, math.Sqrt(variance))
	}
	return m
}

// median is that of the forms' means: how wide each form is does not move it.
func (m *mixture) median() float64 {
	order := make([]int, len(m.mean))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.mean[a], m.mean[b]) })
	sum := 0.0
	for _, i := range order {
		if sum += m.share[i]; sum >= 0.5 {
			return m.mean[i]
		}
	}
	return m.mean[order[len(order)-1]]
}

// How a quantile is looked for. Chosen: beyond so many deviations lies less than 1e-15 of a normal distribution, and values of so close
// logarithms have seven digits in common.
const (
	quantileDeviations = 8
	quantileNear       = 1e-7
)

// quantile is the value that is not exceeded with probability q, by halving.
func (m *mixture) quantile(q float64) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for i, mu := range m.mean {
		low, high = min(low, mu-quantileDeviations*m.deviation[i]), max(high, mu+quantileDeviations*m.deviation[i])
	}
	for high-low > quantileNear {
		middle := (low + high) / 2
		if m.below(middle) < q {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}

// below is the probability of less than v.
func (m *mixture) below(v float64) float64 {
	sum := 0.0
	for i, mu := range m.mean {
		sum += m.share[i] * math.Erfc((mu-v)/(math.Sqrt2*m.deviation[i])) / 2
	}
	return sum
}
