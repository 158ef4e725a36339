package instrument

import (
	"slices"
	"strings"
)

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
