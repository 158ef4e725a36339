package instrument

import (
	"path/filepath"
	"strings"
)

// setOf makes a set of words.
func setOf(words string) map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		all[w] = true
	}
	return all
}

var (
	// prints are functions that write their arguments to where people read them.
	prints = setOf("printf fprintf puts putchar fputs fputc putc fwrite perror fflush vprintf vfprintf __printf_chk __fprintf_chk putchar_unlocked fputc_unlocked _IO_putc")
	// formats write what follows their first argument into that.
	formats = setOf("sprintf snprintf __sprintf_chk __snprintf_chk strcpy strcat strncpy strncat __strcpy_chk __strcat_chk")
	// pure are functions whose result comes from their arguments and what these point to, and which do nothing else.
	pure = setOf("atoi atol atoll atof strtol strtoul strtoll strtoull strtod strtof __isoc23_strtol __isoc23_strtoul strlen strcmp strncmp strcasecmp strchr strstr abs labs toupper tolower")
	// allocates gives memory that nothing else points to.
	allocates = setOf("malloc calloc _Znwm _Znam aligned_alloc _ZnwmSt11align_val_t _ZnamSt11align_val_t __kmpc_alloc_shared")
	// idle are functions that matter neither to what they are given nor to what comes after.
	idle = setOf("free _ZdlPv _ZdlPvm _ZdaPv omp_get_wtime omp_get_wtick __kmpc_global_thread_num __kmpc_end_master __kmpc_end_single __kmpc_end_masked " +
		"gettimeofday clock_gettime time clock getrusage _ZNSt6chrono3_V212system_clock3nowEv _ZNSt6chrono3_V212steady_clock3nowEv")
	// streams of C++ that people read.
	streams = setOf("_ZSt4cout _ZSt4cerr _ZSt4clog")
)

// inserts tells the functions of std::ostream that write.
func inserts(name string) bool {
	for _, prefix := range []string{"_ZNSolsE", "_ZNSo9_M_insertI", "_ZStlsI", "_ZSt16__ostream_insertI", "_ZNSo3putEc", "_ZNSo5flushEv", "_ZNSo5writeEPKcl", "_ZSt4endlI"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// toPeople tells the streams that people read, and what inserting into them gives.
func (b *flowBody) toPeople(v string, depth int) bool {
	if depth > 64 {
		return false
	}
	if !strings.HasPrefix(v, "%") {
		all := globals(v)
		return len(all) == 1 && streams[all[0]]
	}
	in := b.def[v]
	switch in.opcode {
	case "bitcast", "getelementptr":
		return b.toPeople(addressed(in), depth+1)
	case "call", "invoke":
		name, arguments := callee(in.rest)
		if inserts(name) {
			_, of, _ := takeTyped(splitList(arguments)[0])
			return b.toPeople(of, depth+1)
		}
	}
	return false
}

// call adds what a call does.
func (b *flowBody) call(in instruction) {
	name, list := callee(in.rest)
	args := splitList(list)
	if list == "" {
		args = nil
	}
	switch {
	case askers[name] && !b.defined(name):
		b.ask(in, name)
	case environs[name] && b.mayName(args, asksVariable):
		b.ask(in, variableOfThreads)
	case (name == "dlsym" || name == "dlvsym") && b.mayName(args, namesAsker):
		b.ask(in, name)
	case prints[name] && !b.defined(name):
		b.print(in, name, args)
	case idle[name], strings.HasPrefix(name, "llvm.lifetime."), strings.HasPrefix(name, "llvm.dbg."), strings.HasPrefix(name, "llvm.assume"):
	case inserts(name) && len(args) > 0 && b.stream(args[0]):
	case formats[name] && len(args) > 0:
		b.format(args, b.sourcesOf(args[1:])...)
		b.result(in, args)
		if b.storesCount(name, args) {
			b.pass(instruction{}, "", args)
		}
	case blockCopy(name) && len(args) > 2, blockSet(name) && len(args) > 2:
		b.block(args, blockCopy(name))
	case pure[name], mathCalls[name], strings.HasPrefix(name, "llvm."):
		b.compose(in, args)
	case strings.HasPrefix(name, "__kmpc_fork_call") && len(args) > 2:
		b.fork(name, args)
	default:
		if setters[name] {
			b.sets = append(b.sets, b.placeOf(in))
		}
		b.pass(in, name, args)
	}
}

func (b *flowBody) stream(arg string) bool {
	_, v, _ := takeTyped(arg)
	return b.toPeople(v, 0)
}

func (b *flowBody) defined(name string) bool {
	_, ok := b.flow.params[name]
	return ok
}

func (b *flowBody) placeOf(in instruction) Place {
	if in.location < 0 {
		return Place{Function: b.name, File: filepath.Base(b.source)}
	}
	return b.debug.place(in.location)
}

func (b *flowBody) ask(in instruction, what string) {
	b.asks = append(b.asks, ask{what, b.placeOf(in)})
	if in.result != "" {
		b.edge(askNode(len(b.asks)-1), b.value(in.result))
	}
}

// sources are the places that an argument brings: its value, and what it points to.
func (b *flowBody) sources(arg string) []string {
	_, v, _ := takeTyped(arg)
	var all []string
	if strings.HasPrefix(v, "%") {
		all = append(all, b.value(v))
	}
	if isPointer(arg) {
		memory, _ := b.memory(v)
		all = append(all, memory...)
	}
	return all
}

func isPointer(typed string) bool {
	typ, _ := takeType(typed)
	return strings.HasSuffix(typ, "*") || strings.HasPrefix(typ, "ptr")
}

func (b *flowBody) sourcesOf(args []string) (all []string) {
	for _, a := range args {
		all = append(all, b.sources(a)...)
	}
	return all
}

// format writes to what the first argument points to.
func (b *flowBody) format(args []string, from ...string) {
	_, to, _ := takeTyped(args[0])
	memory, known := b.memory(to)
	for _, s := range from {
		b.write(s, memory, known)
	}
}

// block is of memcpy, memmove and memset.
func (b *flowBody) block(args []string, copies bool) {
	_, to, _ := takeTyped(args[0])
	memory, known := b.memory(to)
	if copies {
		for _, s := range b.sources(args[1]) {
			b.write(s, memory, known)
		}
	} else {
		for _, v := range b.operands(args[1]) {
			b.write(b.value(v), memory, known)
		}
	}
	for _, a := range []string{args[0], args[2]} {
		for _, v := range b.operands(a) {
			b.edge(b.value(v), matters)
		}
	}
}

// compose makes the result of a call depend on all of its arguments.
func (b *flowBody) compose(in instruction, args []string) {
	for _, a := range args {
		for _, s := range b.sources(a) {
			if in.result == "" {
				b.edge(s, matters)
			} else {
				b.edge(s, b.value(in.result))
			}
		}
	}
}

// fork calls the body of a parallel region, which takes the numbers of the thread and then what the region captures.
func (b *flowBody) fork(name string, args []string) {
	body := globals(args[2])
	captured := args[3:]
	if strings.HasSuffix(name, "_if") && len(args) > 4 {
		for _, v := range b.operands(args[3]) {
			b.edge(b.value(v), matters)
		}
		captured = args[4:]
	}
	if len(body) == 0 || !b.defined(body[0]) {
		b.pass(instruction{}, "", args)
		return
	}
	for i, a := range captured {
		b.argument(body[0], i+2, a)
	}
}

// pass is a call of a function of the program, or of one that is not known.
func (b *flowBody) pass(in instruction, name string, args []string) {
	if in.result != "" && name != "" {
		b.edge("r "+name, b.value(in.result))
	}
	for i, a := range args {
		if name == "" {
			b.unknown(a)
			continue
		}
		b.argument(name, i, a)
	}
	if name == "" {
		for _, v := range b.operands(strings.SplitN(in.rest, "(", 2)[0]) { // the function itself
			b.edge(b.value(v), matters)
		}
	}
}

// unknown takes an argument of a function that is not known to matter.
func (b *flowBody) unknown(arg string) {
	for _, s := range b.sources(arg) {
		b.edge(s, matters)
	}
	for _, g := range globals(arg) {
		b.escape(g)
	}
}

// argument makes a parameter of a function depend on what is passed.
func (b *flowBody) argument(name string, i int, arg string) {
	if own, ok := b.flow.params[name]; ok && i >= len(own) { // one of "..."
		b.unknown(arg)
		return
	}
	_, v, _ := takeTyped(arg)
	if strings.HasPrefix(v, "%") {
		b.edge(b.value(v), place("p", name, i))
	}
	if !isPointer(arg) {
		return
	}
	memory, known := b.memory(v)
	for _, m := range memory {
		b.edge(m, place("i", name, i))
		b.edge(place("o", name, i), m)
	}
	if !known {
		b.edge(place("o", name, i), matters)
	}
	for _, g := range globals(v) {
		if b.defined(g) {
			b.escape(g)
		}
	}
}
