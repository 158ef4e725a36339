package timing

import (
	"fmt"

	"foresee/machine"
	"foresee/machine/bandwidth"
)

// ErrorNoFit says that a machine has no measured bandwidth function.
type ErrorNoFit struct{ Machine string }

func (e *ErrorNoFit) Error() string {
	return fmt.Sprintf("machine %s has no measured bandwidth function; make its file with foresee machine measure, or take --model overlap", e.Machine)
}

// wordsPerLine is how many accesses of the sweep came to a line at most: so many of a program's wait with it.
const wordsPerLine = 8

// Bandwidth is the convolver of Tikir et al. (SC 2007) with foresee's bandwidth function: the time of memory is that of the lines
// by where they come from and how far they are apart, as the machine's sweep measured it (prefetching and overlap of misses
// included), and it is joined with the core's work and with page walks by the norm that the sweep shows. What the core's window
// exposes of latencies adds up. Lines that are written take the costs of the sweep that reads and writes. With several threads each
// line takes as much longer as the measured teams of cores do.
func Bandwidth(in Input, m *machine.Machine) (*Estimate, error) {
	read := m.Fit(machine.SweepRead)
	if read == nil {
		return nil, &ErrorNoFit{m.Name}
	}
	update := m.Fit(machine.SweepUpdate)
	if update == nil {
		update = read
	}
	c := NewCosts(m)
	e := &Estimate{}
	if err := e.core(in, m, c); err != nil {
		return nil, err
	}
	lines, exposed, walks := 0.0, 0.0, 0.0
	for _, t := range in.Traffic {
		lines += t.Lines
	}
	waiting := min(in.Accesses, wordsPerLine*lines)
	for i, t := range in.Traffic {
		_, _, latency := c.lineCost(t.Level)
		chained, err := m.Seconds(latency)
		if err != nil {
			return nil, err
		}
		ns := 0.0
		for class, share := range t.steps() {
			ns += share * ((1-t.Written)*lineNs(read, i, class) + t.Written*lineNs(update, i, class))
		}
		ns *= contention(m, t.Level, in.together())
		s := t.Lines * (t.Dependent*chained + (1-t.Dependent)*ns*1e-9)
		if gbs, ok := m.Memory.BandwidthGBs.Get(); ok && t.Level == "memory" {
			s = max(s, t.AllLines*c.lineBytes()/(gbs*1e9*float64(m.Sockets.Or(1))))
		}
		e.Levels = append(e.Levels, s)
		e.Memory += s
		if lines > 0 {
			window := waiting * t.Lines / lines * read.Sources[i].WindowNs * 1e-9
			exposed += window
			e.Levels[i] += window
		}
	}
	if n := len(e.Levels); n > 0 { // page tables lie in memory
		walks = in.Walks * read.Walk(in.Table) * 1e-9
		e.Levels[n-1] += walks
	}
	e.Parallel = parallelCost(in, m)
	if err := c.Missing(); err != nil {
		return nil, err
	}
	e.Low = max(e.Compute, e.Memory, walks) + e.Parallel
	e.High = e.Compute + e.Memory + walks + exposed + e.Parallel
	e.Time = bandwidth.Norm(read.Norm, e.Compute, e.Memory, walks) + exposed + e.Parallel
	e.Memory = bandwidth.Norm(read.Norm, e.Memory, walks) + exposed
	e.scaleLevels()
	e.Bound = e.bound(in)
	e.Assumptions = c.assumptions
	return e, nil
}

// together is how many threads use memory at once: one where no code is parallel.
func (in *Input) together() int {
	for _, b := range in.Blocks {
		if b.Parallel {
			return in.Threads
		}
	}
	if len(in.Blocks) == 0 {
		return in.Threads
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
	out[bandwidth.Anywhere().Class()] += 1 - t.Sequential
	return out
}

// contention is how much longer a line takes when so many cores are at work, by the measured teams: between two of them evenly,
// and past the largest as if what all have together grew no more.
func contention(m *machine.Machine, level string, threads int) float64 {
	if m.Measured == nil || threads <= 1 {
		return 1
	}
	worst := 1.0
	for _, stride := range []int{1, wordsPerLine} {
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
