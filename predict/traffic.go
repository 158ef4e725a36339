package predict

import (
	"fmt"
	"maps"
	"slices"

	"foresee/application/nest"
	"foresee/machine"
	"foresee/machine/bandwidth"
	"foresee/model/timing"
)

// doubtsOf says what is doubtful of the time that a machine's bandwidth function gives at some hit rates.
func doubtsOf(model string, m *machine.Machine, hits []HitRate) (out []string) {
	if w := uncovered(model, m, hits); w != "" {
		out = append(out, w)
	}
	if model == ModelBandwidth {
		out = append(out, m.RoughFits()...)
	}
	return out
}

// uncovered says that a machine's sweep has no point in the bins of some hit rates (Tikir et al., section 2).
func uncovered(model string, m *machine.Machine, hits []HitRate) string {
	f := m.Fit(machine.SweepRead)
	if model != ModelBandwidth || f == nil || len(m.Measured.Sweeps) == 0 {
		return ""
	}
	rates := make([]float64, len(hits))
	for i, h := range hits {
		rates[i] = h.HitRate
	}
	if f.Coverage(m.Measured.SweepPoints(machine.SweepRead), float64(m.LineBytes.Or(64))).Has(rates) {
		return ""
	}
	return fmt.Sprintf("no point of the sweep of %s has hit rates like these (bins of Tikir et al.): the time of memory is put together from points that have one level's each", m.Name)
}

// slowestShare is the share of all accesses that the slowest thread makes.
func slowestShare(balance nest.Balance, threads int) float64 {
	if threads == 1 {
		return 1
	}
	return 1 - balance.Parallel + balance.Parallel*min(1, balance.Imbalance/float64(threads))
}

// trafficOf splits the misses of each level into those that the next one serves.
func trafficOf(p *Prediction, levels []levelHits, balance nest.Balance) []timing.Traffic {
	var out []timing.Traffic
	for i := range levels {
		out = append(out, newFlow(p, levels, i).traffic(nil, slowestShare(balance, p.Threads)))
	}
	return out
}

// flow is the lines that one level serves, by reference.
type flow struct {
	level string
	of    *stream
	lines []float64 // of all threads
	all   float64   // their sum
	line  int64     // bytes
}

func newFlow(p *Prediction, levels []levelHits, i int) *flow {
	h := levels[i]
	f := &flow{level: "memory", of: h.missed.of, lines: slices.Clone(h.missed.lines), line: h.line}
	share := h.miss
	if i+1 < len(levels) {
		next := levels[i+1]
		f.level = next.level.Name
		share -= next.miss
		for r := range min(len(f.lines), len(next.missed.lines)) {
			f.lines[r] = max(0, f.lines[r]-next.missed.lines[r])
		}
	}
	f.all = max(share, 0) * float64(p.Accesses)
	if sumOf(f.lines) == 0 { // the next level misses as much of each reference
		copy(f.lines, h.missed.lines)
	}
	if sum := sumOf(f.lines); sum > 0 {
		for r := range f.lines {
			f.lines[r] *= f.all / sum
		}
	}
	return f
}

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
	sum, written, straight := 0.0, 0.0, 0.0
	for _, r := range references {
		n := f.lines[r]
		sum += n
		t.Steps[f.of.steps[r]] += n
		if f.of.writes[r] {
			written += n
		}
	}
	t.AllLines = max(t.AllLines, sum)
	t.Lines = t.AllLines * slowest
	if sum > 0 {
		straight = bandwidth.SequentialShare(&t.Steps)
		t.Sequential, t.Written = min(straight/sum, 1), min(written/sum, 1)
		t.Streams = f.streams(references)
	}
	return t
}

func (f *flow) references() []int {
	all := make([]int, len(f.lines))
	for r := range all {
		all[r] = r
	}
	return all
}

// streams is how many streams of lines come at a time: of the references that one loop moves as many as they are evenly, by the sum of
// the squares of their shares; of several loops the mean, by lines. References less than a line apart are one stream.
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
		a := f.of.nest.Reference(r).Origin()
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
