package scaling

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// factorisations are all ordered ones of p into d numbers.
func factorisations(p, d int) [][]int {
	if d == 1 {
		return [][]int{{p}}
	}
	var out [][]int
	for a := 1; a <= p; a++ {
		if p%a == 0 {
			for _, rest := range factorisations(p/a, d-1) {
				out = append(out, append([]int{a}, rest...))
			}
		}
	}
	return out
}

func TestDecomposeHasTheSmallestSurface(t *testing.T) {
	area := func(parts []int) float64 {
		s := 0.0
		for i := range parts {
			face := 1.0
			for j, n := range parts {
				if j != i {
					face /= float64(n)
				}
			}
			s += face
		}
		return s
	}
	for d := 2; d <= 3; d++ {
		for p := 1; p <= 300; p++ {
			got := Decompose(p, d)
			product := 1
			for _, n := range got {
				product *= n
			}
			if product != p || len(got) != d || !slices.IsSorted(got) {
				t.Fatalf("%d over %d dimensions: %v", p, d, got)
			}
			for _, other := range factorisations(p, d) {
				if area(other) < area(got)-1e-12 {
					t.Fatalf("%d over %d dimensions: %v has a larger surface than %v", p, d, got, other)
				}
			}
		}
	}
}

// Bytes and messages that Debian's lammps sent a process, melt of 32000 atoms (recorded; ours).
func TestHaloOfLAMMPS(t *testing.T) {
	h, err := FitHalo([]float64{2, 4, 8}, []float64{8199928, 8199686, 6194793}, []float64{86, 172, 258})
	if err != nil {
		t.Fatal(err)
	}
	if h.Dimensions != 3 || h.Residual > 0.001 {
		t.Errorf("%+v", h)
	}
	for p, bytes := range map[float64]float64{16: 4457502.5, 32: 3083355} {
		if e := Error(h.Bytes(p), bytes); e > 0.01 {
			t.Errorf("%g processes: %g bytes instead of %g", p, h.Bytes(p), bytes)
		}
	}
	// 2·width is the cut-off with skin, 2.8, over the edge, 20 cells of 1.6796: 0.0834 on each side.
	if math.Abs(h.Width-2.8/33.59) > 0.01 {
		t.Errorf("the halo is %g edges wide", h.Width)
	}
}

func TestSlabsThatAreNotPeriodic(t *testing.T) {
	p := []float64{2, 4, 8}
	h, err := FitHalo(p, []float64{1e6, 1.5e6, 1.75e6}, []float64{50, 75, 87.5}) // 2·(1 − 1/p) of 1e6 bytes and 50 messages
	if err != nil || h.Dimensions != 1 || h.Border != Open || Error(h.Bytes(64), 2e6*63./64) > 0.01 {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestFacesThatAreExchangedWithItself(t *testing.T) {
	// 1×1×2, 1×2×2, 2×2×2 boxes of a unit cube, six faces each.
	p, bytes := []float64{2, 4, 8}, []float64{2 * (0.5 + 0.5 + 1), 2 * (0.5 + 0.5 + 0.25), 2 * 0.75}
	h, err := FitHalo(p, bytes, []float64{6, 6, 6})
	if err != nil || h.Border != Always || h.Dimensions != 3 || Error(h.Bytes(64), 6./16) > 1e-6 {
		t.Errorf("%+v, %v", h, err)
	}
}

func TestSmoothLawsAreNoBoxes(t *testing.T) {
	for _, c := range []struct {
		p           []float64
		power, each float64
	}{
		{[]float64{2, 3, 4}, 0, 0},
		{[]float64{2, 3, 4}, 0, 1},
		{[]float64{16, 32, 64}, -0.5, 1},
		{[]float64{16, 32, 64}, -0.25, 1},
		{[]float64{2, 4, 8, 16}, -0.3, 1},
	} {
		var bytes, messages []float64
		for _, p := range c.p {
			bytes = append(bytes, 1e6*math.Pow(p, c.power))
			if c.each > 0 {
				messages = append(messages, c.each*(p-1)) // to everybody else
			}
		}
		if h, err := FitHalo(c.p, bytes, messages); err == nil {
			t.Errorf("p^%g on %v is taken for boxes: %+v", c.power, c.p, h)
		}
	}
	h := &Halo{Dimensions: 3, Weight: 1, Width: 0.05}
	p := []float64{1, 2, 4, 8}
	var y []float64
	for _, v := range p {
		y = append(y, 1e9*math.Pow(v, -0.7))
	}
	if d, err := FitDomain(h, p, y); err == nil && d.Residual < 0.005 {
		t.Errorf("p^-0.7 is taken for a count of boxes: %s", d.Formula())
	}
}

func TestHaloIsRefusedWhereItHasNoMeaning(t *testing.T) {
	for _, c := range []struct{ p, b []float64 }{
		{[]float64{2}, []float64{1}},
		{[]float64{1, 2}, []float64{1, 1}},
		{[]float64{2, 4.5}, []float64{1, 1}},
		{[]float64{2, 4}, []float64{1, 0}},
		{[]float64{2, 4}, []float64{1, math.NaN()}},
	} {
		if h, err := FitHalo(c.p, c.b, nil); err == nil {
			t.Errorf("%v %v: %+v", c.p, c.b, h)
		}
	}
}

func TestCollectivesAreFoundAgain(t *testing.T) {
	var p, size, times []float64
	for _, procs := range []float64{2, 8, 32, 128} {
		for b := 8.0; b < 1e6; b *= 8 {
			p, size, times = append(p, procs), append(size, b), append(times, 3e-6*math.Log2(procs)+2e-9*b+1e-6)
		}
	}
	c, err := FitCollective(p, size, times)
	if err != nil || Error(c.Time(1024, 4096), 3e-6*10+2e-9*4096+1e-6) > 1e-9 {
		t.Errorf("%+v, %v", c, err)
	}
}

// bestSubset is the non-negative least squares by trying every set of free coefficients.
func bestSubset(a [][]float64, b []float64) float64 {
	m, best := len(a[0]), 0.0
	for _, v := range b {
		best += v * v
	}
	for set := 1; set < 1<<m; set++ {
		var rows [][]float64
		for _, row := range a {
			var part []float64
			for j, v := range row {
				if set>>j&1 == 1 {
					part = append(part, v)
				}
			}
			rows = append(rows, part)
		}
		x, ok := normalEquations(rows, b)
		if !ok || slices.Min(x) < 0 {
			continue
		}
		best = min(best, squares(rows, b, x))
	}
	return best
}

func squares(a [][]float64, b, x []float64) float64 {
	s := 0.0
	for i, row := range a {
		d := b[i] - dot(row, x)
		s += d * d
	}
	return s
}

func normalEquations(a [][]float64, b []float64) ([]float64, bool) {
	m := len(a[0])
	g, t := make([]float64, m*m), make([]float64, m)
	for i, row := range a {
		for j := range m {
			t[j] += row[j] * b[i]
			for k := range m {
				g[j*m+k] += row[j] * row[k]
			}
		}
	}
	l := factor(m, g)
	for i := range m {
		if l.l[i*m+i] < 1e-7 {
			return nil, false
		}
	}
	l.forward(t)
	l.backward(t)
	return t, true
}

func TestNonNegativeIsTheBestOfAllSubsets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		n, m := 2+r.IntN(6), 1+r.IntN(5)
		a, b := make([][]float64, n), make([]float64, n)
		for i := range a {
			for range m {
				a[i] = append(a[i], r.NormFloat64()*math.Pow(10, float64(r.IntN(5))))
			}
			b[i] = r.NormFloat64()
		}
		x, err := nonNegative(a, b)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Min(x) < 0 {
			t.Fatalf("%v has a negative coefficient", x)
		}
		if got, want := squares(a, b, x), bestSubset(a, b); got > want*(1+1e-6)+1e-9 {
			t.Fatalf("squares %g, of the best subset %g\n%v\n%v", got, want, a, b)
		}
	}
}
