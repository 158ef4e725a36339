package threads

import (
	"math"
)

// follower follows one sample after another; what it finds is in its last fields, as followed explains them.
type follower struct {
	Team
	m       *Model
	plans   []plan   // by shape
	walkers *walkers // nil of one thread
	number  int      // of the sample
	list    []int    // scratch

	at, interval float64
	own, inside  bool
	steps        float64
	spread       float64
	weight       float64
}

// follow finds when a sample is and when its line is used next, by its own thread, by another one of its group, or in a later execution.
func (g *follower) follow(y *Sample) {
	g.own, g.inside, g.steps, g.spread = true, false, 0, 0
	if y.Shape < 0 {
		g.at = float64(y.Position)
		g.weight = 1
		g.inside = len(y.Later) > 0 && y.Later[0].Shape < 0
		g.after(y, 0)
		return
	}
	p := &g.plans[y.Shape]
	c := p.chunkOf(y.Iteration)
	u := p.begins(&c, y.Iteration) + float64(y.Local)
	g.at = float64(y.Begin) + p.elapsed(u)
	g.weight = min(1, float64(g.Group)/float64(max(1, p.live(u))))
	if g.walkers != nil {
		g.spread = math.Sqrt2 * p.drift(u)
	}
	best := g.ownNext(y, p, c.thread, u)
	if !math.IsInf(best, 1) {
		g.steps = best
		if g.walkers != nil {
			best = takes(best, g.m.quantile[g.number])
		}
	}
	if g.Group > 1 && !y.Private {
		if d := g.othersNext(y, p, c.thread, u, best); d < best {
			best, g.own, g.steps = d, false, 0
		}
	}
	if !math.IsInf(best, 1) {
		g.inside = true
		g.interval = max(1, p.elapsed(u+best)-p.elapsed(u))
		return
	}
	g.own = true
	g.after(y, c.thread)
}

// ownNext is how many of its own accesses a thread makes until it touches the line again in the execution.
func (g *follower) ownNext(y *Sample, p *plan, thread int, u float64) float64 {
	if y.Next > 0 {
		return float64(y.Next)
	}
	next, j, r := p.nextOwn(thread, y.Runs, y.Iteration+1, math.Inf(1))
	if j < 0 {
		return math.Inf(1)
	}
	return max(1, p.begins(&next, j)+float64(r.local(j))-u)
}

// othersNext is how many accesses each thread makes until one of the others in the group touches the line, if that
// is less than limit.
func (g *follower) othersNext(y *Sample, p *plan, thread int, u, limit float64) float64 {
	first := thread / g.Group * g.Group
	end := min(first+g.Group, g.Threads)
	k, l := g.number%manyWalkers, (g.number/manyWalkers+g.number+1)%manyWalkers
	walk, pace := g.walkers.of(k), g.walkers.of(l)
	place := placing{u, p.drift(u), walk[thread]}
	if p.length == nil && g.m.alike[g.number] {
		return g.alikeNext(y, p, thread, place, g.walkers.descending(k)[first:end], walk, pace, limit)
	}
	best := limit
	g.list = p.reach(g.m.lo[g.number], g.m.hi[g.number], first, end, g.list)
	for _, t := range g.list {
		if t == thread {
			continue
		}
		v := place.of(walk[t])
		if v >= p.accesses(t) {
			continue
		}
		near := nearer(best)
		d := g.otherNext(y, p, t, v, v+near) + 1
		if d < near {
			best = min(best, takes(d, pace[t]))
		}
	}
	return best
}

// placing says where other threads are when one has made u accesses, by their walks and its own.
type placing struct{ u, drift, own float64 }

// of is the place of a thread, in accesses of its own.
func (p placing) of(walk float64) float64 { return max(0, math.Floor(p.u+1+p.drift*(walk-p.own))) }

// nearer is how many accesses a thread may make for the least to become less than best: a thread may be faster than another, but four times, and a
// little, is more than takes gives, and of many accesses none.
func nearer(best float64) float64 {
	if best > manyTaken {
		return best
	}
	return 4*best + 16
}

// otherNext is how many accesses thread t, after v of its own, makes until it touches the line, where that is before it has made most.
func (g *follower) otherNext(y *Sample, p *plan, t int, v, most float64) float64 {
	c, i := p.doing(t, v)
	j, r := nextOf(y.Runs, i)
	if j == i {
		begin := p.begins(&c, i)
		if at := r.nextIn(i, v-begin); at >= 0 {
			return max(0, begin+at-v)
		}
		if j = -1; i+1 < c.end {
			j, r = nextOf(y.Runs, i+1)
		}
	}
	if j < c.first || j >= c.end {
		if c, j, r = p.nextOwn(t, y.Runs, i+1, most); j < 0 {
			return math.Inf(1)
		}
	}
	return max(0, p.begins(&c, j)+float64(r.local(j))-v)
}

// after finds the next use in a later execution.
func (g *follower) after(y *Sample, thread int) {
	group := thread / g.Group
	for i := range y.Later {
		l := &y.Later[i]
		if l.Shape < 0 {
			if group == 0 {
				g.interval = max(1, float64(l.Begin)-g.at)
				return
			}
			continue
		}
		p := &g.plans[l.Shape]
		first, end := group*g.Group, min((group+1)*g.Group, g.Threads)
		if y.Private {
			first, end = thread, thread+1
		}
		lo, hi := span(l.Runs)
		g.list = p.reach(lo, hi, first, end, g.list)
		best := math.Inf(1)
		for _, t := range g.list {
			if p.accesses(t) == 0 {
				continue
			}
			if c, j, r := p.nextOwn(t, l.Runs, 0, best); j >= 0 {
				best = min(best, p.begins(&c, j)+float64(r.local(j)))
			}
		}
		if !math.IsInf(best, 1) {
			g.interval = max(1, float64(l.Begin)+p.elapsed(best)-g.at)
			return
		}
	}
	g.interval = math.Inf(1)
}

// manyTaken is from how many accesses on threads are taken to need the mean time for them. Chosen: its standard deviation is a hundredth.
const manyTaken = 1e4

// takes is the time, in mean times between two accesses of a thread, in which it makes n of them: with threads drawn
// at random a gamma variable, here the quantile that lies z standard deviations out (Wilson and Hilferty 1931).
func takes(n, z float64) float64 {
	if n > manyTaken {
		return n
	}
	x := 1 - 1/(9*n) + z/(3*math.Sqrt(n))
	return n * max(x*x*x, 0)
}

// quantileOf is a standard normal number for a sample.
func quantileOf(number int) float64 {
	const golden = 0.6180339887498949 // (√5−1)/2: multiples of it, modulo 1, never come close to one another
	q := math.Mod(float64(number)*golden+0.5, 1)
	return math.Sqrt2 * math.Erfinv(2*min(max(q, 1e-4), 1-1e-4)-1)
}
