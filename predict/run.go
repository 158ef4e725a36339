package predict

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/threads"
	"foresee/model/timing"
)

// Models of time.
const (
	ModelAuto      = "auto" // bandwidth where the machine has it measured, else overlap
	ModelOverlap   = "overlap"
	ModelPPT       = "ppt"
	ModelBandwidth = "bandwidth"
)

// Models are their names.
var Models = []string{ModelAuto, ModelOverlap, ModelBandwidth, ModelPPT}

// modelOn is the model that is taken on a machine.
func modelOn(model string, m *machine.Machine) string {
	switch {
	case model != ModelAuto:
		return model
	case m.Fit(machine.SweepRead) != nil:
		return ModelBandwidth
	}
	return ModelOverlap
}

// outsideModel is said with every prediction: what the hit rates leave out.
const outsideModel = "hit rates are of LRU caches that start empty; hardware prefetching, coherence misses and the operating system are not in this model"

// outsideSimulation is said of simulated hit rates.
const outsideSimulation = "hit rates are of caches that start empty, with lines taken away by other threads' writes; hardware prefetching and the operating system are not in this model"

// pptRange is said with every prediction of that model.
const pptRange = "the ppt model adds up latencies and operations: it is made for cores that neither prefetch nor overlap misses with work, and is too slow by what others do"

const noAccesses = "the region makes no accesses at these sizes; check the values given with -D"

// superlinear is the speed-up per thread above which lockstep is said.
const superlinear = 1.05

// lockstep explains it.
func lockstep(interleave string) string {
	if interleave == roundRobin {
		return "the speed-up is above the number of threads, because threads that walk shared data in step bring it in for one another; threads that drift apart gain less"
	}
	return "the speed-up is above the number of threads: their caches together hold more, and threads that walk shared data bring it in for one another"
}

// Run predicts every program on every machine at every number of threads.
func Run(ctx context.Context, r Request) (*PredictionResult, error) {
	if r.Model == "" {
		r.Model = ModelAuto
	}
	if !slices.Contains(Models, r.Model) {
		return nil, fmt.Errorf("unknown model %q; there are %s", r.Model, strings.Join(Models, ", "))
	}
	out := &PredictionResult{Header: newHeader(PredictionSchema, r.Input, r.Warnings, r.Programs)}
	if r.Recording != nil && r.Options.HitModel != HitModelSDCM {
		out.warn(outsideSimulation)
	} else {
		out.warn(outsideModel)
	}
	if r.Model == ModelPPT {
		out.warn(pptRange)
	}
	if err := r.Options.checkThreads(); err != nil {
		return nil, err
	}
	if r.Recording != nil {
		return out, r.recorded(ctx, out)
	}
	progress := newMeter(r.Options.Progress, len(r.Programs)*len(r.Machines)*len(r.Threads))
	for _, p := range r.Programs {
		blocks, err := timing.Blocks(p)
		if err != nil {
			return nil, err
		}
		s := NewAnalysis(ctx, p, r.Options)
		s.step = progress.part
		for _, m := range r.Machines {
			var err error
			q := &query{analysis: s, machine: m, blocks: blocks, model: modelOn(r.Model, m), ppt: r.PPT}
			for _, t := range r.Threads {
				var prediction *Prediction
				if prediction, err = q.predict(t); err != nil {
					return nil, err
				}
				if prediction.SharedCache, err = q.sharedCache(prediction); err != nil {
					return nil, err
				}
				out.Predictions = append(out.Predictions, *prediction)
				progress.next()
			}
		}
		for _, w := range s.places.warnings {
			out.warn(w)
		}
	}
	return out, nil
}

func newHeader(schema, input string, warnings []string, programs []*nest.Program) Header {
	h := Header{Schema: schema, Version: Version, Input: input, Warnings: []string{}}
	for _, w := range warnings {
		h.warn(w)
	}
	for _, p := range programs {
		for _, w := range p.Warnings {
			h.warn(w)
		}
	}
	return h
}

func (h *Header) warn(w string) {
	if !slices.Contains(h.Warnings, w) {
		h.Warnings = append(h.Warnings, w)
	}
}

// query predicts one program on one machine.
type query struct {
	analysis *Analysis
	machine  *machine.Machine
	blocks   []*timing.Block
	model    string
	ppt      timing.PPTOptions
	alone    *float64 // time with one thread, once known
	overflow *overflow
}

func (q *query) predict(count int) (*Prediction, error) {
	m := q.machine
	levels, err := q.analysis.hits(m, count, q.analysis.options.HitModel)
	if err != nil {
		return nil, err
	}
	whole, err := q.analysis.get(threads.Stream(count, levels[0].group, int64(m.Line(&m.Levels[0]))))
	if err != nil {
		return nil, err
	}
	p := &Prediction{
		Region: q.analysis.program.Region, Machine: m.Name, Threads: count,
		Accesses: whole.nest.Len(), Model: q.model, Warnings: []string{},
	}
	var interleave string
	if p.ThreadsModel, interleave, err = q.analysis.places.choose(q.analysis.program, count, int64(m.Line(&m.Levels[0]))); err != nil {
		return nil, err
	}
	if count > 1 {
		p.Interleave = interleave
	} else {
		p.ThreadsModel = ""
	}
	flops := 0.0
	for _, b := range q.blocks {
		flops += b.Executions * b.Ops.Flops()
	}
	p.Flops = int64(flops + 0.5)
	for _, h := range levels {
		p.HitRates = append(p.HitRates, HitRate{h.level.Name, threads.Scope(h.group), h.hit, h.err})
		if h.assumption != "" {
			p.Warnings = append(p.Warnings, h.assumption)
		}
	}
	if _, ok := m.Parallel.ForkJoinNs.Get(); !ok && count > 1 && q.model != ModelPPT {
		p.Warnings = append(p.Warnings, fmt.Sprintf("machine %s has no parallel.fork_join_ns: opening parallel regions costs nothing here", m.Name))
	}
	if n := m.TotalCores(); n > 0 && count > n {
		p.Warnings = append(p.Warnings, fmt.Sprintf("more threads than the %d cores of machine %s: as if it had a core for each", n, m.Name))
	}
	if p.Accesses == 0 {
		p.Warnings = append(p.Warnings, noAccesses)
		return p, nil
	}
	if err := q.time(p, levels); err != nil {
		return nil, err
	}
	return p, nil
}

// time fills in the seconds; a machine that lacks a value gives a warning instead.
func (q *query) time(p *Prediction, levels []levelHits) error {
	e, traffic, err := q.estimate(p, levels)
	if err != nil {
		p.Warnings = append(p.Warnings, "no time: "+q.analysis.options.said(err))
		return nil //nolint:nilerr // the hit rates stand without it
	}
	p.TimeS, p.TimeLowS, p.TimeHighS = &e.Time, &e.Low, &e.High
	p.BoundBy = e.Bound
	p.Warnings = append(p.Warnings, e.Assumptions...)
	p.Warnings = append(p.Warnings, doubtsOf(q.model, q.machine, p.HitRates)...)
	p.Terms = &Terms{ComputeS: e.Compute, MemoryS: e.Memory, ParallelS: e.Parallel, Levels: []LevelTerm{}}
	for i, s := range e.Levels {
		p.Terms.Levels = append(p.Terms.Levels, LevelTerm{traffic[i].Level, traffic[i].Lines, s})
	}
	if p.Threads == 1 {
		q.alone = &e.Time
	}
	if q.alone == nil {
		one, err := q.predict(1)
		if err != nil {
			return err
		}
		q.alone = one.TimeS
	}
	if q.alone != nil && e.Time > 0 {
		speedup := *q.alone / e.Time
		p.Speedup = &speedup
		if speedup > superlinear*float64(p.Threads) {
			p.Warnings = append(p.Warnings, lockstep(p.Interleave))
		}
	}
	return nil
}

func (q *query) estimate(p *Prediction, levels []levelHits) (*timing.Estimate, []timing.Traffic, error) {
	if q.model == ModelPPT {
		e, err := timing.PPT(q.pptInput(p), q.machine, q.ppt)
		return e, nil, err
	}
	balance, err := q.balance(p)
	if err != nil {
		return nil, nil, err
	}
	traffic := trafficOf(p, levels, balance)
	in := timing.Input{
		Program: q.analysis.program, Blocks: q.blocks, Threads: p.Threads, Imbalance: balance.Imbalance,
		Regions: q.regions(), Traffic: traffic,
	}
	if q.model == ModelOverlap {
		e, err := timing.Overlap(in, q.machine)
		return e, traffic, err
	}
	if in.Phases, err = q.phases(p, levels, balance); err != nil {
		return nil, nil, err
	}
	e, err := timing.Bandwidth(in, q.machine)
	return e, traffic, err
}

// balance is how evenly the threads share the work.
func (q *query) balance(p *Prediction) (nest.Balance, error) {
	count := p.Threads
	if count == 1 {
		return nest.Balance{Imbalance: 1}, nil
	}
	if p.ThreadsModel == ThreadsSymbolic {
		m, err := q.analysis.places.model(q.analysis.program, int64(q.machine.Line(&q.machine.Levels[0])))
		if err != nil {
			return nest.Balance{}, err
		}
		return m.Balance(q.analysis.places.team(count, count, p.Interleave)), nil
	}
	s, err := nest.NewStream(q.analysis.program, nest.Options{Threads: count, Group: count, Line: 64})
	if err != nil {
		return nest.Balance{}, err
	}
	return s.Balance(q.analysis.options.Seed), nil
}

// regions counts the worksharing loops that begin: each opens a region or passes a barrier.
func (q *query) regions() float64 {
	n := 0.0
	for _, b := range q.blocks {
		if b.Loop != nil && b.Loop.Work != nil {
			n += b.Entries
		}
	}
	return n
}

// pptInput counts bytes and strides from the source.
func (q *query) pptInput(p *Prediction) timing.PPTInput {
	in := timing.PPTInput{Blocks: q.blocks, Threads: p.Threads}
	for _, h := range p.HitRates {
		in.HitRates = append(in.HitRates, h.HitRate)
	}
	accesses := 0.0
	for _, b := range q.blocks {
		for _, w := range b.Statements {
			for _, a := range w.Stmt.Accesses {
				n := b.Executions * w.Share
				in.Bytes += n * float64(a.Size)
				in.Stride += n * max(math.Abs(float64(a.Advance(b.Loop))), float64(a.Size))
				accesses += n
			}
		}
	}
	if accesses > 0 {
		in.Word = in.Bytes / accesses
		in.Stride /= accesses
	}
	return in
}
