package timing

import (
	"math"

	"foresee/application/nest"
	"foresee/machine"
)

// PPTInput is what the model of PPT-Multicore needs besides the machine.
type PPTInput struct {
	Blocks   []*Block
	Threads  int
	HitRates []float64 // cumulative, by level
	Bytes    float64   // loaded and stored by the program: total_mem
	Word     float64   // bytes of one access: the block size b
	Stride   float64   // bytes between successive accesses: word and gap, b + v
}

// PPTOptions choose between the cases that the paper gives.
type PPTOptions struct {
	NonContiguous bool // section 3.4.2 instead of 3.4.1
	LatencyBound  bool // T_CPU from latencies instead of throughputs
}

// PPT predicts the run time as PPT-Multicore does (eq. 4): T_mem + T_CPU. Both are of one core; the work is
// dealt evenly, so that T_mem, like T_CPU, is divided by the number of threads.
//
// Readings taken where the text leaves a choice: in eqs. 6 and 7 the P_Li are the local hit rates, since only
// then do the weights of the nested sum add up to one and does a level that catches nothing drop out; the
// program's hit rates are cumulative and are converted. The cases of T_CPU lose their "− 1" terms where there are
// no divisions, so that no count is negative. In section 3.4.2, C is the line and S the size of the last level.
func PPT(in PPTInput, m *machine.Machine, o PPTOptions) (*Estimate, error) {
	c := NewCosts(m)
	latency, throughput := c.averages(in.HitRates)
	b := in.Word
	if o.NonContiguous {
		b = c.blockSize(in.Stride)
	}
	b = math.Max(b, 1)
	memory := (latency + (b-1)*throughput) / b * in.Bytes / float64(in.Threads)
	if err := c.Missing(); err != nil {
		return nil, err
	}
	cpu := c.cpu(in.Blocks, in.Threads, o.LatencyBound)
	if err := c.Missing(); err != nil {
		return nil, err
	}
	e := &Estimate{Bound: "memory"}
	var err error
	if e.Memory, err = m.Seconds(memory); err != nil {
		return nil, err
	}
	if e.Compute, err = m.Seconds(cpu); err != nil {
		return nil, err
	}
	e.Time = e.Memory + e.Compute
	e.Low, e.High = e.Time, e.Time
	if e.Compute > e.Memory {
		e.Bound = "compute"
	}
	return e, nil
}

// averages are δ_avg and β_avg, in cycles (eqs. 6 and 7).
func (c *Costs) averages(cumulative []float64) (latency, throughput float64) {
	reached := 1.0 // share of accesses that come this far
	above := 0.0
	for i, l := range c.m.Levels {
		if i >= len(cumulative) {
			break
		}
		served := math.Max(cumulative[i]-above, 0)
		path := "levels." + l.Name
		latency += served * need(c, l.LatencyCycles, path+".latency_cycles")
		throughput += served * need(c, l.ReciprocalThroughput, path+".reciprocal_throughput")
		above = math.Max(above, cumulative[i])
		reached = 1 - above
	}
	ns := need(c, c.m.Memory.LatencyNs, "memory.latency_ns")
	cycles, _ := c.m.Cycles(ns)
	latency += reached * cycles
	throughput += reached * need(c, c.m.Memory.ReciprocalThroughput, "memory.reciprocal_throughput")
	return latency, throughput
}

// blockSize is b_new of section 3.4.2.
func (c *Costs) blockSize(b float64) float64 {
	line := c.lineBytes()
	last := math.Inf(1)
	if n := len(c.m.Levels); n > 0 {
		if s, ok := c.m.Levels[n-1].Size.Get(); ok {
			last = float64(s)
		}
	}
	switch {
	case b <= line:
		return line
	case b >= last:
		return last
	}
	return math.Ceil(b/line) * line
}

// cpu is T_CPU in cycles: divisions (and roots, which use the divider) apart from the other operations.
func (c *Costs) cpu(blocks []*Block, threads int, latencyBound bool) float64 {
	var others, divs, otherLatency, otherThroughput, divLatency, divThroughput float64
	for _, b := range blocks {
		for _, k := range b.Ops.keys() {
			n := b.Ops[k] * b.Executions / float64(threads)
			cost := c.Of(k)
			if k.Kind == nest.Div || k.Kind == nest.Sqrt {
				divs += n
				divLatency += n * cost.Latency
				divThroughput += n * cost.Throughput
				continue
			}
			others += n
			otherLatency += n * cost.Latency
			otherThroughput += n * cost.Throughput
		}
	}
	mean := func(sum, n float64) float64 { return sum / math.Max(n, 1e-300) }
	dIn, bIn := mean(otherLatency, others), mean(otherThroughput, others)
	dDiv, bDiv := mean(divLatency, divs), mean(divThroughput, divs)
	if latencyBound {
		return math.Max(others-1, 0)*dIn + math.Max(divs-1, 0)*dDiv
	}
	cycles := 0.0
	if others > 0 {
		cycles += dIn + math.Max(others-1, 0)*bIn
	}
	if divs > 0 {
		cycles += dDiv + math.Max(divs-1, 0)*bDiv
	}
	return cycles
}
