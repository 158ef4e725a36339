package machine

import (
	"slices"

	"go.yaml.in/yaml/v4"
)

// Instructions are what the instructions of a core cost, each by itself and beside others, measured on it by package
// machine/probe/instructions; package model/core explains the quantities. Cycles are of the core.
type Instructions struct {
	Source string `yaml:"source"` // when and how they were measured

	Width                float64   `yaml:"width"`                  // places in the stream a cycle
	LoadCycles           float64   `yaml:"load_cycles"`            // from an address to a value of integers in L1
	VectorLoadCycles     float64   `yaml:"vector_load_cycles"`     // the same of a vector
	ForwardCycles        float64   `yaml:"forward_cycles"`         // from a store's value to that of a load behind it, integers
	VectorForwardCycles  float64   `yaml:"vector_forward_cycles"`  // the same of vectors
	BlockedForwardCycles float64   `yaml:"blocked_forward_cycles"` // from a store to a load behind it of which it has only a part
	LoadUse              []float64 `yaml:"load_use,flow"`          // cycles of the loads' resource, for up to 8, 16, 32 and 64 bytes
	StoreUse             []float64 `yaml:"store_use,flow"`         // likewise of stores
	LoadCrossing         []float64 `yaml:"load_crossing,flow"`     // more, for loads that cross a line, by size
	StoreCrossing        float64   `yaml:"store_crossing"`         // cycles that L1 takes longer for a store that crosses a line
	StoreLine            float64   `yaml:"store_line"`             // cycles between stores to different lines
	StoreNear            float64   `yaml:"store_near,omitempty"`   // the same among eight lines, where that is less
	MispredictedCycles   float64   `yaml:"mispredicted_cycles"`    // that a branch which is guessed wrongly loses
	FetchBytes           int       `yaml:"fetch_bytes,omitempty"`  // of a block of code from which instructions come in one cycle
	CopiedBytes          float64   `yaml:"copied_bytes,omitempty"` // a cycle, by memcpy within L1
	SetBytes             float64   `yaml:"set_bytes,omitempty"`    // a cycle, by memset

	Windows   InstructionWindows `yaml:"windows,omitempty"`
	Functions []LibraryFunction  `yaml:"functions,omitempty"`
	Forms     []InstructionForm  `yaml:"forms"`
}

// InstructionWindows are how many instructions a core has in flight behind one that waits for memory; 0 where that was not found.
type InstructionWindows struct {
	Reorder          int `yaml:"reorder,omitempty"`           // of any kind
	Integers         int `yaml:"integers,omitempty"`          // that write registers of integers
	Vectors          int `yaml:"vectors,omitempty"`           // that write registers of vectors
	Loads            int `yaml:"loads,omitempty"`             // that load
	Branches         int `yaml:"branches,omitempty"`          // that branch on a condition
	Stores           int `yaml:"stores,omitempty"`            // that store
	WaitingIntegers  int `yaml:"waiting_integers,omitempty"`  // of integers, that wait themselves
	WaitingAddresses int `yaml:"waiting_addresses,omitempty"` // loads and stores that wait for their address
	WaitingVectors   int `yaml:"waiting_vectors,omitempty"`   // of vectors, that wait themselves
	VectorQueue      int `yaml:"vector_queue,omitempty"`      // of vectors that wait, behind which others still begin
}

// LibraryFunction is what a call of a function of the C library costs.
type LibraryFunction struct {
	Name    string  `yaml:"name"`
	Latency float64 `yaml:"latency"` // cycles from its argument to its result
	Cycles  float64 `yaml:"cycles"`  // between two calls of which none waits for the other; of functions with least and most, as the latency, a geometric mean

	LeastCycles  float64 `yaml:"least_cycles,omitempty"` // of arguments that all go one way through it; 0 where that is no less
	MostCycles   float64 `yaml:"most_cycles,omitempty"`  // of arguments in no order, likewise
	Instructions float64 `yaml:"instructions,omitempty"` // that a call has; 0 where that is not known
}

// Function finds a function of the C library, or its twin for floats; false where it was not measured.
func (x *Instructions) Function(name string, float bool) (f LibraryFunction, ok bool) {
	if float {
		name += "f"
	}
	i := slices.IndexFunc(x.Functions, func(f LibraryFunction) bool { return f.Name == name })
	if i < 0 {
		return f, false
	}
	return x.Functions[i], true
}

// MarshalYAML writes a function into one line.
func (f LibraryFunction) MarshalYAML() (any, error) {
	type plain LibraryFunction
	return inOneLine(plain(f))
}

// InstructionForm is what the instructions of one form cost: a mnemonic with the kinds of its operands, as package assembly names it.
type InstructionForm struct {
	Form    string    `yaml:"form"`
	Latency float64   `yaml:"latency"`             // cycles
	Slots   float64   `yaml:"slots"`               // places in the stream
	Uses    []float64 `yaml:"uses,omitempty,flow"` // cycles of each of InstructionResources; the last ones are left out where they are 0
}

// MarshalYAML writes a form into one line.
func (f InstructionForm) MarshalYAML() (any, error) {
	type plain InstructionForm
	return inOneLine(plain(f))
}

func inOneLine(v any) (any, error) {
	var n yaml.Node
	if err := n.Encode(v); err != nil {
		return nil, err
	}
	n.Style = yaml.FlowStyle
	return &n, nil
}

// InstructionResources are what instructions need for a time, in the order of InstructionForm.Uses, by the operations that they were
// measured with.
var InstructionResources = []string{
	"integer", "integer_mul", "float_add", "float_mul", "shuffle", "vector_integer", "load", "store", "transfer", "divide",
}

// accessSizes is how many classes of sizes loads and stores have.
const accessSizes = 4

// mostCycles bounds what an instruction may cost. Chosen: the slowest divisions take a hundred.
const mostCycles = 1e4

// instructionProblems are values that cannot be.
func (m *Machine) instructionProblems(v *validator) {
	x := m.Instructions
	if x == nil {
		return
	}
	path := at("instructions")
	cycles := func(path []any, value float64) {
		if !(value >= 0 && value <= mostCycles) { // so that NaN fails
			v.add(path, "%v is out of range; it must be from 0 to %v cycles", value, mostCycles)
		}
	}
	if x.Source == "" {
		v.add(under(path, "source"), "missing; say how they were measured")
	}
	if !(x.Width >= 0.5 && x.Width <= 64) {
		v.add(under(path, "width"), "%v is out of range; it must be from 0.5 to 64 a cycle", x.Width)
	}
	for _, n := range []struct {
		name  string
		value float64
	}{
		{"load_cycles", x.LoadCycles},
		{"vector_load_cycles", x.VectorLoadCycles},
		{"forward_cycles", x.ForwardCycles},
		{"vector_forward_cycles", x.VectorForwardCycles},
		{"blocked_forward_cycles", x.BlockedForwardCycles},
		{"store_crossing", x.StoreCrossing},
		{"store_line", x.StoreLine},
		{"store_near", x.StoreNear},
		{"mispredicted_cycles", x.MispredictedCycles},
	} {
		cycles(under(path, n.name), n.value)
	}
	for _, sizes := range []struct {
		name   string
		values []float64
	}{{"load_use", x.LoadUse}, {"store_use", x.StoreUse}, {"load_crossing", x.LoadCrossing}} {
		if len(sizes.values) != accessSizes {
			v.add(under(path, sizes.name), "%d numbers; there must be %d, for up to 8, 16, 32 and 64 bytes", len(sizes.values), accessSizes)
		}
		for i, value := range sizes.values {
			cycles(under(path, sizes.name, i), value)
		}
	}
	x.boundProblems(path, v)
	for i := range x.Functions {
		f := &x.Functions[i]
		here := under(path, "functions", i)
		if f.Name == "" {
			v.add(under(here, "name"), "missing; give the function of the C library, such as exp")
		}
		cycles(under(here, "latency"), f.Latency)
		cycles(under(here, "cycles"), f.Cycles)
		cycles(under(here, "least_cycles"), f.LeastCycles)
		cycles(under(here, "most_cycles"), f.MostCycles)
		cycles(under(here, "instructions"), f.Instructions)
	}
	for i := range x.Forms {
		f := &x.Forms[i]
		here := under(path, "forms", i)
		if f.Form == "" {
			v.add(under(here, "form"), "missing; write a mnemonic and the kinds of its operands, such as vaddsd x,x,x")
		}
		if len(f.Uses) > len(InstructionResources) {
			v.add(under(here, "uses"), "%d numbers; there are %d resources", len(f.Uses), len(InstructionResources))
		}
		cycles(under(here, "latency"), f.Latency)
		cycles(under(here, "slots"), f.Slots)
		for k, value := range f.Uses {
			cycles(under(here, "uses", k), value)
		}
	}
}

// mostInFlight bounds how many instructions a core may have in flight. Chosen: today's largest have some 600.
const mostInFlight = 1 << 16

// boundProblems are windows and bytes that cannot be.
func (x *Instructions) boundProblems(path []any, v *validator) {
	if b := x.FetchBytes; b < 0 || b > 1<<12 || b&(b-1) != 0 {
		v.add(under(path, "fetch_bytes"), "%d is neither 0 nor a power of two up to 4096", b)
	}
	for _, n := range []struct {
		name  string
		value float64
	}{{"copied_bytes", x.CopiedBytes}, {"set_bytes", x.SetBytes}} {
		if !(n.value >= 0 && n.value <= mostCycles) {
			v.add(under(path, n.name), "%v is out of range; it must be from 0 to %v bytes a cycle", n.value, mostCycles)
		}
	}
	w := &x.Windows
	for _, n := range []struct {
		name  string
		value int
	}{
		{"reorder", w.Reorder},
		{"integers", w.Integers},
		{"vectors", w.Vectors},
		{"loads", w.Loads},
		{"branches", w.Branches},
		{"stores", w.Stores},
		{"waiting_integers", w.WaitingIntegers},
		{"waiting_addresses", w.WaitingAddresses},
		{"waiting_vectors", w.WaitingVectors},
		{"vector_queue", w.VectorQueue},
	} {
		if n.value < 0 || n.value > mostInFlight {
			v.add(under(path, "windows", n.name), "%d is out of range; it must be from 0 to %d instructions", n.value, mostInFlight)
		}
	}
}
