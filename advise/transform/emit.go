package transform

import (
	"slices"
	"strings"

	"foresee/advise/syntax"
)

// line is a head of a loop, or another line, that is written anew.
type line struct {
	pragma string // before it
	head   string
}

// unit is by how much a file indents what stands in a loop.
func (s *Source) unit(l *syntax.Node) string {
	if strings.HasPrefix(s.Indent(l.Begin), "\t") {
		return "\t"
	}
	f := s.FunctionAt(l.Begin)
	if f != nil && len(f.Body.Items) > 0 {
		for _, n := range f.Body.Items {
			if i := s.Indent(n.Begin); i != "" && n.Kind != syntax.Pragma {
				if strings.HasPrefix(i, "\t") {
					return "\t"
				}
				return i
			}
		}
	}
	return "    "
}

// nested writes heads, one in the other, with a body that stood behind another head before.
func (s *Source) nested(indent, unit string, heads []line, body *syntax.Node) string {
	var b strings.Builder
	for i, h := range heads {
		if h.pragma != "" {
			b.WriteString(h.pragma + "\n")
		}
		b.WriteString(indent + strings.Repeat(unit, i) + h.head)
		if i < len(heads)-1 {
			b.WriteString("\n")
		}
	}
	b.WriteString(s.behind(indent+strings.Repeat(unit, len(heads)-1), unit, body))
	return b.String()
}

// behind writes the body of a loop whose line has an indent.
func (s *Source) behind(indent, unit string, body *syntax.Node) string {
	if body.Kind == syntax.Block {
		return " " + s.shifted(s.TextOf(body), s.Indent(body.Begin), indent)
	}
	return "\n" + indent + unit + s.shifted(s.TextOf(body), s.Indent(body.Begin), indent+unit)
}

// shifted moves the lines behind the first of a text from one indent to another.
func (s *Source) shifted(text, from, to string) string {
	lines := strings.Split(text, "\n")
	for i := 1; i < len(lines); i++ {
		if rest, ok := strings.CutPrefix(lines[i], from); ok && strings.TrimSpace(rest) != "" && !strings.HasPrefix(rest, "#") {
			lines[i] = to + rest
		}
	}
	return strings.Join(lines, "\n")
}

// others are directives before a loop that deal no iterations, such as scop, each with its line's end.
func others(l *syntax.Node) string {
	var b strings.Builder
	for _, t := range l.Pragmas {
		if !syntax.IsParallelFor(t) {
			b.WriteString(t.Text + "\n")
		}
	}
	return b.String()
}

// dealing is the directive before a loop that deals its iterations; "" where there is none.
func dealing(l *syntax.Node) string {
	for _, t := range l.Pragmas {
		if syntax.IsParallelFor(t) {
			return t.Text
		}
	}
	return ""
}

// replaced is the source with another text in the place of a loop and the directives before it. The text begins with its indent.
func (s *Source) replaced(l *syntax.Node, by string) string { return s.replacedTo(l, l.End, by) }

// replacedTo is replaced for all up to an end behind the loop. A loop behind something else on its line gets a line of its own.
func (s *Source) replacedTo(l *syntax.Node, end int, by string) string {
	if at := l.Start(); !s.begins(at) {
		return s.splice(at, end, "\n"+others(l)+by)
	}
	return s.splice(s.LineBegin(l.Start()), end, others(l)+by)
}

// clause takes names out of the clauses private of a directive, or adds them.
func clause(pragma string, without, with []string) string {
	have := namesIn(pragma)
	for _, n := range with {
		if !slices.Contains(have, n) {
			have = append(have, n)
		}
	}
	have = slices.DeleteFunc(have, func(n string) bool { return slices.Contains(without, n) })
	at, rest := cutPrivate(pragma)
	if len(have) == 0 {
		return strings.TrimRight(at+rest, " ")
	}
	return strings.TrimRight(at, " ") + " private(" + strings.Join(have, ", ") + ")" + rest
}

// cutPrivate takes the clauses private out: what stands before the first, and behind.
func cutPrivate(pragma string) (before, behind string) {
	i := privateAt(pragma)
	if i < 0 {
		return pragma, ""
	}
	end := i + strings.IndexByte(pragma[i:], ')') + 1
	rest := pragma[end:]
	if j := privateAt(rest); j >= 0 {
		a, b := cutPrivate(rest)
		rest = strings.TrimRight(a, " ") + b
	}
	return pragma[:i], strings.TrimRight(rest, " ")
}

// privateAt is where a clause private begins, −1 where there is none.
func privateAt(pragma string) int {
	for at := 0; ; {
		i := strings.Index(pragma[at:], "private(")
		if i < 0 {
			return -1
		}
		if at += i; at > 0 && (pragma[at-1] == ' ' || pragma[at-1] == ',') && strings.IndexByte(pragma[at:], ')') > 0 {
			return at
		}
		at += len("private(")
	}
}

// namesIn are the names in the clauses private of a directive.
func namesIn(pragma string) (all []string) {
	for {
		i := privateAt(pragma)
		if i < 0 {
			return all
		}
		end := i + strings.IndexByte(pragma[i:], ')')
		for _, n := range strings.Split(pragma[i+len("private("):end], ",") {
			all = append(all, strings.TrimSpace(n))
		}
		pragma = pragma[end+1:]
	}
}

// moved is the directive of one loop of a band for a loop of the same band in another order to stand before: at gives the old places. The variables of
// the loops outside are not its threads' own, those of the loops inside are.
func moved(pragma string, band []*syntax.Node, order []int, from, place int) (string, bool) {
	var without, with []string
	for i, p := range order {
		h := band[p].Head
		switch {
		case h.Type != "":
		case i <= place:
			without = append(without, h.Var)
		case p == from:
			with = append(with, h.Var)
		}
	}
	inRegion := !strings.Contains(pragma, "parallel")
	if inRegion && slices.Contains(order[:place], from) && band[from].Head.Type == "" {
		return "", false // every thread would count it, and it may be one variable of all
	}
	return clause(pragma, without, with), true
}
