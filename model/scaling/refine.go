package scaling

import (
	"cmp"
	"math"
	"slices"
)

// The grid of overheads is coarse: measurements with little noise, such as counts of instructions, say more exactly where between two of its
// points the overhead lies. There the grid is made finer around the best place. All are chosen.
const (
	refined     = 4   // kinds of bends that are made finer
	unresolved  = 1.5 // a drop of the log share to the next point of the grid from which on it is too coarse
	refinements = 8   // points on each side, each half as far as the one before

	largestOverhead = 0.999 // that a point may have: an overhead of 1 is all of y
	samePlace       = 1e-9  // between logarithms of overheads that are one
	nearEnough      = 1e-5  // between the logarithms that the best overhead is known to lie between
)

// kind is what bends of one kind have in common: they differ in the overhead alone.
type kind struct {
	delta, work  float64
	log, falling bool
}

func (b *Bend) kind() kind { return kind{b.Delta, b.Work, b.Log, b.Falling} }

// rising is the kind of the same law with a rising slope: a bend and its mirror image have the same one.
func (k kind) rising() kind {
	k.falling = false
	return k
}

// refine adds bends where the grid is too coarse for the measurements, and says whether it did.
func (p *Posterior) refine(forms []form) bool {
	if len(p.design.y) < 3 { // a line meets two points exactly
		return false
	}
	best := map[kind]form{}
	logs := make([]float64, len(p.bends))
	for i := range logs {
		logs[i] = math.Inf(-1)
	}
	top := make([]form, len(p.bends))
	for _, f := range forms {
		if f.share > logs[f.bend] {
			logs[f.bend], top[f.bend] = f.share, f
		}
	}
	for i := range p.bends {
		k := p.bends[i].kind()
		if old, there := best[k]; p.bends[i].Overhead > 0 && !math.IsInf(logs[i], -1) && (!there || logs[i] > old.share) {
			best[k] = top[i]
		}
	}
	order := make([]form, 0, len(best))
	for _, f := range best {
		order = append(order, f)
	}
	slices.SortFunc(order, func(a, b form) int { return cmp.Or(cmp.Compare(b.share, a.share), cmp.Compare(a.bend, b.bend)) })
	before := len(p.bends)
	for _, f := range order[:min(refined, len(order))] {
		if p.coarse(int(f.bend), logs) {
			p.insert(f)
		}
	}
	for i := range forms { // bends of the grid now have a part of their share
		b := forms[i].bend
		forms[i].share += math.Log(p.bends[b].Share / p.prior.Bends[b].Share)
	}
	return len(p.bends) > before
}

// coarse says whether the share falls steeply from a bend to a neighbour on the grid; logs are the best shares by bend.
func (p *Posterior) coarse(bend int, logs []float64) bool {
	k := p.bends[bend].kind()
	for i := range p.prior.Bends {
		if i == bend || p.bends[i].kind() != k {
			continue
		}
		ratio := math.Abs(math.Log(p.bends[i].Overhead / p.bends[bend].Overhead))
		if ratio < 1.01*overheadStep && // a neighbour, in spite of rounding
			logs[i] < logs[bend]-unresolved {
			return true
		}
	}
	return false
}

// overheadStep is the logarithm of the ratio of two neighbours on the grid.
var overheadStep = math.Log(largeOverhead/smallOverhead) / (overheads - 1)

// insert puts points around the best overhead of a form's kind, and deals the kind's share by the room that each point has.
func (p *Posterior) insert(f form) {
	b := p.bends[f.bend]
	centre := p.bestOverhead(f)
	places := []float64{centre}
	for step, i := overheadStep/2, 0; i < refinements; step, i = step/2, i+1 {
		places = append(places, centre-step, centre+step)
	}
	members := p.ofKind(b.kind(), len(p.prior.Bends))
	for _, log := range places {
		o := math.Exp(log)
		if !(o > 0 && o < largestOverhead) {
			continue
		}
		nearest := slices.MinFunc(members, func(a, b onGrid) int { return cmp.Compare(math.Abs(a.log-log), math.Abs(b.log-log)) })
		if math.Abs(nearest.log-log) < samePlace {
			continue
		}
		new := b
		new.Overhead = o
		p.bends, p.parent = append(p.bends, new), append(p.parent, nearest.bend)
	}
	p.dealShare(b.kind())
}

// onGrid is a bend and the logarithm of its overhead.
type onGrid struct {
	bend int
	log  float64
}

// ofKind finds those of the first bends that are of a kind.
func (p *Posterior) ofKind(k kind, first int) (out []onGrid) {
	for i := range p.bends[:first] {
		if b := &p.bends[i]; b.Overhead > 0 && b.kind() == k {
			out = append(out, onGrid{i, math.Log(b.Overhead)})
		}
	}
	return out
}

// dealShare gives each bend of a kind the share of its part of the grid: the density of its parent times the room to its neighbours.
func (p *Posterior) dealShare(k kind) {
	members := p.ofKind(k, len(p.bends))
	slices.SortFunc(members, func(a, b onGrid) int { return cmp.Compare(a.log, b.log) })
	for at, m := range members {
		low, high := m.log-overheadStep/2, m.log+overheadStep/2
		if at > 0 {
			low = max(low, (m.log+members[at-1].log)/2)
		}
		if at+1 < len(members) {
			high = min(high, (m.log+members[at+1].log)/2)
		}
		p.bends[m.bend].Share = p.prior.Bends[p.parent[m.bend]].Share * (high - low) / overheadStep
	}
}

// bestOverhead is the logarithm of the overhead with the smallest squares at a form's slope, by golden section around the form's own.
func (p *Posterior) bestOverhead(f form) float64 {
	b := p.bends[f.bend]
	m := len(p.design.parameters)
	bent, t, cross := make([]float64, len(p.design.y)), make([]float64, m), make([]float64, m)
	v := &p.variants[f.index]
	squares := func(log float64) float64 {
		b.Overhead = math.Exp(log)
		p.bent(&b, bent)
		clear(cross)
		sums := p.moments(b.Falling, bent, cross)
		p.rightSide(v, &sums, t)
		k := len(v.free)
		v.scale.forward(t[:k])
		return p.rest(v.slope, &sums)*v.precision - dot(t[:k], t[:k])
	}
	centre := math.Log(b.Overhead)
	low, high := centre-overheadStep, min(centre+overheadStep, math.Log(largestOverhead))
	golden := (math.Sqrt(5) - 1) / 2
	x1, x2 := high-golden*(high-low), low+golden*(high-low)
	f1, f2 := squares(x1), squares(x2)
	for high-low > nearEnough {
		if f1 < f2 {
			high, x2, f2 = x2, x1, f1
			x1 = high - golden*(high-low)
			f1 = squares(x1)
		} else {
			low, x1, f1 = x1, x2, f2
			x2 = low + golden*(high-low)
			f2 = squares(x2)
		}
	}
	return (low + high) / 2
}
