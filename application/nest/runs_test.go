package nest_test

import (
	"math/rand/v2"
	"testing"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
)

// TestRuns holds runs between random places to the accesses that Each enumerates there, line by line, of every kernel.
func TestRuns(t *testing.T) {
	t.Parallel()
	err := kernels.With("MINI", nil, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			for _, threads := range []int{1, 3} {
				s, err := nest.NewStream(k.Program, nest.Options{Threads: threads, Group: 1, Line: 64})
				if err != nil {
					return err
				}
				var all []int64
				s.Each(func(p nest.Place) bool {
					all = append(all, s.Address(p))
					return true
				})
				checkRuns(t, k.Name, s, all)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkRuns compares runs of random stretches of a stream with its lines.
func checkRuns(t *testing.T, name string, s *nest.Stream, all []int64) {
	rng := rand.New(rand.NewPCG(1, 2))
	c := s.Cursor()
	for range 20 {
		g := rng.IntN(s.Groups())
		low, high := s.GroupStart(g), s.GroupStart(g+1)
		if low == high {
			continue
		}
		from := low + rng.Int64N(high-low)
		to := min(high, from+1+rng.Int64N(5000))
		at := from
		err := c.Runs(from, to, func(r *nest.Run) bool {
			for j := range r.Count {
				for i, o := range r.Offsets {
					if line := (o + j*r.Steps[i]) >> 6; at >= to || line != all[at] {
						t.Errorf("%s from %d to %d: line %d at %d, want %d", name, from, to, line, at, all[at])
						return false
					}
					at++
				}
			}
			return true
		})
		if err != nil || at != to {
			t.Fatalf("%s from %d to %d: ended at %d, %v", name, from, to, at, err)
		}
	}
}
