package timing

import (
	"fmt"
	"math"

	"foresee/machine"
	"foresee/machine/bandwidth"
)

// NoFitError says that a machine has no measured bandwidth function.
type NoFitError struct{ Machine string }

func (e *NoFitError) Error() string {
	return fmt.Sprintf("machine %s has no measured bandwidth function", e.Machine)
}

// Bandwidth is the convolver (of PMaC, Tikir et al., SC 2007) with foresee's bandwidth function, by loop where the input has phases: the time of
// memory is that of the lines by where they come from and how far they are apart, as the machine's sweep measured it (prefetching and
// overlap of misses included), and it is joined with the core's work and with page walks by the norm that the sweep shows. What is
// left exposed of latencies adds up. Lines that are written take the costs of the sweep that reads and writes. With several threads
// each line takes as much longer as the measured teams of cores do.
func Bandwidth(in Input, m *machine.Machine) (*Estimate, error) {
	read := m.Fit(machine.SweepRead)
	if read == nil {
		return nil, &NoFitError{m.Name}
	}
	update := m.Fit(machine.SweepUpdate)
	if update == nil {
		update = read
	}
	v := &convolver{m: m, costs: NewCosts(m), read: read, update: update, in: in}
	e := &Estimate{Levels: make([]float64, len(in.Traffic))}
	if err := e.core(in, m, v.costs); err != nil {
		return nil, err
	}
	phases := in.Phases
	if len(phases) == 0 {
		phases = []Phase{{in.Blocks, in.Traffic, in.Walks, in.Table}}
	}
	rest := e.Compute
	for _, p := range phases {
		core, _, err := coreSeconds(in, p.Blocks, m, v.costs)
		if err != nil {
			return nil, err
		}
		rest -= core
		if err := v.add(e, p, core); err != nil {
			return nil, err
		}
	}
	rest = max(rest, 0)
	fastest, slowest := e.parallel(in, m)
	if err := v.costs.Missing(); err != nil {
		return nil, err
	}
	e.Time += rest + e.Parallel
	e.Low += rest + fastest
	e.High += rest + slowest
	e.scaleLevels()
	e.faults(in, m)
	e.Bound = e.bound(in)
	e.Assumptions = append(e.Assumptions, v.costs.assumptions...)
	return e, nil
}

// convolver puts phases together.
type convolver struct {
	in           Input
	m            *machine.Machine
	costs        *Costs
	read, update *bandwidth.Extended
}

// add adds the time of a phase to an estimate, and to those of its parts but the core's.
func (v *convolver) add(e *Estimate, p Phase, core float64) error {
	lines, exposed := 0.0, 0.0
	filling, err := v.filling(p.Blocks)
	if err != nil {
		return err
	}
	filling = min(filling, core)
	if v.in.Waits == nil && len(p.Traffic) > 1 && followed(p.Blocks) {
		filled, err := v.m.Seconds(fillCycles * p.Traffic[0].Lines)
		if err != nil {
			return err
		}
		core += filled
	}
	waiting := 0.0
	for i, t := range p.Traffic {
		stands := 0.0
		if v.in.Waits != nil {
			var cycles float64
			cycles, t = v.in.Waits.on(i, t)
			if stands, err = v.m.Seconds(cycles); err != nil {
				return err
			}
		}
		s, wait, err := v.lines(i, t, filling, p.busyThreads(v.in))
		if err != nil {
			return err
		}
		if v.in.Waits != nil {
			wait = 0
		}
		waiting += stands
		e.Levels[i] += stands
		if i == 0 && len(p.Traffic) > 1 && followed(p.Blocks) { // not from memory
			wait = 0
		}
		e.Levels[i] += s + wait
		e.Fastest += v.costs.fastest(t)
		lines += s
		exposed += wait
		e.High += v.unswept(i, t, core)
	}
	walks := p.Walks * v.read.Walk(p.Table) * 1e-9
	if n := len(e.Levels); n > 0 { // page tables lie in memory
		e.Levels[n-1] += walks
	}
	norm := v.read.Norm
	time := bandwidth.Norm(norm, core+waiting, lines, walks) + exposed
	if v.in.Waits == nil {
		full, inner, err := v.windows(p, core, walks)
		if err != nil {
			return err
		}
		if more := full - inner - time; more > 0 {
			time += more
			exposed += more
			e.Levels[len(e.Levels)-1] += more
		}
	}
	e.Time += time
	e.Memory += bandwidth.Norm(norm, lines, walks) + exposed + waiting
	e.Low += max(core+waiting, lines, walks)
	e.High += core + waiting + lines + walks + exposed
	return nil
}

// fillCycles is for how many cycles the first cache serves no load or store of code that was followed with all data in it, while a line from the second one
// comes in. Chosen on half of the example kernels at SMALL on a virtual Zen 5 (least mean error of 0 to 2 in steps of a quarter, 14.6 % for 16.8 without): a line and
// what it takes the place of go through the ports of loads and stores. Chosen as well: lines from farther out take none; were they to take one too, that half would have 14.5 %.
const fillCycles = 1

// followed says whether all code of a phase was followed through the core. Addresses of loop nests hang on nothing that is loaded, so that loads from L2
// begin as long before their values are needed as the core looks ahead: some hundreds of instructions, for ten cycles more than those from L1.
func followed(blocks []*Block) bool {
	for _, b := range blocks {
		if b.Executions > 0 && b.Compiled == nil {
			return false
		}
	}
	return len(blocks) > 0
}

// What sweeps do not tell.
const (
	// sweptWork is how many ns of work for each line of a single array the sweeps have at most, about (machine/probe).
	sweptWork = 5
	// fewStreams is up to how many streams count as one. Chosen: a second one with an eighth of the lines makes 1.28.
	fewStreams = 1.25
)

// unswept is how much longer lines may take, in seconds, that come in a single stream with more work between them than is swept, so that
// prefetchers may give up: as if they were far from one another.
func (v *convolver) unswept(i int, t Traffic, core float64) float64 {
	if t.Lines <= 0 || t.Streams > fewStreams {
		return 0
	}
	work := core * 1e9 / t.Lines
	if t.Between > 0 {
		work = min(work, core*1e9*t.Between)
	}
	if work < sweptWork {
		return 0
	}
	s, steps := &v.read.Sources[i], t.steps()
	return t.Lines * bandwidth.SequentialShare(&steps) * (s.UnprefetchedNs + v.read.UnprefetchedExposed(i, work) - s.SequentialNs) * 1e-9
}

// filling is how long the instructions of blocks take to enter the core's window: work that waits for itself leaves it open.
func (v *convolver) filling(blocks []*Block) (float64, error) {
	cycles := 0.0
	width := positive(need(v.costs, v.m.Core.IssueWidth, "core.issue_width"), 4)
	for _, b := range blocks {
		cycles += b.Executions * b.Instructions() / width * slowestShare(b, v.in)
	}
	return v.m.Seconds(cycles)
}

// lines is the time of a phase's lines from one level, and what they leave exposed, in seconds. The phase's instructions take so long
// to enter the core's window, and so many threads use memory at once.
func (v *convolver) lines(i int, t Traffic, filling float64, busy int) (s, exposed float64, err error) {
	if t.Lines <= 0 {
		return 0, 0, nil
	}
	_, _, latency := v.costs.lineCost(t.Level)
	chained, err := v.m.Seconds(latency)
	if err != nil {
		return 0, 0, err
	}
	work := func(between float64) float64 {
		if between <= 0 {
			between = 1
		}
		return filling * 1e9 * min(between, 1/t.Lines)
	}
	both := func(of func(f *bandwidth.Extended) float64) float64 {
		return (1-t.Written)*of(v.read) + t.Written*of(v.update)
	}
	ns, steps := 0.0, t.steps()
	for class, share := range steps {
		ns += share * both(func(f *bandwidth.Extended) float64 { return lineNs(f, i, class) })
	}
	ns *= contention(v.m, t.Level, busy)
	s = t.Lines * (t.Dependent*chained + (1-t.Dependent)*ns*1e-9)
	s = max(s, v.costs.together(t, v.read.Sources[i].SequentialNs*1e-9))
	straight := bandwidth.SequentialShare(&steps)
	wait := both(func(f *bandwidth.Extended) float64 {
		sequential := f.Exposed(i, work(t.Between), t.Streams)
		if t.Run > 0 {
			sequential += t.Begun * f.Start(i, t.Run)
		}
		return straight*sequential + (1-straight)*f.UnprefetchedExposed(i, work(t.FarBetween))
	})
	return s, t.Lines * (1 - t.Dependent) * wait * 1e-9, nil
}

// busyThreads is how many threads use memory at once: one where none of the code is parallel, else those that have work.
func (p *Phase) busyThreads(in Input) int {
	busy := max(1, int(math.Round(float64(in.Threads)/max(in.Imbalance, 1))))
	for _, b := range p.Blocks {
		if b.Parallel {
			return busy
		}
	}
	if len(p.Blocks) == 0 {
		return busy
	}
	return 1
}

// scaleLevels makes the levels' times add up to that of memory.
func (e *Estimate) scaleLevels() {
	sum := 0.0
	for _, s := range e.Levels {
		sum += s
	}
	for i := range e.Levels {
		if sum > 0 {
			e.Levels[i] *= e.Memory / sum
		}
	}
}

// lineNs is the cost of a line of a step class.
func lineNs(f *bandwidth.Extended, source, class int) float64 {
	return f.Line(source, bandwidth.StepOf(class))
}

// steps are the shares of lines by step, known or from the share in sequence.
func (t *Traffic) steps() [bandwidth.Steps]float64 {
	sum := 0.0
	for _, s := range t.Steps {
		sum += s
	}
	if sum > 0 {
		out := t.Steps
		for i := range out {
			out[i] /= sum
		}
		return out
	}
	var out [bandwidth.Steps]float64
	out[0] = t.Sequential
	out[bandwidth.RandomStep().Class()] += 1 - t.Sequential
	return out
}

// contention is how much longer a line takes when so many cores are at work, and those of other processes, by the measured teams: between two of
// them evenly, and past the largest as if what all have together grew no more.
func contention(m *machine.Machine, level string, threads int) float64 {
	threads *= 1 + m.Others
	if m.Measured == nil || threads <= 1 {
		return 1
	}
	worst := 1.0
	for _, stride := range []int{1, 8} {
		before, factorBefore := 1, 1.0
		for _, t := range m.Measured.Teams {
			if t.Level != level || t.Stride != stride || t.GBs <= 0 || t.Threads == 1 {
				continue
			}
			factor := max(1, t.Alone*float64(t.Threads)/t.GBs)
			if t.Threads >= threads {
				share := float64(threads-before) / float64(t.Threads-before)
				factorBefore += share * (factor - factorBefore)
				before = threads
				break
			}
			before, factorBefore = t.Threads, factor
		}
		if before < threads && before > 1 && factorBefore > 1 {
			factorBefore *= float64(threads) / float64(before)
		}
		worst = max(worst, factorBefore)
	}
	return worst
}
