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
	begin, end int // of the declaration, with its semicolon
	before     string
	dimensions []string
	uses       []use
	static     bool
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
		end := i
		for end < len(s.Tokens) && !s.Tokens[end].Is(";") && !s.Tokens[end].Is("{") && s.Tokens[end].Kind != syntax.Directive && s.Tokens[end].Begin >= 0 {
			end++
		}
		if end == len(s.Tokens) || !s.Tokens[end].Is(";") {
			i = end
			if end < len(s.Tokens) && s.Tokens[end].Is("{") {
				i = s.closing(end)
			}
			continue
		}
		if a := s.arrayIn(i, end); a != nil && s.usedByElements(a) {
			all = append(all, a)
		}
		i = end
	}
	return all
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

// arrayIn is the array that tokens up to a semicolon declare; nil where they declare something else, or more.
func (s *Source) arrayIn(from, end int) *array {
	name := -1
	for i := from; i < end; i++ {
		t := s.Tokens[i]
		if t.Is("=") || t.Is("(") || t.Is("*") || t.Is("extern") || t.Is("typedef") || t.Is("const") || t.Is("volatile") || t.Is("_Alignas") || t.Is("__attribute__") || name < 0 && t.Is(",") {
			return nil
		}
		if name < 0 && t.Is("[") {
			name = i - 1
		}
	}
	if name <= from || s.Tokens[name].Kind != syntax.Word {
		return nil
	}
	a := &array{name: s.Tokens[name].Text, begin: s.Tokens[from].Begin, end: s.Tokens[end].End, before: s.Text[s.Tokens[from].Begin:s.Tokens[name].Begin], static: s.Tokens[from].Is("static")}
	for i := name + 1; i < end; {
		if !s.Tokens[i].Is("[") {
			return nil
		}
		close := s.bracket(i)
		a.dimensions = append(a.dimensions, s.Text[s.Tokens[i].End:s.Tokens[close].Begin])
		i = close + 1
	}
	return a
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
		edits := []edit{{a.begin, a.end, a.before + a.name + "[" + a.dimensions[1] + "][" + a.dimensions[0] + "];"}}
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
		e := edit{a.begin, a.end, a.before + a.name + "[" + strings.Join(dimensions, "][") + "];"}
		edits, names = append(edits, e), append(names, a.name)
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

// StructuresOfArrays makes an array of each member of an array of structures.
func (s *Source) StructuresOfArrays() (all []*Change) {
	for _, a := range s.arrays() {
		if len(a.dimensions) != 1 || nestedUses(a) {
			continue
		}
		members := s.members(a)
		if len(members) < 2 {
			continue
		}
		if c := s.structureOfArrays(a, members); c != nil {
			all = append(all, c)
		}
	}
	return all
}

// member is one of a structure.
type member struct{ kind, name string }

// members are those of the structure of which an array is; nil where they are not all single numbers.
func (s *Source) members(a *array) []member {
	words := syntax.Tokens(strings.TrimPrefix(a.before, "static"))
	switch {
	case len(words) == 2 && words[0].Is("struct"):
		for i, t := range s.Tokens {
			if t.Is("struct") && i+2 < len(s.Tokens) && s.Tokens[i+1].Text == words[1].Text && s.Tokens[i+2].Is("{") {
				return s.membersIn(i+3, s.closing(i+2))
			}
		}
	case len(words) == 1:
		for i, t := range s.Tokens {
			if t.Text != words[0].Text || mark(s.Tokens, i-1) != "}" {
				continue
			}
			open := i - 1
			for depth := 0; open > 0; open-- {
				if s.Tokens[open].Is("}") {
					depth++
				} else if s.Tokens[open].Is("{") {
					if depth--; depth == 0 {
						break
					}
				}
			}
			if open > 1 && (s.Tokens[open-1].Is("struct") || s.Tokens[open-2].Is("struct")) {
				return s.membersIn(open+1, i-1)
			}
		}
	}
	return nil
}

func (s *Source) membersIn(from, end int) (all []member) {
	for _, r := range s.split(from, end, ";") {
		if r[0] >= r[1] {
			continue
		}
		kind := ""
		for i, part := range s.split(r[0], r[1], ",") {
			words := s.Tokens[part[0]:part[1]]
			if i == 0 {
				if len(words) < 2 {
					return nil
				}
				kind = s.Text[words[0].Begin:words[len(words)-2].End]
				words = words[len(words)-1:]
			}
			if len(words) != 1 || words[0].Kind != syntax.Word || strings.ContainsAny(kind, "*[({:") {
				return nil
			}
			all = append(all, member{kind, words[0].Text})
		}
	}
	return all
}

// split parts tokens at marks outside brackets.
func (s *Source) split(from, to int, mark string) (all [][2]int) {
	depth, begin := 0, from
	for i := from; i < to; i++ {
		switch t := s.Tokens[i]; {
		case t.Is("(") || t.Is("[") || t.Is("{"):
			depth++
		case t.Is(")") || t.Is("]") || t.Is("}"):
			depth--
		case depth == 0 && t.Is(mark):
			all = append(all, [2]int{begin, i})
			begin = i + 1
		}
	}
	return append(all, [2]int{begin, to})
}

func (s *Source) structureOfArrays(a *array, members []member) *Change {
	static := ""
	if a.static {
		static = "static "
	}
	names := map[string]string{}
	var lines, taken []string
	for _, m := range members {
		names[m.name] = s.fresh(a.name+"_"+m.name, taken)
		taken = append(taken, names[m.name])
		lines = append(lines, static+m.kind+" "+names[m.name]+"["+a.dimensions[0]+"];")
	}
	edits := []edit{{a.begin, a.end, strings.Join(lines, "\n")}}
	for _, u := range a.uses {
		dot := slices.IndexFunc(s.Tokens, func(t syntax.Token) bool { return t.Begin >= u.end })
		if dot < 0 || dot+1 >= len(s.Tokens) || !s.Tokens[dot].Is(".") || names[s.Tokens[dot+1].Text] == "" {
			return nil
		}
		m := s.Tokens[dot+1]
		edits = append(edits, edit{u.begin, m.End, names[m.Text] + "[" + s.Text[u.subscripts[0][0]:u.subscripts[0][1]] + "]"})
	}
	return &Change{Kind: Arrays, Title: "make an array of each member of " + a.name, Line: s.Line(a.begin), Text: s.edited(edits), Conditions: foreign(a), Array: a.name}
}
