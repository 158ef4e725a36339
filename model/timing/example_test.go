package timing_test

import (
	"fmt"

	"foresee/application/csource"
	"foresee/machine"
	"foresee/model/timing"
)

// What the core needs for a loop, were all data in the nearest cache: a sum waits for each addition before the next, a product of two
// arrays for nothing but the units. By the machine file: an addition begins each cycle and takes 3; of the product, two loads of two a cycle and
// a store of one a cycle take a cycle, but 5 instructions – load, multiplication with the other load, store, counter, compare and branch – at 4
// a cycle 1.25.
func ExampleCoreOf() {
	m, err := machine.Load("i7-5960x")
	if err != nil {
		panic(err)
	}
	unit, err := csource.Load("loops.c", []byte(`
double a[1000], b[1000];
double sum(void) { double s = 0; for (int i = 0; i < 1000; i++) s += a[i]; return s; }
void product(void) { for (int i = 0; i < 1000; i++) a[i] *= b[i]; }`), csource.Options{})
	if err != nil {
		panic(err)
	}
	for _, p := range unit.Programs {
		blocks, err := timing.Blocks(p)
		if err != nil {
			panic(err)
		}
		for _, b := range blocks {
			if b.Innermost {
				core := timing.CoreOf(p, b, timing.NewCosts(m))
				fmt.Printf("%s: %g iterations, each at least %.3g cycles of units, and %.3g of waiting\n", p.Region, b.Executions, core.Throughput, core.Chain)
			}
		}
	}
	// Output:
	// sum: 1000 iterations, each at least 1 cycles of units, and 3 of waiting
	// product: 1000 iterations, each at least 1.25 cycles of units, and 0 of waiting
}
