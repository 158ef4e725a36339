package examples_test

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"foresee/examples"
)

// TestKernelsRun compiles every kernel and compares the checksums of one thread and of three.
func TestKernelsRun(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs gcc")
	}
	dir := t.TempDir()
	if err := examples.Extract(dir); err != nil {
		t.Fatal(err)
	}
	t.Run("all", func(t *testing.T) {
		for _, name := range examples.Kernels() {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				program := filepath.Join(dir, name)
				build := exec.CommandContext(context.Background(), "gcc", "-O2", "-Wall", "-Werror", "-fopenmp", "-DMINI", program+".c", "-o", program, "-lm")
				if text, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, text)
				}
				one, three := checksum(t, program, 1), checksum(t, program, 3)
				if one == 0 || math.IsNaN(one) || math.IsInf(one, 0) || math.Abs(one-three) > 1e-9*math.Abs(one) {
					t.Errorf("checksum %v on one thread, %v on three", one, three)
				}
			})
		}
	})
}

func checksum(t *testing.T, program string, threads int) float64 {
	t.Helper()
	run := exec.CommandContext(t.Context(), program)
	run.Env = append(os.Environ(), "OMP_NUM_THREADS="+strconv.Itoa(threads))
	text, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text))
	if len(fields) != 2 || fields[0] != "checksum" {
		t.Fatalf("printed %q", text)
	}
	sum, err := strconv.ParseFloat(fields[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// There are at least 73 parallel loops, the number that PLUSS was evaluated on.
func TestThereAreEnoughParallelLoops(t *testing.T) {
	dir := t.TempDir()
	if err := examples.Extract(dir); err != nil {
		t.Fatal(err)
	}
	loops := 0
	work := regexp.MustCompile(`(?m)^\s*#pragma omp (parallel )?for`)
	for _, name := range examples.Kernels() {
		text, err := os.ReadFile(filepath.Join(dir, name+".c"))
		if err != nil {
			t.Fatal(err)
		}
		loops += len(work.FindAll(text, -1))
	}
	if loops < 73 {
		t.Errorf("%d parallel loops", loops)
	}
}
