package core_test

import (
	"math"
	"testing"

	"foresee/machine"
	"foresee/model/core"
)

// Lines that are written go back to L2 when L1 needs their place, and none comes meanwhile: stores that L2 serves take so many cycles longer, loads do not.
func TestWriteBack(t *testing.T) {
	c := simple()
	c.Stores = 16 // that may wait for L1
	store := core.Instruction{Form: core.Form{Slots: 1}, Store: 8, Address: []uint8{rdi}}
	load := core.Instruction{Form: core.Form{Slots: 1}, Load: 8, Writes: []uint8{rax}, Address: []uint8{rdi}}
	each := func(x core.Instruction, writeBack float64) float64 {
		c.Levels = []core.Level{{Sets: 64, Ways: 8}, {Sets: 1024, Ways: 8, Cycles: 10, PerLine: 2, WriteBack: writeBack}}
		s := core.New(c, []core.Instruction{x})
		const lines = 4096
		for i := range 4 * uint64(lines) {
			s.Step(0, i%lines*64, false)
		}
		return s.Cycles() / (4 * lines)
	}
	near(t, "a line that is read", each(load, 3), each(load, 0))
	if more := each(store, 3) - each(store, 0); math.Abs(more-3) > 0.3 {
		t.Errorf("a line that is written takes %.2f cycles longer, want 3", more)
	}
}

// What going back costs is by how much sweeps that write take longer; of divisions of integers without a measured rate half of their latency.
func TestOfMachine(t *testing.T) {
	sized := func(size machine.Size) machine.Level {
		return machine.Level{Size: &machine.Value[machine.Size]{Value: size}}
	}
	m := &machine.Machine{
		FrequencyGHz: &machine.Value[float64]{Value: 3}, LineBytes: &machine.Value[int]{Value: 64}, Levels: []machine.Level{sized(32 << 10), sized(1 << 20)},
	}
	if got := core.InnerLevels(m)[1].WriteBack; got != 2 {
		t.Errorf("without sweeps %g cycles, want the usual 2", got)
	}
	m.Measured = &machine.Measured{Sweeps: []machine.Curve{ // the first and the last sizes lie in L1 and beyond L2
		{Kind: machine.SweepRead, Stride: 8, Points: [][3]float64{{16 << 10, 40, 0}, {128 << 10, 20, 0}, {4 << 20, 5, 0}}},
		{Kind: machine.SweepUpdate, Stride: 8, Points: [][3]float64{{16 << 10, 30, 0}, {128 << 10, 8, 0}, {4 << 20, 2, 0}}},
		{Kind: machine.SweepUpdate, Stride: 64, Points: [][3]float64{{128 << 10, 1, 0}}},
	}}
	if got := core.InnerLevels(m)[1].WriteBack; math.Abs(got-1.8) > 1e-9 { // 1 and 0.4 ns a line
		t.Errorf("%g cycles, want 1.8", got)
	}
	m.Instructions = &machine.Instructions{Width: 4, Forms: []machine.InstructionForm{
		{Form: "div r4", Latency: 12, Slots: 1}, {Form: "idiv r8", Latency: 15, Slots: 1, Uses: []float64{0, 0, 0, 0, 0, 0, 0, 0, 0, 10}}, {Form: "add r4,r4", Latency: 1, Slots: 1},
	}}
	_, costs, ok := core.Of(m)
	if !ok || costs["div r4"].Uses[core.Divide] != 6 || costs["idiv r8"].Uses[core.Divide] != 10 || costs["add r4,r4"].Uses[core.Divide] != 0 {
		t.Errorf("%+v", costs)
	}
}
