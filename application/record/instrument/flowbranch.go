package instrument

import (
	"slices"
	"strings"
)

// mostGuarded bounds what a branch may guard without mattering, in blocks.
const mostGuarded = 8

// branch follows the condition at the end of a block: it matters, but where it only guards printing and what is stored for that.
func (b *flowBody) branch(block int) {
	k := &b.blocks[block]
	n := len(k.lines)
	if n == 0 {
		return
	}
	in := k.lines[n-1]
	if in.opcode != "switch" && in.opcode != "indirectbr" && (in.opcode != "br" || len(k.next) < 2) {
		return
	}
	condition := place("b", b.name, block)
	for _, v := range b.operands(splitList(in.rest)[0]) {
		b.edge(b.value(v), condition)
	}
	if in.opcode != "br" || !b.guards(condition, k.next[0], k.next[1]) {
		b.edge(condition, matters)
	}
}

// guards looks for the block where the two ways meet again; what is on them before must not matter.
func (b *flowBody) guards(condition string, yes, no int) bool {
	for _, meet := range append([]int{no, yes}, b.blocks[yes].next...) {
		guarded, ok := b.between(meet, yes, no)
		if !ok || !b.harmless(guarded) {
			continue
		}
		for _, g := range guarded {
			for _, in := range b.blocks[g].lines {
				b.under(condition, in)
			}
		}
		for _, in := range b.blocks[meet].lines {
			if in.opcode == "phi" {
				b.edge(condition, b.value(in.result))
			}
		}
		return true
	}
	return false
}

// between gives the blocks on the ways from some to a block, ok where there are few, all lead there, and none runs twice.
func (b *flowBody) between(meet int, from ...int) (all []int, ok bool) {
	const open, done = 1, 2
	state := map[int]int{}
	var visit func(int) bool
	visit = func(n int) bool {
		switch {
		case n == meet || state[n] == done:
			return true
		case state[n] == open || len(all) == mostGuarded || len(b.blocks[n].next) == 0: // a loop, much, or an end of the function
			return false
		}
		state[n] = open
		all = append(all, n)
		if !slices.ContainsFunc(b.blocks[n].next, func(m int) bool { return !visit(m) }) {
			state[n] = done
			return true
		}
		return false
	}
	for _, n := range from {
		if !visit(n) {
			return nil, false
		}
	}
	return all, true
}

// harmless tells blocks that only print, ask, and store what can be followed.
func (b *flowBody) harmless(blocks []int) bool {
	for _, k := range blocks {
		for _, in := range b.blocks[k].lines {
			if !b.isHarmless(in) {
				return false
			}
		}
	}
	return true
}

// isHarmless says whether an instruction does nothing that others see but through values that are followed.
func (b *flowBody) isHarmless(in instruction) bool {
	switch in.opcode {
	case "store":
		parts := splitList(in.rest)
		if len(parts) < 2 {
			return false
		}
		_, p, _ := takeTyped(parts[1])
		_, known := b.memory(p)
		return known
	case "call", "invoke":
		name, _ := callee(in.rest)
		return name != "" && !allocates[name] && !setters[name] && !strings.HasPrefix(name, "__kmpc_fork") && !blockCopy(name) && !blockSet(name)
	case "atomicrmw", "cmpxchg", "callbr", "fence", "resume", "unreachable", "indirectbr":
		return false
	}
	return true
}

// under says what an instruction does that runs only under a condition: what it stores, and which functions it calls.
func (b *flowBody) under(condition string, in instruction) {
	switch in.opcode {
	case "store":
		_, p, _ := takeTyped(splitList(in.rest)[1])
		memory, known := b.memory(p)
		b.write(condition, memory, known)
	case "call", "invoke":
		name, list := callee(in.rest)
		if args := splitList(list); !b.onlyTells(name, args) {
			b.edge(condition, "c "+name)
		}
		if formats[name] {
			b.format([]string{splitList(list)[0]}, condition)
		}
	}
}

// onlyTells tells functions whose call is of no matter by itself.
func (b *flowBody) onlyTells(name string, args []string) bool {
	return prints[name] && b.printsOnly(name, args) || formats[name] || idle[name] || pure[name] || mathCalls[name] || askers[name] || strings.HasPrefix(name, "llvm.") ||
		environs[name] || inserts(name) && len(args) > 0 && b.stream(args[0])
}

// whole says what a call of the function does, by itself: what it stores and calls, where it is short and has no loop.
func (b *flowBody) whole() {
	called := "c " + b.name
	var all []int
	for i := range b.blocks {
		all = append(all, i)
	}
	if len(all) > mostOfFunction || b.loops() || !b.harmless(all) {
		b.edge(called, matters)
		return
	}
	for _, k := range b.blocks {
		for _, in := range k.lines {
			if in.opcode != "store" || !b.onlyOwn(in) {
				b.under(called, in)
			}
		}
	}
}

// onlyOwn tells stores to variables that are gone when the function returns.
func (b *flowBody) onlyOwn(in instruction) bool {
	_, p, _ := takeTyped(splitList(in.rest)[1])
	memory, known := b.memory(p)
	return known && !slices.ContainsFunc(memory, func(m string) bool { return m[0] != 'a' })
}

// mostOfFunction bounds a function whose call may not matter, in blocks.
const mostOfFunction = 24

// loops says whether a block may run twice.
func (b *flowBody) loops() bool {
	state := make([]int, len(b.blocks))
	var visit func(int) bool
	visit = func(n int) bool {
		if state[n] > 0 {
			return state[n] == 1
		}
		state[n] = 1
		found := slices.ContainsFunc(b.blocks[n].next, visit)
		state[n] = 2
		return found
	}
	return len(b.blocks) > 0 && visit(0)
}
