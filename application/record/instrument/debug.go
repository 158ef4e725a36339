package instrument

import (
	"regexp"
	"strconv"
	"strings"
)

// debugInfo answers where in the source an instruction comes from. It knows the metadata of one module by number.
type debugInfo struct {
	nodes     map[int]string // text after "!7 = "
	places    map[int]Place
	functions []subprogram // in order of their metadata
	byFile    map[int]string
}

// subprogram is a function as the debug information has it.
type subprogram struct {
	name string
	file string
	line int
}

// Place is where code comes from. Function is the innermost one, inlined or not, that is no code of the system's headers.
type Place struct {
	Function string
	File     string
	Line     int
}

var fields = map[string]*regexp.Regexp{}

func init() {
	for _, name := range []string{"line", "scope", "inlinedAt", "file", "name", "filename", "directory", "declaration"} {
		fields[name] = regexp.MustCompile(`[(, ]` + name + `: ("(?:[^"\\]|\\.)*"|[^,)]*)`)
	}
}

// field is the value of a field in the text of a node, "" where it lacks it.
func field(node, name string) string {
	m := fields[name].FindStringSubmatch(node)
	if m == nil {
		return ""
	}
	return m[1]
}

// parseNumber reads "!12"; −1 where it is none.
func parseNumber(s string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(s, "!"))
	if err != nil {
		return -1
	}
	return n
}

// reference is the number of the node that a field points at; −1 where none.
func reference(node, name string) int {
	s := field(node, name)
	if !strings.HasPrefix(s, "!") {
		return -1
	}
	return parseNumber(s)
}

// readDebugInfo gathers the metadata at the end of a module.
func readDebugInfo(lines []string) *debugInfo {
	d := &debugInfo{nodes: map[int]string{}, places: map[int]Place{}, byFile: map[int]string{}}
	for _, l := range lines {
		if len(l) < 2 || l[0] != '!' || l[1] < '0' || l[1] > '9' {
			continue
		}
		id, node, ok := strings.Cut(l, " = ")
		if !ok {
			continue
		}
		node = strings.TrimPrefix(node, "distinct ")
		n := parseNumber(id)
		switch {
		case strings.HasPrefix(node, "!DI"):
			d.nodes[n] = node
		default:
			continue
		}
	}
	for _, node := range d.nodes {
		if !strings.HasPrefix(node, "!DISubprogram(") {
			continue
		}
		name := withoutArguments(unquote(field(node, "name")))
		if name == "" || strings.Contains(name, "omp_outlined") || strings.Contains(name, ".omp_task") {
			continue
		}
		d.functions = append(d.functions, subprogram{name, d.file(reference(node, "file")), parseNumber(field(node, "line"))})
	}
	return d
}

// withoutArguments leaves out the arguments of a template.
func withoutArguments(name string) string {
	if i := strings.IndexByte(name, '<'); i > 0 && !strings.HasPrefix(name, "operator") {
		return name[:i]
	}
	return name
}

var escapes = regexp.MustCompile(`\\(\\|[0-9A-Fa-f]{2})`)

// unquote gives the bytes of a string of LLVM's text, where those that are no printable ASCII are \ and two digits.
func unquote(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, `"`), `"`)
	return escapes.ReplaceAllStringFunc(s, func(e string) string {
		code, err := strconv.ParseUint(e[1:], 16, 8)
		if err != nil {
			return e[1:]
		}
		return string([]byte{byte(code)})
	})
}

// file is the name of a file node.
func (d *debugInfo) file(n int) string {
	if name, ok := d.byFile[n]; ok {
		return name
	}
	name := strings.TrimPrefix(unquote(field(d.nodes[n], "filename")), "./")
	d.byFile[n] = name
	return name
}

// place resolves a "!dbg !12" at the end of an instruction.
func (d *debugInfo) place(location int) Place {
	if p, ok := d.places[location]; ok {
		return p
	}
	p := d.resolve(location)
	d.places[location] = p
	return p
}

// resolve is the place of a location, through what was inlined.
func (d *debugInfo) resolve(location int) Place {
	var first Place
	for depth := 0; location >= 0 && depth < deepest; depth++ {
		node, ok := d.nodes[location]
		if !ok {
			break
		}
		p := d.scope(reference(node, "scope"))
		p.Line = max(parseNumber(field(node, "line")), 0)
		if !OfSystem(p.File) && p.Function != "" {
			return p
		}
		if depth == 0 {
			first = p
		}
		location = reference(node, "inlinedAt")
	}
	return first
}

// scope climbs to the function.
func (d *debugInfo) scope(n int) Place {
	file := ""
	for depth := 0; n >= 0 && depth < deepest; depth++ {
		node, ok := d.nodes[n]
		if !ok {
			break
		}
		if f := reference(node, "file"); f >= 0 && file == "" {
			file = d.file(f)
		}
		if strings.HasPrefix(node, "!DISubprogram(") {
			name := withoutArguments(unquote(field(node, "name")))
			line := parseNumber(field(node, "line"))
			if strings.Contains(name, "omp") && strings.HasPrefix(strings.TrimLeft(name, "."), "omp") || strings.Contains(name, "omp_outlined") {
				name = d.enclosing(d.file(reference(node, "file")), line)
			}
			return Place{Function: name, File: file, Line: line}
		}
		n = reference(node, "scope")
	}
	return Place{File: file}
}

// enclosing is the function of the source that a line lies in: the last that begins before it.
func (d *debugInfo) enclosing(file string, line int) string {
	best, name := -1, ""
	for _, f := range d.functions {
		if f.file == file && f.line <= line && (f.line > best || f.line == best && f.name < name) {
			best, name = f.line, f.name
		}
	}
	return name
}

// OfSystem says whether a file is a header of the system, or a source of Rust's library, wherever that was built.
func OfSystem(file string) bool {
	return strings.HasPrefix(file, "/rustc/") || strings.Contains(file, "/rustlib/src/") || strings.HasPrefix(file, "/usr/include/") || strings.HasPrefix(file, "/usr/lib/") || strings.Contains(file, "/include/c++/")
}
