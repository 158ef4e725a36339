package chase_test

import (
	"fmt"

	"foresee/machine/bandwidth"
	"foresee/machine/probe/chase"
)

// What a chase through a cache of 32 KiB and a memory shows.
func ExamplePlateaus() {
	l := &chase.Latency{Ns: []float64{1.2, 80}, Capacities: []bandwidth.Capacity{{Bytes: 33 << 10, Width: 0.05}}}
	var points [][2]float64
	for bytes := 4096.0; bytes < 1<<20; bytes *= 1.12 {
		points = append(points, [2]float64{bytes, l.At(bytes)})
	}
	for _, p := range chase.Plateaus(points) {
		fmt.Printf("%.1f ns", p.Latency)
		if p.Capacity > 0 {
			fmt.Printf(" up to a cache of %d KiB", p.CacheSize()/1024)
		}
		fmt.Println()
	}
	// Output:
	// 1.2 ns up to a cache of 32 KiB
	// 80.0 ns
}

// Half of the lines miss at the capacity: halfway between two latencies.
func ExampleLatency_At() {
	l := &chase.Latency{Ns: []float64{1, 5}, Capacities: []bandwidth.Capacity{{Bytes: 32 << 10, Width: 0.1}}}
	fmt.Printf("%.3f %.3f %.3f\n", l.At(16<<10), l.At(32<<10), l.At(1<<20))
	// Output: 1.000 3.000 5.000
}
