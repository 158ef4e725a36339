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

// farthest is how many times R·L threads are looked at for peaks and the plateau. Chosen: no machine has as many.
const farthest = 256

// saturated is the share of the plateau from which the memory system counts as saturated. Chosen: with a cache it comes near the plateau without
// end.
const saturated = 0.999

// Points finds the characteristic places. Delta is 0 where memory is not saturated by any number of threads looked at.
func (p *Params) Points() Points {
	out := Points{Pi: p.M / p.E, Delta: p.R * p.L, Plateau: p.R}
	if p.Cache == nil || p.Cache.Size == 0 {
		return out
	}
	most := min(farthest*max(p.R*p.L, 1), math.MaxFloat64/2) // finite, so that steps come to its end
	out.Psi, out.Low = p.peak(most)
	out.Delta = p.saturation(most)
	return out
}

// steps is in how many steps the supply is followed over each factor of e in the threads. Chosen: of 2.5 %.
const steps = 40

// turn is by how much the supply must fall, or rise again, as a share, to make a peak or a valley. Chosen: less is not seen on a picture.
const turn = 0.01

// peak finds the first place from which the supply falls, and the place where it rises again.
func (p *Params) peak(most float64) (psi, low *Extreme) {
	ratio := math.Exp(1.0 / steps)
	at, top, bottomAt, bottom := 0.0, 0.0, 0.0, math.Inf(1)
	for k := 1e-3; k <= most; k *= ratio {
		f := p.Supply(k)
		switch {
		case f > top && bottom > (1-turn)*top:
			at, top, bottom = k, f, f
		case f < bottom:
			bottomAt, bottom = k, f
		}
		if bottom <= (1-turn)*top && f > (1+turn)*bottom {
			low = p.extremeAround(bottomAt, ratio, -1)
			break
		}
	}
	if bottom <= (1-turn)*top {
		psi = p.extremeAround(at, ratio, 1)
	}
	return psi, low
}

func (p *Params) extremeAround(k, ratio, sign float64) *Extreme {
	k = p.extreme(k/ratio, k*ratio, sign)
	return &Extreme{k, p.Supply(k)}
}

// extreme is the highest (sign 1) or lowest place of the supply between two.
func (p *Params) extreme(a, b, sign float64) float64 {
	const ratio = 0.6180339887498949 // (√5−1)/2, of the golden section; 60 steps leave 3·10⁻¹³ of the range
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

// saturation is the least number of threads from which memory is saturated; 0: none up to most.
func (p *Params) saturation(most float64) float64 {
	full := func(k float64) bool {
		return p.Cache.Printed && k >= p.R*p.L || p.Supply(k)*(1-p.Cache.HitRate(k)) >= saturated*p.R
	}
	ratio := math.Exp(1.0 / steps)
	for k := 1e-3; k <= most; k *= ratio {
		if !full(k) {
			continue
		}
		low, high := k/ratio, k
		for range 50 {
			if middle := (low + high) / 2; full(middle) {
				high = middle
			} else {
				low = middle
			}
		}
		return high
	}
	return 0
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

// near is the share of a limit from which it counts as reached. Chosen: lines on a picture meet there.
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
	at := p.Points()
	thrashes := at.Psi != nil && s.K > at.Psi.K && s.Memory < (1-turn)*at.Psi.Supply && s.HitRate >= littleHits
	switch {
	case compute && memory && !thrashes:
		return CapacityBound
	case compute:
		return ComputeBound
	case thrashes:
		return ThrashingBound
	case memory:
		return MemoryBound
	}
	return ThreadBound
}

// littleHits is the hit rate below which a cache that is too small no longer counts: memory alone serves. Chosen.
const littleHits = 0.1

// Loss is what is lost at once, in requests per cycle, when a machine falls from the better of two stable states to the worse (section
// III-D-2).
type Loss struct {
	From  float64 `json:"from"`         // the least number of threads with two stable states
	To    float64 `json:"to,omitempty"` // the most; 0: without end
	Least float64 `json:"least"`        // at From
	// Most is the largest in between. Without end it is M/Z − R, the paper's maximum.
	Most float64 `json:"most"`
}

// Loss looks for numbers of threads with two stable states; nil: there are none.
func (p *Params) Loss() *Loss {
	at := p.Points()
	if at.Psi == nil {
		return nil
	}
	two := func(n float64) (lost float64, ok bool) {
		q := *p
		q.N = n
		var room [8]State
		var first, last State
		stable := 0
		for _, s := range q.appendStates(room[:0]) {
			if s.Stable && !s.Touches {
				if stable++; stable == 1 {
					first = s
				}
				last = s
			}
		}
		return first.Memory - last.Memory, stable > 1
	}
	endless := p.M/p.Z <= at.Psi.Supply && p.M/p.Z > at.Plateau
	most := at.Psi.K + 1.05*p.Z*at.Psi.Supply/p.E // there the better state needs more threads than can compute
	if endless {
		most = 4 * (at.Psi.K + at.Pi + p.R*p.L)
	}
	edge := func(out, in float64) float64 {
		for range 40 {
			if middle := (out + in) / 2; func() bool { _, ok := two(middle); return ok }() {
				in = middle
			} else {
				out = middle
			}
		}
		return in
	}
	const grid = 400 // numbers of threads that are looked at; chosen: a picture is some 400 dots wide
	var l *Loss
	before := 0.0
	for i := 1; i <= grid; i++ {
		n := most * float64(i) / grid
		lost, ok := two(n)
		switch {
		case ok && l == nil:
			from := edge(before, n)
			least, _ := two(from)
			l = &Loss{From: from, Least: least, Most: max(least, lost)}
		case ok:
			l.Most = max(l.Most, lost)
		case l != nil:
			l.To = edge(n, before)
			return l
		}
		before = n
	}
	if l != nil && endless {
		l.Most = max(l.Most, p.M/p.Z-p.R)
	} else if l != nil {
		l.To = most
	}
	return l
}
