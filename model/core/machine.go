package core

import (
	"cmp"
	"math"
	"strings"

	"foresee/internal/quantile"
	"foresee/machine"
	"foresee/machine/bandwidth"
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
	usualWriteBack    = 2  // cycles: 2.0 to 2.1 on an Ice Lake, 2.9 on a Granite Rapids, by writeBack
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

// usualDivision is how much of the latency of a division of integers the next one waits for, where that was not measured: 6 of 11 cycles on an Ice Lake. They
// are counted as divisions of floating point are, whose unit they have, or which seldom stand beside them.
const usualDivision = 0.5

func dividesIntegers(form string) bool {
	return strings.HasPrefix(form, "div r") || strings.HasPrefix(form, "idiv r")
}

// costsOf are what instructions and calls of the C library cost. Calls take the core's stream for as long as the next must wait.
func costsOf(x *machine.Instructions, width float64) Costs {
	costs := Costs{}
	for _, f := range x.Forms {
		form := Form{Latency: f.Latency, Slots: f.Slots}
		if copy(form.Uses[:], f.Uses); form.Uses[Divide] == 0 && dividesIntegers(f.Form) {
			form.Uses[Divide] = usualDivision * form.Latency
		}
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
			level.PerLine, level.Cycles, level.WriteBack = usualCyclesALine, usualL2Cycles, writeBack(m)
			if own, ok := l.LatencyCycles.Get(); ok {
				level.Cycles = max(0, own-nearCycles(m))
			}
		}
		out = append(out, level)
	}
	return out
}

// Sweeps of arrays in L2 are of sizes well beyond L1 and well inside L2. Chosen.
const (
	beyondL1 = 1.6
	insideL2 = 0.6
)

// writeBack is how many cycles longer a line of L2 takes that is written to, and goes back when L1 needs its place, than one that is read, by sweeps that access
// each line once; what is usual where there are none.
func writeBack(m *machine.Machine) float64 {
	ghz, ok := m.FrequencyGHz.Get()
	if m.Measured == nil || !ok {
		return usualWriteBack
	}
	near, _ := m.Levels[0].Capacity()
	far, _ := m.Levels[1].Capacity()
	of := func(kind string) (ns []float64) {
		for _, c := range m.Measured.Sweeps {
			for _, p := range c.Points {
				if c.Kind == kind && c.Stride*bandwidth.WordBytes == lineBytes && p[0] > beyondL1*float64(near) && p[0] < insideL2*float64(far) {
					ns = append(ns, bandwidth.WordBytes/p[1])
				}
			}
		}
		return ns
	}
	read, update := of(machine.SweepRead), of(machine.SweepUpdate)
	if len(read) == 0 || len(update) == 0 {
		return usualWriteBack
	}
	return max(0, quantile.Median(update)-quantile.Median(read)) * ghz
}

// nearCycles are those of a load from L1.
func nearCycles(m *machine.Machine) float64 {
	own, ok := m.Levels[0].LatencyCycles.Get()
	if !ok && m.Instructions != nil {
		return m.Instructions.LoadCycles
	}
	return own
}
