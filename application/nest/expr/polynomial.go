package expr

import (
	"math"
	"math/big"
	"slices"
)

// Monomial is C × Π Vars; Vars is sorted and repeats a variable for each power.
type Monomial struct {
	C    *big.Rat
	Vars []Var
}

// Polynomial is a sum of monomials, sorted by Vars, no zero coefficients.
type Polynomial []Monomial

// Constant is a polynomial without variables.
func Constant(k int64) Polynomial { return Polynomial{}.With(big.NewRat(k, 1), nil) }

// PolynomialOf is an affine form as a polynomial.
func PolynomialOf(a Affine) Polynomial {
	p := Constant(a.K)
	for _, t := range a.Terms {
		p = p.With(big.NewRat(t.C, 1), []Var{t.V})
	}
	return p
}

// With is p plus one monomial.
func (p Polynomial) With(c *big.Rat, vars []Var) Polynomial {
	if c.Sign() == 0 {
		return p
	}
	i, found := slices.BinarySearchFunc(p, vars, func(m Monomial, vs []Var) int { return slices.Compare(m.Vars, vs) })
	if !found {
		return slices.Insert(slices.Clone(p), i, Monomial{new(big.Rat).Set(c), vars})
	}
	r := slices.Clone(p)
	r[i].C = new(big.Rat).Add(p[i].C, c)
	if r[i].C.Sign() == 0 {
		r = slices.Delete(r, i, i+1)
	}
	return r
}

// Plus is p + q.
func (p Polynomial) Plus(q Polynomial) Polynomial {
	for _, m := range q {
		p = p.With(m.C, m.Vars)
	}
	return p
}

// Times is p · q.
func (p Polynomial) Times(q Polynomial) Polynomial {
	var r Polynomial
	for _, a := range p {
		for _, b := range q {
			vars := append(slices.Clone(a.Vars), b.Vars...)
			slices.Sort(vars)
			r = r.With(new(big.Rat).Mul(a.C, b.C), vars)
		}
	}
	return r
}

// powersOf gives p as Σ r[k]·v^k.
func (p Polynomial) powersOf(v Var) []Polynomial {
	var r []Polynomial
	for _, m := range p {
		rest := slices.DeleteFunc(slices.Clone(m.Vars), func(x Var) bool { return x == v })
		k := len(m.Vars) - len(rest)
		for len(r) <= k {
			r = append(r, nil)
		}
		r[k] = r[k].With(m.C, rest)
	}
	return r
}

// Substitute replaces v by q.
func (p Polynomial) Substitute(v Var, q Polynomial) Polynomial {
	var r Polynomial
	power := Constant(1)
	for _, c := range p.powersOf(v) {
		r = r.Plus(c.Times(power))
		power = power.Times(q)
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

// Antiderivative is S with S(x) − S(lo) = Σ_{v=lo}^{x-1} p(v); S is a polynomial in v and the other variables.
func (p Polynomial) Antiderivative(v Var) Polynomial {
	var s Polynomial
	for k, c := range p.powersOf(v) {
		for i, q := range powerSum(k) {
			power := make([]Var, i)
			for j := range power {
				power[j] = v
			}
			s = s.Plus(c.Times(Polynomial{}.With(q, power)))
		}
	}
	return s
}

// product is an integer times variables.
type product struct {
	c    int64
	vars []Var
}

// Closed is a polynomial compiled for evaluation in one variable: (Σ powers[k](others)·v^k) / den.
type Closed struct {
	Den    int64
	powers [][]product
}

// Compile prepares p for evaluation in v; it fails when a value could overflow in the box.
func (p Polynomial) Compile(v Var, box []Range) (*Closed, bool) {
	den := big.NewInt(1)
	for _, m := range p {
		g := new(big.Int).GCD(nil, nil, den, m.C.Denom())
		den.Mul(den, new(big.Int).Quo(m.C.Denom(), g))
	}
	if !den.IsInt64() {
		return nil, false
	}
	c := &Closed{Den: den.Int64()}
	bound := 0.0
	for k, q := range p.powersOf(v) {
		c.powers = append(c.powers, nil)
		for _, m := range q {
			n := new(big.Int).Mul(m.C.Num(), new(big.Int).Quo(den, m.C.Denom()))
			if !n.IsInt64() {
				return nil, false
			}
			c.powers[k] = append(c.powers[k], product{n.Int64(), m.Vars})
			bound += magnitude(n.Int64(), m.Vars, v, k, box)
		}
	}
	return c, bound < 1<<61
}

// magnitude bounds a term over a box.
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

// MaxDegree is the highest power of a variable that a closed polynomial may have: nests are seldom half as deep.
const MaxDegree = 12

// At fixes all variables but the compiled one; the result is evaluated by horner.
func (c *Closed) At(env []int64, out *[MaxDegree + 1]int64) []int64 {
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

// Horner evaluates a polynomial of one variable by its coefficients, the constant first.
func Horner(co []int64, x int64) int64 {
	s := int64(0)
	for k := len(co) - 1; k >= 0; k-- {
		s = s*x + co[k]
	}
	return s
}

// Between is S(hi) − S(lo).
func (c *Closed) Between(env []int64, lo, hi int64) int64 {
	if len(c.powers) == 0 {
		return 0
	}
	var buf [MaxDegree + 1]int64
	co := c.At(env, &buf)
	return (Horner(co, hi) - Horner(co, lo)) / c.Den
}

// Degree is the highest power of the variable that the polynomial was compiled in.
func (c *Closed) Degree() int { return len(c.powers) - 1 }
