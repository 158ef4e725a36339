package compare

import (
	"math"

	"foresee/machine/bandwidth"
	"foresee/predict"
)

// Two times of one machine and one model share most of what they are off by: if lines from memory cost a fifth more than the machine's file says, they do so
// in both. The interval of their ratio is therefore that of the ratio while each cost (of computing, of a line from each level, of parallel regions)
// is wrong by a factor of its own, the same on both sides, and computing and memory overlap more or less, on both sides alike. What one program does that
// the model does not see, and the other does not, is not in it.

// commonRange is the least and the most of the ratio. The factor goes as far as the wider of the two intervals of time, evenly up and down.
func commonRange(a, b *predict.Prediction, ratio float64) (low, high float64) {
	spread := math.Sqrt(math.Max(width(a), width(b)))
	names := costs(a, b)
	low, high = ratio, ratio
	usual := timeOf(b, names, nil, norm) / timeOf(a, names, nil, norm)
	if !(usual > 0) || math.IsInf(usual, 0) {
		return low, high
	}
	factors := make([]float64, len(names))
	look := func() {
		for _, p := range []float64{1, norm, math.Inf(1)} {
			r := timeOf(b, names, factors, p) / timeOf(a, names, factors, p) / usual * ratio
			low, high = math.Min(low, r), math.Max(high, r)
		}
	}
	for corner := range 1 << len(names) { // a ratio of sums is at its ends in corners, one of maxima also where a maximum changes sides
		for i := range factors {
			factors[i] = 1 / spread
			if corner>>i&1 == 1 {
				factors[i] = spread
			}
		}
		look()
		for i, kept := range factors {
			for _, side := range []*predict.Prediction{a, b} {
				if f := balance(side, names, factors, i); f > 1/spread && f < spread {
					factors[i] = f
					look()
				}
			}
			factors[i] = kept
		}
	}
	return low, high
}

// balance is the factor of one cost at which computing takes as long as memory, with the others as they are; NaN where there is none.
func balance(p *predict.Prediction, names []string, factors []float64, of int) float64 {
	compute, memory, own := 0.0, 0.0, 0.0
	for i, name := range names {
		switch {
		case name == "parallel":
		case name == "compute" && i == of:
			own = p.Terms.ComputeS
		case name == "compute":
			compute += factors[i] * p.Terms.ComputeS
		case i == of:
			own = -levelTime(p, name)
		default:
			memory += factors[i] * levelTime(p, name)
		}
	}
	if own == 0 {
		return math.NaN()
	}
	return (memory - compute) / own
}

// norm is how times of computing and memory overlap as a rule (package timing: Overlap).
const norm = 3

// mostCosts bounds the costs that vary: with a machine's levels there are fewer.
const mostCosts = 10

// width is how many times as long the end of the interval of a time is as its beginning.
func width(p *predict.Prediction) float64 {
	if p.TimeLowS == nil || p.TimeHighS == nil || *p.TimeLowS <= 0 {
		return 1
	}
	return math.Max(*p.TimeHighS / *p.TimeLowS, 1)
}

// costs are the names of what both times are made of.
func costs(a, b *predict.Prediction) []string {
	var out []string
	for _, t := range terms(a, b) {
		if len(out) < mostCosts && (t.AS > 0 || t.BS > 0) {
			out = append(out, t.Term)
		}
	}
	return out
}

// timeOf is the time of a prediction's terms, each as many times as costly as its factor says, computing and memory overlapping by a p-norm.
func timeOf(p *predict.Prediction, names []string, factors []float64, norm float64) float64 {
	compute, memory, parallel := 0.0, 0.0, 0.0
	for i, name := range names {
		f := 1.0
		if factors != nil {
			f = factors[i]
		}
		switch name {
		case "compute":
			compute = f * p.Terms.ComputeS
		case "parallel":
			parallel = f * p.Terms.ParallelS
		default:
			memory += f * levelTime(p, name)
		}
	}
	if math.IsInf(norm, 1) {
		return math.Max(compute, memory) + parallel
	}
	return bandwidth.Norm(norm, compute, memory) + parallel
}
