package transform

import (
	"slices"
	"strconv"
	"strings"

	"foresee/advise/syntax"
)

// Fusions makes one loop of two that follow one another and count the same.
func (s *Source) Fusions(l *syntax.Node) (all []*Change) {
	next := follower(l)
	if next == nil || next.Head == nil || l.Head == nil || !alike(l.Head, next.Head) {
		return nil
	}
	a, b := s.study(l), s.study(next)
	if a == nil || b == nil || len(a.nests) != len(b.nests) || !a.sequential(l) || !b.sequential(next) || (dealing(l) == "") != (dealing(next) == "") {
		return nil
	}
	if len(a.scalars.carried)+len(b.scalars.carried)+len(a.scalars.sums)+len(b.scalars.sums) > 0 || len(a.passed(b)) > 0 {
		return nil
	}
	pragma := dealing(l)
	if pragma != "" && clauses(pragma) != clauses(dealing(next)) || strings.TrimSpace(s.Text[l.End:next.Start()]) != "" {
		return nil
	}
	behind, crosses, ok := a.together(b)
	if !ok || pragma != "" && (crosses || behind > 0) {
		return nil
	}
	if behind > 0 {
		return a.followed(b, behind)
	}
	c := a.change(Fusion, []*syntax.Node{l}, "fuse the loop over %s with the next", l.Head.Var)
	c.Conditions = slices.Compact(append(c.Conditions, b.conditions()...))
	indent, unit := s.Indent(l.Begin), s.unit(l)
	if pragma != "" {
		pragma = clause(dealing(next), nil, namesIn(pragma)) + "\n" // the barrier that the second has or has not is that of both
	}
	text := pragma + indent + l.Head.String() + " {\n" + s.inside(l, indent+unit) + "\n" + s.inside(next, indent+unit) + "\n" + indent + "}"
	c.Text = s.replacedTo(l, next.End, text)
	return []*Change{c}
}

// mostBehind is by how many iterations the second of two loops that are fused may follow the first. Chosen: stencils look so far.
const mostBehind = 2

// together tells by how many iterations the second of two loops must follow the first where they are run as one, and whether iterations then depend on one another;
// not ok: by more than are tried.
func (st *study) together(next *study) (behind int64, crosses, ok bool) {
	for i := range st.nests {
		if st.nests[i].Program != next.nests[i].Program || !sameTrips(st.nests[i].Loop, next.nests[i].Loop) {
			return 0, false, false
		}
		for {
			back, cross := dependenceBetween(st, next, i, behind)
			if !back {
				crosses = crosses || cross
				break
			}
			if behind++; behind > mostBehind {
				return 0, false, false
			}
		}
	}
	return behind, crosses, true
}

// followed is one loop of two, of which the second runs so many iterations behind the first: those of the first alone before it, those of the second behind it.
func (st *study) followed(next *study, behind int64) []*Change {
	h := st.loop.Head
	if !h.Unit() || h.Op != "<" && h.Op != "<=" || st.hidden(h.Var) || !next.visible(h.Var) || len(assignedIn(next.Words(next.loop.Body))[h.Var]) > 0 {
		return nil
	}
	if kind := st.typeOf(st.loop); kind != "int" && kind != "long" || slices.ContainsFunc(next.loop.Loops()[1:], func(l *syntax.Node) bool { return l.Head == nil || l.Head.Var == h.Var }) {
		return nil
	}
	n := strconv.FormatInt(behind, 10)
	low, bound := paren(h.Low), paren(upper(h))
	first, last := low+" + "+n, bound+" - "+n
	start, end := smaller(first, upper(h)), larger(last, h.Low)
	indent, unit := st.Indent(st.loop.Begin), st.unit(st.loop)
	head := func(low, bound string) string {
		return indent + (&syntax.Head{Type: h.Type, Var: h.Var, Low: low, Op: "<", Bound: bound, Step: h.Step}).String() + " {\n"
	}
	a, b := st.inside(st.loop, indent+unit), st.inside(next.loop, indent+unit)
	text := head(h.Low, start) + a + "\n" + indent + "}\n" +
		head(first, upper(h)) + a + "\n" + syntax.Replace(b, h.Var, "("+h.Var+" - "+n+")") + "\n" + indent + "}\n" +
		head(end, upper(h)) + b + "\n" + indent + "}"
	c := st.change(Fusion, []*syntax.Node{st.loop}, "fuse the loop over %s with the next, whose iterations follow by %d", h.Var, behind)
	c.Conditions = slices.Compact(append(c.Conditions, next.conditions()...))
	c.Text = st.replacedTo(st.loop, next.loop.End, text)
	return []*Change{c}
}

// clauses is a directive without what it says of private variables.
func clauses(pragma string) string {
	before, behind := cutPrivate(pragma)
	return strings.Join(strings.Fields(strings.ReplaceAll(before, "nowait", "")+" "+behind), " ")
}

// follower is the loop that stands behind another one in the same block.
func follower(l *syntax.Node) *syntax.Node {
	if l.Parent == nil || l.Parent.Kind != syntax.Block {
		return nil
	}
	i := slices.Index(l.Parent.Items, l)
	if i < 0 || i+1 >= len(l.Parent.Items) || l.Parent.Items[i+1].Kind != syntax.For {
		return nil
	}
	return l.Parent.Items[i+1]
}

// alike tells heads that say the same.
func alike(a, b *syntax.Head) bool {
	return a.Var == b.Var && a.Type == b.Type && a.Op == b.Op && same(a.Low, b.Low) && same(a.Bound, b.Bound) && same(a.Step, b.Step)
}

// same tells texts of the same words.
func same(a, b string) bool {
	x, y := syntax.Tokens(a), syntax.Tokens(b)
	return slices.EqualFunc(x, y, func(s, t syntax.Token) bool { return s.Text == t.Text })
}

// passed are the variables that one loop assigns and the other speaks of: they are each iteration's own only where both assign them first.
func (st *study) passed(next *study) (all []string) {
	for _, pair := range [][2]*study{{st, next}, {next, st}} {
		for name := range pair[0].scalars.private {
			if mentions(pair[1].Words(pair[1].loop), name) && !pair[1].scalars.private[name] {
				all = append(all, name)
			}
		}
		for name := range pair[0].scalars.declared {
			if mentions(pair[1].Words(pair[1].loop), name) && !pair[1].scalars.declared[name] {
				all = append(all, name)
			}
		}
	}
	return all
}

// inside are the statements of a loop with an indent. Declarations of one name in both loops keep their braces.
func (s *Source) inside(l *syntax.Node, indent string) string {
	if l.Body.Kind != syntax.Block {
		return indent + s.shifted(s.TextOf(l.Body), s.Indent(l.Body.Begin), indent)
	}
	if len(declaredBlock(s, l.Body)) > 0 || len(l.Body.Items) == 0 {
		return indent + s.shifted(s.TextOf(l.Body), s.Indent(l.Body.Begin), indent)
	}
	items := l.Body.Items
	first, last := items[0], items[len(items)-1]
	return indent + s.shifted(s.Text[first.Start():last.End], s.Indent(first.Begin), indent)
}

// declaredBlock are the variables that a block declares itself.
func declaredBlock(s *Source, n *syntax.Node) (all []string) {
	for _, c := range n.Items {
		if c.Kind == syntax.Simple && isDeclaration(s.Words(c)) {
			all = append(all, declaredBy(s.Words(c))...)
		}
	}
	return all
}
