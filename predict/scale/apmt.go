package scale

import (
	"fmt"
	"math"

	"foresee/application/counters"
	"foresee/model/scaling"
)

// APMTModel is the published model's parts, as its table 2 and figures 4 to 7 have them.
type APMTModel struct {
	Work         string           `json:"work" jsonschema:"the variable of the functions"`
	BFComm       float64          `json:"bf_comm" jsonschema:"the part of the time of messages that computing does not hide"`
	NRMSE        *float64         `json:"nrmse,omitempty" jsonschema:"equation 1, of the kernels' shares by cycles against those by time, where both were measured"`
	Kernels      []APMTKernel     `json:"kernels"`
	PointToPoint string           `json:"point_to_point" jsonschema:"seconds, of the volume s in bytes"`
	Collectives  []APMTCollective `json:"collectives,omitempty"`
}

// APMTKernel is what the model knows of a critical kernel.
type APMTKernel struct {
	Name         string     `json:"name"`
	CPI          float64    `json:"cpi" jsonschema:"cycles without stalls for each instruction, the mean of the runs"`
	Deviation    float64    `json:"cpi_deviation" jsonschema:"equation 4, a variance"`
	BFMem        []Blocking `json:"bf_mem" jsonschema:"equation 3 at each point asked for"`
	Contention   float64    `json:"contention" jsonschema:"accesses of memory over all, in the largest run: above 1e-4 the paper does not reach larger problems"`
	Instructions string     `json:"instructions" jsonschema:"this and the others are functions of the work"`
	L1           string     `json:"l1_hits"`
	L2           string     `json:"l2_hits"`
	LLC          string     `json:"llc_hits"`
	Memory       string     `json:"memory"`
	Stalls       string     `json:"stalls"`
}

// Blocking is the part of the time of memory that computing does not hide.
type Blocking struct {
	Params map[string]float64 `json:"params"`
	Value  float64            `json:"value"`
}

// APMTCollective is the time of all calls of a collective function.
type APMTCollective struct {
	Name  string `json:"name"`
	Time  string `json:"time" jsonschema:"seconds, of P and of the volume s in bytes"`
	Bytes string `json:"bytes" jsonschema:"the volume, a function of the work"`
}

// describeAPMT is the model's parts in words.
func (s *study) describeAPMT(m *scaling.APMT, points [][]float64) *APMTModel {
	x := s.workName()
	out := &APMTModel{Work: x, BFComm: m.BFComm, NRMSE: s.nrmse(), PointToPoint: m.P2P.In("s"), Kernels: []APMTKernel{}}
	for i := range m.Kernels {
		k := &m.Kernels[i]
		one := APMTKernel{
			Name: k.Name, CPI: k.CPI, Deviation: k.Deviation, Contention: k.Contention, BFMem: []Blocking{},
			Instructions: k.Instructions.In(x), L1: k.L1.In(x), L2: k.L2.In(x), LLC: k.LLC.In(x), Memory: k.Memory.In(x), Stalls: k.Stalls.In(x),
		}
		for _, at := range points {
			one.BFMem = append(one.BFMem, Blocking{Params: named(s.set.Parameters, at), Value: max(k.BFMem(m.Latencies, s.work(at)), 0)})
		}
		out.Kernels = append(out.Kernels, one)
	}
	for _, c := range m.Collectives {
		out.Collectives = append(out.Collectives, APMTCollective{
			Name: c.Name, Time: fmt.Sprintf("%.4g·log₂(P) + %.4g·s + %.4g", c.Time.A, c.Time.B, c.Time.C), Bytes: c.Bytes.In(x),
		})
	}
	return out
}

// nrmse is equation 1 at the smallest measured point, where kernels have cycles, which are sampled, and times, which are instrumented.
func (s *study) nrmse() *float64 {
	at := s.measured()[0]
	var sampled, instrumented []float64
	var cycles, seconds float64
	for _, k := range s.kernels {
		c, t := s.at(k.Name, "cycles", at), s.at(k.Name, "time", at)
		if k.Name == scaling.Rest || math.IsNaN(c) || math.IsNaN(t) || k.Name == counters.WholeRun {
			continue
		}
		sampled, instrumented = append(sampled, c), append(instrumented, t)
		cycles, seconds = cycles+c, seconds+t
	}
	if len(sampled) < 2 || !(cycles > 0) || !(seconds > 0) {
		return nil
	}
	for i := range sampled {
		sampled[i], instrumented[i] = sampled[i]/cycles, instrumented[i]/seconds
	}
	v := scaling.NRMSE(sampled, instrumented)
	return &v
}
