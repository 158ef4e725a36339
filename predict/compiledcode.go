package predict

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/codegen"
	"foresee/application/nest"
	"foresee/application/nest/interchange"
	"foresee/application/nest/unrolljam"
	"foresee/application/record/instrument"
	"foresee/application/recording"
	"foresee/machine"
	"foresee/model/core"
	"foresee/model/timing"
	"foresee/predict/compiled"
)

// ErrNoCode says that an input has no source that a compiler could make code of.
var ErrNoCode = errors.New("only a source can be compiled for its times")

// loopBlocks are the blocks of each program on each machine: as the source has them, or with what its compiled code takes.
type loopBlocks map[*machine.Machine]map[*nest.Program][]*timing.Block

// blocksOn makes the blocks of all programs; with a compiler, what they take is found once for each machine. What its code does not tell takes what code
// takes as foresee makes it, and what stood in the way is warned of.
func (r *Request) blocksOn(ctx context.Context, code *compiled.Code, out *PredictionResult, runs []*nest.Runs) (loopBlocks, error) {
	var own [][]*timing.Block
	for i, p := range r.Signature.Loops {
		own = append(own, timing.BlocksOf(p, runs[i]))
	}
	var err error
	all, made := loopBlocks{}, codes{}
	for _, m := range r.Machines {
		all[m] = map[*nest.Program][]*timing.Block{}
		given := make([][]*timing.Block, len(own))
		if code != nil {
			if given, err = r.compiledOn(ctx, m, code, own, out); err != nil {
				return nil, err
			}
		}
		for i, p := range r.Signature.Loops {
			if given[i] == nil {
				if given[i], err = r.assumed(ctx, made, m, p, own[i], out); err != nil {
					return nil, err
				}
			}
			all[m][p] = given[i]
		}
	}
	return all, nil
}

// reorder puts loops in the order in which the compiler did, as accesses are made in that. What it does several iterations of at a time is so in the
// programs of which accesses are looked at, which it gives by the ones whose code is timed.
func (r *Request) reorder(ctx context.Context, code *compiled.Code, out *PredictionResult) (accessed map[*nest.Program]*nest.Program, err error) {
	order, err := r.order(ctx, code)
	if err != nil {
		return nil, err
	}
	serial := !compiled.OpenMP(r.Compiler)
	s := *r.Signature
	s.Loops = nil
	accessed = map[*nest.Program]*nest.Program{}
	warn := func(at nest.Pos, what string) {
		out.Reordered = true
		out.warn(fmt.Sprintf("%s:%d: %s %s", filepath.Base(at.File), at.Line, r.Compiler[0], what))
	}
	for _, p := range r.Signature.Loops {
		changed, done, left := p, []nest.Pos(nil), []nest.Pos(nil)
		if len(order.Interchanged) > 0 {
			changed, done, left = interchange.Order(p, order.Interchanged, serial)
		}
		s.Loops = append(s.Loops, changed)
		for _, l := range done {
			warn(l, "interchanges loops here: accesses and their hits are taken to be in the order of the longest steps first")
		}
		for _, l := range left {
			warn(l, "interchanges loops here in a way that cannot be followed: accesses and their hits are told in the order of the source")
		}
		accessed[changed] = changed
		if inTurns, jammed := unrolljam.Apply(changed, order.Jammed, serial); len(jammed) > 0 {
			accessed[changed] = inTurns
			for _, l := range jammed {
				warn(l, "does several iterations of this loop at a time: accesses and their hits are told in that order")
			}
		}
	}
	r.Signature = &s
	return accessed, nil
}

// target is what is assumed of the compiler for a machine: what its flags ask for, where it is named and not here.
func (r *Request) target(m *machine.Machine) codegen.Target {
	if len(r.Compiler) > 0 {
		return codegen.TargetOf(r.Compiler, codegen.Native(m.Microarchitecture))
	}
	return codegen.Plain
}

// codes are those that foresee made: machines with the same target share them.
type codes map[codeKey]*codegen.Code

type codeKey struct {
	program *nest.Program
	target  codegen.Target
}

// of makes the code of a program for a target, or gives the one that it made.
func (c codes) of(p *nest.Program, t codegen.Target) (*codegen.Code, error) {
	key := codeKey{p, t}
	if code := c[key]; code != nil {
		return code, nil
	}
	code, err := codegen.Make(p, t)
	if err == nil {
		c[key] = code
	}
	return code, err
}

// assumed are blocks of a program with what their code would take as gcc would make it, on a machine that tells what that needs; as the source has them
// on others.
func (r *Request) assumed(ctx context.Context, made codes, m *machine.Machine, p *nest.Program, own []*timing.Block, out *PredictionResult) ([]*timing.Block, error) {
	code, err := made.of(p, r.target(m))
	if err != nil {
		out.warn(fmt.Sprintf("%s: its code cannot be made (%v); its times are those of its operations", p.Region, err))
		return own, nil
	}
	given, err := compiled.Assume(ctx, code, own, m, r.Options.Effort)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, new(*compiled.MissingError)): // its times are those of the operations of the source
		return own, nil
	}
	return given, err
}

// codeOf says whose code the times are of: that of a compiler, or such as gcc with some flags is taken to make; "" where it is the source alone.
func (r *Request) codeOf(m *machine.Machine, blocks []*timing.Block) (compiler, assumed string) {
	for _, b := range blocks {
		switch {
		case b.Compiled == nil:
		case b.Compiled.Assumed:
			assumed = r.target(m).String()
		default:
			compiler = strings.Join(r.Compiler, " ")
		}
	}
	if compiler != "" {
		assumed = ""
	}
	return compiler, assumed
}

// derivedCore says where a core comes from whose instructions were not measured.
func derivedCore(m *machine.Machine) string {
	like := "another"
	if relative, err := core.Relative(m); err == nil {
		like = relative.Name
	}
	return fmt.Sprintf("%s: what instructions cost was not measured: operations, width and window are the machine's, all else that of %s", m.Name, like)
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

// codeRan says whether code of a region ran; nil is no region.
func codeRan(region *recording.Region) bool {
	return region != nil && slices.ContainsFunc(region.Counts, func(n int64) bool { return n > 0 })
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
