package timing

import (
	"fmt"
	"slices"

	"foresee/application/nest"
	"foresee/machine"
)

// Cost is what one scalar operation takes.
type Cost struct {
	Latency    float64 // cycles until the result can be used
	Throughput float64 // cycles between two independent ones
}

// Costs looks up what operations cost on a machine and keeps what it did not find.
type Costs struct {
	m       *machine.Machine
	missing []string
	// assumptions are what the model took instead of values that the machine lacks.
	assumptions []string
	cores       map[*Block]Core // that were asked for
}

// callCost is what a mathematical function of the C library is taken for where the machine does not say: so many multiply-add pairs, in two
// chains side by side. The counts are the polynomial degrees and table steps of common implementations.
var callCost = map[string]float64{
	"exp": 10, "exp2": 9, "log": 11, "log2": 11, "log10": 12, "pow": 24, "sin": 14, "cos": 14, "tan": 20,
	"tanh": 18, "sinh": 16, "cosh": 16, "atan": 14, "atan2": 18, "asin": 14, "acos": 14, "erf": 18, "cbrt": 12,
}

// otherCall is callCost of a function that is not among them. Chosen: about the mean of those that are.
const otherCall = 15

// Of gives the cost of an operation.
func (c *Costs) Of(k OpKey) Cost {
	typ := machine.Int
	switch k.Type {
	case nest.F32:
		typ = machine.F32
	case nest.F64:
		typ = machine.F64
	}
	switch k.Kind {
	case nest.Add:
		return c.operation(machine.Add, typ)
	case nest.Mul:
		return c.operation(machine.Mul, typ)
	case nest.FMA:
		return c.fma(typ)
	case nest.Div:
		return c.operation(machine.Div, typ)
	case nest.Sqrt:
		return c.operation(machine.Sqrt, typ)
	case nest.Call:
		n := callSize(k.Name)
		// The machine's own cost of the function, else that of its exp in proportion: a function of 20 pairs costs twice an exp of 10.
		for _, known := range []string{k.Name, "exp"} {
			if _, _, ok := c.m.Op(known, typ); ok {
				cost, times := c.operation(known, typ), n/callSize(known)
				return Cost{times * cost.Latency, times * cost.Throughput}
			}
		}
		add, mul := c.operation(machine.Add, typ), c.operation(machine.Mul, typ)
		return Cost{n / 2 * (add.Latency + mul.Latency), n * (add.Throughput + mul.Throughput)}
	case nest.Compare, nest.Select, nest.Convert:
		if k.Type.IsFloat() {
			return c.operation(machine.Add, typ)
		}
	case nest.Move, nest.Lookup:
		return Cost{}
	}
	return c.operation(machine.Add, machine.Int)
}

// fma falls back to a product and a sum on machines without the instruction.
func (c *Costs) fma(typ string) Cost {
	if _, _, ok := c.m.Op(machine.FMA, typ); ok {
		return c.operation(machine.FMA, typ)
	}
	a, b := c.operation(machine.Add, typ), c.operation(machine.Mul, typ)
	return Cost{a.Latency + b.Latency, a.Throughput + b.Throughput}
}

// operation is the cost of one of the machine's operations; where it has only the latency or the throughput, the one stands for the other.
func (c *Costs) operation(kind, typ string) Cost {
	latency, throughput, _ := c.m.Op(kind, typ)
	l, okL := latency.Get()
	t, okT := throughput.Get()
	if !okL || !okT {
		c.miss(fmt.Sprintf("operations.%s.%s", kind, typ))
	}
	if !okT {
		t = l
	}
	if !okL {
		l = t
	}
	return Cost{l, t}
}

// miss notes the path of a value that the machine lacks.
func (c *Costs) miss(path string) {
	if !slices.Contains(c.missing, path) {
		c.missing = append(c.missing, path)
	}
}

// need reads a value, and notes its path when it is absent, and where the machine file has assumed it.
func need[T any](c *Costs, v *machine.Value[T], path string) T {
	x, ok := v.Get()
	if !ok {
		c.miss(path)
	}
	if text := assumed(c.m, v, path); text != "" {
		c.assume("%s", text)
	}
	return x
}
