package text

import (
	"strconv"
	"strings"
)

// Frame is a function that code comes from, and where in it.
type Frame struct {
	Function string // as in the source
	Linkage  string // as the linker knows it; "" where it is the same
	File     string
	Line     int
	Column   int
	Declared int // line of the function itself
}

// Variable is a variable of the source.
type Variable struct {
	Name     string
	Function Frame
	Line     int
	Argument int // its number as a parameter, from 1; 0 of others
	Type     int // metadata of its type; -1
}

// Field is the value of a field in the text of a node, "" where it lacks it.
func field(node, name string) string {
	for at := 0; ; {
		i := strings.Index(node[at:], name+": ")
		if i < 0 {
			return ""
		}
		at += i + len(name) + 2
		if before := at - len(name) - 3; before >= 0 && node[before] != '(' && node[before] != ' ' {
			continue
		}
		rest := node[at:]
		if strings.HasPrefix(rest, `"`) {
			return rest[:quotedLength(rest)]
		}
		if n := strings.IndexAny(rest, ",)"); n >= 0 {
			return rest[:n]
		}
		return rest
	}
}

func fieldText(node, name string) string {
	s := field(node, name)
	if len(s) < 2 || s[0] != '"' {
		return ""
	}
	return unescape(s[1 : len(s)-1])
}

func fieldNumber(node, name string) int {
	n, err := strconv.Atoi(field(node, name))
	if err != nil {
		return 0
	}
	return n
}

// fieldNode is the number of the node that a field points at; −1 where none.
func fieldNode(node, name string) int {
	s, ok := strings.CutPrefix(field(node, name), "!")
	if !ok {
		return -1
	}
	n, err := strconv.Atoi(s)
	if err != nil {
		return -1
	}
	return n
}

// File is the name of a file's node.
func (m *Module) file(n int) string {
	if name, ok := m.files[n]; ok {
		return name
	}
	node := m.nodes[n]
	name := strings.TrimPrefix(fieldText(node, "filename"), "./")
	m.files[n] = name
	return name
}

// most is how many functions may be inlined in one another. Chosen.
const mostFrames = 100

// Place tells where an instruction comes from: the innermost function first, then those that it was inlined in. It is empty without debug
// information.
func (m *Module) Place(location int) []Frame {
	if location < 0 {
		return nil
	}
	if all, ok := m.places[location]; ok {
		return all
	}
	var all []Frame
	for at := location; at >= 0 && len(all) < mostFrames; {
		node, ok := m.nodes[at]
		if !ok || !strings.HasPrefix(node, "!DILocation(") {
			break
		}
		f := m.scope(fieldNode(node, "scope"))
		f.Line, f.Column = fieldNumber(node, "line"), fieldNumber(node, "column")
		all = append(all, f)
		at = fieldNode(node, "inlinedAt")
	}
	m.places[location] = all
	return all
}

// scope climbs to the function of a scope.
func (m *Module) scope(n int) Frame {
	f := Frame{}
	for depth := 0; n >= 0 && depth < mostFrames; depth++ {
		node, ok := m.nodes[n]
		if !ok {
			break
		}
		if k := fieldNode(node, "file"); k >= 0 && f.File == "" {
			f.File = m.file(k)
		}
		if strings.HasPrefix(node, "!DISubprogram(") {
			f.Function, f.Linkage, f.Declared = fieldText(node, "name"), fieldText(node, "linkageName"), fieldNumber(node, "line")
			break
		}
		n = fieldNode(node, "scope")
	}
	return f
}

// Subprogram tells where a function is in the source; ok is false without debug information.
func (m *Module) Subprogram(n int) (Frame, bool) {
	if n < 0 {
		return Frame{}, false
	}
	f := m.scope(n)
	f.Line = f.Declared
	return f, f.Function != ""
}

// Variable is what a node says of a local or global variable.
func (m *Module) Variable(n int) (Variable, bool) {
	if known, ok := m.variables[n]; ok {
		return known.Variable, known.ok
	}
	v, ok := m.variable(n)
	m.variables[n] = described{v, ok}
	return v, ok
}

// described is what metadata say of a variable, or that they say nothing.
type described struct {
	Variable
	ok bool
}

func (m *Module) variable(n int) (Variable, bool) {
	node, ok := m.nodes[n]
	switch {
	case !ok:
		return Variable{}, false
	case strings.HasPrefix(node, "!DIGlobalVariableExpression("):
		return m.Variable(fieldNode(node, "var"))
	case strings.HasPrefix(node, "!DIGlobalVariable("):
		return Variable{Name: fieldText(node, "name"), Line: fieldNumber(node, "line"), Type: fieldNode(node, "type")}, true
	case strings.HasPrefix(node, "!DILocalVariable("):
		v := Variable{Name: fieldText(node, "name"), Line: fieldNumber(node, "line"), Argument: fieldNumber(node, "arg"), Type: fieldNode(node, "type")}
		v.Function = m.scope(fieldNode(node, "scope"))
		return v, v.Name != ""
	}
	return Variable{}, false
}

// Described is the variable that a dbg.value or dbg.declare is about, with whether the value is the whole of it or the first part.
func (m *Module) Described(in *Inst) (v Variable, first bool, ok bool) {
	if len(in.Args) < 2 || in.Args[1].Kind != Node {
		return Variable{}, false, false
	}
	n, err := strconv.Atoi(in.Args[1].Name)
	if err != nil {
		return Variable{}, false, false
	}
	v, ok = m.Variable(n)
	first = true
	if len(in.Args) > 2 {
		if _, rest, fragment := strings.Cut(in.Args[2].Name, "DW_OP_LLVM_fragment"); fragment {
			numbers := strings.FieldsFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
			first = len(numbers) > 0 && numbers[0] == "0"
		}
	}
	return v, first, ok
}

// Part is what lies in a type so many bytes behind its beginning.
type Part struct {
	Name    string // of the member of the program's own types: grid.n; "" where there is none
	Library string // of what is in a type of a library: _M_finish; ""
	Type    int    // metadata of its type; −1
}

// Member names the member of a type that lies so many bytes behind its beginning, "" where there is none, or one of a library.
func (m *Module) Member(typ int, offset int64) string { return m.Part(typ, offset).Name }

// Part finds what lies in a type, or in what it points at, so many bytes behind its beginning.
func (m *Module) Part(typ int, offset int64) Part {
	at := place{typ, offset}
	p, known := m.parts[at]
	if !known {
		p = m.part(typ, offset)
		m.parts[at] = p
	}
	return p
}

// place is so many bytes behind the beginning of a type.
type place struct {
	typ    int
	offset int64
}

func (m *Module) part(typ int, offset int64) Part {
	p := Part{Type: -1}
	for depth := 0; depth < mostFrames; depth++ {
		node := m.nodes[typ]
		switch {
		case strings.HasPrefix(node, "!DIDerivedType("):
			typ = fieldNode(node, "baseType")
			continue
		case !strings.HasPrefix(node, "!DICompositeType("), field(node, "tag") == "DW_TAG_array_type":
			return p
		}
		member, from := m.memberAt(fieldNode(node, "elements"), offset*8)
		if member < 0 {
			return p
		}
		text := m.nodes[member]
		name := fieldText(text, "name")
		switch {
		case p.Library != "" && name != "", strings.HasPrefix(name, "_"):
			p.Library = name
		case name != "" && p.Name != "":
			p.Name += "." + name
		case name != "":
			p.Name = name
		}
		typ, offset = fieldNode(text, "baseType"), offset-from/8
		p.Type = typ
		if !strings.HasPrefix(m.nodes[m.plainType(typ)], "!DICompositeType(") {
			return p
		}
		typ = m.plainType(typ)
	}
	return p
}

// Descriptor tells the types of arrays that are reached by a descriptor, as those of assumed shape in Fortran: the size of an element in bytes, and the
// number of dimensions.
func (m *Module) Descriptor(typ int) (element int64, rank int, ok bool) {
	node := m.nodes[typ]
	if !strings.HasPrefix(node, "!DICompositeType(") || field(node, "tag") != "DW_TAG_array_type" || !strings.Contains(node, "dataLocation: !DIExpression(DW_OP_push_object_address, DW_OP_deref)") {
		return 0, 0, false
	}
	element = int64(fieldNumber(m.nodes[m.plainType(fieldNode(node, "baseType"))], "size")) / 8
	list := m.nodes[fieldNode(node, "elements")]
	return element, strings.Count(list, "!") - 1, element > 0 && strings.Contains(list, "!{!")
}

// IsAllocatable tells an array of Fortran that is allocated by its descriptor, whose elements lie one behind the other.
func (m *Module) IsAllocatable(typ int) bool {
	return strings.Contains(m.nodes[typ], ", allocated: !DIExpression(")
}

// plainType is a type without its further names and qualifiers.
func (m *Module) plainType(typ int) int {
	for range mostFrames {
		node := m.nodes[typ]
		switch field(node, "tag") {
		case "DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type":
			typ = fieldNode(node, "baseType")
		default:
			return typ
		}
	}
	return typ
}

// PointsAt is the type that a pointer or reference leads to, −1 where a type is none, with its size in bytes, 0 where that is not known.
func (m *Module) PointsAt(typ int) (to int, size int64) {
	node := m.nodes[m.plainType(typ)]
	switch field(node, "tag") {
	case "DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type":
		to = m.plainType(fieldNode(node, "baseType"))
		return to, int64(fieldNumber(m.nodes[to], "size")) / 8
	}
	return -1, 0
}

// IsNumber tells a basic type.
func (m *Module) IsNumber(typ int) bool {
	return strings.HasPrefix(m.nodes[m.plainType(typ)], "!DIBasicType(")
}

// memberAt is the member or base class among elements in which a bit lies, and at which bit it begins; −1 where there is none.
func (m *Module) memberAt(elements int, bit int64) (node int, from int64) {
	list := strings.TrimSuffix(strings.TrimPrefix(m.nodes[elements], "!{"), "}")
	for part := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimSpace(part), "!"))
		text := m.nodes[n]
		if err != nil || !strings.HasPrefix(text, "!DIDerivedType(") || strings.Contains(text, "DIFlagStaticMember") {
			continue
		}
		if tag := field(text, "tag"); tag != "DW_TAG_member" && tag != "DW_TAG_inheritance" {
			continue
		}
		size := int64(fieldNumber(text, "size"))
		if size == 0 {
			size = int64(fieldNumber(m.nodes[fieldNode(text, "baseType")], "size"))
		}
		begin := int64(fieldNumber(text, "offset"))
		if bit >= begin && bit < begin+size {
			return n, begin
		}
	}
	return -1, 0
}
