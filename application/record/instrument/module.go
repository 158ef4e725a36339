package instrument

import (
	"fmt"
	"slices"
	"strings"
)

// Options say how a module is instrumented.
type Options struct {
	Opaque bool // pointers have no types: clang 15 and later
	PIC    bool // the object may go into a shared library
	X86    bool // fr_step may be called with all registers preserved
	Name   string
	Flow   string // what is known of how values flow besides: lines of the graph, as of ReductionsOf
}

// Module is what a module's segments do.
type Module struct {
	Name     string
	Compiler string // with its flags, whose machine code the segments are; empty of the compiler's intermediate code
	Segments []Segment
	Unseen   int // instructions whose accesses cannot be recorded
	// Bases are where the object's sections of code begin in the program as it is without recording, 0 where that is not known.
	Bases  []uint64
	memory int // bytes, where it was read
}

// Segment is a straight-line stretch of code.
type Segment struct {
	Block    int    // basic block of the module that it is part of
	Begins   bool   // it is the first of its block
	Last     bool   // only the thread that ran the last iteration of a worksharing loop runs it
	Place    Place  // of its first instruction
	Region   string // function:line of the parallel region whose body it is in; empty elsewhere
	Accesses []Access
	Ops      Ops
	Chain    Ops     // operations on the longest dependency from one execution of the segment to the next
	Code     []Coded // its machine instructions; empty where the segment is of intermediate code
	// Before, of a segment with a chain, are the blocks of the module from which its loop begins.
	Before []int
}

// Coded is a machine instruction of a segment.
type Coded struct {
	Word    int    // of the segment, the first that it accesses; −1: none
	Text    string // as the assembler takes it
	Placed  bool   // it is known where it lies in the object as it is without recording
	Section int    // of code
	Offset  uint64 // bytes from its begin
}

// unlinked is how far apart sections are taken to begin whose place in the program is not known: at pages of 4 KiB, so that what lies in one block of
// fetched code is told as well as the object tells it.
const unlinked = 1 << 12

// At is the address of an instruction in the program as it is without recording; 0 where it is not known.
func (m *Module) At(c *Coded) uint64 {
	switch {
	case !c.Placed:
		return 0
	case c.Section < len(m.Bases) && m.Bases[c.Section] != 0:
		return m.Bases[c.Section] + c.Offset
	}
	return unlinked + c.Offset
}

// Words is how many words the segment appends: one an access, two a block.
func (s *Segment) Words() int {
	n := 0
	for _, a := range s.Accesses {
		n++
		if a.Size == 0 {
			n++
		}
	}
	return n
}

// mostWords bounds a segment: the recorder keeps a bit for each.
const mostWords = 60

// module is the state of one instrumentation.
type module struct {
	options Options
	types   types
	debug   *debugInfo
	out     strings.Builder
	made    Module
	names   int
	head    int // bytes of the output that must come first

	blocks   int
	region   string
	function string
	last     bool                // the block is one of lastBlocks
	entry    bool                // in the first block of a function that is the body of a parallel region
	naked    map[string]bool     // groups of attributes with it
	labels   map[string]int      // of the function, the numbers of its blocks
	first    int                 // block of the function
	body     []string            // of the function
	operands map[string][]string // of the function, by result; nil: not looked for yet
	x86      bool
	fma      map[string]bool // groups of attributes with that feature
	fused    bool            // the function may multiply and add in one instruction
}

// Instrument adds recording to a module of IR and gives it with what its segments do.
func Instrument(ir string, o Options) (string, *Module, error) {
	lines := strings.Split(ir, "\n")
	m := &module{options: o, types: types{}, debug: readDebugInfo(lines), made: Module{Name: o.Name}, naked: map[string]bool{}, fma: map[string]bool{}}
	for _, l := range lines {
		if strings.HasPrefix(l, "%") {
			m.types.define(l)
		}
		m.x86 = m.x86 || strings.HasPrefix(l, `target triple = "x86_64`) || strings.HasPrefix(l, `target triple = "i`)
		if group, ok := strings.CutPrefix(l, "attributes "); ok {
			name, _, _ := strings.Cut(group, " ")
			m.naked[name] = strings.Contains(l, " naked ")
			m.fma[name] = hasFMA(l)
		}
	}
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "define ") {
			m.out.WriteString(lines[i])
			m.out.WriteByte('\n')
			if strings.HasPrefix(lines[i], "target ") || strings.HasPrefix(lines[i], "source_filename") {
				m.head = m.out.Len()
			}
			continue
		}
		end := i + 1
		for end < len(lines) && lines[end] != "}" {
			end++
		}
		if end == len(lines) {
			return "", nil, fmt.Errorf("function without an end: %s", lines[i])
		}
		m.instrumentFunction(lines[i : end+1])
		i = end
	}
	m.finish()
	m.writeFlow(readFlow(lines, m.debug).text() + o.Flow)
	return m.out.String(), &m.made, nil
}

// instrumentFunction adds calls of the recorder to a function.
func (m *module) instrumentFunction(lines []string) {
	m.function, _ = callee(lines[0])
	m.region = ""
	if strings.Contains(m.function, "omp_outlined") {
		if in := parseInstruction(lines[0]); in.location >= 0 {
			p := m.debug.scope(in.location)
			name := p.Function
			if name == "" {
				name, _, _ = strings.Cut(strings.TrimPrefix(m.function, "."), ".")
			}
			m.region = fmt.Sprintf("%s:%d", name, p.Line)
		} else {
			m.region = m.function
		}
	}
	m.entry = m.region != ""
	m.out.WriteString(lines[0])
	m.out.WriteByte('\n')
	if m.isNaked(lines[0]) {
		m.copyLines(lines[1:])
		return
	}
	m.fused = m.fuses(lines[0])
	body := lines[1 : len(lines)-1]
	last := lastBlocks(body)
	m.labels = map[string]int{}
	m.first, m.body, m.operands = m.blocks, body, nil
	n := m.blocks
	for _, l := range body[min(1, len(body)):] {
		if isLabel(l) {
			n++
			label, _, _ := strings.Cut(l, ":")
			m.labels[label] = n
		}
	}
	for start := 0; start < len(body); {
		end := start + 1
		for end < len(body) && !isLabel(body[end]) {
			end++
		}
		label, _, _ := strings.Cut(body[start], ":")
		m.last = isLabel(body[start]) && last[label]
		m.instrumentBlock(body[start:end])
		m.entry = false
		start = end
	}
	m.out.WriteString("}\n")
}

// fuses tells whether a function is for a processor that multiplies and adds in one instruction: on x86 only with the feature fma.
func (m *module) fuses(define string) bool {
	if !m.x86 {
		return true
	}
	for word := range strings.FieldsSeq(define) {
		if m.fma[word] {
			return true
		}
	}
	return false
}

// hasFMA tells attributes with the feature.
func hasFMA(attributes string) bool {
	_, features, _ := strings.Cut(attributes, `"target-features"="`)
	features, _, _ = strings.Cut(features, `"`)
	return slices.Contains(strings.Split(features, ","), "+fma")
}

// isNaked tells functions without a frame, whose body is assembly alone.
func (m *module) isNaked(define string) bool {
	for word := range strings.FieldsSeq(define) {
		if word == "naked" || m.naked[word] {
			return true
		}
	}
	return false
}

func (m *module) copyLines(lines []string) {
	for _, l := range lines {
		m.out.WriteString(l)
		m.out.WriteByte('\n')
	}
}

// isLabel tells the line that begins a block, such as "24:    ; preds = %16".
func isLabel(line string) bool {
	if line == "" || line[0] == ' ' || line[0] == ';' || line[0] == '}' {
		return false
	}
	name := line
	if line[0] == '"' {
		_, after, closed := strings.Cut(line[1:], `"`)
		return closed && strings.HasPrefix(after, ":")
	}
	i := strings.IndexByte(name, ':')
	return i > 0 && !strings.ContainsAny(name[:i], " =")
}

// isInstruction tells the first line of an instruction from labels, comments, debug records and continuations.
func isInstruction(line string) bool {
	return len(line) > 2 && line[0] == ' ' && line[1] == ' ' && line[2] != ' ' && line[2] != ';' && line[2] != '#' && line[2] != ']'
}

// leads tells the instructions before which nothing may be inserted.
func leads(opcode string) bool {
	return opcode == "phi" || opcode == "landingpad" || opcode == "catchpad" || opcode == "cleanuppad" || opcode == "catchswitch"
}

// terminates says whether an opcode ends a basic block.
func terminates(opcode string) bool {
	switch opcode {
	case "br", "switch", "ret", "indirectbr", "invoke", "resume", "unreachable", "callbr", "catchret", "cleanupret", "catchswitch":
		return true
	}
	return false
}

// splits tells the calls in which other segments may run.
func splits(in instruction) bool {
	if in.opcode != "call" && in.opcode != "invoke" && in.opcode != "callbr" {
		return false
	}
	if strings.Contains(in.rest, " asm ") || strings.HasPrefix(in.rest, "asm ") {
		return false
	}
	name, _ := callee(in.rest)
	return !strings.HasPrefix(name, "llvm.") && !mathCalls[name] && name != "memcpy" && name != "memmove" && name != "memset"
}

// instrumentBlock divides a block into segments.
func (m *module) instrumentBlock(lines []string) {
	block := m.blocks
	m.blocks++
	w := &segmentWriter{module: m, block: block, first: true, keep: m.entry}
	if isLabel(lines[0]) {
		w.label, _, _ = strings.Cut(lines[0], ":")
	}
	for i, l := range lines {
		if !isInstruction(l) {
			w.pass(l)
			continue
		}
		in := parseInstruction(l)
		if leads(in.opcode) {
			w.pass(l)
			if in.opcode == "phi" {
				w.phis = append(w.phis, in)
			}
			if in.opcode == "catchswitch" {
				w.pass(strings.Join(lines[i+1:], "\n"))
				return
			}
			continue
		}
		// A landingpad's clauses follow it; they were passed on above.
		all, unseen := m.accesses(in)
		if unseen {
			m.made.Unseen++
		}
		w.add(in, all)
		if splits(in) {
			w.count(in)
			w.close()
			w.pass(l)
			continue
		}
		w.count(in)
		if terminates(in.opcode) {
			w.close()
		}
		w.pass(l)
	}
	w.close()
}

// lastBlocks finds the blocks of a function that only the thread which ran the last iteration of a worksharing loop runs:
// those that copy lastprivate variables out. clang tests the variable that __kmpc_dispatch_next sets for this.
func lastBlocks(lines []string) map[string]bool {
	flags := map[string]bool{}
	for _, l := range lines {
		if !strings.Contains(l, "@__kmpc_dispatch_next_") {
			continue
		}
		name, arguments := callee(l)
		if args := splitList(arguments); strings.HasPrefix(name, "__kmpc_dispatch_next_") && len(args) > 2 {
			_, v, _ := takeTyped(args[2])
			flags[v] = true
		}
	}
	if len(flags) == 0 {
		return nil
	}
	blocks := map[string]bool{}
	values := map[string]bool{}  // loaded from a flag
	tests := map[string]string{} // comparisons of these with 0: eq or ne
	for _, l := range lines {
		if !isInstruction(l) {
			continue
		}
		in := parseInstruction(l)
		switch in.opcode {
		case "load":
			if parts := splitList(in.rest); len(parts) > 1 {
				_, v, _ := takeTyped(parts[1])
				values[in.result] = values[in.result] || flags[v]
			}
		case "icmp":
			if parts := splitList(in.rest); len(parts) > 1 && strings.HasPrefix(parts[1], "0") {
				how, operand, _ := strings.Cut(parts[0], " ")
				_, v, _ := takeTyped(operand)
				if values[v] {
					tests[in.result] = how
				}
			}
		case "br":
			parts := splitList(in.rest)
			if len(parts) < 3 {
				continue
			}
			_, v, _ := takeTyped(parts[0])
			switch tests[v] {
			case "eq":
				blocks[labelOf(parts[2])] = true
			case "ne":
				blocks[labelOf(parts[1])] = true
			}
		}
	}
	return blocks
}

// labelOf gives the name in "label %24".
func labelOf(operand string) string {
	name, _ := takeValue(strings.TrimPrefix(strings.TrimSpace(operand), "label "))
	return strings.TrimPrefix(name, "%")
}
