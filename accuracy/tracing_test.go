package accuracy_test

import (
	"context"
	"math"
	"os/exec"
	"testing"

	"foresee/accuracy"
	"foresee/examples"
	"foresee/internal/longtest"
)

// TestTracedStreams holds that the threads which one run is cut into are those of runs with so many threads, for a third of
// the kernels, or for all (make test-long), and that loads, stores and operations are near callgrind's for some.
func TestTracedStreams(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("clang"); err != nil {
		t.Skip("needs clang")
	}
	o := accuracy.Options{Seed: 1}
	switch {
	case testing.Short():
		o.Kernels = []string{"gemm", "gemver-column", "lu-chunk"}
	case !longtest.Asked():
		for i, name := range examples.Kernels() {
			if i%3 == 0 {
				o.Kernels = append(o.Kernels, name)
			}
		}
	}
	table, err := accuracy.TracedStreams(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		for i, cell := range row[1:] {
			if cell != "equal" {
				t.Errorf("%s, %s: %s", row[0], table.Columns[i+1], cell)
			}
		}
	}
}

func TestTracedCounts(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"clang", "valgrind", "objdump"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs " + program)
		}
	}
	names := []string{"atax", "gramschmidt", "jacobi-2d", "stream-triad"}
	table, err := accuracy.TracedCounts(context.Background(), accuracy.Options{Kernels: names})
	if err != nil {
		t.Fatal(err)
	}
	for _, kernel := range names {
		for _, what := range []string{"loads", "stores", "flops"} {
			if difference, there := table.Values[kernel+", "+what]; !there || math.Abs(difference) >= 2 {
				t.Errorf("%s: %s differ by %+.2f %% (there: %t)", kernel, what, difference, there)
			}
		}
	}
}
