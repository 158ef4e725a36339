package transform

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"foresee/advise/syntax"
	"foresee/application/nest"
)

// mostOrders is how many orders of a band are tried, the best by the strides of their accesses. Chosen: among more the models seldom find a better one.
const mostOrders = 4

// Interchanges puts the loops of a band, which each are all of the one around, in other orders.
func (s *Source) Interchanges(l *syntax.Node) (all []*Change) {
	band := l.Band()
	st := s.study(l)
	if st == nil || len(band) < 2 || !st.sequential(band...) {
		return nil
	}
	for _, order := range st.orders(band) {
		if c := st.interchange(band, order); c != nil {
			if all = append(all, c); len(all) == mostOrders {
				break
			}
		}
	}
	return all
}

// interchange is one order of a band; nil where it is not legal or cannot be written.
func (st *study) interchange(band []*syntax.Node, order []int) *Change {
	if !st.permutes(band, order) {
		return nil
	}
	heads, ok := st.reordered(band, order)
	if !ok {
		return nil
	}
	place, pragma, ok := st.dealt(band, order)
	if !ok {
		return nil
	}
	lines := make([]line, len(heads))
	for i, h := range heads {
		lines[i].head = h.String()
	}
	if pragma != "" {
		lines[place].pragma = pragma
	}
	var names []string
	for _, h := range heads {
		names = append(names, h.Var)
	}
	c := st.change(Interchange, band, "interchange the loops to the order %s", strings.Join(names, ", "))
	c.Loops, c.Reorders = names, st.rounds()
	indent, unit := st.Indent(st.loop.Begin), st.unit(st.loop)
	c.Text = st.replaced(st.loop, st.nested(indent, unit, lines, band[len(band)-1].Body))
	return c
}

// dealt is before which loop of a new order the directive of a band stands, and how it reads there: the outermost whose iterations are independent.
func (st *study) dealt(band []*syntax.Node, order []int) (place int, pragma string, ok bool) {
	from := slices.IndexFunc(band, func(l *syntax.Node) bool { return dealing(l) != "" })
	if from < 0 {
		return 0, "", true
	}
	text := dealing(band[from])
	if strings.Contains(text, "collapse") || strings.Contains(text, "ordered") || strings.Contains(text, "lastprivate") || from > 0 && strings.Contains(text, "nowait") {
		return 0, "", false
	}
	var outside []*syntax.Node
	for i, p := range order {
		if i == 0 && p == from && from == 0 || st.independent(band, band[p], outside) {
			pragma, ok := moved(text, band, order, from, i)
			return i, pragma, ok
		}
		outside = append(outside, band[p])
	}
	return 0, "", false
}

// orders are those of a band beside the one it has, those whose inner loops go through memory in the shortest steps first.
func (st *study) orders(band []*syntax.Node) [][]int {
	n := min(len(band), 8)
	var all [][]int
	if n <= 4 {
		all = permutations(n)
	} else { // one loop to another place
		for i := range n {
			for j := range n {
				order := slices.Delete(identity(n), i, i+1)
				all = append(all, slices.Insert(order, j, i))
			}
		}
	}
	for i := range all {
		for k := n; k < len(band); k++ {
			all[i] = append(all[i], k)
		}
	}
	self := identity(len(band))
	all = slices.DeleteFunc(all, func(o []int) bool { return slices.Equal(o, self) })
	slices.SortStableFunc(all, func(a, b []int) int { return cmp.Compare(st.cost(band, a), st.cost(band, b)) })
	return slices.CompactFunc(all, slices.Equal)
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, rest := range permutations(n - 1) {
		for i := n - 1; i >= 0; i-- {
			all = append(all, slices.Insert(slices.Clone(rest), i, n-1))
		}
	}
	return all
}

// line of memory, in bytes, for the choice of what is tried first alone; the models have the machine's.
const usualLine = 64

// outward is how much less the next loop outwards matters than the one in it, for that choice.
const outward = 1.0 / 16

// cost is what share of a line each access takes anew from one iteration of the innermost loop of an order to the next, and less of the others.
func (st *study) cost(band []*syntax.Node, order []int) (sum float64) {
	weight := 1.0
	for _, p := range slices.Backward(order) {
		for _, n := range st.nests {
			for _, r := range n.References {
				for _, l := range r.Loops {
					if o, ok := st.Offset(l.Pos); ok && o == band[p].Begin {
						sum += weight * share(r.Access, l)
					}
				}
			}
		}
		weight *= outward
	}
	return sum
}

func share(a *nest.Access, l *nest.Loop) float64 {
	step := a.Advance(l)
	return min(float64(max(step, -step))/usualLine, 1)
}

// reordered are the heads of a band in another order; false where a bound would use a variable of a loop further in, and cannot be turned around.
func (s *Source) reordered(band []*syntax.Node, order []int) ([]*syntax.Head, bool) {
	heads := make([]*syntax.Head, len(band))
	for i, l := range band {
		h := *l.Head
		heads[i] = &h
	}
	at := identity(len(band))
	for i, p := range order { // bring p to place i, by exchanges with its neighbours
		for j := slices.Index(at, p); j > i; j-- {
			outer, inner, ok := s.exchanged(heads[j-1], heads[j])
			if !ok {
				return nil, false
			}
			heads[j-1], heads[j] = outer, inner
			at[j-1], at[j] = at[j], at[j-1]
		}
	}
	for i, h := range heads {
		for _, other := range heads[i:] {
			if syntax.Mentions(h.Low, other.Var) || syntax.Mentions(h.Bound, other.Var) || syntax.Mentions(h.Step, other.Var) && other.Var != h.Var {
				return nil, false
			}
		}
	}
	return heads, true
}

// exchanged are the heads of two loops, one in the other, the other way round. Where the bounds of the inner one are the outer one's variable plus
// something, each gets the bounds that follow.
func (s *Source) exchanged(outer, inner *syntax.Head) (newOuter, newInner *syntax.Head, ok bool) {
	low, bound := syntax.Mentions(inner.Low, outer.Var), syntax.Mentions(inner.Bound, outer.Var)
	if !low && !bound {
		return inner, outer, true
	}
	if !outer.Unit() || !inner.Unit() || outer.Op != "<" && outer.Op != "<=" || inner.Op != "<" && inner.Op != "<=" {
		return nil, nil, false
	}
	a, b := *outer, *inner
	last := "(" + a.Bound + ") - 1" // of a
	if a.Op == "<=" {
		last = a.Bound
	}
	switch {
	case low && !bound: // b ≥ a + c: a ≤ b − c
		c, ok := offset(inner.Low, outer.Var)
		if !ok || !s.atomic(c.text) && c.sign != "" {
			return nil, nil, false
		}
		b.Low = syntax.Replace(inner.Low, outer.Var, paren(a.Low))
		end := b.Var + c.minus() + " + 1"
		a.Op, a.Bound = "<", smaller(end, upper(outer))
		return &b, &a, true
	case bound && !low: // b < a + c: a > b − c
		c, ok := offset(inner.Bound, outer.Var)
		if !ok || !s.atomic(c.text) && c.sign != "" {
			return nil, nil, false
		}
		b.Bound = syntax.Replace(inner.Bound, outer.Var, paren(last))
		begin := b.Var + c.minus()
		if inner.Op == "<" {
			begin += " + 1"
		}
		a.Low = larger(begin, a.Low)
		return &b, &a, true
	}
	return nil, nil, false
}

// upper is the bound of a head of which the variable stays below it.
func upper(h *syntax.Head) string {
	if h.Op == "<=" {
		return "(" + h.Bound + ") + 1"
	}
	return h.Bound
}

// constant is what is added to a variable, as text.
type constant struct{ sign, text string }

func (c constant) minus() string {
	switch c.sign {
	case "":
		return ""
	case "+":
		return " - " + c.text
	}
	return " + " + c.text
}

// offset takes apart i, i + c and i - c, where c is one word or number.
func offset(text, v string) (constant, bool) {
	words := syntax.Tokens(text)
	switch {
	case len(words) == 1 && words[0].Text == v:
		return constant{}, true
	case len(words) == 3 && words[0].Text == v && (words[1].Is("+") || words[1].Is("-")) && words[2].Text != v && words[2].Kind != syntax.Mark:
		return constant{words[1].Text, words[2].Text}, true
	}
	return constant{}, false
}

func paren(text string) string {
	if len(syntax.Tokens(text)) == 1 {
		return text
	}
	return "(" + text + ")"
}

func smaller(a, b string) string {
	return fmt.Sprintf("(%s < %s ? %s : %s)", a, paren(b), a, b)
}

func larger(a, b string) string {
	return fmt.Sprintf("(%s > %s ? %s : %s)", a, paren(b), a, b)
}
