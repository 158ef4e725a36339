package threads

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// NegativeBinomial is the distribution of the number of trials until the R-th success, each trial succeeding with
// probability P: of the concurrent reuse interval, in accesses of all threads, of a private interval of R accesses
// when each access is made by one of 1/P threads drawn at random (PLUSS, eq. 1).
type NegativeBinomial struct {
	R int64   // at least 1
	P float64 // above 0, at most 1
}

// Mean is R/P.
func (d NegativeBinomial) Mean() float64 { return float64(d.R) / d.P }

// Variance is R(1−P)/P².
func (d NegativeBinomial) Variance() float64 { return float64(d.R) * (1 - d.P) / (d.P * d.P) }

// Tail is the probability of more than y trials: that y trials hold fewer than R successes.
func (d NegativeBinomial) Tail(y int64) float64 {
	switch {
	case y < d.R:
		return 1
	case d.P == 1:
		return 0
	}
	return mathext.RegIncBeta(float64(y-d.R+1), float64(d.R), 1-d.P)
}

// Quantile is the least y with a probability of at least q, 0 < q < 1, of no more than y trials. It looks from where a normal
// distribution of the same mean and variance, bent by the skewness (Cornish and Fisher), has it.
func (d NegativeBinomial) Quantile(q float64) int64 {
	more := func(y int64) bool { return d.Tail(y) > 1-q }
	sd, z := math.Sqrt(d.Variance()), math.Sqrt2*math.Erfinv(2*q-1)
	near := max(d.R, int64(d.Mean()+sd*z+(2-d.P)/d.P*(z*z-1)/6))
	step := max(1, int64(sd/256))
	lo, hi := near-1, near
	for !more(lo) { // R−1 trials never do
		lo, hi, step = max(d.R-1, lo-step), lo, 2*step
	}
	for more(hi) {
		lo, hi, step = hi, hi+step, 2*step
	}
	for hi-lo > 1 {
		if mid := lo + (hi-lo)/2; more(mid) {
			lo = mid
		} else {
			hi = mid
		}
	}
	return hi
}

// Racetrack is the distribution of the share of a private interval over shared data that is left when the other
// threads, at random places of it, cut it: more than the share x with probability (1−x)^(T−1) (PLUSS, theorem 3.4).
type Racetrack struct{ Threads int }

// Quantile is the share that is not exceeded with probability q.
func (d Racetrack) Quantile(q float64) float64 {
	if d.Threads < 2 {
		return 1
	}
	return 1 - math.Pow(1-q, 1/float64(d.Threads-1))
}

// Constants of the bound of eq. 2, which the paper leaves open but for 0.5 < c1 < 1 < c2: an interval counts as long
// when with probability 0.999 on each side it grows to within a tenth of T times its length.
const (
	boundEpsilon = 0.001
	boundC1      = 0.9
	boundC2      = 1.1
)

// LongInterval is the private interval, in accesses, above which the concurrent one is taken to be T times as long
// (PLUSS, eq. 2). Derived from Chernoff's bounds on the number of successes in c·T·r trials, whose mean is c·r: fewer
// than r in c2·T·r has probability at most exp(−c2 r (1−1/c2)²/2), more than r in c1·T·r at most
// exp(−c1 r (1/c1−1)²/3); setting both to ε gives the equation as printed.
func LongInterval() float64 {
	log := math.Log(1 / boundEpsilon)
	return max(2*log/(boundC2*math.Pow(1/boundC2-1, 2)), 3*log/(boundC1*math.Pow(1/boundC1-1, 2)))
}
