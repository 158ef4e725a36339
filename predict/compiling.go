//go:build !js

package predict

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"foresee/application"
	"foresee/application/emulate"
	"foresee/machine"
	"foresee/model/timing"
	"foresee/predict/compiled"
)

// compile has the compiler that is named make the source's code; nil where none is named, is here, or makes code that can be followed.
func (r *Request) compile(ctx context.Context, out *PredictionResult) (*compiled.Code, error) {
	if len(r.Compiler) == 0 || r.Uncompiled || r.Signature.Kind == application.Module && r.Signature.Code == nil {
		return nil, nil //nolint:nilnil // no code is no error
	}
	if r.Signature.Code == nil {
		return nil, ErrNoCode
	}
	if _, err := exec.LookPath(r.Compiler[0]); err != nil {
		out.warn(fmt.Sprintf("%s is not here: times are those of code as %s makes it", r.Compiler[0], r.target(r.Machines[0])))
		return nil, nil //nolint:nilnil,nilerr // its code is made by foresee
	}
	code, err := compiled.Compile(ctx, r.Compiler, r.Signature.Code, r.Signature.Loops)
	switch {
	case errors.As(err, new(*compiled.CompilerError)), ctx.Err() != nil:
		return nil, err
	case err != nil:
		out.warn(notFollowed(err))
		return nil, nil //nolint:nilnil,nilerr // its code is made by foresee
	}
	if !compiled.OpenMP(r.Compiler) && slices.ContainsFunc(r.Threads, func(n int) bool { return n > 1 }) {
		out.warn(fmt.Sprintf("%s compiles without OpenMP (-fopenmp): its code runs on one thread; times at more are as if the loops were shared out all the same", strings.Join(r.Compiler, " ")))
	}
	for _, w := range code.Warnings {
		out.warn(w)
	}
	return code, nil
}

// otherRun is how many times as often a function must be entered for it to be said that compiled code is followed with other data than in the run
// that was made. Chosen: iterations that go on until something converges differ by less.
const otherRun = 1.5

// order is that in which the compiler puts iterations.
func (r *Request) order(ctx context.Context, code *compiled.Code) (compiled.Reordered, error) {
	switch {
	case code != nil:
		return code.Reordered, nil
	case r.Reordered && len(r.Compiler) > 0 && r.Signature.Code != nil:
		return compiled.Order(ctx, r.Compiler, r.Signature.Code, r.Signature.Loops)
	}
	return compiled.Reordered{}, nil
}

// notFollowed says why compiled code could not be followed.
func notFollowed(err error) string {
	switch {
	case errors.Is(err, compiled.ErrNoMain):
		err = fmt.Errorf("%w; add a main to it that does", err)
	case errors.Is(err, emulate.ErrNowhere):
		err = fmt.Errorf("%w, as where a program expects arguments: let a run give them", err)
	}
	return fmt.Sprintf("the compiled code cannot be followed (%v); times are those of code as gcc makes it", err)
}

// compiledOn gives blocks what they take on a machine; nil for regions of which the code does not tell it.
func (r *Request) compiledOn(ctx context.Context, m *machine.Machine, code *compiled.Code, own [][]*timing.Block, out *PredictionResult) ([][]*timing.Block, error) {
	cycles, err := code.On(ctx, m, r.Signature.Loops)
	if missing := new(compiled.MissingError); errors.As(err, &missing) {
		out.warn(r.Options.said(err) + "; its times are those of code as gcc makes it")
		return make([][]*timing.Block, len(own)), nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		out.warn(notFollowed(err))
		return make([][]*timing.Block, len(own)), nil //nolint:nilerr // code is made by foresee
	}
	if m.Instructions == nil {
		out.warn(derivedCore(m))
	}
	for _, w := range cycles.Warnings {
		out.warn(fmt.Sprintf("%s: %s", m.Name, w))
	}
	given, unknown := cycles.Give(r.Signature.Loops, own)
	for i, p := range r.Signature.Loops {
		if n, ran := cycles.Runs(i), compiled.Entries(r.Signature.Loops, p); ran > 0 && n > 0 && max(n, ran) > otherRun*min(n, ran) {
			out.warn(fmt.Sprintf("%s: the compiled code enters it %.4g times when it is followed, the run entered it %.4g times: what the program reads there may be other data than here, and the core's time that of other sizes", p.Region, n, ran))
		}
		if unknown[i] {
			out.warn(fmt.Sprintf("%s: its code is not executed when the compiled program runs; its times are those of code as %s makes it", p.Region, r.target(m)))
			given[i] = nil
		} else if !cycles.Counted(i) && p.Function != "" {
			out.warn(fmt.Sprintf("%s: how often its function runs in the compiled program is not told; its times are those of code as %s makes it", p.Region, r.target(m)))
			given[i] = nil
		} else if !cycles.Counted(i) {
			out.warn(fmt.Sprintf("%s: how often its function runs in the compiled program is not known, as its body begins in a macro or another file: it is taken to run once", p.Region))
		}
	}
	return given, nil
}
