package scaling

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Counters are what the published model takes of one kernel at one number of processes: means over the processes.
type Counters struct {
	Cycles, Instructions float64
	// Hits of each level, and accesses of memory.
	L1, L2, LLC, Memory float64
	// Stalls are cycles that wait for loads and stores.
	Stalls float64
}

// Latencies of the machine in cycles; the paper measures them with Intel's Memory Latency Checker.
type Latencies struct{ L1, L2, LLC, Memory float64 }

// Communication is what was measured of messages at one number of processes: means over the processes.
type Communication struct {
	PointToPoint, PointToPointBytes float64            // seconds and bytes
	Collectives                     map[string]Traffic // by function of MPI
}

// Traffic is the time and the bytes of all calls of a function.
type Traffic struct{ Seconds, Bytes float64 }

// seconds is the time of all messages.
func (c Communication) seconds() float64 {
	sum := c.PointToPoint
	for _, name := range slices.Sorted(maps.Keys(c.Collectives)) {
		sum += c.Collectives[name].Seconds
	}
	return sum
}

// Run is one measured run, for the published model.
type Run struct {
	P       float64 // processes
	Time    float64 // T_mapp: of the application, s
	Kernels map[string]Counters
	Comm    Communication
	Others  float64 // T_others: initialisation and finalisation, s
}

// APMT is the published model, equation 2:
//
//	T_app = Σᵢ (T_compᵢ + BF_memᵢ·T_memᵢ) + BF_comm·T_comm + T_others
//
// with T_comp = instructions·CPI, T_mem the hits of each level times its latency, BF_mem = T_stall/T_mem (equation 3), BF_comm =
// (T_mapp − T_mcomp)/T_mcomm, point-to-point a·s + b, collectives a·log₂ P + b·s + c. Counters and volumes are a [Function] of P or of D/P.
//
// Reading. CPI "refers to the computation time and computation cycles only", so it is (cycles − stalls)/instructions: with equation 3 a
// kernel's time is then its measured cycles. CPI is the mean over the runs; Deviation is equation 4, a variance in spite of its name.
type APMT struct {
	GHz       float64
	Latencies Latencies
	Kernels   []APMTKernel
	BFComm    float64
	P2P       Function // a·s + b over the volume: form "linear"
	P2PBytes  *Function
	// Collectives are T_collective, of each function of MPI by itself.
	Collectives []APMTCollective
	Others      *Function
	comm        bool
}

// APMTCollective is the time of all calls of one collective function, over P and the volume.
type APMTCollective struct {
	Name  string
	Time  Collective
	Bytes *Function
}

// APMTKernel is a kernel's functions of x.
type APMTKernel struct {
	Name                                      string
	CPI, Deviation                            float64
	Instructions, L1, L2, LLC, Memory, Stalls *Function
	// Contention is E = LLC misses over memory accesses in the largest measured run; above 1e-4 the paper holds other problem sizes for
	// out of reach. Misses of the last level are taken as accesses of memory, all accesses as the sum over the levels.
	Contention float64
}

// ErrCounters is what FitAPMT returns where counters that equation 2 needs were not measured.
var ErrCounters = errors.New("the published model needs cycles, instructions, hits of every level and stalls of each kernel")

// FitAPMT fits runs at different numbers of processes; work is x as a function of P: P itself, or D/P.
func FitAPMT(runs []Run, kernels []string, ghz float64, latencies Latencies, work func(p float64) float64) (*APMT, error) {
	if len(runs) < 3 {
		return nil, fmt.Errorf("%w: the published model needs three runs, there are %d", ErrTooFew, len(runs))
	}
	if !(ghz > 0) {
		return nil, errors.New("the published model needs the clock, to turn cycles into seconds")
	}
	m := &APMT{GHz: ghz, Latencies: latencies}
	x := make([]float64, len(runs))
	for i, r := range runs {
		x[i] = work(r.P)
	}
	for _, name := range kernels {
		k, err := fitKernel(runs, name, x)
		if err != nil {
			return nil, err
		}
		m.Kernels = append(m.Kernels, *k)
	}
	others, err := FitFunction(x, each(runs, func(r Run) float64 { return r.Others }))
	if err != nil {
		return nil, err
	}
	m.Others = others
	return m, m.fitMessages(runs, x)
}

// each is one value of every run.
func each(runs []Run, value func(Run) float64) []float64 {
	out := make([]float64, len(runs))
	for i, r := range runs {
		out[i] = value(r)
	}
	return out
}

// fitKernel fits the counters of one kernel to x, the work of a process in each run.
func fitKernel(runs []Run, name string, x []float64) (*APMTKernel, error) {
	k := &APMTKernel{Name: name}
	var cpi []float64
	largest := 0.0
	for _, r := range runs {
		c, ok := r.Kernels[name]
		if !ok || !(c.Cycles > 0) || !(c.Instructions > 0) || math.IsNaN(c.L1+c.L2+c.LLC+c.Memory+c.Stalls) {
			return nil, fmt.Errorf("%s at P = %g: %w", name, r.P, ErrCounters)
		}
		cpi = append(cpi, (c.Cycles-c.Stalls)/c.Instructions)
		if r.P > largest {
			largest, k.Contention = r.P, c.Memory/(c.L1+c.L2+c.LLC+c.Memory)
		}
	}
	k.CPI = mean(cpi)
	for _, v := range cpi {
		k.Deviation += (v - k.CPI) * (v - k.CPI) / float64(len(cpi)-1)
	}
	for _, f := range []struct {
		to    **Function
		value func(Counters) float64
	}{
		{&k.Instructions, func(c Counters) float64 { return c.Instructions }},
		{&k.L1, func(c Counters) float64 { return c.L1 }},
		{&k.L2, func(c Counters) float64 { return c.L2 }},
		{&k.LLC, func(c Counters) float64 { return c.LLC }},
		{&k.Memory, func(c Counters) float64 { return c.Memory }},
		{&k.Stalls, func(c Counters) float64 { return c.Stalls }},
	} {
		fitted, err := FitFunction(x, each(runs, func(r Run) float64 { return f.value(r.Kernels[name]) }))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		*f.to = fitted
	}
	return k, nil
}

// fitMessages finds the functions of volumes and times of messages, and BF_comm.
func (m *APMT) fitMessages(runs []Run, x []float64) (err error) {
	if m.P2PBytes, err = FitFunction(x, each(runs, func(r Run) float64 { return r.Comm.PointToPointBytes })); err != nil {
		return err
	}
	var volumes, times []float64
	var blocked, talking float64
	for _, r := range runs {
		volumes, times = append(volumes, r.Comm.PointToPointBytes), append(times, r.Comm.PointToPoint)
		if spent := r.Comm.seconds(); spent > 0 {
			computing := r.Others
			for _, k := range m.Kernels {
				computing += r.Kernels[k.Name].Cycles / (m.GHz * 1e9)
			}
			m.comm, blocked, talking = true, blocked+(r.Time-computing)/spent, talking+1
		}
	}
	m.BFComm = max(blocked/max(talking, 1), 0)
	m.P2P = Function{Form: "constant", Coefficients: []float64{mean(times)}}
	if f := fitBasis("linear", volumes, times, func(v float64) []float64 { return []float64{1, v} }); f != nil {
		f.judge(volumes, times)
		m.P2P = *f
	}
	return m.fitCollectives(runs, x)
}

// fitCollectives fits each collective function by itself: an allreduce and an all-to-all have nothing in common but their form.
func (m *APMT) fitCollectives(runs []Run, x []float64) error {
	names := map[string]bool{}
	for _, r := range runs {
		for name, c := range r.Comm.Collectives {
			names[name] = names[name] || c.Seconds > 0
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if !names[name] {
			continue
		}
		one := APMTCollective{Name: name}
		var p, s, t []float64
		for _, r := range runs {
			if c := r.Comm.Collectives[name]; c.Seconds > 0 {
				p, s, t = append(p, r.P), append(s, c.Bytes), append(t, c.Seconds)
			}
		}
		var err error
		if one.Time, err = FitCollective(p, s, t); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if one.Bytes, err = FitFunction(x, each(runs, func(r Run) float64 { return r.Comm.Collectives[name].Bytes })); err != nil {
			return err
		}
		m.Collectives = append(m.Collectives, one)
	}
	return nil
}

// Breakdown is the parts of a predicted time, in s.
type Breakdown struct {
	Compute, Memory, PointToPoint, Collective, Rest float64
}

// Total is their sum.
func (b Breakdown) Total() float64 {
	return b.Compute + b.Memory + b.PointToPoint + b.Collective + b.Rest
}

// Kernel is one kernel's T_comp and BF_mem·T_mem at x, in s. What falls below zero, as polynomials do outside of their points, is zero.
func (m *APMT) Kernel(k *APMTKernel, x float64) (compute, memory float64) {
	seconds := 1 / (m.GHz * 1e9)
	return max(k.Instructions.at(x)*k.CPI, 0) * seconds, max(k.BFMem(m.Latencies, x)*k.TMem(m.Latencies, x), 0) * seconds
}

// TMem is the cycles of all accesses one after another: hits times latencies. The paper counts no concurrency.
func (k *APMTKernel) TMem(l Latencies, x float64) float64 {
	return k.L1.at(x)*l.L1 + k.L2.at(x)*l.L2 + k.LLC.at(x)*l.LLC + k.Memory.at(x)*l.Memory
}

// BFMem is equation 3, the part of T_mem that computing does not hide.
func (k *APMTKernel) BFMem(l Latencies, x float64) float64 {
	t := k.TMem(l, x)
	if t <= 0 {
		return 0
	}
	return k.Stalls.at(x) / t
}

// Predict is equation 2 at P processes; x is the same function of P that the fit had. For a larger problem x is its work per process, small the
// measured problem's at the same P, and volume the factor by which its messages grow (the paper takes the ratio of edges); of the
// measured problem small is x and volume 1.
func (m *APMT) Predict(p, x, small, volume float64) Breakdown {
	var b Breakdown
	for i := range m.Kernels {
		c, t := m.Kernel(&m.Kernels[i], x)
		b.Compute, b.Memory = b.Compute+c, b.Memory+t
	}
	if m.comm {
		b.PointToPoint = m.BFComm * max(m.P2P.at(volume*m.P2PBytes.at(small)), 0)
		for _, c := range m.Collectives {
			b.Collective += m.BFComm * max(c.Time.Time(p, volume*c.Bytes.at(small)), 0)
		}
	}
	b.Rest = max(m.Others.at(x), 0)
	return b
}

// LargerProblem says whether the paper trusts a larger problem from these runs: E ≤ 1e-4 for every kernel (section 4.2).
func (m *APMT) LargerProblem() error {
	for _, k := range m.Kernels {
		if k.Contention > 1e-4 {
			return fmt.Errorf("%s: %.2g of its accesses go to memory, more than 1e-4; measure at numbers of processes where the caches hold less of the problem", k.Name, k.Contention)
		}
	}
	return nil
}

// NRMSE is equation 1: how far shares of the time that were sampled are from those that were instrumented, each weighed with its share, over the range
// of all. Both have an entry for each kernel.
func NRMSE(sampled, instrumented []float64) float64 {
	least, most, sum := math.Inf(1), math.Inf(-1), 0.0
	for i, t := range sampled {
		r := instrumented[i]
		sum += t * (t - r) * (t - r)
		least, most = min(least, t, r), max(most, t, r)
	}
	if !(most > least) {
		return 0
	}
	return math.Sqrt(sum) / (most - least)
}
