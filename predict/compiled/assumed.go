package compiled

import (
	"context"

	"foresee/application/codegen"
	"foresee/machine"
	"foresee/model/core"
	"foresee/model/timing"
)

// mostAssumed bounds the instructions of a region that are walked. Chosen: a fifth of a second.
const mostAssumed = 3_000_000

// leastAssumed are walked with however little effort. Chosen: some iterations of each loop of a usual region.
const leastAssumed = 100_000

// CoreOf is the core of a machine with what instructions cost on it: measured, or derived from what its file tells.
func CoreOf(m *machine.Machine) (core.Core, core.Costs, error) {
	if x, costs, ok := core.Of(m); ok {
		return x, costs, nil
	}
	if x, costs, ok := core.Derived(m); ok {
		return x, costs, nil
	}
	return core.Core{}, nil, &MissingError{m.Name}
}

// guessedWrongly is the share of branches on data that are guessed wrongly at worst: of those that chance decides.
const guessedWrongly = 0.5

// Assume gives copies of a region's blocks what they take on a machine in code as a compiler like gcc would make it, by package codegen: for where no
// compiler is. The blocks stay as they are, in the order of timing.Blocks, which is that of codegen's. Effort is the share of the usual work, above 0
// and at most 1; 0: all.
func Assume(ctx context.Context, code *codegen.Code, blocks []*timing.Block, m *machine.Machine, effort float64) ([]*timing.Block, error) {
	x, costs, err := CoreOf(m)
	if err != nil {
		return nil, err
	}
	program := make([]core.Instruction, len(code.Instructions))
	for i, text := range code.Instructions {
		program[i], _ = costs.Instruction(text)
		if called := code.Calls[i]; called != "" {
			program[i] = costs.Call(called, core.Given{})
		}
	}
	meter := core.NewMeter(core.New(x, program), code.Places, code.Blocks)
	most := int64(mostAssumed)
	if effort > 0 {
		most = max(int64(mostAssumed*min(effort, 1)), leastAssumed)
	}
	code.Walk(meter, most)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	cycles, instructions, times := meter.Cycles(), meter.Instructions(), meter.Counts()
	out := make([]*timing.Block, len(blocks))
	for i, b := range blocks {
		own := *b
		if n := times[i]; n > 0 {
			own.Compiled = &timing.Compiled{Cycles: cycles[i] / n, Instructions: instructions[i] / n, Assumed: true}
			for _, s := range b.Statements {
				own.Compiled.Unguessed += guessedWrongly * float64(s.Stmt.Branches) * x.Mispredicted * s.Share
			}
			for c := range core.Causes {
				own.Compiled.By[c] = meter.CyclesBy(c)[i] / n
			}
		}
		out[i] = &own
	}
	return out, nil
}
