package bandwidth_test

import (
	"fmt"

	"foresee/machine/bandwidth"
)

// The worked number of the form: a stride of one from memory, with 0.2 ns of work an access. Of a line of 8 accesses, 3·(1 − e^(−0.5·1.6/3)) ns
// are waited for; an access takes ∛(0.5³ + 0.2³) ns, of a line's 4 ns and the work side by side, and an eighth of the wait. A step of 3 lines
// with a reach of 2 costs 8 − (8 − 4)/e ns.
func ExampleExtended() {
	f := &bandwidth.Extended{
		CoreNs: 0.2, Norm: 3, Steepness: 1.3, TLBBytes: 1 << 40, TLBWidth: 0.1,
		Sources:    []bandwidth.Source{{Name: "memory", SequentialNs: 4, UnprefetchedNs: 8, Reach: 2, ExposedNs: 3, ExposedShare: 0.5}},
		Capacities: []bandwidth.Capacity{{Bytes: 32 << 10, Width: 0.05}},
	}
	p := bandwidth.Point{Stride: 1, Bytes: 1 << 30}
	fmt.Printf("%.3f ns waited for a line\n", f.Exposed(0, 8*0.2, 1))
	fmt.Printf("%.3f ns an access, %.1f GB/s\n", f.PointNs(p, 64, 4096), f.GBs(p, 64, 4096))
	fmt.Printf("%.2f ns a line at a step of 3 lines, %.0f ns far away\n", f.Line(0, bandwidth.Step{Lines: 3}), f.Line(0, bandwidth.RandomStep()))
	// Output:
	// 0.702 ns waited for a line
	// 0.598 ns an access, 13.4 GB/s
	// 6.53 ns a line at a step of 3 lines, 8 ns far away
}

// Of 40 runs beside one another a quarter begin anew where prefetchers follow 32: (40 − 32)/(64 − 32).
func ExampleBegunAnew() {
	fmt.Println(bandwidth.BegunAnew(32, 32), bandwidth.BegunAnew(40, 32), bandwidth.BegunAnew(64, 32))
	// Output: 0 0.25 1
}

// A pass over 48 KiB in order misses all of a cache of 32 KiB, but for the other seven elements of each line: 7/8.
func ExampleHierarchy_Hits() {
	h := &bandwidth.Hierarchy{Levels: []bandwidth.Level{{Name: "L1", Bytes: 32 << 10, Ways: 8}, {Name: "L2", Bytes: 1 << 20, Ways: 16}}, Line: 64, Page: 4096}
	fmt.Println(h.Hits(bandwidth.Point{Stride: 1, Bytes: 48 << 10}))
	// Output: [0.875 1 1]
}
