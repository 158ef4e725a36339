package scaling

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// made is a series of one parameter.
func made(p []float64, y func(p float64) float64) *Series {
	s := &Series{Name: "made", Parameters: []string{"p"}}
	for _, v := range p {
		s.At, s.Y, s.Spread = append(s.At, []float64{v}), append(s.Y, y(v)), append(s.Spread, 0)
	}
	return s
}

// narrow is a prior of a single free slope and noise, with the bends and walks given.
func narrow(bends []Bend, walks []Walk) Prior {
	return Prior{
		Slopes: []Slope{{Mean: -0.5, Deviation: 0.6, Share: 1}}, Others: Slope{Mean: 1, Deviation: 1.5},
		Bends: bends, Walks: walks, Noise: []Noise{{Deviation: 0.07, Share: 1}},
	}
}

// marginal is the likelihood of a series under a bend by sums over level and slope on a fine grid, but for a common factor.
func marginal(s *Series, b Bend, slope Slope, sigma float64) float64 {
	p0 := s.At[len(s.At)-1][0]
	total := 0.0
	const step = 0.01
	for a := -6.0; a <= 8; a += step {
		for k := -4.0; k <= 3; k += step {
			log := -(k - slope.Mean) * (k - slope.Mean) / (2 * slope.Deviation * slope.Deviation)
			for i, at := range s.At {
				u := math.Log(at[0] / p0)
				r := math.Log(s.Y[i]) - a - k*u - math.Log(1-b.Overhead+b.Overhead*math.Exp(b.Delta*u))
				log -= r * r / (2 * sigma * sigma)
			}
			total += math.Exp(log) * step * step
		}
	}
	return total
}

func TestSharesAreThoseOfNumericalIntegration(t *testing.T) {
	s := made([]float64{1, 2, 4, 8}, func(p float64) float64 { return 9/p + 0.8 + 0.1*math.Sin(p) })
	bends := []Bend{{Share: 0.5}, {Overhead: 0.3, Delta: 1, Share: 0.3}, {Overhead: 0.6, Delta: 2, Share: 0.2}}
	prior := narrow(bends, nil)
	p, err := Fit(s, prior)
	if err != nil {
		t.Fatal(err)
	}
	expected, sum := make([]float64, len(bends)), 0.0
	for i, b := range bends {
		expected[i] = b.Share * marginal(s, b, prior.Slopes[0], prior.Noise[0].Deviation)
		sum += expected[i]
	}
	found := make([]float64, len(bends))
	for _, c := range p.components {
		found[c.bend] += c.share
	}
	for i := range bends {
		if want := expected[i] / sum; math.Abs(found[i]-want) > 1e-3 {
			t.Errorf("bend %d has share %.5f, numerically %.5f", i, found[i], want)
		}
	}
}

// gaussian is Bayesian regression with dense matrices: the covariance of all log y, a flat level as a very wide one.
func gaussian(s *Series, slope Slope, covariance func(x, y float64) float64, sigma, at float64) (mean, variance, log float64) {
	n := len(s.Y)
	x := make([]float64, n+1)
	for i, p := range s.At {
		x[i] = math.Log(p[0] / s.At[n-1][0])
	}
	x[n] = math.Log(at / s.At[n-1][0])
	const wide = 1e3
	k := func(i, j int) float64 {
		v := wide*wide + slope.Deviation*slope.Deviation*x[i]*x[j] + covariance(x[i]-x[0], x[j]-x[0])
		if i == j {
			v += sigma * sigma
		}
		return v
	}
	v, cross, y := mat.NewSymDense(n, nil), mat.NewVecDense(n, nil), mat.NewVecDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			v.SetSym(i, j, k(i, j))
		}
		cross.SetVec(i, k(i, n))
		y.SetVec(i, math.Log(s.Y[i])-slope.Mean*x[i])
	}
	var c mat.Cholesky
	c.Factorize(v)
	var a, b mat.VecDense
	_ = c.SolveVecTo(&a, y)
	_ = c.SolveVecTo(&b, cross)
	return slope.Mean*x[n] + mat.Dot(cross, &a), k(n, n) - mat.Dot(cross, &b), -c.LogDet()/2 - mat.Dot(y, &a)/2
}

func TestWalksAreGaussianProcesses(t *testing.T) {
	s := made([]float64{1, 2, 6, 8, 20}, func(p float64) float64 { return 5/p + 1/math.Sqrt(p) })
	walks := []Walk{{Step: 0.2, Share: 0.5}, {Step: 0.7, Share: 0.5}}
	prior := narrow(nil, walks)
	p, err := Fit(s, prior)
	if err != nil {
		t.Fatal(err)
	}
	var logs []float64
	for i, w := range walks {
		process := func(x, y float64) float64 { return w.Step * w.Step * covariance(max(x, 0), max(y, 0)) }
		mean, variance, log := gaussian(s, prior.Slopes[0], process, prior.Noise[0].Deviation, 64)
		logs = append(logs, log)
		for j := range p.components {
			c := &p.components[j]
			if c.walk == nil || c.walking != i {
				continue
			}
			m, v := p.form(c, []float64{math.Log(64. / 20)})
			if math.Abs(m-mean) > 1e-4 || math.Abs(v-variance) > 1e-4*variance {
				t.Errorf("step %g: %g ± %g, by dense matrices %g ± %g", w.Step, m, math.Sqrt(v), mean, math.Sqrt(variance))
			}
		}
	}
	want := 1 / (1 + math.Exp(logs[1]-logs[0]))
	got := 0.0
	for _, c := range p.components {
		if c.walk != nil && c.walking == 0 {
			got += c.share
		}
	}
	if math.Abs(got-want) > 1e-3 {
		t.Errorf("the first walk has share %g, by dense matrices %g", got, want)
	}
}

func TestLawsAreFoundAgain(t *testing.T) {
	five := []float64{1, 2, 4, 8, 16}
	for _, c := range []struct {
		name string
		y    func(p float64) float64
		most float64 // relative error at 8 times the largest measured
	}{
		{"perfect", func(p float64) float64 { return 40 / p }, 0.01},
		{"constant", func(float64) float64 { return 17 }, 0.01},
		{"power", func(p float64) float64 { return 3 * math.Pow(p, 0.7) }, 0.02},
		{"Amdahl", func(p float64) float64 { return 100/p + 4 }, 0.06},
		// The prior takes measurements for noisy by a percent, and then a surface is near to what grows with log p.
		{"surface", func(p float64) float64 { return 100/p + 20*math.Pow(p, -2./3) }, 0.15},
		{"linear growth", func(p float64) float64 { return 0.5 * p }, 0.01},
	} {
		m, err := Fit(made(five, c.y), DefaultPrior(1))
		if err != nil {
			t.Fatal(err)
		}
		if e := Error(m.At([]float64{128}).Value, c.y(128)); e > c.most {
			t.Errorf("%s: %.3g instead of %.3g at p=128, %.1f %% off", c.name, m.At([]float64{128}).Value, c.y(128), 100*e)
		}
	}
}

func TestTwoParametersOfAStencil(t *testing.T) {
	law := func(p, n float64) float64 { w := n * n * n / p; return 1e-6*w + 4e-6*math.Pow(w, 2./3) + 1e-4 }
	s := &Series{Name: "stencil", Parameters: []string{"p", "n"}}
	for _, n := range []float64{64, 96, 128} {
		for _, p := range []float64{1, 2, 4, 8, 16} {
			s.At, s.Y, s.Spread = append(s.At, []float64{p, n}), append(s.Y, law(p, n)), append(s.Spread, 0)
		}
	}
	m, err := Fit(s, DefaultPrior(2))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range [][]float64{{64, 128}, {128, 256}, {16, 256}, {1024, 512}} {
		if e := Error(m.At(at).Value, law(at[0], at[1])); e > 0.1 {
			t.Errorf("p=%g, n=%g: %.1f %% off", at[0], at[1], 100*e)
		}
	}
}

func TestNothingFallsFasterThanItsShareOfTheWork(t *testing.T) {
	m, err := Fit(made([]float64{1, 2, 4, 8}, func(p float64) float64 { return math.Pow(p, -1.5) }), DefaultPrior(1))
	if err != nil {
		t.Fatal(err)
	}
	at8, at64 := m.At([]float64{8}).Value, m.At([]float64{64}).Value
	if at64 < at8/8*0.999 {
		t.Errorf("from 8 to 64 processes %g falls to %g, by more than 8", at8, at64)
	}
}

func TestAnyPositiveSeries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "points")
		s := &Series{Name: "any", Parameters: []string{"p"}}
		p := 1.0
		for range n {
			s.At = append(s.At, []float64{p})
			s.Y = append(s.Y, math.Exp(rapid.Float64Range(-20, 20).Draw(t, "log y")))
			s.Spread = append(s.Spread, rapid.SampledFrom([]float64{0, 0.01, 0.5}).Draw(t, "spread"))
			p *= rapid.SampledFrom([]float64{1.25, 2, 3, 4}).Draw(t, "factor")
		}
		m, err := Fit(s, DefaultPrior(1))
		if err != nil {
			t.Fatal(err)
		}
		q := rapid.Float64Range(0.5, 1e5).Draw(t, "asked")
		v := m.At([]float64{q})
		if !(v.Low > 0) || v.Low > v.Value || v.Value > v.High || math.IsInf(v.High, 0) {
			t.Fatalf("at %g: %+v", q, v)
		}
		scaled := *s
		scaled.Y = make([]float64, n)
		for i, y := range s.Y {
			scaled.Y[i] = 1000 * y
		}
		again, err := Fit(&scaled, DefaultPrior(1))
		if err != nil {
			t.Fatal(err)
		}
		if w := again.At([]float64{q}); Error(w.Value, 1000*v.Value) > 1e-6 {
			t.Fatalf("in other units %g instead of %g", w.Value, 1000*v.Value)
		}
	})
}

func TestSeriesShareWhatTheyFind(t *testing.T) {
	// Nine kernels halve exactly; the tenth is noisy, and so judged as they are.
	five := []float64{1, 2, 4, 8}
	var all []*Series
	for i := range 9 {
		all = append(all, made(five, func(p float64) float64 { return float64(i+1) / p }))
	}
	noisy := made(five, func(p float64) float64 { return map[float64]float64{1: 1, 2: 0.53, 4: 0.24, 8: 0.132}[p] })
	alone, err := Fit(noisy, DefaultPrior(1))
	if err != nil {
		t.Fatal(err)
	}
	together, err := FitAll(append(all, noisy), DefaultPrior(1))
	if err != nil {
		t.Fatal(err)
	}
	const expected = 0.125 / 8
	a, b := Error(alone.At([]float64{64}).Value, expected), Error(together[9].At([]float64{64}).Value, expected)
	if b >= a {
		t.Errorf("with the others its error is %.1f %%, alone %.1f %%", 100*b, 100*a)
	}
}

func TestAdviceTellsMoreTheNearer(t *testing.T) {
	m, err := Fit(made([]float64{1, 2, 4, 8}, func(p float64) float64 { return 10/p + 0.2 + 0.02*p }), DefaultPrior(1))
	if err != nil {
		t.Fatal(err)
	}
	a := m.Advise([]float64{128}, [][]float64{{3}, {16}, {32}, {64}})
	for i, one := range a {
		if one.Narrowing < 0 || one.Narrowing > 1 {
			t.Errorf("p=%g narrows by %g", one.At[0], one.Narrowing)
		}
		if i > 0 && one.Narrowing < a[i-1].Narrowing {
			t.Errorf("p=%g tells less (%.3f) than p=%g (%.3f)", one.At[0], one.Narrowing, a[i-1].At[0], a[i-1].Narrowing)
		}
	}
}
