package sass_test

import (
	"fmt"
	"os"

	"foresee/application/sass"
)

// The innermost loop of a kernel, as Z and E of the X-model. The listing has 12 instructions from 0x58 to the branch back at 0xb0, of which
// the three LD.E go off the chip: 12/3 for each of them. Code for sm_20 has no issue control, so that E is taken as 1.
func Example() {
	file, err := os.Open("testdata/gesummv-sm20.sass")
	if err != nil {
		panic(err)
	}
	defer file.Close()
	listing, err := sass.Read(file)
	if err != nil {
		panic(err)
	}
	kernel := listing.Kernels[0]
	work, err := kernel.Flow().Workload(sass.Choice{Blocks: sass.InnerLoop})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%s for sm_%d, %s\n", kernel.Name, kernel.Architecture, work.Of)
	fmt.Printf("%g instructions, %g of them to off-chip memory: Z = %g, E = %g\n", work.Counts.All(), work.Counts.OffChip(), work.Z, work.E)
	// Output:
	// gesummv for sm_20, the loop at 0x58
	// 12 instructions, 3 of them to off-chip memory: Z = 4, E = 1
}
