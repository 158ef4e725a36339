package main

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"foresee/accuracy/measurements"
	"foresee/model/scaling"
)

// Targets of the mean over the sets, in percent, by the number of measured points: what the tuning weighs the errors by. Chosen: with errors of
// that size each number of points counts alike.
var scalingTargets = []struct {
	k       int
	percent float64
}{{3, 20}, {4, 14}, {5, 15}}

// pull keeps the tuned hyperparameters near those that it started from: so much is added to the quality for each squared unit of their
// logarithms. Chosen.
const pull = 0.02

// quality is the sum over k of the mean over the sets of errors around the median, over its target.
func quality(sets []measurements.Benchmark, prior scaling.Prior) float64 {
	sum := 0.0
	for _, target := range scalingTargets {
		mean, n := 0.0, 0.0
		for i := range sets {
			if !slices.Contains(sets[i].Ks, target.k) {
				continue
			}
			e := slices.Sorted(slices.Values(sets[i].Run(target.k, ownMedians(prior)).Errors))
			at := func(q float64) float64 { return e[int(q*float64(len(e)-1)+0.5)] }
			mean, n = mean+(2*at(0.5)+at(0.35)+at(0.65))/4, n+1
		}
		if n > 0 {
			sum += mean / n / target.percent
		}
	}
	return sum
}

// valueOnly skips the intervals.
type valueOnly struct{ *scaling.Posterior }

func (v valueOnly) At(at []float64) scaling.Prediction {
	return scaling.Prediction{Value: v.Median(at), Low: math.NaN(), High: math.NaN()}
}

func ownMedians(prior scaling.Prior) func([]*scaling.Series) []scaling.Model {
	return func(series []*scaling.Series) []scaling.Model {
		out := make([]scaling.Model, len(series))
		if fits, err := scaling.FitAll(series, prior); err == nil {
			for i, f := range fits {
				out[i] = valueOnly{f}
			}
		}
		return out
	}
}

// coordinates are the hyperparameters that are tuned; moved puts them on scales without bounds.
func coordinates(f *scaling.Hyperparameters) []*float64 {
	out := []*float64{&f.Straight, &f.Rising, &f.Log, &f.Walk, &f.FreeMean, &f.FreeWidth, &f.Step, &f.Noise, &f.NoiseSpread, &f.Pool}
	for i := range f.Deltas {
		out = append(out, &f.Deltas[i])
	}
	for i := range f.Slopes {
		out = append(out, &f.Slopes[i])
	}
	for i := range f.Drifts {
		out = append(out, &f.Drifts[i])
	}
	return out
}

// The first of the coordinates are shares of two, the next one is a slope; the others are positive.
const (
	sharesOfTwo = 4
	slopeAt     = 4
)

func moved(f scaling.Hyperparameters, by []float64) scaling.Hyperparameters {
	for i, v := range coordinates(&f) {
		switch {
		case i < sharesOfTwo:
			*v = 1 / (1 + (1-*v) / *v * math.Exp(-by[i]))
		case i == slopeAt:
			*v += by[i]
		default:
			*v *= math.Exp(by[i])
		}
	}
	return f
}

// tune looks for hyperparameters with a better quality, which is a smaller one, on the sets, by random steps from the start: each moves three
// tenths of them, grows by 1.3 after a success and shrinks by 0.98 after a failure, from 0.5 on and within 0.08 and 1. All of these are chosen.
func tune(ctx context.Context, sets []measurements.Benchmark, start scaling.Hyperparameters, evaluations int, seed uint64) scaling.Hyperparameters {
	r := rand.New(rand.NewPCG(seed, 0))
	at := make([]float64, len(coordinates(&start)))
	best := quality(sets, start.Prior(1))
	step := 0.5
	for n := 0; n < evaluations && ctx.Err() == nil; n++ {
		next := slices.Clone(at)
		distance := 0.0
		for i := range next {
			if r.Float64() < 0.3 {
				next[i] += step * r.NormFloat64()
			}
			distance += next[i] * next[i]
		}
		if q := quality(sets, moved(start, next).Prior(1)) + pull*distance; q < best {
			best, at, step = q, next, min(1, step*1.3)
		} else {
			step = max(0.08, step*0.98)
		}
	}
	return moved(start, at)
}
