package core_test

import (
	"math"
	"slices"
	"testing"

	"foresee/machine"
	"foresee/model/core"
)

// TestMeter counts what is left out by what was carried out: at once where iterations cost the same, by the mean of both ends where their
// cost goes on growing.
func TestMeter(t *testing.T) {
	m := core.NewMeter(nil, []int32{0, 1}, 2)
	step := func(at int32, times int) {
		for range times {
			m.Step(at, 0, false)
		}
	}
	step(0, 3) // before the loop
	m.Begin()
	m.Mark()
	step(1, 20) // two iterations
	m.Skip(100, 2, false)
	step(1, 10) // the last
	m.End()
	if got := m.Instructions(); got[0] != 3 || got[1] != 20+1000+10 {
		t.Errorf("an even loop: %v", got)
	}

	m = core.NewMeter(nil, []int32{0, 1}, 2)
	m.Begin() // iteration i costs i steps; those from 5 to 14 are left out
	step(1, 1+2)
	m.Mark()
	step(1, 3+4)
	m.Skip(10, 2, true)
	step(1, 15+16)
	m.Settle(2)
	step(1, 17)
	m.End()
	want := 1.0 + 2 + 3 + 4 + 10*(3.5+15.5)/2 + 15 + 16 + 17 // exact: what was measured is of the middles 3.5 and 15.5
	if got := m.Instructions()[1]; math.Abs(got-want) > 1e-9 {
		t.Errorf("a growing loop: %v, want %v", got, want)
	}
}

// TestHelpers counts a function that two places call, one of them through a function of its own, for these places.
func TestHelpers(t *testing.T) {
	m := core.NewMeter(nil, []int32{0, 0, 1, 2, 3, 3, 4}, 5) // a call at 1 and one at 2; the helper is 4 and 5, and 6 calls it as well, from outside
	m.Helpers([]bool{false, false, false, false, true, true, true}, []int32{-1, 0, 1, -1, -1, -1, 4})
	for _, at := range []int32{0, 1, 4, 5, 2, 4, 4, 5, 3, 6, 4, 5} {
		m.Step(at, 0, false)
	}
	if got := m.Instructions(); !slices.Equal(got, []float64{4, 4, 1, 2, 1}) {
		t.Errorf("instructions by place: %v", got)
	}
}

// TestMeterOfLoopsInside counts an inner loop with each iteration of the one around.
func TestMeterOfLoopsInside(t *testing.T) {
	m := core.NewMeter(nil, []int32{0}, 1)
	inner := func() {
		m.Begin()
		m.Mark()
		m.Step(0, 0, false)
		m.Skip(9, 1, false)
		m.End()
	}
	m.Begin()
	m.Mark()
	inner()
	inner()
	m.Skip(8, 2, true)
	inner()
	m.Settle(1)
	m.End()
	if got := m.Instructions()[0]; got != 110 {
		t.Errorf("%v instructions, want 11 times 10", got)
	}
}

// TestResources are in the order of machine files.
func TestResources(t *testing.T) {
	if len(machine.InstructionResources) != int(core.Resources) {
		t.Errorf("%d names of %d resources", len(machine.InstructionResources), core.Resources)
	}
	for name, r := range map[string]core.Resource{"integer": core.Integer, "float_mul": core.FloatMul, "vector_integer": core.VectorInteger, "load": core.Load, "divide": core.Divide} {
		if machine.InstructionResources[r] != name {
			t.Errorf("%s is %s", name, machine.InstructionResources[r])
		}
	}
}
