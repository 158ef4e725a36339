package traffic

import (
	"maps"
	"slices"

	"foresee/application/nest"
	"foresee/machine/bandwidth"
	"foresee/model/timing"
)

// Memory is the name of what serves the lines that the last level lacks.
const Memory = "memory"

// slowestShare is the share of all accesses that the slowest thread makes.
func slowestShare(balance nest.Balance, threads int) float64 {
	if threads == 1 {
		return 1
	}
	return 1 - balance.Parallel + balance.Parallel*min(1, balance.Imbalance/float64(threads))
}

// Level is what one level of caches lacks.
type Level struct {
	Name   string
	Line   int64   // bytes
	Miss   float64 // share of all accesses
	Missed Misses  // the same by reference
}

// Run is the accesses of a program by a number of threads, on levels of caches from the first.
type Run struct {
	Levels   []Level
	Accesses int64
	Threads  int
	Balance  nest.Balance
	Followed int // streams of lines that the machine's prefetchers follow at a time
}

// Traffic splits the misses of each level into those that the next one serves.
func (r *Run) Traffic() []timing.Traffic {
	var out []timing.Traffic
	for _, f := range r.flows() {
		out = append(out, f.traffic(nil, slowestShare(r.Balance, r.Threads)))
	}
	return out
}

// Served are the lines that each level but the first serves, and memory, by reference of the source, in lines of all threads.
func (r *Run) Served() (out []map[*nest.Access]float64) {
	for _, f := range r.flows() {
		by := map[*nest.Access]float64{}
		for i, n := range f.lines {
			by[f.of.Nest.Reference(i).Origin()] += n
		}
		out = append(out, by)
	}
	return out
}

// flow is the lines that one level serves, by reference.
type flow struct {
	level string
	of    *Stream
	lines []float64 // of all threads
	all   float64   // their sum
	line  int64     // bytes
}

// flows are those of all levels but the first, and of memory.
func (r *Run) flows() (out []*flow) {
	for i := range r.Levels {
		out = append(out, r.flow(i))
	}
	return out
}

// flow is the lines that level i lacks and the next one serves: by reference, what both lack taken away.
func (r *Run) flow(i int) *flow {
	h := r.Levels[i]
	f := &flow{level: Memory, of: h.Missed.of, lines: slices.Clone(h.Missed.byReference), line: h.Line}
	share := h.Miss
	if i+1 < len(r.Levels) {
		next := r.Levels[i+1]
		f.level = next.Name
		share -= next.Miss
		for r := range min(len(f.lines), len(next.Missed.byReference)) {
			f.lines[r] = max(0, f.lines[r]-next.Missed.byReference[r])
		}
	}
	f.all = max(share, 0) * float64(r.Accesses)
	if sumOf(f.lines) == 0 { // the next level misses as much of each reference
		copy(f.lines, h.Missed.byReference)
	}
	if sum := sumOf(f.lines); sum > 0 {
		for r := range f.lines {
			f.lines[r] *= f.all / sum
		}
	}
	return f
}

// sumOf adds values up.
func sumOf(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}

// traffic is that of some references, of all where none are given, of which the slowest thread has a share.
func (f *flow) traffic(references []int, slowest float64) timing.Traffic {
	t := timing.Traffic{Level: f.level}
	if references == nil {
		references = f.references()
		t.AllLines = f.all
	}
	sum, written, straight, apart := 0.0, 0.0, 0.0, 0.0
	for _, r := range references {
		n := f.lines[r]
		sum += n
		t.Steps[f.of.steps[r]] += n
		if apart += n * f.of.apart[r]; f.of.writes[r] {
			written += n
		}
	}
	t.AllLines = max(t.AllLines, sum)
	t.Lines = t.AllLines * slowest
	if sum > 0 {
		straight = bandwidth.SequentialShare(&t.Steps)
		t.Sequential, t.Written = min(straight/sum, 1), min(written/sum, 1)
		t.Scattered = min(apart/sum, 1)
		t.Streams = f.streams(references)
	}
	return t
}

// references are all of the stream.
func (f *flow) references() []int {
	all := make([]int, len(f.lines))
	for r := range all {
		all[r] = r
	}
	return all
}

// streams is how many streams of lines come at a time. References less than a line apart are one stream. Streams that the same loop moves come side by
// side; they count by the inverse Simpson index, 1/Σ sᵢ² with each one's share sᵢ of the lines: two equal streams are 2, one with nine
// tenths of the lines and one with the rest are 1/(0.81+0.01) = 1.2. Where several loops move streams, it is the mean over the lines.
func (f *flow) streams(references []int) float64 {
	type group struct {
		mover int
		first *nest.Access
		lines float64
	}
	var groups []*group
	for _, r := range references {
		if f.lines[r] <= 0 {
			continue
		}
		a := f.of.Nest.Reference(r).Origin()
		i := slices.IndexFunc(groups, func(g *group) bool { return g.mover == f.of.movers[r] && g.first.Near(a, f.line) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{mover: f.of.movers[r], first: a})
		}
		groups[i].lines += f.lines[r]
	}
	sum, squares, all := map[int]float64{}, map[int]float64{}, 0.0
	for _, g := range groups {
		sum[g.mover] += g.lines
		squares[g.mover] += g.lines * g.lines
		all += g.lines
	}
	mean := 0.0
	for _, mover := range slices.Sorted(maps.Keys(sum)) {
		if s := sum[mover]; s > 0 {
			mean += s / all * (s * s / squares[mover])
		}
	}
	return max(mean, 1)
}
