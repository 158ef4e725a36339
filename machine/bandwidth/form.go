package bandwidth

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Extended is the time of an access, in ns, and so a bandwidth, as foresee sees it:
//
//	t = (core^p + (Σ lᵢ cᵢ)^p + (pages·walk)^p)^(1/p) + Σ lᵢ (eᵢ/streams + bᵢ)
//	eᵢ = exposed·(1 − exp(−share·work/exposed))
//	bᵢ = start/run·(1 − exp(−each·run/start))
//
// lᵢ is how many lines come from level i with each access: Tikir et al., equation 3, has hᵢ − hᵢ₋₁ for it. cᵢ is the time of such a line.
// Where equation 4 adds the levels' times up to T and equation 5 weights bandwidths by tᵢ/T, here the times of lines add up among
// themselves, and the norm p says how far they go on side by side with the core's work and with page walks: p = 1 would add the three,
// p = ∞ take the longest.
//
//   - cᵢ is sequential for a line next to the one before, and nears unprefetched with the step, as [Extended.Line] says; lines that
//     conflict in few of a cache's sets have limits of their own, as they wait for one another and drive out what was prefetched.
//   - eᵢ is what is left of the latency of level i where the core has work between lines: its window then reaches fewer lines ahead, and
//     prefetchers wait for it. It grows with that work, by share at first, to exposed in the end; streams that are passed over side by
//     side wait side by side. Lines in sequence, which prefetchers bring, and others, which only the window reaches ahead for, have
//     constants of their own, and the latter no streams.
//   - bᵢ is what lines of short runs cost more than lines of a long one: prefetchers must find each run, and bring lines past its end.
//   - walk is the time of a walk of the page table, for pages that the second-level TLB lacks.
//
// A worked number: every eighth access brings a line from memory, l = 1/8, in one stream; core 0.2 ns, sequential 4 ns, exposed 3 ns,
// share 0.5, p = 3, no walks. The work between lines is 8 · 0.2 = 1.6 ns, so e = 3 (1 − exp(−0.5·1.6/3)) = 0.702 ns, and
// t = (0.2³ + 0.5³)^(1/3) + 0.702/8 = 0.510 + 0.088 = 0.598 ns: 8 B / 0.598 ns = 13.4 GB/s.
//
// t rises with every line, every page, the work, and – where there is little work – every step; its limits are the plateaus of a sweep:
// core where L1 serves all, cᵢ where each access is a line of level i. The names of the YAML fields are those of package fit's table,
// which has the bounds and the usual value of each.
type Extended struct {
	CoreNs       float64    `yaml:"core_ns"`   // of an access that L1 serves, in the sweep's loop
	PassNs       float64    `yaml:"pass_ns"`   // of beginning and ending one pass of the sweep
	Norm         float64    `yaml:"norm"`      // p, at least 1
	Steepness    float64    `yaml:"steepness"` // exponent of the step, by which lines turn from prefetched to unprefetched
	Sources      []Source   `yaml:"sources"`   // of L2, …, memory
	Capacities   []Capacity `yaml:"edges"`     // of L1, L2, …
	HalfConflict float64    `yaml:"halfway"`   // how far lines in half of the sets are between no conflicts, 0, and those of the fewest sets, 1
	WalkNs       float64    `yaml:"walk_ns"`   // of a walk whose entry in the page table is near
	TableNs      float64    `yaml:"table_ns"`  // more, of a walk whose entry L2 does not hold
	TLBBytes     float64    `yaml:"tlb_bytes"` // what the pages in the second-level TLB hold: after so many bytes of other pages half the translations miss
	TLBWidth     float64    `yaml:"tlb_width"` // how softly that ends, as of a Capacity
}

// Source is a level, or memory, that lines come from. Times are ns a line.
type Source struct {
	Name           string  `yaml:"from"`
	SequentialNs   float64 `yaml:"sequential_ns"` // of a line next to the one before
	UnprefetchedNs float64 `yaml:"far_ns"`        // of a line that nothing prefetched, with the overlap of misses that the core finds by itself
	Reach          float64 `yaml:"reach"`         // step, in lines, at which prefetchers lose the stream: there 1 − 1/e of the way to unprefetched is gone
	ConflictNs     float64 `yaml:"crowded_ns"`    // of an unprefetched line that conflicts with others in few sets
	ConflictReach  float64 `yaml:"crowded_reach"` // reach of lines in few sets
	ExposedNs      float64 `yaml:"exposed_ns"`    // what a line in sequence waits for at most, the core having much work between lines
	ExposedShare   float64 `yaml:"exposed_share"` // ns waited for each ns of work between lines, as long as there is little

	UnprefetchedExposedNs    float64 `yaml:"far_exposed_ns"`    // ExposedNs of lines that are not in sequence
	UnprefetchedExposedShare float64 `yaml:"far_exposed_share"` // ExposedShare of lines that are not in sequence
	StartNs                  float64 `yaml:"start_ns"`          // what a run of lines in sequence takes more at most, if it begins elsewhere than where one ended
	StartLineNs              float64 `yaml:"start_line_ns"`     // what it takes more for each of its lines, as long as it is short
}

// Capacity is what a cache holds as a sweep sees it whose physical pages lie in no order: of an array of so many bytes half the lines hit,
// and of another the share of misses is Φ(ln(bytes/capacity)/width). A cache of 1 MiB with width 0.3 misses
// Φ(ln(1.3)/0.3) = Φ(0.875) = 81 % of the lines of a cyclic pass over 1.3 MiB.
type Capacity struct {
	Bytes float64 `yaml:"bytes"`
	Width float64 `yaml:"width"`
}

// Misses is the share of lines that miss when so many bytes are passed over cyclically.
func (c Capacity) Misses(bytes float64) float64 {
	off := math.Log(bytes/c.Bytes) / c.Width
	if off < -noneMiss {
		return 0
	}
	return distuv.UnitNormal.CDF(off)
}

// noneMiss is how many widths below a capacity no line misses: Φ(−9) is 10⁻¹⁹.
const noneMiss = 9

// Line is the time of a line from a source at a step, in ns:
//
//	c = unprefetched − (unprefetched − sequential)·exp(−((step − 1)/reach)^steepness)
//
// so that a step of one line costs sequential, and a far one unprefetched. Lines in the fewest sets take conflict and its reach in place of
// unprefetched and reach; those in more sets lie between, by HalfConflict and how few they are.
func (f *Extended) Line(source int, step Step) float64 {
	s := &f.Sources[source]
	if step.Lines <= 1 {
		return s.SequentialNs
	}
	towards := func(limit, reach float64) float64 {
		return limit - (limit-s.SequentialNs)*math.Exp(-math.Pow((step.Lines-1)/reach, f.Steepness))
	}
	crowded := step.Sets.crowding(f.HalfConflict)
	return (1-crowded)*towards(s.UnprefetchedNs, s.Reach) + crowded*towards(s.ConflictNs, s.ConflictReach)
}

// Exposed is e of a line in sequence, in ns, where the core works for so many ns between two lines that come in so many streams side by
// side; fewer than one stream count as one.
func (f *Extended) Exposed(source int, work, streams float64) float64 {
	s := &f.Sources[source]
	return saturating(s.ExposedNs, s.ExposedShare, work) / max(streams, 1)
}

// UnprefetchedExposed is e of a line that is not in sequence, in ns, after so many ns of work.
func (f *Extended) UnprefetchedExposed(source int, work float64) float64 {
	s := &f.Sources[source]
	return saturating(s.UnprefetchedExposedNs, s.UnprefetchedExposedShare, work)
}

// Start is b: what a line takes more, in ns, in a run of so many lines that prefetchers must find anew.
func (f *Extended) Start(source int, lines float64) float64 {
	s := &f.Sources[source]
	return saturating(s.StartNs, s.StartLineNs, lines) / lines
}

// saturating rises from 0, by slope at first, to most: most·(1 − exp(−slope·x/most)).
func saturating(most, slope, x float64) float64 {
	if most <= 0 {
		return 0
	}
	return most * -math.Expm1(-slope*x/most)
}

// Norm is the p-norm of times that go on side by side: between the longest of them and their sum. Of 3 ns and 4 ns it is 5 ns for p = 2.
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
