package readers

import (
	"fmt"
	"strings"

	"foresee/application/ir/probe"
	"foresee/application/ir/text"
)

// instrumenter adds calls of the log to a module's text.
type instrumenter struct {
	out    strings.Builder
	opaque bool // pointers have no types
	n      int  // names given
}

// instrument puts a call in front of each load and store of a module, and where regions, by linkage name and number, begin and end.
func instrument(module string, regions map[string]int) string {
	x := &instrumenter{opaque: text.Opaque(module)}
	module = strings.ReplaceAll(module, `"probe-stack"="__rust_probestack"`, "") // is no part of its shared library
	inside, region, entered := false, -1, true
	for line := range strings.Lines(module) {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "define "):
			inside, entered, region = true, false, -1
			if n, ok := regions[text.Defined(line)]; ok {
				region = n
			}
		case strings.HasPrefix(line, "}"):
			inside = false
		case inside && !entered && strings.HasPrefix(line, "  ") && !strings.HasPrefix(trimmed, ";"):
			entered = true
			if region >= 0 {
				fmt.Fprintf(&x.out, "  call void @foresee_probe_enter(i32 %d)\n", region)
			}
		}
		if inside && strings.HasPrefix(line, "  ") {
			x.instruction(trimmed)
			if region >= 0 && strings.HasPrefix(trimmed, "ret ") {
				x.out.WriteString("  call void @foresee_probe_exit()\n")
			}
		}
		x.out.WriteString(line)
	}
	p := x.pointer()
	fmt.Fprintf(&x.out, "\ndeclare void @foresee_probe_enter(i32)\ndeclare void @foresee_probe_exit()\ndeclare void @foresee_probe(%s, i64, i32)\ndeclare void @foresee_probe_block(%s, %s, i64)\n", p, p, p)
	return x.out.String()
}

func (x *instrumenter) pointer() string {
	if x.opaque {
		return "ptr"
	}
	return "i8*"
}

// instruction logs what an instruction accesses, in front of it.
func (x *instrumenter) instruction(line string) {
	_, made, _ := strings.Cut(line, " = ")
	switch {
	case strings.HasPrefix(made, "load "):
		parts := probe.Split(unmarked(strings.TrimPrefix(made, "load ")))
		if len(parts) > 1 {
			x.probe(parts[1], parts[0], 0)
		}
	case strings.HasPrefix(line, "store "):
		parts := probe.Split(unmarked(strings.TrimPrefix(line, "store ")))
		if len(parts) > 1 {
			x.probe(parts[1], typeOf(parts[0]), 1)
		}
	case strings.Contains(line, "@llvm.memset."), strings.Contains(line, "@llvm.memcpy."), strings.Contains(line, "@llvm.memmove."):
		x.block(line)
	}
}

// orders are words behind the address of an atomic access.
var orders = []string{" unordered", " monotonic", " acquire", " release", " acq_rel", " seq_cst"}

// unmarked is an access without the words that say that it is atomic or volatile.
func unmarked(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "atomic "), "volatile ")
	for _, o := range orders {
		s = strings.Replace(s, o+",", ",", 1)
	}
	return s
}

// probe logs an access to an address, which has its type in front, of the size of another type.
func (x *instrumenter) probe(address, of string, write int) {
	if x.opaque {
		fmt.Fprintf(&x.out, "  call void @foresee_probe(%s, i64 ptrtoint (ptr getelementptr (%s, ptr null, i32 1) to i64), i32 %d)\n", address, of, write)
		return
	}
	x.n++
	fmt.Fprintf(&x.out, "  %%foresee.probe.%d = bitcast %s to i8*\n", x.n, address)
	fmt.Fprintf(&x.out, "  call void @foresee_probe(i8* %%foresee.probe.%d, i64 ptrtoint (%s* getelementptr (%s, %s* null, i32 1) to i64), i32 %d)\n", x.n, of, of, of, write)
}

// block logs a call that fills or copies a block.
func (x *instrumenter) block(line string) {
	open := strings.Index(line, "(")
	if open < 0 || !strings.Contains(line[:open], "call ") {
		return
	}
	args := probe.Split(inner(line[open:]))
	if len(args) < 3 {
		return
	}
	p := x.pointer()
	from := p + " null"
	if !strings.Contains(line[:open], "memset") {
		from = p + " " + operand(args[1])
	}
	fmt.Fprintf(&x.out, "  call void @foresee_probe_block(%s %s, %s, %s)\n", p, operand(args[0]), from, args[2])
}

// inner is what a bracket holds that a text begins with.
func inner(s string) string {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return s[1:i]
			}
		}
	}
	return s
}

// operand is the value of an argument, behind its type and attributes.
func operand(arg string) string {
	for _, begins := range []string{" getelementptr ", " bitcast "} {
		if i := strings.Index(arg, begins); i >= 0 {
			return arg[i+1:]
		}
	}
	return arg[strings.LastIndexByte(arg, ' ')+1:]
}

// typeOf is the type that a typed value begins with.
func typeOf(s string) string {
	for i, c := range probe.Outside(s) {
		if c == ' ' && !strings.HasPrefix(s[i+1:], "(") {
			return s[:i]
		}
	}
	return s
}

// numbers gives the functions of a module that are regions their numbers, by what they are called in results.
func numbers(m *text.Module, regions []string) map[string]int {
	out := map[string]int{}
	for _, fn := range m.Functions {
		for i, name := range regions {
			shown := text.Plain(fn.Name)
			if s, ok := m.Subprogram(fn.Debug); ok && (shown == fn.Name || strings.HasSuffix(s.File, ".rs")) {
				shown = s.Function
			}
			if _, there := out[fn.Name]; !there && (shown == name || text.Instance(fn.Name) == name) && fn.Debug >= 0 {
				out[fn.Name] = i
			}
		}
	}
	return out
}
