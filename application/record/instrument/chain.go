package instrument

import (
	"maps"
	"slices"
	"strings"
)

// chain gives the operations on the longest dependency from one execution of a block that is a loop by itself to the
// next, through the phis at its head, which take values from its end, and the blocks from which the loop begins, none where the
// dependency goes on from one run of the loop to the next. It is empty elsewhere, and where such a dependency is only a counter.
func (w *segmentWriter) chain() (Ops, []int) {
	if !w.segment.Begins || w.label == "" {
		return nil, nil
	}
	back := map[string]string{}     // by phi: the value from the end of the block
	starts := map[string][]string{} // by phi: the values from elsewhere
	before := map[int]bool{}
	for _, in := range w.phis {
		for _, part := range splitList(in.rest) {
			_, pair, ok := strings.Cut(part, "[")
			if !ok {
				continue
			}
			value, from, ok := strings.Cut(strings.TrimRight(pair, " ]"), ",")
			if !ok {
				continue
			}
			if label := strings.TrimPrefix(strings.TrimSpace(from), "%"); label != w.label {
				before[w.module.blockOf(label)] = true
				starts[in.result] = append(starts[in.result], strings.TrimSpace(value))
			} else {
				back[in.result] = strings.TrimSpace(value)
			}
		}
	}
	var best, going Ops
	for phi, end := range back {
		paths := map[string]path{phi: {}}
		for _, in := range w.lines {
			w.extend(paths, in)
		}
		p, ok := paths[end]
		if !ok || p.weight < floatWeight {
			continue
		}
		if w.module.follows(starts[phi], end) {
			going = heavier(going, p.ops)
		} else {
			best = heavier(best, p.ops)
		}
	}
	// Chains that begin anew overlap, by half as a rule.
	if going != nil && 2*weightOf(going) >= weightOf(best) {
		return going, nil
	}
	if best == nil {
		return nil, nil
	}
	return best, slices.Sorted(maps.Keys(before))
}

// heavier is the longer of two chains, the same one in any order.
func heavier(a, b Ops) Ops {
	if wa, wb := weightOf(a), weightOf(b); wb > wa || wb == wa && b.String() < a.String() {
		return b
	}
	return a
}

// follows tells whether one of the values depends on another through registers.
func (m *module) follows(values []string, other string) bool {
	if m.operands == nil {
		m.operands = map[string][]string{}
		for _, l := range m.body {
			if isInstruction(l) {
				if in := parseInstruction(l); in.result != "" && in.opcode != "load" {
					m.operands[in.result] = names(in.rest)
				}
			}
		}
	}
	seen := map[string]bool{}
	for len(values) > 0 {
		v := values[len(values)-1]
		values = values[:len(values)-1]
		if v == other {
			return true
		}
		if !seen[v] {
			seen[v] = true
			values = append(values, m.operands[v]...)
		}
	}
	return false
}

// blockOf gives the number of the block with a label; the first of a function has none.
func (m *module) blockOf(label string) int {
	if n, ok := m.labels[label]; ok {
		return n
	}
	return m.first
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

// weightOf is what operations weigh in the longest chain: floating-point ones some cycles, divisions more.
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
		p, ok := paths[name]
		if !ok {
			continue
		}
		if p = p.through(w.module.after(in, name)); !found || p.weight > best.weight {
			best, found = p, true
		}
	}
	if found {
		paths[in.result] = best
	}
}

// through is the path with some more operations.
func (p path) through(more []Op) path {
	ops := maps.Clone(p.ops)
	if ops == nil {
		ops = Ops{}
	}
	for _, op := range more {
		ops[op]++
	}
	return path{ops, weightOf(ops)}
}

// after are the operations from a value that an instruction takes to its result.
func (m *module) after(in instruction, value string) []Op {
	if in.opcode == "load" {
		return []Op{ChainedLoad}
	}
	all := m.operations(in)
	if len(all) < 2 {
		return all
	}
	_, arguments := callee(in.rest)
	product, addend := names(arguments), ""
	if n := len(product); n > 0 && strings.HasSuffix(arguments, product[n-1]) {
		product, addend = product[:n-1], product[n-1]
	}
	if value == addend && !slices.Contains(product, value) {
		return all[1:]
	}
	return all
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
