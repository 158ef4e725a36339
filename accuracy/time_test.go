package accuracy

import (
	"math"
	"os/exec"
	"testing"

	"foresee/internal/oracle/kernels"
)

// Loops whose instructions are their operations, loads, stores and counters: what the core's model counts is what gcc makes.
func TestInstructionsOfSources(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"gcc", "valgrind", "objdump"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s: %v", program, err)
		}
	}
	names := []string{"gemm", "syrk", "syr2k", "trisolv", "cholesky", "gesummv", "transpose"}
	ks, err := kernels.Load(t.TempDir(), "SMALL", names...)
	if err != nil {
		t.Fatal(err)
	}
	table, err := instructions(t.Context(), ks, "SMALL", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		off, there := table.Values[name]
		if !there || !(math.Abs(off) <= 6) {
			t.Errorf("%s: %+.1f %% (there: %t)", name, off, there)
		}
		t.Logf("%s: %+.1f %%", name, off)
	}
}
