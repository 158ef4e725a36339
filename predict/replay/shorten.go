package replay

import (
	"fmt"
	"math"
	"slices"

	"foresee/application/messages"
)

// How loops are shortened. Chosen.
const (
	worthIt         = 3_000_000 // calls of all ranks from which on a program is shortened: some seconds of simulating
	firstIterations = 4         // that are simulated, doubled until the time of an iteration is the same
	mostIterations  = 64
	mostLoops       = 3
	steadyTo        = 0.005 // share of the whole time that the difference between two estimates may make
)

// loops are the outermost loops that all ranks go through alike, in their order.
type loops struct {
	repeats []int64
	at      [][]int // by rank, where each stands among the rank's nodes
}

// loopsOf finds loops long enough to be shortened; nil where ranks do not have the same ones, or there are none or too many.
func loopsOf(p *messages.Program) *loops {
	l := &loops{at: make([][]int, len(p.Ranks))}
	for r := range p.Ranks {
		var repeats []int64
		for i, node := range p.Ranks[r].Nodes {
			if node.Body != nil && node.Repeats >= 4*firstIterations {
				repeats, l.at[r] = append(repeats, node.Repeats), append(l.at[r], i)
			}
		}
		if r > 0 && !slices.Equal(repeats, l.repeats) {
			return nil
		}
		l.repeats = repeats
	}
	if len(l.repeats) == 0 || len(l.repeats) > mostLoops {
		return nil
	}
	return l
}

// shortened is a program whose loops have as many iterations. What repeats is shared with the whole one.
func (l *loops) shortened(p *messages.Program, iterations []int64) *messages.Program {
	out := *p
	out.Ranks = slices.Clone(p.Ranks)
	for r := range out.Ranks {
		nodes := slices.Clone(p.Ranks[r].Nodes)
		for j, i := range l.at[r] {
			nodes[i].Repeats = min(nodes[i].Repeats, iterations[j])
		}
		out.Ranks[r].Nodes = nodes
	}
	return &out
}

// calls is how many calls all ranks make.
func calls(p *messages.Program) (n float64) {
	for r := range p.Ranks {
		n += float64(messages.Count(p.Ranks[r].Nodes))
	}
	return n
}

// estimate is a program's result, from simulations of a few iterations of its loops where it is long.
type estimate struct {
	program    *messages.Program
	loops      *loops
	iterations int64 // of each loop that were simulated
	apart      float64
	events     int64 // that were simulated
}

// newEstimate says of a program whether it is simulated as a whole.
func newEstimate(p *messages.Program, o Options) *estimate {
	e := &estimate{program: p}
	if o.Noise == 0 && calls(p) >= worthIt {
		e.loops = loopsOf(p)
	}
	return e
}

// run simulates, each loop with more iterations until one takes as long as those before: then the rest is calculated.
func (e *estimate) run(run simulate) (*Result, error) {
	if e.loops == nil {
		r, err := run(e.program, e.events)
		if err == nil {
			e.events += r.Events
		}
		return r, err
	}
	run = once(run)
	before, err := e.steps(run, firstIterations)
	if err != nil {
		return nil, err
	}
	for n := int64(2 * firstIterations); n <= min(mostIterations, slices.Min(e.loops.repeats)/2); n *= 2 {
		now, err := e.steps(run, n)
		if err != nil {
			return nil, err
		}
		if e.apart = e.difference(before, now); e.apart <= steadyTo {
			e.iterations = n
			return now.further(e.loops.repeats), nil
		}
		before = now
	}
	e.loops, e.apart = nil, 0
	return e.run(run)
}

// once simulates programs with the same iterations of their loops once: those with half as many were the whole before.
func once(run simulate) simulate {
	done := map[string]*Result{}
	return func(p *messages.Program, events int64) (*Result, error) {
		key := ""
		for _, node := range p.Ranks[0].Nodes {
			key += fmt.Sprint(node.Repeats, " ")
		}
		if r := done[key]; r != nil {
			known := *r
			known.Events = 0
			return &known, nil
		}
		r, err := run(p, events)
		if err == nil {
			done[key] = r
		}
		return r, err
	}
}

// again is run for an end of the interval, for which few iterations tell enough.
func (e *estimate) again(run simulate) (*Result, error) {
	if e.loops == nil {
		return e.run(run)
	}
	s, err := e.steps(run, firstIterations)
	if err != nil {
		return nil, err
	}
	return s.further(e.loops.repeats), nil
}

// simulate simulates a program, of which so many events were simulated before.
type simulate func(p *messages.Program, events int64) (*Result, error)

// steps are the results with so many iterations of all loops, and of each loop in turn with half of them.
type steps struct {
	iterations int64
	all        *Result
	half       []*Result
}

func (e *estimate) steps(run simulate, n int64) (*steps, error) {
	s := &steps{iterations: n}
	iterations := make([]int64, len(e.loops.repeats))
	for j := range iterations {
		iterations[j] = n
	}
	one := func() (*Result, error) {
		r, err := run(e.loops.shortened(e.program, iterations), e.events)
		if err == nil {
			e.events += r.Events
		}
		return r, err
	}
	var err error
	if s.all, err = one(); err != nil {
		return nil, err
	}
	for j := range iterations {
		iterations[j] = n / 2
		half, err := one()
		if err != nil {
			return nil, err
		}
		s.half = append(s.half, half)
		iterations[j] = n
	}
	return s, nil
}

// difference is how far two estimates of the whole time are from each other, as a share of it: by the time of an iteration of each loop.
func (e *estimate) difference(before, now *steps) float64 {
	whole := now.further(e.loops.repeats).Seconds
	off := 0.0
	for j, repeats := range e.loops.repeats {
		off += math.Abs(now.iteration(j)-before.iteration(j)) * float64(max(repeats-now.iterations, 0))
	}
	return off / whole
}

// iteration is the time of an iteration of a loop.
func (s *steps) iteration(j int) float64 {
	return (s.all.Seconds - s.half[j].Seconds) / float64(s.iterations-s.iterations/2)
}

// further is the result with all iterations: each beyond those that were simulated takes as long as the last half of these.
func (s *steps) further(repeats []int64) *Result {
	out := *s.all
	out.Calls, out.ByRank = slices.Clone(s.all.Calls), slices.Clone(s.all.ByRank)
	for j, half := range s.half {
		out.extend(s.all, half, float64(max(repeats[j]-s.iterations, 0))/float64(s.iterations-s.iterations/2))
	}
	out.Imbalance = imbalance(out.ByRank)
	slices.SortStableFunc(out.Calls, byCost)
	return &out
}

// byCost sorts calls as results list them.
func byCost(a, b CallTime) int {
	switch {
	case a.Mean > b.Mean:
		return -1
	case a.Mean < b.Mean:
		return 1
	}
	return 0
}

// extend adds so many times what a result has beyond another one.
func (r *Result) extend(all, half *Result, times float64) {
	add := func(to *float64, a, b float64) { *to = max(*to+times*(a-b), 0) }
	add(&r.Seconds, all.Seconds, half.Seconds)
	add(&r.Mean.Compute, all.Mean.Compute, half.Mean.Compute)
	add(&r.Mean.Transfer, all.Mean.Transfer, half.Mean.Transfer)
	add(&r.Mean.Waiting, all.Mean.Waiting, half.Mean.Waiting)
	add(&r.Mean.Idle, all.Mean.Idle, half.Mean.Idle)
	r.Messages += int64(math.Round(times * float64(all.Messages-half.Messages)))
	r.Bytes += int64(math.Round(times * float64(all.Bytes-half.Bytes)))
	for i := range r.Calls {
		c := &r.Calls[i]
		a := slices.IndexFunc(all.Calls, func(o CallTime) bool { return o.Call == c.Call })
		b := slices.IndexFunc(half.Calls, func(o CallTime) bool { return o.Call == c.Call })
		if a < 0 || b < 0 {
			continue
		}
		add(&c.Mean, all.Calls[a].Mean, half.Calls[b].Mean)
		add(&c.Max, all.Calls[a].Max, half.Calls[b].Max)
		add(&c.Waiting, all.Calls[a].Waiting, half.Calls[b].Waiting)
	}
	for i := range r.ByRank {
		one, a, b := &r.ByRank[i], all.ByRank[i], half.ByRank[i]
		add(&one.Seconds, a.Seconds, b.Seconds)
		add(&one.Compute, a.Compute, b.Compute)
		add(&one.MPI, a.MPI, b.MPI)
		add(&one.Waiting, a.Waiting, b.Waiting)
		add(&one.Idle, a.Idle, b.Idle)
	}
}

// said is what was not simulated; "" where all was.
func (e *estimate) said() string {
	if e.loops == nil {
		return ""
	}
	return fmt.Sprintf("of each loop %d iterations were simulated, and the others are taken to last as long as these: two estimates of the whole so made differ by %.2f %%, which the interval has", e.iterations, 100*e.apart)
}
