package timing

import (
	"math"
	"strings"
	"testing"

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
