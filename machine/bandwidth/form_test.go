package bandwidth_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"foresee/machine/bandwidth"
	"foresee/machine/bandwidth/internal/synthetic"
)

// A line costs more from further away, after a longer step and in fewer sets; its limits are the plateaus.
func TestExtendedIsMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := synthetic.Form(3)
		f.Steepness = rapid.Float64Range(0.5, 3).Draw(t, "steepness")
		f.HalfConflict = rapid.Float64Range(1e-4, 1).Draw(t, "halfway")
		i := rapid.IntRange(0, 2).Draw(t, "source")
		lines := rapid.Float64Range(1, 1e4).Draw(t, "lines")
		further := lines * rapid.Float64Range(1, 10).Draw(t, "further")
		for c := range bandwidth.FewestSets + 1 {
			if f.Line(i, bandwidth.Step{Lines: further, Sets: c}) < f.Line(i, bandwidth.Step{Lines: lines, Sets: c})*(1-1e-12) {
				t.Fatal("further apart, less time")
			}
			if i > 0 && f.Line(i, bandwidth.Step{Lines: lines, Sets: c}) < f.Line(i-1, bandwidth.Step{Lines: lines, Sets: c}) {
				t.Fatal("from further away, less time")
			}
		}
		s := f.Sources[i]
		if f.Line(i, bandwidth.Step{Lines: 1, Sets: bandwidth.FewestSets}) != s.SequentialNs || math.Abs(f.Line(i, bandwidth.RandomStep())-s.UnprefetchedNs) > 1e-12 || math.Abs(f.Line(i, bandwidth.Step{Lines: math.Inf(1), Sets: bandwidth.FewestSets})-s.ConflictNs) > 1e-12 {
			t.Fatal("the limits are not the plateaus")
		}
		times := rapid.SliceOfN(rapid.Float64Range(0, 10), 1, 4).Draw(t, "times")
		p, sum := rapid.Float64Range(1, 20).Draw(t, "norm"), 0.0
		for _, x := range times {
			sum += x
		}
		if n := bandwidth.Norm(p, times...); n < slices.Max(times)*(1-1e-12) || n > sum*(1+1e-12) {
			t.Fatalf("%g is not between the longest and the sum of %v", n, times)
		}
	})
}

// Bins are those of the paper, and points of a sweep cover those that its caches' hit rates lie in.
func TestCoverage(t *testing.T) {
	for hit, want := range map[float64]int{1: 0, 0.99: 0, 0.985: 1, 0.97: 2, 0.95: 3, 0.9: 4, 0.7: 5, 0.5: 6, 0.2: 7, 0: 7} {
		if got := bandwidth.Bin(hit); got != want {
			t.Errorf("%g: bin %d, want %d", hit, got, want)
		}
	}
	h, f := synthetic.Caches(2), synthetic.Form(2)
	points := synthetic.Sweep(f, h, 0, rand.New(rand.NewPCG(1, 1)))
	for name, c := range map[string]bandwidth.Coverage{"ideal": h.Coverage(points), "soft": f.Coverage(points, 64)} {
		if !c.Has([]float64{1, 1}) || !c.Has([]float64{0, 0}) || !c.Has([]float64{0.875, 0.875}) || c.Has([]float64{0.985, 0.985}) {
			t.Errorf("%s: %v", name, c)
		}
	}
}

// Translations last for as many pages as the TLB has, and page tables for as long as L2 holds them.
func TestTLB(t *testing.T) {
	f := synthetic.Form(3)
	if got := f.TLBMiss(f.TLBBytes); math.Abs(got-0.5) > 1e-12 {
		t.Errorf("half the pages are to miss at its reach: %g", got)
	}
	if few, many := f.TLBMiss(f.TLBBytes/2), f.TLBMiss(2*f.TLBBytes); few > 1e-6 || many < 1-1e-6 || f.TLBMiss(0) != 0 || f.TLBMiss(math.Inf(1)) != 1 {
		t.Errorf("half the reach %g, twice %g", few, many)
	}
	if near, far := f.TableMiss(1, 1000, 64), f.TableMiss(8, 1e6, 64); near > 1e-6 || far < 1-1e-6 {
		t.Errorf("entries of 1000 pages are far %g, of a million %g", near, far)
	}
	if got := f.TableMiss(1, 1e9, 64); math.Abs(got-1.0/8) > 1e-9 {
		t.Errorf("pages in sequence come to a new line %g of the time", got)
	}
}

// Runs begin anew from none up to the streams that are followed to all from the rows of a tile on.
func TestBegunAnew(t *testing.T) {
	for _, c := range []struct{ places, followed, want float64 }{
		{1, 32, 0},
		{32, 32, 0},
		{40, 32, 0.25},
		{48, 32, 0.5},
		{64, 32, 1},
		{1e9, 32, 1},
		{math.Inf(1), 32, 1},
		{24, 24, 0},
		{44, 24, 0.5},
		{8, 1, 1.0 / 9},
		{64, 64, 0},
		{65, 64, 1},
		{70, 80, 0},
		{81, 80, 1},
	} {
		if got := bandwidth.BegunAnew(c.places, c.followed); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g places of which %g are followed: %g, want %g", c.places, c.followed, got, c.want)
		}
	}
}

func TestConstants(t *testing.T) {
	for _, c := range bandwidth.Constants {
		if c.Name == "" || c.Unit == "" || c.Value <= 0 || c.Meaning == "" || c.Source == "" {
			t.Errorf("%+v", c)
		}
	}
}
