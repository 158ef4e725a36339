// Package patternsearch minimises functions of a few numbers without derivatives, by the pattern search of Hooke and Jeeves ("Direct
// Search" Solution of Numerical and Statistical Problems, Journal of the ACM 8, 1961) in its simplest form: a step of each number in both
// directions, kept where it helps, and halved when none does.
package patternsearch

import (
	"math"
	"math/rand/v2"
)

// Steps, of the range of a gene: the first, and the one below which a start is over.
const (
	firstStep = 0.25
	lastStep  = 1e-4
)

// Minimise minimises a function of so many genes from some starts: first the given ones, the others at random. Genes are from 0 to 1. It
// gives the best genes, and how often the function was evaluated; the same seed gives the same.
func Minimise(genes int, seed uint64, starts int, f func([]float64) float64, first ...[]float64) (best []float64, evaluations int) {
	least := math.Inf(1)
	r := rand.New(rand.NewPCG(seed, 7))
	for start := range starts {
		x := make([]float64, genes)
		for i := range x {
			x[i] = r.Float64()
		}
		if start < len(first) {
			copy(x, first[start])
		}
		e := f(x)
		evaluations++
		for step := firstStep; step > lastStep; {
			better := false
			for i := range x {
				for _, d := range [2]float64{step, -step} {
					was := x[i]
					x[i] = min(max(was+d, 0), 1)
					now := f(x)
					evaluations++
					if now < e {
						e, better = now, true
						break
					}
					x[i] = was
				}
			}
			if !better {
				step /= 2
			}
		}
		if e < least {
			best, least = append([]float64(nil), x...), e
		}
	}
	return best, evaluations
}
