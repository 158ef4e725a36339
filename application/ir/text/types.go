package text

import (
	"fmt"
	"strconv"
)

// Kind tells types apart.
type Kind uint8

// Kinds of types. Unknown is what is not read: its values are not followed.
const (
	Unknown Kind = iota
	Void
	Int
	Float
	Pointer
	Array
	Vector
	Struct
	Function
	Metadata
)

// Type is a type of the IR.
type Type struct {
	Kind   Kind
	Bits   int64   // of Int and Float
	Len    int64   // of Array and Vector
	Elem   *Type   // of Array and Vector; of Function what it gives
	To     *Type   // of Pointer, in modules whose pointers have types
	Fields []*Type // of Struct
	Packed bool
	Name   string // of a named structure, without its sigil
}

// largest bounds sizes, in bytes, so that sums of them do not overflow.
const largest = int64(1) << 48

// Size is what a value of the type takes in memory, in bytes, with the gap that keeps the next one aligned; 0 where it is not known.
func (t *Type) Size() int64 {
	size, align := t.layout(0, nil)
	return roundUp(size, align)
}

// Stored is how many bytes a load or store of the type moves.
func (t *Type) Stored() int64 {
	size, _ := t.layout(0, nil)
	return size
}

// Offset is where field i of a structure begins, in bytes.
func (t *Type) Offset(i int) (int64, bool) {
	if t == nil || t.Kind != Struct || i < 0 || i >= len(t.Fields) {
		return 0, false
	}
	at, known := int64(0), layouts{}
	for k, f := range t.Fields {
		size, align := f.layout(1, known)
		if !t.Packed {
			at = roundUp(at, align)
		}
		if k == i {
			break
		}
		at = min(at+roundUp(size, align), largest)
	}
	return at, true
}

func roundUp(n, to int64) int64 {
	if to > 1 && n%to != 0 {
		return n + to - n%to
	}
	return n
}

// layouts are sizes and alignments of structures that one question is about: a few definitions may stand for 2^200 fields. Later definitions may change them.
type layouts map[*Type]struct{ size, align int64 }

// layout is a type's size and alignment in bytes.
func (t *Type) layout(depth int, known layouts) (size, align int64) {
	if t == nil || depth > deepest {
		return 0, 1
	}
	switch t.Kind {
	case Pointer, Function:
		return 8, 8
	case Int:
		size = (t.Bits + 7) / 8
		return size, power(size)
	case Float:
		if t.Bits == 80 {
			return 10, 16
		}
		return t.Bits / 8, t.Bits / 8
	case Array:
		size, align = t.Elem.layout(depth+1, known)
		return times(roundUp(size, align), t.Len), align
	case Vector:
		if t.Elem != nil && t.Elem.Kind == Int && t.Elem.Bits < 8 {
			size = (times(t.Elem.Bits, t.Len) + 7) / 8
		} else {
			size, _ = t.Elem.layout(depth+1, known)
			size = times(size, t.Len)
		}
		return size, power(size)
	case Struct:
		return t.structure(depth, known)
	}
	return 0, 1
}

func (t *Type) structure(depth int, known layouts) (size, align int64) {
	if k, ok := known[t]; ok {
		return k.size, k.align
	}
	if known == nil {
		known = layouts{}
	}
	known[t] = struct{ size, align int64 }{0, 1} // where it is within itself
	align = 1
	for _, f := range t.Fields {
		each, of := f.layout(depth+1, known)
		each = roundUp(each, of)
		if !t.Packed {
			size, align = roundUp(size, of), max(align, of)
		}
		size = min(size+each, largest)
	}
	size = roundUp(size, align)
	known[t] = struct{ size, align int64 }{size, align}
	return size, align
}

// power is the alignment of a scalar of so many bytes.
func power(size int64) int64 {
	align := int64(1)
	for align < size && align < 16 {
		align *= 2
	}
	return align
}

func times(a, b int64) int64 {
	if a <= 0 || b <= 0 {
		return 0
	}
	if a > largest/b {
		return largest
	}
	return a * b
}

var floats = map[string]int64{"half": 16, "bfloat": 16, "float": 32, "double": 64, "x86_fp80": 80, "fp128": 128, "ppc_fp128": 128}

// String is a type as the IR has it; "" of functions, and of structures without a name.
func (t *Type) String() string {
	if t == nil {
		return ""
	}
	switch t.Kind {
	case Int:
		return fmt.Sprintf("i%d", t.Bits)
	case Float:
		for name, bits := range floats {
			if bits == t.Bits && bits > 16 && bits < 80 {
				return name
			}
		}
	case Array, Vector:
		elem := t.Elem.String()
		if elem == "" {
			return ""
		}
		if t.Kind == Vector {
			return fmt.Sprintf("<%d x %s>", t.Len, elem)
		}
		return fmt.Sprintf("[%d x %s]", t.Len, elem)
	case Struct:
		if t.Name != "" {
			return `%"` + t.Name + `"`
		}
	case Pointer:
		if t.To == nil {
			return "ptr"
		}
		if to := t.To.String(); to != "" {
			return to + "*"
		}
	}
	return ""
}

// simple is the type that a word names, nil where it names none.
func simple(name string) *Type {
	switch name {
	case "void":
		return &Type{Kind: Void}
	case "ptr":
		return &Type{Kind: Pointer}
	case "metadata":
		return &Type{Kind: Metadata}
	case "label", "token", "opaque", "x86_mmx", "x86_amx":
		return &Type{}
	}
	if bits, ok := floats[name]; ok {
		return &Type{Kind: Float, Bits: bits}
	}
	if len(name) > 1 && name[0] == 'i' {
		if bits, err := strconv.ParseInt(name[1:], 10, 32); err == nil && bits > 0 {
			return &Type{Kind: Int, Bits: bits}
		}
	}
	return nil
}
