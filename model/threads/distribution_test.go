package threads_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"foresee/model/threads"
)

// exactMass is eq. 1 in rational numbers.
func exactMass(r, y, t int64) float64 {
	num := new(big.Int).Binomial(y-1, r-1)
	num.Mul(num, new(big.Int).Exp(big.NewInt(t-1), big.NewInt(y-r), nil))
	den := new(big.Int).Exp(big.NewInt(t), big.NewInt(y), nil)
	f := func(x *big.Int) *big.Float { return new(big.Float).SetPrec(200).SetInt(x) }
	out, _ := f(num).Quo(f(num), f(den)).Float64()
	return out
}

func close10(a, b float64) bool { return math.Abs(a-b) <= 1e-10*math.Max(1e-3, math.Abs(b)) }

// masses gives eq. 1 for y = r, r+1, … up to end, each from the one before: P(y+1) = P(y) · y/(y−r+1) · (T−1)/T, in numbers
// that do not underflow.
func masses(r, t, end int64, each func(y int64, mass float64)) {
	number := func(n int64) *big.Float { return new(big.Float).SetPrec(200).SetInt64(n) }
	share := new(big.Float).Quo(number(t-1), number(t))
	mass := number(1)
	for range r {
		mass.Quo(mass, number(t))
	}
	for y := r; y <= end; y++ {
		m, _ := mass.Float64()
		each(y, m)
		mass.Mul(mass, number(y)).Quo(mass, number(y-r+1)).Mul(mass, share)
	}
}

func TestMassesAreEquation1(t *testing.T) {
	for _, n := range []int64{2, 3, 64} {
		for _, r := range []int64{1, 5, 40} {
			masses(r, n, 4*r, func(y int64, got float64) {
				if want := exactMass(r, y, n); !close10(got, want) {
					t.Errorf("T=%d r=%d: P(%d) = %.15g, want %.15g", n, r, y, got, want)
				}
			})
		}
	}
}

func TestNegativeBinomialTailAndMoments(t *testing.T) {
	if d := (threads.NegativeBinomial{R: 7, P: 1}); d.Tail(7) != 0 || d.Tail(6) != 1 {
		t.Error("with one thread the interval stays as it is")
	}
	for _, n := range []int64{2, 4, 64} {
		for _, r := range []int64{1, 3, 50, 500} {
			d := threads.NegativeBinomial{R: r, P: 1 / float64(n)}
			sum, mean, square := 0.0, 0.0, 0.0
			masses(r, n, int64(d.Mean()+40*math.Sqrt(d.Variance())+50), func(y int64, m float64) {
				sum += m
				mean += m * float64(y)
				square += m * (float64(y) - d.Mean()) * (float64(y) - d.Mean())
				if y%97 == r%97 && math.Abs(d.Tail(y)-(1-sum)) > 1e-9 { // the incomplete beta function is good to ten digits
					t.Errorf("T=%d r=%d: P(> %d) = %.15g, want %.15g", n, r, y, d.Tail(y), 1-sum)
				}
			})
			if !close10(sum, 1) || !close10(mean, d.Mean()) || !close10(square, d.Variance()) {
				t.Errorf("T=%d r=%d: sum %.12g, mean %.12g of %.12g, variance %.12g of %.12g", n, r, sum, mean, d.Mean(), square, d.Variance())
			}
		}
	}
	d := threads.NegativeBinomial{R: 1, P: 0.25} // geometric
	for y := int64(1); y < 30; y++ {
		if !close10(d.Tail(y), math.Pow(0.75, float64(y))) {
			t.Errorf("geometric tail at %d: %v", y, d.Tail(y))
		}
	}
	for _, r := range []int64{1, 2, 12, 77, 500, 2000} {
		for _, p := range []float64{1, 0.9, 0.5, 0.2, 1. / 16, 1. / 128, 1e-4} {
			for _, q := range []float64{1e-9, 0.001, 0.3, 0.5, 0.99, 1 - 1e-9} {
				d := threads.NegativeBinomial{R: r, P: p}
				y := d.Quantile(q)
				if d.Tail(y) > 1-q || d.Tail(y-1) <= 1-q {
					t.Errorf("%+v: quantile %v is not %d", d, q, y)
				}
			}
		}
	}
}

// TestTheorem34 throws T−1 points on a circle and looks at the pieces.
func TestTheorem34(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{2, 4, 16, 64} {
		d := threads.Racetrack{Threads: n}
		const trials = 200_000
		least := make([]float64, trials)
		mean := 0.0
		for i := range least {
			least[i] = 1
			for range n - 1 {
				least[i] = min(least[i], rng.Float64())
			}
			mean += least[i] / trials
		}
		if want := 1 / float64(n); math.Abs(mean-want) > 0.01*want {
			t.Errorf("T=%d: mean %v, want %v", n, mean, want)
		}
		for _, q := range []float64{0.01, 0.3, 0.5, 0.9, 0.99} {
			x, less := d.Quantile(q), 0.0
			for _, v := range least {
				if v <= x {
					less += 1.0 / trials
				}
			}
			if math.Abs(less-q) > 4*math.Sqrt(0.25/trials) {
				t.Errorf("T=%d: %v of the pieces are at most %v, the model says %v", n, less, x, q)
			}
			if tail := math.Pow(1-x, float64(n-1)); math.Abs(1-tail-q) > 1e-12 {
				t.Errorf("T=%d: the quantile of %v is %v", n, q, x)
			}
		}
	}
}

// TestTheorem32 runs two threads over a ring of m elements until their gap forgets where it began: it is uniform.
func TestTheorem32(t *testing.T) {
	const m, runs, p = 16, 40_000, 0.5
	steps := 3 * m * m // mixing takes about m² steps (theorem 3.3)
	rng := rand.New(rand.NewPCG(5, 6))
	count := make([]float64, m)
	for range runs {
		gap := 0
		for range steps {
			a, b := rng.Float64() < p, rng.Float64() < p
			if a && !b {
				gap = (gap + 1) % m
			} else if b && !a {
				gap = (gap + m - 1) % m
			}
		}
		count[gap]++
	}
	chi := 0.0
	for _, n := range count {
		e := float64(runs) / m
		chi += (n - e) * (n - e) / e
	}
	if chi > 37.7 { // 0.1 % of χ² with 15 degrees of freedom
		t.Errorf("gaps %v: χ² = %v", count, chi)
	}
}

// TestLongInterval checks eq. 2 against the distribution that it bounds.
func TestLongInterval(t *testing.T) {
	r := int64(math.Ceil(threads.LongInterval()))
	for _, n := range []float64{2, 4, 64, 256} {
		d := threads.NegativeBinomial{R: r, P: 1 / n}
		low, high := int64(0.9*n*float64(r)), int64(1.1*n*float64(r))
		if out := 1 - d.Tail(low-1) + d.Tail(high); out > 0.002 {
			t.Errorf("T=%v: %v of intervals of %d lie farther off than a tenth", n, out, r)
		}
	}
	short := threads.NegativeBinomial{R: 20, P: 0.25}
	if short.Tail(88)+1-short.Tail(71) < 0.1 {
		t.Error("short intervals are not concentrated")
	}
}
