package text

import (
	"fmt"
	"strconv"
	"strings"
)

// Bounds of what is read. Chosen: far above what compilers write for a program's file.
const (
	MostBytes = 256 << 20
	deepest   = 64      // nesting of types and constants
	mostLine  = 4 << 20 // bytes of one instruction or definition
	mostInsts = 2 << 20
)

// Error says what keeps a module from being read.
type Error struct {
	Line    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// Is tells whether a text looks like LLVM IR by its beginning.
func Is(start []byte) bool {
	for line := range strings.Lines(string(start)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "", strings.HasPrefix(line, ";") && !strings.HasPrefix(line, "; ModuleID"):
			continue
		}
		for _, begins := range []string{"; ModuleID = ", "source_filename = ", "target datalayout = ", "target triple = ", "define ", "declare "} {
			if strings.HasPrefix(line, begins) {
				return true
			}
		}
		return (line[0] == '@' || line[0] == '%' || line[0] == '$') && strings.Contains(line, " = ")
	}
	return false
}

// Defined is the name for linkers of the function that a line begins, "" where it begins none.
func Defined(line string) string {
	if !strings.HasPrefix(line, "define ") {
		return ""
	}
	_, rest, _ := strings.Cut(line, "@")
	if quoted, ok := strings.CutPrefix(rest, `"`); ok {
		name, _, _ := strings.Cut(quoted, `"`)
		return name
	}
	name, _, _ := strings.Cut(rest, "(")
	return name
}

// Opaque tells whether the pointers of a module have no types, as since LLVM 15.
func Opaque(src string) bool {
	return strings.Contains(src, ", ptr ") || strings.Contains(src, "(ptr ")
}

// reader reads a module line by line.
type reader struct {
	m     *Module
	lines []string
	at    int // the next line
	insts int
}

// Read reads a module.
func Read(src string) (*Module, error) {
	if len(src) > MostBytes {
		return nil, &Error{1, fmt.Sprintf("longer than %d MiB", MostBytes>>20)}
	}
	r := &reader{lines: strings.Split(src, "\n"), m: &Module{
		Globals: map[string]*Global{}, ByName: map[string]*Func{}, types: map[string]*Type{}, nodes: map[int]string{}, places: map[int][]Frame{}, files: map[int]string{}, variables: map[int]described{}, parts: map[place]Part{},
	}}
	for r.at < len(r.lines) {
		line := r.lines[r.at]
		r.at++
		if err := r.top(line); err != nil {
			return nil, err
		}
	}
	return r.m, nil
}

// top reads a line outside functions.
func (r *reader) top(line string) error {
	switch {
	case strings.HasPrefix(line, "define "):
		return r.function(line)
	case strings.HasPrefix(line, "%"):
		r.defineType(line)
	case strings.HasPrefix(line, "@"):
		r.defineGlobal(line)
	case len(line) > 1 && line[0] == '!' && isDigit(line[1]):
		r.node(line)
	}
	return nil
}

// node keeps a line of metadata.
func (r *reader) node(line string) {
	id, text, ok := strings.Cut(line[1:], " = ")
	n, err := strconv.Atoi(id)
	if !ok || err != nil || n < 0 {
		return
	}
	r.m.nodes[n] = strings.TrimPrefix(text, "distinct ")
}

// defineType reads "%name = type { … }".
func (r *reader) defineType(line string) {
	p := r.parser(line)
	name := p.next()
	if !p.take("=") || !p.take("type") {
		return
	}
	t := r.m.named(name.text)
	if made := p.typ(); made != nil {
		kept := t.Name
		*t = *made
		t.Name = kept
	}
}

// named is the type of a name, which may be defined later.
func (m *Module) named(name string) *Type {
	t, ok := m.types[name]
	if !ok {
		t = &Type{Name: name}
		m.types[name] = t
	}
	return t
}

// defineGlobal reads "@name = … global TYPE VALUE, …".
func (r *reader) defineGlobal(line string) {
	if len(line) > mostLine {
		line = line[:mostLine]
	}
	p := r.parser(line)
	g := &Global{Name: p.next().text, Debug: reference(line, "!dbg !")}
	outside := false
	for !p.done() {
		t := p.next()
		switch {
		case t.is("external"), t.is("extern_weak"):
			outside = true
		case t.is("global"), t.is("constant"):
			g.Constant = t.text == "constant"
			g.Type = p.typ()
			if !outside {
				v := p.value(g.Type)
				g.Initial = &v
			}
			r.m.Globals[g.Name] = g
			return
		case t.is("alias"), t.is("ifunc"):
			return
		}
	}
}

// reference is the number behind the last occurrence of a prefix, -1 where it does not occur.
func reference(line, prefix string) int {
	i := strings.LastIndex(line, prefix)
	if i < 0 {
		return -1
	}
	rest := line[i+len(prefix):]
	n, err := strconv.Atoi(rest[:span(rest, isDigit)])
	if err != nil {
		return -1
	}
	return n
}

// function reads a function from its first line to its "}".
func (r *reader) function(line string) error {
	begin := r.at
	p := r.parser(line)
	f := &Func{Debug: reference(line, "!dbg !"), Internal: strings.HasPrefix(line, "define internal ") || strings.HasPrefix(line, "define private ")}
	p.next()
	p.skipWords()
	f.Result = p.typ()
	name := p.next()
	for name.kind != global && !p.done() { // attributes of what it gives
		name = p.next()
	}
	f.Name = name.text
	unnamed := p.parameters(f)
	body := &Block{Name: strconv.Itoa(unnamed)}
	f.Blocks = []*Block{body}
	for ; r.at < len(r.lines); r.at++ {
		line := r.lines[r.at]
		switch {
		case strings.HasPrefix(line, "}"):
			r.at++
			r.m.Functions = append(r.m.Functions, f)
			r.m.ByName[f.Name] = f
			return nil
		case line == "" || strings.HasPrefix(line, ";"):
			continue
		}
		if label, ok := labelOf(line); ok {
			if len(body.Insts) == 0 && len(f.Blocks) == 1 {
				body.Name = label
				continue
			}
			body = &Block{Name: label}
			f.Blocks = append(f.Blocks, body)
			continue
		}
		if r.insts++; r.insts > mostInsts {
			return &Error{r.at + 1, fmt.Sprintf("more than %d instructions", mostInsts)}
		}
		if in := r.instruction(r.joined()); in != nil {
			body.Insts = append(body.Insts, in)
		}
	}
	return &Error{begin, "a function without an end"}
}

// labelOf is the name of the block that a line begins.
func labelOf(line string) (string, bool) {
	if line[0] == ' ' || line[0] == '\t' {
		return "", false
	}
	if line[0] == '"' {
		n := quotedLength(line)
		if n < len(line) && line[n] == ':' {
			return unescape(line[1 : n-1]), true
		}
		return "", false
	}
	n := span(line, isName)
	if n > 0 && n < len(line) && line[n] == ':' {
		return line[:n], true
	}
	return "", false
}

// joined is the instruction at the present line with those lines that continue it. It leaves the last of them as the present one.
func (r *reader) joined() string {
	line := r.lines[r.at]
	brackets := strings.HasSuffix(line, "[") // of a switch
	size := len(line)
	var all strings.Builder
	all.WriteString(line)
	for r.at+1 < len(r.lines) && size < mostLine {
		next := strings.TrimSpace(r.lines[r.at+1])
		switch {
		case brackets:
			brackets = !strings.HasPrefix(next, "]")
		case strings.HasPrefix(next, "to label "), next == "cleanup", strings.HasPrefix(next, "catch "), strings.HasPrefix(next, "filter "):
		default:
			return all.String()
		}
		all.WriteByte(' ')
		all.WriteString(next)
		size += len(next)
		r.at++
	}
	return all.String()
}
