package counters_test

import (
	"fmt"

	"foresee/application/counters"
)

// Profiles of two ranks become series: for each function and quantity a value, here that of one run on two processes: the
// mean of both ranks, and the largest.
func Example() {
	quantities, err := counters.LoadQuantities(nil)
	if err != nil {
		panic(err)
	}
	rank := func(number int, instructions float64) counters.Profile {
		return counters.Profile{
			Tool: "callgrind", Rank: number, Events: []string{"Ir"},
			Functions: []counters.Function{{Name: "solve", Values: []float64{instructions}}, {Name: "main", Values: []float64{10}}},
		}
	}
	set := &counters.Set{}
	at := map[string]float64{"p": 2}
	if err := counters.AddProfiles(set, at, []counters.Profile{rank(0, 1000), rank(1, 3000)}, quantities); err != nil {
		panic(err)
	}
	for _, series := range set.Series {
		for _, m := range series.Points {
			fmt.Printf("%s %s at %s: %g\n", series.Callpath, series.Metric, counters.FormatPoint(set.Parameters, m.At), m.Median())
		}
	}
	// Output:
	// run instructions at p=2: 2010
	// run instructions.max at p=2: 3010
	// solve instructions at p=2: 2000
	// solve instructions.max at p=2: 3000
	// main instructions at p=2: 10
	// main instructions.max at p=2: 10
}
