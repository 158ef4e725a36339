package xmodel

import (
	"errors"
	"fmt"
	"math"
)

// Params are what the model needs to know (table I). Without Cache the memory system is a roofline.
type Params struct {
	N float64 `json:"n" yaml:"n"` // threads
	Z float64 `json:"z" yaml:"z"` // operations a request
	E float64 `json:"e" yaml:"e"` // operations a thread does at once: its instruction-level parallelism
	M float64 `json:"m" yaml:"m"` // operations per cycle of all lanes
	R float64 `json:"r" yaml:"r"` // requests per cycle of memory
	L float64 `json:"l" yaml:"l"` // cycles of a request to memory
	// Cache is in front of memory; nil: none.
	Cache *Cache `json:"cache,omitempty" yaml:"cache,omitempty"`
}

// Cache is one that all threads in the memory system share.
type Cache struct {
	Latency float64 `json:"latency" yaml:"latency"` // cycles of a hit
	Size    float64 `json:"size" yaml:"size"`       // in the unit of Beta
	Alpha   float64 `json:"alpha" yaml:"alpha"`     // locality, above 1: equation 3
	Beta    float64 `json:"beta" yaml:"beta"`       // locality, a size
	// Hits gives the hit rate of a thread that has so much of the cache; nil: equation 3. It must not fall with the size.
	Hits func(size float64) float64 `json:"-" yaml:"-"`
	// Printed takes the queue at memory as equation 4 has it: all k threads wait there. Else only those that miss do.
	Printed bool `json:"printed,omitempty" yaml:"printed,omitempty"`
}

// HitRate is that of each of k threads, equation 3: 1 − (S/(βk) + 1)^−(α−1).
func (c *Cache) HitRate(k float64) float64 {
	if k <= 0 {
		k = math.SmallestNonzeroFloat32
	}
	share := c.Size / k
	if c.Hits != nil {
		return min(max(c.Hits(share), 0), 1)
	}
	x := share / c.Beta
	var exponent float64
	if x > precise {
		exponent = (c.Alpha - 1) * math.Log(1+x)
	} else {
		exponent = (c.Alpha - 1) * math.Log1p(x)
	}
	if exponent > precise {
		return 1 - math.Exp(-exponent)
	}
	return -math.Expm1(-exponent)
}

// precise is where log(1+x) and 1 − exp(−x) still have all digits but one; the functions for smaller x take twice as long. Source: 1 − exp(−0.25) is 0.22, so that the
// difference loses two bits.
const precise = 0.25

// Validate says what is wrong with the parameters.
func (p *Params) Validate() error {
	var all []error
	positive := func(name, meaning string, v float64) {
		if !(v > 0) || math.IsInf(v, 0) {
			all = append(all, fmt.Errorf("%s is %g: %s must be above 0 and finite", name, v, meaning))
		}
	}
	if !(p.N >= 0) || math.IsInf(p.N, 0) {
		all = append(all, fmt.Errorf("n is %g: the number of threads must be at least 0 and finite", p.N))
	}
	positive("Z", "operations a request", p.Z)
	positive("E", "operations that a thread does at once", p.E)
	positive("M", "operations per cycle", p.M)
	positive("R", "requests per cycle", p.R)
	positive("L", "cycles of a request to memory", p.L)
	if c := p.Cache; c != nil {
		positive("cache latency", "cycles of a hit", c.Latency)
		if !(c.Size >= 0) || math.IsInf(c.Size, 0) {
			all = append(all, fmt.Errorf("cache size is %g: it must be at least 0 and finite", c.Size))
		}
		if c.Latency > p.L {
			all = append(all, fmt.Errorf("cache latency %g is above L, %g: a hit cannot take longer than memory", c.Latency, p.L))
		}
		if c.Hits == nil {
			positive("beta", "the size that locality is measured by", c.Beta)
			if !(c.Alpha >= 1) || math.IsInf(c.Alpha, 0) {
				all = append(all, fmt.Errorf("alpha is %g: it must be at least 1 and finite (1: no locality)", c.Alpha))
			}
		}
	}
	return errors.Join(all...)
}

// Supply is f(k): equation 5 with a cache, else min(k/L, R).
func (p *Params) Supply(k float64) float64 {
	if p.Cache == nil || p.Cache.Size == 0 {
		return min(max(k, 0)/p.L, p.R)
	}
	if k <= 0 {
		return 0
	}
	return p.supplyAt(k, p.Cache.HitRate(k))
}

// supplyAt is f(k) with a cache of which the hit rate at k is known.
func (p *Params) supplyAt(k, h float64) float64 {
	if k <= 0 {
		return 0
	}
	c := p.Cache
	if c.Printed {
		return k / (h*c.Latency + (1-h)*max(p.L, k/p.R))
	}
	unhindered := k / (h*c.Latency + (1-h)*p.L)
	if h >= 1 {
		return unhindered
	}
	return min(unhindered, p.R/(1-h))
}

// Compute is g(x), the operations per cycle of x threads.
func (p *Params) Compute(x float64) float64 { return min(p.E*max(x, 0), p.M) }

// Demand is g(x)/Z.
func (p *Params) Demand(x float64) float64 { return p.Compute(x) / p.Z }
