package fit

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Of Levenberg and Marquardt's method (gonum has none). Chosen, no source, but for what is said.
const (
	// rounds of descent at most, each with the weights that the last one's residuals give.
	rounds = 80
	// leastResidual keeps the weight of a point that fits, 1/|residual|, finite: points within 1 % weigh alike.
	leastResidual = 0.01
	// difference is the step of a forward difference, of a logit.
	difference = 1e-5
	// tries at most in one round, each damped by easing times more than the last.
	tries  = 12
	easing = 4
	// firstDamping is that of the first round; after a step that helped it is a third, down to leastDamping.
	firstDamping = 1e-2
	leastDamping = 1e-9
	// farthestStep is how far a step may change a logit, and farthest how far from halfway between the bounds one may be: e⁻⁶ = 0.2 % of
	// the way from a bound.
	farthestStep = 2
	farthest     = 6
	// settled is the relative gain of a step below which the descent is over.
	settled = 1e-7
)

// descent is the state of one start.
type descent struct {
	*problem
	x, residuals, moved, weights []float64
	jacobian                     *mat.Dense
	damping                      float64
}

// descend goes down from x. The absolute values of residuals are summed, where the method wants squares: so in each round every squared
// residual has the weight of the last round's 1/|residual| (iteratively reweighted least squares).
func (p *problem) descend(x []float64) []float64 {
	m, n := len(p.points)+len(x), len(x)
	d := &descent{problem: p, x: x, residuals: make([]float64, m), moved: make([]float64, m), weights: make([]float64, m), jacobian: mat.NewDense(m, n, nil), damping: firstDamping}
	p.residuals(x, d.residuals)
	for range rounds {
		d.weigh()
		d.differentiate()
		if !d.step() {
			break
		}
	}
	return x
}

// weigh sets the weights by the residuals. The cost of a prior is a square already.
func (d *descent) weigh() {
	for i, v := range d.residuals {
		d.weights[i] = 1 / max(math.Abs(v), leastResidual)
		if i >= len(d.points) {
			d.weights[i] = 2 * d.priorWeight()
		}
	}
}

// differentiate sets the Jacobian, by forward differences.
func (d *descent) differentiate() {
	for j := range d.x {
		was := d.x[j]
		d.x[j] += difference
		d.problem.residuals(d.x, d.moved)
		d.x[j] = was
		for i := range d.residuals {
			d.jacobian.Set(i, j, (d.moved[i]-d.residuals[i])/difference)
		}
	}
}

// normalEquations are JᵀWJ and −JᵀWr.
func (d *descent) normalEquations() (*mat.SymDense, *mat.VecDense) {
	n := len(d.x)
	left, right := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil)
	for i, r := range d.residuals {
		row := d.jacobian.RawRowView(i)
		for a := range n {
			if row[a] == 0 {
				continue
			}
			right.SetVec(a, right.AtVec(a)-d.weights[i]*row[a]*r)
			for b := a; b < n; b++ {
				left.SetSym(a, b, left.At(a, b)+d.weights[i]*row[a]*row[b])
			}
		}
	}
	return left, right
}

// step tries steps, damped more and more, until one helps, and says whether to go on.
func (d *descent) step() bool {
	left, right := d.normalEquations()
	before := d.cost(d.residuals)
	for range tries {
		to, ok := d.solve(left, right)
		if ok {
			d.problem.residuals(to, d.moved)
			if after := d.cost(d.moved); after < before {
				copy(d.x, to)
				copy(d.residuals, d.moved)
				d.damping = max(d.damping/3, leastDamping)
				return after < before*(1-settled)
			}
		}
		d.damping *= easing
	}
	return false
}

// solve gives where the damped equations lead, within bounds.
func (d *descent) solve(left *mat.SymDense, right *mat.VecDense) (to []float64, ok bool) {
	n := len(d.x)
	damped := mat.NewSymDense(n, nil)
	damped.CopySym(left)
	for a := range n { // the last two terms: flat directions stay where they are
		damped.SetSym(a, a, left.At(a, a)*(1+d.damping)+1e-9+d.damping*1e-3)
	}
	var factor mat.Cholesky
	var delta mat.VecDense
	if !factor.Factorize(damped) || factor.SolveVecTo(&delta, right) != nil {
		return nil, false
	}
	to = make([]float64, n)
	for a := range n {
		move := min(max(delta.AtVec(a), -farthestStep), farthestStep)
		to[a] = min(max(d.x[a]+move, -farthest), farthest)
	}
	return to, true
}
