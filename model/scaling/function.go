package scaling

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Function is what the published model fits to each counter: of the functions that it defines beforehand – "a set of linear
// fitting functions including polynomial, exponential and logarithm" – the one with the largest R² (section 3.3).
//
// The paper's table 2 lost them. The reading taken: a constant, a line, a + b·log₂ x, and a·e^{bx} fitted as a line of logarithms,
// R² always in y itself; ties go to the first of these. "We do not apply high degree equations in the first place", as they "often suffer from
// over-fitting" and need a run more for each parameter: a quadratic is tried where none of these reaches the R² of about 0.9 that its figure 6 calls
// good, and only with more points than it has coefficients, as it lies on any three. x is the work per process D/p, as in its figure 3, or p.
type Function struct {
	Form         string // "constant", "linear", "quadratic", "logarithm", "exponential"
	Coefficients []float64
	R2           float64
}

// goodR2 is what the paper calls "a good quality of fitting" (figure 6: "around 0.9").
const goodR2 = 0.9

// FitFunction fits y over x.
func FitFunction(x, y []float64) (*Function, error) {
	if len(x) == 0 {
		return nil, fmt.Errorf("%w: a function needs one", ErrTooFew)
	}
	best := &Function{Form: "constant", Coefficients: []float64{mean(y)}}
	best.judge(x, y)
	try := func(candidate *Function) {
		if candidate == nil {
			return
		}
		if candidate.judge(x, y); candidate.R2 > best.R2+1e-12 {
			best = candidate
		}
	}
	try(fitBasis("linear", x, y, func(v float64) []float64 { return []float64{1, v} }))
	try(fitBasis("logarithm", x, y, func(v float64) []float64 { return []float64{1, math.Log2(v)} }))
	try(fitExponential(x, y))
	if quadratic := func(v float64) []float64 { return []float64{1, v, v * v} }; best.R2 < goodR2 && len(x) > len(quadratic(1)) {
		try(fitBasis("quadratic", x, y, quadratic))
	}
	return best, nil
}

// fitBasis fits coefficients of some functions of x by least squares; nil where there are too few points or they do not tell.
func fitBasis(form string, x, y []float64, basis func(float64) []float64) *Function {
	m := len(basis(x[0]))
	if len(x) < m {
		return nil
	}
	a, b := mat.NewDense(len(x), m, nil), mat.NewVecDense(len(y), y)
	for i, v := range x {
		a.SetRow(i, basis(v))
	}
	var solution mat.VecDense
	if solution.SolveVec(a, b) != nil {
		return nil
	}
	return &Function{Form: form, Coefficients: solution.RawVector().Data}
}

// fitExponential fits a·e^(bx), by least squares of logarithms; nil where a value is not positive.
func fitExponential(x, y []float64) *Function {
	logs := make([]float64, len(y))
	for i, v := range y {
		if v <= 0 {
			return nil
		}
		logs[i] = math.Log(v)
	}
	f := fitBasis("exponential", x, logs, func(v float64) []float64 { return []float64{1, v} })
	if f != nil {
		f.Coefficients[0] = math.Exp(f.Coefficients[0])
	}
	return f
}

// judge sets R²; of values that do not vary it is 1 where they are met and 0 elsewhere.
func (f *Function) judge(x, y []float64) {
	var total, rest float64
	m := mean(y)
	for i := range x {
		total += (y[i] - m) * (y[i] - m)
		d := y[i] - f.at(x[i])
		rest += d * d
	}
	switch {
	case total > 0:
		f.R2 = 1 - rest/total
	case rest <= 1e-24*m*m:
		f.R2 = 1
	}
}

// at is the value at x.
func (f *Function) at(x float64) float64 {
	c := f.Coefficients
	switch f.Form {
	case "linear":
		return c[0] + c[1]*x
	case "quadratic":
		return c[0] + c[1]*x + c[2]*x*x
	case "logarithm":
		return c[0] + c[1]*math.Log2(x)
	case "exponential":
		return c[0] * math.Exp(c[1]*x)
	}
	return c[0]
}

// At is the function's value; At takes x alone.
func (f *Function) At(at []float64) Prediction { return point(f.at(at[0])) }

// Formula is the function in words.
func (f *Function) Formula() string { return f.In("x") }

// In is the function in words, of a variable with this name.
func (f *Function) In(x string) string {
	c := f.Coefficients
	switch f.Form {
	case "linear":
		return fmt.Sprintf("%.4g %+.4g·%s", c[0], c[1], x)
	case "quadratic":
		return fmt.Sprintf("%.4g %+.4g·%s %+.4g·(%s)²", c[0], c[1], x, c[2], x)
	case "logarithm":
		return fmt.Sprintf("%.4g %+.4g·log₂(%s)", c[0], c[1], x)
	case "exponential":
		return fmt.Sprintf("%.4g·exp(%.4g·%s)", c[0], c[1], x)
	}
	return fmt.Sprintf("%.4g", c[0])
}
