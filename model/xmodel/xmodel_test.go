package xmodel

import (
	"math"
	"math/rand/v2"
	"testing"
)

func logUniform(r *rand.Rand, low, high float64) float64 {
	return low * math.Pow(high/low, r.Float64())
}

// random parameters, with a cache or without.
func random(r *rand.Rand, cache bool) Params {
	p := Params{
		N: logUniform(r, 0.5, 5000), Z: logUniform(r, 0.1, 200), E: logUniform(r, 0.1, 8), M: logUniform(r, 0.5, 512),
		R: logUniform(r, 1e-3, 8), L: logUniform(r, 2, 2000),
	}
	if cache {
		p.Cache = &Cache{
			Latency: logUniform(r, 1, p.L), Size: logUniform(r, 1, 1e7), Alpha: 1 + logUniform(r, 0.01, 6), Beta: logUniform(r, 1, 1e5), Printed: r.IntN(2) == 0,
		}
		p.Cache.Latency = min(p.Cache.Latency, p.L)
	}
	return p
}

// There is a stable state, stability alternates, no limit is passed, and nothing is not a number.
func TestStates(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	several := 0
	for i := range 100_000 {
		p := random(r, i%4 != 0)
		if err := p.Validate(); err != nil {
			t.Fatalf("%+v: %v", p, err)
		}
		states := p.States()
		stable := 0
		for j, s := range states {
			for _, v := range []float64{s.K, s.X, s.Memory, s.Compute, s.HitRate} {
				if math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
					t.Fatalf("%+v, %+v: %+v", p, p.Cache, s)
				}
			}
			if s.Stable {
				stable++
			}
			if j > 0 && !s.Touches && !states[j-1].Touches && s.Stable == states[j-1].Stable {
				t.Fatalf("%+v, %+v: stability does not alternate: %+v", p, p.Cache, states)
			}
			if j > 0 && s.K < states[j-1].K {
				t.Fatalf("%+v: not in order: %+v", p, states)
			}
			const rounding = 1 + 1e-6
			if s.Memory > p.Supply(s.K)*rounding || s.Compute > p.Compute(s.X)*rounding || s.Compute > p.M*rounding || math.Abs(s.K+s.X-p.N) > 1e-9*p.N {
				t.Fatalf("%+v, %+v: beyond the limits: %+v", p, p.Cache, s)
			}
			if gap := math.Abs(p.excess(s.K)); !s.Touches && gap > 1e-6*(p.Supply(s.K)+p.Demand(s.X)) {
				t.Fatalf("%+v, %+v: supply %g, demand %g at %+v", p, p.Cache, p.Supply(s.K), p.Demand(s.X), s)
			}
		}
		if stable == 0 || !states[0].Stable && !states[0].Touches {
			t.Fatalf("%+v, %+v: no stable state first: %+v", p, p.Cache, states)
		}
		if len(states) > 1 {
			several++
		}
		if got := p.Settled(); math.Abs(got.Memory-firstStable(states).Memory) > 1e-9*got.Memory {
			t.Fatalf("%+v: settles at %+v, states %+v", p, got, states)
		}
	}
	t.Logf("%d of 100000 with several states", several)
	if several < 500 {
		t.Errorf("only %d with several states", several)
	}
}

func firstStable(states []State) State {
	for _, s := range states {
		if s.Stable {
			return s
		}
	}
	return State{}
}

// No crossing is missed that a fine walk along the curves finds.
func TestStatesAgainstAWalk(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 2000 {
		p := random(r, true)
		crossings := 0
		const n = 20_000
		above := true
		for i := 1; i <= n; i++ {
			now := p.excess(p.N*float64(i)/n) >= 0
			if now != above {
				crossings++
			}
			above = now
		}
		found := 0
		for _, s := range p.States() {
			if !s.Touches {
				found++
			}
		}
		if found < crossings {
			t.Fatalf("%+v, %+v: %d crossings found, a walk finds %d", p, p.Cache, found, crossings)
		}
	}
}

// Stability from the balance is equation 6, with g over Z.
func TestEquation6(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	checked := 0
	for range 20_000 {
		p := random(r, true)
		for _, s := range p.States() {
			h := 1e-6 * s.K
			if s.Touches || s.K-h <= 0 || s.X-h <= 0 {
				continue
			}
			supply := (p.Supply(s.K+h) - p.Supply(s.K-h)) / (2 * h)
			demand := (p.Demand(s.X+h) - p.Demand(s.X-h)) / (2 * h)
			if supply >= 0 || math.Abs(math.Abs(supply)/math.Max(demand, 1e-300)-1) < 1e-3 { // rises: always stable; or close to a tangency
				continue
			}
			if stable := math.Abs(demand) > math.Abs(supply); stable != s.Stable {
				t.Fatalf("%+v, %+v at %+v: f' %g, g'/Z %g", p, p.Cache, s, supply, demand)
			}
			checked++
		}
	}
	if checked < 1000 {
		t.Errorf("only %d checked", checked)
	}
}

// Without a cache, or with one that is nothing, the state is the closed form.
func TestLimits(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 20_000 {
		p := random(r, false)
		want := min(p.N/(p.L+p.Z/p.E), p.R, p.M/p.Z)
		same := func(what string, q Params, tolerance float64) {
			t.Helper()
			if got := q.Settled().Memory; math.Abs(got-want) > tolerance*want {
				t.Fatalf("%s: %+v %+v: %g, want %g", what, q, q.Cache, got, want)
			}
		}
		same("no cache", p, 1e-9)
		q := p
		q.Cache = &Cache{Latency: p.L / 2, Size: 0, Alpha: 3, Beta: 10}
		same("a cache of nothing", q, 1e-9)
		q.Cache = &Cache{Latency: p.L / 2, Size: 1000, Alpha: 1, Beta: 10, Printed: r.IntN(2) == 0}
		same("no locality", q, 1e-6)
		q.Cache = &Cache{Latency: p.L / 2, Size: 1e-9, Alpha: 3, Beta: 10}
		same("cache towards nothing", q, 1e-6)
		q = p
		q.N = 0
		if s := q.Settled(); s.Memory != 0 || s.Compute != 0 {
			t.Fatalf("no threads: %+v", s)
		}
		q.N = 1e9 * (p.L*p.R + p.M/p.E)
		want = min(p.R, p.M/p.Z)
		same("threads without end", q, 1e-9)
	}
}

// Units do not matter: cycles, requests, operations and sizes may be counted in others.
func TestScales(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 5000 {
		p := random(r, true)
		time, size, ops := logUniform(r, 0.1, 10), logUniform(r, 0.1, 10), logUniform(r, 0.1, 10)
		q := p
		c := *p.Cache
		q.Cache = &c
		q.L, q.R, q.M, q.E = p.L*time, p.R/time, p.M/time, p.E/time
		c.Latency, c.Size, c.Beta = c.Latency*time, c.Size*size, c.Beta*size
		q.Z, q.E, q.M = p.Z*ops, q.E*ops, q.M*ops
		a, b := p.Settled(), q.Settled()
		if math.Abs(b.Memory*time/a.Memory-1) > 1e-6 || math.Abs(b.K-a.K) > 1e-6*p.N {
			t.Fatalf("%+v: %+v and %+v", p, a, b)
		}
	}
}

// The paper's principles: 1, 2 as the intersection rises both throughputs do; 3, more operations a request do more as long as lanes
// are free. More of M, R, E without a cache, or less L, never harms.
func TestPrinciples(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 20_000 {
		p := random(r, false)
		s := p.Settled()
		for name, change := range map[string]func(*Params){
			"n": func(p *Params) { p.N *= 1.5 }, "M": func(p *Params) { p.M *= 1.5 }, "R": func(p *Params) { p.R *= 1.5 },
			"L": func(p *Params) { p.L /= 1.5 }, "E": func(p *Params) { p.E *= 1.5 },
		} {
			q := p
			change(&q)
			after := q.Settled()
			if after.Memory < s.Memory*(1-1e-9) || after.Compute < s.Compute*(1-1e-9) {
				t.Fatalf("better %s does harm: %+v, %+v after %+v", name, p, after, s)
			}
		}
		q := p
		q.Z *= 1.5
		after := q.Settled()
		if after.Compute < s.Compute*(1-1e-9) || s.X < p.M/p.E*0.999 && after.Compute < s.Compute*(1+1e-9) {
			t.Fatalf("principle 3: %+v, %+v after %+v", p, after, s)
		}
	}
}

// Figure 5: at the balance both systems do all they can; with fewer threads, less; with more, threads idle.
func TestMachineBalance(t *testing.T) {
	p := Params{Z: 8, E: 1, M: 32, R: 4, L: 100}
	balance := p.Parallelism(State{}).MachineTLP
	if balance != 32+400 || p.M/p.Z != p.R {
		t.Fatalf("balance at %g threads", balance)
	}
	p.N = balance
	s := p.Settled()
	if math.Abs(s.Memory-p.R) > 1e-9 || math.Abs(s.Compute-p.M) > 1e-9 || p.Bound(s) != CapacityBound {
		t.Errorf("at the balance: %+v, bound by %s", s, p.Bound(s))
	}
	p.N = balance * 0.9
	if s := p.Settled(); math.Abs(s.Memory-0.9*p.R) > 1e-9 || p.Bound(s) != ThreadBound {
		t.Errorf("with fewer threads: %+v, bound by %s", s, p.Bound(s))
	}
	p.N = balance * 2
	if s := p.Settled(); math.Abs(s.Memory-p.R) > 1e-9 || p.Bound(s) != CapacityBound {
		t.Errorf("with more threads: %+v, bound by %s", s, p.Bound(s))
	}
	p.Z = 2
	if s := p.Settled(); p.Bound(s) != MemoryBound {
		t.Errorf("Z below M/R: bound by %s", p.Bound(s))
	}
	p.Z = 20
	if s := p.Settled(); p.Bound(s) != ComputeBound {
		t.Errorf("Z above M/R: bound by %s", p.Bound(s))
	}
}

// Shapes of the supply, figures 7 and 8.
func TestShapes(t *testing.T) {
	p := Params{N: 64, Z: 4, E: 1, M: 32, R: 0.15, L: 600}
	if at := p.Points(); at.Psi != nil || math.Abs(at.Delta-90) > 1e-9 || at.Pi != 32 || p.Sensitivity() != Insensitive {
		t.Errorf("without a cache: %+v", at)
	}
	p.Cache = &Cache{Latency: 20, Size: 16 << 10, Alpha: 10, Beta: 3 << 10}
	high := p.Points()
	if p.Sensitivity() != High || high.Psi == nil || high.Low == nil || high.Psi.K >= high.Low.K || high.Low.K >= high.Delta || high.Low.Supply > high.Psi.Supply*0.8 {
		t.Errorf("highly sensitive: %s, %+v, %+v, %+v", p.Sensitivity(), high, high.Psi, high.Low)
	}
	larger := p
	c := *p.Cache
	larger.Cache = &c
	c.Size *= 3
	if at := larger.Points(); at.Psi.K < 2.5*high.Psi.K || at.Psi.Supply < high.Psi.Supply {
		t.Errorf("a larger cache moves the peak from %+v to %+v", high.Psi, at.Psi)
	}
	c.Size, c.Latency = p.Cache.Size, 10
	if at := larger.Points(); at.Psi.Supply < high.Psi.Supply {
		t.Errorf("a faster cache lowers the peak")
	}
	p.Cache.Alpha = 1.05
	if p.Sensitivity() != Insensitive {
		t.Errorf("hardly any locality: %s", p.Sensitivity())
	}
}

// Two stable states, with an unstable one between: figure 9-B; and what is lost when threads are added: 9-C.
func bistable() Params {
	return Params{N: 105, Z: 1, E: 0.003, M: 0.35, R: 0.15, L: 600, Cache: &Cache{Latency: 20, Size: 16 << 10, Alpha: 10, Beta: 3 << 10}}
}

func TestSevereDegradation(t *testing.T) {
	p := bistable()
	states := p.States()
	if len(states) != 3 || !states[0].Stable || states[1].Stable || !states[2].Stable || states[0].Memory <= states[2].Memory {
		t.Fatalf("states %+v", states)
	}
	l := p.Loss()
	if l == nil || l.From > p.N || l.To < p.N || l.Least <= 0 || l.Most < l.Least {
		t.Fatalf("loss %+v", l)
	}
	for n, want := range map[float64]int{l.From * 0.99: 1, l.From * 1.01: 3, l.To * 0.99: 3, l.To * 1.01: 1} {
		q := p
		q.N = n
		if got := len(q.States()); got != want {
			t.Errorf("%d states with %g threads, want %d; loss %+v", got, n, want, l)
		}
	}
	other := p
	other.N = 5000 // it does not depend on the threads that there are
	if m := other.Loss(); m == nil || *m != *l {
		t.Errorf("loss %+v and %+v", l, m)
	}
	endless := p
	endless.M = 0.25 // below the peak: the better state stays
	if m := endless.Loss(); m == nil || m.To != 0 || math.Abs(m.Most-(0.25-p.R)) > 0.02 {
		t.Errorf("without end: %+v", m)
	}
}

// From either side of an unstable crossing the machine comes to the stable one of that side.
func TestReached(t *testing.T) {
	p := bistable()
	states := p.States()
	for k, want := range map[float64]int{0: 0, states[1].K * 0.99: 0, states[1].K * 1.01: 2, p.N: 2, states[0].K: 0, states[2].K: 2} {
		if got, several := p.Reached(k); !several || got != states[want] {
			t.Errorf("from k = %g: %+v", k, got)
		}
	}
}

func TestValidate(t *testing.T) {
	good := bistable()
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Params){
		"n": func(p *Params) { p.N = -1 }, "Z": func(p *Params) { p.Z = 0 }, "E": func(p *Params) { p.E = math.NaN() }, "M": func(p *Params) { p.M = math.Inf(1) },
		"R": func(p *Params) { p.R = -1 }, "L": func(p *Params) { p.L = 0 }, "cache latency": func(p *Params) { p.Cache.Latency = 1e9 },
		"cache size": func(p *Params) { p.Cache.Size = -1 }, "alpha": func(p *Params) { p.Cache.Alpha = 0.5 }, "beta": func(p *Params) { p.Cache.Beta = 0 },
	} {
		p := bistable()
		spoil(&p)
		if p.Validate() == nil {
			t.Errorf("a wrong %s is taken", name)
		}
	}
}

func BenchmarkSettled(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, cache := range []bool{false, true} {
		all := make([]Params, 1024)
		for i := range all {
			all[i] = random(r, cache)
		}
		name := "plain"
		if cache {
			name = "cache"
		}
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				all[i%len(all)].Settled()
				i++
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds()/1e6, "Mstate/s")
		})
	}
}

func BenchmarkWhatIf(b *testing.B) {
	p := bistable()
	for b.Loop() {
		p.WhatIf()
	}
}
