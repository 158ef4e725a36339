package syntax

import (
	"slices"
	"sort"
	"strings"

	"foresee/application/nest"
)

// Kind tells statements apart.
type Kind uint8

// The kinds of nodes.
const (
	Simple Kind = iota // an expression or a declaration up to its semicolon
	Block              // { … }
	For                // a for loop
	If                 // if, with or without else
	Pragma             // a #pragma that stands by itself
	Opaque             // what moves as a whole or not at all: while, do, switch, labels, jumps, other directives
)

// Node is a statement.
type Node struct {
	Kind       Kind
	Begin, End int   // in the text, without directives before it
	First      int   // its first token
	Last       int   // the token behind its last
	Body       *Node // of a loop; what an if runs where its condition holds
	Else       *Node
	Items      []*Node // of a block
	Head       *Head   // of a for loop that is counted; nil of others
	Pragmas    []Token // that stand before a for loop
	Parent     *Node
}

// Head is what stands in the parentheses of a for loop that counts one variable.
type Head struct {
	Type  string // of a variable that it declares; "" of one that was declared before
	Var   string
	Low   string // where it begins
	Op    string // of the condition, the variable on its left: <, <=, > or >=
	Bound string
	Step  string // i++, or whatever stands there
}

// Function is the definition of one.
type Function struct {
	Name       string
	Static     bool
	Parameters string // between the parentheses
	Body       *Node
	Begin      int // of its first token
}

// File is a source.
type File struct {
	Name      string
	Text      string
	Tokens    []Token
	Functions []*Function
	lines     []int // where they begin
}

// Parse takes a source apart. There is no error: what is not understood is opaque.
func Parse(name, text string) *File {
	f := &File{Name: name, Text: text, Tokens: Tokens(text), lines: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	p := &parser{file: f}
	p.functions()
	return f
}

// Offset is where a place of the source lies in the text.
func (f *File) Offset(at nest.Pos) (int, bool) {
	if at.Line < 1 || at.Line > len(f.lines) || at.Column < 1 {
		return 0, false
	}
	o := f.lines[at.Line-1] + at.Column - 1
	return o, o < len(f.Text)
}

// Line is the line of a place in the text.
func (f *File) Line(offset int) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > offset })
}

// TextOf is the text of a node.
func (f *File) TextOf(n *Node) string { return f.Text[n.Begin:n.End] }

// Indent is the white space that the line of a place begins with.
func (f *File) Indent(offset int) string {
	begin := f.lines[f.Line(offset)-1]
	end := begin
	for end < len(f.Text) && (f.Text[end] == ' ' || f.Text[end] == '\t') {
		end++
	}
	return f.Text[begin:end]
}

// LineBegin is where the line of a place begins.
func (f *File) LineBegin(offset int) int { return f.lines[f.Line(offset)-1] }

// Start is where a loop begins together with the directives before it.
func (n *Node) Start() int {
	if len(n.Pragmas) > 0 {
		return n.Pragmas[0].Begin
	}
	return n.Begin
}

// Words are the tokens of a node.
func (f *File) Words(n *Node) []Token { return f.Tokens[n.First:n.Last] }

// Each calls visit for a node and all below it, parents first.
func (n *Node) Each(visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	n.Body.Each(visit)
	n.Else.Each(visit)
	for _, c := range n.Items {
		c.Each(visit)
	}
}

// Loops are the for loops of a node, outermost first.
func (n *Node) Loops() (all []*Node) {
	n.Each(func(c *Node) {
		if c.Kind == For {
			all = append(all, c)
		}
	})
	return all
}

// Statements are what a loop runs: the items of its block, or its one statement.
func (n *Node) Statements() []*Node {
	switch {
	case n.Kind == Block:
		return n.Items
	case n.Body != nil && n.Body.Kind == Block:
		return n.Body.Items
	case n.Body != nil:
		return []*Node{n.Body}
	}
	return nil
}

// Inner is the loop that is all of a loop's body; nil where there is more in it, or none.
func (n *Node) Inner() *Node {
	all := n.Statements()
	if len(all) == 1 && all[0].Kind == For {
		return all[0]
	}
	return nil
}

// Band is a loop with those that are each all of the one around.
func (n *Node) Band() (all []*Node) {
	for l := n; l != nil && l.Head != nil; l = l.Inner() {
		all = append(all, l)
	}
	return all
}

// Holds tells whether a node lies around a place.
func (n *Node) Holds(offset int) bool { return n.Begin <= offset && offset < n.End }

// FunctionAt is the function that a place lies in.
func (f *File) FunctionAt(offset int) *Function {
	i := slices.IndexFunc(f.Functions, func(g *Function) bool { return g.Body.Holds(offset) })
	if i < 0 {
		return nil
	}
	return f.Functions[i]
}

// IsParallelFor tells pragmas that deal the iterations of the loop behind them.
func IsParallelFor(t Token) bool {
	words := strings.Fields(strings.TrimPrefix(t.Text, "#"))
	if len(words) < 3 || words[0] != "pragma" || words[1] != "omp" {
		return false
	}
	return strings.HasPrefix(words[2], "for") || words[2] == "parallel" && len(words) > 3 && words[3] == "for"
}
