package assembly

import (
	"bufio"
	"io"
	"strings"
)

// ReadLoosely reads the code of a file, whatever else is in it: data are left out, and an instruction that is not understood, or what people wrote
// in the midst of a compiler's code, is there with its text alone and Opaque. An error is of reading, or of a line that is too long.
func ReadLoosely(name string, r io.Reader) (*File, error) {
	d := newReader(name)
	d.loose = true
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		d.at.Line++
		d.looseLine(lines.Text())
	}
	if err := lines.Err(); err != nil {
		d.at.Line++
		return nil, d.fault(err.Error())
	}
	return d.file, nil
}

// ReadInstruction reads one instruction of AT&T's syntax; Opaque where it is not understood.
func ReadInstruction(text string) *Instruction {
	d := newReader("")
	d.loose, d.function = true, &Function{}
	d.instructionOrOpaque(text)
	return d.last
}

// Marks that gcc and clang put around assembly that people wrote.
const (
	inlineBegins = "#APP"
	inlineEnds   = "#NO_APP"
)

// looseLine reads a line without any error.
func (d *reader) looseLine(text string) {
	switch trimmed := strings.TrimSpace(text); {
	case strings.HasPrefix(trimmed, inlineBegins):
		d.inline = true
		return
	case strings.HasPrefix(trimmed, inlineEnds):
		d.inline = false
		return
	}
	for i, statement := range statements(text) {
		for {
			name, rest, ok := label(statement)
			if !ok {
				break
			}
			if d.inline && d.code {
				d.opaque(statement)
			} else {
				d.label(name)
			}
			statement = rest
		}
		d.looseStatement(strings.TrimSpace(statement), i > 0)
	}
}

// looseStatement reads a directive or an instruction; joined says that others stand before it in its line.
func (d *reader) looseStatement(text string, joined bool) {
	name, rest, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
	switch {
	case text == "":
	case d.code && d.inline:
		d.opaque(text)
		if strings.HasSuffix(name, "section") || name == ".previous" { // assembly that goes elsewhere and comes back
			d.looseDirective(name, strings.TrimSpace(rest))
		}
	case strings.HasPrefix(name, "."):
		if _, data := dataBytes[name]; data && d.code {
			d.opaque(text)
			return
		}
		d.looseDirective(name, strings.TrimSpace(rest))
	case strings.HasPrefix(rest, "="), !d.code, d.function == nil:
	case prefixes[strings.ToLower(name)] && rest == "" || strings.EqualFold(name, "rex64"):
		d.prefixed = append(d.prefixed, Prefix{strings.ToLower(name), d.at.Line})
	default:
		d.instructionOrOpaque(text)
		if x := d.last; joined {
			x.Joined = true
		}
	}
}

// looseDirective takes in where what follows belongs, and places in sources; data are left out.
func (d *reader) looseDirective(name, rest string) {
	switch name {
	case ".intel_syntax", ".att_syntax", ".text", ".data", ".bss", ".tbss", ".tdata", ".rodata", ".section", ".pushsection", ".popsection", ".previous",
		".type", ".globl", ".global", ".weak", ".size", ".file", ".loc":
		_ = d.directive(name, rest)
	case ".set", ".equ", ".symver", ".comm", ".lcomm":
	}
	d.data = nil
}

// instructionOrOpaque reads an instruction, or keeps its text.
func (d *reader) instructionOrOpaque(text string) {
	before := d.block
	if d.intel || d.instruction(text) != nil {
		d.block = before
		d.opaque(text)
	}
}

// opaque keeps a text as an instruction that is not understood.
func (d *reader) opaque(text string) {
	if d.function == nil {
		return
	}
	name, _, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
	d.put(&Instruction{Text: text, Mnemonic: strings.ToLower(name), Opaque: true, Inline: d.inline, At: d.at, Source: d.source})
}
