package published

import (
	"fmt"
	"math"

	"foresee/internal/quantile"
	"foresee/machine/bandwidth"
)

// Form is equation 1 with its parameters, for n levels of which the last is memory:
//
//	Bw = Σ tᵢ/T · bᵢ · (1 + { −(p₁+p₂) of level 1; pᵢ₋₁ of the others })           (1)
//	tᵢ = (hᵢ − hᵢ₋₁) cᵢ,  T = Σ tᵢ                                                 (3, 4)
//	pᵢ = fᵢ · (1 − e^(−(1−hᵢ)/(1−hᵢ+xᵢ))) / (1 − e⁻¹) · tᵢ/T   for i = 1, 2, else 0   (6)
//
// Without penalties (all fᵢ = 0) this is equation 5. A worked number: of levels with 40, 20 and 5 GB/s and 4, 12 and 200 cycles, half of
// the accesses in the first and a quarter in each other one, t = 2, 3, 50 and T = 55: (2·40 + 3·20 + 50·5)/55 = 7.09 GB/s.
//
// Equation 6 is printed with the denominator 1 − e. It is read as 1 − e⁻¹, which makes the fraction run from 0, where all hits, to
// 1 for small x where nothing does, and so f the size of the penalty. With 1 − e it would only be another, negative, factor on f:
// both span the same functions as long as f is free, and with f ≥ 0 only this one lowers the bandwidth of level 1.
type Form struct {
	Bandwidths []float64  // bᵢ, GB/s, by level
	Cycles     []float64  // cᵢ: only their ratios count
	Factors    [2]float64 // fᵢ: the size of the penalties of levels 1 and 2
	Rates      [2]float64 // xᵢ: how slowly they come as hit rates fall
}

// GBs is the bandwidth at cumulative hit rates, of which the last, of memory, is 1.
func (f *Form) GBs(hits []float64) float64 {
	return equation1(f.Bandwidths, f.Cycles, f.Factors[:], f.Rates[:], hits)
}

func equation1(b, c, f, x, hits []float64) float64 {
	var t [bandwidth.MostLevels]float64
	total, before := 0.0, 0.0
	for i, h := range hits {
		t[i] = (h - before) * c[i]
		total += t[i]
		before = h
	}
	if total <= 0 {
		return 0
	}
	var p [bandwidth.MostLevels]float64
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

// Plateaus is equation 5 without fitting: each level's bandwidth is the median of the points that it serves alone, and its
// latency, in cycles, is given.
func Plateaus(h *bandwidth.Hierarchy, points []bandwidth.Point, cycles []float64) (*Form, error) {
	n := len(h.Levels) + 1
	if len(cycles) != n {
		return nil, fmt.Errorf("%d latencies for %d levels with memory", len(cycles), n)
	}
	f := &Form{Bandwidths: make([]float64, n), Cycles: cycles, Rates: [2]float64{1, 1}}
	for i := range n {
		var here []float64
		for _, p := range points {
			if h.Plateau(p) == i {
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
