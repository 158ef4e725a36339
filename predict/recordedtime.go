package predict

import (
	"math"

	"foresee/application/nest"
	"foresee/application/record/instrument"
	"foresee/application/record/recording"
	"foresee/machine"
	"foresee/model/timing"
)

// time fills in operations and seconds; a machine that lacks a value gives a warning instead.
func (run *recordedRun) time(p *Prediction, m *machine.Machine, region *recording.Region, lines []served) {
	_, code, _, _, _ := run.team.Info()
	blocks, flops, unknown := blocksOf(code, region)
	p.Flops = flops
	if unknown {
		p.Warnings = append(p.Warnings, "no time: operations are not counted with gcc; build with clang")
		return
	}
	slowest := 1.0 / float64(run.threads)
	if region.Words > 0 {
		slowest = float64(region.Busiest) / float64(region.Words)
	}
	chased := chasedShare(code, region)
	var traffic []timing.Traffic
	for i := range p.HitRates {
		of := lines[i+1]
		t := timing.Traffic{Level: "memory", Sequential: of.straight(), Steps: of.steps, Written: of.written, Streams: of.streams, Run: of.run, Begun: 1, Dependent: chased}
		if p.Accesses > 0 {
			t.Between = of.gap / (float64(p.Accesses) * slowest)
			t.FarBetween = t.Between
		}
		share := 1 - p.HitRates[i].HitRate
		if i+1 < len(p.HitRates) {
			t.Level = p.HitRates[i+1].Level
			share -= 1 - p.HitRates[i+1].HitRate
		}
		t.AllLines = share * float64(p.Accesses)
		t.Lines = t.AllLines * slowest
		traffic = append(traffic, t)
	}
	var e *timing.Estimate
	var err error
	in := timing.Input{Blocks: blocks, Threads: run.threads, Imbalance: slowest * float64(run.threads), Regions: float64(region.Forks), Barriers: float64(region.Barriers), Traffic: traffic}
	switch p.Model {
	case ModelPPT:
		e, err = timing.PPT(pptOf(code, region, blocks, p), m, run.request.PPT)
	case ModelBandwidth:
		walks, table := run.walks(m, p.Region)
		in.Walks, in.Table = walks*float64(p.Accesses)*slowest, table
		e, err = timing.Bandwidth(in, m)
	default:
		e, err = timing.Overlap(in, m)
	}
	if err != nil {
		p.Warnings = append(p.Warnings, "no time: "+run.request.Options.said(err))
		return
	}
	p.TimeS, p.TimeLowS, p.TimeHighS, p.BoundBy = &e.Time, &e.Low, &e.High, e.Bound
	p.Warnings = append(p.Warnings, e.Assumptions...)
	p.Warnings = append(p.Warnings, doubtsOf(p.Model, m, p.HitRates)...)
	p.Terms = &Terms{ComputeS: e.Compute, MemoryS: e.Memory, ParallelS: e.Parallel, Levels: []LevelTerm{}}
	for i, s := range e.Levels {
		p.Terms.Levels = append(p.Terms.Levels, LevelTerm{traffic[i].Level, traffic[i].Lines, s})
	}
}

// walks is the share of accesses to pages whose translation must be looked up, and the share of these whose entry in the page
// table is far away, pages being anywhere.
func (run *recordedRun) walks(m *machine.Machine, name string) (walks, table float64) {
	k, ok := pagesOf(run.request.Model, m)
	f := m.Fit(machine.SweepRead)
	if !ok || f == nil {
		return 0, 0
	}
	h := run.histogram(run.localities[k], name)
	if h == nil {
		return 0, 0
	}
	page, d := float64(k.line), h.Distribution()
	mean := func(of func(pages float64) float64) float64 {
		rest, _ := d.Expectation(func(pages float64, _ int32) float64 { return 1 - of(pages) })
		return 1 - rest
	}
	walks = mean(func(pages float64) float64 { return f.TLBMiss(pages * page) })
	if walks > 0 {
		table = mean(func(pages float64) float64 {
			return f.TLBMiss(pages*page) * f.TableMiss(math.Inf(1), pages, float64(m.LineBytes.Or(64)))
		}) / walks
	}
	return walks, table
}

// blocksOf turns counted segments into what the timing models take. Unknown is true of code whose operations are not known.
func blocksOf(code *recording.Code, region *recording.Region) (blocks []*timing.Block, flops int64, unknown bool) {
	known := false
	for i, n := range region.Counts {
		if n == 0 {
			continue
		}
		s := code.Segments[i]
		known = known || len(s.Ops) > 0
		b := &timing.Block{Executions: float64(n), Entries: float64(code.Entries(i, region.Counts)), Parallel: true, Ops: timingOps(s.Ops), Recurrence: timingOps(s.Chain), RecurrenceLoads: float64(s.Chain[instrument.ChainedLoad])}
		for _, a := range s.Accesses {
			if a.Write {
				b.Stores++
			} else {
				b.Loads++
			}
		}
		flops += n * s.Ops.Flops()
		blocks = append(blocks, b)
	}
	return blocks, flops, !known && len(blocks) > 0
}

// chasedShare is the share of the accesses in loops where the next address comes from the last load.
func chasedShare(code *recording.Code, region *recording.Region) float64 {
	all, chased := 0.0, 0.0
	for i, n := range region.Counts {
		s := code.Segments[i]
		accesses := float64(n) * float64(len(s.Accesses))
		all += accesses
		if s.Chain[instrument.ChainedLoad] > 0 {
			chased += accesses
		}
	}
	if all == 0 {
		return 0
	}
	return chased / all
}

var opKinds = map[string]nest.Kind{
	"fadd": nest.Add, "fmul": nest.Mul, "fma": nest.FMA, "fdiv": nest.Div, "fsqrt": nest.Sqrt, "fother": nest.Add,
	"add": nest.Add, "mul": nest.Mul, "div": nest.Div, "branch": nest.Add, "shuffle": nest.Add,
}

// timingOps takes a vector instruction as one operation, but for divisions and roots, whose units work through the lanes.
func timingOps(ops instrument.Ops) timing.Ops {
	out := timing.Ops{}
	for op, n := range ops {
		if op == instrument.ChainedLoad {
			continue
		}
		k := timing.OpKey{Type: nest.I64}
		switch op.Type {
		case "f32", "f16":
			k.Type = nest.F32
		case "f64", "f80":
			k.Type = nest.F64
		}
		if name, call := op.Call(); call {
			k.Kind, k.Name = nest.Call, name
		} else {
			k.Kind = opKinds[op.Kind]
		}
		times := float64(n)
		if k.Kind == nest.Div || k.Kind == nest.Sqrt || k.Kind == nest.Call {
			times *= float64(op.Lanes)
		}
		if k.Kind == nest.Call && k.Name == "" {
			k = timing.OpKey{Kind: nest.Add, Type: nest.I64} // a call of other code, which is counted where it is
		}
		out[k] += times
	}
	return out
}

func pptOf(code *recording.Code, region *recording.Region, blocks []*timing.Block, p *Prediction) timing.PPTInput {
	in := timing.PPTInput{Blocks: blocks, Threads: p.Threads}
	for _, h := range p.HitRates {
		in.HitRates = append(in.HitRates, h.HitRate)
	}
	accesses := 0.0
	for i, n := range region.Counts {
		for _, a := range code.Segments[i].Accesses {
			in.Bytes += float64(n * a.Size)
			accesses += float64(n)
		}
	}
	if accesses > 0 {
		in.Word = in.Bytes / accesses
		in.Stride = in.Word
	}
	return in
}
