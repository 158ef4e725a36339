package accuracy

import (
	"testing"

	"foresee/internal/oracle/interpreter"
	"foresee/internal/oracle/kernels"
	"foresee/model/schedule"
)

// TestGuidedInTurn: the exact model, which lets threads take guided chunks in turn, comes near to a simulated team whose
// threads ask when they are free. Chunks of the average size instead are off by 0.024.
func TestGuidedInTurn(t *testing.T) {
	if testing.Short() {
		t.Skip("walks through eight kernels")
	}
	t.Parallel()
	const threads, most = 4, 0.008
	names := []string{"gemm", "symm", "syrk", "jacobi-2d", "heat-3d-collapse", "lu", "particles-soa", "correlation"}
	var errs Errors
	err := overKernels(t.Context(), Options{Kernels: names}, func(name string) ([]kernels.Kernel, error) { return loadKernel("MINI", name) }, func(k kernels.Kernel) (func(), error) {
		guided := kernels.Kernel{Name: k.Name, Path: k.Path, Program: interpreter.WithSchedule(k.Program, schedule.Guided, 1)}
		c, err := newComparison(t.Context(), guided, 1)
		if err != nil {
			return nil, err
		}
		want, err := c.scheduled(guided.Program, threads)
		if err != nil {
			return nil, err
		}
		got, err := c.interleaved(guided.Program, fewer, threads, threads)
		if err != nil {
			return nil, err
		}
		mean, _ := deviation(got, want)
		return func() { errs.Add(k.Name, mean) }, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if worst, name := errs.Worst(); errs.Mean() > most {
		t.Errorf("off by %.4f on average, %.4f at worst (%s); want at most %.4f", errs.Mean(), worst, name, most)
	}
}
