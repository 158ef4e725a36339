package observe

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"foresee/application/csource"
)

// Representatives are at most n groups that stand for all entries: groups with the same values in the places that matter are one; of more than n,
// ordered by size, each stands for as many others next to it. places gives those that the analysis of a group asks for. different is how many there
// are that differ in them.
func (e Entered) Representatives(n int, places func(Group) []csource.Place) (chosen []Group, different int) {
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
	all := merged(e.Groups, slices.Compact(asked))
	different = len(all)
	if different > n {
		slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(a.size(), b.size()) })
		all = blocks(all, n)
	}
	e.spread(all)
	slices.SortStableFunc(all, func(a, b Group) int { return cmp.Compare(b.Count, a.Count) })
	return all, different
}

func comparePlaces(a, b csource.Place) int {
	return cmp.Or(strings.Compare(a.At.File, b.At.File), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Column, b.At.Column), strings.Compare(a.Text, b.Text), strings.Compare(a.Function, b.Function))
}

// String tells groups apart by all their values.
func (g Group) String() string {
	var text strings.Builder
	for _, p := range slices.SortedFunc(maps.Keys(g.Values), comparePlaces) {
		fmt.Fprintf(&text, "%s:%d:%d %s %s = %d\n", p.At.File, p.At.Line, p.At.Column, p.Function, p.Text, g.Values[p])
	}
	return text.String()
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

// size orders groups: the sum of the logarithms of their values.
func (g Group) size() float64 {
	s := 0.0
	for _, v := range g.Values {
		s += math.Log1p(math.Abs(float64(v)))
	}
	return math.Round(s*1e9) / 1e9 // whatever the order of the sum
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
