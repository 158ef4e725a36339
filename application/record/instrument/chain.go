package instrument

import "strings"

// chain gives the operations on the longest dependency from one execution of a block that is a loop by itself to the
// next: through the phis at its head, which take values from its end. It is empty elsewhere, and where such a dependency
// is only a counter.
func (w *segmentWriter) chain() Ops {
	if !w.segment.Begins || w.label == "" {
		return nil
	}
	back := map[string]string{} // by phi: the value from the end of the block
	for _, in := range w.phis {
		for _, part := range splitList(in.rest) {
			_, pair, ok := strings.Cut(part, "[")
			if !ok {
				continue
			}
			value, from, ok := strings.Cut(strings.TrimRight(pair, " ]"), ",")
			if ok && strings.TrimSpace(from) == "%"+w.label {
				back[in.result] = strings.TrimSpace(value)
			}
		}
	}
	var best Ops
	for phi, end := range back {
		paths := map[string]path{phi: {}}
		for _, in := range w.lines {
			w.extend(paths, in)
		}
		if p, ok := paths[end]; ok && (p.weight > weightOf(best) || p.weight == weightOf(best) && p.ops.String() < best.String()) {
			best = p.ops
		}
	}
	if weightOf(best) < floatWeight {
		return nil
	}
	return best
}

// ChainedLoad stands, in chains, for a load whose address depends on the value.
var ChainedLoad = Op{"load", "i64", 1}

// path is a dependency from a phi to a value.
type path struct {
	ops    Ops
	weight int
}

// Weights choose the longest of several paths: those of floating point count, roughly as long as they take everywhere.
const floatWeight = 4

func weightOf(o Ops) int {
	sum := 0
	for op, n := range o {
		switch op.Kind {
		case "fadd", "fmul", "fma", "fother", "load":
			sum += n * floatWeight
		case "fdiv", "fsqrt":
			sum += n * 4 * floatWeight
		default:
			if strings.HasPrefix(op.Type, "f") {
				sum += n * 8 * floatWeight // calls
			} else {
				sum += n
			}
		}
	}
	return sum
}

// extend adds an instruction to the longest of the paths to its operands.
func (w *segmentWriter) extend(paths map[string]path, in instruction) {
	if in.result == "" {
		return
	}
	best, found := path{}, false
	for _, name := range names(in.rest) {
		if p, ok := paths[name]; ok && (!found || p.weight > best.weight) {
			best, found = p, true
		}
	}
	if !found {
		return
	}
	ops := Ops{}
	for op, n := range best.ops {
		ops[op] = n
	}
	if op, ok := operationOf(in); ok {
		ops[op]++
	}
	if in.opcode == "load" {
		ops[ChainedLoad]++
	}
	paths[in.result] = path{ops, weightOf(ops)}
}

// names gives the values that a text mentions.
func names(text string) []string {
	var all []string
	for i := 0; i < len(text); i++ {
		if text[i] == '%' {
			v, _ := takeValue(text[i:])
			all = append(all, v)
			i += max(len(v)-1, 0)
		}
	}
	return all
}
