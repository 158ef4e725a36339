package predict

import (
	"math"

	"foresee/application/nest"
	"foresee/machine"
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
			t.Between = q.between(f, b, references[b]) / (slowest * max(t.Streams, 1))
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

// between is the share of all executions of a loop that lie between two lines of a reference, the mean of its references by
// their lines; 0 where that is not known.
func (q *query) between(f *flow, b *timing.Block, references []int) float64 {
	if b == nil || b.Loop == nil || b.Executions == 0 {
		return 0
	}
	line := float64(q.machine.Line(&q.machine.Levels[0]))
	sum, all := 0.0, 0.0
	for _, r := range references {
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
