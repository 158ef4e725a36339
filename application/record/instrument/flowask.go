package instrument

import (
	"path/filepath"
	"slices"
	"strings"
)

// The ways to ask that are no plain calls of those functions.

var (
	// environs give a variable of the environment.
	environs = setOf("getenv secure_getenv __secure_getenv")
	// environments are variables that the whole environment is in.
	environments = setOf("environ __environ _environ")
)

// mayName tells whether an argument points to a string of that kind, or to one that is not known.
func (b *flowBody) mayName(args []string, is func(string) bool) bool {
	for _, a := range args {
		if !isPointer(a) {
			continue
		}
		if texts, known := b.textsOf(a); known {
			return slices.ContainsFunc(texts, is)
		}
	}
	return true
}

func asksVariable(text string) bool { return strings.HasSuffix(text, variableOfThreads+`\00`) }

func namesAsker(text string) bool { return askers[strings.TrimSuffix(text, `\00`)] }

// testsVariable tells comparisons with null of what getenv gave.
func (b *flowBody) testsVariable(in instruction) bool {
	parts := splitList(in.rest)
	if len(parts) < 2 || parts[1] != "null" {
		return false
	}
	all := b.operands(parts[0])
	return len(all) == 1 && b.isVariable(all[0])
}

// isVariable tells what getenv gave.
func (b *flowBody) isVariable(v string) bool {
	in := b.def[v]
	switch in.opcode {
	case "call", "invoke":
		name, _ := callee(in.rest)
		return environs[name]
	case "load":
		parts := splitList(in.rest)
		_, from, _ := takeTyped(parts[min(1, len(parts)-1)])
		values := b.stored[from]
		return len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return b.def[v].opcode == "load" || !b.isVariable(v) })
	}
	return false
}

// environment finds main's third parameter, where it is used.
func (b *flowBody) environment() {
	const argumentsOfMain = 2 // argc and argv, before it
	for v, i := range b.params {
		if b.name != "main" || i != argumentsOfMain {
			continue
		}
		for _, k := range b.blocks {
			for _, in := range k.lines {
				if slices.Contains(b.operands(in.rest), v) && !strings.Contains(in.rest, "@llvm.dbg.") {
					b.asks = append(b.asks, ask{"environment of main", b.placeOf(in)})
					b.edge(askNode(len(b.asks)-1), b.value(v))
					return
				}
			}
		}
	}
}

// askersTaken finds functions that tell of threads where they are not called but handed on, so that nobody knows who asks, and the
// environment as a whole.
func (b *flowBody) askersTaken(in instruction) {
	if strings.Contains(in.rest, "@llvm.dbg.") {
		return
	}
	called := ""
	if in.opcode == "call" || in.opcode == "invoke" {
		called, _ = callee(in.rest)
	}
	for _, name := range globals(in.rest) {
		switch {
		case name == called:
			called = ""
		case askers[name] && !b.defined(name):
			b.asks = append(b.asks, ask{name, b.placeOf(in)})
			b.edge(askNode(len(b.asks)-1), matters)
		case environments[name]:
			b.ask(in, name)
			if in.opcode != "load" {
				b.edge(askNode(len(b.asks)-1), matters)
			}
		}
	}
}

// askersInTables finds functions that tell of threads in the initial values of variables.
func (f *flow) askersInTables(lines []string) {
	for _, l := range lines {
		if !strings.HasPrefix(l, "@") {
			continue
		}
		for _, name := range globals(l) {
			if _, own := f.params[name]; askers[name] && !own {
				f.asks = append(f.asks, ask{name, Place{File: filepath.Base(f.source)}})
				f.edge(askNode(len(f.asks)-1), matters)
			}
		}
	}
}
