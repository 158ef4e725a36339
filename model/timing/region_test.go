package timing

import (
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
		if got := regionCost(&machine.Machine{Parallel: line, Measured: measured}, threads).ForkJoinNs; got != want {
			t.Errorf("%d threads: %g ns, want %g", threads, got, want)
		}
	}
	measured.Regions[1].BarrierNs, measured.Regions[2].BarrierNs = 300, 500
	for threads, want := range map[int]float64{1: 200, 2: 300, 3: 400, 4: 500, 8: 1800} {
		if got := regionCost(&machine.Machine{Parallel: line, Measured: measured}, threads).BarrierNs; got != want {
			t.Errorf("%d threads: %g ns for a barrier, want %g", threads, got, want)
		}
	}
	for threads, want := range map[int]float64{1: 0, 2: 1200} {
		if got := regionCost(&machine.Machine{Parallel: line}, threads).ForkJoinNs; got != want {
			t.Errorf("%d threads, not measured: %g ns, want %g", threads, got, want)
		}
	}
}
