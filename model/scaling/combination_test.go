package scaling

import (
	"math"
	"testing"
)

// doubling is a series on 1, 2, 4, … processes, from the first on.
func doubling(name string, first float64, points int, law func(p float64) float64) *Series {
	s := &Series{Name: name, Parameters: []string{"p"}}
	for range points {
		s.add([]float64{first}, law(first))
		first *= 2
	}
	return s
}

// The published laws are found again from their own values.
func TestPublishedLawsAreFoundAgain(t *testing.T) {
	far := []float64{512}
	amdahl := func(p float64) float64 { return 90/p + 2 }
	if m, err := FitAmdahl(doubling("", 1, 4, amdahl)); err != nil || Error(m.At(far).Value, amdahl(512)) > 1e-6 {
		t.Errorf("%+v, %v", m, err)
	}
	worley := func(p float64) float64 { return 90/p + 0.03*math.Pow(p, 0.75) + 2 }
	if m, err := FitWorley(doubling("", 1, 5, worley)); err != nil || m.C != 0.75 || Error(m.At(far).Value, worley(512)) > 1e-3 {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := FitWorley(doubling("", 1, 2, worley)); err == nil {
		t.Error("Worley's four coefficients of two points")
	}
}

func combined(t *testing.T, series ...*Series) []*Combination {
	t.Helper()
	out, err := Combine(series, DefaultPrior(1))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A model that foretold the later points of an application gets the weight that others lose.
func TestPastErrorsWeigh(t *testing.T) {
	power := func(scale, exponent float64) *Series {
		return doubling("", 1, 5, func(p float64) float64 { return scale * math.Pow(p, exponent) })
	}
	c := combined(t, power(3, -0.4), power(10, -0.4), power(2, -0.4))[0]
	if c.Weights.Power < 3*c.Weights.Amdahl {
		t.Errorf("of power laws: %+v", c.Weights)
	}
	if e := Error(c.At([]float64{256}).Value, 3*math.Pow(256, -0.4)); e > 0.02 {
		t.Errorf("off by %g", e)
	}
	if sum := c.Weights.Own + c.Weights.Amdahl + c.Weights.Power; math.Abs(sum-1) > 1e-12 {
		t.Errorf("weights sum to %g", sum)
	}
}

// What small runs barely show widens the interval upwards: of 1/p + p on 1 to 8 processes, the part that grows is 6 % of the last run.
func TestGrowingTermsWidenUpwards(t *testing.T) {
	law := func(p float64) float64 { return 100/p + 0.1*p }
	p := combined(t, doubling("", 1, 4, law))[0].At([]float64{64})
	if truth := law(64); p.High < truth {
		t.Errorf("%+v does not hold %g", p, truth)
	}
	// A pure 1/p is not doubted that much.
	if p := combined(t, doubling("", 1, 4, func(p float64) float64 { return 100 / p }))[0].At([]float64{64}); p.High > 1.5*p.Low || Error(p.Value, 100./64) > 0.02 {
		t.Errorf("%+v", p)
	}
}

// A code that waits for the memory of one node goes on to fall where there are more nodes.
func TestSaturatedNodesAreInTheInterval(t *testing.T) {
	law := func(p float64) float64 { return 100/min(p, 6) + 2/p }
	p := combined(t, doubling("", 1, 5, law))[0].At([]float64{64})
	if dealt := law(16) * 16 / 64; p.Low > dealt*1.1 {
		t.Errorf("%+v does not reach down to %g", p, dealt)
	}
}

// The time of a collective over a tree, measured by itself.
func TestLogarithms(t *testing.T) {
	law := func(p float64) float64 { return 0.2 * math.Log2(p) }
	c := combined(t, doubling("", 2, 4, law))[0]
	if p := c.At([]float64{64}); Error(p.Value, law(64)) > 0.05 {
		t.Errorf("%+v instead of %g: %s", p, law(64), c.Formula())
	}
}

// Values and intervals do not depend on the unit.
func TestCombinationsScale(t *testing.T) {
	law := func(p float64) float64 { return 7/p + 0.3 + 0.01*math.Sin(p) }
	a := combined(t, doubling("", 1, 5, law))[0].At([]float64{128})
	b := combined(t, doubling("", 1, 5, func(p float64) float64 { return 1e6 * law(p) }))[0].At([]float64{128})
	if Error(b.Value, 1e6*a.Value) > 1e-5 || Error(b.Low, 1e6*a.Low) > 1e-5 || Error(b.High, 1e6*a.High) > 1e-5 {
		t.Errorf("%+v and %+v", a, b)
	}
	if !(a.Low <= a.Value && a.Value <= a.High) {
		t.Errorf("%+v", a)
	}
}

// Of 100/p + p/2000 on 2 to 32 processes the part that grows is half a percent of the last run, and later all of it: exact measurements tell, and the interval reaches there.
func TestTermThatHardlyShows(t *testing.T) {
	for _, power := range []float64{0.75, 1, 1.5} {
		law := func(p float64) float64 { return 100/p + 0.016*math.Pow(p/32, power) }
		c := combined(t, doubling("", 2, 5, law))[0]
		for _, p := range []float64{64, 256, 1024} {
			if at := c.At([]float64{p}); !(at.High >= law(p)) || !(at.Low <= law(p)) {
				t.Errorf("power %g: %+v at p=%g, not %g", power, at, p, law(p))
			}
		}
	}
	// Where nothing grows, no law that grows is closer.
	c := combined(t, doubling("", 2, 5, func(p float64) float64 { return 100/p + 1 }))[0]
	if at := c.At([]float64{256}); at.High > 1.3*(100./256+1) {
		t.Errorf("%+v, not %g", at, 100./256+1)
	}
}
