package transform

import (
	"slices"
	"strings"

	"foresee/advise/syntax"
)

// integers are types of C that count, with their sizes in bytes where long has 64 bits, as on the systems that foresee reads sources for.
var integers = map[string]int64{
	"char": 1, "signed char": 1, "unsigned char": 1, "int8_t": 1, "uint8_t": 1,
	"short": 2, "unsigned short": 2, "int16_t": 2, "uint16_t": 2,
	"int": 4, "unsigned": 4, "unsigned int": 4, "int32_t": 4, "uint32_t": 4,
	"long": 8, "unsigned long": 8, "long int": 8, "unsigned long int": 8, "long long": 8, "unsigned long long": 8, "size_t": 8, "int64_t": 8, "uint64_t": 8, "ptrdiff_t": 8,
}

// elementType is the type of C of an element such as A[i][j] or cells[i].mass, as the text declares it; "" where that is not found.
func (st *study) elementType(text string) string {
	words := syntax.Tokens(text)
	kind := st.arrayType(words[0].Text)
	dot := slices.IndexFunc(words, func(t syntax.Token) bool { return t.Is(".") })
	if dot < 0 || kind == "" {
		return kind
	}
	for _, m := range st.membersOf(kind) {
		if dot+2 == len(words) && m.name == words[dot+1].Text && m.dimensions == "" {
			return m.kind
		}
	}
	return ""
}

// storage are words of declarations that are no part of the type of what is stored.
var storage = map[string]bool{"static": true, "extern": true, "register": true, "const": true, "restrict": true, "__restrict": true, "__restrict__": true}

// arrayType is the type with which the function or the file declares the elements of an array, or what a pointer points to.
func (st *study) arrayType(name string) string {
	for _, p := range strings.Split(st.function.Parameters, ",") {
		if words := syntax.Tokens(p); mentions(words, name) {
			return typeBefore(words, name)
		}
	}
	if i := slices.IndexFunc(st.arrays(), func(a *array) bool { return a.name == name }); i >= 0 && !declaredIn(st.File, st.function.Body)[name] {
		kind := strings.TrimSpace(strings.TrimPrefix(st.arrays()[i].before, "static"))
		if !strings.Contains(kind, "{") {
			kind = strings.Join(strings.Fields(kind), " ")
		}
		return kind
	}
	for _, inside := range []*syntax.Function{st.function, nil} {
		for i, t := range st.Tokens {
			if t.Kind != syntax.Word || t.Text != name || st.FunctionAt(t.Begin) != inside {
				continue
			}
			from := i
			for from > 0 && !st.Tokens[from-1].Is(";") && !st.Tokens[from-1].Is("{") && !st.Tokens[from-1].Is("}") && st.Tokens[from-1].Kind != syntax.Directive {
				from--
			}
			end := i
			for end < len(st.Tokens) && !st.Tokens[end].Is(";") {
				end++
			}
			if words := st.Tokens[from:end]; from < i && isDeclaration(words) && slices.Contains(declaredBy(append(slices.Clone(words), st.Tokens[end:min(end+1, len(st.Tokens))]...)), name) {
				return typeBefore(words, name)
			}
		}
	}
	return ""
}

// typeBefore are the words of a declaration before the first that is declared, without those of storage.
func typeBefore(words []syntax.Token, name string) string {
	var all []string
	for i, t := range words {
		if t.Kind != syntax.Word || t.Text == name || mark(words, i+1) == "[" || mark(words, i+1) == "," || mark(words, i+1) == "=" {
			break
		}
		if !storage[t.Text] {
			all = append(all, t.Text)
		}
	}
	return strings.Join(all, " ")
}
