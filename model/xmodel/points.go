package xmodel

import "math"

// Points are the characteristic places of a machine and a workload, in threads and requests per cycle.
type Points struct {
	Pi    float64  `json:"pi"`               // threads that saturate the computing system, M/E
	Delta float64  `json:"delta"`            // threads that saturate the memory system
	Psi   *Extreme `json:"psi,omitempty"`    // the cache peak
	Low   *Extreme `json:"valley,omitempty"` // the valley behind it
	// Plateau is the supply that memory alone sustains, R.
	Plateau float64 `json:"plateau"`
}

// Extreme is a place where the supply turns.
type Extreme struct {
	K      float64 `json:"k"`
	Supply float64 `json:"supply"`
}

// Sensitivity is the shape of the supply (section III-B).
type Sensitivity string

// The shapes of the supply: no peak; a peak below the plateau or hardly above, with a valley; a peak above it.
const (
	Insensitive Sensitivity = "cache insensitive"
	Moderate    Sensitivity = "moderately cache sensitive"
	High        Sensitivity = "highly cache sensitive"
)

// farthest is how many times R·L threads are looked at for peaks and the plateau.
const farthest = 64

// saturated is the share of the plateau from which the memory system counts as saturated.
const saturated = 0.999

// Points finds the characteristic places.
func (p *Params) Points() Points {
	out := Points{Pi: p.M / p.E, Delta: p.R * p.L, Plateau: p.R}
	if p.Cache == nil || p.Cache.Size == 0 {
		return out
	}
	most := farthest * max(p.R*p.L, p.N, 1)
	out.Psi, out.Low = p.peak(most)
	out.Delta = p.saturation(most, out)
	return out
}

// steps per factor of e in which the supply is followed.
const steps = 40

// peak finds the first place from which the supply falls, and the place where it rises again or comes to the plateau.
func (p *Params) peak(most float64) (psi, low *Extreme) {
	least := 1e-3
	ratio := math.Exp(1.0 / steps)
	const level = 1e-9
	k, f := least, p.Supply(least)
	for next := k * ratio; next <= most; next *= ratio {
		g := p.Supply(next)
		switch {
		case psi == nil && g < f*(1-level):
			at := p.extreme(k/ratio, next, 1)
			psi = &Extreme{at, p.Supply(at)}
		case psi != nil && g > f*(1+level):
			at := p.extreme(k/ratio, next, -1)
			return psi, &Extreme{at, p.Supply(at)}
		}
		k, f = next, g
	}
	return psi, nil
}

// extreme is the highest (sign 1) or lowest place of the supply between two.
func (p *Params) extreme(a, b, sign float64) float64 {
	const ratio = 0.6180339887498949
	for range 60 {
		c, d := b-ratio*(b-a), a+ratio*(b-a)
		if sign*p.Supply(c) > sign*p.Supply(d) {
			b = d
		} else {
			a = c
		}
	}
	return (a + b) / 2
}

// saturation is the first place behind peak and valley where the supply is the plateau's.
func (p *Params) saturation(most float64, at Points) float64 {
	from := p.R * 1e-6
	if at.Psi != nil {
		from = at.Psi.K
	}
	if at.Low != nil {
		from = at.Low.K
	}
	ratio := math.Exp(1.0 / steps)
	for k := max(from, 1e-3); k <= most; k *= ratio {
		memory := p.Supply(k) // what reaches memory saturates it
		if p.Cache != nil {
			memory *= 1 - p.Cache.HitRate(k)
		}
		if memory >= saturated*p.R || p.Cache != nil && p.Cache.Printed && k >= p.R*p.L {
			return k
		}
	}
	return most
}

// Sensitivity is the shape of the supply.
func (p *Params) Sensitivity() Sensitivity {
	at := p.Points()
	switch {
	case at.Psi == nil || at.Low == nil && at.Psi.Supply <= at.Plateau*1.02:
		return Insensitive
	case at.Psi.Supply <= 1.5*at.Plateau:
		return Moderate
	}
	return High
}

// Parallelism of the machine and of the workload (section III-A).
type Parallelism struct {
	MachineMLP  float64 `json:"machine_mlp"`  // R·L: requests in flight that saturate memory
	WorkloadMLP float64 `json:"workload_mlp"` // k
	WorkloadILP float64 `json:"workload_ilp"` // E
	MachineTLP  float64 `json:"machine_tlp"`  // the least threads that use both systems as far as they go
	WorkloadTLP float64 `json:"workload_tlp"` // n
	MachineDLP  float64 `json:"machine_dlp"`  // M/R: operations a request that keep both busy
	WorkloadDLP float64 `json:"workload_dlp"` // Z
}

// Parallelism at a state. The machine's thread-level parallelism is π + R·L: with fewer threads not both can be busy.
func (p *Params) Parallelism(s State) Parallelism {
	return Parallelism{
		MachineMLP: p.R * p.L, WorkloadMLP: s.K, WorkloadILP: p.E, MachineTLP: p.M/p.E + p.R*p.L, WorkloadTLP: p.N,
		MachineDLP: p.M / p.R, WorkloadDLP: p.Z,
	}
}

// Bound is what keeps a state from more throughput.
type Bound string

// Bounds.
const (
	ThreadBound    Bound = "threads"     // too few to saturate either system
	ComputeBound   Bound = "computation" // all lanes are busy
	MemoryBound    Bound = "memory"      // memory gives all it can
	CapacityBound  Bound = "capacity"    // both at once: the machine's balance
	ThrashingBound Bound = "cache thrashing"
)

// near is the share of a limit from which it counts as reached.
const near = 0.995

// Bound is that of a state.
func (p *Params) Bound(s State) Bound {
	compute := s.Compute >= near*p.M
	toMemory := s.Memory
	if p.Cache != nil && p.Cache.Size > 0 {
		toMemory *= 1 - s.HitRate
		if p.Cache.Printed && s.K >= p.R*p.L {
			toMemory = p.R
		}
	}
	memory := toMemory >= near*p.R
	falls := p.Supply(s.K*1.001) < s.Memory*(1-1e-9) && p.Supply(s.K*0.98) > s.Memory*(1+1e-6)
	switch {
	case compute && memory:
		return CapacityBound
	case compute:
		return ComputeBound
	case falls:
		return ThrashingBound
	case memory:
		return MemoryBound
	}
	at := p.Points()
	if at.Psi != nil && s.K > at.Psi.K && s.Memory < at.Psi.Supply*near {
		return ThrashingBound
	}
	return ThreadBound
}

// Loss is what may be lost, in requests per cycle, when threads are added past a balance that the cache gives (section III-D-2).
type Loss struct {
	Least float64 `json:"least"` // from the better to the worse stable state where both first exist
	Most  float64 `json:"most"`  // M/Z − R: with threads without end
	At    float64 `json:"at"`    // the number of threads at which the better state is first not the only one
}

// Loss looks for a number of threads, up to so many, from which there are two stable states; nil: there is none.
func (p *Params) Loss(most float64) *Loss {
	if p.Cache == nil || p.Cache.Size == 0 {
		return nil
	}
	two := func(n float64) (better, worse State, ok bool) {
		q := *p
		q.N = n
		var room [8]State
		var stable []State
		for _, s := range q.appendStates(room[:0]) {
			if s.Stable {
				stable = append(stable, s)
			}
		}
		if len(stable) < 2 {
			return State{}, State{}, false
		}
		return stable[0], stable[len(stable)-1], true
	}
	const grid = 400
	last := 0.0
	for i := 1; i <= grid; i++ {
		n := most * float64(i) / grid
		if _, _, ok := two(n); !ok {
			last = n
			continue
		}
		low, high := last, n
		for range 40 {
			middle := (low + high) / 2
			if _, _, ok := two(middle); ok {
				high = middle
			} else {
				low = middle
			}
		}
		better, worse, _ := two(high)
		return &Loss{Least: better.Memory - worse.Memory, Most: max(0, p.M/p.Z-p.R), At: high}
	}
	return nil
}
