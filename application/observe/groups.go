package observe

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/application/csource"
	"foresee/application/nest/expr"
)

// Representatives are at most n groups that stand for all entries: groups with the same values in the places that matter are one; of more than n,
// ordered by size, each stands for as many others next to it. places gives those that the analysis of a group asks for, tables the arrays that values stand
// for. different is how many there are that differ in them.
func (e Entered) Representatives(n int, places func(Group) []csource.Place, tables map[int64]*expr.Table) (chosen []Group, different int) {
	if len(e.Groups) < 2 {
		all := slices.Clone(e.Groups)
		e.spread(all)
		return all, len(all)
	}
	var asked []csource.Place
	for _, i := range slices.Compact([]int{0, len(e.Groups) / 2, len(e.Groups) - 1}) {
		asked = append(asked, places(e.Groups[i])...)
	}
	slices.SortFunc(asked, comparePlaces)
	asked = slices.Compact(asked)
	all := merged(e.Groups, asked)
	different = len(all)
	if different > n {
		z := sizes{tables, map[int64]float64{}}
		slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(z.of(a, asked), z.of(b, asked)) })
		all = blocks(all, n)
	}
	e.spread(all)
	slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(b.Count, a.Count) })
	return all, different
}

func comparePlaces(a, b csource.Place) int {
	return cmp.Or(strings.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column), strings.Compare(a.Text, b.Text), strings.Compare(a.Function, b.Function))
}

// Steady forgets values of some places that are not the same in all groups.
func (e Entered) Steady(of func(csource.Place) bool) {
	places := map[csource.Place]bool{}
	for _, g := range e.Groups {
		for p := range g.Values {
			places[p] = places[p] || of(p)
		}
	}
	for p, asked := range places {
		first, there := e.Groups[0].Values[p]
		if asked && (!there || slices.ContainsFunc(e.Groups, func(g Group) bool { v, also := g.Values[p]; return !also || v != first })) {
			for _, g := range e.Groups {
				delete(g.Values, p)
			}
		}
	}
}

// merged makes one of groups whose values in some places are the same.
func merged(groups []Group, places []csource.Place) []Group {
	index := map[string]int{}
	var all []Group
	for _, g := range groups {
		var key strings.Builder
		for _, p := range places {
			v, ok := g.Values[p]
			fmt.Fprint(&key, ok, v, " ")
		}
		if i, ok := index[key.String()]; ok {
			all[i].Count += g.Count
			continue
		}
		index[key.String()] = len(all)
		all = append(all, g)
	}
	return all
}

// sizes order groups.
type sizes struct {
	tables map[int64]*expr.Table
	spread map[int64]float64 // of those that were looked at
}

// of is the sum of the logarithms of the values that matter, and of how far values of arrays are from one another.
func (z sizes) of(g Group, matter []csource.Place) float64 {
	s := 0.0
	for place, v := range g.Values {
		switch {
		case !slices.Contains(matter, place):
		case z.tables[v] != nil && place.IsOfMemory():
			s += z.spreadOf(v)
		default:
			s += math.Log1p(math.Abs(float64(v)))
		}
	}
	return math.Round(s*1e9) / 1e9 // whatever the order of the sum
}

// mostSpread bounds the values of an array that are looked at. Chosen: a millisecond.
const mostSpread = 1 << 16

// spreadOf is the logarithm of the length of an array, and of the mean step from one of its values to the next.
func (z sizes) spreadOf(content int64) float64 {
	if s, known := z.spread[content]; known {
		return s
	}
	all := z.tables[content].Values()
	some, steps := all[:min(len(all), mostSpread)], 0.0
	for i, v := range some[1:] {
		steps += math.Abs(float64(v) - float64(some[i]))
	}
	z.spread[content] = math.Log1p(float64(len(all))) + math.Log1p(steps/float64(len(some)))
	return z.spread[content]
}

// blocks makes n groups of more: the one in the middle of each block stands for it.
func blocks(all []Group, n int) []Group {
	var out []Group
	for i := range n {
		block := all[i*len(all)/n : (i+1)*len(all)/n]
		middle := block[len(block)/2]
		middle.Count = 0
		for _, g := range block {
			middle.Count += g.Count
		}
		out = append(out, middle)
	}
	return out
}

// spread counts entries whose values were not kept like the others.
func (e Entered) spread(all []Group) {
	kept := int64(0)
	for _, g := range all {
		kept += g.Count
	}
	if e.Others == 0 || kept == 0 {
		return
	}
	left := e.Others
	for i := range all {
		more := int64(float64(all[i].Count) / float64(kept) * float64(e.Others))
		if i == len(all)-1 {
			more = left
		}
		all[i].Count += more
		left -= more
	}
}
