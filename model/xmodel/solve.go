package xmodel

import (
	"math"
	"slices"
)

// State is an equilibrium: a crossing of supply and demand, where as many threads enter the memory system as leave it.
type State struct {
	K       float64 `json:"k"`        // threads in the memory system
	X       float64 `json:"x"`        // threads in the computing system
	Memory  float64 `json:"memory"`   // requests per cycle
	Compute float64 `json:"compute"`  // operations per cycle
	HitRate float64 `json:"hit_rate"` // of the cache; 0 without one
	Stable  bool    `json:"stable"`
	Touches bool    `json:"touches,omitempty"` // the curves touch without crossing: stable from one side only
}

// States are all crossings for k from 0 to n, by k. There is always a stable one.
func (p *Params) States() []State { return p.appendStates(nil) }

// Settled is the stable state that a machine comes to whose threads all compute at first: that of the smallest k.
func (p *Params) Settled() State {
	if s, ok := p.plain(); ok {
		return s
	}
	var room [pieces + 8]float64
	w := walk{p: p, marks: p.marks(room[:0])}
	for i, step := 0, longest; i+1 < len(w.marks); {
		j := min(i+step, len(w.marks)-1)
		switch {
		case w.clear(i, j):
			i = j
			step = min(2*step, longest)
			continue
		case step > 1:
			step /= 2
			continue
		}
		if s, ok := w.settles(i); ok {
			return s
		}
		i++
	}
	return p.state(p.N, true)
}

// Reached is the stable state that a machine comes to with so many threads in memory at first: they grow more as long as demand is above
// supply there, and fewer else. Several says that there is another stable state.
func (p *Params) Reached(k float64) (s State, several bool) {
	k = min(k, p.N)
	states := p.States()
	var stable []State
	for _, s := range states {
		if s.Stable && !s.Touches {
			stable = append(stable, s)
		}
	}
	if len(stable) == 0 {
		return p.Settled(), false
	}
	several = len(stable) > 1
	if p.excess(k) >= 0 {
		for _, s := range stable {
			if s.K >= k*(1-1e-12) {
				return s, several
			}
		}
		return stable[len(stable)-1], several
	}
	for i := len(stable) - 1; i >= 0; i-- {
		if stable[i].K <= k*(1+1e-12) {
			return stable[i], several
		}
	}
	return stable[0], several
}

// longest is how many marks are passed over at once, where the curves are far apart. Chosen: a quarter of them.
const longest = 8

// walk follows the curves along marks and remembers the supply at each.
type walk struct {
	p      *Params
	marks  []float64
	supply [pieces + 8]float64 // 0: not known yet
}

func (w *walk) at(i int) (supply, excess float64) {
	if w.supply[i] == 0 {
		w.supply[i] = w.p.Supply(w.marks[i])
	}
	return w.supply[i], w.p.Demand(w.p.N-w.marks[i]) - w.supply[i]
}

// clear says that there is no crossing between two marks, as demand is above supply all the way: supply grows at most as k does, since
// neither latencies nor queues become shorter with more threads.
func (w *walk) clear(i, j int) bool {
	if w.marks[i] <= 0 {
		return false
	}
	supply, _ := w.at(i)
	return w.p.Demand(w.p.N-w.marks[j]) > supply*w.marks[j]/w.marks[i]
}

// settles finds the first stable crossing up to the mark after i.
func (w *walk) settles(i int) (State, bool) {
	p := w.p
	_, y := w.at(i)
	_, next := w.at(i + 1)
	if i > 0 {
		_, before := w.at(i - 1)
		var found [3]State
		for _, s := range p.between(found[:0], w.marks[i-1], before, w.marks[i], y, w.marks[i+1], next) {
			if s.Stable && !s.Touches {
				return s, true
			}
		}
	}
	if y >= 0 && next < 0 {
		return p.state(p.brent(w.marks[i], y, w.marks[i+1], next), true), true
	}
	return State{}, false
}

// plain solves without a cache: k/L and R against E(n−k)/Z and M/Z.
func (p *Params) plain() (State, bool) {
	if p.Cache != nil && p.Cache.Size > 0 {
		return State{}, false
	}
	rate := min(p.N/(p.L+p.Z/p.E), p.R, p.M/p.Z)
	s := State{Memory: rate, Compute: rate * p.Z, Stable: true}
	if rate == p.R && rate < p.M/p.Z { // the rest wait at memory
		s.X = min(rate*p.Z/p.E, p.N)
		s.K = p.N - s.X
	} else {
		s.K = min(rate*p.L, p.N)
		s.X = p.N - s.K
	}
	return s, true
}

// state is what holds with k threads in the memory system.
func (p *Params) state(k float64, stable bool) State {
	k = min(max(k, 0), p.N)
	s := State{K: k, X: p.N - k, Stable: stable}
	if p.Cache != nil && p.Cache.Size > 0 {
		s.HitRate = p.Cache.HitRate(k)
		s.Memory = p.supplyAt(k, s.HitRate)
	} else {
		s.Memory = p.Supply(k)
	}
	if k < p.N && s.X > 0 {
		s.Memory = min(s.Memory, p.Demand(s.X))
	}
	s.Compute = s.Memory * p.Z
	return s
}

// excess is what demand is above supply.
func (p *Params) excess(k float64) float64 { return p.Demand(p.N-k) - p.Supply(k) }

// pieces is how finely the curves are followed between the ends of where they can cross. Chosen: crossings nearer to one another than that
// are found by the search for extremes.
const pieces = 32

// appendStates brackets the zeros of the excess between breakpoints and extremes, and closes in on each.
func (p *Params) appendStates(out []State) []State {
	if p.N <= 0 {
		return append(out, p.state(0, true))
	}
	if s, ok := p.plain(); ok {
		return append(out, s)
	}
	var room [pieces + 8]float64
	marks := p.marks(room[:0])
	var before, here float64 // marks and their excess
	var yBefore, y float64
	for i, k := range marks {
		next := p.excess(k)
		if i >= 2 {
			out = p.between(out, before, yBefore, here, y, k, next)
		}
		if i >= 1 && (y >= 0) != (next >= 0) { // it is above 0 where no thread is in memory, and below where all are
			out = append(out, p.state(p.brent(here, y, k, next), y >= 0))
		}
		before, yBefore, here, y = here, y, k, next
	}
	return out
}

// between looks for two crossings that lie close together: between three marks of one sign the excess may pass 0 and come back, or
// touch it.
func (p *Params) between(out []State, k0, y0, k1, y1, k2, y2 float64) []State {
	if (y0 >= 0) != (y1 >= 0) || (y1 >= 0) != (y2 >= 0) || math.Abs(y1) > math.Abs(y0) || math.Abs(y1) > math.Abs(y2) {
		return out
	}
	sign := 1.0
	if y1 < 0 {
		sign = -1
	}
	k, y := p.least(k0, k2, sign)
	const level = 1e-12 // of the supply: curves nearer to one another than that touch; chosen: some thousand times the rounding of a float64
	switch {
	case y < -level*p.Supply(k):
		return append(out, p.state(p.brent(k0, y0, k, sign*y), sign > 0), p.state(p.brent(k, sign*y, k2, y2), sign < 0))
	case y <= level*p.Supply(k):
		s := p.state(k, sign > 0)
		s.Touches = true
		return append(out, s)
	}
	return out
}

// hopeless is the share of the supply that a dip stays above after a dozen steps without coming to 0 in the rest. Chosen: the dozen have narrowed
// it to a 300th.
const hopeless = 1e-3

// least is the smallest of sign·excess between two places, by golden section.
func (p *Params) least(a, b, sign float64) (k, y float64) {
	const ratio = 0.6180339887498949 // (√5−1)/2, of the golden section; after 12 steps 0.3 % of the range are left, after 80 nothing
	c, d := b-ratio*(b-a), a+ratio*(b-a)
	yc, yd := sign*p.excess(c), sign*p.excess(d)
	for i := range 80 {
		if i == 12 && min(yc, yd) > hopeless*p.Supply((a+b)/2) {
			break
		}
		if yc < yd {
			b, d, yd = d, c, yc
			c = b - ratio*(b-a)
			yc = sign * p.excess(c)
		} else {
			a, c, yc = c, d, yd
			d = a + ratio*(b-a)
			yd = sign * p.excess(d)
		}
		if b-a <= 1e-13*p.N {
			break
		}
	}
	if yc < yd {
		return c, yc
	}
	return d, yd
}

// marks are where the curves are looked at: from before the first crossing there can be to behind the last, evenly in logarithms,
// and where they bend. Supply lies between that of memory alone and that of a cache which always hits: so do all crossings.
func (p *Params) marks(out []float64) []float64 {
	latency := p.Cache.Latency
	demand := func(perThread float64) float64 { return min(p.N/(1/perThread+p.Z/p.E), p.M/p.Z) }
	low := min(demand(1/latency)*latency, p.N) * (1 - 1e-9)
	slow := Params{N: p.N, Z: p.Z, E: p.E, M: p.M, R: p.R, L: p.L}
	s, _ := slow.plain()
	high := min(s.K*(1+1e-9), p.N)
	if low <= 0 || !(high > low) {
		return append(out, 0, p.N)
	}
	bends := [2]float64{p.N - p.M/p.E, p.R * p.L}
	slices.Sort(bends[:])
	ratio := math.Exp(math.Log(high/low) / pieces)
	next := 0
	for i, k := 0, low; i <= pieces; i++ {
		if i == pieces {
			k = high
		}
		for next < len(bends) && bends[next] < k {
			if bends[next] > low {
				out = append(out, bends[next])
			}
			next++
		}
		out = append(out, k)
		k *= ratio
	}
	return out
}

// brent closes in on the zero between two places where the excess has different signs.
func (p *Params) brent(a, ya, b, yb float64) float64 {
	if math.Abs(ya) < math.Abs(yb) {
		a, ya, b, yb = b, yb, a, ya
	}
	c, yc, d := a, ya, a
	bisected := true
	for range 100 {
		if yb == 0 || math.Abs(b-a) <= 1e-12*math.Abs(b) {
			break
		}
		var s float64
		if ya != yc && yb != yc {
			s = a*yb*yc/((ya-yb)*(ya-yc)) + b*ya*yc/((yb-ya)*(yb-yc)) + c*ya*yb/((yc-ya)*(yc-yb))
		} else {
			s = b - yb*(b-a)/(yb-ya)
		}
		middle := (3*a + b) / 4
		last := math.Abs(b - c)
		if !bisected {
			last = math.Abs(c - d)
		}
		if (s-middle)*(s-b) >= 0 || math.Abs(s-b) >= last/2 || last == 0 {
			s = (a + b) / 2
			bisected = true
		} else {
			bisected = false
		}
		ys := p.excess(s)
		d, c, yc = c, b, yb
		if (ya < 0) != (ys < 0) {
			b, yb = s, ys
		} else {
			a, ya = s, ys
		}
		if math.Abs(ya) < math.Abs(yb) {
			a, ya, b, yb = b, yb, a, ya
		}
	}
	return b
}
