package compare

import (
	"math"

	"foresee/predict"
)

// CloserSamples are the samples to predict both sides with where a result is undecided. Chosen: ten times the usual number, for a third of the part of its error that samples
// make smaller.
const CloserSamples = 600_000

// replicates are how often both sides are predicted where a result is still undecided. What the standard error counts of distances is a bound, which more samples do not make
// smaller; what several independent predictions differ by is the error itself. Chosen: five make the factor of Student's distribution (replicatesFactor) a small one.
const replicates = 5

// replicatesFactor is that of Student's t with four degrees of freedom that is passed by chance as often as two standard errors of a normal one are, over two: 2.87 / 2, once in 44 times.
const replicatesFactor = 2.87 / 2

// Sides predicts, or reads, both sides: with so many samples, 0 being the usual number, and the seed of a replicate, 0 being the one that was asked for.
type Sides func(samples int, replicate uint64) (a, b *predict.PredictionResult, err error)

// Decide compares two sides. Where it is undecided whether a level of B lacks more lines by more than is allowed, both are predicted with more samples, and then again with other
// seeds; not where samples, the number that was asked for, are not 0.
func Decide(judge Judge, samples int, sides Sides) (*Result, error) {
	a, b, err := sides(samples, 0)
	if err != nil {
		return nil, err
	}
	out := Results(a, b, judge)
	if samples != 0 || !out.undecided() {
		return out, nil
	}
	var all []*Result
	for k := range uint64(replicates) {
		if a, b, err = sides(CloserSamples, k); err != nil {
			return nil, err
		}
		all = append(all, Results(a, b, judge))
		if k == 0 && !all[0].undecided() {
			return all[0], nil
		}
	}
	return together(all), nil
}

// undecided says that a level seems to lack more lines in B by more than is allowed, and the error of the sampling is too large to say so.
func (r *Result) undecided() bool {
	for i := range r.Pairs {
		p := &r.Pairs[i]
		for k := range p.Levels {
			if r.Judge.undecided(&p.Levels[k], p.A.Accesses) {
				return true
			}
		}
	}
	return false
}

// together is the first of several comparisons, of independent predictions, with the means of the misses of all where it is undecided, and the error that they differ by.
func together(all []*Result) *Result {
	out := all[0]
	out.Worse = false
	for i := range out.Pairs {
		p := &out.Pairs[i]
		for k := range p.Levels {
			if l := &p.Levels[k]; out.Judge.undecided(l, p.A.Accesses) {
				l.mean(others(all, i, k))
			}
		}
		p.Findings = out.Judge.findings(p)
		out.Worse = out.Worse || len(p.Findings) > 0
	}
	return out
}

// others are a level of all comparisons.
func others(all []*Result, pair, level int) (out []LevelChange) {
	for _, r := range all {
		out = append(out, r.Pairs[pair].Levels[level])
	}
	return out
}

// mean takes the means of several, and as the error of the difference what they differ by. A side that is the same in all was not predicted anew, and keeps its error.
func (l *LevelChange) mean(all []LevelChange) {
	n := float64(len(all))
	var a, b, squares float64
	sameA, sameB := true, true
	for _, x := range all {
		a, b = a+float64(x.A)/n, b+float64(x.B)/n
		sameA, sameB = sameA && x.A == l.A, sameB && x.B == l.B
	}
	for _, x := range all {
		d := float64(x.B-x.A) - (b - a)
		squares += d * d
	}
	found := replicatesFactor * math.Sqrt(squares/(n-1)/n)
	switch {
	case sameA && !sameB:
		found = math.Hypot(found, l.errorA)
	case sameB && !sameA:
		found = math.Hypot(found, l.errorB)
	case sameA && sameB:
		found = l.Error
	}
	l.A, l.B, l.Error = int64(a+0.5), int64(b+0.5), found
}
