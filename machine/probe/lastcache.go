package probe

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/internal/quantile"
	"foresee/machine"
	"foresee/machine/probe/chase"
)

// resize takes what the chase finds of a cache instead of what is told.
func (m *measurement) resize(l *machine.Level, size machine.Size, how string, told machine.Size, what string) {
	l.EffectiveSize = value(size, fmt.Sprintf("%s; %v is told (%s), which is doubted", how, told, l.Size.Source))
	m.note("%s is told to be %v, but the pointer chase finds that %s at about %v: predictions take what was found", l.Name, told, what, size)
}

// doubtLast compares the last cache that is told with where memory begins, when noise hides some plateau before it. Half of the way to
// memory's latency is past that of any cache, so that what hides there does not move it.
func (m *measurement) doubtLast(found []chase.Plateau) {
	last := len(m.base.Levels) - 1
	l := &m.base.Levels[last]
	told := float64(m.capacity(last, 0))
	edge := found[len(found)-2].Capacity
	if edge*doubted > told || last > 0 && edge < doubted*float64(m.capacity(last-1, 0)) {
		return
	}
	size := wholeSize(edge, l.Ways.Or(1)*m.base.LineBytes.Or(chaseStride))
	m.resize(l, size, m.chased(found, len(found)-2), machine.Size(told), "memory begins")
}

// sweptPast looks by sweeps at a last cache that the chase took to be smaller than it is told to be. Where they keep the cache's speed well past the end that the
// chase found, something else ends there: what the TLB reaches, in virtual machines whose pages the host keeps small. Latencies stay those of the chase.
func (m *measurement) sweptPast(out *machine.Machine) {
	last := len(out.Levels) - 1
	if last < 1 || out.Levels[last].EffectiveSize == nil {
		return
	}
	l := &out.Levels[last]
	edge, told := float64(l.EffectiveSize.Value), float64(l.Size.Or(0))
	inner, _ := out.Levels[last-1].Capacity()
	end := sweptEnd(out.Measured.Sweeps, beyondInner*float64(inner), max(edge, inLast*float64(inner)), told)
	if end < doubted*edge {
		return
	}
	chased := machine.FormatSize(int64(edge))
	out.Notes = slices.DeleteFunc(out.Notes, func(n string) bool { return strings.HasPrefix(n, l.Name+" is told to be ") })
	if end*doubted >= told {
		l.EffectiveSize = nil
		note(out, "the pointer chase takes longer from %s on, but sweeps keep the speed of %s up to about %s: it is taken to be as large as told; what is read at random from more than %s may take longer than predicted",
			chased, l.Name, machine.FormatSize(int64(end)), chased)
		return
	}
	size := wholeSize(end, l.Ways.Or(1)*m.base.LineBytes.Or(chaseStride))
	l.EffectiveSize = value(size, fmt.Sprintf("%s: sweeps, which keep its speed up to there; the pointer chase takes longer from %s on, and %v is told (%s)", m.when(), chased, machine.Size(told), l.Size.Source))
	note(out, "%s is told to be %v, but sweeps keep its speed up to about %v only, and the pointer chase takes longer from %s on: predictions take what sweeps found", l.Name, machine.Size(told), size, chased)
}

// Sweeps tell the end of the last cache where memory is slower by so much, and where sizes of all curves together lie so close. Arrays of the largest
// part of the sizes lie in memory, where they are not larger than the cache is told to be. Chosen.
const (
	slower      = 0.7
	closeBy     = 2.5
	leastTold   = 3 // curves
	largestPart = 0.6
	beyondInner = 1.5 // times the cache before, which passes over such an array find nothing in
	inLast      = 3   // likewise: arrays that are in the last one for sure
)

// sweptEnd is where sweeps of the kind that memory slows down leave the speed that they have between two sizes: between the larger ones of the sizes up to which
// curves keep it and the smaller ones from which on they do not, as noise takes points from each; 0 where too few tell.
func sweptEnd(curves []machine.Curve, from, to, told float64) float64 {
	largest := 0.0
	for _, c := range curves {
		for _, p := range c.Points {
			largest = max(largest, p[0])
		}
	}
	memory := min(1.2*told, max(largestPart*largest, doubted*to))
	var kept, left []float64
	for _, c := range curves {
		if c.Kind != machine.SweepRead && c.Kind != machine.SweepUpdate {
			continue
		}
		if up, down, ok := leaves(c.Points, from, to, memory); ok {
			kept, left = append(kept, up), append(left, down)
		}
	}
	if len(kept) < leastTold {
		return 0
	}
	up, down := quantile.Of(kept, 0.75), quantile.Of(left, 0.25)
	if down > closeBy*up {
		return 0
	}
	return math.Sqrt(up * down)
}

// leaves gives the sizes of a curve between which it leaves the speed that it has between two sizes for that which it has in memory; false where these are not known, or
// alike.
func leaves(points [][3]float64, from, to, memory float64) (up, down float64, ok bool) {
	var inside, outside []float64
	for _, p := range points {
		switch {
		case p[0] >= from && p[0] <= to:
			inside = append(inside, p[1])
		case p[0] >= memory:
			outside = append(outside, p[1])
		}
	}
	if len(inside) < 2 || len(outside) == 0 {
		return 0, 0, false
	}
	fast, slow := quantile.Median(inside), quantile.Median(outside)
	if slow > slower*fast {
		return 0, 0, false
	}
	limit := math.Sqrt(fast * slow)
	up = to
	for _, p := range points { // the smallest size first
		if p[0] <= to {
			continue
		}
		if p[1] < limit {
			return up, p[0], true
		}
		up = p[0]
	}
	return 0, 0, false
}
