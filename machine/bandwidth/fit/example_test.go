package fit_test

import (
	"fmt"
	"math/rand/v2"

	"foresee/machine/bandwidth"
	"foresee/machine/bandwidth/fit"
	"foresee/machine/bandwidth/internal/synthetic"
)

// The sweep of a made-up machine gives the machine again: here what a line of L2 costs in sequence, 0.5 ns, and where L1 ends, at 33 KiB.
func ExampleExtended() {
	h := synthetic.Caches(1)
	points := synthetic.Sweep(synthetic.Form(1), h, 0, rand.New(rand.NewPCG(1, 2)))
	f, err := fit.Extended(h, points, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f ns a line, %.0f KiB, errors of %.0f %%\n", f.Sources[0].SequentialNs, f.Capacities[0].Bytes/1024, 100*bandwidth.ErrorsOf(f.Errors(h, points)).Mean)
	// Output: 0.50 ns a line, 33 KiB, errors of 0 %
}

// Each parameter of three levels has a place in machine files, a unit and a usual value.
func ExampleInstances() {
	all := fit.Instances(3)
	fmt.Println(len(all))
	for _, p := range all[:6] {
		fmt.Printf("%s, %s: usually %v\n", p.Path, p.Unit, p.Usual)
	}
	// Output:
	// 48
	// core_ns, ns: usually shortest × 1.05
	// pass_ns, ns: usually 1
	// norm, 1: usually 3
	// steepness, 1: usually 1.3
	// sources[0].sequential_ns, ns: usually even / 3
	// sources[0].far_ns, sequential_ns, more: usually 0.5
}
