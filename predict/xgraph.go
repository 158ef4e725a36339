package predict

import (
	"context"
	"errors"
	"fmt"
	"math"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/threads"
	"foresee/model/timing"
	"foresee/model/xmodel"
)

// XProgram is the X-model's view of a program on a machine.
type XProgram struct {
	Region     string        `json:"region"`
	Params     xmodel.Params `json:"params"`
	Scale      xmodel.Scale  `json:"scale"`
	Operations float64       `json:"operations"` // of the whole run
	Requests   float64       `json:"requests"`   // lines that the private caches of one thread lack
	Alpha      float64       `json:"alpha"`      // of equation 3, fitted to the program's own hit rates; 0: no shared cache
	Beta       float64       `json:"beta"`       // bytes
	Misfit     float64       `json:"misfit"`     // largest difference of hit rates between the fit and the program's own, from 1 to n threads
	Warnings   []string      `json:"warnings"`
}

// XModel finds a program's parameters on a machine: operations are floating-point ones (or all, where there are none), a request is a
// line that a core's private caches lack. E is what a core does per cycle with what its private caches hold; L, and the latency
// of the shared cache, are what a line costs a core, with the overlap of misses that it finds; hits at k threads are those of the
// program's own, with k threads that share the last level.
func XModel(ctx context.Context, p *nest.Program, m *machine.Machine, count int, o Options) (*XProgram, error) {
	s := NewAnalysis(ctx, p, o)
	levels, err := s.hits(m, 1, o.HitModel)
	if err != nil {
		return nil, err
	}
	st, err := s.get(threads.Stream(1, levels[0].group, int64(m.Line(&m.Levels[0]))))
	if err != nil {
		return nil, err
	}
	x := &XProgram{Region: p.Region, Warnings: []string{}}
	last := len(levels) - 1
	shared := last > 0 && levels[last].level.SharedBy.Or(1) > 1
	inner := last
	if shared {
		inner--
	}
	at := levels
	if count > 1 {
		if at, err = s.hits(m, count, o.HitModel); err != nil {
			return nil, err
		}
	}
	x.Requests = at[inner].miss * float64(st.nest.Len())
	if x.Requests < 1 {
		return nil, fmt.Errorf("%s: the private caches of machine %s lack nothing: no request leaves the core, so that there is no balance to draw", p.Region, m.Name)
	}
	blocks, err := timing.Blocks(p)
	if err != nil {
		return nil, err
	}
	if x.Operations = operationsOf(blocks); x.Operations == 0 {
		return nil, fmt.Errorf("%s: no arithmetic operations to balance requests against", p.Region)
	}
	traffic := trafficOf(&Prediction{Accesses: st.nest.Len(), Threads: 1}, levels, nest.Balance{Imbalance: 1})
	in := timing.Input{Program: p, Blocks: blocks, Threads: 1, Imbalance: 1, Traffic: traffic[:inner]}
	near, err := timing.Overlap(in, m)
	if err != nil {
		return nil, err
	}
	ghz, ok := m.FrequencyGHz.Get()
	bandwidth, ok2 := m.Memory.BandwidthGBs.Get()
	if !ok || !ok2 {
		return nil, &timing.MissingError{Machine: m.Name, Paths: []string{"frequency_ghz", "memory.bandwidth_gbs"}}
	}
	line := float64(m.LineBytes.Or(64))
	x.Params = xmodel.Params{
		N: float64(count), Z: x.Operations / x.Requests, E: x.Operations / (near.Time * ghz * 1e9),
		M: float64(max(1, m.TotalCores())) * peak(m), R: bandwidth * float64(m.Sockets.Or(1)) / (line * ghz),
	}
	x.Scale = xmodel.Scale{GHz: ghz, RequestBytes: line, OpFlops: 1}
	request := together(traffic[inner:])
	request.Level = "memory"
	if x.Params.L, err = timing.LineCycles(m, request); err != nil {
		return nil, err
	}
	if shared {
		err = x.share(s, m, st, levels, request, count)
	}
	if n := m.TotalCores(); n > 0 && count > n {
		x.Warnings = append(x.Warnings, fmt.Sprintf("more threads than the %d cores of machine %s: as if each had a core of its own, up to what all lanes do", n, m.Name))
	}
	return x, errors.Join(err, x.Params.Validate())
}

// operationsOf counts floating-point operations, or all where there are none.
func operationsOf(blocks []*timing.Block) float64 {
	flops, all := 0.0, 0.0
	for _, b := range blocks {
		flops += b.Executions * b.Ops.Flops()
		for _, n := range b.Ops {
			all += b.Executions * n
		}
	}
	if flops > 0 {
		return flops
	}
	return all
}

// peak is the scalar floating-point operations that one core can do in a cycle.
func peak(m *machine.Machine) float64 {
	most := 1.0
	for kind, flops := range map[string]float64{machine.Add: 1, machine.Mul: 1, machine.FMA: 2} {
		if _, t, ok := m.Op(kind, machine.F64); ok && t.Or(0) > 0 {
			most = max(most, flops/t.Value)
		}
	}
	return most
}

// together is the requests that leave a core, wherever they are served: which they are depends on the threads.
func together(traffic []timing.Traffic) (out timing.Traffic) {
	for _, t := range traffic {
		out.Lines += t.Lines
		out.Sequential += t.Lines * t.Sequential
		for i, s := range t.Steps {
			out.Steps[i] += s
		}
	}
	if out.Lines > 0 {
		out.Sequential /= out.Lines
	}
	return out
}

// share puts the last level in front of memory. Hit rates are those of 1 to n threads that share it, data that they share included;
// what is larger or smaller than a share of theirs is that of one thread with so much cache.
func (x *XProgram) share(s *Analysis, m *machine.Machine, st *stream, levels []levelHits, request timing.Traffic, count int) error {
	last := len(levels) - 1
	l := levels[last].level
	size, _ := l.Capacity()
	request.Level = l.Name
	latency, err := timing.LineCycles(m, request)
	if err != nil {
		return err
	}
	line := float64(m.Line(l))
	lacked := levels[last-1].miss
	d := st.sampled.Distances
	alone := func(bytes float64) float64 {
		hit, _ := d.Expectation(func(value float64, _ int32) float64 {
			if value < bytes/line {
				return 1
			}
			return 0
		})
		return max(0, 1-(1-hit)/lacked)
	}
	instances := math.Ceil(float64(max(1, m.TotalCores())) / float64(l.SharedBy.Or(1)))
	if used := math.Ceil(float64(count) / float64(l.SharedBy.Or(1))); used < instances {
		instances = max(1, used)
	}
	whole := float64(size) * instances
	together := map[float64]float64{} // hit rate by threads
	var counts []float64
	for k := 1; ; k = min(2*k, count) {
		levels, err := s.hits(m, k, s.options.HitModel)
		if err != nil {
			return err
		}
		hit := 1.0
		if lacked := levels[last-1].miss; lacked > 0 {
			hit = max(0, 1-levels[last].miss/lacked)
		}
		together[float64(k)] = hit
		counts = append(counts, float64(k))
		if k == count {
			break
		}
	}
	hits := func(bytes float64) float64 {
		k := whole / bytes
		switch {
		case k <= 1:
			return max(alone(bytes), together[1])
		case k >= float64(count):
			return min(max(alone(bytes), together[float64(count)]*alone(bytes)/max(alone(whole/float64(count)), 1e-9)), together[float64(count)])
		}
		for i := 1; ; i++ {
			if low, high := counts[i-1], counts[i]; k <= high {
				part := math.Log(k/low) / math.Log(high/low)
				return together[low] + part*(together[high]-together[low])
			}
		}
	}
	x.Params.L = max(x.Params.L, latency)
	x.Params.Cache = &xmodel.Cache{Latency: latency, Size: whole, Hits: tabulated(hits, whole)}
	x.fit(count)
	x.Params.Cache.Alpha, x.Params.Cache.Beta = x.Alpha, x.Beta
	return nil
}

// Hit rates are kept at sizes evenly apart in their logarithms.
const (
	perOctave = 8
	octaves   = 24
)

// HitTable is a hit rate at the sizes that it is kept at, the last being most.
func HitTable(f func(float64) float64, most float64) []float64 {
	table := make([]float64, perOctave*octaves+1)
	for i := range table {
		table[i] = f(most * math.Exp2(float64(i)/perOctave-octaves))
		if i > 0 {
			table[i] = max(table[i-1], table[i])
		}
	}
	return table
}

// tabulated asks a function of size once at many sizes, and answers from these.
func tabulated(f func(float64) float64, most float64) func(float64) float64 {
	table := HitTable(f, most)
	return func(size float64) float64 {
		at := perOctave * math.Log2(size/(most/(1<<octaves)))
		switch i := int(math.Floor(at)); {
		case at <= 0:
			return table[0]
		case i >= len(table)-1:
			return table[len(table)-1]
		default:
			return table[i] + (at-float64(i))*(table[i+1]-table[i])
		}
	}
}

// fit sums up the hit rates of 1 to n threads by equation 3.
func (x *XProgram) fit(count int) {
	c := *x.Params.Cache
	own := x.Params.Cache
	worst := func(alpha, beta float64) float64 {
		c.Hits, c.Alpha, c.Beta = nil, alpha, beta
		most := 0.0
		for k := 1.0; k <= float64(max(count, 2)); k *= 1.25 {
			most = max(most, math.Abs(c.HitRate(k)-own.HitRate(k)))
		}
		return most
	}
	x.Misfit = math.Inf(1)
	for i := range 48 {
		for j := range 96 {
			alpha, beta := 1+0.01*math.Exp2(float64(i)/4), own.Size*math.Exp2(4-float64(j)/3)
			if w := worst(alpha, beta); w < x.Misfit {
				x.Misfit, x.Alpha, x.Beta = w, alpha, beta
			}
		}
	}
}
