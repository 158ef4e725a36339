package predict

import (
	"foresee/application/nest"
	"foresee/application/record/instrument"
	"foresee/application/recording"
	"foresee/model/timing"
)

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

// pptOf is what the model of PPT-Multicore needs of a recorded region.
func pptOf(code *recording.Code, region *recording.Region, blocks []*timing.Block, d *demand) timing.PPTInput {
	in := timing.PPTInput{Blocks: blocks, Threads: d.threads}
	for _, h := range d.hits {
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
		in.Stride = in.Bytes / accesses
	}
	return in
}
