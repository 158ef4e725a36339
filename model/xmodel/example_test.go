package xmodel_test

import (
	"fmt"

	"foresee/model/xmodel"
)

// Memory answers a request in 600 cycles and at most one in ten cycles; threads compute 4 operations a request.
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
