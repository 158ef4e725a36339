package core

import (
	"cmp"
	"math"

	"foresee/machine"
)

// What is taken where nothing is measured. The reorder window and the queues are about what AMD has published of Zen 4; the others were chosen
// before any error was seen.
const (
	usualReorder      = 320
	usualIntegers     = 96
	usualAddresses    = 72
	usualVectors      = 64
	usualTables       = 6  // histories of up to 128 branches
	usualLibrary      = 20 // cycles
	usualL2Cycles     = 10 // beyond L1's
	usualCyclesALine  = 2  // between lines from L2
	usualForward      = 7  // cycles, where a core has names for memory and chains tell nothing
	vectorLoadBeyond  = 1  // cycles that a load into a unit of floating point takes longer than one that is moved on
	leastForwardCycle = 3
	usualWays         = 8
	innerLevels       = 2 // that the core's own accesses go through
)

// Of is the core of a machine whose instructions were measured, with what its file knows of its windows, and what they cost; false where
// they were not. Its levels are left out: all is served by L1.
func Of(m *machine.Machine) (Core, Costs, bool) {
	x := m.Instructions
	if x == nil {
		return Core{}, nil, false
	}
	c := Core{
		Width: math.Round(x.Width), Windows: windowsOf(m),
		LoadCycles: x.LoadCycles, VectorLoad: x.VectorLoadCycles + vectorLoadBeyond, Forward: x.ForwardCycles, VectorForward: x.VectorForwardCycles,
		ForwardBlocked: x.BlockedForwardCycles, StoreCross: x.StoreCrossing, StoreLine: x.StoreLine, StoreNear: cmp.Or(x.StoreNear, x.StoreLine),
		Mispredicted: x.MispredictedCycles, Taken: 1, FetchBytes: uint64(x.FetchBytes), Library: usualLibrary, HistoryTables: usualTables,
	}
	copy(c.LoadUse[:], x.LoadUse)
	copy(c.StoreUse[:], x.StoreUse)
	copy(c.LoadCross[:], x.LoadCrossing)
	if c.Forward < leastForwardCycle {
		c.Forward = usualForward
	}
	return c, costsOf(x, c.Width), true
}

// windowsOf are a core's windows: what was measured, else what is usual.
func windowsOf(m *machine.Machine) Windows {
	x := &m.Instructions.Windows
	w := Windows{
		Reorder: cmp.Or(x.Reorder, m.Core.ReorderBuffer.Or(usualReorder)), Integers: x.Integers, Vectors: x.Vectors, Loads: x.Loads, Branches: x.Branches, Stores: x.Stores,
		IntegerQueue: cmp.Or(x.WaitingIntegers, usualIntegers), AddressQueue: cmp.Or(x.WaitingAddresses, usualAddresses),
		VectorQueue: cmp.Or(x.VectorQueue, x.WaitingVectors, usualVectors),
	}
	w.VectorBuffer = x.WaitingVectors - w.VectorQueue
	return w
}

// costsOf are what instructions and calls of the C library cost. Calls take the core's stream for as long as the next must wait.
func costsOf(x *machine.Instructions, width float64) Costs {
	costs := Costs{}
	for _, f := range x.Forms {
		form := Form{Latency: f.Latency, Slots: f.Slots}
		copy(form.Uses[:], f.Uses)
		costs[f.Form] = form
	}
	for _, f := range x.Functions {
		costs[called+f.Name] = Form{Latency: f.Latency, Slots: f.Cycles * width, Instructions: f.Instructions}
	}
	for name, bytes := range map[string]float64{"memcpy": x.CopiedBytes, "memset": x.SetBytes} {
		if bytes > 0 {
			costs[called+name] = Form{Latency: 1 / bytes}
		}
	}
	return costs
}

// InnerLevels are the caches that a core looks its accesses up in: L1 and L2.
func InnerLevels(m *machine.Machine) []Level {
	var out []Level
	for i := range m.Levels {
		if i >= innerLevels {
			break
		}
		l := &m.Levels[i]
		level := Level{Ways: l.Ways.Or(usualWays)}
		bytes, _ := l.Capacity()
		level.Sets = max(1, int(bytes)/m.Line(l)/level.Ways)
		if i == 1 {
			level.PerLine, level.Cycles = usualCyclesALine, usualL2Cycles
			if own, ok := l.LatencyCycles.Get(); ok {
				level.Cycles = max(0, own-nearCycles(m))
			}
		}
		out = append(out, level)
	}
	return out
}

// nearCycles are those of a load from L1.
func nearCycles(m *machine.Machine) float64 {
	own, ok := m.Levels[0].LatencyCycles.Get()
	if !ok && m.Instructions != nil {
		return m.Instructions.LoadCycles
	}
	return own
}
