package xmodel

import (
	"math"
	"testing"
)

// gesummv is section VI's case study with plausible parameters: an SM of the GTX 570 with 48 warps and 16 KiB of L1, 4 transactions of
// memory a request (its columns do not coalesce), and the latency of an operation of about 17 cycles a warp.
func gesummv(cache float64) Params {
	m, _ := FindMachine("gtx570-sp")
	p := m.Params
	p.N, p.Z, p.E, p.R = 48, 2, 0.06, p.R/4
	p.Cache = &Cache{Latency: 40, Size: cache, Alpha: 6, Beta: 668}
	return p
}

// The techniques move the state as figures 12 to 17 show, and in that order.
func TestCaseStudy(t *testing.T) {
	p := gesummv(16 << 10)
	now := p.Settled()
	if p.Bound(now) != ThrashingBound || len(p.States()) != 1 {
		t.Fatalf("figure 12: not thrashing: %+v, %s", now, p.Bound(now))
	}
	change := func(f func(*Params)) State {
		q := gesummv(p.Cache.Size)
		f(&q)
		return q.Settled()
	}
	larger := change(func(p *Params) { p.Cache.Size *= 3 })
	if larger.Memory <= now.Memory || larger.Compute <= now.Compute {
		t.Errorf("figure 13: a larger cache gives %+v after %+v", larger, now)
	}
	psi := p.Points().Psi
	best, at := 0.0, 0.0
	for n := 1.0; n <= 48; n += 0.25 {
		if s := change(func(p *Params) { p.N = n }); s.Memory > best {
			best, at = s.Memory, s.K
		}
	}
	if best < 1.5*now.Memory || math.Abs(at/psi.K-1) > 0.1 || best > psi.Supply*(1+1e-9) {
		t.Errorf("figure 14: throttling gives %g at k = %g; the peak is %+v", best, at, psi)
	}
	bypassing := change(func(p *Params) { p.R *= 1.5 })
	if bypassing.Memory <= now.Memory*1.1 {
		t.Errorf("figure 15: bypassing gives %+v after %+v", bypassing, now)
	}
	intensity := change(func(p *Params) { p.Z *= 1.2 })
	if gain := intensity.Memory / now.Memory; intensity.Compute < 1.2*now.Compute || gain < 1 || gain > 1.15 {
		t.Errorf("figure 16: more intensity gives %+v after %+v", intensity, now)
	}
	ilp := change(func(p *Params) { p.E /= 1.5 })
	if ilp.Memory <= now.Memory || ilp.Compute <= now.Compute || ilp.Memory >= bypassing.Memory {
		t.Errorf("figure 17: lower ILP gives %+v after %+v", ilp, now)
	}
	if best <= bypassing.Memory {
		t.Errorf("throttling, %g, is not best", best)
	}
	for _, g := range p.WhatIf() {
		if len(g.Changes) == 1 && g.Changes[0] == "thread throttling" {
			if g.Harms == 0 || g.Gain < best/now.Memory*0.95 {
				t.Errorf("what-if finds throttling %+v", g)
			}
			return
		}
	}
	t.Error("what-if does not find throttling")
}

// Table II: the transition points in warps and GB/s.
func TestTableII(t *testing.T) {
	want := map[string][2]float64{
		"gtx570-sp": {48, 147}, "gtx570-dp": {24, 152}, "k40-sp": {64, 180}, "k40-dp": {48, 200}, "gtx750ti-sp": {56, 82}, "gtx750ti-dp": {28, 83},
	}
	if len(Machines()) != len(want) {
		t.Errorf("%d machines", len(Machines()))
	}
	for _, m := range Machines() {
		at := m.Params.Points()
		if w := want[m.Name]; math.Abs(at.Delta-w[0]) > 1e-9 || math.Abs(m.Scale.GBs(at.Plateau)-w[1]) > 1e-9 {
			t.Errorf("%s: saturated by %g warps at %g GB/s, want %v", m.Name, at.Delta, m.Scale.GBs(at.Plateau), w)
		}
		if err := m.Params.Validate(); err != nil {
			t.Error(err)
		}
	}
	if m, ok := FindMachine("K40-SP"); !ok || math.Abs(m.Scale.GFlops(m.Params.M)-15*192*0.876) > 1e-9 {
		t.Errorf("K40: %g GFLOP/s without fused operations", m.Scale.GFlops(m.Params.M))
	}
}
