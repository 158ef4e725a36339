package cycles

import "testing"

// TestPairs has two versions of a product whose order is foretold wrongly by the source, another size, another computation, and a pair that the clock
// does not tell apart.
func TestPairs(t *testing.T) {
	x := &compiledTimes{size: "SMALL", all: []timedCode{
		{kernel: "gemm", measured: 2, compiled: 3, source: 1, flops: 8},
		{kernel: "gemm-tiled", measured: 1, compiled: 2, source: 1.05, flops: 8},
		{kernel: "gemm-flat", measured: 1.05, compiled: 1, source: 3, flops: 9},
		{kernel: "lu", measured: 9, compiled: 1, source: 1, flops: 8},
		{kernel: "jacobi-1d", measured: 9, compiled: 1, source: 1, flops: 8},
		{kernel: "jacobi-2d", measured: 1, compiled: 1, source: 1, flops: 8},
		{kernel: "lu-chunk", measured: 9.5, compiled: 2, source: 1, flops: 8},
	}}
	row := x.pairs().Rows[0]
	for i, want := range []string{"all", "1", "100 %", "100 %", "0 %", "0 %"} {
		if row[i] != want {
			t.Errorf("column %d: %s, want %s", i, row[i], want)
		}
	}
}
