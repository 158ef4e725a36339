package predict

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"foresee/application"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/reuse"
	"foresee/model/threads"
	"foresee/model/timing"
	"foresee/model/traffic"
	"foresee/predict/compiled"
)

// ofLoops analyses each program when a number of threads is asked for.
func (r *Request) ofLoops(ctx context.Context, out *PredictionResult, f func(demands) error) error {
	progress := newMeter(r.Options.Progress, len(r.Signature.Loops)*len(r.Machines)*len(r.Threads))
	code, err := r.compile(ctx, out)
	if err != nil {
		return err
	}
	accessed, err := r.reorder(ctx, code, out)
	if err != nil {
		return err
	}
	var runs []*nest.Runs
	for _, p := range r.Signature.Loops {
		n, err := nest.CountRuns(p)
		if err != nil {
			return err
		}
		runs = append(runs, n)
	}
	blocks, err := r.blocksOn(ctx, code, out, runs)
	if err != nil {
		return err
	}
	told := 0
	for i, p := range r.Signature.Loops {
		s := NewAnalysis(ctx, accessed[p], r.Options)
		if accessed[p] == p {
			s.runs = runs[i]
		}
		s.step = progress.part
		err := r.ofRegion(s, func(m *machine.Machine) []*timing.Block { return blocks[m][p] }, progress, f)
		if warning, ok := without(r.Signature, p, err); ok && (told > 0 || i+1 < len(r.Signature.Loops)) {
			out.warn(warning)
			out.Unread = append(slices.Clip(out.Unread), p.Region)
			out.Predictions = slices.DeleteFunc(out.Predictions, func(x Prediction) bool { return x.Region == p.Region })
			continue
		}
		if err != nil {
			return err
		}
		told++
		for _, w := range s.places.warnings {
			out.warn(w)
		}
	}
	return nil
}

// ofRegion calls f with what one region demands of each machine.
func (r *Request) ofRegion(s *Analysis, blocks func(*machine.Machine) []*timing.Block, progress *meter, f func(demands) error) error {
	for _, m := range r.Machines {
		q := &query{analysis: s, on: m, blocks: blocks(m), progress: progress}
		q.code, q.assumed = r.codeOf(m, q.blocks)
		if err := f(q); err != nil {
			return err
		}
	}
	return nil
}

// query is what one program demands of one machine.
type query struct {
	analysis *Analysis
	on       *machine.Machine
	blocks   []*timing.Block
	code     string // the compiler whose code's times they have
	assumed  string // or the one that is taken for it
	overflow *overflow
	progress *meter
}

func (q *query) machine() *machine.Machine { return q.on }

func (q *query) region() string { return q.analysis.program.Region }

// distances are those of one thread, at the line of the first level.
func (q *query) distances() (*reuse.Distribution, error) {
	st, err := q.analysis.get(threads.Stream(1, 1, int64(q.on.Line(&q.on.Levels[0]))))
	if err != nil {
		return nil, err
	}
	return st.Sampled.Distances, nil
}

func (q *query) done() { q.progress.next() }

// of is what the program asks of the machine with a number of threads.
func (q *query) of(count int) (*demand, error) {
	m, s := q.on, q.analysis
	levels, err := s.hits(m, count, s.options.HitModel)
	if err != nil {
		return nil, err
	}
	stays := s.stays(m, count, levels)
	if s.options.Warm {
		if levels, err = s.again(m, count, levels); err != nil {
			return nil, err
		}
	}
	line := int64(m.Line(&m.Levels[0]))
	whole, err := s.get(threads.Stream(count, levels[0].group, line))
	if err != nil {
		return nil, err
	}
	d := &demand{region: s.program.Region, threads: count, accesses: whole.Nest.Len(), flops: flopsOf(q.blocks), code: q.code, assumed: q.assumed, stays: stays}
	if d.dealt, d.interleave, err = s.places.choose(s.program, count, line); err != nil {
		return nil, err
	}
	for _, h := range levels {
		d.hits = append(d.hits, h.rate())
		if h.assumption != "" {
			d.warnings = append(d.warnings, h.assumption)
		}
	}
	d.arrays = arraysOf(levels, d.accesses)
	d.ppt = func() timing.PPTInput { return q.pptInput(d) }
	d.input = func(model string) (timing.Input, error) { return q.input(d, levels, model) }
	d.phases = func() ([]timing.Phase, error) { return q.phases(d, levels) }
	return d, nil
}

// flopsOf counts the floating-point operations of blocks.
func flopsOf(blocks []*timing.Block) int64 {
	flops := 0.0
	for _, b := range blocks {
		flops += b.Executions * b.Ops.Flops()
	}
	return int64(flops + 0.5)
}

// input is what the models of time need.
func (q *query) input(d *demand, levels []levelHits, model string) (timing.Input, error) {
	balance, err := q.balance(d)
	if err != nil {
		return timing.Input{}, err
	}
	run := runOn(q.on, d, levels, balance)
	in := timing.Input{
		Program: q.analysis.program, Blocks: q.blocks, Threads: d.threads, Imbalance: balance.Imbalance,
		Regions: q.opened(d.threads), Unlocked: q.unopened(d.threads), Traffic: run.Traffic(),
	}
	if model == ModelBandwidth {
		var walks traffic.Walks
		walks, err = q.walks(d.threads)
		in.Phases = run.Phases(q.blocks, walks)
	}
	return in, err
}

// phases are the loops of a region with their traffic, without that of page tables.
func (q *query) phases(d *demand, levels []levelHits) ([]timing.Phase, error) {
	balance, err := q.balance(d)
	if err != nil {
		return nil, err
	}
	return runOn(q.on, d, levels, balance).Phases(q.blocks, traffic.Walks{}), nil
}

// runOn is what the caches of a machine lack of a program.
func runOn(m *machine.Machine, d *demand, levels []levelHits, balance nest.Balance) *traffic.Run {
	r := &traffic.Run{Accesses: d.accesses, Threads: d.threads, Balance: balance, Followed: m.PrefetchStreams()}
	for _, h := range levels {
		r.Levels = append(r.Levels, h.Level)
	}
	return r
}

// walksOf are the translations that TLBs lack in an analysis, where the machine's are measured.
func (q *query) walksOf(s *Analysis, count int) (traffic.Walks, error) {
	f := q.on.Fit(machine.SweepRead)
	if f == nil {
		return traffic.Walks{}, nil
	}
	page := int64(q.on.Measured.Page)
	pages, err := s.get(threads.Stream(count, 1, page))
	if err != nil {
		return traffic.Walks{}, err
	}
	tables, err := s.get(threads.Stream(count, 1, bandwidth.TableSpan(page)))
	if err != nil {
		return traffic.Walks{}, err
	}
	followed := q.on.PrefetchStreams()
	return pages.Following(followed).Walks(tables.Following(followed), float64(q.on.Line(&q.on.Levels[0])), f), nil
}

// walks are the translations that TLBs lack, where the machine's are measured; of a warm call those of the second of two.
func (q *query) walks(count int) (traffic.Walks, error) {
	once, err := q.walksOf(q.analysis, count)
	if err != nil || !q.analysis.options.Warm {
		return once, err
	}
	both, err := q.walksOf(q.analysis.twice(), count)
	return both.Again(once), err
}

// balance is how evenly the threads share the work.
func (q *query) balance(p *demand) (nest.Balance, error) {
	count := p.threads
	if count == 1 {
		return nest.Balance{Imbalance: 1}, nil
	}
	if p.dealt == ThreadsSymbolic {
		m, err := q.analysis.places.model(q.analysis.program, int64(q.on.Line(&q.on.Levels[0])))
		if err != nil {
			return nest.Balance{}, err
		}
		return m.Balance(q.analysis.places.team(count, count)), nil
	}
	s, err := q.analysis.places.stream(q.analysis.program, nest.Options{Threads: count, Group: count, Line: 64})
	if err != nil {
		return nest.Balance{}, err
	}
	return s.Balance(q.analysis.options.Seed), nil
}

// regions counts the worksharing loops that begin, each of which opens a region or passes a barrier, and the regions without any.
func (q *query) regions() float64 {
	n := 0.0
	for _, b := range q.blocks {
		n += b.Opened
		if b.Loop != nil && b.Loop.Work != nil {
			n += b.Entries
		}
	}
	return n
}

// opened is how many regions open and barriers are passed: none by one thread in code that was compiled without OpenMP.
func (q *query) opened(threads int) float64 {
	if q.unopened(threads) {
		return 0
	}
	return q.regions()
}

// unopened tells one thread in code that was compiled without OpenMP.
func (q *query) unopened(threads int) bool {
	return threads == 1 && q.code != "" && !compiled.OpenMP(strings.Fields(q.code))
}

// pptInput counts bytes and strides from the source.
func (q *query) pptInput(p *demand) timing.PPTInput {
	in := timing.PPTInput{Blocks: q.blocks, Threads: p.threads}
	for _, h := range p.hits {
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
		in.Stride /= accesses
	}
	return in
}

// without tells whether the other regions of a signature are told without one whose analysis failed: where searching its iterations came to no end, and it
// is not the only one, nor asked for by name. The text says so to whoever reads the result.
func without(s *application.Signature, p *nest.Program, err error) (warning string, ok bool) {
	if s.Asked || len(s.Loops) < 2 || !errors.Is(err, nest.ErrGaveUp) {
		return "", false
	}
	return fmt.Sprintf("without %s, which cannot be analysed: %v", p.Region, inRegion(p, err)), true
}
