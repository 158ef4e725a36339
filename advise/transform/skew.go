package transform

import (
	"fmt"
	"slices"
	"strings"

	"foresee/advise/syntax"
)

// Skewings runs two loops, each of which hands values from one iteration to the next, by wavefronts: the sum of both variables is the outer loop, and the
// iterations of a sum, which lie on a diagonal, are independent and dealt to threads. Of dependences that go forwards in both loops, or in one and nowhere in the
// other, each goes from one sum to a larger one (Lamport, The parallel execution of DO loops, 1974, with the hyperplane i + j).
func (s *Source) Skewings(l *syntax.Node) []*Change {
	band := l.Band()
	if len(band) != 2 || s.inRegion(l) {
		return nil
	}
	st := s.study(l)
	if st == nil || dealing(band[0]) != "" || !st.sequential() || !st.tiles(band) || st.parallel() || st.independent(band, band[1], band[:1]) {
		return nil
	}
	for i, l := range band {
		h := l.Head
		if !h.Unit() || h.Op != "<" && h.Op != "<=" || st.trips(l) < 4 || st.hidden(h.Var) || !st.visible(h.Var) || h.Type == "" && st.usedBehind(h.Var) {
			return nil
		}
		if kind := st.typeOf(l); kind != "int" && kind != "long" || syntax.Mentions(h.Low+" "+h.Bound, band[1-i].Head.Var) {
			return nil
		}
	}
	return []*Change{st.skewing(band)}
}

// usedBehind tells whether the function mentions a variable behind the loop, so that its last value may count.
func (st *study) usedBehind(name string) bool {
	return slices.ContainsFunc(st.Tokens, func(t syntax.Token) bool {
		return t.Begin >= st.loop.End && t.Begin < st.function.Body.End && t.Kind == syntax.Word && t.Text == name
	})
}

// skewing writes the wavefronts.
func (st *study) skewing(band []*syntax.Node) *Change {
	outer, inner := band[0].Head, band[1].Head
	sum := st.fresh(outer.Var+inner.Var, nil)
	kind := st.typeOf(band[0])
	if st.typeOf(band[1]) == "long" {
		kind = "long"
	}
	heads := []line{
		{head: fmt.Sprintf("for (%s %s = %s + %s; %s < %s + %s - 1; %s++)", kind, sum, paren(outer.Low), paren(inner.Low), sum, paren(upper(outer)), paren(upper(inner)), sum)},
		{
			head: fmt.Sprintf("for (%s %s = %s; %s < %s; %s++)", kind, outer.Var, larger("("+sum+" - "+paren(upper(inner))+" + 1)", outer.Low), outer.Var,
				smaller("("+sum+" - "+paren(inner.Low)+" + 1)", upper(outer)), outer.Var),
			pragma: "#pragma omp parallel for",
		},
	}
	var private []string
	for _, set := range []map[string]bool{st.scalars.counters, st.scalars.private} {
		for name := range set {
			if name != outer.Var && name != inner.Var {
				private = append(private, name)
			}
		}
	}
	if slices.Sort(private); len(private) > 0 {
		heads[1].pragma += " private(" + strings.Join(private, ", ") + ")"
	}
	indent, unit := st.Indent(st.loop.Begin), st.unit(st.loop)
	text := st.nested(indent, unit, heads, band[1].Body)
	cut := strings.Index(text, heads[1].head) + len(heads[1].head)
	text = text[:cut] + syntax.Replace(text[cut:], inner.Var, "("+sum+" - "+outer.Var+")")
	c := st.change(Skewing, band, "skew %s and %s, and deal the iterations of each diagonal to threads", outer.Var, inner.Var)
	c.Text = st.replaced(st.loop, text)
	return c
}
