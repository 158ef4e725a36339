package transform

import (
	"slices"

	"foresee/advise/dependence"
	"foresee/advise/syntax"
	"foresee/application/nest"
	"foresee/application/nest/expr"
)

// permutes tells whether the loops of a band may be in another order: order gives the old place of each. Dependences keep their direction, but for variables
// that are put together, in whatever order.
func (st *study) permutes(band []*syntax.Node, order []int) bool {
	if len(st.scalars.carried) > 0 || !st.sealed(band) {
		return false
	}
	for name := range st.scalars.sums {
		if slices.ContainsFunc(band, func(l *syntax.Node) bool { return syntax.Mentions(l.Head.String(), name) }) {
			return false
		}
	}
	for _, d := range st.dependences() {
		v := st.signs(d, band)
		for _, p := range order {
			if v[p] > 0 {
				break
			}
			if v[p] < 0 {
				return false
			}
		}
	}
	return true
}

// rounds tells whether another order of the iterations adds sums up in another order.
func (st *study) rounds() bool {
	for _, op := range st.scalars.sums {
		if op != largest && op != smallest {
			return true
		}
	}
	return false
}

// sealed tells whether each access of the nests stands in all loops of a band, so that the text's band is that of the nests.
func (st *study) sealed(band []*syntax.Node) bool {
	for _, n := range st.nests {
		for _, r := range n.References {
			k := 0
			for _, l := range r.Loops {
				if o, ok := st.Offset(l.Pos); ok && l.Pos.File == st.Name && k < len(band) && o == band[k].Begin {
					k++
				}
			}
			if k < len(band) {
				return false
			}
		}
	}
	return true
}

// tiles tells whether all loops of a band may be permuted in whatever order: no dependence goes back in any.
func (st *study) tiles(band []*syntax.Node) bool {
	if len(st.scalars.carried) > 0 || len(st.scalars.sums) > 0 || !st.sealed(band) {
		return false
	}
	for _, d := range st.dependences() {
		if slices.ContainsFunc(st.signs(d, band), func(s dependence.Sign) bool { return s < 0 }) {
			return false
		}
	}
	return true
}

// independent tells whether the iterations of a loop of a band may run at once, where the loops in outside have the same iteration.
func (st *study) independent(band []*syntax.Node, loop *syntax.Node, outside []*syntax.Node) bool {
	for _, d := range st.dependences() {
		all := st.signs(d, append(slices.Clone(outside), loop))
		n := len(all) - 1
		if all[n] == 0 || slices.ContainsFunc(all[:n], func(s dependence.Sign) bool { return s != 0 }) {
			continue
		}
		return false
	}
	return true
}

// parallel tells whether the iterations of the loop itself may run at once, sums of variables left aside.
func (st *study) parallel() bool {
	if len(st.scalars.carried) > 0 {
		return false
	}
	return st.independent(nil, st.loop, nil)
}

// sequential tells whether a nest holds nothing of OpenMP but the pragmas before loops in except.
func (st *study) sequential(except ...*syntax.Node) bool {
	ok := true
	st.loop.Each(func(n *syntax.Node) {
		if n.Kind == syntax.For && slices.ContainsFunc(n.Pragmas, syntax.IsParallelFor) && !slices.Contains(except, n) {
			ok = false
		}
	})
	for _, x := range st.nests {
		nest.Walk(x.Loop.Body, func(n nest.Node) {
			switch n.(type) {
			case *nest.Single, *nest.Critical, *nest.Barrier:
				ok = false
			}
		})
	}
	return ok
}

// parts sorts the accesses of the nests by the statements of a list that they stand in; false where one stands in none.
func (st *study) parts(all []*syntax.Node, of *dependence.Nest) (map[*dependence.Reference]int, bool) {
	where := map[*dependence.Reference]int{}
	for _, r := range of.References {
		o, ok := st.Offset(r.Access.Pos)
		if !ok || r.Access.Pos.File != st.Name {
			return nil, false
		}
		i := slices.IndexFunc(all, func(n *syntax.Node) bool { return n.Start() <= o && o < n.End })
		if i < 0 {
			return nil, false
		}
		where[r] = i
	}
	return where, true
}

// distributes tells whether the statements in the innermost loop of a band may each be run for all iterations of the band's loops from level on before
// the next: none of a later one is before one of an earlier one.
func (st *study) distributes(band []*syntax.Node, level int) bool {
	all := band[len(band)-1].Statements()
	if len(st.scalars.carried) > 0 || len(st.scalars.sums) > 0 || st.passesScalars(band, all) {
		return false
	}
	for i, n := range st.nests {
		where, ok := st.parts(all, n)
		if !ok {
			return false
		}
		for _, d := range st.found[i] {
			if where[d.From] <= where[d.To] {
				continue
			}
			v := st.signs(d, band)
			if !slices.ContainsFunc(v[:level], func(s dependence.Sign) bool { return s != 0 }) {
				return false
			}
		}
	}
	return true
}

// passesScalars tells whether statements hand one another variables of the loop's own.
// The variables of the band's loops are each new loop's own.
func (st *study) passesScalars(band, all []*syntax.Node) bool {
	names := map[string]bool{}
	for n := range st.scalars.declared {
		names[n] = true
	}
	for n := range st.scalars.private {
		names[n] = true
	}
	for _, l := range band {
		delete(names, l.Head.Var)
	}
	for name := range names {
		in := 0
		for _, n := range all {
			if mentions(st.Words(n), name) && !(n.Kind == syntax.For && n.Head != nil && n.Head.Type != "" && n.Head.Var == name) {
				in++
			}
		}
		if in > 1 {
			return true
		}
	}
	return false
}

// dependenceBetween asks of the nests of two loops that follow one another whether running their iterations together, those of the second so many behind, turns a
// dependence around, and whether one leads from one iteration to another.
func dependenceBetween(a, b *study, i int, behind int64) (backwards, crossing bool) {
	return dependence.Backwards(a.nests[i], b.nests[i], behind, func(*nest.Object) bool { return false })
}

// sameTrips tells loops whose variables take the same values.
func sameTrips(a, b *nest.Loop) bool {
	return a.Step == b.Step && expr.Equal(a.Lo, b.Lo) && expr.Equal(a.Hi, b.Hi)
}
