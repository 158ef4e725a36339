package traffic_test

import (
	"fmt"

	"foresee/model/traffic"
)

// A simulation of one cache misses line after line, and then lines far apart, at a step of 1001: how they came is told from the misses alone.
// Prefetchers follow 16 streams. Of 1000 lines in sequence all but the first follow one; every fourth is written.
func ExampleArrival() {
	const memory, region = 1, 0 // the cache itself is level 0
	lines := map[string]func(i uint64) uint64{
		"in sequence": func(i uint64) uint64 { return i },
		"far apart":   func(i uint64) uint64 { return i * 1001 % 9973 },
	}
	for _, how := range []string{"in sequence", "far apart"} {
		arrival := traffic.NewArrival(1, 1, 16)
		for i := range uint64(1000) {
			arrival.Miss(0, int64(i)+1, lines[how](i), memory, region, i%4 == 0)
		}
		served := arrival.Of(region, memory)
		fmt.Printf("%s: %.2f of the lines follow another one, %.2f are written\n", how, served.Straight(), served.Written)
	}
	// Output:
	// in sequence: 1.00 of the lines follow another one, 0.25 are written
	// far apart: 0.00 of the lines follow another one, 0.25 are written
}
