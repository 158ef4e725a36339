package predict

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"foresee/application"
	"foresee/application/recording"
	"foresee/machine"
	"foresee/model/reuse"
	"foresee/model/timing"
	"foresee/model/xmodel"
)

// XProgram is the X-model's view of a program on a machine.
type XProgram struct {
	Region     string        `json:"region"`
	Params     xmodel.Params `json:"params"`
	Scale      xmodel.Scale  `json:"scale"`
	Operations float64       `json:"operations"` // of the whole run
	Cores      int           `json:"cores"`      // of the machine; 0: not known
	Requests   float64       `json:"requests"`   // lines that the private caches of one thread lack
	Alpha      float64       `json:"alpha"`      // of equation 3, fitted to the program's own hit rates; 0: no shared cache
	Beta       float64       `json:"beta"`       // bytes
	// PredictedGFlops is what the model of time predicts for the region, in GFLOP/s; absent where there is no time.
	PredictedGFlops float64  `json:"predicted_gflops,omitempty"`
	Misfit          float64  `json:"misfit"` // largest difference of hit rates between the fit and the program's own, from 1 to n threads
	Warnings        []string `json:"warnings"`
}

// XRequest asks for the X-model's view of one region.
type XRequest struct {
	Signature *application.Signature
	Regions   []string // the one that is meant, where there are several
	Machine   *machine.Machine
	Threads   int
	Options   Options
	Partial   bool // of a recording that is cut off, what is whole is drawn
	// Balanced says that who asks knows operations a request and operations a cycle (Z and E): those of the program are not needed, and
	// are not given where there are none.
	Balanced bool
}

// NoOperationsError is a program without operations that memory could be balanced against.
type NoOperationsError struct {
	Region string
	Why    string
}

func (e *NoOperationsError) Error() string { return e.Region + ": " + e.Why }

// SeveralRegionsError is a signature of several regions, of which the X-model draws one.
type SeveralRegionsError struct {
	Name    string
	Regions []string
}

func (e *SeveralRegionsError) Error() string {
	return fmt.Sprintf("%s has several regions (%s), and one is drawn", e.Name, strings.Join(e.Regions, ", "))
}

// XModel finds a program's parameters on a machine: operations are floating-point ones (or all, where there are none), a request is a
// line that a core's private caches lack. E is what a core does per cycle with what its private caches hold; L, and the latency
// of the shared cache, are what a line costs a core, with the overlap of misses that it finds; hits at k threads are those of the
// program's own, with k threads that share the last level.
func XModel(ctx context.Context, x XRequest) (*XProgram, error) {
	r := Request{Signature: x.Signature, Machines: []*machine.Machine{x.Machine}, Threads: XThreads(x.Threads), Model: ModelOverlap, Options: x.Options, distances: true}
	var err error
	if r.Options, err = r.Options.of(x.Signature); err != nil {
		return nil, err
	}
	said := &PredictionResult{}
	var all []demands
	cut := r.demands(ctx, said, func(d demands) error {
		all = append(all, d)
		return nil
	})
	if cut != nil && !(x.Partial && errors.Is(cut, recording.ErrCut)) {
		return nil, cut
	}
	if len(all) == 0 {
		return nil, cmp.Or(cut, ErrNoRegions)
	}
	if all, err = application.OfRegions(x.Regions, all, demands.region); err != nil {
		return nil, err
	}
	if len(all) == 1 {
		p, err := x.balance(all[0])
		if p != nil {
			if timed, err := r.predict(all[0], x.Threads); err == nil && timed != nil && timed.TimeS != nil {
				p.PredictedGFlops = float64(timed.Flops) / *timed.TimeS / 1e9
			}
			p.Warnings = append(p.Warnings, said.Warnings...)
		}
		return p, cmp.Or(err, cut)
	}
	e := &SeveralRegionsError{Name: x.Signature.Name}
	for _, d := range all {
		e.Regions = append(e.Regions, d.region())
	}
	return nil, e
}

// ErrNoRegions is a run in which no region made accesses.
var ErrNoRegions = errors.New("no region made accesses")

// XThreads are the numbers of threads that the X-model of a number of them is put together from: 1, 2, 4 and so on to a number, which is the last.
func XThreads(most int) (out []int) {
	for k := 1; k < most; k *= 2 {
		out = append(out, k)
	}
	return append(out, most)
}

// balance sets what the region's threads ask for against what the machine supplies.
func (x *XRequest) balance(d demands) (*XProgram, error) {
	m := x.Machine
	one, err := d.of(1)
	if err != nil {
		return nil, err
	}
	at, err := d.of(x.Threads)
	if err != nil {
		return nil, err
	}
	switch {
	case one == nil || at == nil:
		return nil, fmt.Errorf("%s: the balance is drawn from the accesses of one thread and of more, and these are of one number of threads", d.region())
	case one.unknown != nil && (one.input == nil || !x.Balanced):
		return nil, &NoOperationsError{d.region(), "no balance: " + one.unknown.Error()}
	case one.accesses == 0:
		return nil, errors.New(noAccesses)
	}
	out := &XProgram{Region: d.region(), Cores: m.TotalCores(), Warnings: []string{}}
	last := len(one.hits) - 1
	shared := last > 0 && m.Levels[last].SharedBy.Or(1) > 1
	inner := last
	if shared {
		inner--
	}
	if out.Requests = (1 - at.hits[inner].HitRate) * float64(one.accesses); out.Requests < 1 {
		return nil, fmt.Errorf("%s: the private caches of machine %s lack nothing: no request leaves the core, so that there is no balance to draw", d.region(), m.Name)
	}
	in, err := one.input(ModelOverlap)
	if err != nil {
		return nil, err
	}
	if out.Operations = operationsOf(in.Blocks); out.Operations == 0 && !x.Balanced {
		return nil, &NoOperationsError{d.region(), "no arithmetic operations to balance requests against"}
	}
	request := leavingCore(in.Traffic[inner:])
	if err := out.machine(m, in, inner, x.Threads); err != nil {
		return nil, err
	}
	request.Level = "memory"
	if out.Params.L, err = timing.LineCycles(m, request); err != nil {
		return nil, err
	}
	if shared {
		err = out.shareLastLevel(m, d, request, x.Threads)
	}
	if n := m.TotalCores(); n > 0 && x.Threads > n {
		out.Warnings = append(out.Warnings, fmt.Sprintf("more threads than the %d cores of machine %s: as if each had a core of its own, up to what all lanes do", n, m.Name))
	}
	if out.Operations == 0 {
		return out, err
	}
	return out, errors.Join(err, out.Params.Validate())
}

// machine fills in what the machine supplies: in is the work of one thread, whose traffic up to the level inner its core's own caches serve.
func (x *XProgram) machine(m *machine.Machine, in timing.Input, inner, count int) error {
	in.Regions, in.Barriers, in.Traffic = 0, 0, in.Traffic[:inner]
	ghz, ok := m.FrequencyGHz.Get()
	bandwidth, ok2 := m.Memory.BandwidthGBs.Get()
	if !ok || !ok2 {
		return &timing.MissingError{Machine: m.Name, Paths: []string{"frequency_ghz", "memory.bandwidth_gbs"}}
	}
	line := float64(m.LineBytes.Or(64))
	x.Params = xmodel.Params{N: float64(count), M: float64(max(1, m.TotalCores())) * peak(m), R: bandwidth * float64(m.Sockets.Or(1)) / (line * ghz)}
	x.Scale = xmodel.Scale{GHz: ghz, RequestBytes: line, OpFlops: 1}
	if x.Operations == 0 {
		return nil
	}
	near, err := timing.Overlap(in, m)
	if err != nil {
		return err
	}
	x.Params.Z, x.Params.E = x.Operations/x.Requests, x.Operations/(near.Time*ghz*1e9)
	return nil
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

// leavingCore is the requests that leave a core, wherever they are served: which they are depends on the threads.
func leavingCore(traffic []timing.Traffic) (out timing.Traffic) {
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

// shareLastLevel puts the last level in front of memory. Hit rates are those of 1 to n threads that share it, data that they share included;
// what is larger or smaller than a share of theirs is that of one thread with so much cache.
func (x *XProgram) shareLastLevel(m *machine.Machine, d demands, request timing.Traffic, count int) error {
	last := len(m.Levels) - 1
	l := &m.Levels[last]
	size, _ := l.Capacity()
	request.Level = l.Name
	latency, err := timing.LineCycles(m, request)
	if err != nil {
		return err
	}
	s, err := sharingOf(d, last, count)
	if err != nil {
		return err
	}
	one, err := d.of(1)
	if err != nil {
		return err
	}
	distances, err := d.distances()
	if err != nil {
		return err
	}
	s.Bytes = float64(size) * instancesUsed(m, l, count)
	s.Alone = aloneWith(distances, float64(m.Line(l)), 1-one.hits[last-1].HitRate)
	x.Params.L = max(x.Params.L, latency)
	x.Params.Cache = &xmodel.Cache{Latency: latency, Size: s.Bytes, Hits: xmodel.Tabulated(s.HitRate, s.Bytes)}
	x.Alpha, x.Beta, x.Misfit = xmodel.FitHitRate(x.Params.Cache, count)
	x.Params.Cache.Alpha, x.Params.Cache.Beta = x.Alpha, x.Beta
	return nil
}

// instancesUsed is how many caches of a level that many threads use.
func instancesUsed(m *machine.Machine, l *machine.Level, count int) float64 {
	instances := math.Ceil(float64(max(1, m.TotalCores())) / float64(l.SharedBy.Or(1)))
	if used := math.Ceil(float64(count) / float64(l.SharedBy.Or(1))); used < instances {
		instances = max(1, used)
	}
	return instances
}

// aloneWith is the hit rate of one thread, of the requests that its private caches lack, with so many bytes of a fully associative cache.
func aloneWith(d *reuse.Distribution, line, lacked float64) func(bytes float64) float64 {
	hits := d.HitCurve()
	return func(bytes float64) float64 { return max(0, 1-(1-hits(bytes/line))/lacked) }
}

// sharingOf is the hit rates of a level with 1 to count threads, of the requests that come to it.
func sharingOf(d demands, level, count int) (*xmodel.Sharing, error) {
	s := &xmodel.Sharing{}
	for _, k := range XThreads(count) {
		at, err := d.of(k)
		if err != nil {
			return nil, err
		}
		hit := 1.0
		if lacked := 1 - at.hits[level-1].HitRate; lacked > 0 {
			hit = max(0, 1-(1-at.hits[level].HitRate)/lacked)
		}
		s.Threads, s.HitRates = append(s.Threads, float64(k)), append(s.HitRates, hit)
	}
	return s, nil
}

// SharedBytes is the size of the last level of a machine over all of its instances that many threads use, and whether cores share it.
func SharedBytes(m *machine.Machine, threads int) (bytes float64, shared bool) {
	last := len(m.Levels) - 1
	if last < 1 || m.Levels[last].SharedBy.Or(1) < 2 {
		return 0, false
	}
	size, known := m.Levels[last].Capacity()
	return float64(size) * instancesUsed(m, &m.Levels[last], threads), known
}

// WithSharedBytes is a machine whose last level has another size: so many bytes over all of its instances that many threads use, in whole sets.
func WithSharedBytes(m *machine.Machine, threads int, bytes float64) (*machine.Machine, error) {
	out := *m
	out.Levels = append([]machine.Level{}, m.Levels...)
	l := &out.Levels[len(out.Levels)-1]
	set := float64(m.Line(l) * l.Ways.Or(1))
	size := math.Floor(bytes/instancesUsed(m, l, threads)/set) * set
	if !(size >= set) || size > 1<<50 {
		return nil, fmt.Errorf("a cache of %g bytes is no whole set of %s, of %g bytes, or too large", bytes, l.Name, set)
	}
	l.Size, l.EffectiveSize = &machine.Value[machine.Size]{Value: machine.Size(size), Source: "asked for"}, nil
	return &out, nil
}

// XSchema is that of foresee xgraph.
const XSchema = "foresee.xgraph/v1"

// XResult is the result of foresee xgraph.
type XResult struct {
	Header
	Title       string             `json:"title"`
	Source      string             `json:"source"` // of the machine's parameters
	Program     *XProgram          `json:"program,omitempty"`
	Params      xmodel.Params      `json:"params"`
	Scale       xmodel.Scale       `json:"scale"`
	Points      xmodel.Points      `json:"points"`
	Sensitivity xmodel.Sensitivity `json:"sensitivity"`
	States      []XState           `json:"states"`
	Parallelism xmodel.Parallelism `json:"parallelism"`
	Loss        *xmodel.Loss       `json:"loss,omitempty"`
	BestThreads int                `json:"best_threads"` // of those that the machine has
	BestGain    float64            `json:"best_gain"`    // computing throughput at the best number of threads over that at n
	Beyond      *XBeyond           `json:"beyond,omitempty"`
	WhatIf      []xmodel.Gain      `json:"what_if"`
	Against     *XAgainst          `json:"against,omitempty"`
}

// XState is a state with what bounds it, in other units as well.
type XState struct {
	xmodel.State
	// Taken says that it is the state of the machine: of the first scenario that of threads that all compute at first, of another that
	// which the machine comes to from there.
	Taken  bool         `json:"taken"`
	Bound  xmodel.Bound `json:"bound"`
	GBs    float64      `json:"gbs,omitempty"`
	GFlops float64      `json:"gflops,omitempty"`
}

// XBeyond is the best number of threads above those that the machine has, where it is better: each would have a core of its own.
type XBeyond struct {
	Cores   int     `json:"cores"` // that the machine has: those of the program, said again for who reads this part alone
	Threads int     `json:"threads"`
	Gain    float64 `json:"gain"` // as BestGain
}

// XAgainst is a second set of parameters.
type XAgainst struct {
	Params xmodel.Params `json:"params"`
	Points xmodel.Points `json:"points"`
	States []XState      `json:"states"`
	Gain   float64       `json:"gain"` // computing throughput over the first's
}

// mostGains is how many changes are told, the best ones. Chosen: as many as a person reads.
const mostGains = 12

// XThreadLimits are the numbers of threads up to which the best one is looked for.
type XThreadLimits struct {
	Most   int // that the machine can have
	Beyond int // above those, with more cores; not looked at where it is less
}

// XGraph answers for parameters.
func XGraph(h Header, title, source string, p xmodel.Params, scale xmodel.Scale, limits XThreadLimits, against *xmodel.Params) *XResult {
	r := &XResult{Header: h, Title: title, Source: source, Params: p, Scale: scale, Points: p.Points(), Sensitivity: p.Sensitivity()}
	r.States = statesOf(&p, scale)
	settled := p.Settled()
	for i := range r.States {
		if r.States[i].Stable { // all threads compute at first
			r.States[i].Taken = true
			break
		}
	}
	r.Parallelism = p.Parallelism(settled)
	r.Loss = p.Loss()
	if settled.Compute > 0 {
		r.best(limits, settled.Compute)
	}
	r.WhatIf = p.WhatIf()
	p.PossibleFirst(r.WhatIf, limits.Most)
	if len(r.WhatIf) > mostGains {
		r.WhatIf = alonesFirst(r.WhatIf)
	}
	if against != nil {
		a := &XAgainst{Params: *against, Points: against.Points(), States: statesOf(against, scale), Gain: 1}
		if settled.Compute > 0 {
			after, _ := against.Reached(settled.K)
			a.Gain = after.Compute / settled.Compute
			for i := range a.States {
				a.States[i].Taken = a.States[i].State == after
			}
		}
		r.Against = a
	}
	return r
}

// best finds the best number of threads that the machine has, and a better one beyond; compute is the throughput at n.
func (r *XResult) best(limits XThreadLimits, compute float64) {
	found := r.Params.BestThreads(limits.Most, limits.Beyond)
	here, beyond := found[0], found[1]
	r.BestThreads, r.BestGain = here.Threads, here.State.Compute/compute
	if beyond.Threads > limits.Most {
		r.Beyond = &XBeyond{Cores: limits.Most, Threads: beyond.Threads, Gain: beyond.State.Compute / compute}
	}
}

// alonesFirst keeps all changes that gain alone, and of the pairs those that gain most.
func alonesFirst(all []xmodel.Gain) (out []xmodel.Gain) {
	pairs := 0
	for _, g := range all {
		if len(g.Changes) > 1 {
			if pairs++; pairs > mostGains {
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

func statesOf(p *xmodel.Params, scale xmodel.Scale) (out []XState) {
	for _, s := range p.States() {
		out = append(out, XState{State: s, Bound: p.Bound(s), GBs: scale.GBs(s.Memory), GFlops: scale.GFlops(s.Compute)})
	}
	return out
}
