package syntax

import (
	"slices"
	"strings"
)

// deepest is how many statements may lie in one another. Chosen: that of package parse.
const deepest = 500

type parser struct {
	file  *File
	at    int
	depth int
}

func (p *parser) done() bool { return p.at >= len(p.file.Tokens) }

func (p *parser) is(text string) bool { return !p.done() && p.file.Tokens[p.at].Is(text) }

// functions finds the definitions of functions: blocks behind a closing parenthesis.
func (p *parser) functions() {
	first := 0
	for !p.done() {
		t := p.file.Tokens[p.at]
		switch {
		case t.Is("{") && p.at > 0 && p.file.Tokens[p.at-1].Is(")"):
			p.function(first)
			first = p.at
		case t.Is("{"):
			p.at = p.behind(p.at)
		case t.Is(";"), t.Kind == Directive:
			p.at++
			first = p.at
		default:
			p.at++
		}
	}
}

func (p *parser) function(first int) {
	closing := p.at - 1
	opening := closing
	for depth := 0; opening > first; opening-- {
		if p.file.Tokens[opening].Is(")") {
			depth++
		} else if p.file.Tokens[opening].Is("(") {
			if depth--; depth == 0 {
				break
			}
		}
	}
	if opening <= first || p.file.Tokens[opening-1].Kind != Word {
		p.at = p.behind(p.at)
		return
	}
	g := &Function{
		Name: p.file.Tokens[opening-1].Text, Begin: p.file.Tokens[first].Begin,
		Parameters: p.file.Text[p.file.Tokens[opening].End:p.file.Tokens[closing].Begin],
	}
	for _, t := range p.file.Tokens[first:opening] {
		g.Static = g.Static || t.Is("static")
	}
	if g.Body = p.statement(); g.Body.Kind == Block {
		p.file.Functions = append(p.file.Functions, g)
	}
}

// behind is the token behind the bracket that closes the one at a token.
func (p *parser) behind(at int) int {
	depth := 0
	for ; at < len(p.file.Tokens); at++ {
		switch t := p.file.Tokens[at]; {
		case t.Is("(") || t.Is("[") || t.Is("{"):
			depth++
		case t.Is(")") || t.Is("]") || t.Is("}"):
			if depth--; depth <= 0 {
				return at + 1
			}
		}
	}
	return at
}

// node begins one at a token.
func (p *parser) node(k Kind) *Node {
	if p.done() {
		return &Node{Kind: k, First: p.at, Begin: len(p.file.Text)}
	}
	return &Node{Kind: k, First: p.at, Begin: p.file.Tokens[p.at].Begin}
}

// end ends it before the token that is next.
func (p *parser) end(n *Node) *Node {
	n.Last = min(max(p.at, n.First+1), len(p.file.Tokens))
	if n.End = n.Begin; n.First < n.Last {
		n.End = p.file.Tokens[n.Last-1].End
	}
	for _, c := range append([]*Node{n.Body, n.Else}, n.Items...) {
		if c != nil {
			c.Parent, n.End = n, max(n.End, c.End)
		}
	}
	return n
}

// statement reads one; there is one.
func (p *parser) statement() *Node {
	p.depth++
	defer func() { p.depth-- }()
	var pragmas []Token
	first := p.at
	for !p.done() && p.file.Tokens[p.at].Kind == Directive {
		pragmas = append(pragmas, p.file.Tokens[p.at])
		p.at++
	}
	pragma := !slices.ContainsFunc(pragmas, func(t Token) bool { return !isPragma(t) })
	if len(pragmas) > 0 && (p.done() || !p.is("for") || !pragma) { // alone, or of something else
		p.at = first
		n := p.node(Pragma)
		if !isPragma(p.file.Tokens[p.at]) {
			n.Kind = Opaque
		}
		p.at++
		return p.end(n)
	}
	if p.done() {
		p.at = first - 1
		return p.rest()
	}
	if p.depth > deepest {
		return p.rest()
	}
	n := p.plain()
	n.Pragmas = pragmas
	return n
}

// rest takes all that is left as one.
func (p *parser) rest() *Node {
	p.at = max(p.at, 0)
	n := p.node(Opaque)
	p.at = len(p.file.Tokens)
	return p.end(n)
}

func isPragma(t Token) bool {
	return t.Kind == Directive && strings.HasPrefix(strings.TrimLeft(t.Text[1:], " \t"), "pragma")
}

// plain reads a statement that no directive stands before.
func (p *parser) plain() *Node {
	switch t := p.file.Tokens[p.at]; {
	case t.Is("{"):
		return p.block()
	case t.Is("for"):
		return p.loop()
	case t.Is("if"):
		return p.choice()
	case t.Is("while") || t.Is("do") || t.Is("switch"):
		return p.opaque()
	case t.Is("goto") || t.Is("break") || t.Is("return") || t.Is("case") || t.Is("default") || t.Is("asm") || t.Is("__asm__"):
		n := p.simple()
		n.Kind = Opaque
		return n
	case t.Kind == Word && p.at+1 < len(p.file.Tokens) && p.file.Tokens[p.at+1].Is(":"):
		n := p.simple()
		n.Kind = Opaque
		return n
	}
	return p.simple()
}

func (p *parser) block() *Node {
	n := p.node(Block)
	p.at++
	for !p.done() && !p.is("}") {
		n.Items = append(n.Items, p.statement())
	}
	p.at++
	p.at = min(p.at, len(p.file.Tokens))
	return p.end(n)
}

func (p *parser) loop() *Node {
	n := p.node(For)
	p.at++
	if !p.is("(") {
		return p.simple()
	}
	open := p.at
	p.at = p.behind(p.at)
	n.Head = p.file.head(open+1, p.at-1)
	if p.done() {
		return p.end(n)
	}
	n.Body = p.statement()
	return p.end(n)
}

func (p *parser) choice() *Node {
	n := p.node(If)
	p.at++
	if !p.is("(") {
		return p.simple()
	}
	p.at = p.behind(p.at)
	if p.done() {
		return p.end(n)
	}
	n.Body = p.statement()
	if p.is("else") {
		if p.at++; !p.done() {
			n.Else = p.statement()
		}
	}
	return p.end(n)
}

// opaque reads while, do and switch.
func (p *parser) opaque() *Node {
	n := p.node(Opaque)
	do := p.is("do")
	p.at++
	if p.is("(") {
		p.at = p.behind(p.at)
	}
	if !p.done() {
		n.Body = p.statement()
	}
	if do && p.is("while") {
		n.Else = p.simple()
	}
	return p.end(n)
}

// simple reads up to a semicolon, or past a block that macros may begin.
func (p *parser) simple() *Node {
	n := p.node(Simple)
	for !p.done() {
		t := p.file.Tokens[p.at]
		switch {
		case t.Is(";"):
			p.at++
			return p.end(n)
		case t.Is("}"):
			return p.end(n)
		case t.Is("{") && p.at > n.First && !p.file.Tokens[p.at-1].Is("="):
			p.at = p.behind(p.at)
			n.Kind = Opaque
			return p.end(n)
		case t.Is("(") || t.Is("[") || t.Is("{"):
			p.at = p.behind(p.at)
		default:
			p.at++
		}
	}
	return p.end(n)
}
