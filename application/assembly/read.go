package assembly

import (
	"bufio"
	"io"
	"path/filepath"
	"strconv"
	"strings"
)

// longestLine is the most bytes that a line may have. Chosen: a compiler's lines have some hundred, and strings of data some ten thousand.
const longestLine = 1 << 20

// reader is what is known while a file is read.
type reader struct {
	file  *File
	at    Place
	intel bool

	sections map[string]*Section
	data     *Section // what data belong to; nil in code and where data are left out
	code     bool
	stack    []state           // of .pushsection
	before   state             // of .previous
	types    map[string]bool   // names that are functions
	paths    map[string]string // of sources, by number
	source   Place

	function *Function
	block    *Block

	loose    bool // nothing is an error
	inline   bool // within assembly that people wrote
	prefixed []Prefix
	last     *Instruction // that was read
}

// state is where what follows belongs.
type state struct {
	data *Section
	code bool
}

// Read reads a file as compilers write it. Its errors have the place.
func Read(name string, r io.Reader) (*File, error) {
	d := newReader(name)
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		d.at.Line++
		if err := d.line(lines.Text()); err != nil {
			return nil, err
		}
	}
	if err := lines.Err(); err != nil {
		d.at.Line++
		return nil, d.fault(err.Error())
	}
	return d.file, nil
}

func newReader(name string) *reader {
	return &reader{
		file:     &File{Name: name, Symbols: map[string]Symbol{}, Aliases: map[string]Alias{}, Globals: map[string]bool{}},
		at:       Place{File: name},
		sections: map[string]*Section{}, types: map[string]bool{}, paths: map[string]string{}, code: true,
	}
}

// fault is an error at the line that is read.
func (d *reader) fault(reason string) error { return &Error{d.at, reason} }

// line reads a line: statements, with labels before them and a comment behind.
func (d *reader) line(text string) error {
	for _, statement := range statements(text) {
		for {
			name, rest, ok := label(statement)
			if !ok {
				break
			}
			d.label(name)
			statement = rest
		}
		if err := d.statement(statement); err != nil {
			return err
		}
	}
	return nil
}

// statements are the parts of a line without its comment.
func statements(text string) []string {
	var all []string
	begin, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ';':
			all = append(all, text[begin:i])
			begin = i + 1
		case c == '#', c == '/' && strings.HasPrefix(text[i:], "//"), c == '/' && strings.HasPrefix(text[i:], "/*"):
			return append(all, text[begin:i])
		}
	}
	return append(all, text[min(begin, len(text)):])
}

// label splits off a label; false where the statement begins with none.
func label(statement string) (name, rest string, ok bool) {
	statement = strings.TrimLeft(statement, " \t")
	colon := strings.IndexByte(statement, ':')
	if colon <= 0 {
		return "", "", false
	}
	name, ok = symbolName(statement[:colon])
	if _, err := strconv.Atoi(statement[:colon]); err == nil {
		name, ok = statement[:colon], true
	}
	if !ok || strings.ContainsAny(statement[:colon], " \t%@") && statement[0] != '"' {
		return "", "", false
	}
	return name, statement[colon+1:], true
}

// label begins a function, a block, or what a symbol names.
func (d *reader) label(name string) {
	switch {
	case !d.code && d.data != nil:
		d.file.Symbols[name] = Symbol{Section: d.data, Offset: d.data.Size}
	case !d.code:
	case d.types[name] || d.function == nil && !strings.HasPrefix(name, ".L"):
		d.function = &Function{Name: name}
		d.file.Functions = append(d.file.Functions, d.function)
		d.begin()
		d.block.Labels = append(d.block.Labels, name)
	case d.function != nil:
		if d.block == nil || len(d.block.Instructions) > 0 {
			d.begin()
		}
		d.block.Labels = append(d.block.Labels, name)
	}
}

// begin begins a block.
func (d *reader) begin() {
	d.block = &Block{}
	d.function.Blocks = append(d.function.Blocks, d.block)
}

// statement reads a directive or an instruction.
func (d *reader) statement(text string) error {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil
	}
	name, rest, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
	rest = strings.TrimSpace(rest)
	switch {
	case strings.HasPrefix(name, "."):
		return d.directive(name, rest)
	case strings.HasPrefix(rest, "="):
		return d.alias(name, rest[1:])
	case !d.code || d.function == nil:
		return nil
	}
	return d.instruction(text)
}

var prefixes = map[string]bool{"rep": true, "repe": true, "repz": true, "repne": true, "repnz": true, "lock": true, "notrack": true, "bnd": true, "data16": true, "{vex}": true, "{evex}": true}

// instruction reads an instruction, which ends a block where it goes elsewhere.
func (d *reader) instruction(text string) error {
	x := &Instruction{Text: text, At: d.at, Source: d.source}
	rest := strings.ReplaceAll(text, "\t", " ")
	name, rest, _ := strings.Cut(rest, " ")
	for prefixes[strings.ToLower(name)] {
		if p := strings.ToLower(name); p != "notrack" && p != "bnd" && p != "data16" {
			x.Prefix = p
		}
		name, rest, _ = strings.Cut(strings.TrimSpace(rest), " ")
	}
	name = strings.ToLower(name)
	jump := strings.HasPrefix(name, "j") || strings.HasPrefix(name, "call")
	for _, part := range splitOperands(strings.TrimSpace(rest)) {
		if rounding(part) {
			continue
		}
		read := attOperand
		if d.intel {
			read = intelOperand
		}
		o, err := read(part, jump)
		if err != nil {
			return d.fault(text + ": " + err.Error())
		}
		o.Text = part
		if d.intel {
			x.Operands = append(x.Operands, o)
		} else {
			x.Operands = append([]Operand{o}, x.Operands...)
		}
	}
	if name == "" || strings.HasPrefix(name, "f") && name != "fs" && x87[name] {
		return d.fault(text + ": " + errX87.Error())
	}
	x.named(name, !d.intel)
	d.put(x)
	return nil
}

// put appends an instruction to the code, with the prefixes that stood in lines before it.
func (d *reader) put(x *Instruction) {
	if d.block == nil {
		d.begin()
	}
	for _, p := range d.prefixed {
		if p.Name != "notrack" && p.Name != "bnd" && p.Name != "data16" && p.Name != "rex64" {
			x.Prefix = p.Name
		}
	}
	x.Before, d.prefixed = d.prefixed, nil
	d.block.Instructions = append(d.block.Instructions, x)
	d.last = x
	if x.Leaves() {
		d.block = nil
	}
}

// x87 are instructions of the old floating-point unit.
var x87 = map[string]bool{
	"fld": true, "flds": true, "fldl": true, "fldt": true, "fld1": true, "fldz": true, "fst": true, "fstp": true, "fstps": true, "fstpl": true, "fstpt": true,
	"fild": true, "filds": true, "fildl": true, "fildq": true, "fildll": true, "fistp": true, "fadd": true, "faddp": true, "fmul": true, "fmulp": true,
	"fsub": true, "fsubp": true, "fsubrp": true, "fdiv": true, "fdivp": true, "fdivrp": true, "fxch": true, "fchs": true, "fabs": true, "fsqrt": true, "fucomi": true, "fucomip": true, "fcomi": true, "fcomip": true,
}

// Leaves says whether what follows need not come next: after jumps and returns, not after calls.
func (x *Instruction) Leaves() bool {
	return x.Mnemonic == "j" || x.Mnemonic == "jmp" || x.Mnemonic == "ret" || x.Mnemonic == "ud2"
}

// source is the path of a source by the directive that numbers it: "dir" "name", or the name alone.
func sourcePath(quoted []string) string {
	if len(quoted) > 1 {
		return filepath.Join(quoted[0], quoted[1])
	}
	if len(quoted) == 1 {
		return quoted[0]
	}
	return ""
}
