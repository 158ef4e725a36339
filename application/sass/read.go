package sass

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// Forms of lines, as cuobjdump and nvdisasm print them.
var (
	architectureLine = regexp.MustCompile(`^\s*(?:arch = |code for |\.target\s+)sm_([0-9]{2,3})[a-z]?\b|EF_CUDA_SM([0-9]{2,3})\b`)
	functionLine     = regexp.MustCompile(`^\s*Function : (\S+)\s*$`)
	sectionLine      = regexp.MustCompile(`^\s*\.section\s+([^\s,]+)`)
	registersLine    = regexp.MustCompile(`SHI_REGISTERS=([0-9]{1,4})\b`)
	labelLine        = regexp.MustCompile(`^\s*(\.L[.$\w]*):\s*$`)
	codeLine         = regexp.MustCompile(`^\s*(\{)?\s*/\*([0-9a-fA-F]{4,16})\*/(.*)$`)
	encoding         = regexp.MustCompile(`/\*\s*0x([0-9a-fA-F]{16})\s*\*/`)
	wordLine         = regexp.MustCompile(`^\s*/\*\s*0x([0-9a-fA-F]{16})\s*\*/\s*$`)
	textLine         = regexp.MustCompile(`^(?:@(!?U?P[0-9T])\s+)?([A-Z][\w.]*)(?:\s+(.*))?$`)
)

// longest is the longest line that is read, in bytes: names of templates are long.
const longest = 1 << 20

// Detect says whether the start of a file is a listing.
func Detect(start []byte) bool {
	if !bytes.Contains(start, []byte("/*0000*/")) && !bytes.Contains(start, []byte("/*0008*/")) {
		return false
	}
	return bytes.Contains(start, []byte("Function : ")) || bytes.Contains(start, []byte("EF_CUDA_SM")) || bytes.Contains(start, []byte(".section"))
}

// Read reads a listing. Errors tell the line; what is neither code nor known is passed over, as cuobjdump prints PTX and ELF between it.
func Read(r io.Reader) (*Listing, error) {
	p := &parser{usages: map[usageKey]usage{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longest)
	for lines.Scan() {
		p.line++
		if err := p.take(lines.Text()); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.line, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: is longer than %d bytes; is this what cuobjdump -sass prints?", p.line+1, longest)
	case err != nil:
		return nil, fmt.Errorf("line %d: %w", p.line+1, err)
	}
	return p.finish()
}

// parser reads a listing line by line.
type parser struct {
	line         int
	architecture int
	name         string // of the function whose code comes next
	kernel       *Kernel
	kernels      []*Kernel
	label        string
	worded       bool   // a control word was read
	word         uint64 // the last one
	group        uint64 // that it governs: addresses divided by the size of groups
	registers    int    // told before the code; 0: not
	resources    string // the function whose resources come next
	usages       map[usageKey]usage
}

// take takes a line; those that say nothing known are passed over.
func (p *parser) take(text string) error {
	if code := codeLine.FindStringSubmatch(text); code != nil {
		return p.code(code[1] != "", code[2], code[3])
	}
	if word := wordLine.FindStringSubmatch(text); word != nil {
		p.bareWord(word[1])
		return nil
	}
	if p.usage(text) || strings.HasPrefix(strings.TrimSpace(text), "//") {
		return nil
	}
	if a := architectureLine.FindStringSubmatch(text); a != nil {
		n, _ := strconv.Atoi(a[1] + a[2])
		p.architecture = n
		if p.kernel != nil && len(p.kernel.Instructions) == 0 {
			p.kernel.Architecture = n
		}
	}
	if r := registersLine.FindStringSubmatch(text); r != nil {
		p.registers, _ = strconv.Atoi(r[1])
	}
	switch f, s, l := functionLine.FindStringSubmatch(text), sectionLine.FindStringSubmatch(text), labelLine.FindStringSubmatch(text); {
	case f != nil:
		p.label = ""
		p.begin(f[1])
	case s != nil:
		p.kernel, p.name, p.registers = nil, "", 0
		if name, ok := strings.CutPrefix(s[1], ".text."); ok {
			p.name = name
		}
	case l != nil:
		p.label = l[1]
	}
	return nil
}

// begin begins a kernel.
func (p *parser) begin(name string) {
	p.kernel = &Kernel{Name: name, Architecture: p.architecture, Registers: -1, Shared: -1}
	if p.registers > 0 {
		p.kernel.Registers = p.registers
	}
	p.kernels = append(p.kernels, p.kernel)
	p.name, p.worded, p.registers = "", false, 0
}

// code takes a line with an address.
func (p *parser) code(brace bool, address, rest string) error {
	at, err := strconv.ParseUint(address, 16, 64)
	if err != nil {
		return fmt.Errorf("address %s: %w", address, err)
	}
	if at%8 != 0 {
		return fmt.Errorf("address %s is not a multiple of 8, as those of instructions are", address)
	}
	if p.name != "" {
		p.begin(p.name)
	}
	if p.kernel == nil {
		return fmt.Errorf("code at %s before a line with its function (Function : NAME, or .section .text.NAME); give all that cuobjdump -sass prints", address)
	}
	k := p.kernel
	if k.Architecture == 0 {
		return fmt.Errorf("code of %s before a line with its architecture (code for sm_35, or .headerflags); give all that cuobjdump -sass prints", k.Name)
	}
	if n := len(k.Instructions); n > 0 && at <= k.Instructions[n-1].Address {
		return fmt.Errorf("address %s is not above the one before it; is code missing, or a line with a function?", address)
	}
	in := Instruction{Address: at, Label: p.label, brace: brace}
	words := encoding.FindAllStringSubmatch(rest, -1)
	in.encoded = len(words) > 0
	if err := in.parse(encoding.ReplaceAllString(rest, "")); err != nil {
		return fmt.Errorf("at %s: %w", address, err)
	}
	if group := k.Generation().group(); group > 0 && p.worded && at/group == p.group && at%group != 0 {
		in.Control = k.control(p.word, int(at%group/8)-1)
	}
	p.label = ""
	k.Controlled, k.Braced = k.Controlled || in.Control.Known, k.Braced || in.brace
	k.Instructions = append(k.Instructions, in)
	return nil
}

// bareWord takes a code without an instruction: the upper half of the last one from Volta on, the code of the last one where that had
// none on its line (the second of a pair, as CUDA 10.2 and later print it), else control of the instructions that follow.
func (p *parser) bareWord(digits string) {
	word, err := strconv.ParseUint(digits, 16, 64)
	if err != nil || p.kernel == nil {
		return
	}
	k := p.kernel
	var last *Instruction
	if n := len(k.Instructions); n > 0 {
		last = &k.Instructions[n-1]
	}
	switch {
	case k.Generation() == Volta:
		if last != nil {
			last.Control = laterControl(word>>voltaShift, false)
			k.Controlled = true
		}
	case last != nil && !last.encoded:
		last.encoded = true
	default:
		p.control(k, last, word)
	}
}

// control keeps a control word, which stands at the beginning of its group, behind the last instruction of the one before.
func (p *parser) control(k *Kernel, last *Instruction, word uint64) {
	at := uint64(0)
	if last != nil {
		at = last.Address + 8
	}
	if group := k.Generation().group(); group > 0 && at%group == 0 {
		p.worded, p.word, p.group = true, word, at/group
	}
}

// parse takes the text of an instruction: {, predicate, opcode, operands, ; and }.
func (in *Instruction) parse(text string) error {
	text = strings.TrimSpace(text)
	if rest, ok := strings.CutPrefix(text, "{"); ok {
		in.brace, text = true, strings.TrimSpace(rest)
	}
	if strings.Count(text, "}") > strings.Count(text, "{") {
		text = strings.TrimSpace(strings.TrimSuffix(text, "}"))
	}
	text = strings.TrimSpace(strings.TrimSuffix(text, ";"))
	m := textLine.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q is not an instruction (@P0 OPCODE OPERANDS ;)", text)
	}
	in.Predicate, in.Opcode, in.Operands = m[1], m[2], strings.TrimSpace(m[3])
	return nil
}
