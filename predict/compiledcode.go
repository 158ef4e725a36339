package predict

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"foresee/application/codegen"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/core"
	"foresee/model/timing"
	"foresee/predict/compiled"
)

// ErrNoCode says that an input has no source that a compiler could make code of.
var ErrNoCode = errors.New("only a C source can be compiled for its times")

// loopBlocks are the blocks of each program on each machine: as the source has them, or with what its compiled code takes.
type loopBlocks map[*machine.Machine]map[*nest.Program][]*timing.Block

// blocksOn makes the blocks of all programs; with a compiler, what they take is found once for each machine, and what stands in the way is
// warned of, as times from the source are still there.
func (r *Request) blocksOn(ctx context.Context, out *PredictionResult) (loopBlocks, error) {
	programs := r.Signature.Loops
	var own [][]*timing.Block
	for _, p := range programs {
		b, err := timing.Blocks(p)
		if err != nil {
			return nil, err
		}
		own = append(own, b)
	}
	var code *compiled.Code
	if len(r.Compiler) > 0 {
		if r.Signature.Code == nil {
			return nil, ErrNoCode
		}
		if _, err := exec.LookPath(r.Compiler[0]); err != nil {
			out.warn(fmt.Sprintf("%s is not here: times are those of code as %s makes it", r.Compiler[0], r.target(r.Machines[0])))
			return r.assumed(ctx, own, out)
		}
		var err error
		code, err = compiled.Compile(ctx, r.Compiler, r.Signature.Code, programs)
		switch {
		case errors.As(err, new(*compiled.CompilerError)), ctx.Err() != nil:
			return nil, err
		case err != nil:
			out.warn(notFollowed(err))
			return r.assumed(ctx, own, out)
		}
		if !compiled.OpenMP(r.Compiler) && slices.ContainsFunc(r.Threads, func(n int) bool { return n > 1 }) {
			out.warn(fmt.Sprintf("%s compiles without OpenMP (-fopenmp): its code runs on one thread; times at more are as if the loops were shared out all the same", strings.Join(r.Compiler, " ")))
		}
		for _, w := range code.Warnings {
			out.warn(w)
		}
	}
	all, err := r.assumed(ctx, own, out)
	if err != nil || code == nil {
		return all, err
	}
	for _, m := range r.Machines {
		given, err := r.compiledOn(ctx, m, code, own, out)
		if err != nil {
			return nil, err
		}
		for i, p := range programs {
			if given != nil && given[i] != nil {
				all[m][p] = given[i]
			}
		}
	}
	return all, nil
}

// target is what is assumed of the compiler for a machine: what its flags ask for, where it is named and not here.
func (r *Request) target(m *machine.Machine) codegen.Target {
	if len(r.Compiler) > 1 {
		return codegen.TargetOf(r.Compiler[1:], codegen.Native(m.Microarchitecture))
	}
	return codegen.Plain
}

// assumed are blocks with what their code would take as gcc would make it, on machines that tell what that needs; as the source has them on others.
func (r *Request) assumed(ctx context.Context, own [][]*timing.Block, out *PredictionResult) (loopBlocks, error) {
	all := r.uncompiled(own)
	for _, m := range r.Machines {
		for i, p := range r.Signature.Loops {
			made, err := compiled.Assume(ctx, p, own[i], r.target(m), m)
			switch {
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case errors.As(err, new(*compiled.MissingError)): // its times are those of the operations of the source
			case err != nil:
				out.warn(fmt.Sprintf("%s: its code cannot be made (%v); its times are those of its operations", p.Region, err))
			default:
				all[m][p] = made
			}
		}
	}
	return all, nil
}

// notFollowed says why compiled code could not be followed.
func notFollowed(err error) string {
	return fmt.Sprintf("the compiled code cannot be followed (%v); times are those of code as gcc makes it", err)
}

// uncompiled are blocks as the source has them, on all machines.
func (r *Request) uncompiled(own [][]*timing.Block) loopBlocks {
	all := loopBlocks{}
	for _, m := range r.Machines {
		all[m] = map[*nest.Program][]*timing.Block{}
		for i, p := range r.Signature.Loops {
			all[m][p] = own[i]
		}
	}
	return all
}

// compiledOn gives blocks what they take on a machine.
func (r *Request) compiledOn(ctx context.Context, m *machine.Machine, code *compiled.Code, own [][]*timing.Block, out *PredictionResult) ([][]*timing.Block, error) {
	cycles, err := code.On(ctx, m, len(own))
	if missing := new(compiled.MissingError); errors.As(err, &missing) {
		out.warn(r.Options.said(err) + "; its times are those of code as gcc makes it")
		return nil, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		out.warn(notFollowed(err))
		return nil, nil //nolint:nilerr // the source's times stand
	}
	if m.Instructions == nil {
		out.warn(fmt.Sprintf("%s: what instructions cost was not measured: operations, width and window are the machine's, all else that of %s", m.Name, core.Relative))
	}
	for _, w := range cycles.Warnings {
		out.warn(fmt.Sprintf("%s: %s", m.Name, w))
	}
	given, unknown := cycles.Give(r.Signature.Loops, own)
	for i, p := range r.Signature.Loops {
		if unknown[i] {
			out.warn(fmt.Sprintf("%s: its code is not executed when the compiled program runs; its times are those of code as %s makes it", p.Region, r.target(m)))
			given[i] = nil
		} else if !cycles.Counted(i) {
			out.warn(fmt.Sprintf("%s: how often its function runs in the compiled program is not known, as its body begins in a macro or another file: it is taken to run once", p.Region))
		}
	}
	return given, nil
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
