package instrument

import (
	"slices"
	"strings"
)

// choosing are operations that give one of what they are given, or less of it.
var choosing = setOf("phi select freeze bitcast sext zext trunc fpext fptrunc and or icmp fcmp extractelement insertelement shufflevector extractvalue")

// keeps says whether a store keeps the largest, or what was found with it: a value that iterations chose, or what was there, where
// branches decide that compare what was chosen.
func (t *teamFlow) keeps(w sharedWrite) bool {
	compared := false
	if !t.chosenOrOld(w.value, w.pointer, &compared, map[string]bool{}) {
		return false
	}
	for _, n := range t.control.all(w.at.block) {
		if !t.branchCompares(n, &compared) {
			return false
		}
	}
	s := newSources()
	t.address(s, w.pointer)
	return !s.gathered && !s.own && (compared || t.hasGathered(w.value))
}

func (t *teamFlow) hasGathered(v string) bool {
	s := newSources()
	t.from(s, v)
	return s.gathered
}

// chosenOrOld says whether a value is one that iterations chose, or what was there.
func (t *teamFlow) chosenOrOld(v, p string, compared *bool, seen map[string]bool) bool {
	if seen[v] || t.isOld(p, v, 0) {
		return true
	}
	seen[v] = true
	in := t.def[v]
	name, list := callee(in.rest)
	switch {
	case t.dealt[t.at[v]]:
		return t.chosen(v, map[string]bool{})
	case in.opcode == "icmp" && isTest(in):
		a, _ := binary(instruction{rest: strings.TrimPrefix(in.rest, "ne ")})
		return t.chosenOrOld(a, p, compared, seen)
	case in.opcode == "select" && isLogical(in):
		*compared = true
		return !slices.ContainsFunc(t.operands(in.rest), func(o string) bool { return !t.chosenOrOld(o, p, compared, seen) })
	case in.opcode == "select":
		condition := t.operands(splitList(in.rest)[0])
		if slices.ContainsFunc(condition, func(c string) bool { return !t.compares(c, compared, map[string]bool{}) }) {
			return false
		}
		return !slices.ContainsFunc(t.choices(in), func(c string) bool { return !t.chosenOrOld(c, p, compared, seen) })
	case in.opcode == "phi":
		return t.choiceCompares(v, compared) && !slices.ContainsFunc(t.choices(in), func(c string) bool { return !t.chosenOrOld(c, p, compared, seen) })
	case in.opcode == "load" && t.eachWritten(in, func(v string) bool { return t.chosenOrOld(v, p, compared, seen) }):
		return true
	case passes[in.opcode] && in.opcode != "fneg":
		return t.chosenOrOld(t.first(in), p, compared, seen)
	case in.opcode == "and" || in.opcode == "or":
		a, b := binary(in)
		*compared = true
		return t.chosenOrOld(a, p, compared, seen) && t.chosenOrOld(b, p, compared, seen)
	case in.isCall() && largest(name):
		*compared = true
		args := splitList(list)
		_, a, _ := takeTyped(args[0])
		_, b, _ := takeTyped(args[1])
		return t.chosenOrOld(a, p, compared, seen) && t.chosenOrOld(b, p, compared, seen)
	}
	return t.chosen(v, map[string]bool{})
}

// isTest tells tests of whether a value is anything but 0.
func isTest(in instruction) bool {
	_, b := binary(instruction{rest: strings.TrimPrefix(in.rest, "ne ")})
	return strings.HasPrefix(in.rest, "ne ") && b == "0"
}

// isLogical tells && and ||.
func isLogical(in instruction) bool {
	parts := splitList(in.rest)
	return len(parts) > 2 && strings.HasPrefix(parts[1], "i1 ") && (parts[2] == "i1 false" || parts[1] == "i1 true")
}

// choiceCompares says whether the branches that a phi is chosen by compare what was chosen.
func (t *teamFlow) choiceCompares(phi string, compared *bool) bool {
	at := t.at[phi].block
	for n, k := range t.blocks {
		if !slices.Contains(k.next, at) || len(k.lines) == 0 {
			continue
		}
		deciding := t.control.all(n)
		if len(k.next) > 1 {
			deciding = append(deciding, n)
		}
		for _, d := range deciding {
			if !t.branchCompares(d, compared) {
				return false
			}
		}
	}
	return true
}

// branchCompares says whether the branch at the end of a block compares what was chosen, or is the same for all threads.
func (t *teamFlow) branchCompares(n int, compared *bool) bool {
	lines := t.blocks[n].lines
	last := lines[len(lines)-1]
	if last.opcode == "invoke" || t.dealt[spot{n, len(lines) - 1}] {
		return true
	}
	return !slices.ContainsFunc(t.operands(splitList(last.rest)[0]), func(v string) bool { return !t.compares(v, compared, map[string]bool{}) })
}

// largest tells functions that give the larger or smaller of two.
func largest(name string) bool {
	for _, prefix := range []string{"llvm.smax.", "llvm.smin.", "llvm.umax.", "llvm.umin.", "llvm.maxnum.", "llvm.minnum.", "llvm.maximum.", "llvm.minimum."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "fmax" || name == "fmin" || name == "fmaxf" || name == "fminf"
}

// compares says whether a condition compares what was chosen with what is there, or is the same for all threads.
func (t *teamFlow) compares(v string, compared *bool, seen map[string]bool) bool {
	if seen[v] || t.same(v) && !t.changing(v) {
		return true
	}
	seen[v] = true
	in := t.def[v]
	switch in.opcode {
	case "and", "or", "xor", "freeze", "trunc", "zext", "select":
		return !slices.ContainsFunc(t.operands(in.rest), func(o string) bool { return !t.compares(o, compared, seen) })
	case "load":
		return t.chosen(v, map[string]bool{})
	case "icmp", "fcmp":
		_, rest, _ := strings.Cut(strings.TrimPrefix(in.rest, "fast "), " ")
		a, b := binary(instruction{rest: rest})
		x, y := t.chosen(a, map[string]bool{}) && t.hasGathered(a), t.chosen(b, map[string]bool{}) && t.hasGathered(b)
		if !(x && (y || t.plain(b)) || y && t.plain(a)) {
			return false
		}
		*compared = true
		return true
	case "phi":
		return t.chosen(v, map[string]bool{})
	case "extractvalue": // of an exchange that is tried again
		_, of, _ := takeTyped(splitList(in.rest)[0])
		return t.def[of].opcode == "cmpxchg"
	}
	return false
}

// changing says whether a value comes from what threads change.
func (t *teamFlow) changing(v string) bool {
	s := newSources()
	t.from(s, v)
	for i := range t.changes {
		if t.meets(&t.changes[i], s) {
			return true
		}
	}
	return false
}

// plain tells constants, parameters, and what is loaded.
func (t *teamFlow) plain(v string) bool {
	in, ok := t.def[v]
	return !ok || in.opcode == "load" || passes[in.opcode] && t.plain(t.first(in)) || in.opcode == "phi" || t.same(v)
}

// chosen says whether a value is one of those that iterations had, or began with, not one that was made of several.
func (t *teamFlow) chosen(v string, seen map[string]bool) bool {
	if seen[v] || !strings.HasPrefix(v, "%") {
		return true
	}
	seen[v] = true
	in, ok := t.def[v]
	inside := t.dealt[t.at[v]]
	if !ok || inside && !t.tainted[v] {
		return true
	}
	each := func(all []string) bool {
		return !slices.ContainsFunc(all, func(o string) bool { return !t.chosen(o, seen) })
	}
	name, list := callee(in.rest)
	switch {
	case in.opcode == "phi", in.opcode == "select":
		return each(t.choices(in))
	case in.opcode == "load":
		return t.chosenIn(in, seen)
	case choosing[in.opcode], in.isCall() && (largest(name) || strings.HasPrefix(name, "llvm.vector.reduce.") && !strings.Contains(name, "add") && !strings.Contains(name, "mul") && !strings.Contains(name, "xor")):
		if in.isCall() {
			return each(t.operands(list))
		}
		return each(t.operands(in.rest))
	}
	return !inside && t.same(v) && !t.changing(v)
}

// chosenIn is chosen of what is loaded.
func (t *teamFlow) chosenIn(in instruction, seen map[string]bool) bool {
	p, _ := loadedFrom(in)
	if !t.ownMemory(p) {
		return t.same(in.result) && !t.changing(in.result)
	}
	return t.eachWritten(in, func(v string) bool { return t.chosen(v, seen) })
}
