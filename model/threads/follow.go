package threads

import (
	"math"
	"math/rand/v2"
)

// follower follows one sample after another; what it finds is in its last fields, as followed explains them.
type follower struct {
	Team
	plans   []*plan // by shape
	walkers walkers // nil where threads take turns
	number  int     // of the sample
	list    []int   // scratch

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
	p := g.plans[y.Shape]
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
		best = g.takes(best, g.quantile())
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
	best := limit
	first := thread / g.Group * g.Group
	end := min(first+g.Group, g.Threads)
	g.list = p.reach(y.Runs, first, end, g.list)
	var walk, pace []float64
	if g.walkers != nil {
		walk = g.walkers[g.number%manyWalkers]
		pace = g.walkers[(g.number/manyWalkers+g.number+1)%manyWalkers]
	}
	drift := p.drift(u)
	for _, t := range g.list {
		if t == thread || p.length[t] == 0 {
			continue
		}
		v := u + g.turn(t, thread)
		if walk != nil {
			v = max(0, math.Floor(u+1+drift*(walk[t]-walk[thread])))
		}
		if v >= p.length[t] {
			continue
		}
		near := best     // what is not less cannot be the least
		if walk != nil { // but a thread may be faster than another: four times, and a little, is more than takes gives
			near = 4*best + 16
		}
		d := g.otherNext(y, p, t, v, v+near) + 1
		if walk != nil && d < near {
			d = g.takes(d, pace[t])
		}
		best = min(best, d)
	}
	return best
}

// turn is 1 where thread t comes before the other in each round of threads that take turns, so that it is one access ahead.
func (g *follower) turn(t, thread int) float64 {
	if t < thread {
		return 1
	}
	return 0
}

// otherNext is how many accesses thread t, after v of its own, makes until it touches the line, where that is before it has made most.
func (g *follower) otherNext(y *Sample, p *plan, t int, v, most float64) float64 {
	c, i := p.doing(t, v)
	if j, r := nextOf(y.Runs, i); j == i {
		begin := p.begins(&c, i)
		if at := r.nextIn(i, v-begin); at >= 0 {
			return max(0, begin+at-v)
		}
	}
	next, j, r := p.nextOwn(t, y.Runs, i+1, most)
	if j < 0 {
		return math.Inf(1)
	}
	return max(0, p.begins(&next, j)+float64(r.local(j))-v)
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
		p := g.plans[l.Shape]
		first, end := group*g.Group, min((group+1)*g.Group, g.Threads)
		if y.Private {
			first, end = thread, thread+1
		}
		g.list = p.reach(l.Runs, first, end, g.list)
		best := math.Inf(1)
		for _, t := range g.list {
			if p.length[t] == 0 {
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

// takes is the time, in mean times between two accesses of a thread, in which it makes n of them: with threads drawn
// at random a gamma variable, here the quantile that lies z standard deviations out (Wilson and Hilferty 1931).
func (g *follower) takes(n, z float64) float64 {
	if g.walkers == nil || n > 1e4 {
		return n
	}
	x := 1 - 1/(9*n) + z/(3*math.Sqrt(n))
	return n * max(x*x*x, 0)
}

// quantile is a standard normal number; those of successive samples fill the distribution evenly.
func (g *follower) quantile() float64 {
	const golden = 0.6180339887498949 // (√5−1)/2: multiples of it, modulo 1, never come close to one another
	q := math.Mod(float64(g.number)*golden+0.5, 1)
	return math.Sqrt2 * math.Erfinv(2*min(max(q, 1e-4), 1-1e-4)-1)
}

// walkers are vectors of standard normal numbers, one for each thread.
type walkers [][]float64

// manyWalkers is how many vectors are drawn, of which each sample takes two. Chosen: a prime, so that all pairs occur.
const manyWalkers = 61

// newWalkers draws the vectors of a team; nil of one thread.
func newWalkers(t Team) walkers {
	if t.Threads == 1 {
		return nil
	}
	rng := rand.New(rand.NewPCG(t.Seed, 0x3a1c))
	w := make(walkers, manyWalkers)
	for i := range w {
		w[i] = make([]float64, t.Threads)
		for j := range w[i] {
			w[i][j] = rng.NormFloat64()
		}
	}
	return w
}
