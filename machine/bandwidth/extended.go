package bandwidth

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Extended is the time of an access, and so a bandwidth, as foresee sees it:
//
//	t = (core^p + (Σ lᵢ cᵢ)^p)^(1/p) + Σ lᵢ/l wᵢ + pages·walk
//
// lᵢ lines come from level i with each access, l from all past L1. A line in sequence costs c = sequential; one so many lines from
// the one before, far − (far − sequential)·exp(−((step−1)/reach)^steepness), which prefetchers explain: near steps they have ready,
// far ones they do not follow. The norm says how far the core's work hides the lines. wᵢ is what the core's window leaves of the
// latency of level i, and so per access, not per line; a walk is that of the page table, for pages that the second-level TLB lacks.
//
// It rises with every line, every step and every page, and its limits are the plateaus: core for what L1 holds, cᵢ for lines of
// one level each.
type Extended struct {
	CoreNs    float64  `yaml:"core_ns"`   // of an access that L1 serves, in the sweep's loop
	PassNs    float64  `yaml:"pass_ns"`   // of beginning and ending a pass of the sweep
	Norm      float64  `yaml:"norm"`      // p
	Steepness float64  `yaml:"steepness"` // of prefetching, by step
	Sources   []Source `yaml:"sources"`   // L2, …, memory
	Edges     []Edge   `yaml:"edges"`     // of L1, L2, …
	WalkNs    float64  `yaml:"walk_ns"`
	TLBBytes  float64  `yaml:"tlb_bytes"` // what the pages of the second-level TLB reach
}

// Source is where lines come from.
type Source struct {
	Name         string  `yaml:"from"`
	SequentialNs float64 `yaml:"sequential_ns"` // a line next to the one before
	FarNs        float64 `yaml:"far_ns"`        // a line that nothing prefetched, with the overlap that the core finds
	Reach        float64 `yaml:"reach"`         // steps, in lines, from which prefetchers lose the stream
	WindowNs     float64 `yaml:"window_ns"`     // an access
}

// Edge is how a cache ends, as a sweep over physical pages in random places sees it: of an array of so many bytes half the lines
// hit, and the share of misses is Φ(ln(bytes/capacity)/width).
type Edge struct {
	Bytes float64 `yaml:"bytes"`
	Width float64 `yaml:"width"`
}

// Steps that lines are told apart by: the next line, the second, up to the fourth, up to the eighth, and further or anywhere.
const Steps = 5

// stepsOf is what each class stands for; the last is anywhere.
var stepsOf = [Steps]float64{1, 2, 4, 8, math.Inf(1)}

// StepOf is the distance in lines that a class stands for; infinite for the last.
func StepOf(class int) float64 { return stepsOf[class] }

// StepClass is the class of a distance in lines.
func StepClass(lines float64) int {
	for i, s := range stepsOf {
		if math.Abs(lines) <= s {
			return i
		}
	}
	return Steps - 1
}

// Use is how a program uses memory, for each access on average.
type Use struct {
	Lines [][Steps]float64 // that L2, …, memory serve, by step
	Walks float64          // new pages that the TLBs lack
}

// Line is the cost of a line from a source at a step, in ns.
func (f *Extended) Line(i int, step float64) float64 {
	s := &f.Sources[i]
	if step <= 1 {
		return s.SequentialNs
	}
	return s.FarNs - (s.FarNs-s.SequentialNs)*math.Exp(-math.Pow((step-1)/s.Reach, f.Steepness))
}

// MemoryNs is the time that the lines of an access take, and what of it nothing hides: windows and walks.
func (f *Extended) MemoryNs(u Use) (lines, exposed float64) {
	all := 0.0
	for i := range u.Lines {
		for _, n := range u.Lines[i] {
			all += n
		}
	}
	for i := range u.Lines {
		here := 0.0
		for c, n := range u.Lines[i] {
			if n > 0 {
				lines += n * f.Line(i, stepsOf[c])
				here += n
			}
		}
		if here > 0 {
			exposed += here / all * f.Sources[i].WindowNs
		}
	}
	return lines, exposed + u.Walks*f.WalkNs
}

// Ns is the time of an access of which the core alone would take some.
func (f *Extended) Ns(core float64, u Use) float64 {
	lines, exposed := f.MemoryNs(u)
	return f.combine(core, lines) + exposed
}

func (f *Extended) combine(core, lines float64) float64 {
	most := max(core, lines)
	if most == 0 {
		return 0
	}
	return most * math.Pow(math.Pow(core/most, f.Norm)+math.Pow(lines/most, f.Norm), 1/f.Norm)
}

// normal is the distribution function of the standard normal distribution.
func normal(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }

// GBs is the bandwidth of a point of the sweep.
func (f *Extended) GBs(p Point, line, page float64) float64 {
	return WordBytes / f.pointNs(p, line, page)
}

func (f *Extended) pointNs(p Point, line, page float64) float64 {
	per := p.perAccess(line)
	step := max(1, WordBytes*float64(p.Stride)/line)
	lines, exposed, before := 0.0, 0.0, 1.0
	for i, e := range f.Edges {
		before = min(before, normal(math.Log(p.Bytes/e.Bytes)/e.Width))
		after := 0.0
		if i+1 < len(f.Edges) {
			next := f.Edges[i+1]
			after = min(before, normal(math.Log(p.Bytes/next.Bytes)/next.Width))
		}
		lines += per * (before - after) * f.Line(i, step)
		exposed += (before - after) * f.Sources[i].WindowNs
	}
	if p.Bytes > f.TLBBytes {
		exposed += min(1, WordBytes*float64(p.Stride)/page) * f.WalkNs * normal(math.Log(p.Bytes/f.TLBBytes)/tlbWidth-2)
	}
	return f.combine(f.CoreNs, lines) + exposed + f.PassNs/p.accesses()
}

// tlbWidth is how softly the reach of the TLB ends.
const tlbWidth = 0.2

// Validate says what cannot be in a form for so many cache levels.
func (f *Extended) Validate(levels int) error {
	if len(f.Sources) != levels || len(f.Edges) != levels {
		return fmt.Errorf("%d sources and %d edges for %d cache levels; measure the machine again", len(f.Sources), len(f.Edges), levels)
	}
	positive := map[string]float64{"core_ns": f.CoreNs, "norm": f.Norm, "steepness": f.Steepness, "tlb_bytes": f.TLBBytes}
	if !(f.WalkNs >= 0) || !(f.PassNs >= 0) {
		return fmt.Errorf("walk_ns and pass_ns must be at least 0")
	}
	for i, s := range f.Sources {
		if !(s.WindowNs >= 0) {
			return fmt.Errorf("sources[%d].window_ns must be at least 0", i)
		}
		positive[fmt.Sprintf("sources[%d].sequential_ns", i)] = s.SequentialNs
		positive[fmt.Sprintf("sources[%d].reach", i)] = s.Reach
		if !(s.FarNs >= s.SequentialNs) {
			return fmt.Errorf("sources[%d]: a line far away cannot cost less than one in sequence", i)
		}
	}
	for i, e := range f.Edges {
		positive[fmt.Sprintf("edges[%d].bytes", i)], positive[fmt.Sprintf("edges[%d].width", i)] = e.Bytes, e.Width
	}
	for _, name := range slices.Sorted(maps.Keys(positive)) {
		if v := positive[name]; !(v > 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%s is %g; it must be above 0", name, v)
		}
	}
	return nil
}
