package transform

import (
	"slices"
	"strconv"
	"strings"

	"foresee/advise/dependence"
	"foresee/advise/syntax"
)

// SumsInArrays adds up in the element itself what the body of a loop adds up in a variable and then assigns to it: s = 0; for (…) s += …; A[i] = s. So it does
// with what is added to the element, A[i] += s, where rounding then differs. That gains nothing by itself, but lets the loops be distributed and interchanged.
func (s *Source) SumsInArrays(l *syntax.Node) (all []*Change) {
	for _, n := range l.Loops() {
		if n.Head == nil || n.Body.Kind != syntax.Block {
			continue
		}
		st := s.study(n)
		if st == nil || !st.sequential() && dealing(n) == "" {
			continue
		}
		if c := st.sumInArray(); c != nil {
			all = append(all, c)
		}
	}
	return all
}

// sumInArray changes the first such sum in the body of the loop.
func (st *study) sumInArray() *Change {
	items := st.loop.Body.Items
	for last := 2; last < len(items); last++ {
		words := st.Words(items[last])
		eq := slices.IndexFunc(words, func(t syntax.Token) bool { return t.Is("=") || t.Is("+=") })
		if items[last].Kind != syntax.Simple || eq < 1 || len(words) != eq+3 || words[eq+1].Kind != syntax.Word || !isElement(words[:eq]) || eq < 2 {
			continue
		}
		name := words[eq+1].Text
		first := slices.IndexFunc(items[:last], func(n *syntax.Node) bool { return mentions(st.Words(n), name) })
		if first < 0 {
			continue
		}
		c := st.sumBetween(items, first, last, name, st.Text[words[0].Begin:words[eq-1].End])
		if c != nil && words[eq].Is("+=") {
			c = st.addedSum(c, items, first, name)
		}
		if c != nil {
			return c
		}
	}
	return nil
}

// sumBetween changes a sum that begins with one statement and is assigned by another.
func (st *study) sumBetween(items []*syntax.Node, first, last int, name, text string) *Change {
	begin := st.Words(items[first])
	eq := slices.IndexFunc(begin, func(t syntax.Token) bool { return t.Is("=") })
	if items[first].Kind != syntax.Simple || eq < 1 || begin[eq-1].Text != name || mentions(begin[eq+1:], name) || len(st.splitComma(items[first])) != 1 {
		return nil
	}
	var kind string
	switch {
	case isDeclaration(begin):
		kind = st.TextOf(items[first])[:begin[eq-1].Begin-begin[0].Begin]
	case eq == 1 && st.scalars.private[name]:
		kind = st.declaredType(st.function, name)
	default:
		return nil
	}
	if kind = strings.TrimSpace(kind); kind != "double" && kind != "float" {
		return nil
	}
	var middle []syntax.Token
	for _, n := range items[first+1 : last] {
		middle = append(middle, st.Words(n)...)
	}
	if st.hidden(name) || sumOf(middle, name) == "" || slices.ContainsFunc(items[last+1:], func(n *syntax.Node) bool { return mentions(st.Words(n), name) }) {
		return nil
	}
	for assigned := range assignedIn(middle) {
		if syntax.Mentions(text, assigned) {
			return nil
		}
	}
	if !st.untouched(items[first], items[last], text, kind) {
		return nil
	}
	c := st.change(Distribution, []*syntax.Node{st.loop}, "add up in %s", text)
	at := items[last].Begin
	if st.begins(at) {
		at = st.LineBegin(at)
	}
	var b strings.Builder
	b.WriteString(st.Text[:items[first].Begin] + text + " = " + st.Text[begin[eq+1].Begin:items[first].End])
	b.WriteString(replacedWords(st.Text[items[first].End:at], name, text))
	b.WriteString(strings.TrimPrefix(st.Text[items[last].End:], "\n"))
	c.Text = b.String()
	c.Array = arrayOf(text)
	return c
}

// addedSum is a change of a sum that is added to what the element has: without the statement that begins it, which must set it to zero.
func (st *study) addedSum(c *Change, items []*syntax.Node, first int, name string) *Change {
	begin := st.Words(items[first])
	eq := slices.IndexFunc(begin, func(t syntax.Token) bool { return t.Is("=") })
	var middle []syntax.Token
	for _, n := range items[first+1:] {
		middle = append(middle, st.Words(n)...)
	}
	zero := len(begin) == eq+3 && isZero(begin[eq+1].Text)
	if !zero || strings.TrimSpace(st.Text[items[first].End:items[first+1].Begin]) != "" || !addsAlone(middle, name) {
		return nil
	}
	head := st.Text[:items[first].Begin]
	rest := c.Text[len(head):] // the element set to zero, then the sum
	gone := strings.Index(rest, ";") + 1
	c.Text = head + strings.TrimLeft(rest[gone:], " \t\n")
	c.Reorders = true
	return c
}

// isZero tells a number that is zero.
func isZero(text string) bool {
	v, err := strconv.ParseFloat(strings.TrimRight(text, "fFlLuU"), 64)
	return err == nil && v == 0
}

// addsAlone tells whether statements only add to a variable, by += or -=, until it is added to something itself.
func addsAlone(words []syntax.Token, name string) bool {
	for i, t := range words {
		if t.Kind == syntax.Word && t.Text == name && !(mark(words, i+1) == "+=" || mark(words, i+1) == "-=" || i > 0 && words[i-1].Is("+=")) {
			return false
		}
	}
	return true
}

// splitComma parts a declaration by its commas.
func (st *study) splitComma(n *syntax.Node) [][2]int {
	words := st.Words(n)
	depth, parts := 0, [][2]int{{0, len(words)}}
	for i, t := range words {
		switch {
		case t.Is("(") || t.Is("[") || t.Is("{"):
			depth++
		case t.Is(")") || t.Is("]") || t.Is("}"):
			depth--
		case depth == 0 && t.Is(","):
			parts = append(parts, [2]int{i, len(words)})
		}
	}
	return parts
}

// untouched tells whether nothing between two statements touches what the second assigns, an element of the type that is given, nor its array under
// another name.
func (st *study) untouched(first, last *syntax.Node, text, kind string) bool {
	for _, n := range st.nests {
		var target *dependence.Reference
		for _, r := range n.References {
			if o, ok := st.Offset(r.Access.Pos); ok && last.Holds(o) && r.Access.Write && same(r.Access.Text, text) {
				target = r
			}
		}
		if target == nil {
			return false
		}
		if k, ok := typeIn(n, []*dependence.Reference{target}); !ok || k != kind {
			return false
		}
		for _, r := range n.References {
			o, ok := st.Offset(r.Access.Pos)
			if !ok || r.Access.Pos.File != st.Name {
				return false
			}
			if o >= first.Begin && o < last.Begin && (r.Access.Object == target.Access.Object || mayBeOne(r.Access.Object, target.Access.Object, st.calledWithArrays())) {
				return false
			}
		}
	}
	return true
}
