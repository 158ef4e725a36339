package compiled

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"foresee/application/assembly"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/core"
	"foresee/model/timing"
)

// Cycles are what the code takes on a machine.
type Cycles struct {
	code         *Code
	cycles       []float64              // of the whole run, by place
	instructions []float64              // likewise
	by           [core.Causes][]float64 // cycles likewise, by what binds them
	runs         []float64              // of the function of each region: its mark is one instruction
	iterations   []float64              // of each of the code's early loops
	stale        bool                   // branches were guessed wrongly as often as with data of before
	Warnings     []string
}

// MissingError says that a machine's instructions were not measured, nor can what they cost be derived.
type MissingError struct{ Machine string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("machine %s does not say what its instructions cost (instructions), nor its operations and core", e.Machine)
}

// mostUnmeasured is the share of instructions of unknown cost above which the user is warned. Chosen: below it no guess of a cost matters.
const mostUnmeasured = 0.01

// On follows the code through the core of a machine.
func (c *Code) On(ctx context.Context, m *machine.Machine, programs []*nest.Program) (*Cycles, error) {
	x, costs, err := CoreOf(m)
	if err != nil {
		return nil, err
	}
	p, err := c.load(ctx)
	if err != nil {
		return nil, err
	}
	program := make([]core.Instruction, p.Operations())
	unmeasured := make([]bool, len(program))
	var before []*assembly.Instruction
	for i := range program {
		known, text := false, p.Instruction(int32(i))
		program[i], known = costs.Instruction(text)
		unmeasured[i] = !known
		if called := p.LibraryCall(int32(i)); called != "" {
			program[i] = costs.Call(called, core.GivenBy(before))
		}
		before = append(before, text)
		program[i].Place = c.layout[text.Line()]
	}
	meter := core.NewMeter(core.New(x, program), c.of, len(c.places))
	meter.Helpers(c.helpers(programs), c.calls)
	p.Sample(meter, c.kept)
	if c.decided {
		p.Exact()
	}
	p.Copied = meter.Copy
	if err := c.run(p); err != nil {
		return nil, err
	}
	out := &Cycles{code: c, cycles: meter.Cycles(), instructions: meter.Instructions(), runs: make([]float64, len(programs)), iterations: make([]float64, len(c.early))}
	for c := range core.Causes {
		out.by[c] = meter.CyclesBy(c)
	}
	if p.Stale() {
		out.Warnings = append(out.Warnings, "the program's data decide its course, and it is too long to be followed whole: the times of its later part are made with the data of the earlier one, and branches are guessed wrongly as often as there: intervals reach down to where none is")
		out.stale = true
	}
	out.count(programs)
	out.tellUnmeasured(p.Form, unmeasured)
	return out, nil
}

// count finds how often the functions of regions run: as often as the instruction that they begin with, and where they were put into others as the
// most frequent one that is in none of their loops, or enters one; copies of such a place add up.
func (c *Cycles) count(programs []*nest.Program) {
	most := map[copyOf]float64{}
	looped := map[*origin]bool{}
	for i, n := range c.instructions {
		for _, r := range c.code.places[i].regions {
			c.runs[r] += n
		}
		for _, l := range c.code.places[i].loops {
			c.iterations[l] += n
		}
		for _, o := range c.code.places[i].once {
			looped[o.of] = looped[o.of] || o.loop && n > 0
			most[o] = max(most[o], n)
		}
	}
	sums := map[*origin]float64{}
	for o, n := range most {
		switch {
		case o.loop:
			sums[o.of] += n
		case !looped[o.of]:
			sums[o.of] = max(sums[o.of], n)
		}
	}
	for o, n := range sums {
		for i, p := range programs {
			if o.is(p.Function) {
				c.runs[i] += n
			}
		}
	}
}

// Counted says whether it is known how often the function of a region runs; else it is taken to run once.
func (c *Cycles) Counted(region int) bool { return c.Runs(region) > 0 }

// Runs is how often the function of a region runs in the whole program; 0 where that is not known.
func (c *Cycles) Runs(region int) float64 { return c.runs[region] }

// tellUnmeasured warns of instructions whose cost nobody measured.
func (c *Cycles) tellUnmeasured(form func(int32) string, unmeasured []bool) {
	all, unknown := 0.0, 0.0
	forms := map[string]bool{}
	in := make([]float64, len(c.instructions)) // how many operations share a place
	for _, at := range c.code.of {
		in[at]++
	}
	for i, at := range c.code.of {
		n := c.instructions[at] / in[at]
		all += n
		if unmeasured[i] {
			unknown += n
			forms[form(int32(i))] = true
		}
	}
	if unknown > mostUnmeasured*all {
		c.Warnings = append(c.Warnings, fmt.Sprintf("of %.0f %% of the instructions the cost was not measured and is taken as usual: %s", 100*unknown/all, strings.Join(slices.Sorted(maps.Keys(forms)), "; ")))
	}
}

// Give gives blocks of regions what an execution of each takes; the blocks that it returns are copies. Where nothing of a region's code was
// executed, its blocks get no code, and the second result says so.
func (c *Cycles) Give(programs []*nest.Program, blocks [][]*timing.Block) (out [][]*timing.Block, unknown []bool) {
	unknown = make([]bool, len(programs))
	var all []*region
	for i := range programs {
		own, r := copied(blocks[i])
		p := programs[i]
		r.function = p.Function
		r.file, r.first, r.last = filepath.Base(p.Entry.File), p.Entry.Line, p.Exit.Line
		if all := Entries(programs, p); all > 0 { // of its runs those with the values of this region
			r.runs = cmp.Or(c.runs[i], all) * float64(p.Entered) / all
		} else {
			r.runs = c.runs[i]
		}
		out = append(out, own)
		all = append(all, r)
	}
	for _, r := range all {
		for _, o := range all {
			if o.calls(r) && !r.calls(o) {
				r.callers = append(r.callers, o)
			}
		}
	}
	for at := range c.cycles {
		if c.instructions[at] > 0 {
			c.deal(at, all)
		}
	}
	scales := c.scales(programs, blocks)
	for i := range out {
		unknown[i] = !finish(out[i], all[i].runs, scales)
	}
	return out, unknown
}

// deal gives what a line took to the blocks that it belongs to. Each region gets the share of all executions of the line that are its own: as its
// blocks' work there is to that of all regions that no other calls, as those hold all of it, each as often as its function runs. So a function's
// cycles count in full for itself and for the one that calls it, and are parted among several callers.
func (c *Cycles) deal(at int, all []*region) {
	from := c.code.places[at]
	stack := frames(assembly.Place{File: from.file, Line: from.line}, from.from)
	to := within(stack, all)
	to = append(to, calling(stack, to, all)...)
	if len(to) == 0 {
		to = owners(placed(from.file, from.line), all)
	}
	for i := 1; len(to) == 0 && i < len(stack); i++ { // of what no region has, such as an intrinsic, the call
		to = owners(stack[i].Place, all)
	}
	shares := sharesOf(to)
	for i, w := range to {
		w.block.Compiled.Cycles += shares[i] * c.cycles[at]
		w.block.Compiled.Instructions += shares[i] * c.instructions[at]
		for cause := range c.by {
			w.block.Compiled.By[cause] += shares[i] * c.by[cause][at]
		}
		if c.stale {
			w.block.Compiled.Doubted += shares[i] * c.by[core.ByMispredictions][at]
		}
	}
}

// helpers are the instructions of functions that are no region's, nor put into one, and in whose lines no region has work: what they cost is the
// cost of their calls.
func (c *Code) helpers(programs []*nest.Program) []bool {
	work := map[assembly.Place]bool{}
	for _, p := range programs {
		nest.Walk(p.Body, func(n nest.Node) {
			switch n := n.(type) {
			case *nest.Stmt:
				work[placed(n.Pos.File, n.Pos.Line)] = true
			case *nest.Loop:
				work[placed(n.Pos.File, n.Pos.Line)] = true
			}
		})
	}
	owned := func(f frame) bool {
		return work[f.Place] || slices.ContainsFunc(programs, func(p *nest.Program) bool {
			return f.function.is(p.Function) || filepath.Base(p.Entry.File) == f.File && p.Entry.Line <= f.Line && f.Line <= p.Exit.Line
		})
	}
	of := make([]bool, len(c.places))
	for i, at := range c.places {
		stack := frames(assembly.Place{File: at.file, Line: at.line}, at.from)
		if len(stack) == 0 { // clang -g1 says nothing of functions into which none was put
			stack = []frame{{placed(at.file, at.line), &origin{}}}
		}
		of[i] = !slices.ContainsFunc(stack, owned)
	}
	out := make([]bool, len(c.of))
	for i, at := range c.of {
		out[i] = of[at]
	}
	return out
}

// Entries is how often the function of a region was entered in a run, with all its values; 0 where there was none.
func Entries(all []*nest.Program, of *nest.Program) (n float64) {
	for _, p := range all {
		if p.Entry == of.Entry {
			n += float64(p.Entered)
		}
	}
	return n
}

// sharesOf are the shares of a line's executions that blocks have, which add up to one for the regions that no other of them calls.
func sharesOf(to []weight) []float64 {
	executed := func(w weight) float64 { return w.work * max(w.of.runs, 1) }
	work := map[*region]float64{}
	for _, w := range to {
		work[w.of] += executed(w)
	}
	all, outer, most := 0.0, 0.0, 0.0
	for _, w := range to {
		all += executed(w)
		most = max(most, work[w.of])
		if !slices.ContainsFunc(w.of.callers, func(c *region) bool { _, here := work[c]; return here }) {
			outer += executed(w)
		}
	}
	if outer == 0 { // they call one another
		outer = all
	}
	shares := make([]float64, len(to))
	for i, w := range to {
		if shares[i] = 1 / float64(len(to)); all > 0 {
			shares[i] = executed(w) / max(outer, most) // a function may be called from elsewhere as well
		}
	}
	return shares
}

// finish makes of sums over so many runs what an execution takes; false where nothing was executed. scales are shares of the executions of loops that were followed.
func finish(blocks []*timing.Block, runs float64, scales map[*nest.Loop]float64) bool {
	if runs <= 0 {
		runs = 1
	}
	sum := 0.0
	for _, b := range blocks {
		sum += b.Compiled.Instructions
	}
	for _, b := range blocks {
		if sum == 0 {
			b.Compiled = nil
			continue
		}
		n := runs * b.Executions
		if s, ok := scales[b.Loop]; ok {
			n *= s
		}
		if n > 0 {
			b.Compiled.Cycles /= n
			b.Compiled.Instructions /= n
			b.Compiled.Doubted /= n
			for cause := range b.Compiled.By {
				b.Compiled.By[cause] /= n
			}
		}
	}
	return sum > 0
}
