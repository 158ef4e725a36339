package predict

import (
	"math"

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
		page, line := float64(q.machine.Measured.Page), float64(q.machine.Line(&q.machine.Levels[0]))
		if walks, table, err = q.analysis.walks(p.Threads, page, line, f); err != nil {
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
			t.Run = q.run(f, b, references[b], t.Streams)
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
		if bandwidth.StepOf(f.of.steps[r]).Straight() != straight {
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

// followed is how many streams of lines prefetchers follow at a time; those of Intel's L2 caches, one in each of so many pages.
const followed = 32

// run is how many lines of a loop's references in sequence follow one another before others come, the mean by lines; 0: very many.
func (q *query) run(f *flow, b *timing.Block, references []int, streams float64) float64 {
	if b == nil {
		return 0
	}
	starts, all := 0.0, 0.0
	for _, r := range references {
		if f.lines[r] > 0 && bandwidth.StepOf(f.of.steps[r]).Straight() {
			all += f.lines[r]
			starts += f.lines[r] / runLines(f.of.nest.Reference(r).Origin(), b, float64(q.machine.Line(&q.machine.Levels[0])), streams)
		}
	}
	if starts == 0 {
		return 0
	}
	return all / starts
}

// runLines is how many lines an access comes to in sequence before it goes on elsewhere, where more streams begin than prefetchers follow;
// infinite where it does not.
func runLines(a *nest.Access, b *timing.Block, line, streams float64) float64 {
	length := 0.0 // bytes of a run, once the loop that moves the access is found
	for ; b != nil && b.Loop != nil; b = b.Around {
		trip, advance := b.Executions/max(b.Entries, 1), math.Abs(float64(a.Advance(b.Loop)))
		switch {
		case advance == 0:
		case length == 0:
			length = trip * advance
		case math.Abs(advance-length) <= line: // goes on where it ended
			length *= trip
		case trip*max(streams, 1) > followed:
			return max(length/line, 1)
		default:
			return math.Inf(1)
		}
	}
	return math.Inf(1)
}
