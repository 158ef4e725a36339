package transform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"foresee/advise/syntax"
)

// unrolled are how many iterations of an outer loop are run at once. Chosen: what they keep in registers fits those of all processors here, 16 and more.
var unrolled = []int{2, 4}

// UnrollJams runs several iterations of a loop at once in each iteration of those within it, so that what they share is loaded once.
func (s *Source) UnrollJams(l *syntax.Node) (all []*Change) {
	band := l.Band()
	st := s.study(l)
	if st == nil || len(band) < 2 || len(band[len(band)-1].Body.Loops()) > 0 || !st.sequential(band[0]) {
		return nil
	}
	h := band[0].Head
	for _, inner := range band[1:] {
		if syntax.Mentions(inner.Head.Low+" "+inner.Head.Bound+" "+inner.Head.Step, h.Var) {
			return nil
		}
	}
	pragma := dealing(l)
	inRegion := pragma != "" && !strings.Contains(pragma, "parallel")
	if strings.Contains(pragma, "nowait") || strings.Contains(pragma, "lastprivate") || strings.Contains(pragma, "schedule") || strings.Contains(pragma, "collapse") || strings.Contains(pragma, "ordered") {
		return nil
	}
	kind := st.typeOf(l)
	if !h.Unit() || h.Op != "<" && h.Op != "<=" || kind != "int" && kind != "long" {
		return nil
	}
	if st.hidden(h.Var) || !st.visible(h.Var) || len(st.scalars.sums) > 0 || !st.permutes(band, append(identity(len(band))[1:], 0)) {
		return nil
	}
	for _, n := range unrolled {
		if st.trips(l) >= int64(4*n) {
			all = append(all, st.unrollJam(band, n, inRegion))
		}
	}
	return all
}

// visible tells whether the text shows where accesses use a variable: where it does not have them as the compiler sees them, a macro of a header may.
func (st *study) visible(name string) bool {
	if !st.includesOwn() {
		return true
	}
	for _, n := range st.nests {
		for _, r := range n.References {
			o, ok := st.Offset(r.Access.Pos)
			if !ok || syntax.Mentions(r.Access.Text, name) && !st.shown(r.Access.Text, o) {
				return false
			}
		}
	}
	return true
}

// unrollJam writes the loop in steps, and one for the iterations that are left.
// In a parallel region the latter is dealt as well, or all threads would run it.
func (st *study) unrollJam(band []*syntax.Node, n int, inRegion bool) *Change {
	h := band[0].Head
	body := band[len(band)-1].Body
	upper, low := st.operand(upper(h)), st.operand(h.Low)
	first := "for (" + strings.TrimSpace(h.Type+" "+h.Var) + " = " + h.Low + "; " + h.Var + " < " + upper + " - " + strconv.Itoa(n-1) + "; " + h.Var + " += " + strconv.Itoa(n) + ")"
	rest := *h
	rest.Low = fmt.Sprintf("%s + (%s - %s) / %d * %d", low, upper, low, n, n)
	if h.Low == "0" {
		rest.Low = fmt.Sprintf("%s / %d * %d", upper, n, n)
	}
	indent, unit := st.Indent(st.loop.Begin), st.unit(st.loop)
	heads := []line{{head: first, pragma: dealing(st.loop)}}
	left := []line{{head: rest.String()}}
	if inRegion {
		left[0].pragma = dealing(st.loop)
	}
	for _, l := range band[1:] {
		heads, left = append(heads, line{head: l.Head.String()}), append(left, line{head: l.Head.String()})
	}
	deep := indent + strings.Repeat(unit, len(band)-1)
	var b strings.Builder
	for i, x := range heads {
		if x.pragma != "" {
			b.WriteString(x.pragma + "\n")
		}
		b.WriteString(indent + strings.Repeat(unit, i) + x.head)
		if i < len(heads)-1 {
			b.WriteString("\n")
		}
	}
	b.WriteString(" {\n")
	for k := range n {
		text := st.shifted(st.TextOf(body), st.Indent(body.Begin), deep+unit)
		if k > 0 {
			text = syntax.Replace(text, h.Var, "("+h.Var+" + "+strconv.Itoa(k)+")")
		}
		b.WriteString(deep + unit + text + "\n")
	}
	b.WriteString(deep + "}\n")
	b.WriteString(st.nested(indent, unit, left, body))
	c := st.change(UnrollJam, band, "unroll %s by %d, and jam the copies", h.Var, n)
	text := b.String()
	if l := st.loop; l.Parent == nil || l.Parent.Kind != syntax.Block {
		text = indent + "{\n" + text + "\n" + indent + "}"
	}
	c.Text = st.replaced(st.loop, text)
	c.Loops = slices.Clone(c.Loops[:1])
	return c
}
