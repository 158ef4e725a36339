package traffic

import (
	"math"
	"slices"

	"foresee/application/nest"
	"foresee/machine/bandwidth"
	"foresee/model/timing"
)

// Phases divides the traffic and the page walks among a program's innermost loops and what lies outside loops. Walks are of a stream with the
// same references, whose lines are pages; without any, none are counted.
func (r *Run) Phases(blocks []*timing.Block, walks Walks) []timing.Phase {
	if len(r.Levels) == 0 {
		return nil
	}
	references := referencesOf(blocks, r.Levels[0].Missed.of)
	flows := r.flows()
	line := float64(r.Levels[0].Line)
	var out []timing.Phase
	for _, b := range append([]*timing.Block{nil}, blocks...) {
		if len(references[b]) == 0 {
			continue
		}
		phase, slowest := timing.Phase{}, r.slowestOf(b)
		if b != nil {
			phase.Blocks = []*timing.Block{b}
		}
		for _, f := range flows {
			t := f.traffic(references[b], slowest)
			beside := slowest * max(t.Streams, 1)
			t.Between, t.FarBetween = between(f, b, references[b], line, true)/beside, between(f, b, references[b], line, false)/beside
			t.Run, t.Begun = run(f, b, references[b], t.Streams, float64(r.Followed))
			phase.Traffic = append(phase.Traffic, t)
		}
		phase.Walks, phase.Table = walks.of(references[b], float64(r.Accesses)*slowest)
		out = append(out, phase)
	}
	return out
}

// referencesOf are the references of a stream by the block that makes them; nil stands for what lies outside all.
func referencesOf(blocks []*timing.Block, st *Stream) map[*timing.Block][]int {
	at := map[*nest.Access]*timing.Block{}
	for _, b := range blocks {
		for _, w := range b.Statements {
			for _, a := range w.Stmt.Accesses {
				at[a] = b
			}
		}
	}
	out := map[*timing.Block][]int{}
	for r := range st.Nest.References() {
		b := at[st.Nest.Reference(r).Origin()]
		out[b] = append(out[b], r)
	}
	return out
}

// slowestOf is the share of a block's accesses that the slowest thread makes.
func (r *Run) slowestOf(b *timing.Block) float64 {
	switch {
	case b == nil:
		return slowestShare(r.Balance, r.Threads)
	case b.Repeated && !b.Serialised: // its accesses are those of all threads
		return 1 / float64(r.Threads)
	case b.Parallel && !b.Serialised:
		return min(1, r.Balance.Imbalance/float64(r.Threads))
	}
	return 1
}

// between is the share of all iterations of a loop that pass from one line of a reference to its next line. Either the references whose lines come
// in sequence are looked at or the others; of several it is the mean, weighted by their lines; 0 where it is not known. In a loop of 1000
// iterations that reads an array of 8-byte elements in order, 8 iterations pass from one line of 64 bytes to the next: 0.008.
func between(f *flow, b *timing.Block, references []int, line float64, straight bool) float64 {
	if b == nil || b.Loop == nil || b.Executions == 0 {
		return 0
	}
	sum, all := 0.0, 0.0
	for _, r := range references {
		if bandwidth.StepOf(f.of.steps[r]).Sequential() != straight {
			continue
		}
		a := f.of.Nest.Reference(r).Origin()
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

// run looks at runs: lines in sequence of one reference, which end where the reference goes on elsewhere, as at the end of a row that is part of a
// longer one. lines is how long they are, the mean over the lines of all references; begun is the share of runs that prefetchers, which
// follow so many streams, have lost sight of and must find anew. Both are 0 where no run ends.
func run(f *flow, b *timing.Block, references []int, streams, followed float64) (lines, begun float64) {
	if b == nil {
		return 0, 0
	}
	runs, anew, all := 0.0, 0.0, 0.0
	for _, r := range references {
		if f.lines[r] > 0 && bandwidth.StepOf(f.of.steps[r]).Sequential() {
			length, places := runOf(f.of.Nest.Reference(r).Origin(), b, float64(f.line), max(streams, 1))
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

// runOf is the length, in lines, of the runs of one access, infinite where they do not end, and places, the number of runs in other places that come
// before it goes on where a run ended.
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
