package machine_test

import (
	"fmt"

	"foresee/machine"
)

// Every value of a machine stands with its source; what nobody knows is absent.
func Example() {
	m, err := machine.Load("i7-5960x")
	if err != nil {
		panic(err)
	}
	fmt.Println(m.Title)
	for _, level := range m.Levels {
		size, _ := level.Capacity()
		fmt.Printf("%s of %s, shared by %d of %d cores\n", level.Name, machine.FormatSize(int64(size)), level.SharedBy.Or(1), m.TotalCores())
	}
	fmt.Printf("its clock of %g GHz is from %s\n", m.FrequencyGHz.Value, m.FrequencyGHz.Source)
	fmt.Println("its bandwidth was measured:", m.Fit(machine.SweepRead) != nil)
	// Output:
	// Intel Core i7-5960X, 8 cores, 3.0 GHz
	// L1 of 32 KiB, shared by 1 of 8 cores
	// L2 of 256 KiB, shared by 1 of 8 cores
	// L3 of 20 MiB, shared by 8 of 8 cores
	// its clock of 3 GHz is from Intel ARK, Core i7-5960X; PPT-Multicore, table 5
	// its bandwidth was measured: false
}
