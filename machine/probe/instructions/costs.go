package instructions

import (
	"maps"
	"math"
	"slices"
	"strings"

	"foresee/machine"
)

// Cost is what a form costs.
type Cost struct {
	Latency float64            // cycles
	Slots   float64            // places in the stream
	Uses    map[string]float64 // cycles of each resource, by its name
}

// leastUse is the least share of a resource's cycle that counts: less cannot be told from noise and from what the front end adds. Chosen:
// two runs of the measurement differ by 0.02 to 0.05 on a virtual machine.
const leastUse = 0.08

// leastShare is the least share of the time that a form takes alone for which a resource counts, and mostlyBound that from which on the
// resource is what binds the form alone. Chosen.
const (
	leastShare  = 0.2
	mostlyBound = 0.8
)

// Costs are the costs of all forms that were measured.
func (m *Measured) Costs() map[string]Cost {
	all := map[string]Cost{}
	names := blockers(m.VEX)
	for _, name := range m.Forms {
		if _, ok := m.Cycles[name+"|alone"]; !ok {
			continue
		}
		f := parseForm(name)
		c := Cost{Slots: m.slots(name, names[len(names)-1].name), Uses: m.uses(&f, names[:len(names)-1])}
		c.Latency = m.latency(&f)
		all[name] = c
	}
	return all
}

// slots are the places in the stream that a form takes, in halves: what it adds to a stream that they alone bind.
func (m *Measured) slots(name, blocker string) float64 {
	mixed, ok := m.Cycles[name+"|"+blocker]
	if !ok {
		return 1
	}
	count := float64(m.Length[name+"|"+blocker] - block)
	return max(1, math.Round(2*m.Width()*(mixed-m.Cycles["base|"+blocker])/count)/2)
}

// uses are the cycles that a form takes of each resource. Where two kinds of operations share units, the slower is put onto units badly
// when all are full, and seems to need more than it does otherwise: an instruction that occupies so many units for a cycle, by the
// resource that says the least of those that bind it when it is alone, takes no more units of any other.
func (m *Measured) uses(f *form, names []blocker) map[string]float64 {
	own := m.perInstruction(f.name + "|alone")
	uses := map[string]float64{}
	occupied := math.Inf(1)
	for _, b := range names {
		mixed, ok := m.Cycles[f.name+"|"+b.name]
		if !ok || b.name == "divide" || ofMemory[b.name] {
			continue
		}
		alone := m.Cycles["base|"+b.name]
		use := min((mixed-alone)/float64(m.Length[f.name+"|"+b.name]-block), own)
		if use > max(leastUse, leastShare*own) {
			uses[b.name] = use
			if use > mostlyBound*own {
				occupied = min(occupied, use*block/alone)
			}
		}
	}
	occupied = max(occupied, 1)
	for _, b := range names {
		if use, ok := uses[b.name]; ok {
			uses[b.name] = math.Round(100*min(use, occupied*m.Cycles["base|"+b.name]/block)) / 100
		}
	}
	if slow(strings.TrimPrefix(f.base, "v")) && f.writesVector() || f.divides() {
		uses["divide"] = math.Round(100*own) / 100
	}
	return uses
}

// ofMemory are resources that no form needs: forms are of registers, and what accesses memory needs is measured for itself. Where another
// thread shares the core, all forms seem to slow loads down.
var ofMemory = map[string]bool{"load": true, "store": true}

// Width is how many instructions that do nothing go through in a cycle.
func (m *Measured) Width() float64 { return block / m.Cycles["base|slots"] }

// perInstruction is the time of one instruction of a test.
func (m *Measured) perInstruction(name string) float64 {
	return m.Cycles[name] / float64(max(m.Length[name], 1))
}

// latency is that of a form's chain, or what is usual where it makes none.
func (m *Measured) latency(f *form) float64 {
	round := func(v float64) float64 { return max(1, math.Round(v)) }
	there, back := m.transfers()
	switch {
	case f.comparison() && len(f.kinds) > 0 && f.kinds[0] == "x":
		return round(back + 1) // as to a register of integers, and a test of it
	case f.comparison():
		return 1
	case f.writesInteger() && len(f.kinds) > 1 && (vector(f.kinds[1]) || f.kinds[1] == "k"):
		return round(back)
	case f.writesVector() && len(f.kinds) > 1 && f.kinds[len(f.kinds)-1][0] == 'r':
		return round(there)
	case len(f.kinds) > 0 && f.kinds[0] == "k" && f.link() < 0:
		return round(back)
	}
	return round(m.perInstruction(f.name + "|chain"))
}

// transfers are the cycles from a register of integers to a vector, and back: half of both together each, as no chain has only one.
func (m *Measured) transfers() (there, back float64) {
	both := 2 * m.perInstruction("to vector and back")
	return both / 2, both / 2
}

// Values are the core's other costs, by the names of model/core's fields.
type Values struct {
	Width, LoadCycles, VectorLoad, Forward, ForwardSame, VectorForward, ForwardBlocked float64
	LoadUse, StoreUse, LoadCrossing                                                    [4]float64
	StoreCrossing, StoreLine, StoreNear, Mispredicted, Taken, Call                     float64
}

// Values derives what the special tests say.
func (m *Measured) Values() Values {
	per := m.perInstruction
	_, back := m.transfers()
	pair := func(name string) float64 { return 2 * per(name) }
	v := Values{
		Width: m.Width(), LoadCycles: math.Round(per("load chain")), VectorLoad: math.Round(pair("vector load chain") - back),
		Forward: pair("forward"), ForwardSame: pair("forward same"), VectorForward: pair("forward vector"), ForwardBlocked: pair("forward blocked"),
		Taken: m.Cycles["jumps"] / 12, Call: m.Cycles["calls"] / 12,
	}
	v.Mispredicted = max(0, 2*(m.Cycles["branches at random"]-m.Cycles["branches in order"])/4)
	for i, bytes := range []string{"8", "16", "32", "64"} {
		load, store := "load "+bytes, "store "+bytes
		if _, ok := m.Cycles[load]; !ok {
			v.LoadUse[i], v.StoreUse[i], v.LoadCrossing[i] = 2*v.LoadUse[i-1], 2*v.StoreUse[i-1], v.LoadCrossing[i-1]
			continue
		}
		v.LoadUse[i], v.StoreUse[i] = per(load), per(store)
		v.LoadCrossing[i] = max(0, per("load across "+bytes)-v.LoadUse[i])
	}
	v.StoreNear = per("store apart")
	v.StoreLine = max(v.StoreNear, per("store far"))
	v.StoreCrossing = max(0, per("store across")-v.StoreNear)
	return v
}

// Table is what was measured as machine files have it.
func (m *Measured) Table(source string) *machine.Instructions {
	v := m.Values()
	t := &machine.Instructions{
		Source: source, Width: hundredths(v.Width), LoadCycles: v.LoadCycles, VectorLoadCycles: v.VectorLoad, ForwardCycles: hundredths(v.Forward),
		VectorForwardCycles: hundredths(v.VectorForward), BlockedForwardCycles: hundredths(v.ForwardBlocked),
		StoreCrossing: hundredths(v.StoreCrossing), StoreLine: hundredths(v.StoreLine), StoreNear: hundredths(v.StoreNear), MispredictedCycles: hundredths(v.Mispredicted),
		FetchBytes: m.fetchBytes(), CopiedBytes: m.bytes("memcpy"), SetBytes: m.bytes("memset"), Windows: m.Windows, Functions: m.libraryFunctions(),
	}
	for i := range v.LoadUse {
		t.LoadUse, t.StoreUse = append(t.LoadUse, hundredths(v.LoadUse[i])), append(t.StoreUse, hundredths(v.StoreUse[i]))
		t.LoadCrossing = append(t.LoadCrossing, hundredths(v.LoadCrossing[i]))
	}
	costs := m.Costs()
	for _, name := range slices.Sorted(maps.Keys(costs)) {
		c := costs[name]
		f := machine.InstructionForm{Form: name, Latency: c.Latency, Slots: c.Slots}
		for _, resource := range machine.InstructionResources {
			f.Uses = append(f.Uses, c.Uses[resource])
		}
		for len(f.Uses) > 0 && f.Uses[len(f.Uses)-1] == 0 {
			f.Uses = f.Uses[:len(f.Uses)-1]
		}
		t.Forms = append(t.Forms, f)
	}
	return t
}

// leastLater is by which share a loop must be slower where it goes across blocks of code. Chosen: a cycle for each round, of two at most.
const leastLater = 0.15

// fetchBytes is the size of the blocks of code from which instructions come in one cycle, 0 where a short loop is as fast wherever it lies.
func (m *Measured) fetchBytes() int {
	inside, middle, end := m.Cycles["loop at 0"], m.Cycles["loop at 24"], m.Cycles["loop at 56"]
	switch {
	case inside <= 0 || end < (1+leastLater)*inside:
		return 0
	case middle >= (1+leastLater)*inside:
		return 32
	}
	return 64
}

// hundredths rounds to what is measured.
func hundredths(v float64) float64 { return math.Round(100*v) / 100 }
