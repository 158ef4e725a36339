// Package interchange puts loops that a compiler says it interchanged into the order in which it will have put them.
package interchange

import (
	"path/filepath"
	"slices"

	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// Order gives a program with loops in another order, of which a compiler says no more than in which line the outermost of them begins: in that of the steps
// of their accesses, the longest outermost, as compilers do that interchange loops. Where a dependence keeps loops apart the compiler's may be another one. Done are the
// loops that begin there; left those that are not perfectly nested, or go by one another's variables, or lie in that order already: what was made of
// them is not known. A loop that is dealt to threads stays where it is, unless the compiler does not see that it is (serial): then the one in its place is
// dealt. The program itself stays.
func Order(p *nest.Program, at []nest.Pos, serial bool) (out *nest.Program, done, left []nest.Pos) {
	c := *p
	i := interchanger{at: at, serial: serial}
	c.Body = i.nodes(p.Body)
	return &c, i.done, i.left
}

type interchanger struct {
	at, done, left []nest.Pos
	serial         bool
}

func (i *interchanger) nodes(all []nest.Node) []nest.Node {
	out := make([]nest.Node, len(all))
	for n, node := range all {
		if l, ok := node.(*nest.Loop); ok {
			out[n] = i.loop(l)
			continue
		}
		out[n] = nest.Within(node, i.nodes)
	}
	return out
}

func (i *interchanger) loop(l *nest.Loop) *nest.Loop {
	c := *l
	here := func(p nest.Pos) bool {
		return filepath.Base(p.File) == filepath.Base(l.Pos.File) && p.Line == l.Pos.Line
	}
	if !slices.ContainsFunc(i.at, here) {
		c.Body = i.nodes(l.Body)
		return &c
	}
	inside := interchanger{at: slices.DeleteFunc(slices.Clone(i.at), here), serial: i.serial} // of loops in one line, the outermost is meant
	defer func() { i.done, i.left = append(i.done, inside.done...), append(i.left, inside.left...) }()
	band := bandOf(l)
	order := i.byStep(band)
	if order == nil {
		i.left = append(i.left, l.Pos)
		c.Body = inside.nodes(l.Body)
		return &c
	}
	i.done = append(i.done, l.Pos)
	body := inside.nodes(band[len(band)-1].Body)
	for n, inner := range slices.Backward(order) {
		c := *inner
		c.Body, c.Work = body, nil
		if n == 0 {
			c.Work = band[0].Work
		}
		body = []nest.Node{&c}
	}
	return body[0].(*nest.Loop)
}

// bandOf are perfectly nested loops, from one inwards.
func bandOf(l *nest.Loop) []*nest.Loop {
	band := []*nest.Loop{l}
	for len(l.Body) == 1 {
		inner, ok := l.Body[0].(*nest.Loop)
		if !ok {
			break
		}
		band, l = append(band, inner), inner
	}
	return band
}

// byStep is a band in the order of how far all accesses in it go on in an iteration of each loop; nil where that may not be, or changes nothing.
func (i *interchanger) byStep(band []*nest.Loop) []*nest.Loop {
	own := map[expr.Var]bool{}
	steps := map[*nest.Loop]int64{}
	for _, l := range band {
		own[l.Var] = true
		if l.Work != nil && l != band[0] || l.Work != nil && l.Work.Collapse > 1 {
			return nil
		}
	}
	for _, l := range band {
		for _, v := range expr.Variables(l.Lo, l.Hi) {
			if own[v] {
				return nil
			}
		}
	}
	var add func([]nest.Node)
	add = func(nodes []nest.Node) {
		for _, n := range nodes {
			switch n := n.(type) {
			case *nest.Stmt:
				for _, a := range n.Accesses {
					for _, l := range band {
						by := a.Advance(l)
						steps[l] += max(by, -by)
					}
				}
			case *nest.Loop:
				add(n.Body)
			case *nest.If:
				add(n.Then)
				add(n.Else)
			case *nest.Critical:
				add(n.Body)
			}
		}
	}
	add(band[len(band)-1].Body)
	free := slices.Clone(band)
	first := 0
	if band[0].Work != nil && !i.serial {
		first = 1
	}
	slices.SortStableFunc(free[first:], func(a, b *nest.Loop) int { return int(min(max(steps[b]-steps[a], -1), 1)) })
	if slices.Equal(free, band) {
		return nil
	}
	return free
}
