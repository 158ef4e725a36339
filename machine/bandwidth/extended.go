package bandwidth

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Extended is the time of an access, and so a bandwidth, as foresee sees it:
//
//	t = (core^p + (Σ lᵢ cᵢ)^p + (pages·walk)^p)^(1/p) + Σ lᵢ (eᵢ/streams + bᵢ)
//	eᵢ = exposed·(1 − exp(−share·core/(lᵢ·exposed))),    bᵢ = start/run·(1 − exp(−each·run/start))
//
// lᵢ lines come from level i with each access. A line in sequence costs c = sequential; one so many lines from the one before,
// far − (far − sequential)·exp(−((step−1)/reach)^steepness), which prefetchers explain: near steps they have ready, far ones they
// do not follow. Lines by a stride that has a power of two as a factor crowd into a part of a cache's sets, where they wait for one
// another and drive out what was prefetched: for factors of four lines and more crowded and crowded reach stand in for far and
// reach, for two they do so halfway. eᵢ is what is left of the latency of level i where the core has work between lines, so that its
// window reaches fewer of them ahead and prefetchers wait for it: a share of that work at first, in the end as much as is exposed of a
// latency; arrays that are passed over side by side wait side by side. Lines in sequence, which prefetchers bring, and others, which only
// the window reaches ahead for, have constants of their own, and the latter no streams. bᵢ is what lines of short runs cost more. A walk is that of the page table, for pages that the second-level
// TLB lacks. The norm says how far the core's work, lines and walks go on side by side.
//
// It rises with every line, every page, the work, and – where there is little of that – every step of a kind; its limits are the
// plateaus: core for what L1 holds, cᵢ for lines of one level each.
type Extended struct {
	CoreNs    float64  `yaml:"core_ns"`   // of an access that L1 serves, in the sweep's loop
	PassNs    float64  `yaml:"pass_ns"`   // of beginning and ending a pass of the sweep
	Norm      float64  `yaml:"norm"`      // p
	Steepness float64  `yaml:"steepness"` // of prefetching, by step
	Sources   []Source `yaml:"sources"`   // L2, …, memory
	Edges     []Edge   `yaml:"edges"`     // of L1, L2, …
	Halfway   float64  `yaml:"halfway"`   // how far lines in half the sets are crowded, from 0 to 1
	WalkNs    float64  `yaml:"walk_ns"`   // of a page whose entry in the page table is near
	TableNs   float64  `yaml:"table_ns"`  // more, of one whose entry L2 does not hold
	TLBBytes  float64  `yaml:"tlb_bytes"` // what the pages of the second-level TLB reach: half the accesses to so much miss it
	TLBWidth  float64  `yaml:"tlb_width"` // how softly that ends, as of an edge
}

// Source is where lines come from.
type Source struct {
	Name         string  `yaml:"from"`
	SequentialNs float64 `yaml:"sequential_ns"` // a line next to the one before
	FarNs        float64 `yaml:"far_ns"`        // a line that nothing prefetched, with the overlap that the core finds
	Reach        float64 `yaml:"reach"`         // steps, in lines, from which prefetchers lose the stream
	CrowdedNs    float64 `yaml:"crowded_ns"`    // a far line among others in few sets
	CrowdedReach float64 `yaml:"crowded_reach"` // steps, of lines in few sets
	ExposedNs    float64 `yaml:"exposed_ns"`    // what a line waits for at most, the core having much work between lines
	ExposedShare float64 `yaml:"exposed_share"` // of the work between lines, at first
	// The same of far lines.
	FarExposedNs    float64 `yaml:"far_exposed_ns"`
	FarExposedShare float64 `yaml:"far_exposed_share"`
	StartNs         float64 `yaml:"start_ns"`      // what a run of lines in sequence takes more at most, if it begins somewhere else than where one ended
	StartLineNs     float64 `yaml:"start_line_ns"` // more for each line of a short one
}

// Edge is how a cache ends, as a sweep over physical pages in random places sees it: of an array of so many bytes half the lines
// hit, and the share of misses is Φ(ln(bytes/capacity)/width).
type Edge struct {
	Bytes float64 `yaml:"bytes"`
	Width float64 `yaml:"width"`
}

// Step is how far a line is from the one before.
type Step struct {
	Lines   float64 // at least 1; infinite where it may be anywhere
	Crowded Crowding
}

// Crowding is the part of a cache's sets that lines by a step come to.
type Crowding int

// Lines come to all sets, to half of them, or to a quarter or fewer.
const (
	Spread Crowding = iota
	Half
	Crowded
	crowdings
)

// StepOfBytes is a step of so many bytes, other than 0.
func StepOfBytes(bytes int64, line float64) Step {
	bytes = max(bytes, -bytes)
	s := Step{Lines: max(1, float64(bytes)/line)}
	if even := float64(bytes&-bytes) / line; even >= 4 {
		s.Crowded = Crowded
	} else if even >= 2 {
		s.Crowded = Half
	}
	return s
}

// Anywhere is the step to a line that has nothing to do with the one before.
func Anywhere() Step { return Step{Lines: math.Inf(1)} }

// Steps that lines are told apart by: the distances of stepsOf, each in three degrees of crowding.
const Steps = len(stepsOf) * int(crowdings)

// stepsOf are the distances that classes stand for: up to so many lines, and further or anywhere.
var stepsOf = [...]float64{1, 2, 4, 8, 16, 32, 64, math.Inf(1)}

// StepOf is what a class stands for.
func StepOf(class int) Step {
	return Step{stepsOf[class/int(crowdings)], Crowding(class % int(crowdings))}
}

// Class is that of a step.
func (s Step) Class() int {
	i := 0
	for s.Lines > stepsOf[i] {
		i++
	}
	return i*int(crowdings) + int(s.Crowded)
}

// straightLines is how far a line in sequence is at most.
const straightLines = 2

// Straight says whether lines by a step are in sequence.
func (s Step) Straight() bool { return s.Lines <= straightLines }

// Straight is the part of steps that are in sequence.
func Straight(steps *[Steps]float64) (sum float64) {
	for c, s := range steps {
		if StepOf(c).Straight() {
			sum += s
		}
	}
	return sum
}

// entriesPerLine is how many pages a line of the page table tells of.
const entriesPerLine = 8

// TableMiss is the probability that a walk comes to another line of the page table than the last one did, pages being so many
// pages apart, and that L2 no longer has it after so many others: each page brought a line of data and, of a virtual machine,
// up to two of tables.
func (f *Extended) TableMiss(step, pages, line float64) float64 {
	other := min(1, max(1, step)/entriesPerLine)
	if pages <= 0 || len(f.Edges) < 2 {
		return 0
	}
	return other * distuv.UnitNormal.CDF(math.Log(pages*line*(1+2*other)/f.Edges[1].Bytes)/f.Edges[1].Width)
}

// Line is the cost of a line from a source at a step, in ns.
func (f *Extended) Line(i int, step Step) float64 {
	s := &f.Sources[i]
	if step.Lines <= 1 {
		return s.SequentialNs
	}
	near := func(far, reach float64) float64 {
		return far - (far-s.SequentialNs)*math.Exp(-math.Pow((step.Lines-1)/reach, f.Steepness))
	}
	switch step.Crowded {
	case Spread:
		return near(s.FarNs, s.Reach)
	case Half:
		return (1-f.Halfway)*near(s.FarNs, s.Reach) + f.Halfway*near(s.CrowdedNs, s.CrowdedReach)
	}
	return near(s.CrowdedNs, s.CrowdedReach)
}

// Exposed is what a line in sequence from a source waits for beside all that goes on side by side, in ns, after so many ns of the core's work since
// the line before; lines come in so many streams at a time, at least one.
func (f *Extended) Exposed(i int, work, streams float64) float64 {
	s := &f.Sources[i]
	return exposed(s.ExposedNs, s.ExposedShare, work) / max(streams, 1)
}

// FarExposed is the same of a line that is not in sequence.
func (f *Extended) FarExposed(i int, work float64) float64 {
	s := &f.Sources[i]
	return exposed(s.FarExposedNs, s.FarExposedShare, work)
}

// Start is what a line of a run of so many lines takes more than one of a long one: prefetchers must find the run first, and bring more
// of the one before than it has.
func (f *Extended) Start(i int, lines float64) float64 {
	s := &f.Sources[i]
	return exposed(s.StartNs, s.StartLineNs, lines) / lines
}

// exposed rises with the work, by the share at first, to the most.
func exposed(most, share, work float64) float64 {
	if most <= 0 {
		return 0
	}
	return most * -math.Expm1(-share*work/most)
}

// Walk is the time, in ns, of walks of which a share finds the page table's entry far away.
func (f *Extended) Walk(table float64) float64 { return f.WalkNs + table*f.TableNs }

// Norm is the p-norm of times that go on side by side: between the longest of them and their sum.
func Norm(p float64, times ...float64) float64 {
	most := slices.Max(times)
	if most == 0 {
		return 0
	}
	sum := 0.0
	for _, t := range times {
		if t > 0 {
			sum += math.Pow(t/most, p)
		}
	}
	return most * math.Pow(sum, 1/p)
}

// GBs is the bandwidth of a point of the sweep.
func (f *Extended) GBs(p Point, line, page float64) float64 {
	return WordBytes / f.pointNs(p, line, page)
}

func (f *Extended) pointNs(p Point, line, page float64) float64 {
	per := p.perAccess(line)
	step := StepOfBytes(WordBytes*int64(p.stride()), line)
	core := f.CoreNs
	if p.CoreNs > 0 {
		core = p.CoreNs
	}
	lines, exposed, before := 0.0, 0.0, 1.0
	held := p.held(line)
	for i, e := range f.Edges {
		before = min(before, distuv.UnitNormal.CDF(math.Log(held/e.Bytes)/e.Width))
		after := 0.0
		if i+1 < len(f.Edges) {
			next := f.Edges[i+1]
			after = min(before, distuv.UnitNormal.CDF(math.Log(held/next.Bytes)/next.Width))
		}
		of := per * (before - after)
		lines += of * f.Line(i, step)
		if p.Run > 0 {
			exposed += of * f.Start(i, float64(p.Run))
		}
		switch {
		case of <= 0:
		case step.Straight():
			exposed += of * f.Exposed(i, core/of, float64(p.Streams))
		default:
			exposed += of * f.FarExposed(i, core/of)
		}
	}
	row := WordBytes * float64(p.stride())
	pages := p.Bytes * min(1, page/row) // before it comes to a page again
	walks := min(1, row/page) * f.TLBMiss(pages) * f.Walk(f.TableMiss(row/page, pages/page, line))
	return Norm(f.Norm, core, lines, walks) + exposed + f.PassNs/p.accesses()
}

// TLBMiss is the probability that the translation of a page is no longer there once so many bytes of other pages were used.
func (f *Extended) TLBMiss(bytes float64) float64 {
	if bytes <= 0 {
		return 0
	}
	return distuv.UnitNormal.CDF(math.Log(bytes/f.TLBBytes) / f.TLBWidth)
}

// Validate says what cannot be in a form for so many cache levels.
func (f *Extended) Validate(levels int) error {
	if len(f.Sources) != levels || len(f.Edges) != levels {
		return fmt.Errorf("%d sources and %d edges for %d cache levels; measure the machine again", len(f.Sources), len(f.Edges), levels)
	}
	positive := map[string]float64{"core_ns": f.CoreNs, "norm": f.Norm, "steepness": f.Steepness, "tlb_bytes": f.TLBBytes, "tlb_width": f.TLBWidth}
	if !(f.Halfway >= 0 && f.Halfway <= 1) {
		return fmt.Errorf("halfway is %g; it must be from 0 to 1", f.Halfway)
	}
	if !(f.WalkNs >= 0) || !(f.TableNs >= 0) || !(f.PassNs >= 0) {
		return fmt.Errorf("walk_ns, table_ns and pass_ns must be at least 0")
	}
	for i, s := range f.Sources {
		if s.CrowdedNs == 0 && s.CrowdedReach == 0 {
			return fmt.Errorf("sources[%d] has no crowded_ns: an earlier version measured this; measure the machine again", i)
		}
		if s.ExposedNs == 0 && s.ExposedShare == 0 || s.FarExposedNs == 0 && s.FarExposedShare == 0 || s.StartNs == 0 && s.StartLineNs == 0 {
			return fmt.Errorf("sources[%d] has no exposed_ns, far_exposed_ns or start_ns: an earlier version measured this; measure the machine again", i)
		}
		if !(min(s.ExposedNs, s.ExposedShare, s.FarExposedNs, s.FarExposedShare, s.StartNs, s.StartLineNs) >= 0) {
			return fmt.Errorf("sources[%d]: exposed_ns, exposed_share, those of far lines, start_ns and start_line_ns must be at least 0", i)
		}
		positive[fmt.Sprintf("sources[%d].sequential_ns", i)] = s.SequentialNs
		positive[fmt.Sprintf("sources[%d].reach", i)] = s.Reach
		positive[fmt.Sprintf("sources[%d].crowded_reach", i)] = s.CrowdedReach
		if !(s.FarNs >= s.SequentialNs) {
			return fmt.Errorf("sources[%d]: a line far away cannot cost less than one in sequence", i)
		}
		if !(s.CrowdedNs >= s.FarNs) {
			return fmt.Errorf("sources[%d]: a crowded line cannot cost less than another", i)
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
