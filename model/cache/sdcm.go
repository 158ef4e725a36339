package cache

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Geometry is a cache as the models see it. Sets may be any number.
type Geometry struct {
	Lines int64 // B
	Ways  int64 // A; Lines for a fully associative cache
}

// Validate reports an impossible cache.
func (g Geometry) Validate() error {
	if g.Ways < 1 || g.Lines < g.Ways {
		return fmt.Errorf("a cache of %d lines cannot have %d ways", g.Lines, g.Ways)
	}
	return nil
}

// termsSummed is the number of ways up to which SDCM adds its terms up; past it the incomplete beta function
// is as exact and faster. Chosen: caches with sets have fewer ways; past it they are nearly or fully associative.
const termsSummed = 64

// HitProbability is P(h | D), the probability that an access of reuse distance d ≥ 0 hits (PPT-Multicore eq. 1;
// eq. 2 is the case of one way):
//
//	P(h | D) = Σ_{a=0}^{A−1} C(D, a) (A/B)^a ((B−A)/B)^(D−a)
//
// that is, the probability that of D lines spread at random over B/A sets fewer than A fall into one. It is exact
// to about 1e-9 for distances up to 1e12. A distance that is not whole is rounded.
func (g Geometry) HitProbability(d float64) float64 {
	return g.HitProbabilityAt(d, float64(g.Ways)/float64(g.Lines))
}

// HitProbabilityAt is SDCM with another probability p than A/B that a line falls into the set: eq. 1 takes lines
// to be spread at random, which a walk with a long stride does not do.
func (g Geometry) HitProbabilityAt(d, p float64) float64 {
	d = math.Round(d)
	switch {
	case math.IsInf(d, 1) || math.IsNaN(d):
		return 0
	case d < float64(g.Ways):
		return 1 // even if all fell into the set
	case p >= 1:
		return 0
	}
	if g.Ways > termsSummed {
		// P(X ≤ A−1) for X ~ Binomial(D, p) is the regularised incomplete beta function.
		return mathext.RegIncBeta(d-float64(g.Ways)+1, float64(g.Ways), 1-p)
	}
	return binomialBelow(d, g.Ways, p)
}

// large is where sums are made smaller, by itself. Chosen: the next term is less than 1e100 times as large.
const (
	large    = 1e200
	inverse  = 1e-200
	largeLog = 200 * math.Ln10
	leastLog = 760 // the exponential function of its negative is less than any float64 above 0
)

// binomialBelow is P(X < ways) for X ~ Binomial(d, p), by adding up terms, all positive, each from the one before;
// the first is kept as a logarithm, since it may be too small for a float64 where the last is not.
func binomialBelow(d float64, ways int64, p float64) float64 {
	if mean, few := d*p, float64(ways); mean > few && (mean-few)*(mean-few) > 2*leastLog*mean {
		return 0 // by Chernoff's bound, exp(−(mean−ways)²/2mean)
	}
	logFirst := d * math.Log1p(-p)
	odds := p / (1 - p)
	scale := 0.0 // logarithm taken out of sum and term
	sum, term := 1.0, 1.0
	for a := int64(1); a < ways; a++ {
		term *= (d - float64(a) + 1) / float64(a) * odds
		sum += term
		if sum > large { // before it is too large for a float64
			sum, term = sum*inverse, term*inverse
			scale += largeLog
		}
	}
	return math.Min(1, math.Exp(logFirst+scale+math.Log(sum)))
}
