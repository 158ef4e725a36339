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
		if code, err = compiled.Compile(ctx, r.Compiler, r.Signature.Code, programs); err != nil {
			return nil, err
		}
		if !compiled.OpenMP(r.Compiler) && slices.ContainsFunc(r.Threads, func(n int) bool { return n > 1 }) {
			out.warn(fmt.Sprintf("%s compiles without OpenMP (-fopenmp): its code runs on one thread; times at more are as if the loops were shared out all the same", strings.Join(r.Compiler, " ")))
		}
		for _, w := range code.Warnings {
			out.warn(w)
		}
	}
	all := loopBlocks{}
	for _, m := range r.Machines {
		given := own
		if code != nil {
			var err error
			if given, err = r.compiledOn(m, code, own, out); err != nil {
				return nil, err
			}
		}
		all[m] = map[*nest.Program][]*timing.Block{}
		for i, p := range programs {
			all[m][p] = given[i]
		}
	}
	return all, nil
}

// compiledOn gives blocks what they take on a machine.
func (r *Request) compiledOn(m *machine.Machine, code *compiled.Code, own [][]*timing.Block, out *PredictionResult) ([][]*timing.Block, error) {
	cycles, err := code.On(m, len(own))
	if missing := new(compiled.MissingError); errors.As(err, &missing) {
		out.warn(r.Options.said(err) + "; its times are those of the source")
		return own, nil
	}
	if err != nil {
		return nil, err
	}
	for _, w := range cycles.Warnings {
		out.warn(fmt.Sprintf("%s: %s", m.Name, w))
	}
	given, unknown := cycles.Give(r.Signature.Loops, own)
	for i, p := range r.Signature.Loops {
		if unknown[i] {
			out.warn(fmt.Sprintf("%s: its code is not executed when the compiled program runs; its times are those of the source", p.Region))
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
