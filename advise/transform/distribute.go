package transform

import (
	"slices"
	"strings"

	"foresee/advise/syntax"
)

// Distributions makes a loop of each statement of a loop, so that those that hold loops become bands, and puts these into the order that goes through
// memory in the shortest steps.
func (s *Source) Distributions(l *syntax.Node) (all []*Change) {
	st := s.study(l)
	if st == nil || !st.sequential(st.loop) {
		return nil
	}
	band := l.Band()
	for level := range band {
		for _, plain := range []bool{false, true} {
			if c := st.distribution(band, level, plain); c != nil {
				all = append(all, c)
			}
		}
	}
	return all
}

// distribution is that over the loops of a band from a level on; plain leaves the order of the loops.
func (st *study) distribution(band []*syntax.Node, level int, plain bool) *Change {
	statements := band[len(band)-1].Statements()
	if len(statements) < 2 || band[len(band)-1].Body.Kind != syntax.Block || !st.distributes(band, level) {
		return nil
	}
	if level == 0 && dealing(st.loop) != "" && strings.Contains(dealing(st.loop), "nowait") || anyDealt(band[1:]) || strings.Contains(dealing(st.loop), "collapse") || strings.Contains(dealing(st.loop), "lastprivate") {
		return nil
	}
	indent, unit := st.Indent(st.loop.Begin), st.unit(st.loop)
	outer := indent + strings.Repeat(unit, level)
	var pieces []string
	changed := false
	for _, n := range statements {
		heads := headsOf(band[level:])
		body := n
		if inner := loopsWithin(n); !plain {
			if h, b, ok := st.bestPiece(band[level:], n, inner); ok {
				heads, body, changed = h, b, true
			}
		}
		var lines []line
		for i, h := range heads {
			x := line{head: h.String()}
			if i == 0 && level == 0 {
				x.pragma = st.pieceDealing(band[0], h)
			}
			lines = append(lines, x)
		}
		pieces = append(pieces, st.nested(outer, unit, lines, body))
	}
	if !plain && !changed {
		return nil
	}
	c := st.change(Distribution, band, "distribute the loop over %s", band[level].Head.Var)
	if changed {
		c.Title += " and interchange the loops in it"
		c.Kind = Interchange
	}
	c.Text = st.distributed(band, level, pieces)
	return c
}

func anyDealt(loops []*syntax.Node) bool {
	return slices.ContainsFunc(loops, func(l *syntax.Node) bool { return dealing(l) != "" })
}

func headsOf(band []*syntax.Node) (all []*syntax.Head) {
	for _, l := range band {
		h := *l.Head
		all = append(all, &h)
	}
	return all
}

// loopsWithin is the band that a statement is.
func loopsWithin(n *syntax.Node) []*syntax.Node {
	if n.Kind != syntax.For {
		return nil
	}
	return n.Band()
}

// bestPiece is a statement that is a band, within the band around it, in the order of the shortest steps; false where that is the one it has.
func (st *study) bestPiece(around []*syntax.Node, n *syntax.Node, inner []*syntax.Node) ([]*syntax.Head, *syntax.Node, bool) {
	whole := slices.Concat(around, inner)
	if len(whole) < 2 || len(whole) > 4 || anyDealt(inner) {
		return nil, nil, false
	}
	part := &study{Source: st.Source, loop: st.loop, function: st.function, scalars: st.scalars}
	for i, x := range st.nests {
		y := *x
		y.References = nil
		for _, r := range x.References {
			if o, ok := st.Offset(r.Access.Pos); ok && n.Holds(o) {
				y.References = append(y.References, r)
			}
		}
		part.nests = append(part.nests, &y)
		part.found = append(part.found, nil)
		for _, d := range st.found[i] {
			from, ok1 := st.Offset(d.From.Access.Pos)
			to, ok2 := st.Offset(d.To.Access.Pos)
			if !ok1 || !ok2 || n.Holds(from) && n.Holds(to) {
				part.found[i] = append(part.found[i], d)
			}
		}
	}
	here := part.cost(whole, identity(len(whole)))
	for _, order := range part.orders(whole) {
		if part.cost(whole, order) >= here {
			break
		}
		if dealing(st.loop) != "" && around[0] == st.loop && order[0] != 0 {
			continue // the loop that is dealt stays outermost
		}
		if heads, ok := st.reordered(whole, order); ok && part.permutes(whole, order) {
			if len(inner) > 0 {
				n = inner[len(inner)-1].Body
			}
			return heads, n, true
		}
	}
	return nil, nil, false
}

// pieceDealing is the directive of a loop that is distributed, before each of the loops that come of it.
func (st *study) pieceDealing(l *syntax.Node, h *syntax.Head) string {
	if h.Var != l.Head.Var {
		return ""
	}
	return dealing(l)
}

// distributed is the source with pieces in the place of a loop of the band.
func (st *study) distributed(band []*syntax.Node, level int, pieces []string) string {
	l := band[level]
	if l.Parent != nil && l.Parent.Kind == syntax.Block {
		return st.replaced(l, strings.Join(pieces, "\n"))
	}
	around := st.Indent(l.Begin)
	unit := st.unit(l)
	if l.Parent != nil && l.Parent.Kind == syntax.For { // which needs braces
		around = st.Indent(l.Parent.Begin)
	} else {
		around = strings.TrimSuffix(around, unit)
	}
	return st.replaced(l, around+"{\n"+strings.Join(pieces, "\n")+"\n"+around+"}")
}
