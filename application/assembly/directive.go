package assembly

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"strings"
)

// mostData bounds a section, in bytes: more is no program's data but a mistake.
const mostData = 1 << 40

// directive takes over what matters of a directive: where what follows belongs, data, and places in sources.
func (d *reader) directive(name, rest string) error {
	switch name {
	case ".intel_syntax":
		d.intel = true
	case ".att_syntax":
		d.intel = false
	case ".text":
		d.section(".text", nil)
	case ".data", ".bss", ".tbss", ".tdata", ".rodata":
		d.section(name, nil)
	case ".section", ".pushsection":
		parts := splitOperands(rest)
		if len(parts) == 0 {
			return d.fault("a section without a name")
		}
		if name == ".pushsection" {
			d.stack = append(d.stack, state{d.data, d.code})
		}
		d.section(strings.Trim(parts[0], `"`), parts[1:])
	case ".popsection":
		if n := len(d.stack); n > 0 {
			d.data, d.code, d.stack = d.stack[n-1].data, d.stack[n-1].code, d.stack[:n-1]
		}
	case ".previous":
		now := state{d.data, d.code}
		d.data, d.code, d.before = d.before.data, d.before.code, now
	case ".type":
		parts := append(splitOperands(rest), "", "")
		if symbol, ok := symbolName(parts[0]); ok && strings.Contains(parts[1], "function") {
			d.types[symbol] = true
		}
	case ".globl", ".global", ".weak":
		for _, part := range splitOperands(rest) {
			if symbol, ok := symbolName(part); ok {
				d.file.Globals[symbol] = true
			}
		}
	case ".size":
		d.size(rest)
	case ".set", ".equ", ".weakref":
		parts := splitOperands(rest)
		if len(parts) == 2 {
			return d.alias(parts[0], parts[1])
		}
	case ".comm", ".lcomm":
		return d.common(rest, name == ".comm")
	case ".file":
		number, names, _ := strings.Cut(rest, " ")
		if _, err := strconv.Atoi(number); err == nil {
			d.paths[number] = sourcePath(quotedParts(names))
		}
	case ".loc":
		fields := strings.Fields(rest)
		if len(fields) >= 2 {
			d.source.File = d.paths[fields[0]]
			d.source.Line, _ = strconv.Atoi(fields[1])
		}
	case ".align", ".balign", ".p2align":
		d.align(name, rest)
	default:
		if unread[name] && (d.code || d.data != nil) {
			return d.fault("the directive " + name + " is not read; compilers do not write it")
		}
		return d.values(name, rest)
	}
	return nil
}

// unread are directives that would change code or data, and that only people write.
var unread = words(".rept .irp .irpc .macro .endm .if .ifdef .ifndef .else .endif .include .incbin .org .octa .uleb128 .sleb128 .fpad .tfloat .ldouble .struct")

// section goes on in a section; what only debuggers read is left out.
func (d *reader) section(name string, rest []string) {
	d.before = state{d.data, d.code}
	flags := ""
	if len(rest) > 0 {
		flags = strings.Trim(rest[0], `"`)
	}
	d.code, d.data = strings.HasPrefix(name, ".text") || strings.Contains(flags, "x"), nil
	if d.code || strings.HasPrefix(name, ".debug") || strings.HasPrefix(name, ".note") || strings.HasPrefix(name, ".comment") || name == ".eh_frame" || strings.HasPrefix(name, ".gcc_except_table") {
		return
	}
	s := d.sections[name]
	if s == nil {
		s = &Section{Name: name, Align: 1, Thread: strings.Contains(flags, "T") || strings.HasPrefix(name, ".t")}
		d.sections[name] = s
		d.file.Sections = append(d.file.Sections, s)
	}
	d.data = s
}

// size ends a function, or says how large a symbol is.
func (d *reader) size(rest string) {
	parts := splitOperands(rest)
	if len(parts) != 2 {
		return
	}
	name, _ := symbolName(parts[0])
	if d.function != nil && d.function.Name == name {
		d.function = nil
		return
	}
	if s, ok := d.file.Symbols[name]; ok {
		s.Size, _ = parseInteger(parts[1])
		d.file.Symbols[name] = s
	}
}

// alias takes another name of something in.
func (d *reader) alias(name, of string) error {
	name, ok := symbolName(strings.TrimSpace(name))
	s, isSum := parseSum(of)
	if !ok || !isSum || s.less != "" || s.symbol == "" {
		return nil // a number that the assembler works with
	}
	d.file.Aliases[name] = Alias{s.symbol, s.value}
	return nil
}

// common makes data of zeros: name, bytes, alignment.
func (d *reader) common(rest string, global bool) error {
	parts := splitOperands(rest)
	if len(parts) < 2 {
		return d.fault("data without a size")
	}
	name, ok := symbolName(parts[0])
	size, isNumber := parseInteger(parts[1])
	if !ok || !isNumber || size < 0 || size > mostData {
		return d.fault("data of a size that is not known")
	}
	s := &Section{Name: name, Size: size, Align: 1}
	if len(parts) > 2 {
		s.Align, _ = parseInteger(parts[2])
	}
	d.file.Sections = append(d.file.Sections, s)
	d.file.Symbols[name] = Symbol{Section: s, Size: size}
	if global {
		d.file.Globals[name] = true
	}
	return nil
}

// quotedParts are the texts between quotes.
func quotedParts(text string) []string {
	var all []string
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 1 {
			all = append(all, part)
		}
	}
	return all
}

// align puts what follows at a multiple of a number of bytes.
func (d *reader) align(name, rest string) {
	parts := splitOperands(rest)
	if d.data == nil || len(parts) == 0 {
		return
	}
	n, ok := parseInteger(parts[0])
	if name == ".p2align" && ok && n >= 0 && n < 32 {
		n = 1 << n
	}
	if !ok || n <= 0 || n > 1<<31 {
		return
	}
	d.data.Align = max(d.data.Align, n)
	d.data.Size = (d.data.Size + n - 1) / n * n
}

// dataBytes are the sizes of the numbers that directives give.
var dataBytes = map[string]int{
	".byte": 1, ".2byte": 2, ".short": 2, ".value": 2, ".word": 2, ".hword": 2, ".4byte": 4, ".long": 4, ".int": 4, ".8byte": 8, ".quad": 8, ".float": 4, ".single": 4, ".double": 8,
}

// values appends data.
func (d *reader) values(name, rest string) error {
	if d.data == nil {
		return nil
	}
	switch name {
	case ".zero", ".skip", ".space":
		parts := append(splitOperands(rest), "0")
		return d.fill(parts[0], "1", parts[1])
	case ".fill":
		parts := append(splitOperands(rest), "1", "0")
		if n := len(parts) - 2; n > 1 {
			return d.fill(parts[0], parts[1], append(parts[2:n], "0")[0])
		}
		return d.fill(parts[0], "1", "0")
	case ".string", ".asciz", ".ascii":
		for _, part := range splitOperands(rest) {
			text, err := unquoted(part)
			if err != nil {
				return d.fault("a text that is not understood")
			}
			if name != ".ascii" {
				text += "\x00"
			}
			if err := d.append([]byte(text)); err != nil {
				return err
			}
		}
		return nil
	}
	bytes, ok := dataBytes[name]
	if !ok {
		return nil // what the linker or a debugger is told
	}
	for _, part := range splitOperands(rest) {
		if err := d.value(name, part, bytes); err != nil {
			return err
		}
	}
	return nil
}

// fill appends one number so many times; zeros are only counted.
func (d *reader) fill(times, size, value string) error {
	n, ok := parseInteger(times)
	width, okWidth := parseInteger(size)
	v, okValue := parseInteger(value)
	if !ok || !okWidth || !okValue || n < 0 || width < 0 || width > 8 || n > mostData || d.data.Size+n*width > mostData {
		return d.fault("a space of a size that is not known")
	}
	if v == 0 {
		d.data.Size += n * width
		return nil
	}
	if n*width > mostGap {
		return d.fault("more than 256 MiB of data of one value")
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	return d.append(bytes.Repeat(b[:width], int(n)))
}

// unquoted is a text of the assembler's: C's escapes, with octal numbers of up to three digits.
func unquoted(text string) (string, error) {
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return "", strconv.ErrSyntax
	}
	var out []byte
	in := text[1 : len(text)-1]
	for i := 0; i < len(in); i++ {
		if in[i] != '\\' || i+1 == len(in) {
			out = append(out, in[i])
			continue
		}
		i++
		if in[i] < '0' || in[i] > '7' {
			out = append(out, map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}[in[i]])
			if out[len(out)-1] == 0 {
				out[len(out)-1] = in[i]
			}
			continue
		}
		n := 0
		for digits := 0; digits < 3 && i < len(in) && in[i] >= '0' && in[i] <= '7'; digits++ {
			n = n<<3 | int(in[i]-'0')
			i++
		}
		i--
		out = append(out, byte(n))
	}
	return string(out), nil
}

// value appends one number or address.
func (d *reader) value(name, text string, bytes int) error {
	var b [8]byte
	if name == ".float" || name == ".double" || name == ".single" {
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return d.fault(text + " is no number")
		}
		if bytes == 4 {
			binary.LittleEndian.PutUint32(b[:], math.Float32bits(float32(f)))
		} else {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(f))
		}
		return d.append(b[:bytes])
	}
	s, ok := parseSum(text)
	if !ok {
		return d.fault(text + " is not understood")
	}
	if s.symbol != "" {
		d.data.Pointers = append(d.data.Pointers, Pointer{d.data.Size, bytes, s.symbol, s.less, s.value})
		s.value = 0
	}
	binary.LittleEndian.PutUint64(b[:], uint64(s.value))
	return d.append(b[:bytes])
}

// mostGap bounds the zeros between data, in bytes, as all of them are kept once something follows. Chosen.
const mostGap = 1 << 28

// append adds bytes to the section, after the zeros that were only counted.
func (d *reader) append(b []byte) error {
	s := d.data
	gap := s.Size - int64(len(s.Bytes))
	if gap > mostGap {
		return d.fault("more than 256 MiB of zeros before data")
	}
	s.Bytes = append(append(s.Bytes, make([]byte, gap)...), b...)
	s.Size = int64(len(s.Bytes))
	return nil
}
