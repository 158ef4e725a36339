package predict

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"foresee/application/nest"
	"foresee/machine"
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
		var err error
		code, err = compiled.Compile(ctx, r.Compiler, r.Signature.Code, programs)
		switch {
		case errors.As(err, new(*compiled.CompilerError)), ctx.Err() != nil:
			return nil, err
		case err != nil:
			out.warn(notFollowed(err))
			return r.uncompiled(own), nil
		}
		if !compiled.OpenMP(r.Compiler) && slices.ContainsFunc(r.Threads, func(n int) bool { return n > 1 }) {
			out.warn(fmt.Sprintf("%s compiles without OpenMP (-fopenmp): its code runs on one thread; times at more are as if the loops were shared out all the same", strings.Join(r.Compiler, " ")))
		}
		for _, w := range code.Warnings {
			out.warn(w)
		}
	}
	all := r.uncompiled(own)
	for _, m := range r.Machines {
		given := own
		if code != nil {
			var err error
			if given, err = r.compiledOn(ctx, m, code, own, out); err != nil {
				return nil, err
			}
		}
		for i, p := range programs {
			all[m][p] = given[i]
		}
	}
	return all, nil
}

// notFollowed says why compiled code could not be followed.
func notFollowed(err error) string {
	return fmt.Sprintf("the compiled code cannot be followed (%v); times are those of the source", err)
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
		out.warn(r.Options.said(err) + "; its times are those of the source")
		return own, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		out.warn(notFollowed(err))
		return own, nil //nolint:nilerr // the source's times stand
	}
	for _, w := range cycles.Warnings {
		out.warn(fmt.Sprintf("%s: %s", m.Name, w))
	}
	given, unknown := cycles.Give(r.Signature.Loops, own)
	for i, p := range r.Signature.Loops {
		if unknown[i] {
			out.warn(fmt.Sprintf("%s: its code is not executed when the compiled program runs; its times are those of the source", p.Region))
		} else if !cycles.Counted(i) {
			out.warn(fmt.Sprintf("%s: how often its function runs in the compiled program is not known, as its body begins in a macro or another file: it is taken to run once", p.Region))
		}
	}
	return given, nil
}

// codeOf says whose code the times are of; "" where it is the source alone.
func (r *Request) codeOf(blocks []*timing.Block) string {
	for _, b := range blocks {
		if b.Compiled != nil {
			return strings.Join(r.Compiler, " ")
		}
	}
	return ""
}
