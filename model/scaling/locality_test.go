package scaling

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// stencil is a program whose reuse distances are known: of a box of n³/p cells, most accesses are to neighbours (two lines ago), some
// to the last row, the last plane, and the last sweep.
func stencil(n, p float64) Reuse {
	cells := n * n * n / p
	side := math.Cbrt(cells)
	return Reuse{
		At: []float64{p}, Cold: cells / 8,
		Distances: []float64{2, side / 4, side * side / 4, cells / 4},
		Counts:    []float64{60 * cells, 2.5 * cells, 2.5 * cells, 1.25 * cells},
	}
}

func (r *Reuse) misses(hit func(float64) float64) float64 {
	sum := r.Cold
	for i, d := range r.Distances {
		sum += r.Counts[i] * (1 - hit(d))
	}
	return sum
}

// The misses of any cache at more processes are those of the program itself, on both sides of the sizes at which data begin to fit.
func TestLocalityFindsWhatFits(t *testing.T) {
	var profiles []Reuse
	for _, p := range []float64{1, 2, 4, 8} {
		profiles = append(profiles, stencil(256, p))
	}
	l, err := FitLocality([]string{"p"}, profiles, DefaultPrior(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, lines := range []float64{64, 512, 1 << 14, 1 << 20} {
		hit := func(d float64) float64 { return 1 / (1 + math.Pow(d/lines, 8)) }
		m := l.Misses(func(_ []float64, d float64) float64 { return hit(d) }, 0.8)
		for _, p := range []float64{1, 8, 16, 64, 512} {
			truth := stencil(256, p)
			got, want := m.At([]float64{p}), truth.misses(hit)
			// One cache line more or less of the whole is within the groups' width.
			if Error(got.Value, want) > 0.12 {
				t.Errorf("%g lines, p=%g: %.4g misses, want %.4g", lines, p, got.Value, want)
			}
			if !(got.Low <= got.Value && got.Value <= got.High) {
				t.Errorf("%g lines, p=%g: %+v", lines, p, got)
			}
		}
	}
	// What the counts of misses at the measured points cannot know: between 8 and 512 processes the box comes to fit.
	fits := l.Misses(func(_ []float64, d float64) float64 {
		if d < 1<<16 {
			return 1
		}
		return 0
	}, 0.8)
	before, after := fits.At([]float64{8}).Value, fits.At([]float64{512}).Value
	if after > before/64/5 {
		t.Errorf("from 8 to 512 processes misses fall from %g to %g only, though all fits", before, after)
	}
}

func TestLocalityRefuses(t *testing.T) {
	if _, err := FitLocality([]string{"p"}, []Reuse{stencil(64, 1)}, DefaultPrior(1)); !errors.Is(err, ErrTooFew) {
		t.Error(err)
	}
	cold := Reuse{At: []float64{2}, Cold: 10}
	if _, err := FitLocality([]string{"p"}, []Reuse{stencil(64, 1), cold}, DefaultPrior(1)); err == nil || !strings.Contains(err.Error(), "uses a line again") {
		t.Error(err)
	}
}

// All accesses are in groups, each counted once.
func TestGroups(t *testing.T) {
	r := stencil(64, 1)
	reused, mean := 0.0, 0.0
	for i, n := range r.Counts {
		reused, mean = reused+n, mean+n*r.Distances[i]
	}
	sum, last := 0.0, 0.0
	for q, d := range r.grouped(1) {
		if d < last {
			t.Fatalf("group %d: %g after %g", q, d, last)
		}
		last = d
		sum += d * (longer(q, 1) - longer(q+1, 1))
	}
	if math.Abs(sum/(mean/reused)-1) > 1e-6 {
		t.Errorf("mean distance %g, want %g", sum, mean/reused)
	}
}

func TestScaled(t *testing.T) {
	m, err := Fit(halving(), DefaultPrior(1))
	if err != nil {
		t.Fatal(err)
	}
	a, b := m.At([]float64{64}), (&Scaled{m, 2, 0, 0.8}).At([]float64{64})
	if b.Value != 2*a.Value || Error(b.Low, 2*a.Low) > 1e-12 || Error(b.High, 2*a.High) > 1e-12 {
		t.Errorf("%+v, %+v", a, b)
	}
	wide := (&Scaled{m, 2, 0.5, 0.8}).At([]float64{64})
	if wide.Value != b.Value || wide.Low > b.Value*math.Exp(-0.64) || wide.High < b.Value*math.Exp(0.64) { // 80 %: 1.28 standard deviations
		t.Errorf("%+v", wide)
	}
	least := (&AtMost{&Scaled{m, 2, 0, 0.8}, m}).At([]float64{64})
	if least != a {
		t.Errorf("%+v, want %+v", least, a)
	}
}

// product is a program whose work grows with the cube of its size, all near, and whose data, with the square, come back after all others.
func product(n float64) Reuse {
	return Reuse{
		At: []float64{n}, Cold: n * n / 8,
		Distances: []float64{2, n * n / 8},
		Counts:    []float64{n * n * n, 3 * n * n},
	}
}

// The share of long reuses falls with the size, by a power that the smaller profiles tell.
func TestLocalityOfSharesThatChange(t *testing.T) {
	var profiles []Reuse
	for _, n := range []float64{32, 48, 64, 96, 128} {
		profiles = append(profiles, product(n))
	}
	l, err := FitLocality([]string{"n"}, profiles, SizePrior(1))
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(l.shrinking-1./3) > 1e-9 {
		t.Errorf("the share falls with the power %g of the accesses", l.shrinking)
	}
	for _, lines := range []float64{512, 8000, 1 << 17} {
		hit := func(d float64) float64 {
			if d < lines {
				return 1
			}
			return 0
		}
		for _, n := range []float64{128, 256, 512} {
			truth := product(n)
			got, want := l.Misses(func(_ []float64, d float64) float64 { return hit(d) }, 0.8).At([]float64{n}).Value, truth.misses(hit)
			if Error(got, want) > 0.15 {
				t.Errorf("%g lines, n=%g: %.4g misses, want %.4g", lines, n, got, want)
			}
		}
	}
}
