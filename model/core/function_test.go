package core

import "testing"

// TestFunction: calls that do not wait for one another follow as fast as they were measured, those that do as far apart as a call's latency, and what hangs
// on numbers that come late fills the queue, so that fewer calls overlap than without it.
func TestFunction(t *testing.T) {
	c := Core{Width: 5, LoadCycles: 5, VectorLoad: 5, Windows: Windows{Reorder: 340, Vectors: 200, VectorQueue: 80, VectorBuffer: 1, IntegerQueue: 80, AddressQueue: 80}}
	costs := Costs{"call exp": {Latency: 36, Slots: 75, Instructions: 51}}
	call := costs.Call("exp", Given{})
	fresh := Instruction{Form: Form{Latency: 1, Slots: 1}, Writes: call.Reads, Vector: true}
	late := fresh
	late.Latency = 40
	each := func(program ...Instruction) float64 {
		s := New(c, program)
		const times = 400
		for range times {
			for at := range program {
				s.Step(int32(at), 0, false)
			}
		}
		return s.Cycles() / times
	}
	within := func(name string, got, low, high float64) {
		t.Helper()
		if got < low || got > high {
			t.Errorf("%s: %.1f cycles, want %v to %v", name, got, low, high)
		}
	}
	within("independent", each(fresh, call), 15, 17)
	within("each of the last", each(call), 36, 37)
	within("behind what is late", each(late, call), 25, 60)
	if n := len(costs.Call("pow", Given{}).Reads); n != 0 {
		t.Errorf("a function that was not measured reads %d registers", n)
	}
}
