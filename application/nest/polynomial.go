package nest

import (
	"math"
	"math/big"
	"slices"
)

// monomial is c × Π vars; vars is sorted and repeats a variable for each power.
type monomial struct {
	c    *big.Rat
	vars []Var
}

// polynomial is a sum of monomials, sorted by vars, no zero coefficients.
type polynomial []monomial

func constant(k int64) polynomial { return polynomial{}.with(big.NewRat(k, 1), nil) }

func polynomialOf(a affine) polynomial {
	p := constant(a.k)
	for _, t := range a.terms {
		p = p.with(big.NewRat(t.c, 1), []Var{t.v})
	}
	return p
}

// with is p plus one monomial.
func (p polynomial) with(c *big.Rat, vars []Var) polynomial {
	if c.Sign() == 0 {
		return p
	}
	i, found := slices.BinarySearchFunc(p, vars, func(m monomial, vs []Var) int { return slices.Compare(m.vars, vs) })
	if !found {
		return slices.Insert(slices.Clone(p), i, monomial{new(big.Rat).Set(c), vars})
	}
	r := slices.Clone(p)
	r[i].c = new(big.Rat).Add(p[i].c, c)
	if r[i].c.Sign() == 0 {
		r = slices.Delete(r, i, i+1)
	}
	return r
}

func (p polynomial) plus(q polynomial) polynomial {
	for _, m := range q {
		p = p.with(m.c, m.vars)
	}
	return p
}

func (p polynomial) times(q polynomial) polynomial {
	var r polynomial
	for _, a := range p {
		for _, b := range q {
			vars := append(slices.Clone(a.vars), b.vars...)
			slices.Sort(vars)
			r = r.with(new(big.Rat).Mul(a.c, b.c), vars)
		}
	}
	return r
}

// powersOf gives p as Σ r[k]·v^k.
func (p polynomial) powersOf(v Var) []polynomial {
	var r []polynomial
	for _, m := range p {
		rest := slices.DeleteFunc(slices.Clone(m.vars), func(x Var) bool { return x == v })
		k := len(m.vars) - len(rest)
		for len(r) <= k {
			r = append(r, nil)
		}
		r[k] = r[k].with(m.c, rest)
	}
	return r
}

// substitute replaces v by q.
func (p polynomial) substitute(v Var, q polynomial) polynomial {
	var r polynomial
	power := constant(1)
	for _, c := range p.powersOf(v) {
		r = r.plus(c.times(power))
		power = power.times(q)
	}
	return r
}

// powerSum gives the coefficients, by power of x, of Σ_{i=0}^{x-1} i^k (Faulhaber), from
// x^{k+1} = Σ_j C(k+1, j)·S_j(x).
func powerSum(k int) []*big.Rat {
	r := make([]*big.Rat, k+2)
	for i := range r {
		r[i] = new(big.Rat)
	}
	r[k+1].SetInt64(1)
	for j := range k {
		b := new(big.Rat).SetInt(new(big.Int).Binomial(int64(k+1), int64(j)))
		for i, c := range powerSum(j) {
			r[i].Sub(r[i], new(big.Rat).Mul(b, c))
		}
	}
	for i := range r {
		r[i].Quo(r[i], big.NewRat(int64(k+1), 1))
	}
	return r
}

// antiderivative is S with S(x) − S(lo) = Σ_{v=lo}^{x-1} p(v); S is a polynomial in v and the other variables.
func (p polynomial) antiderivative(v Var) polynomial {
	var s polynomial
	for k, c := range p.powersOf(v) {
		for i, q := range powerSum(k) {
			power := make([]Var, i)
			for j := range power {
				power[j] = v
			}
			s = s.plus(c.times(polynomial{}.with(q, power)))
		}
	}
	return s
}

// product is an integer times variables.
type product struct {
	c    int64
	vars []Var
}

// closed is a polynomial compiled for evaluation in one variable: (Σ powers[k](others)·v^k) / den.
type closed struct {
	den    int64
	powers [][]product
}

// compile prepares p for evaluation in v; it fails when a value could overflow in the box.
func (p polynomial) compile(v Var, box []Range) (*closed, bool) {
	den := big.NewInt(1)
	for _, m := range p {
		g := new(big.Int).GCD(nil, nil, den, m.c.Denom())
		den.Mul(den, new(big.Int).Quo(m.c.Denom(), g))
	}
	if !den.IsInt64() {
		return nil, false
	}
	c := &closed{den: den.Int64()}
	bound := 0.0
	for k, q := range p.powersOf(v) {
		c.powers = append(c.powers, nil)
		for _, m := range q {
			n := new(big.Int).Mul(m.c.Num(), new(big.Int).Quo(den, m.c.Denom()))
			if !n.IsInt64() {
				return nil, false
			}
			c.powers[k] = append(c.powers[k], product{n.Int64(), m.vars})
			bound += magnitude(n.Int64(), m.vars, v, k, box)
		}
	}
	return c, bound < 1<<61
}

func magnitude(c int64, vars []Var, v Var, power int, box []Range) float64 {
	size := func(v Var) float64 {
		return max(math.Abs(float64(box[v].Lo)), math.Abs(float64(box[v].Hi))) + 1
	}
	b := math.Abs(float64(c))
	for _, u := range vars {
		b *= size(u)
	}
	if power > 0 {
		b *= math.Pow(size(v), float64(power))
	}
	return b
}

const maxDegree = 12

// at fixes all variables but the compiled one; the result is evaluated by horner.
func (c *closed) at(env []int64, out *[maxDegree + 1]int64) []int64 {
	for k, ps := range c.powers {
		s := int64(0)
		for _, p := range ps {
			x := p.c
			for _, v := range p.vars {
				x *= env[v]
			}
			s += x
		}
		out[k] = s
	}
	return out[:len(c.powers)]
}

func horner(co []int64, x int64) int64 {
	s := int64(0)
	for k := len(co) - 1; k >= 0; k-- {
		s = s*x + co[k]
	}
	return s
}

// between is S(hi) − S(lo).
func (c *closed) between(env []int64, lo, hi int64) int64 {
	if len(c.powers) == 0 {
		return 0
	}
	var buf [maxDegree + 1]int64
	co := c.at(env, &buf)
	return (horner(co, hi) - horner(co, lo)) / c.den
}

func (c *closed) degree() int { return len(c.powers) - 1 }
