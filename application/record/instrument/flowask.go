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

// streamOf is the argument of a function that prints which says where to; formatOf that which says what follows.
var (
	streamOf = map[string]int{
		"fprintf": 0, "vfprintf": 0, "__fprintf_chk": 0, "fputs": 1, "fputc": 1, "putc": 1, "fputc_unlocked": 1, "_IO_putc": 1, "fwrite": 3,
	}
	formatOf = map[string]int{
		"printf": 0, "fprintf": 1, "vprintf": 0, "vfprintf": 1, "__printf_chk": 1, "__fprintf_chk": 2,
		"sprintf": 1, "snprintf": 2, "__sprintf_chk": 3, "__snprintf_chk": 4,
	}
)

// print adds what a function that prints does beside that: what it returns, and what %n stores. What gets into a file may be read again.
func (b *flowBody) print(in instruction, name string, args []string) {
	b.result(in, args)
	if !b.printsOnly(name, args) {
		b.pass(instruction{}, "", args)
	}
}

// result passes arguments on to what a call returns.
func (b *flowBody) result(in instruction, args []string) {
	if in.result == "" {
		return
	}
	for _, s := range b.sourcesOf(args) {
		b.edge(s, b.value(in.result))
	}
}

// printsOnly tells calls that print to where people read, and do nothing else.
func (b *flowBody) printsOnly(name string, args []string) bool {
	if at, ok := streamOf[name]; ok {
		if at >= len(args) {
			return false
		}
		if _, v, _ := takeTyped(args[at]); !b.standard(v, 0) {
			return false
		}
	}
	return !b.storesCount(name, args)
}

// standard tells the streams stdout and stderr.
func (b *flowBody) standard(v string, depth int) bool {
	const deepest = 16 // how far a value is followed; chosen: a stream is seldom passed on twice
	in := b.def[v]
	values := b.choices(in)
	if in.opcode == "load" {
		parts := splitList(strings.TrimPrefix(in.rest, "volatile "))
		if len(parts) < 2 {
			return false
		}
		_, from, _ := takeTyped(parts[1])
		if from == "@stdout" || from == "@stderr" {
			return true
		}
		values = b.stored[from]
	}
	return depth < deepest && len(values) > 0 && !slices.ContainsFunc(values, func(v string) bool { return !b.standard(v, depth+1) })
}

// storesCount says whether a format may have %n: one that is not known, with a pointer after it, may.
func (b *flowBody) storesCount(name string, args []string) bool {
	at, ok := formatOf[name]
	if !ok || at >= len(args) || !slices.ContainsFunc(args[at+1:], isPointer) {
		return false
	}
	texts, known := b.textsOf(args[at])
	return !known || slices.ContainsFunc(texts, hasCount)
}

// hasCount finds %n in a format.
func hasCount(format string) bool {
	for i := 0; i < len(format); i++ {
		if format[i] != '%' {
			continue
		}
		i++
		for i < len(format) && strings.IndexByte("0123456789 +-#'.*$hljztL", format[i]) >= 0 {
			i++
		}
		if i < len(format) && format[i] == 'n' {
			return true
		}
	}
	return false
}

// textsOf gives the constant strings that an argument may point to; known is false where it may be another.
func (b *flowBody) textsOf(arg string) (all []string, known bool) {
	_, v, _ := takeTyped(arg)
	memory, known := b.memory(v)
	for _, m := range memory {
		name, global := strings.CutPrefix(m, "g ")
		text, ok := b.texts[name]
		all, known = append(all, text), known && global && ok
	}
	return all, known && len(all) > 0
}
