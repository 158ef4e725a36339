package xmodel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Change is one thing that could be other than it is.
type Change struct {
	Name  string // "n", "Z", …, or a technique
	What  string // in words
	Apply func(p *Params, factor float64)
	// From and To are the factors that are tried, with 1 for what is.
	From, To float64
}

// Changes are those that make sense for the parameters: each alone, and the named techniques of section VI.
func (p *Params) Changes() []Change {
	out := []Change{
		{"n", "more threads", func(p *Params, f float64) { p.N *= f }, 1, 4},
		{"thread throttling", "fewer threads at a time", func(p *Params, f float64) { p.N *= f }, 1.0 / 64, 1},
		{"higher intensity", "more operations for each request", func(p *Params, f float64) { p.Z *= f }, 1, 8},
		{"E", "more operations of a thread at once", func(p *Params, f float64) { p.E *= f }, 1, 4},
		{"lower ILP", "fewer operations of a thread at once", func(p *Params, f float64) { p.E *= f }, 1.0 / 16, 1},
		{"M", "more lanes", func(p *Params, f float64) { p.M *= f }, 1, 4},
		{"R", "more bandwidth past the cache, as of memory or, by bypassing the cache (section VI), of the level behind it", func(p *Params, f float64) { p.R *= f }, 1, 4},
		{"L", "less latency of memory", func(p *Params, f float64) { p.setL(p.L * f) }, 0.25, 1},
	}
	if p.Cache == nil || p.Cache.Size == 0 {
		return out
	}
	out = append(out,
		Change{"larger cache", "a larger cache", func(p *Params, f float64) { p.Cache.Size *= f }, 1, 16},
		Change{"cache latency", "a faster cache", func(p *Params, f float64) { p.Cache.Latency *= f }, 0.25, 1},
	)
	if p.Cache.Hits == nil {
		out = append(out,
			Change{"α", "more locality", func(p *Params, f float64) { p.Cache.Alpha = 1 + (p.Cache.Alpha-1)*f }, 1, 4},
			Change{"β", "locality at smaller sizes", func(p *Params, f float64) { p.Cache.Beta *= f }, 1.0 / 16, 1},
		)
	}
	return out
}

func (p *Params) setL(l float64) {
	if p.Cache != nil {
		l = max(l, p.Cache.Latency)
	}
	p.L = l
}

// with is the parameters after changes; the original is left as it is.
func (p *Params) with(changes []Change, factors []float64) Params {
	q := *p
	if p.Cache != nil {
		c := *p.Cache
		q.Cache = &c
	}
	for i, c := range changes {
		c.Apply(&q, factors[i])
	}
	return q
}

// Gain is what a change, or two together, would do.
type Gain struct {
	Changes []string  `json:"changes"`
	What    []string  `json:"what"`
	Factors []float64 `json:"factors"` // at which it does most
	Before  State     `json:"before"`
	After   State     `json:"after"`
	Gain    float64   `json:"gain"` // computing throughput after over before
	// Harms is the factor past the best one from which the change does harm, beside what is now; 0: none up to what was tried.
	Harms float64 `json:"harms,omitempty"`
	// Several says that there is another stable state then; After is the one that the machine comes to from where it is.
	Several bool `json:"several_states,omitempty"`
	// Limit is where the gain ends: what bounds the state at the best factors.
	Limit Bound `json:"limit"`
	// Hardware says that it takes another machine, not another program or number of threads.
	Hardware bool `json:"hardware,omitempty"`
}

// ofMachines are the changes that are of machines.
var ofMachines = []string{"M", "R", "L", "larger cache", "cache latency"}

// PossibleFirst marks what takes another machine than one of so many threads at most, 0 being no bound, and puts the rest first.
func (p *Params) PossibleFirst(all []Gain, most int) {
	for i := range all {
		g := &all[i]
		for k, c := range g.Changes {
			g.Hardware = g.Hardware || slices.Contains(ofMachines, c) || c == "n" && most > 0 && p.N*g.Factors[k] > float64(most)
		}
	}
	slices.SortStableFunc(all, func(a, b Gain) int {
		switch {
		case a.Hardware == b.Hardware:
			return 0
		case b.Hardware:
			return -1
		}
		return 1
	})
}

// What WhatIf looks at. All are chosen.
const (
	tries      = 33    // factors of a change, evenly in their logarithms
	pairTries  = 9     // factors of each of two changes
	worthwhile = 1.001 // gain from which a change is told, and a pair where it gains so much over the better of the two
)

// WhatIf ranks changes alone and in pairs by what they gain at best. Pairs are those that gain more than each of the two alone.
func (p *Params) WhatIf() []Gain {
	before := p.Settled()
	changes := p.Changes()
	var out []Gain
	alone := make([]float64, len(changes))
	for i, c := range changes {
		g := p.alone(c, before)
		alone[i] = g.Gain
		if g.Gain > worthwhile {
			out = append(out, g)
		}
	}
	for i := range changes {
		for j := i + 1; j < len(changes); j++ {
			if g := p.pair(changes[i], changes[j], before); g.Gain > worthwhile*max(alone[i], alone[j], 1) {
				out = append(out, g)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Gain) int {
		return cmp.Or(cmp.Compare(b.Gain, a.Gain), cmp.Compare(len(a.Changes), len(b.Changes)))
	})
	return out
}

func factor(c Change, i, n int) float64 {
	return c.From * math.Pow(c.To/c.From, float64(i)/float64(n-1))
}

// alone is the best that one change gains over the state before.
func (p *Params) alone(c Change, before State) Gain {
	g := Gain{Changes: []string{c.Name}, What: []string{c.What}, Factors: []float64{1}, Before: before, After: before, Gain: 1}
	gains := make([]float64, tries)
	best := -1
	for i := range tries {
		f := factor(c, i, tries)
		q := p.with([]Change{c}, []float64{f})
		s, several := q.Reached(before.K)
		gains[i] = ratio(s.Compute, before.Compute)
		if gains[i] > g.Gain*(1+1e-9) || gains[i] > g.Gain*(1-1e-9) && best >= 0 && math.Abs(math.Log(f)) < math.Abs(math.Log(g.Factors[0])) {
			best = i
			g.Gain, g.Factors[0], g.After, g.Several = gains[i], f, s, several
		}
	}
	if best < 0 {
		return g
	}
	away := 1 // from what is now
	if c.To == 1 {
		away = -1
	}
	for i := best + away; i >= 0 && i < tries; i += away {
		if gains[i] < 1-1e-9 {
			g.Harms = factor(c, i, tries)
			break
		}
	}
	q := p.with([]Change{c}, g.Factors)
	g.Limit = q.Bound(g.After)
	return g
}

// pair is the best that two changes gain together.
func (p *Params) pair(a, b Change, before State) Gain {
	g := Gain{Changes: []string{a.Name, b.Name}, What: []string{a.What, b.What}, Factors: []float64{1, 1}, Before: before, After: before, Gain: 1}
	both := []Change{a, b}
	for i := range pairTries {
		for j := range pairTries {
			f := []float64{factor(a, i, pairTries), factor(b, j, pairTries)}
			q := p.with(both, f)
			if s, several := q.Reached(before.K); ratio(s.Compute, before.Compute) > g.Gain*(1+1e-9) {
				g.Gain, g.Factors, g.After, g.Several = ratio(s.Compute, before.Compute), f, s, several
			}
		}
	}
	q := p.with(both, g.Factors)
	g.Limit = q.Bound(g.After)
	return g
}

func ratio(a, b float64) float64 {
	if b <= 0 {
		return 1
	}
	return a / b
}

// Best is a number of threads and the state that it settles in.
type Best struct {
	Threads int
	State   State
}

// BestThreads is for each of some limits, sorted, the number of threads, whole and up to it, at which the computing system does most; of several
// the least.
func (p *Params) BestThreads(limits ...int) (best []Best) {
	var b Best
	i := 1
	for _, most := range limits {
		for ; i <= most; i++ {
			q := *p
			q.N = float64(i)
			if s := q.Settled(); b.Threads == 0 || s.Compute > b.State.Compute*(1+1e-9) {
				b = Best{i, s}
			}
		}
		best = append(best, b)
	}
	return best
}

// String names a gain.
func (g Gain) String() string {
	text := ""
	for i, c := range g.Changes {
		if i > 0 {
			text += " and "
		}
		text += fmt.Sprintf("%s ×%.3g", c, g.Factors[i])
	}
	return text
}
