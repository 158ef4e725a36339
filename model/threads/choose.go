package threads

import (
	"cmp"
	"slices"

	"foresee/model/reuse"
)

// weighted is a draw that stands for several.
type weighted struct {
	reuse.Draw
	weight float64
}

// choose takes about n of the draws: of every class in proportion to its size, and as many again of all classes alike,
// so that rare ones are seen as well. Those of a class are taken evenly by distance, and of equal distances by position.
func choose(draws []reuse.Draw, n int) []weighted {
	classes := map[int32][]int{}
	for i, d := range draws {
		key := d.Class
		if d.Class < 0 && d.Interval == 0 {
			key = -2
		}
		classes[key] = append(classes[key], i)
	}
	var keys []int32
	for k := range classes {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	rate := min(1, float64(n)/2/float64(max(1, len(draws))))
	each := (n/2 + len(keys) - 1) / max(1, len(keys))
	var out []weighted
	for _, k := range keys {
		members := classes[k]
		slices.SortStableFunc(members, func(a, b int) int { return cmp.Compare(draws[a].Distance, draws[b].Distance) })
		take := min(len(members), int(rate*float64(len(members)))+each)
		for j := range take {
			i := members[(2*j+1)*len(members)/(2*take)]
			out = append(out, weighted{draws[i], float64(len(members)) / float64(take)})
		}
	}
	slices.SortFunc(out, func(a, b weighted) int { return int(a.Position - b.Position) })
	return out
}
