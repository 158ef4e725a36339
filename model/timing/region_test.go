package timing

import (
	"math"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/machine"
)

// A region and a barrier cost what was measured with as many threads, evenly between two numbers of them, and past them what the line
// says; where no barrier was measured it costs what a region does.
func TestRegionsCost(t *testing.T) {
	v := func(x float64) *machine.Value[float64] { return &machine.Value[float64]{Value: x, Source: "test"} }
	line := machine.Parallel{ForkJoinNs: v(1000), ForkJoinPerThreadNs: v(100)}
	measured := &machine.Measured{Regions: []machine.RegionCost{{Threads: 1, ForkJoinNs: 200}, {Threads: 2, ForkJoinNs: 800}, {Threads: 4, ForkJoinNs: 1000}}}
	for threads, want := range map[int]float64{1: 200, 2: 800, 3: 900, 4: 1000, 8: 1800} {
		if got, _ := regionCost(&machine.Machine{Parallel: line, Measured: measured}, threads); got.ForkJoinNs != want {
			t.Errorf("%d threads: %g ns, want %g", threads, got.ForkJoinNs, want)
		}
	}
	measured.Regions[1].BarrierNs, measured.Regions[2].BarrierNs = 300, 500
	for threads, want := range map[int]float64{1: 200, 2: 300, 3: 400, 4: 500, 8: 1800} {
		if got, _ := regionCost(&machine.Machine{Parallel: line, Measured: measured}, threads); got.BarrierNs != want {
			t.Errorf("%d threads: %g ns for a barrier, want %g", threads, got.BarrierNs, want)
		}
	}
	for threads, want := range map[int]float64{1: 0, 2: 1200} {
		if got, _ := regionCost(&machine.Machine{Parallel: line}, threads); got.ForkJoinNs != want {
			t.Errorf("%d threads, not measured: %g ns, want %g", threads, got.ForkJoinNs, want)
		}
	}
}

// Where a machine does not say what regions cost they are not free: the usual cost is taken, with an interval from nothing, and it is said how many
// there are; with none of them nothing is said.
func TestRegionsOfUnknownCost(t *testing.T) {
	m := &machine.Machine{Name: "m"}
	for said, in := range map[string]Input{
		"1500 parallel regions and 2 barriers": {Threads: 4, Regions: 1500, Barriers: 2},
		"1 parallel region":                    {Threads: 4, Regions: 1},
		"":                                     {Threads: 4},
	} {
		e := &Estimate{}
		low, high := e.parallel(in, m)
		want := (in.Regions + in.Barriers) * (usualForkJoinNs + 4*usualForkJoinPerThreadNs) * 1e-9
		if math.Abs(e.Parallel-want) > 1e-12 || low != 0 || math.Abs(high-usualForkJoinRange*want) > 1e-12 {
			t.Errorf("%q: %g s from %g to %g, want %g", said, e.Parallel, low, high, want)
		}
		if got := strings.Join(e.Assumptions, "\n"); (got == "") != (said == "") || !strings.Contains(got, said) {
			t.Errorf("%q is said, want %q", got, said)
		}
	}
	alone := &Estimate{}
	if alone.parallel(Input{Threads: 1, Regions: 9}, m); alone.Parallel != 0 || len(alone.Assumptions) > 0 {
		t.Errorf("one thread: %+v", alone)
	}
}

// Locks take the instructions that lock, and on their way from core to core the latency of the last level; atomic updates of different places are shared out,
// and code without OpenMP locks nothing.
func TestLocks(t *testing.T) {
	v := func(x float64) *machine.Value[float64] { return &machine.Value[float64]{Value: x, Source: "test"} }
	m := &machine.Machine{Name: "m", FrequencyGHz: v(1), Levels: []machine.Level{{Name: "L1", LatencyCycles: v(4)}, {Name: "L2", LatencyCycles: v(50)}}}
	const loop = "#pragma omp parallel for\nfor (int i = 0; i < 1000; i++) {\n"
	for _, c := range []struct {
		body      string
		one, four float64 // cycles
	}{
		{body: "\n#pragma omp critical\nsum += a[i];", one: 40_000, four: 90_000},
		{body: "\n#pragma omp atomic\nsum += a[i];", one: 20_000, four: 70_000},
		{body: "\n#pragma omp atomic\nb[i] += a[i];", one: 20_000, four: 5_000},
		{body: "\n#pragma omp atomic\nb[0] += a[i];", one: 20_000, four: 70_000},
		{body: "if (i % 2) {\n#pragma omp critical\n{ sum += a[i]; b[i] = 0; } }", one: 20_000, four: 45_000},
		{body: "b[i] = a[i];"},
	} {
		u, err := csource.Load("a.c", []byte("double a[1000], b[1000], sum;\nvoid f(void) {\n"+loop+c.body+"}\n}\n"), csource.Options{})
		if err != nil {
			t.Fatal(c.body, err)
		}
		blocks, err := Blocks(u.Programs[0])
		if err != nil {
			t.Fatal(err)
		}
		for threads, want := range map[int]float64{1: c.one, 4: c.four} {
			in := Input{Blocks: blocks, Threads: threads, Imbalance: 1}
			if got := locks(in, m) * 1e9; math.Abs(got-want) > 1e-3 {
				t.Errorf("%q, %d threads: %g cycles, want %g", c.body, threads, got, want)
			}
			e := &Estimate{}
			e.parallel(in, m)
			if said := len(e.Assumptions) > 0; said != (want > 0) {
				t.Errorf("%q: %v is said", c.body, e.Assumptions)
			}
			in.Unlocked = true
			if got := locks(in, m); got != 0 {
				t.Errorf("%q without OpenMP: %g s", c.body, got)
			}
		}
	}
}
