package threads

import (
	"math"
	"sort"
)

// alike tells whether every iteration of a sample's execution touches the line at the same places, and makes as many accesses. Threads then
// differ in their places alone.
func alike(y *Sample, w *work) bool {
	if w.even == 0 || y.Private || len(y.Runs) != 1 {
		return false
	}
	r := &y.Runs[0]
	return r.First == 0 && r.Stride == 1 && r.Count == w.n && r.Repeat == 1 && r.Inner == 0 && r.Scatter == 0
}

// alikeNext is othersNext where all iterations are alike. The others of the group come from the one that is farthest on to the one that is farthest
// behind, so that of those who stand before the same use the first is the nearest, and all behind one that is too far away can be left out.
func (g *follower) alikeNext(y *Sample, p *plan, thread int, place placing, others []int32, walk, pace []float64, best float64) float64 {
	r, each := &y.Runs[0], p.work.even
	for i := 0; i < len(others); {
		t := int(others[i])
		v := place.of(walk[t])
		iteration := math.Floor(v / each)
		at, behind := r.gap(v-iteration*each, each)
		near := nearer(best)
		d := iteration*each + at - v + 1
		if d >= near {
			last := iteration*each + behind // a use or the beginning of the iteration: whoever stands behind it may be near another use
			i++
			i += sort.Search(len(others)-i, func(k int) bool { return place.of(walk[others[i+k]]) <= last })
			continue
		}
		i++
		n := float64(p.iterations(t))
		if t != thread && (iteration+1 < n || at < each && iteration < n) {
			best = min(best, takes(d, pace[t]))
		}
	}
	return best
}

// gap is the first use at or after a place in an iteration of so many accesses, or the first of the next iteration, and a place behind it, such that
// from all places after that one this is the first.
func (r *Run) gap(x, each float64) (at, behind float64) {
	uses := r.Touches
	k := usesBefore(uses, x)
	at = each + float64(r.Local)
	if k < len(uses) {
		at = float64(uses[k].Local)
	}
	if k == 0 {
		return at, -0.5
	}
	u := &uses[k-1]
	behind = float64(u.Local)
	if u.Count == 0 {
		return at, behind
	}
	if next := u.next(x); next >= 0 && next < at {
		at = next
		if len(u.Inner) > 0 {
			return at, x - 0.5
		}
		return at, max(behind, at-float64(u.Step))
	}
	return at, max(behind, min(float64(u.Local+u.Count*u.Step), x-0.5))
}
