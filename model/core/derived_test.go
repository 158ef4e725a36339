package core_test

import (
	"math"
	"testing"

	"foresee/machine"
	"foresee/model/core"
)

// TestDerived has the operations of each machine of the library: the core that is derived of one takes for a chain and for many of an operation what
// the file tells.
func TestDerived(t *testing.T) {
	forms := map[string]string{machine.Add: "vaddsd x,x,x", machine.Mul: "vmulsd x,x,x", machine.Div: "vdivsd x,x,x"}
	found := 0
	for _, name := range machine.Library() {
		m, err := machine.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		c, costs, ok := core.Derived(m)
		if lacks := len(m.Missing("core.issue_width", "core.loads_per_cycle", "core.stores_per_cycle", "core.reorder_buffer", "operations.*.f64")) > 0; ok == lacks {
			t.Errorf("%s: a core: %v, lacks what that needs: %v", name, ok, lacks)
		}
		if !ok {
			continue
		}
		found++
		if near := m.Levels[0].LatencyCycles.Or(0); c.LoadCycles != near {
			t.Errorf("%s: a load takes %v cycles, told are %v", name, c.LoadCycles, near)
		}
		like, err := core.Relative(m)
		if err != nil {
			t.Fatal(err)
		}
		if w := like.Instructions.Windows; (c.Loads != 0) != (w.Loads != 0) || (c.Branches != 0) != (w.Branches != 0) {
			t.Errorf("%s: %d loads and %d branches in flight, of %s %d and %d", name, c.Loads, c.Branches, like.Name, w.Loads, w.Branches)
		}
		if loads := m.Core.LoadsPerCycle.Or(0); math.Abs(c.LoadUse[1]*loads-1) > 0.01 && (m.Vendor != "AMD" || c.LoadUse[1] > 0.5) {
			t.Errorf("%s: a number every %v cycles, told are %v", name, c.LoadUse[1], 1/loads)
		}
		for kind, form := range forms {
			latency, throughput, _ := m.Op(kind, machine.F64)
			f := costs[form]
			most := 0.0
			for _, use := range f.Uses {
				most = max(most, use)
			}
			if l, ok := latency.Get(); ok && math.Abs(f.Latency/l-1) > 0.35 {
				t.Errorf("%s: %s takes %v cycles, told are %v", name, form, f.Latency, l)
			}
			if u, ok := throughput.Get(); ok && math.Abs(most/u-1) > 0.35 {
				t.Errorf("%s: %s every %v cycles, told are %v", name, form, most, u)
			}
		}
	}
	if found < 8 {
		t.Errorf("%d machines have a core", found)
	}
	bare := &machine.Machine{Name: "bare"}
	if _, _, ok := core.Derived(bare); ok {
		t.Error("a core of a machine that tells nothing")
	}
}

// TestRelative takes the core of the same microarchitecture where there is one.
func TestRelative(t *testing.T) {
	for name, want := range map[string]string{"ryzen-9950x": "zen5", "zen4": "zen4", "zen3": "zen4", "sapphire-rapids": "granite-rapids-vm", "alder-lake": "granite-rapids-vm", "skylake-sp": "zen4", "graviton4": "zen4"} {
		m, err := machine.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		if like, err := core.Relative(m); err != nil || like.Name != want || like.Instructions == nil {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
