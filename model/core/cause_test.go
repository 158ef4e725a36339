package core_test

import (
	"testing"

	"foresee/model/core"
)

// TestCauses has loops that one thing binds each, on a core that issues four a cycle, with one adder of two cycles and a divider of ten.
func TestCauses(t *testing.T) {
	c := core.Core{Width: 4, Windows: core.Windows{Reorder: 200, IntegerQueue: 100, AddressQueue: 100, VectorQueue: 100, VectorBuffer: 100}, LoadCycles: 4, VectorLoad: 5, Forward: 7, VectorForward: 7, Taken: 1, Mispredicted: 20, HistoryTables: 4}
	c.LoadUse, c.StoreUse = [4]float64{0.5, 0.5, 0.5, 0.5}, [4]float64{1, 1, 1, 1}
	add := core.Instruction{Form: core.Form{Latency: 2, Slots: 1, Uses: [core.Resources]float64{core.FloatAdd: 1}}, Vector: true}
	chained := add
	chained.Reads, chained.Writes = []uint8{20}, []uint8{20}
	divide := core.Instruction{Form: core.Form{Latency: 12, Slots: 1, Uses: [core.Resources]float64{core.Divide: 10}}, Vector: true}
	plain := core.Instruction{Form: core.Form{Latency: 1, Slots: 1, Uses: [core.Resources]float64{core.Integer: 0.2}}}
	load := core.Instruction{Form: core.Form{Slots: 1}, Load: 8, Writes: []uint8{3}}
	reload := core.Instruction{Form: core.Form{Slots: 1}, Load: 8, Writes: []uint8{21}, Vector: true}
	sum := core.Instruction{Form: core.Form{Latency: 2, Slots: 1, Uses: [core.Resources]float64{core.FloatAdd: 1}}, Vector: true, Reads: []uint8{21}, Writes: []uint8{21}}
	store := core.Instruction{Form: core.Form{Slots: 1}, Store: 8, Reads: []uint8{21}, Vector: true}
	for _, x := range []struct {
		want    core.Cause
		program []core.Instruction
	}{
		{core.ByChain, []core.Instruction{chained, plain}},
		{core.ByResource + core.Cause(core.FloatAdd), []core.Instruction{add, add, plain}},
		{core.ByResource + core.Cause(core.Divide), []core.Instruction{divide, plain}},
		{core.ByResource + core.Cause(core.Load), []core.Instruction{load, load, load, load, load, plain}},
		{core.ByWidth, []core.Instruction{plain, plain, plain, plain}},
		{core.ByForwarding, []core.Instruction{reload, sum, store}},
	} {
		m := core.NewMeter(core.New(c, x.program), make([]int32, len(x.program)), 1)
		for range 1000 {
			for i := range x.program {
				m.Step(int32(i), 4096, false)
			}
		}
		all := m.Cycles()[0]
		if by := m.CyclesBy(x.want)[0]; by < 0.6*all {
			t.Errorf("%v binds %.0f of %.0f cycles", x.want, by, all)
			for c := range core.Causes {
				t.Logf("%v: %.0f", c, m.CyclesBy(c)[0])
			}
		}
	}
}

// TestBytesBesideAStore loads bytes beside those that were just stored, in the same word: they wait for nothing.
func TestBytesBesideAStore(t *testing.T) {
	c := core.Core{Width: 4, Windows: core.Windows{Reorder: 200, IntegerQueue: 100, AddressQueue: 100, VectorQueue: 100, VectorBuffer: 100}, LoadCycles: 4, Forward: 7, ForwardBlocked: 30, Taken: 1, HistoryTables: 4}
	c.LoadUse, c.StoreUse = [4]float64{0.5, 0.5, 0.5, 0.5}, [4]float64{1, 1, 1, 1}
	program := []core.Instruction{
		{Form: core.Form{Slots: 1}, Load: 1, Writes: []uint8{3}},
		{Form: core.Form{Slots: 1}, Store: 1, Reads: []uint8{3}},
	}
	s := core.New(c, program)
	for i := range uint64(1000) {
		s.Step(0, 4096+i, false)
		s.Step(1, 4096+i, false)
	}
	if n := s.Cycles(); n > 1100 {
		t.Errorf("1000 bytes take %.0f cycles, want about one each", n)
	}
}
