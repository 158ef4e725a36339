package bandwidth

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/optimize"
)

// cmaes minimises a function of genes between 0 and 1 by covariance matrix adaptation (gonum's CmaEsChol), from some starts.
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
		method := &optimize.CmaEsChol{InitStepSize: 0.2, Population: 8 * genes, Src: rand.NewPCG(seed, uint64(s)+1000)}
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

// local minimises by pattern search from given and from many random starts: a step of each gene in both directions, halved when
// none helps.
func local(genes int, seed uint64, starts int, f func([]float64) float64, first ...[]float64) (best []float64, evaluations int) {
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
		for step := 0.25; step > 1e-4; {
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
