package instrument

import (
	"strconv"
	"strings"
)

// types computes sizes of IR types as x86-64 and other LP64 systems lay them out.
type types map[string]string // definitions of named types

// define takes a line such as "%struct.P = type { i32, i32, double }".
func (t types) define(line string) {
	name, body, ok := strings.Cut(line, " = type ")
	if ok {
		t[name] = strings.TrimSpace(body)
	}
}

// size is the bytes that a value of the type occupies when stored; 0 where it is not known.
func (t types) size(typ string) int64 {
	size, _ := t.layout(strings.TrimSpace(typ), 0)
	return size
}

// deepest is how deep types may nest. Chosen: no program's do, and a text that was tampered with ends there.
const deepest = 64

// layout is the size and alignment of a type in bytes, as LLVM lays it out for x86-64.
func (t types) layout(typ string, depth int) (size, align int64) {
	if depth > deepest || typ == "" {
		return 0, 1
	}
	switch {
	case strings.HasSuffix(typ, "*"), strings.HasPrefix(typ, "ptr"):
		return 8, 8
	case typ[0] == 'i':
		bits, err := strconv.ParseInt(typ[1:], 10, 64)
		if err != nil {
			return 0, 1
		}
		size = (bits + 7) / 8
		align = 1
		for align < size && align < 16 {
			align *= 2
		}
		return size, align
	case typ[0] == '[', typ[0] == '<' && !strings.HasPrefix(typ, "<{"):
		return t.sequence(typ, depth)
	case typ[0] == '{', strings.HasPrefix(typ, "<{"):
		return t.structure(typ, depth)
	case typ[0] == '%':
		return t.layout(t[typ], depth+1)
	}
	switch typ {
	case "half", "bfloat":
		return 2, 2
	case "float":
		return 4, 4
	case "double":
		return 8, 8
	case "x86_fp80":
		return 10, 16
	case "fp128", "ppc_fp128":
		return 16, 16
	}
	return 0, 1
}

// lanes splits "<4 x double>" or "[4 x double]".
func lanes(typ string) (n int64, element string) {
	if len(typ) < 2 || (typ[0] != '<' && typ[0] != '[') {
		return 1, typ
	}
	count, element, ok := strings.Cut(typ[1:len(typ)-1], " x ")
	if !ok {
		return 1, typ
	}
	if scaled, of, vscale := strings.Cut(element, " x "); vscale && count == "vscale" {
		count, element = scaled, of
	}
	n, err := strconv.ParseInt(strings.TrimSpace(count), 10, 64)
	if err != nil || n < 1 {
		return 1, typ
	}
	return n, element
}

// sequence is that of an array or a vector.
func (t types) sequence(typ string, depth int) (size, align int64) {
	n, element := lanes(typ)
	if element == typ {
		return 0, 1
	}
	if typ[0] == '<' && strings.HasPrefix(element, "i") {
		if bits, err := strconv.ParseInt(element[1:], 10, 64); err == nil {
			return (n*bits + 7) / 8, 1
		}
	}
	each, align := t.layout(element, depth+1)
	if typ[0] == '[' && each%align != 0 {
		each += align - each%align
	}
	return n * each, align
}

// structure is that of a structure, packed or not.
func (t types) structure(typ string, depth int) (size, align int64) {
	packed := typ[0] == '<'
	var body string
	if packed {
		body = strings.TrimSuffix(strings.TrimPrefix(typ, "<{"), "}>")
	} else {
		body = strings.TrimSuffix(strings.TrimPrefix(typ, "{"), "}")
	}
	align = 1
	for _, field := range splitList(body) {
		each, of := t.layout(field, depth+1)
		if packed {
			of = 1
		}
		if size%of != 0 {
			size += of - size%of
		}
		size += each
		align = max(align, of)
	}
	if size%align != 0 {
		size += align - size%align
	}
	return size, align
}
