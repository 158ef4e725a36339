// Package predict puts an application and a machine together: hit rates, run time, what bounds it, miss ratio
// curves and reuse profiles, for any number of threads.
package predict

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/application"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/reuse"
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

// outsideWarm is said instead where a call before filled the caches.
const outsideWarm = "hit rates are of LRU caches that hold what the call before left; hardware prefetching, coherence misses and the operating system are not in this model"

// outsideSimulation is said of simulated hit rates.
const outsideSimulation = "hit rates are of caches that start empty, with lines taken away by other threads' writes; hardware prefetching and the operating system are not in this model"

// NoTime begins the warning of a prediction without a time.
const NoTime = "no time: "

// OutsideModels are the warnings that every prediction has one of.
var OutsideModels = []string{outsideModel, outsideWarm, outsideSimulation}

// pagesPlaced says where simulated hit rates differ from those of a simulation of the addresses as they are.
func (r *Request) pagesPlaced(out *PredictionResult) {
	for _, m := range r.Machines {
		if page := r.Options.pageOn(m); page > 0 {
			out.warn(fmt.Sprintf("pages of %v lie in memory in any order, which moves the hit rates of outer caches; a simulation alone keeps data in order", machine.Size(page)))
		}
	}
}

// pptRange is said with every prediction of that model.
const pptRange = "the ppt model adds up averages of latencies and operations: it is made for traced runs of unoptimised code on cores that do not prefetch; too slow for what compilers optimise, and of a source it counts accesses to arrays alone"

const noAccesses = "the region makes no accesses at these sizes; check the definitions given"

// superlinear is the speed-up per thread above which lockstep is said. Chosen: less may be rounding of the models.
const superlinear = 1.05

// lockstep explains it.
func lockstep(interleave string) string {
	if interleave == roundRobin {
		return "the speed-up is above the number of threads, because threads that walk shared data in step bring it in for one another; threads that drift apart gain less"
	}
	return "the speed-up is above the number of threads: their caches together hold more, and threads that walk shared data bring it in for one another"
}

// Run predicts every region on every machine at every number of threads.
func Run(ctx context.Context, r Request) (*PredictionResult, error) {
	if r.Model == "" {
		r.Model = ModelAuto
	}
	if !slices.Contains(Models, r.Model) {
		return nil, fmt.Errorf("unknown model %q; there are %s", r.Model, strings.Join(Models, ", "))
	}
	out := &PredictionResult{Header: newHeader(PredictionSchema, r.Signature), Unread: r.Signature.Unread, Recorded: r.Signature.Kind == application.Program || r.Signature.Kind == application.Recording}
	var err error
	if r.Options, err = r.Options.of(r.Signature); err != nil {
		return nil, err
	}
	if err := r.Options.checkThreads(); err != nil {
		return nil, err
	}
	switch {
	case r.Signature.Streams != nil && r.Options.HitModel != HitModelSDCM:
		out.warn(outsideSimulation)
		r.pagesPlaced(out)
	case r.Options.Warm:
		out.warn(outsideWarm)
	default:
		out.warn(outsideModel)
	}
	if r.Model == ModelPPT {
		out.warn(pptRange)
	}
	return out, r.demands(ctx, out, func(d demands) error {
		found, err := r.predictions(d)
		out.Predictions = append(out.Predictions, found...)
		return err
	})
}

// demands calls f with what each region demands of each machine, in this order. Where reading the accesses fails, what was read stands.
func (r *Request) demands(ctx context.Context, out *PredictionResult, f func(demands) error) error {
	if r.Signature.Streams != nil {
		return r.ofAccesses(ctx, out, f)
	}
	return r.ofLoops(ctx, out, f)
}

// newHeader begins a result with the warnings of the input.
func newHeader(schema string, s *application.Signature) Header {
	h := Header{Schema: schema, Version: Version, Input: s.Name, Warnings: []string{}}
	for _, w := range s.Warnings {
		h.warn(w)
	}
	for _, p := range s.Loops {
		for _, w := range p.Warnings {
			h.warn(w)
		}
		for _, x := range p.Left {
			h.warn(fmt.Sprintf("%s:%d: left out, with all that it accesses: %s", x.Pos.File, x.Pos.Line, x.Reason))
		}
	}
	return h
}

func (h *Header) warn(w string) {
	if !slices.Contains(h.Warnings, w) {
		h.Warnings = append(h.Warnings, w)
	}
}

// demands are what one region demands of one machine, by number of threads.
type demands interface {
	region() string
	machine() *machine.Machine
	// of gives nil where nothing is known of that number of threads, or the region makes no accesses with it.
	of(threads int) (*demand, error)
	// sharedCache is how large a shared cache a prediction asks for; nil where that is not known.
	sharedCache(p *Prediction) (*SharedCache, error)
	// distances are the reuse distances of one thread, in lines.
	distances() (*reuse.Distribution, error)
	// done is called after each prediction.
	done()
}

// demand is what a region demands of a machine with a number of threads: what its time is made of.
type demand struct {
	region          string
	threads         int
	accesses, flops int64
	hits            []HitRate
	arrays          []ArrayMisses
	sharing         []Sharing
	chased          float64 // share of the loads that wait for the one before; told where sharing is
	warnings        []string
	dealt           string // how iterations were dealt to threads: a model of threads, or that of a recorded run
	interleave      string
	code, assumed   string  // the compiler whose code the times are of, or such as it is taken to make
	stays           float64 // the share of all accesses that bring the region's lines, which the last level of caches has room for; 0 where it lacks it
	unknown         error   // why nothing tells the operations, so that there is no time
	// input is what the models overlap and bandwidth are given; ppt what that model is given.
	input func(model string) (timing.Input, error)
	ppt   func() timing.PPTInput
	// phases are the loops with their traffic; nil where they are not known.
	phases func() ([]timing.Phase, error)
}

// predictions are those at each number of threads that is asked for, or of the fastest and its neighbours.
func (r *Request) predictions(d demands) (out []Prediction, err error) {
	t := &trial{request: r, demands: d, known: map[int]*Prediction{}}
	counts := r.within(d.machine())
	if r.Fastest {
		if counts, err = t.fastest(counts); err != nil {
			return nil, err
		}
	}
	for _, count := range counts {
		p, err := t.at(count)
		if err != nil {
			return out, err
		}
		if p == nil {
			continue
		}
		one := p
		if count != 1 {
			if one, err = t.at(1); err != nil {
				return out, err
			}
		}
		if one != nil {
			p.speedUp(one.TimeS)
		}
		if p.SharedCache, err = d.sharedCache(p); err != nil {
			return out, err
		}
		out = append(out, *p)
		d.done()
	}
	return out, nil
}

// speedUp compares the time with that of one thread.
func (p *Prediction) speedUp(alone *float64) {
	if alone == nil || p.TimeS == nil || *p.TimeS <= 0 {
		return
	}
	s := *alone / *p.TimeS
	p.Speedup = &s
	if s > superlinear*float64(p.Threads) {
		p.Warnings = append(p.Warnings, lockstep(p.Interleave))
	}
}

// leaves notes what a region is without.
func (p *Prediction) leaves(l *nest.Program) {
	if p.LeftOut = len(l.Left); p.LeftOut > 0 {
		p.LeftOutLoops, p.Loops = l.LoopsLeft()
	}
}

// predict is the prediction of a region at one number of threads; nil where it did not run with that number.
func (r *Request) predict(demands demands, threads int) (*Prediction, error) {
	m := demands.machine()
	d, err := demands.of(threads)
	if d == nil || err != nil {
		return nil, err
	}
	model := modelOn(r.Model, m)
	p := &Prediction{
		Region: d.region, Machine: m.Name, Threads: threads, Accesses: d.accesses, Flops: d.flops, Model: model, Code: d.code, CodeAssumed: d.assumed, HitRates: d.hits, Arrays: d.arrays, Sharing: d.sharing, Chased: d.chased,
		Warm: r.Options.Warm, Warnings: append([]string{}, d.warnings...),
	}
	for _, l := range r.Signature.Loops {
		if l.Region == d.region {
			p.Entered, p.Place = l.Entered, placeOf(l.Pos)
			p.leaves(l)
			for _, v := range l.With {
				p.Values = append(p.Values, Value{v.Text, v.Value})
			}
		}
	}
	if threads > 1 {
		p.ThreadsModel, p.Interleave = d.dealt, d.interleave
	}
	if n := m.TotalCores(); n > 0 && threads > n {
		p.warn("more threads than the %d cores of machine %s: as if it had a core for each", n, m.Name)
	}
	if p.Accesses == 0 && d.code == "" {
		p.warn(noAccesses)
		return p, nil
	}
	return p, r.time(p, d, m)
}

func (p *Prediction) warn(format string, args ...any) {
	p.Warnings = append(p.Warnings, fmt.Sprintf(format, args...))
}

// The factors within which four of five times were, of half A of the kernels at SMALL and MEDIUM (foresee validate compiled): the interval of such a
// time is no narrower.
const (
	codeSpread    = 1.42 // of compiled code
	assumedSpread = 1.5  // of code as foresee makes it like gcc -O2
	derivedSpread = 2    // on a core whose instructions were not measured. Chosen: no such machine could be timed.
)

// The same of traced runs, whose operations are counted and whose code is not known: of the times of all 61 traced kernels at MEDIUM (docs/accuracy/bandwidth.md), of which
// none was held back.
const (
	tracedSpread        = 1.4 // by the bandwidth model
	tracedOverlapSpread = 1.7 // by overlap
)

// toldUnguessed is the share of the time from which wrong guesses are told of. Chosen.
const toldUnguessed = 0.1

// spread is how far apart a time and the clock may be by what is known of the code; 1 of times as published.
func (p *Prediction) spread(m *machine.Machine) float64 {
	counted := p.Code == "" && p.CodeAssumed == ""
	switch {
	case counted && p.Model == ModelBandwidth:
		return tracedSpread
	case counted && p.Model == ModelOverlap:
		return tracedOverlapSpread
	case counted:
		return 1
	case m.Instructions == nil:
		return derivedSpread
	case p.Code != "":
		return codeSpread
	}
	return assumedSpread
}

// time fills in the seconds; a machine that lacks a value gives a warning instead.
func (r *Request) time(p *Prediction, d *demand, m *machine.Machine) error {
	if d.unknown != nil {
		p.warn(NoTime+"%s", r.Options.said(d.unknown))
		return nil
	}
	e, in, err := r.estimate(p.Model, d, m)
	if err != nil {
		p.warn(NoTime+"%s", r.Options.said(err))
		return nil //nolint:nilerr // the hit rates stand without it
	}
	spread := p.spread(m)
	e.Low, e.High = max(min(e.Low, (e.Time-e.Doubted*e.Compute)/spread), min(e.Fastest, e.Time)), max(e.High, e.Time*spread)+e.Unguessed+e.Unordered
	p.TimeS, p.TimeLowS, p.TimeHighS, p.BoundBy = &e.Time, &e.Low, &e.High, e.Bound
	if e.CoreShare > 0 {
		p.CoreBoundBy, p.CoreBoundShare = e.Core.String(), e.CoreShare
	}
	p.Warnings = append(p.Warnings, e.Assumptions...)
	if e.Unguessed > toldUnguessed*e.Time {
		p.warn("the processor is taken to guess branches on data rightly: every second guess wrong would make it %.2g times as long, which the interval holds", 1+e.Unguessed/e.Time)
	}
	if e.Unordered > toldUnguessed*e.Time {
		p.warn("what mathematical functions take hangs on their arguments: in no order they would make it %.2g times as long, all of one kind they would make it shorter, which the interval holds", 1+e.Unordered/e.Time)
	}
	p.Warnings = append(p.Warnings, doubtsOf(p.Model, m, p.HitRates)...)
	p.Terms = &Terms{ComputeS: e.Compute, MemoryS: atLeast(e.Memory), ParallelS: e.Parallel, FaultsS: e.Faults, Levels: []LevelTerm{}}
	if part := stayingShare(e, d, in); part > toldStaying {
		some := "a part"
		if part > 0.5 {
			some = "more than half"
		}
		p.warn("caches start empty: %s of the time brings lines that fit in them, which a call that others came before would find there", some)
	}
	if err := p.tellSerial(d, m, in); err != nil {
		return err
	}
	for i, s := range e.Levels {
		p.Terms.Levels = append(p.Terms.Levels, LevelTerm{in.Traffic[i].Level, in.Traffic[i].Lines, atLeast(s)})
	}
	return nil
}

// leastTold is the shortest part of a time that is told, in seconds. Chosen: less is the tail of a function that fits what levels serve.
const leastTold = 1e-12

func atLeast(seconds float64) float64 {
	if seconds < leastTold {
		return 0
	}
	return seconds
}

// toldStaying is the share of the time from which it is said that a second call would not take it. Chosen.
const toldStaying = 0.15

// stayingShare is the share of the time, as memory serves it, for lines that the caches have room for and a second call would find there.
func stayingShare(e *timing.Estimate, d *demand, in timing.Input) float64 {
	if d.stays == 0 || len(e.Levels) == 0 || e.Time == 0 {
		return 0
	}
	last := in.Traffic[len(e.Levels)-1]
	if last.AllLines == 0 {
		return 0
	}
	fromMemory := min(e.Levels[len(e.Levels)-1], max(e.Time-e.Compute, 0))
	return fromMemory / e.Time * min(d.stays*float64(d.accesses)/last.AllLines, 1)
}

// tellSerial notes how much of the time one thread takes alone. PPT's model knows no loops.
func (p *Prediction) tellSerial(d *demand, m *machine.Machine, in timing.Input) (err error) {
	if p.Threads == 1 || p.Model == ModelPPT || d.phases == nil || !in.PartlyShared() {
		return nil
	}
	phases := in.Phases
	if phases == nil {
		if phases, err = d.phases(); err != nil {
			return err
		}
	}
	seconds, at, err := timing.Serial(in, phases, m, timeModels[p.Model])
	if p.Terms.SerialS = math.Min(seconds, *p.TimeS); p.Terms.SerialS > 0 {
		p.Terms.SerialPlace = placeOf(at)
	}
	return err
}

// timeModels are the models that take loops.
var timeModels = map[string]timing.Model{ModelBandwidth: timing.Bandwidth, ModelOverlap: timing.Overlap}

// estimate is the time by a model, and what it is of, where the model takes loops.
func (r *Request) estimate(model string, d *demand, m *machine.Machine) (*timing.Estimate, timing.Input, error) {
	if model == ModelPPT {
		e, err := timing.PPT(d.ppt(), m, r.PPT)
		return e, timing.Input{}, err
	}
	in, err := d.input(model)
	if err != nil {
		return nil, in, err
	}
	e, err := timeModels[model](in, m)
	return e, in, err
}

// doubtsOf says what is doubtful of the time that a machine's bandwidth function gives at some hit rates.
func doubtsOf(model string, m *machine.Machine, hits []HitRate) (out []string) {
	if w := uncovered(model, m, hits); w != "" {
		out = append(out, w)
	}
	if model == ModelBandwidth {
		out = append(out, m.RoughFits()...)
	}
	return out
}

// uncovered says that a machine's sweep has no point in the bins of some hit rates (Tikir et al., section 2).
func uncovered(model string, m *machine.Machine, hits []HitRate) string {
	f := m.Fit(machine.SweepRead)
	if model != ModelBandwidth || f == nil || len(m.Measured.Sweeps) == 0 {
		return ""
	}
	rates := make([]float64, len(hits))
	for i, h := range hits {
		rates[i] = h.HitRate
	}
	if f.Coverage(m.Measured.SweepPoints(machine.SweepRead), float64(m.LineBytes.Or(64))).Has(rates) {
		return ""
	}
	return fmt.Sprintf("no point of the sweep of %s has hit rates like these (bins of Tikir et al.): the time of memory is put together from points that have one level's each", m.Name)
}
