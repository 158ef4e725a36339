package conflict

import (
	"math/rand/v2"
	"slices"
	"testing"

	"foresee/application/nest"
	"foresee/internal/oracle/kernels"
	"foresee/model/cache"
)

// TestSweep holds the accesses that a sweep finds in stretches of a stream to those that a walk finds: in their order, all that fall into a
// set, with data in order and in pages.
func TestSweep(t *testing.T) {
	t.Parallel()
	o := &Options{Levels: []cache.Level{{Geometry: cache.Geometry{Lines: 64, Ways: 4}}}}
	names := []string{"gemm", "adi", "deriche", "conv-layer", "lu", "nussinov", "seidel-2d-tiled", "particles-aos", "trisolv", "fdtd-2d", "gemver-column"}
	err := kernels.With("MINI", names, func(ks []kernels.Kernel) error {
		for _, k := range ks {
			s, err := nest.NewStream(k.Program, nest.Options{Threads: 1, Group: 1, Line: 64})
			if err != nil {
				return err
			}
			var all []uint64
			s.Each(func(p nest.Place) bool {
				all = append(all, uint64(s.Address(p)))
				return true
			})
			for _, page := range []int64{0, 512} {
				o.Page = page
				compareSweeps(t, k.Name, newWalker(s, o), all)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// compareSweeps sweeps through random stretches.
func compareSweeps(t *testing.T, name string, w *walker, all []uint64) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		from := rng.IntN(len(all))
		to := min(len(all), from+1+rng.IntN(20_000))
		w.aim(int64(all[rng.IntN(len(all))]))
		var got, want []uint64
		w.touch = func(line uint64) bool {
			got = append(got, line)
			w.missed++ // so that nothing is left out
			return true
		}
		if err := w.cursor.Runs(int64(from), int64(to), w.feed); err != nil {
			t.Fatal(err)
		}
		for _, line := range all[from:to] {
			if x := w.colouring.Line(line); w.chain.Meets(x) {
				want = append(want, x)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s, %d to %d: %d accesses, want %d", name, from, to, len(got), len(want))
		}
	}
}
