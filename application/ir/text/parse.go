package text

import (
	"math"
	"strconv"
	"strings"
)

// parser takes the tokens of one line in order. What it does not understand it passes over.
type parser struct {
	m     *Module
	all   []token
	at    int
	depth int
}

func (r *reader) parser(line string) *parser { return &parser{m: r.m, all: tokens(line)} }

func (p *parser) done() bool { return p.at >= len(p.all) }

// peek is the token n places ahead.
func (p *parser) peek(n int) token {
	if p.at+n < len(p.all) {
		return p.all[p.at+n]
	}
	return token{}
}

func (p *parser) next() token {
	t := p.peek(0)
	p.at++
	return t
}

// take takes a token that is s.
func (p *parser) take(s string) bool {
	if p.peek(0).is(s) {
		p.at++
		return true
	}
	return false
}

var openers = map[string]int{"(": 1, "[": 1, "{": 1, "<": 1, ")": -1, "]": -1, "}": -1, ">": -1}

// skipBrackets passes over the bracket that comes next, with all in it.
func (p *parser) skipBrackets() {
	depth := 0
	for !p.done() {
		t := p.next()
		if t.kind == mark {
			depth += openers[t.text]
		}
		if depth <= 0 {
			return
		}
	}
}

// typ takes a type; nil where none comes next.
func (p *parser) typ() *Type {
	if p.depth++; p.depth > deepest {
		p.at = len(p.all)
	}
	defer func() { p.depth-- }()
	t := p.plainType()
	for t != nil {
		switch {
		case p.take("*"):
			t = &Type{Kind: Pointer, To: t}
		case p.peek(0).is("addrspace") && p.peek(1).is("("):
			p.at++
			p.skipBrackets()
		case p.peek(0).is("(") && t.Kind != Pointer:
			p.skipBrackets()
			t = &Type{Kind: Function, Elem: t}
		case p.peek(0).is("(") && p.pointerToFunction():
			p.skipBrackets()
			t = &Type{Kind: Function, Elem: t}
		default:
			return t
		}
	}
	return nil
}

// pointerToFunction tells the parameters of a function that gives a pointer from arguments of a call.
func (p *parser) pointerToFunction() bool {
	at, depth := p.at, 0
	for ; at < len(p.all); at++ {
		if p.all[at].kind == mark {
			depth += openers[p.all[at].text]
		}
		if depth == 0 {
			break
		}
	}
	if at+1 >= len(p.all) {
		return false
	}
	after := p.all[at+1]
	return after.is("*") || after.kind == global || after.kind == local
}

// plainType takes a type without what makes pointers and functions of it.
func (p *parser) plainType() *Type {
	t := p.peek(0)
	switch {
	case t.kind == local:
		p.at++
		return p.m.named(t.text)
	case t.is("target"):
		p.at++
		p.skipBrackets()
		return &Type{}
	case t.kind == word:
		if s := simple(t.text); s != nil {
			p.at++
			return s
		}
	case t.is("["):
		p.at++
		return p.sequence(Array, "]")
	case t.is("<") && p.peek(1).is("{"):
		p.at++
		made := p.structure()
		made.Packed = true
		p.take(">")
		return made
	case t.is("<"):
		p.at++
		return p.sequence(Vector, ">")
	case t.is("{"):
		return p.structure()
	}
	return nil
}

// sequence takes what is in the brackets of an array or vector.
func (p *parser) sequence(kind Kind, closing string) *Type {
	made := &Type{Kind: kind}
	scalable := p.take("vscale") && p.take("x")
	made.Len, _ = strconv.ParseInt(p.next().text, 10, 64)
	p.take("x")
	made.Elem = p.typ()
	if scalable || made.Len < 0 || made.Elem == nil {
		made = &Type{}
	}
	p.take(closing)
	return made
}

// structure takes a structure with its braces.
func (p *parser) structure() *Type {
	made := &Type{Kind: Struct}
	p.take("{")
	for !p.done() && !p.take("}") {
		f := p.typ()
		if f == nil {
			p.at++
			continue
		}
		made.Fields = append(made.Fields, f)
		p.take(",")
	}
	return made
}

// expressions are constants that are computed of others.
var expressions = map[string]bool{
	"getelementptr": true, "inttoptr": true, "ptrtoint": true, "bitcast": true, "addrspacecast": true, "add": true, "sub": true, "mul": true, "shl": true, "xor": true,
	"trunc": true, "zext": true, "sext": true, "icmp": true, "select": true, "blockaddress": true, "dso_local_equivalent": true, "no_cfi": true, "splat": true,
}

// literals are constants by name.
var literals = map[string]OperandKind{"null": Null, "undef": Undefined, "poison": Undefined, "zeroinitializer": Zero, "none": Other}

// beginsValue tells a value from an attribute before it.
func (p *parser) beginsValue() bool {
	t := p.peek(0)
	switch t.kind {
	case local, global, number, quoted, metadata:
		return true
	case mark:
		return t.text == "{" || t.text == "[" || t.text == "<"
	case word:
		_, literal := literals[t.text]
		return literal || t.text == "true" || t.text == "false" || t.text == "asm" || expressions[t.text]
	}
	return false
}

// typed takes a type, attributes, and a value.
func (p *parser) typed() Operand {
	t := p.typ()
	return p.value(t)
}

// value takes a value of a type, behind attributes.
func (p *parser) value(t *Type) Operand {
	p.attributes(nil)
	if p.depth++; p.depth > deepest {
		p.at = len(p.all)
	}
	defer func() { p.depth-- }()
	v := p.peek(0)
	out := Operand{Type: t}
	switch v.kind {
	case local:
		out.Kind, out.Name = Local, v.text
	case global:
		out.Kind, out.Name = GlobalName, v.text
	case quoted:
		out.Kind, out.Name = Text, v.text
	case number:
		p.at++
		return numeral(t, v.text)
	case metadata:
		return p.metadataValue(t)
	case mark:
		return p.aggregate(t)
	case word:
		return p.named(t)
	default:
		return out
	}
	p.at++
	return out
}

// attributes passes over the attributes of a parameter; by, where it is not nil, is told those with a type in brackets.
func (p *parser) attributes(by func(name string, t *Type)) {
	for !p.done() && !p.beginsValue() {
		t := p.peek(0)
		switch {
		case t.kind == word && p.peek(1).is("("):
			p.at++
			if by != nil && (t.text == "byval" || t.text == "sret") {
				at := p.at
				p.at++
				by(t.text, p.typ())
				p.at = at
			}
			p.skipBrackets()
		case t.is("align") && p.peek(1).kind == number:
			p.at += 2
		case t.kind == word || t.kind == group:
			p.at++
		default:
			return
		}
	}
}

// numeral is a number of a type.
func numeral(t *Type, s string) Operand {
	if t != nil && t.Kind == Int {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return Operand{Kind: Number, Type: t, Int: n}
		}
		if n, err := strconv.ParseUint(s, 10, 64); err == nil && n > math.MaxInt64 {
			return Operand{Kind: Number, Type: t, Int: int64(n)}
		}
		return Operand{Type: t}
	}
	return Operand{Kind: Real, Type: t, Name: s}
}

// metadataValue takes metadata as a value: a number, or a node that is written in place.
func (p *parser) metadataValue(t *Type) Operand {
	out := Operand{Kind: Node, Type: t, Name: p.next().text}
	if p.peek(0).is("(") {
		from := p.at
		p.skipBrackets()
		var all []string
		for _, k := range p.all[from:min(p.at, len(p.all))] {
			all = append(all, k.text)
		}
		out.Name += strings.Join(all, " ")
	}
	return out
}

// aggregate takes a constant of several parts.
func (p *parser) aggregate(t *Type) Operand {
	out := Operand{Kind: Aggregate, Type: t}
	if p.peek(0).is("<") && p.peek(1).is("{") {
		p.at++
	}
	if !p.peek(0).is("{") && !p.peek(0).is("[") && !p.peek(0).is("<") {
		p.at++
		return Operand{Type: t}
	}
	p.at++
	for !p.done() {
		if k := p.peek(0); k.kind == mark && openers[k.text] < 0 {
			p.at++
			break
		}
		before := p.at
		out.Args = append(out.Args, p.typed())
		p.take(",")
		if p.at == before {
			p.at++
		}
	}
	if t != nil && t.Packed {
		p.take(">")
	}
	return out
}

// named takes a constant that begins with a word.
func (p *parser) named(t *Type) Operand {
	v := p.next().text
	switch {
	case v == "true", v == "false":
		n := int64(0)
		if v == "true" {
			n = 1
		}
		return Operand{Kind: Number, Type: t, Int: n}
	case expressions[v]:
		return p.expression(t, v)
	case v == "asm":
		for p.peek(0).kind == word || p.peek(0).kind == quoted || p.peek(0).is(",") {
			p.at++
		}
		return Operand{Type: t, Op: "asm"}
	}
	return Operand{Kind: literals[v], Type: t}
}

// expression takes a constant expression behind its operator.
func (p *parser) expression(t *Type, op string) Operand {
	out := Operand{Kind: Expression, Type: t, Op: op}
	for p.peek(0).kind == word && !p.peek(0).is("(") { // flags and predicates
		p.at++
		if p.peek(0).is("(") && p.peek(-1).is("inrange") {
			p.skipBrackets()
		}
	}
	if !p.take("(") {
		return Operand{Type: t}
	}
	if op == "getelementptr" {
		out.Elem = p.typ()
		p.take(",")
	}
	for !p.done() && !p.take(")") {
		before := p.at
		p.take("inrange")
		out.Args = append(out.Args, p.typed())
		if p.take("to") {
			out.Type = p.typ()
		}
		p.take(",")
		if p.at == before {
			p.at++
		}
	}
	return out
}

// skipWords passes over linkage, visibility, calling conventions and attributes in front of a type.
func (p *parser) skipWords() {
	for !p.done() {
		t := p.peek(0)
		switch {
		case t.kind == word && simple(t.text) != nil, t.is("target"):
			return
		case t.is("cc") && p.peek(1).kind == number, t.is("align") && p.peek(1).kind == number:
			p.at += 2
		case t.kind == word && p.peek(1).is("("):
			p.at++
			p.skipBrackets()
		case t.kind == word:
			p.at++
		default:
			return
		}
	}
}

// parameters takes the parameters of a function with their brackets, and tells how many of its values have numbers so far.
func (p *parser) parameters(f *Func) (unnamed int) {
	p.take("(")
	for !p.done() && !p.take(")") {
		before := p.at
		param := Param{Type: p.typ()}
		p.attributes(func(name string, t *Type) {
			if name == "byval" {
				param.ByVal = t
			}
		})
		if t := p.peek(0); t.kind == local {
			param.Name = t.text
			p.at++
		} else {
			param.Name = strconv.Itoa(unnamed)
		}
		if _, err := strconv.Atoi(param.Name); err == nil {
			unnamed++
		}
		if param.Type != nil {
			f.Params = append(f.Params, param)
		}
		p.take(",")
		if p.at == before {
			p.at++
		}
	}
	return unnamed
}
