package core

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"foresee/machine"
)

// relatives are the machines of the library whose cores were measured. The first stands for cores that are like none of them.
var relatives = sync.OnceValues(func() (all []*machine.Machine, err error) {
	for _, name := range []string{"zen4", "zen5", "granite-rapids-vm"} {
		m, err := machine.Load(name)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
})

// coves are the names under which Golden Cove and Redwood Cove, which is the same but for the guess of what a load gives, are known.
var coves = []string{"Golden Cove", "Sapphire Rapids", "Sapphire Rapids HBM", "Emerald Rapids", "Granite Rapids"}

// likeCore says whether two microarchitectures have the same core.
func likeCore(a, b string) bool {
	return a == b || slices.Contains(coves, a) && slices.Contains(coves, b)
}

// Relative is the machine of the library whose measured core stands for what another one does not tell: one of the same microarchitecture, or the first.
func Relative(m *machine.Machine) (*machine.Machine, error) {
	all, err := relatives()
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(all, func(like *machine.Machine) bool { return likeCore(like.Microarchitecture, m.Microarchitecture) }); i >= 0 {
		return all[i], nil
	}
	return all[0], nil
}

// Derived is the core of a machine whose instructions were not measured: latencies and throughputs of operations, the width, loads and stores a
// cycle, the latency of L1 and the reorder buffer are its own; all else (moves, shuffles, forwarding, the branch predictor) is that of the
// machine that [Relative] gives, its windows in proportion to the reorder buffer. False where the machine lacks one of its own.
func Derived(m *machine.Machine) (Core, Costs, bool) {
	like, err := Relative(m)
	if err != nil || len(m.Levels) == 0 {
		return Core{}, nil, false
	}
	width, okWidth := m.Core.IssueWidth.Get()
	loads, okLoads := m.Core.LoadsPerCycle.Get()
	stores, okStores := m.Core.StoresPerCycle.Get()
	reorder, okReorder := m.Core.ReorderBuffer.Get()
	near, okNear := m.Levels[0].LatencyCycles.Get()
	if !(okWidth && okLoads && okStores && okReorder && okNear) || width <= 0 || loads <= 0 || stores <= 0 || reorder <= 0 {
		return Core{}, nil, false
	}
	c, _, _ := Of(like)
	share := float64(reorder) / float64(c.Reorder)
	for _, w := range []*int{&c.Integers, &c.Vectors, &c.Loads, &c.Branches, &c.Stores, &c.IntegerQueue, &c.AddressQueue, &c.VectorQueue, &c.VectorBuffer} {
		if *w > 0 { // 0: no bound of its own
			*w = max(1, int(share*float64(*w)+0.5))
		}
	}
	c.Reorder, c.Width, c.FetchBytes = reorder, width, 0
	c.LoadUse, c.StoreUse = accessUse(c.LoadUse, loads, m.Vendor == like.Vendor), accessUse(c.StoreUse, stores, m.Vendor == like.Vendor)
	beyond := near - c.LoadCycles
	c.LoadCycles, c.VectorLoad = near, c.VectorLoad+beyond
	c.Forward, c.VectorForward = c.Forward+beyond, c.VectorForward+beyond
	costs, ok := derivedCosts(m, like, width)
	return c, costs, ok
}

// accessUse is what accesses of each size use of a core that makes so many a cycle: on one of the relative's vendor no less than on the relative, which
// has fewer ways for vectors; on others vectors of up to 32 bytes go as often as numbers, and wider ones half as often.
func accessUse(relative [4]float64, perCycle float64, kin bool) [4]float64 {
	first := 1 / perCycle
	if !kin {
		return [4]float64{first, first, first, 2 * first}
	}
	for i := range relative {
		relative[i] = max(first, relative[i])
	}
	relative[0] = first
	return relative
}

// classes are the forms that are operations which machine files tell, by their mnemonics.
var classes = []struct {
	mnemonic *regexp.Regexp
	kind     string
	whole    bool // of integers
}{
	{regexp.MustCompile(`^v?(add|sub|max|min|cmp|u?comi)[ps][sd]$`), machine.Add, false},
	{regexp.MustCompile(`^v?mul[ps][sd]$`), machine.Mul, false},
	{regexp.MustCompile(`^vfn?m(add|sub)\d+[ps][sd]$`), machine.FMA, false},
	{regexp.MustCompile(`^v?div[ps][sd]$`), machine.Div, false},
	{regexp.MustCompile(`^v?sqrt[ps][sd]$`), machine.Sqrt, false},
	{regexp.MustCompile(`^imul$`), machine.Mul, true},
	{regexp.MustCompile(`^i?div$`), machine.Div, true},
}

// operationOf is the operation of machine files that a form is; "" where it is none.
func operationOf(form string) (kind, typ string) {
	mnemonic, _, _ := strings.Cut(form, " ")
	for _, c := range classes {
		if !c.mnemonic.MatchString(mnemonic) {
			continue
		}
		switch {
		case c.whole:
			return c.kind, machine.Int
		case strings.HasSuffix(mnemonic, "s"):
			return c.kind, machine.F32
		}
		return c.kind, machine.F64
	}
	return "", ""
}

// derivedCosts are the costs of a relative's forms with a machine's own operations.
func derivedCosts(m, like *machine.Machine, width float64) (Costs, bool) {
	costs := costsOf(like.Instructions, width)
	for name, f := range costs {
		kind, typ := operationOf(name)
		if kind == "" {
			continue
		}
		own, ok := operationCost(m, kind, typ)
		theirs, okTheirs := operationCost(like, kind, typ)
		switch {
		case !ok && typ == machine.Int:
			continue // what a machine does not tell of integers is as on its relative
		case !ok || !okTheirs:
			return nil, false
		}
		f.Latency *= own.latency / theirs.latency
		for r := range f.Uses {
			f.Uses[r] *= own.throughput / theirs.throughput
		}
		costs[name] = f
	}
	return costs, true
}

type operationCosts struct{ latency, throughput float64 }

// operationCost is what an operation costs on a machine; a multiplication and addition in one, where a machine has none, what both do. Where only
// one of latency and throughput is told it stands for the other.
func operationCost(m *machine.Machine, kind, typ string) (operationCosts, bool) {
	latency, throughput, ok := m.Op(kind, typ)
	if !ok && kind == machine.FMA {
		a, okA := operationCost(m, machine.Add, typ)
		b, okB := operationCost(m, machine.Mul, typ)
		return operationCosts{a.latency + b.latency, a.throughput + b.throughput}, okA && okB
	}
	l, okL := latency.Get()
	t, okT := throughput.Get()
	if !okL {
		l = t
	}
	if !okT {
		t = l
	}
	return operationCosts{l, t}, (okL || okT) && l > 0 && t > 0
}
