package transform

import (
	"fmt"
	"slices"
	"strings"

	"foresee/advise/syntax"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// array is one that the file declares outside functions, and that its text uses by its elements alone.
type array struct {
	name       string
	begin, end int    // of the declaration, with its semicolon
	at, behind int    // from its name in the declaration to its last bracket
	before     string // of the declaration: the type
	among      int    // arrays of the declaration
	dimensions []string
	uses       []use
	static     bool
}

// redeclared is the edit that gives an array other dimensions.
func (a *array) redeclared(dimensions ...string) edit {
	return edit{a.at, a.behind, a.name + "[" + strings.Join(dimensions, "][") + "]"}
}

// use is an element in the text: the words from the name to the last bracket.
type use struct {
	subscripts [][2]int // places between the brackets
	begin, end int
}

// arrays are those whose layout may be changed: each declared by itself, of one file, without values, and never named without all its subscripts.
func (s *Source) arrays() []*array {
	if s.laidOut == nil {
		s.laidOut = slices.Concat([]*array{}, s.declared())
	}
	return s.laidOut
}

// declared looks for the arrays.
func (s *Source) declared() (all []*array) {
	for i := 0; i < len(s.Tokens); i++ {
		if s.FunctionAt(s.Tokens[i].Begin) != nil || s.Tokens[i].Kind == syntax.Directive {
			continue
		}
		end, begins := i, i
		for end < len(s.Tokens) && !s.Tokens[end].Is(";") && s.Tokens[end].Kind != syntax.Directive {
			if s.Tokens[end].Is("{") {
				close := s.closing(end)
				if !s.structure(i, end) {
					end, begins = close, -1 // a function, or values
					break
				}
				end, begins = close, close+1
			}
			end++
		}
		if begins >= 0 && end < len(s.Tokens) && s.Tokens[end].Is(";") {
			for _, a := range s.arraysIn(i, begins, end) {
				if s.usedByElements(a) {
					all = append(all, a)
				}
			}
		}
		i = end
	}
	return all
}

// structure tells whether tokens up to a brace begin a structure: static struct name.
func (s *Source) structure(from, brace int) bool {
	for i := from; i < brace; i++ {
		if s.Tokens[i].Is("struct") {
			return brace-i <= 2
		}
		if !s.Tokens[i].Is("static") {
			return false
		}
	}
	return false
}

// closing is the brace that closes one.
func (s *Source) closing(at int) int {
	depth := 0
	for ; at < len(s.Tokens); at++ {
		if s.Tokens[at].Is("{") {
			depth++
		} else if s.Tokens[at].Is("}") {
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return at
}

// arraysIn are the arrays that tokens up to a semicolon declare, of a type that ends before some place or where the first name is; none where they
// declare something else as well.
func (s *Source) arraysIn(from, begins, end int) (all []*array) {
	for i := from; i < end; i++ {
		t := s.Tokens[i]
		if i >= begins && (t.Is("=") || t.Is("(") || t.Is("*")) || t.Is("extern") || t.Is("typedef") || t.Is("const") || t.Is("volatile") || t.Is("_Alignas") || t.Is("__attribute__") || t.Is("_Thread_local") || t.Is("__thread") {
			return nil
		}
	}
	parts := s.Split(begins, end, ",")
	for k, part := range parts {
		name := part[0]
		if k == 0 {
			for name < part[1] && !s.Tokens[name].Is("[") {
				name++
			}
			name--
		}
		if name <= from || name >= part[1] || s.Tokens[name].Kind != syntax.Word {
			return nil
		}
		a := &array{
			name: s.Tokens[name].Text, begin: s.Tokens[from].Begin, end: s.Tokens[end].End, at: s.Tokens[name].Begin, among: len(parts),
			before: s.Text[s.Tokens[from].Begin:s.Tokens[parts[0][0]].Begin], static: s.Tokens[from].Is("static"),
		}
		if begins == from {
			first := parts[0][0]
			for !s.Tokens[first+1].Is("[") {
				first++
			}
			a.before = s.Text[s.Tokens[from].Begin:s.Tokens[first].Begin]
		}
		for i := name + 1; i < part[1]; {
			if !s.Tokens[i].Is("[") {
				return nil
			}
			close := s.bracket(i)
			a.dimensions = append(a.dimensions, s.Text[s.Tokens[i].End:s.Tokens[close].Begin])
			a.behind = s.Tokens[close].End
			i = close + 1
		}
		if len(a.dimensions) == 0 {
			return nil
		}
		all = append(all, a)
	}
	return all
}

// bracket is the one that closes another.
func (s *Source) bracket(at int) int {
	depth := 0
	for ; at < len(s.Tokens)-1; at++ {
		if s.Tokens[at].Is("[") {
			depth++
		} else if s.Tokens[at].Is("]") {
			if depth--; depth == 0 {
				return at
			}
		}
	}
	return at
}

// usedByElements finds all uses of an array; false where the text names it otherwise, or another variable has its name.
func (s *Source) usedByElements(a *array) bool {
	if slices.ContainsFunc(s.directives, func(text string) bool { return syntax.Mentions(text, a.name) }) {
		return false
	}
	for _, i := range s.words[a.name] {
		t := s.Tokens[i]
		if t.Begin >= a.begin && t.Begin < a.end || mark(s.Tokens, i-1) == "." || mark(s.Tokens, i-1) == "->" {
			continue
		}
		before := s.Tokens[max(i-1, 0)]
		if s.FunctionAt(t.Begin) == nil || before.Is("&") && (i < 2 || !operand(s.Tokens[i-2])) || before.Kind == syntax.Word && !before.Is("return") && !before.Is("else") || before.Is("sizeof") || before.Is("*") && (i < 2 || !operand(s.Tokens[i-2])) {
			return false
		}
		u := use{begin: t.Begin}
		k := i + 1
		for range a.dimensions {
			if mark(s.Tokens, k) != "[" {
				return false
			}
			close := s.bracket(k)
			u.subscripts = append(u.subscripts, [2]int{s.Tokens[k].End, s.Tokens[close].Begin})
			u.end = s.Tokens[close].End
			k = close + 1
		}
		if mark(s.Tokens, k) == "[" || i > 1 && before.Is("(") && s.Tokens[i-2].Is("sizeof") {
			return false
		}
		a.uses = append(a.uses, u)
	}
	return len(a.uses) > 0
}

// edit is a text in the place of another.
type edit struct {
	begin, end int
	text       string
}

// edited makes edits, of which none overlaps another.
func (s *Source) edited(all []edit) string {
	slices.SortFunc(all, func(a, b edit) int { return a.begin - b.begin })
	var b strings.Builder
	at := 0
	for _, e := range all {
		b.WriteString(s.Text[at:e.begin] + e.text)
		at = e.end
	}
	return b.String() + s.Text[at:]
}

// foreign is the condition of a change to data that other files may use.
func foreign(a *array) []string {
	if a.static {
		return nil
	}
	return []string{"if no other file uses " + a.name}
}

// used tells whether the nests touch an array.
func (s *Source) used(name string) (used bool) {
	for _, p := range s.Programs {
		used = used || slices.ContainsFunc(p.Objects, func(o *nest.Object) bool { return o.Name == name })
	}
	return used
}

// TransposedArrays stores arrays of two dimensions by columns: each by itself.
func (s *Source) TransposedArrays() (all []*Change) {
	for _, a := range s.arrays() {
		if len(a.dimensions) != 2 || !s.used(a.name) || nestedUses(a) {
			continue
		}
		edits := []edit{a.redeclared(a.dimensions[1], a.dimensions[0])}
		for _, u := range a.uses {
			x, y := u.subscripts[0], u.subscripts[1]
			edits = append(edits, edit{u.begin, u.end, a.name + "[" + s.Text[y[0]:y[1]] + "][" + s.Text[x[0]:x[1]] + "]"})
		}
		all = append(all, &Change{Kind: Transposed, Title: "store " + a.name + " transposed", Line: s.Line(a.begin), Text: s.edited(edits), Conditions: foreign(a), Array: a.name})
	}
	return all
}

// nestedUses tells whether an element stands in a subscript of another one of the same array.
func nestedUses(a *array) bool {
	for i, u := range a.uses {
		for _, v := range a.uses[i+1:] {
			if v.begin < u.end && u.begin < v.end {
				return true
			}
		}
	}
	return false
}

// conflicting is by what rows that are as long as a multiple of it meet in the same sets of caches, in bytes. Chosen: of 64 sets of 64 bytes, as most first
// levels have, such rows share 4 sets or fewer.
const conflicting = 1024

// Paddings makes the rows of arrays longer by a line, where they are so long that elements of a column lie in few sets of a cache; all of them at once, and
// each by itself where there are several.
func (s *Source) Paddings(line int64) (all []*Change) {
	var edits []edit
	var names []string
	var conditions []string
	first := 0
	for _, a := range s.arrays() {
		elem := s.rows(a.name)
		if len(a.dimensions) < 2 || elem == 0 {
			continue
		}
		dimensions := slices.Clone(a.dimensions)
		last := len(dimensions) - 1
		dimensions[last] = fmt.Sprintf("%s + %d", paren(dimensions[last]), line/elem)
		edits, names = append(edits, a.redeclared(dimensions...)), append(names, a.name)
		conditions = append(conditions, foreign(a)...)
		if first == 0 {
			first = s.Line(a.begin)
		}
	}
	if len(names) > 0 {
		all = append(all, &Change{Kind: Padding, Title: "make the rows of " + list(names) + " a line longer", Line: first, Text: s.edited(edits), Conditions: conditions, Array: strings.Join(names, ", ")})
	}
	return all
}

// rows is the size of the elements of an array that the nests walk down by steps that conflict; 0 where they do not.
func (s *Source) rows(name string) (elem int64) {
	for _, p := range s.Programs {
		nest.Walk(p.Body, func(n nest.Node) {
			st, ok := n.(*nest.Stmt)
			if !ok {
				return
			}
			for _, a := range st.Accesses {
				form, affine := expr.AffineOf(a.Offset)
				if a.Object.Name != name || !affine {
					continue
				}
				for _, t := range form.Terms {
					if t.C%conflicting == 0 {
						elem = a.Size
					}
				}
			}
		})
	}
	return elem
}
