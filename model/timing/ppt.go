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
	HitRates []float64 // cumulative, by level: of all accesses, those that this level or one inside it holds
	Bytes    float64   // loaded and stored by the program: total_mem
	Stride   float64   // mean bytes from one access to the next: word and gap, b + v
}

// PPTOptions choose between the cases that the paper gives.
type PPTOptions struct {
	NonContiguous bool // section 3.4.2 instead of 3.4.1
	LatencyBound  bool // T_CPU from latencies instead of throughputs
}

// PPTWord is the word of eq. 5, the width of the data bus, in bytes: the block size b of section 3.4.1, and what an access moves. Source:
// block_size in the authors' program (github.com/lanl/PPT, code/hardware), the same for all machines and types of data there.
const PPTWord = 8

// PPT predicts the run time as PPT-Multicore does (Barai et al., eq. 4): T_mem + T_CPU. Both are of one core; the work is dealt evenly, so that
// T_mem, like T_CPU, is divided by the number of threads.
//
// Eq. 5 as it is read here, with units:
//
//	T_mem = (δ + (b − 1) β) / b × total_mem / 8 B     in cycles
//
// δ is cycles from load to use, β cycles for each word of 8 bytes that follows, so that the quotient is the mean of b words in a row, of which
// the first waits: cycles a word. The printed equation multiplies it by total_mem in bytes, of which each would cost as much as a word, and
// leaves open what β is of. The authors' program decides (github.com/lanl/PPT, code/hardware/phitsmodel_processors.py, processors_new.py): b is 8; β
// of a level is the cycles of a line over the 8 words in it, and in L1 those of an access; and all of its machines but one divide by 8, "because
// cycles_per_byte is cycles_per_mem_access". Of the readings tried, this one alone, with the accesses of unoptimised code that the paper traced,
// is of the size of the paper's times too and has the program behind it; docs/models/timing.md has the table, with what it leaves open.
//
// P_Li in eqs. 6 and 7 are the hit rates of eq. 3, "of the entire program", as the paper's table 6 counts them and its program takes them:
// cumulative ones. Their nested weights add up to one for any rates, but they are not shares: a level that catches nothing
// more than the one inside is charged (1 − P_L1) P_L2 all the same, and memory serves the product of the miss rates, which is too little.
//
// The cases of T_CPU lose their "− 1" terms where there are no divisions, so that no count is negative. In section 3.4.2, C is the line and S
// the size of the last level, in bytes like b.
//
// Limits: with all accesses in L1, a word costs (latency + 7 × reciprocal throughput) / 8 of L1; from memory alone, where nothing hits, the
// same of memory, its reciprocal throughput for a line over the words of a line; as b grows the cost of a word comes down to β.
func PPT(in PPTInput, m *machine.Machine, o PPTOptions) (*Estimate, error) {
	c := NewCosts(m)
	latency, throughput := c.averages(in.HitRates)
	b := float64(PPTWord)
	if o.NonContiguous {
		b = c.blockSize(in.Stride)
	}
	memory := (latency + (b-1)*throughput) / b * in.Bytes / PPTWord / float64(in.Threads)
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

// averages are δ_avg, in cycles, and β_avg, in cycles a word (eqs. 6 and 7).
func (c *Costs) averages(hitRates []float64) (latency, throughput float64) {
	reached := 1.0 // the product of the miss rates of the levels inside
	for i := range min(len(c.m.Levels), len(hitRates)) {
		l := &c.m.Levels[i]
		path, served := "levels."+l.Name, reached*hitRates[i]
		words := 1.0 // that a reciprocal throughput is of: in L1 one access, beyond it a line
		if line := c.m.Line(l); i > 0 && line > 0 {
			words = float64(line) / PPTWord
		}
		latency += served * need(c, l.LatencyCycles, path+".latency_cycles")
		throughput += served * need(c, l.ReciprocalThroughput, path+".reciprocal_throughput") / words
		reached *= 1 - hitRates[i]
	}
	ns := need(c, c.m.Memory.LatencyNs, "memory.latency_ns")
	cycles, _ := c.m.Cycles(ns) // without a frequency there are no seconds either, which is said there
	latency += reached * cycles
	throughput += reached * need(c, c.m.Memory.ReciprocalThroughput, "memory.reciprocal_throughput") * PPTWord / c.lineBytes()
	return latency, throughput
}

// blockSize is b_new of section 3.4.2, in bytes: whole lines, one at least, as many as the last level holds at most.
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
