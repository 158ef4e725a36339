package predict_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"foresee/application"
	"foresee/internal/oracle/kernels"
	"foresee/machine"
	"foresee/predict"
)

// TestFastestIsThatOfAll compares the search with trying every number of threads: the time that it finds, and the fewest threads that reach nine
// tenths of the speed.
func TestFastestIsThatOfAll(t *testing.T) {
	t.Parallel()
	names := []string{"gemm", "lu", "jacobi-2d", "trmm", "mvt", "atax"} // regions of microseconds as well, whose times jump from one number to the next
	ks, err := kernels.Load(t.TempDir(), "SMALL", names...)
	if err != nil {
		t.Fatal(err)
	}
	sum, worst, n := 0.0, 0.0, 0
	for _, k := range ks {
		for _, name := range []string{"zen4"} {
			m := load(t, name)
			r := predict.Request{
				Signature: application.OfLoops(k.Name+".c", k.Program), Machines: []*machine.Machine{m},
				Threads: predict.Coarse(m.TotalCores()), WithinCores: true, Fastest: true, Options: predict.Options{Seed: 1},
			}
			found := run(t, r)
			r.Threads, r.Fastest = nil, false
			for c := range m.TotalCores() {
				r.Threads = append(r.Threads, c+1)
			}
			all := run(t, r)
			least := func(r *predict.PredictionResult) float64 {
				best := math.Inf(1)
				for _, p := range r.Predictions {
					best = min(best, *p.TimeS)
				}
				return best
			}
			off := least(found)/least(all) - 1
			sum, worst, n = sum+off, max(worst, off), n+1
			if off > 1-predict.Enough { // what is nearly as good is found at least
				t.Errorf("%s on %s: found %.3g s, of all %.3g s", k.Name, name, least(found), least(all))
			}
			if len(found.Predictions) > 9 || found.Predictions[0].Threads != 1 {
				t.Errorf("%s on %s: shows %d rows", k.Name, name, len(found.Predictions))
			}
		}
	}
	t.Logf("slower than the best of all by %.2f %% in the mean, %.2f %% at worst, n = %d", 100*sum/float64(n), 100*worst, n)
}

func TestCoarseGoesToTheCores(t *testing.T) {
	for _, cores := range []int{0, 1, 2, 3, 5, 8, 96, 128, 512} {
		got := predict.Coarse(cores)
		if !slices.IsSorted(got) || got[0] != 1 || got[len(got)-1] != max(cores, 1) || len(got) > 20 || len(slices.Compact(slices.Clone(got))) != len(got) {
			t.Errorf("%d cores: %v", cores, got)
		}
		for i := 1; i < len(got); i++ {
			if got[i] > 2*got[i-1] {
				t.Errorf("%d cores: a gap in %v", cores, got)
			}
		}
	}
}

// TestMachinesOfFewerCoresLeaveOutThreads asks two machines for all their cores.
func TestMachinesOfFewerCoresLeaveOutThreads(t *testing.T) {
	r := request(t, "gemm", "MINI", 1, 8, 9, 22)
	r.Machines = append(r.Machines, load(t, "xeon-e5-2699v4"))
	r.WithinCores = true
	most := map[string]int{}
	for _, p := range run(t, r).Predictions {
		most[p.Machine] = max(most[p.Machine], p.Threads)
	}
	if most["i7-5960x"] != 8 || most["xeon-e5-2699v4"] != 22 {
		t.Errorf("%v", most)
	}
}

// TestArraysOfLoopsAreThoseOfASimulation compares the lines that levels lack of each array with an exact simulation, of the same machine and
// threads: the share that each array has of all misses of a level.
func TestArraysOfLoopsAreThoseOfASimulation(t *testing.T) {
	t.Parallel()
	sum, worst, n := 0.0, 0.0, 0
	for _, name := range []string{"gemm", "mvt", "jacobi-2d", "2mm", "symm", "gesummv", "trmm", "fdtd-2d"} {
		r := request(t, name, "SMALL", 1)
		r.Options.Page = predict.InOrder // as the simulation has addresses
		p := run(t, r).Predictions[0]
		s, err := predict.Simulate(context.Background(), predict.SimulationRequest{Signature: r.Signature, Machine: r.Machines[0], Threads: 1, Arrays: true})
		if err != nil {
			t.Fatal(err)
		}
		for level, l := range s.Regions[0].Levels {
			if l.Misses*200 < p.Accesses { // few lines have much noise
				continue
			}
			for _, a := range s.Regions[0].Arrays {
				got := 0.0
				i := slices.IndexFunc(p.Arrays, func(x predict.ArrayMisses) bool { return x.Array == a.Name })
				if i >= 0 {
					got = float64(p.Arrays[i].Misses[level])
				}
				off := math.Abs(got-float64(a.Misses[level])) / float64(l.Misses)
				sum, worst, n = sum+off, max(worst, off), n+1
				if off > 0.1 {
					t.Logf("%s, %s of %s: %.0f lines, simulated %d of %d", name, l.Level, a.Name, got, a.Misses[level], l.Misses)
				}
			}
			if most := slices.MaxFunc(s.Regions[0].Arrays, func(a, b predict.SimulatedObject) int { return int(a.Misses[level] - b.Misses[level]) }); 3*most.Misses[level] > 2*l.Misses {
				found := slices.MaxFunc(p.Arrays, func(a, b predict.ArrayMisses) int { return int(a.Misses[level] - b.Misses[level]) })
				if found.Array != most.Name {
					t.Errorf("%s, %s: most lines are of %s, simulated of %s", name, l.Level, found.Array, most.Name)
				}
			}
		}
	}
	if n < 10 || sum/float64(n) > 0.03 {
		t.Errorf("off by %.3f in the mean of %d", sum/float64(n), n)
	}
	t.Logf("off by %.2f %% of a level's misses in the mean, %.2f %% at worst, n = %d", 100*sum/float64(n), 100*worst, n)
}
