package instrument

import (
	"fmt"
	"strconv"
	"strings"
)

// segmentWriter writes a block, segment by segment. The lines of a segment are held back until it is known whether it
// records anything.
type segmentWriter struct {
	module *module
	block  int
	first  bool // no segment of this block was written yet
	keep   bool // even if it records nothing

	open    bool
	segment Segment
	placed  bool
	number  int
	words   int
	held    []string // with code that records
	plain   []string // without
	lines   []instruction
	phis    []instruction // of the block
	label   string        // of the block; empty of the first of a function
}

// pass takes a line that is written as it is.
func (w *segmentWriter) pass(line string) {
	if !w.open {
		w.module.out.WriteString(line)
		w.module.out.WriteByte('\n')
		return
	}
	w.held = append(w.held, line)
	w.plain = append(w.plain, line)
}

// begin begins a segment where none is open.
func (w *segmentWriter) begin() {
	if w.open {
		return
	}
	w.open = true
	w.number = len(w.module.made.Segments)
	w.words = 0
	w.segment = Segment{Block: w.block, Region: w.module.region, Ops: Ops{}, Last: w.module.last}
	w.placed = false
	w.held, w.plain, w.lines = w.held[:0], w.plain[:0], w.lines[:0]
}

// add takes an instruction, before it is written, with its accesses.
func (w *segmentWriter) add(in instruction, all []found) {
	w.begin()
	if w.words+2*len(all) > mostWords {
		w.close()
		w.begin()
	}
	if in.location >= 0 && !w.placed {
		w.segment.Place = w.module.debug.place(in.location)
		w.placed = w.segment.Place.Line > 0
	}
	for _, a := range all {
		a.word = w.words + 1
		w.record(a)
		w.words++
		if a.length != "" {
			w.words++
		}
		w.segment.Accesses = append(w.segment.Accesses, a.Access)
	}
	w.lines = append(w.lines, in)
}

// count adds the operations of an instruction.
func (w *segmentWriter) count(in instruction) {
	for _, op := range w.module.operations(in) {
		w.segment.Ops[op]++
	}
}

// operations are those of an instruction: of a product and sum that the compiler may fuse, one or two.
func (m *module) operations(in instruction) []Op {
	op, ok := operationOf(in)
	switch {
	case !ok:
		return nil
	case m.mayFuse(in) && !m.fused:
		return []Op{{"fmul", op.Type, op.Lanes}, {"fadd", op.Type, op.Lanes}}
	}
	return []Op{op}
}

// mayFuse tells a product and sum that are one instruction only where the processor has it.
func (m *module) mayFuse(in instruction) bool {
	name, _ := callee(in.rest)
	return in.opcode == "call" && strings.HasPrefix(name, "llvm.fmuladd.")
}

// operationOf is the operation that an instruction counts as.
func operationOf(in instruction) (op Op, ok bool) {
	if in.opcode != "call" && in.opcode != "invoke" {
		return operation(in.opcode, in.rest)
	}
	name, _ := callee(in.rest)
	if strings.HasPrefix(name, "llvm.") {
		return intrinsic(name)
	}
	if mathCalls[name] {
		base, typ := mathType(name)
		if base == "sqrt" {
			return Op{"fsqrt", typ, 1}, true
		}
		return Op{"call:" + base, typ, 1}, true
	}
	return Op{"call:", "i64", 1}, true
}

func (w *segmentWriter) name(prefix string) string {
	w.module.names++
	return "%fr." + prefix + strconv.Itoa(w.module.names)
}

func (w *segmentWriter) emit(format string, args ...any) {
	w.held = append(w.held, "  "+fmt.Sprintf(format, args...))
}

// pointer is the type of a pointer to T.
func (m *module) pointer(to string) string {
	if m.options.Opaque {
		return "ptr"
	}
	return to + "*"
}

// record writes code that puts an access into the buffer.
func (w *segmentWriter) record(a found) {
	address := w.name("a")
	switch {
	case a.lane >= 0:
		typ, _ := takeType(a.pointed)
		_, element := lanes(typ)
		p := w.name("p")
		w.emit("%s = extractelement %s, i32 %d", p, a.pointed, a.lane)
		w.emit("%s = ptrtoint %s %s to i64", address, element, p)
	default:
		w.emit("%s = ptrtoint %s to i64", address, a.pointer)
	}
	if a.offset > 0 {
		there := w.name("o")
		w.emit("%s = add i64 %s, %d", there, address, a.offset)
		address = there
	}
	if a.mask != "" {
		address = w.masked(a, address)
	}
	w.store(address, a.word)
	if a.length == "" {
		return
	}
	typ, value, _ := strings.Cut(a.length, " ")
	if typ != "i64" {
		wide := w.name("n")
		w.emit("%s = zext %s %s to i64", wide, typ, value)
		value = wide
	}
	w.store(value, a.word+1)
}

// masked gives 0 for an address that is not accessed.
func (w *segmentWriter) masked(a found, address string) string {
	on := w.name("m")
	if a.lane >= 0 {
		w.emit("%s = extractelement %s, i32 %d", on, a.mask, a.lane)
	} else {
		bits := w.name("b")
		w.emit("%s = bitcast %s to i%d", bits, a.mask, a.lanes)
		w.emit("%s = icmp ne i%d %s, 0", on, a.lanes, bits)
	}
	out := w.name("a")
	w.emit("%s = select i1 %s, i64 %s, i64 0", out, on, address)
	return out
}

func (w *segmentWriter) store(value string, word int) {
	slot := w.name("q")
	p := w.module.pointer("i64")
	w.emit("%s = getelementptr i64, %s %%fr.s%d, i64 %d", slot, p, w.number, word)
	w.emit("store i64 %s, %s %s", value, p, slot)
}

// close ends the segment, before the instruction that is to follow it.
func (w *segmentWriter) close() {
	if !w.open {
		return
	}
	w.open = false
	m := w.module
	if w.words == 0 && len(w.segment.Ops) == 0 && !w.keep {
		m.copyLines(w.plain)
		return
	}
	w.keep = false
	w.segment.Begins = w.first
	w.first = false
	w.segment.Chain, w.segment.Before = w.chain()
	p := m.pointer("i64")
	n := w.number
	fmt.Fprintf(&m.out, "  %%fr.c%d = load i64, %s @fr_cursor\n", n, p)
	fmt.Fprintf(&m.out, "  %%fr.s%d = inttoptr i64 %%fr.c%d to %s\n", n, n, p)
	fmt.Fprintf(&m.out, "  store i64 ptrtoint (%s getelementptr (%s, %s @fr_first, i64 %d) to i64), %s %%fr.s%d\n",
		m.pointer(segmentType), segmentType, m.pointer(segmentType), n, p, n)
	m.copyLines(w.held)
	fmt.Fprintf(&m.out, "  %%fr.e%d = add i64 %%fr.c%d, %d\n", n, n, 8*(w.words+1))
	fmt.Fprintf(&m.out, "  store i64 %%fr.e%d, %s @fr_cursor\n", n, p)
	fmt.Fprintf(&m.out, "  call %svoid @fr_step()\n", m.convention())
	m.made.Segments = append(m.made.Segments, w.segment)
}

const segmentType = "%fr.segment"

func (m *module) convention() string {
	if m.options.X86 {
		return "preserve_allcc "
	}
	return ""
}

// finish writes descriptors, text, declarations and the constructor.
func (m *module) finish() {
	n := len(m.made.Segments)
	if n == 0 {
		return
	}
	text := m.out.String()
	m.out.Reset()
	head := m.head // the type must be known before its first use, and after the target
	m.out.WriteString(text[:head])
	fmt.Fprintf(&m.out, "%s = type { i32, i32, i64, i64, i64, i64 }\n", segmentType)
	m.out.WriteString(text[head:])

	local := "dso_local "
	if m.options.PIC {
		local = ""
	}
	body := m.made.Text()
	p8 := m.pointer("i8")
	o := &m.out
	o.WriteByte('\n')
	fmt.Fprintf(o, "@fr_cursor = external %sglobal i64\n", local)
	fmt.Fprintf(o, "@fr_segments = internal global [%d x %s] [", n, segmentType)
	for i := range m.made.Segments {
		if i > 0 {
			o.WriteString(", ")
		}
		fmt.Fprintf(o, "%s { i32 %d, i32 %d, i64 0, i64 0, i64 0, i64 0 }", segmentType, i, m.made.Segments[i].Words())
	}
	first := "ptr @fr_segments"
	if !m.options.Opaque {
		first = fmt.Sprintf("bitcast ([%d x %s]* @fr_segments to %s*)", n, segmentType, segmentType)
	}
	fmt.Fprintf(o, "], align 16\n@fr_first = internal alias %s, %s\n@fr_text = internal constant [%d x i8] c\"%s\"\n", segmentType, first, len(body), escape(body))
	fmt.Fprintf(o, "declare %s%svoid @fr_step()\ndeclare void @fr_module(%s, i64, %s, i64)\n", local, m.convention(), p8, p8)
	function := m.pointer("void ()")
	fmt.Fprintf(o, "@fr_constructor = internal constant %s @fr_construct, section \".init_array.00102\", align 8\n", function)
	fmt.Fprintf(o, "define internal void @fr_construct() {\n")
	if m.options.Opaque {
		fmt.Fprintf(o, "  call void @fr_module(ptr @fr_text, i64 %d, ptr @fr_segments, i64 %d)\n", len(body), n)
	} else {
		fmt.Fprintf(o, "  call void @fr_module(i8* getelementptr inbounds ([%d x i8], [%d x i8]* @fr_text, i64 0, i64 0), i64 %d, i8* bitcast ([%d x %s]* @fr_segments to i8*), i64 %d)\n",
			len(body), len(body), len(body), n, segmentType, n)
	}
	o.WriteString("  ret void\n}\n")
}

// escape writes bytes as LLVM's c"…" takes them.
func escape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 32 || c > 126 || c == '"' || c == '\\' {
			fmt.Fprintf(&b, "\\%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// writeFlow puts text into a section of its own, which is not loaded with the program.
func (m *module) writeFlow(text string) {
	if text == "" {
		return
	}
	fmt.Fprintf(&m.out, "module asm \"%s\"\n", escape(`.pushsection `+FlowSection+`,"",@progbits`))
	for line := range strings.Lines(text) {
		fmt.Fprintf(&m.out, "module asm \"%s\"\n", escape(`.ascii `+assemblerString(line)))
	}
	m.out.WriteString("module asm \".popsection\"\n")
}

func assemblerString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\t", `\t`, "\n", `\n`).Replace(s) + `"`
}
