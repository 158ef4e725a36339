package xmodel_test

import (
	"fmt"

	"foresee/model/xmodel"
)

// Memory answers a request in L = 600 cycles and at most R = 1/10 in a cycle; threads compute Z = 4 operations a request, at E = 1 a cycle each.
// 6 threads do the M = 6 operations a cycle that computing can, R·L = 60 saturate memory. Of 96, R·Z/E = 0.4 compute what memory at its most
// gives work to, and all others wait.
func Example() {
	p := &xmodel.Params{N: 96, Z: 4, E: 1, M: 6, R: 0.1, L: 600}
	state := p.Settled()
	fmt.Printf("%.1f threads wait for memory, %.1f compute: bound by %s\n", state.K, state.X, p.Bound(state))
	points := p.Points()
	fmt.Printf("%g threads saturate computing, %g memory\n", points.Pi, points.Delta)
	// Output:
	// 95.6 threads wait for memory, 0.4 compute: bound by memory
	// 6 threads saturate computing, 60 memory
}
