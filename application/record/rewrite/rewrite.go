package rewrite

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"foresee/application/assembly"
	"foresee/application/layout"
	"foresee/application/record/instrument"
)

// Options say how a file is rewritten.
type Options struct {
	Name     string         // of the object, for people
	Compiler string         // with its flags, that wrote the file
	PIC      bool           // the object may go into a shared library
	Source   string         // file that places are in where the assembly does not say
	Plain    *layout.Object // the file as an object without recording; nil: not known
	Folder   string         // where the compiler ran: files in it are named from there
	Traps    bool           // an access may lead to code elsewhere in the function, which catches it
}

// Made is what was made of a file.
type Made struct {
	Text   []byte
	Module *instrument.Module
	Inline int // stretches of assembly that people wrote, which are not recorded
	Whole  int // functions that are not recorded at all
}

// mostWords bounds the words of a segment, below what package instrument allows, so that one more instruction always fits.
const mostWords = 52

// rewriter is the state of rewriting a file.
type rewriter struct {
	options Options
	live    *liveness
	needs   *needs
	made    Made
	bodies  map[string]string // of parallel regions, by their symbols: their names
	before  map[int][]byte    // what is to stand before a line
	after   map[int][]byte    // and behind it
	instead map[int][]byte    // and in its place
	loops   []*loop           // by segment; nil: none
	lines   []string
	blocks  int
}

// Rewrite adds recording to assembly in AT&T's syntax. An error is of reading.
func Rewrite(text []byte, o Options) (*Made, error) {
	f, err := assembly.ReadLoosely(o.Name, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	spoken := entries(string(text))
	for _, fn := range f.Functions {
		join(fn, spoken)
	}
	live := newLiveness(f)
	r := &rewriter{options: o, live: live, needs: newNeeds(live, f), bodies: bodies(f), before: map[int][]byte{}, after: map[int][]byte{}, instead: map[int][]byte{}, lines: strings.Split(string(text), "\n")}
	r.made.Module = &instrument.Module{Name: o.Name, Compiler: o.Compiler}
	for _, fn := range f.Functions {
		r.function(fn)
	}
	r.made.Text = r.assemble(text)
	return &r.made, nil
}

// near are jumps that reach some hundred bytes only, so that nothing may be put between them and where they go.
var near = names("jrcxz jecxz jcxz loop loope loopne loopz loopnz xbegin")

// function adds recording to a function.
func (r *rewriter) function(fn *assembly.Function) {
	for _, b := range fn.Blocks {
		for _, x := range b.Instructions {
			if near[x.Mnemonic] && !x.Inline {
				r.made.Whole++
				return
			}
		}
	}
	for _, b := range fn.Blocks {
		r.block(fn, b)
		r.blocks++
	}
}

// block adds recording to a block, segment by segment.
func (r *rewriter) block(fn *assembly.Function, b *assembly.Block) {
	sealed := sealedIn(b.Instructions)
	first, within := true, false
	for i := 0; i < len(b.Instructions); {
		x := b.Instructions[i]
		if x.Inline && !within && !strings.HasPrefix(x.Text, ".") { // what stands there for debuggers does nothing
			r.made.Inline++
			within = true
		}
		within = within && x.Inline
		if x.Inline || sealed[i] || x.Mnemonic == "endbr64" {
			i++
			continue
		}
		s := r.segment(b, i, sealed)
		s.made.Begins, s.made.Block = first, r.blocks
		s.made.Place = instrument.Place{Function: cmp.Or(r.bodies[fn.Name], FunctionName(fn.Name)), File: strings.TrimPrefix(x.Source.File, r.options.Folder+"/"), Line: x.Source.Line}
		if s.made.Place.File == "" {
			s.made.Place.File = r.options.Source
		}
		r.write(s)
		first = false
		i += len(s.code)
	}
}

// sealedIn says of each instruction that nothing may stand before it: it is in the midst of a line, or of a sequence that the linker looks for as a whole
// (System V ABI, x86-64, thread-local storage).
func sealedIn(code []*assembly.Instruction) []bool {
	sealed := make([]bool, len(code))
	within := false
	for i, x := range code {
		sealed[i] = within || x.Joined
		lower := strings.ToLower(x.Text)
		switch {
		case strings.Contains(lower, "@tlsgd"), strings.Contains(lower, "@tlsld"), strings.Contains(lower, "@tlsdesc"), x.Opaque && strings.HasPrefix(x.Mnemonic, "."):
			within = !x.Inline
		case !strings.HasPrefix(x.Mnemonic, "rex64"):
			within = within && x.Mnemonic != "call"
		}
	}
	return sealed
}

// segment is a straight-line stretch of code as it is rewritten.
type segment struct {
	block  *assembly.Block
	from   int
	code   []*assembly.Instruction
	sealed []bool
	words  []word
	made   instrument.Segment
}

// segment is the one that begins at an instruction of a block.
func (r *rewriter) segment(b *assembly.Block, from int, sealed []bool) *segment {
	s := &segment{block: b, from: from, made: instrument.Segment{Ops: instrument.Ops{}, Chain: instrument.Ops{}}}
	for i := from; i < len(b.Instructions); i++ {
		x := b.Instructions[i]
		if x.Inline {
			break
		}
		all, seen := accesses(x)
		unmask(all, b.Instructions[:i])
		if len(s.words) > 0 && len(s.words)+2*len(all) > mostWords && !sealed[i] {
			break
		}
		if !seen {
			r.made.Module.Unseen++
		}
		s.add(x, all)
		r.place(x, &s.made.Code[len(s.made.Code)-1])
		s.sealed = append(s.sealed, sealed[i])
		if x.Mnemonic == "call" {
			break
		}
	}
	return s
}

// add takes an instruction with its accesses.
func (s *segment) add(x *assembly.Instruction, all []access) {
	at := -1
	for _, a := range all {
		if len(s.words)+2 > mostWords+8 { // of a sealed sequence that never ends
			break
		}
		if at < 0 {
			at = len(s.words)
		}
		s.words = append(s.words, word{access: a, instruction: len(s.code)})
		s.made.Accesses = append(s.made.Accesses, instrument.Access{Write: a.write, Size: a.bytes, Line: x.Source.Line})
		if a.length != assembly.NoRegister {
			s.words = append(s.words, word{access: a, instruction: len(s.code), ofLength: true})
		}
	}
	s.code = append(s.code, x)
	s.made.Code = append(s.made.Code, instrument.Coded{Word: at, Text: codeText(x)})
	for _, op := range operations(x) {
		s.made.Ops[op]++
	}
}

// place notes where an instruction lies without recording.
func (r *rewriter) place(x *assembly.Instruction, c *instrument.Coded) {
	if r.options.Plain == nil || x.Joined {
		return
	}
	if at, ok := r.options.Plain.At[x.Line()]; ok {
		c.Placed, c.Section, c.Offset = true, at.Section, at.Offset
	}
}

// codeText is an instruction on one line, with the prefixes that stand in lines of their own.
func codeText(x *assembly.Instruction) string {
	text := strings.Join(strings.Fields(x.Text), " ")
	for i := len(x.Before) - 1; i >= 0; i-- {
		text = x.Before[i].Name + " " + text
	}
	return text
}

// atomic says whether an instruction reads and writes memory so that other threads see all of it or nothing.
func atomic(x *assembly.Instruction) bool {
	return x.Prefix == "lock" || slices.ContainsFunc(x.Before, func(p assembly.Prefix) bool { return p.Name == "lock" }) || strings.HasPrefix(x.Mnemonic, "xchg") && len(x.Operands) == 2 && slices.ContainsFunc(x.Operands, func(o assembly.Operand) bool { return o.Kind == assembly.InMemory })
}

// write puts a segment's code before its instructions.
func (r *rewriter) write(s *segment) {
	m := r.made.Module
	number := len(m.Segments)
	m.Segments = append(m.Segments, s.made)
	points := places(s.code, s.words, s.sealed)
	told := make([]bool, len(s.words))
	for i := range points {
		for _, k := range points[i].words {
			told[k] = true
		}
	}
	l := r.loop(s, points, told)
	r.loops = append(r.loops, l)
	for i := range points {
		p := &points[i]
		e := &emitter{pic: r.options.PIC, words: s.words, needed: r.needed(s.block, s.from+p.before), flags: r.live.at(s.block, s.from+p.before), number: number, atomic: slices.ContainsFunc(s.code, atomic)}
		line := s.code[p.before].Line()
		if i == 0 {
			but := assembly.NoRegister
			if l != nil {
				but = l.counts
			}
			e.scratch = p.choose(s.words, e.needed, but)
			e.head(p, told, l)
		} else {
			e.scratch = p.choose(s.words, e.needed, assembly.NoRegister)
			e.later(p)
		}
		r.before[line] = append(r.before[line], e.text.Bytes()...)
	}
	if l != nil {
		r.turn(s, l, number)
	}
}

// needed are the registers that are needed before an instruction of a block.
func (r *rewriter) needed(b *assembly.Block, from int) registerSet {
	if r.options.Traps {
		return allRegisters
	}
	return r.needs.at(b, from)
}

// turn lets a loop go back to behind the code that logs it, and log when it is left.
func (r *rewriter) turn(s *segment, l *loop, number int) {
	first, last := s.code[0].Line(), s.code[len(s.code)-1]
	r.before[first] = fmt.Appendf(r.before[first], ".Lfr_again%d:\n", number)
	r.instead[last.At.Line] = fmt.Appendf(nil, "\tj%s .Lfr_again%d\n", last.Condition, number)
	e := &emitter{pic: r.options.PIC, needed: r.needed(r.live.next[s.block], 0), number: number}
	e.scratch = (&point{}).choose(nil, e.needed, l.counts)
	e.left(l)
	r.after[last.At.Line] = e.text.Bytes()
}

// assemble puts all together.
func (r *rewriter) assemble(text []byte) []byte {
	var out bytes.Buffer
	line := 0
	for l := range bytes.Lines(text) {
		line++
		out.Write(r.before[line])
		if other := r.instead[line]; other != nil {
			l = other
		}
		out.Write(l)
		out.Write(r.after[line])
	}
	if n := len(r.made.Module.Segments); n > 0 {
		if len(text) > 0 && text[len(text)-1] != '\n' {
			out.WriteByte('\n')
		}
		out.WriteString(tables(r.made.Module, r.loops, r.options.Plain))
	}
	return out.Bytes()
}

// tables are the descriptors of the segments, what they do, and code that tells the recorder of them before the program's own begins.
func tables(m *instrument.Module, loops []*loop, plain *layout.Object) string {
	var b strings.Builder
	b.WriteString("\t.data\n\t.p2align 4\n.Lfr_segments:\n")
	for i := range m.Segments {
		of := "0"
		if loops[i] != nil {
			of = fmt.Sprintf(".Lfr_loop%d", i)
		}
		fmt.Fprintf(&b, "\t.long %d, %d\n\t.quad 0, 0, 0, %s\n", i, m.Segments[i].Words(), of)
	}
	for i, l := range loops {
		if l != nil {
			b.WriteString(l.table(i))
		}
	}
	body := m.Text()
	b.WriteString("\t.section .rodata\n.Lfr_text:\n")
	for line := range strings.Lines(body) {
		fmt.Fprintf(&b, "\t.ascii %s\n", quoted(line))
	}
	b.WriteString("\t.section .init_array.00102,\"aw\"\n\t.p2align 3\n\t.quad .Lfr_construct\n\t.text\n.Lfr_construct:\n")
	fmt.Fprintf(&b, "\tleaq .Lfr_text(%%rip), %%rdi\n\tmovq $%d, %%rsi\n\tleaq .Lfr_segments(%%rip), %%rdx\n\tmovq $%d, %%rcx\n", len(body), len(m.Segments))
	if plain == nil {
		b.WriteString("\tjmp fr_module@PLT\n")
		return b.String()
	}
	bases := layout.BasesOf(plain.Name)
	fmt.Fprintf(&b, "\t.weak %s\n\t.hidden %s\n\tmovq %s@GOTPCREL(%%rip), %%r8\n\tjmp fr_module_placed@PLT\n", bases, bases, bases)
	fmt.Fprintf(&b, "\t.section %s,\"\",@progbits\n\t.incbin %s\n", layout.Carried, quoted(plain.Path))
	return b.String()
}

// quoted writes text as assemblers take it.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}
