package fit

import "foresee/machine/bandwidth"

// of makes the field function of a number of the whole form.
func of(field func(f *bandwidth.Extended) *float64) func(*bandwidth.Extended, int) *float64 {
	return func(f *bandwidth.Extended, _ int) *float64 { return field(f) }
}

// source makes the field function of a number of a source.
func source(field func(s *bandwidth.Source) *float64) func(*bandwidth.Extended, int) *float64 {
	return func(f *bandwidth.Extended, level int) *float64 { return field(&f.Sources[level]) }
}

// capacity makes the field function of a number of a cache's end.
func capacity(field func(c *bandwidth.Capacity) *float64) func(*bandwidth.Extended, int) *float64 {
	return func(f *bandwidth.Extended, level int) *float64 { return field(&f.Capacities[level]) }
}

// Sources that several parameters share. "Seen" refers to the column of the table in docs/models/bandwidth.md, which has the values of the machine
// files that are shipped.
const (
	farOutside = "chosen: bounds far outside of what was seen"
	// usualSeen is of parameters whose usual values lie near what the fits to the first machine that was swept gave.
	usualSeen = "usual value near fits to granite-rapids-vm; bounds chosen, far outside of what was seen"
	// weakPrior: with one, strides that were not swept are still foreseen.
	weakPrior = "; prior chosen, so that sweeps of powers of two alone can be fitted"
)

func worked(s *setting) bool { return s.worked }
func inRuns(s *setting) bool { return s.runs }

// Global are parameters of the whole form.
var Global = []Parameter{
	{
		Name: "core_ns", Unit: "ns", Meaning: "an access that L1 serves, in the sweep's loop",
		Low: over(shortest, 3), Usual: times(shortest, 1.05), High: times(shortest, 4),
		Source: "the shortest access of the sweep is one that L1 serves; the factors are chosen",
		field:  of(func(f *bandwidth.Extended) *float64 { return &f.CoreNs }),
	},
	{
		Name: "pass_ns", Unit: "ns", Meaning: "beginning and ending one pass of the sweep",
		Low: number(1e-2), Usual: number(1), High: number(100),
		Source: farOutside + "; usual value chosen",
		field:  of(func(f *bandwidth.Extended) *float64 { return &f.PassNs }),
	},
	{
		Name: "norm", Unit: "1", Meaning: "exponent p of the norm: how far core, lines and walks go on side by side",
		Low: number(1), Usual: number(3), High: number(20), SD: 0.5,
		Source: "1 is the sum, 20 within 4 % of the longest of two equal times; usual value that of the overlap model; prior chosen",
		field:  of(func(f *bandwidth.Extended) *float64 { return &f.Norm }),
	},
	{
		Name: "steepness", Unit: "1", Meaning: "exponent of the step, by which lines turn from prefetched to unprefetched",
		Low: number(0.5), Usual: number(1.3), High: number(3), SD: 0.1,
		Source: usualSeen + weakPrior,
		field:  of(func(f *bandwidth.Extended) *float64 { return &f.Steepness }),
	},
}

// OfSource are parameters of each level beyond L1, and of memory.
var OfSource = []Parameter{
	{
		Name: "sequential_ns", Unit: "ns", Meaning: "a line next to the one before",
		Low: over(even, 300), Usual: over(even, 3), High: times(longest, 8),
		Source: farOutside + "; usual value chosen",
		field:  source(func(s *bandwidth.Source) *float64 { return &s.SequentialNs }),
	},
	{
		Name: "far_ns", Unit: "sequential_ns, more", Meaning: "a line that nothing prefetched: far_ns / sequential_ns − 1",
		Low: number(1e-3), Usual: number(0.5), High: number(1000), SD: 1,
		Source: farOutside + "; usual value and prior chosen, between those of caches and of memory of granite-rapids-vm",
		field:  source(func(s *bandwidth.Source) *float64 { return &s.UnprefetchedNs }),
		base:   source(func(s *bandwidth.Source) *float64 { return &s.SequentialNs }),
	},
	{
		Name: "reach", Unit: "lines", Meaning: "step at which prefetchers lose the stream",
		Low: number(0.3), Usual: number(2), High: number(60), SD: 0.5,
		Source: usualSeen + weakPrior,
		field:  source(func(s *bandwidth.Source) *float64 { return &s.Reach }),
	},
	{
		Name: "crowded_ns", Unit: "far_ns, more", Meaning: "a line that nothing prefetched, in conflict with others in few sets: crowded_ns / far_ns − 1",
		Low: number(1e-3), Usual: number(1.5), High: number(100), SD: 0.7,
		Source: usualSeen + weakPrior,
		field:  source(func(s *bandwidth.Source) *float64 { return &s.ConflictNs }),
		base:   source(func(s *bandwidth.Source) *float64 { return &s.UnprefetchedNs }),
	},
	{
		Name: "crowded_reach", Unit: "lines", Meaning: "reach of lines in few sets",
		Low: number(0.3), Usual: number(1.7), High: number(20), SD: 0.3,
		Source: usualSeen + weakPrior,
		field:  source(func(s *bandwidth.Source) *float64 { return &s.ConflictReach }),
	},
	{
		Name: "exposed_ns", Unit: "ns", Meaning: "what a line in sequence waits for at most, after much work",
		Low: over(even, 30), Usual: over(even, 3), High: times(longest, 8), SD: 0.5,
		Source: farOutside + "; usual value and prior chosen",
		field:  source(func(s *bandwidth.Source) *float64 { return &s.ExposedNs }),
	},
	{
		Name: "exposed_share", Unit: "ns / ns", Meaning: "what a line in sequence waits for, for each ns of little work",
		Low: number(1e-3), Usual: number(0.2), High: number(5), SD: 1,
		Source: "chosen, no source; the upper bound is near what was seen of memory",
		field:  source(func(s *bandwidth.Source) *float64 { return &s.ExposedShare }),
	},
	{
		Name: "far_exposed_ns", Unit: "ns", Meaning: "exposed_ns of lines that are not in sequence",
		Low: over(even, 30), Usual: over(even, 2), High: times(longest, 8), SD: 1,
		Source: farOutside + "; usual value and prior chosen",
		field:  source(func(s *bandwidth.Source) *float64 { return &s.UnprefetchedExposedNs }), told: worked,
	},
	{
		Name: "far_exposed_share", Unit: "ns / ns", Meaning: "exposed_share of lines that are not in sequence",
		Low: number(1e-3), Usual: number(0.5), High: number(30), SD: 1,
		Source: farOutside + "; usual value and prior chosen",
		field:  source(func(s *bandwidth.Source) *float64 { return &s.UnprefetchedExposedShare }), told: worked,
	},
	{
		Name: "start_ns", Unit: "ns", Meaning: "what a run of lines takes more at most, if it begins elsewhere than where one ended",
		Low: over(even, 30), Usual: times(even, 4), High: times(latency, 1.5), SD: 1,
		Source: "a run waits for its first line no longer than a load that nothing overlaps, and half as long again for what disturbs; lower bound far below what was seen; usual value and prior chosen",
		field:  source(func(s *bandwidth.Source) *float64 { return &s.StartNs }), told: inRuns,
	},
	{
		Name: "start_line_ns", Unit: "ns / line", Meaning: "what it takes more for each line, as long as it is short",
		Low: number(1e-3), Usual: over(even, 4), High: times(longest, 1), SD: 1,
		Source: farOutside + "; usual value and prior chosen",
		field:  source(func(s *bandwidth.Source) *float64 { return &s.StartLineNs }), told: inRuns,
	},
}

// OfCapacity are parameters of each cache.
var OfCapacity = []Parameter{
	{
		Name: "bytes", Unit: "B", Meaning: "effective capacity: of an array of this size half the lines hit",
		Low: times(atLeast, 1), Usual: times(described, 1), High: times(atMost, 1),
		Source: "the described size, from a third to twice as much; of the last cache half of it, from 1.5 times the cache before up to 1.5 times its size or the largest array, as a hypervisor may tell any size",
		field:  capacity(func(c *bandwidth.Capacity) *float64 { return &c.Bytes }),
	},
	{
		Name: "width", Unit: "1", Meaning: "how softly it ends, in the logarithm of the array's size",
		Low: number(0.02), Usual: times(softness, 1), High: number(1.5), SD: 0.7,
		Source: "pages in random places load a colour by ways ± √ways, so 1/√ways; 0.05 for a cache that virtual addresses index; bounds and prior chosen",
		field:  capacity(func(c *bandwidth.Capacity) *float64 { return &c.Width }),
	},
}

// OfPages are parameters of page walks, and what they left to the whole form.
var OfPages = []Parameter{
	{
		Name: "walk_ns", Unit: "ns", Meaning: "a page walk whose entry is near",
		Low: number(1e-3), Usual: number(1), High: number(200),
		Source: farOutside + "; usual value chosen",
		field:  of(func(f *bandwidth.Extended) *float64 { return &f.WalkNs }),
	},
	{
		Name: "table_ns", Unit: "ns", Meaning: "more, of a walk whose entry L2 does not hold",
		Low: number(1e-3), Usual: number(1), High: number(500), SD: 2,
		Source: farOutside + "; usual value and prior chosen",
		field:  of(func(f *bandwidth.Extended) *float64 { return &f.TableNs }),
	},
	{
		Name: "tlb_bytes", Unit: "B", Meaning: "what the pages in the second-level TLB hold",
		Low: times(page, 128), Usual: times(page, 2048), High: times(page, 1<<16), SD: 0.5,
		Source: "second-level TLBs have 1536 (Skylake), 2048 (Golden Cove, Zen 3) or 3072 entries (Zen 4), by the vendors' optimization manuals; bounds and prior chosen, far outside of that",
		field:  of(func(f *bandwidth.Extended) *float64 { return &f.TLBBytes }),
	},
	{
		Name: "tlb_width", Unit: "1", Meaning: "how softly that ends, as of a cache",
		Low: number(0.03), Usual: number(0.1), High: number(1), SD: 0.3,
		Source: usualSeen + weakPrior,
		field:  of(func(f *bandwidth.Extended) *float64 { return &f.TLBWidth }),
	},
	{
		Name: "halfway", Unit: "1", Meaning: "how far lines in half of the sets are from no conflicts, 0, to those of the fewest sets, 1",
		Low: number(1e-4), Usual: number(0.3), High: number(0.98), SD: 2,
		Source: "0.65 on granite-rapids-vm, nothing on a Zen 4; usual value and prior chosen, so wide that the measurements decide",
		field:  of(func(f *bandwidth.Extended) *float64 { return &f.HalfConflict }),
	},
}
