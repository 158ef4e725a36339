package compiler

import (
	"os/exec"
	"slices"
	"testing"
)

// TestRecord: as many references as were asked for, of a program that uses many lines again and again, and the same each time but for
// where the kernel puts the program.
func TestRecord(t *testing.T) {
	for _, program := range []string{"gcc", "valgrind"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs " + program)
		}
	}
	const n = 200_000
	all, err := Record(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[uint64]int{}
	for _, a := range all {
		lines[a/64]++
	}
	most := 0
	for _, uses := range lines {
		most = max(most, uses)
	}
	if len(all) != n || len(lines) < 500 || len(lines) > n/4 || most < 100 {
		t.Errorf("%d references to %d lines, %d to one", len(all), len(lines), most)
	}
	if slices.Contains(all, 0) {
		t.Error("a reference to address 0")
	}
}
