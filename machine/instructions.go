package machine

import "go.yaml.in/yaml/v4"

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
	CrossingUse          float64   `yaml:"crossing_use"`           // more, for one that crosses a line
	MispredictedCycles   float64   `yaml:"mispredicted_cycles"`    // that a branch which is guessed wrongly loses

	Forms []InstructionForm `yaml:"forms"`
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
	var n yaml.Node
	if err := n.Encode(plain(f)); err != nil {
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
		{"crossing_use", x.CrossingUse},
		{"mispredicted_cycles", x.MispredictedCycles},
	} {
		cycles(under(path, n.name), n.value)
	}
	for _, sizes := range []struct {
		name   string
		values []float64
	}{{"load_use", x.LoadUse}, {"store_use", x.StoreUse}} {
		if len(sizes.values) != accessSizes {
			v.add(under(path, sizes.name), "%d numbers; there must be %d, for up to 8, 16, 32 and 64 bytes", len(sizes.values), accessSizes)
		}
		for i, value := range sizes.values {
			cycles(under(path, sizes.name, i), value)
		}
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
