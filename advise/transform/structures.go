package transform

import (
	"slices"
	"strings"

	"foresee/advise/syntax"
)

// StructuresOfArrays makes an array of each member of an array of structures.
func (s *Source) StructuresOfArrays() (all []*Change) {
	for _, a := range s.arrays() {
		if nestedUses(a) {
			continue
		}
		members := s.membersOf(strings.TrimSpace(strings.TrimPrefix(a.before, "static")))
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
type member struct{ kind, name, dimensions string }

// membersOf are those of a structure, by the type's text; nil where they are not all numbers or arrays of them.
func (s *Source) membersOf(kind string) []member {
	words := syntax.Tokens(kind)
	switch {
	case len(words) > 2 && words[0].Is("struct") && words[len(words)-1].Is("}"):
		i := strings.Index(s.Text, kind)
		open := slices.IndexFunc(s.Tokens, func(t syntax.Token) bool { return t.Begin >= i && t.Is("{") })
		if i < 0 || open < 0 {
			return nil
		}
		return s.membersIn(open+1, s.closing(open))
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
	for _, r := range s.Split(from, end, ";") {
		if r[0] >= r[1] {
			continue
		}
		kind := ""
		for i, part := range s.Split(r[0], r[1], ",") {
			words := s.Tokens[part[0]:part[1]]
			name := slices.IndexFunc(words, func(t syntax.Token) bool { return t.Is("[") }) - 1
			if name < 0 {
				name = len(words) - 1
			}
			if i == 0 {
				if name < 1 {
					return nil
				}
				kind = s.Text[words[0].Begin:words[name-1].End]
				words = words[name:]
				name = 0
			}
			if name != 0 || words[0].Kind != syntax.Word || strings.ContainsAny(kind, "*[({:") {
				return nil
			}
			dimensions := s.Text[words[0].End:words[len(words)-1].End]
			if len(words) > 1 && (!strings.HasPrefix(strings.TrimSpace(dimensions), "[") || !words[len(words)-1].Is("]")) {
				return nil
			}
			all = append(all, member{kind, words[0].Text, dimensions})
		}
	}
	return all
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
		lines = append(lines, static+m.kind+" "+names[m.name]+"["+strings.Join(a.dimensions, "][")+"]"+m.dimensions+";")
	}
	if a.among > 1 {
		return nil
	}
	if tag := syntax.Tokens(strings.TrimPrefix(a.before, "static")); len(tag) > 3 && tag[1].Kind == syntax.Word { // others may use the structure
		lines = append([]string{strings.TrimSpace(strings.TrimPrefix(a.before, "static")) + ";"}, lines...)
	}
	edits := []edit{{a.begin, a.end, strings.Join(lines, "\n")}}
	for _, u := range a.uses {
		dot := slices.IndexFunc(s.Tokens, func(t syntax.Token) bool { return t.Begin >= u.end })
		if dot < 0 || dot+1 >= len(s.Tokens) || !s.Tokens[dot].Is(".") || names[s.Tokens[dot+1].Text] == "" {
			return nil
		}
		m := s.Tokens[dot+1]
		edits = append(edits, edit{u.begin, m.End, names[m.Text] + s.Text[u.begin+len(a.name):u.end]})
	}
	return &Change{Kind: Arrays, Title: "make an array of each member of " + a.name, Line: s.Line(a.begin), Text: s.edited(edits), Conditions: foreign(a), Array: a.name}
}

// Interleaving stores arrays of the same type and dimensions as members of one array of structures, so that what lies at one place of each lies in one line; nil where
// that cannot be written.
func (s *Source) Interleaving(names []string) *Change {
	var group []*array
	for _, a := range s.arrays() {
		if slices.Contains(names, a.name) && !nestedUses(a) {
			group = append(group, a)
		}
	}
	if len(group) < 2 || len(group) < len(names) {
		return nil
	}
	first := group[0]
	kind := strings.TrimSpace(strings.TrimPrefix(first.before, "static"))
	if scalarBytes(strings.Join(strings.Fields(kind), " ")) == 0 {
		return nil
	}
	whole := s.fresh(strings.Join(names, "_"), nil)
	var members []string
	var conditions []string
	var edits []edit
	declarations := map[int]int{}
	for _, a := range group {
		if a.before != first.before || !slices.EqualFunc(a.dimensions, first.dimensions, same) {
			return nil
		}
		members = append(members, kind+" "+a.name+";")
		conditions = append(conditions, foreign(a)...)
		declarations[a.begin]++
		for _, u := range a.uses {
			if s.inElement(u, group) {
				return nil
			}
			edits = append(edits, edit{u.begin, u.end, whole + s.Text[u.begin+len(a.name):u.end] + "." + a.name})
		}
	}
	static := ""
	if first.static {
		static = "static "
	}
	declaration := static + "struct { " + strings.Join(members, " ") + " } " + whole + "[" + strings.Join(first.dimensions, "][") + "];"
	for _, a := range group {
		switch n := declarations[a.begin]; {
		case n == 0: // done
		default:
			left := ""
			if n < a.among {
				left = s.without(a, names)
			}
			edits = append(edits, edit{a.begin, a.end, strings.TrimSpace(declaration + "\n" + left)})
			declaration = ""
			declarations[a.begin] = 0
		}
	}
	return &Change{
		Kind: Interleaving, Title: "interleave " + list(names) + " in one array of structures", Line: s.Line(first.begin), Text: s.edited(edits), Conditions: conditions, Array: strings.Join(names, ", "),
	}
}

// without is the declaration of an array and others without those of some names.
func (s *Source) without(a *array, names []string) string {
	from := slices.IndexFunc(s.Tokens, func(t syntax.Token) bool { return t.Begin >= a.begin+len(a.before) })
	end := slices.IndexFunc(s.Tokens, func(t syntax.Token) bool { return t.End >= a.end })
	var left []string
	for _, part := range s.Split(from, end, ",") {
		if !slices.Contains(names, s.Tokens[part[0]].Text) {
			left = append(left, s.Text[s.Tokens[part[0]].Begin:s.Tokens[part[1]-1].End])
		}
	}
	return a.before + strings.Join(left, ", ") + ";"
}

// inElement tells whether an element stands in the subscript of one of some arrays.
func (s *Source) inElement(u use, group []*array) bool {
	return slices.ContainsFunc(group, func(a *array) bool {
		return slices.ContainsFunc(a.uses, func(v use) bool { return v.begin < u.begin && u.begin < v.end })
	})
}
