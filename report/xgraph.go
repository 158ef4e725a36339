package report

import (
	"foresee/model/xmodel"
)

// XUnits are what the axes count in.
type XUnits struct {
	Memory, Compute         float64 // of a request, an operation per cycle
	MemoryName, ComputeName string
}

// XUnitsOf are GB/s and GFLOP/s where the scale is known, else requests and operations a cycle.
func XUnitsOf(s xmodel.Scale) XUnits {
	if s.GHz > 0 && s.RequestBytes > 0 {
		return XUnits{s.GBs(1), s.GFlops(1), "GB/s", "GFLOP/s"}
	}
	return XUnits{1, 1, "requests/cycle", "operations/cycle"}
}
