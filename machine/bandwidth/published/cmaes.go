package published

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/optimize"
)

// Of covariance matrix adaptation: the step at first, of the range of a gene, and individuals for each gene. Chosen, no source.
const (
	cmaesStep    = 0.2
	cmaesPerGene = 8
)

// cmaes minimises a function of genes between 0 and 1 by covariance matrix adaptation (gonum's CmaEsChol), from starts in the inner three
// fifths of each range, with so many evaluations at most.
func cmaes(genes int, seed uint64, starts, most int, f func([]float64) float64) (best []float64, evaluations int) {
	least := math.Inf(1)
	for s := range starts {
		r := rand.New(rand.NewPCG(seed, uint64(s)))
		x := make([]float64, genes)
		for i := range x {
			x[i] = 0.2 + 0.6*r.Float64()
		}
		problem := optimize.Problem{Func: func(x []float64) float64 {
			evaluations++
			return f(reflected(x))
		}}
		method := &optimize.CmaEsChol{InitStepSize: cmaesStep, Population: cmaesPerGene * genes, Src: rand.NewPCG(seed, uint64(s)+1000)}
		result, err := optimize.Minimize(problem, x, &optimize.Settings{FuncEvaluations: most / starts, Converger: optimize.NeverTerminate{}}, method)
		if err != nil || result == nil {
			continue
		}
		if y := reflected(result.X); f(y) < least {
			best, least = y, f(y)
		}
	}
	return best, evaluations
}

// reflected folds genes that are out of bounds back into them.
func reflected(x []float64) []float64 {
	y := make([]float64, len(x))
	for i, v := range x {
		v = math.Abs(math.Mod(v, 2))
		y[i] = min(v, 2-v)
	}
	return y
}
