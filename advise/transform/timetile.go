package transform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"foresee/advise/syntax"
)

// TimeTile is how many iterations of a loop over time a tile has, and of the outermost loop over space in it.
type TimeTile struct{ Time, Space int }

// TimeTiles are those that are tried: of rows, which hold many elements each, and of elements.
var TimeTiles = []TimeTile{{8, 16}, {16, 64}, {16, 4096}}

// Limits of what is tried. Chosen: stencils look one or two elements to each side, and have two loops over space, seldom more.
const (
	mostSkew  = 3
	mostSteps = 4
)

// TimeTilings run some iterations of a loop over time on a part of the elements before the next part, so that these are still in a cache: tiles whose place goes down by
// the skew with each iteration in time, as neighbours are needed, and by the lag of each loop in it behind the first (Wolf and Lam, A data locality optimizing algorithm, 1991; the
// lags are those of a fusion). Tiles run one after another, and in each the order is that of the source, so that only tiles must not go against dependences.
func (s *Source) TimeTilings(l *syntax.Node, tiles []TimeTile) (all []*Change) {
	st := s.study(l)
	if st == nil || s.inRegion(l) || !st.sequential() || len(st.scalars.carried)+len(st.scalars.sums) > 0 || st.parallel() {
		return nil
	}
	steps := l.Statements()
	if len(steps) == 0 || len(steps) > mostSteps || st.passesScalars([]*syntax.Node{l}, steps) || !st.steady(steps) {
		return nil
	}
	for skew := int64(1); skew <= mostSkew; skew++ {
		if lags := st.lags(steps, skew, []int64{0}); lags != nil {
			for _, tile := range tiles {
				if c := st.timeTiling(steps, skew, lags, tile); c != nil {
					all = append(all, c)
				}
			}
			return all
		}
	}
	return nil
}

// steady tells whether the statements of a loop over time are loops over the same elements in each iteration.
func (st *study) steady(steps []*syntax.Node) bool {
	time := st.loop.Head
	if !time.Unit() || time.Op != "<" && time.Op != "<=" || st.hidden(time.Var) || time.Type == "" && st.usedBehind(time.Var) {
		return false
	}
	for _, n := range steps {
		if n.Kind != syntax.For || n.Head == nil || !n.Head.Unit() || !alike(&syntax.Head{Op: n.Head.Op, Low: n.Head.Low, Bound: n.Head.Bound}, &syntax.Head{Op: steps[0].Head.Op, Low: steps[0].Head.Low, Bound: steps[0].Head.Bound}) {
			return false
		}
		h := n.Head
		if h.Op != "<" && h.Op != "<=" || syntax.Mentions(h.Low+" "+h.Bound, time.Var) || h.Var == time.Var {
			return false
		}
	}
	for _, l := range []*syntax.Node{st.loop, steps[0]} {
		if kind := st.typeOf(l); kind != "int" && kind != "long" {
			return false
		}
	}
	return true
}

// lags are by how many elements each loop over space must follow the first, so that no dependence goes to an earlier tile; nil: more than are tried.
func (st *study) lags(steps []*syntax.Node, skew int64, lags []int64) []int64 {
	if !st.forwards(steps, skew, lags) {
		return nil
	}
	if len(lags) == len(steps) {
		return lags
	}
	for more := range int64(mostBehind + 1) {
		if all := st.lags(steps, skew, append(slices.Clone(lags), lags[len(lags)-1]+more)); all != nil {
			return all
		}
	}
	return nil
}

// forwards tells whether the dependences of the last loop with lags, and those between it and the others, lead to no earlier tile.
func (st *study) forwards(steps []*syntax.Node, skew int64, lags []int64) bool {
	last := len(lags) - 1
	for _, n := range st.nests {
		where, ok := st.parts(steps, n)
		if !ok {
			return false
		}
		for _, a := range n.References {
			for _, b := range n.References {
				i, k := where[a], where[b]
				if max(i, k) != last || st.own(a.Access.Object) {
					continue
				}
				if n.Behind(a, b, skew, lags[k]-lags[i]) {
					return false
				}
			}
		}
	}
	return true
}

// timeTiling writes the tiles; nil where the loops have too few iterations for them.
func (st *study) timeTiling(steps []*syntax.Node, skew int64, lags []int64, tile TimeTile) *Change {
	time, space := st.loop.Head, steps[0].Head
	if st.trips(st.loop) < 4 || st.trips(steps[0]) < int64(4*tile.Space) {
		return nil
	}
	outer := st.fresh(time.Var+time.Var, nil)
	end := st.fresh(time.Var+"_end", nil)
	inner := st.fresh(space.Var+space.Var, nil)
	kind, kindIn := st.typeOf(st.loop), st.typeOf(steps[0])
	scaled := func(v string) string {
		if skew == 1 {
			return v
		}
		return strconv.FormatInt(skew, 10) + " * " + v
	}
	indent, unit := st.Indent(st.loop.Begin), st.unit(st.loop)
	in := func(n int) string { return indent + strings.Repeat(unit, n) }
	most := slices.Max(lags)
	var b strings.Builder
	fmt.Fprintf(&b, "%sfor (%s %s = %s; %s < %s; %s += %d) {\n", indent, kind, outer, time.Low, outer, paren(upper(time)), outer, tile.Time)
	fmt.Fprintf(&b, "%s%s %s = %s;\n", in(1), kind, end, smaller(outer+" + "+strconv.Itoa(tile.Time), upper(time)))
	fmt.Fprintf(&b, "%sfor (%s %s = %s + %s; %s < %s + %s; %s += %d)\n", in(1), kindIn, inner, paren(space.Low), scaled(outer), inner, paren(upper(space)), scaled("("+end+" - 1)")+plus(most), inner, tile.Space)
	fmt.Fprintf(&b, "%s%s {\n", in(2), (&syntax.Head{Type: time.Type, Var: time.Var, Low: outer, Op: "<", Bound: end, Step: time.Step}).String())
	for i, n := range steps {
		h := *n.Head
		at := inner + " - " + scaled(time.Var)
		h.Low, h.Op = larger("("+at+minus(lags[i])+")", n.Head.Low), "<"
		h.Bound = smaller("("+inner+" + "+strconv.Itoa(tile.Space)+" - "+scaled(time.Var)+minus(lags[i])+")", upper(n.Head))
		b.WriteString(st.nested(in(3), unit, []line{{head: h.String()}}, n.Body) + "\n")
	}
	fmt.Fprintf(&b, "%s}\n%s}", in(2), indent)
	c := st.change(TimeTiling, []*syntax.Node{st.loop}, "tile %s by %d and %s by %d, the tiles skewed by %d in %s", time.Var, tile.Time, space.Var, tile.Space, skew, space.Var)
	c.Text = st.replaced(st.loop, b.String())
	return c
}

func plus(n int64) string {
	if n == 0 {
		return ""
	}
	return " + " + strconv.FormatInt(n, 10)
}

func minus(n int64) string {
	if n == 0 {
		return ""
	}
	return " - " + strconv.FormatInt(n, 10)
}
