package reuse_test

import (
	"math"
	"testing"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
	"foresee/model/reuse"
)

// TestFootprintOfKernels: the distinct lines of the kernels are those that a walk through all accesses meets, where none were tried at random.
func TestFootprintOfKernels(t *testing.T) {
	if testing.Short() {
		t.Skip("walks through all accesses of the kernels")
	}
	t.Parallel()
	err := kernels.With("MINI", nil, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			for _, o := range []nest.Options{{Threads: 1, Group: 1, Line: 64}, {Threads: 3, Group: 1, Line: 64}} {
				s, err := nest.NewStream(k.Program, o)
				if err != nil {
					return err
				}
				got, off, err := s.Footprint(1)
				if err != nil {
					return err
				}
				if want := linesOf(s); math.Abs(got-float64(want)) > 3*off {
					t.Errorf("%s, %d threads: %v ± %v lines, %d in a walk", k.Program.Region, o.Threads, got, off, want)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// linesOf counts the distinct lines of each group.
func linesOf(s *nest.Stream) (n int) {
	type line struct {
		group, object int
		line          int64
	}
	seen := map[line]bool{}
	s.Each(func(p nest.Place) bool {
		seen[line{s.GroupOf(p.Position), p.Object, p.Line}] = true
		return true
	})
	return len(seen)
}

// TestColdOfTriangle: of the lower triangle of a matrix of 2000 columns of doubles, eight to a line, row i has ⌈(i + 1)/8⌉ lines, which are
// 8 · 250 · 251 / 2 = 251,000 in all, and two vectors have 250 each. That is what no cache serves, and no seed moves it.
func TestColdOfTriangle(t *testing.T) {
	s := streamOf(t, "trisolv", "LARGE", 1, 1)
	for seed := range uint64(3) {
		got, err := reuse.Sample(t.Context(), s, reuse.SampleOptions{Seed: seed, Reuses: 2000, Searches: 5000})
		if err != nil {
			t.Fatal(err)
		}
		if d := got.Distances; d.Cold != 251_500 || d.ColdError != 0 {
			t.Errorf("seed %d: %v ± %v first uses, want 251500", seed, d.Cold, d.ColdError)
		}
	}
}

// TestColdError: what the number of lines leaves open is in the error of a cache that misses nothing else.
func TestColdError(t *testing.T) {
	d := reuse.Distribution{
		Cold: 100, ColdError: 10, Parts: []float64{50, 50},
		Points: []reuse.Point{{Value: 1, Weight: 450, Class: -1}, {Value: 1, Weight: 450, Class: -1, Part: 1}},
	}
	if got := d.MissErrors([]float64{8, 1}); math.Abs(got[0]-0.01) > 1e-12 || got[1] > 1e-12 {
		t.Errorf("%v, want 0.01 where only the cold ones miss, and nothing where all do", got)
	}
}
