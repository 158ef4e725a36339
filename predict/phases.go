package predict

import (
	"math"
	"slices"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/timing"
)

// phases divides a program's traffic and page walks among its innermost loops and what lies outside loops.
func (q *query) phases(p *Prediction, levels []levelHits, balance nest.Balance) ([]timing.Phase, error) {
	if len(levels) == 0 {
		return nil, nil
	}
	st := levels[0].missed.of
	references := map[*timing.Block][]int{}
	at := map[*nest.Access]*timing.Block{}
	for _, b := range q.blocks {
		for _, w := range b.Statements {
			for _, a := range w.Stmt.Accesses {
				at[a] = b
			}
		}
	}
	for r := range st.nest.References() {
		b := at[st.nest.Reference(r).Origin()]
		references[b] = append(references[b], r)
	}
	var walks, table []float64
	if f := q.machine.Fit(machine.SweepRead); f != nil {
		var err error
		if walks, table, err = q.analysis.walks(q.machine, p.Threads, f); err != nil {
			return nil, err
		}
	}
	var flows []*flow
	for i := range levels {
		flows = append(flows, newFlow(p, levels, i))
	}
	var out []timing.Phase
	for _, b := range append([]*timing.Block{nil}, q.blocks...) {
		if len(references[b]) == 0 {
			continue
		}
		phase, slowest := timing.Phase{}, slowestShare(balance, p.Threads)
		if b != nil {
			phase.Blocks = []*timing.Block{b}
			slowest = 1
			if b.Parallel && !b.Serialised {
				slowest = min(1, balance.Imbalance/float64(p.Threads))
			}
		}
		accesses := float64(p.Accesses) * slowest
		for _, f := range flows {
			t := f.traffic(references[b], slowest)
			beside := slowest * max(t.Streams, 1)
			t.Between, t.FarBetween = q.between(f, b, references[b], true)/beside, q.between(f, b, references[b], false)/beside
			t.Run, t.Begun = q.run(f, b, references[b], t.Streams)
			phase.Traffic = append(phase.Traffic, t)
		}
		far := 0.0
		for _, r := range references[b] {
			if r < len(walks) {
				phase.Walks += walks[r] * accesses
				far += table[r] * accesses
			}
		}
		if phase.Walks > 0 {
			phase.Table = far / phase.Walks
		}
		out = append(out, phase)
	}
	return out, nil
}

// between is the share of all executions of a loop that lie between two lines of a reference, the mean by their lines of its references
// whose lines come in sequence, or of the others; 0 where that is not known.
func (q *query) between(f *flow, b *timing.Block, references []int, straight bool) float64 {
	if b == nil || b.Loop == nil || b.Executions == 0 {
		return 0
	}
	line := float64(q.machine.Line(&q.machine.Levels[0]))
	sum, all := 0.0, 0.0
	for _, r := range references {
		if bandwidth.StepOf(f.of.steps[r]).Sequential() != straight {
			continue
		}
		a := f.of.nest.Reference(r).Origin()
		for mover := b; mover != nil && mover.Loop != nil && f.lines[r] > 0; mover = mover.Around {
			if stride := math.Abs(float64(a.Advance(mover.Loop))); stride > 0 {
				sum += f.lines[r] * max(1, line/stride) / mover.Executions
				all += f.lines[r]
				break
			}
		}
	}
	if all == 0 {
		return 0
	}
	return min(sum/all, 1)
}

// run is how many lines of a loop's references in sequence follow one another before others come, the mean by lines, and the share of these
// runs that prefetchers must find anew; 0 where none end.
func (q *query) run(f *flow, b *timing.Block, references []int, streams float64) (lines, begun float64) {
	if b == nil {
		return 0, 0
	}
	runs, anew, all := 0.0, 0.0, 0.0
	followed := float64(q.machine.PrefetchStreams())
	for _, r := range references {
		if f.lines[r] > 0 && bandwidth.StepOf(f.of.steps[r]).Sequential() {
			length, places := runOf(f.of.nest.Reference(r).Origin(), b, float64(f.line), max(streams, 1))
			all += f.lines[r]
			runs += f.lines[r] / length
			anew += f.lines[r] / length * bandwidth.BegunAnew(places, followed)
		}
	}
	if anew == 0 {
		return 0, 0
	}
	return all / runs, anew / runs
}

// runOf is how many lines an access comes to in sequence before it goes on elsewhere, infinite where it does not, and how many other such
// runs come before it goes on where it ended.
func runOf(a *nest.Access, b *timing.Block, line, streams float64) (lines, places float64) {
	length := 0.0 // bytes from the beginning of a run to that of the next in line with it; negative downwards
	lines, places = math.Inf(1), streams
	var loops []*nest.Loop
	for o := b; o != nil && o.Loop != nil; o = o.Around {
		loops = append(loops, o.Loop)
	}
	slices.Reverse(loops)
	jumped := false
	for i := len(loops) - 1; i >= 0; i, b = i-1, b.Around {
		trip, advance := b.Executions/max(b.Entries, 1), float64(a.AdvanceOver(loops, i))
		switch {
		case advance == 0 || trip <= 1:
		case length == 0:
			length = trip * advance
			lines = max(min(math.Abs(length)/line, trip), 1)
		case math.Abs(advance-length) > line:
			jumped = true
			places *= trip
		case jumped: // on from where the run ended
			return lines, places
		default:
			length *= trip
			lines *= trip
		}
	}
	if !jumped {
		return math.Inf(1), places
	}
	return lines, places
}
