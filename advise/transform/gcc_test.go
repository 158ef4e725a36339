package transform_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/advise/syntax"
	"foresee/advise/transform"
	"foresee/application/csource"
	"foresee/examples"
)

// every is all changes of all loops of a source.
func every(t *testing.T, name, text string, defines []string, tile int) (all []*transform.Change) {
	t.Helper()
	u, err := csource.Load(name, []byte(text), csource.Options{Defines: defines})
	if err != nil {
		t.Fatal(err)
	}
	s := transform.NewSource(name, text, u.Programs)
	seen := map[string]bool{text: true}
	for _, r := range s.Roots() {
		for _, l := range r.Loops() {
			for _, f := range []func(*syntax.Node) []*transform.Change{
				s.Interchanges, s.Distributions, s.Fusions, s.UnrollJams, s.Parallels, s.Temporaries, s.SumsInArrays, s.Schedules, s.Skewings,
				func(l *syntax.Node) []*transform.Change { return s.Tilings(l, tile) },
				func(l *syntax.Node) []*transform.Change {
					return s.TimeTilings(l, []transform.TimeTile{{Time: 2, Space: 1}, {Time: 3, Space: tile}})
				},
			} {
				for _, c := range f(l) {
					if !seen[c.Text] {
						seen[c.Text] = true
						all = append(all, c)
					}
				}
			}
		}
	}
	return all
}

// layouts are the changes of a source's data.
func layouts(t *testing.T, name, text string, defines []string) []*transform.Change {
	t.Helper()
	u, err := csource.Load(name, []byte(text), csource.Options{Defines: defines})
	if err != nil {
		t.Fatal(err)
	}
	s := transform.NewSource(name, text, u.Programs)
	return slices.Concat(s.StructuresOfArrays(), s.TransposedArrays(), s.Paddings(64))
}

// output is what a program prints, compiled by gcc.
func output(t *testing.T, dir, name, text, threads string, flags ...string) string {
	t.Helper()
	source, program := filepath.Join(dir, name+".c"), filepath.Join(dir, name)
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("gcc", append([]string{"-w", "-fopenmp", "-o", program, source, "-lm"}, flags...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Sprintf("does not compile: %v\n%s", err, out)
	}
	run := exec.Command(program)
	run.Env = append(os.Environ(), "OMP_NUM_THREADS="+threads)
	out, err := run.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("fails: %v\n%s", err, out)
	}
	return string(out)
}

// sample are kernels whose changes are compiled and run; FORESEE_KERNELS names others, or all of them.
var sample = []string{"trmm", "matmul-dot", "cells-two-members"}

// TestChangesRun compiles the kernels with each of their changes by itself, runs them, and compares what they print.
func TestChangesRun(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs gcc: apt-get install gcc libc6-dev")
	}
	names := sample
	switch given := os.Getenv("FORESEE_KERNELS"); given {
	case "":
	case "all":
		names = slices.Concat(examples.Kernels(), examples.Slow())
	default:
		names = strings.Split(given, ",")
	}
	dir := t.TempDir()
	if err := examples.ExtractSlow(dir); err != nil {
		t.Fatal(err)
	}
	folders := map[string]string{}
	for _, n := range examples.Slow() {
		folders[n] = filepath.Join(dir, "slow")
	}
	tried := 0
	for _, name := range names {
		dir := cmp.Or(folders[name], filepath.Join(dir, "kernels"))
		text, err := os.ReadFile(filepath.Join(dir, name+".c"))
		if err != nil {
			t.Fatal(err)
		}
		want := output(t, dir, name+"-before", string(text), "1", "-O1", "-DSMALL")
		all := every(t, filepath.Join(dir, name+".c"), string(text), []string{"SMALL"}, 16)
		for i, c := range slices.Concat(all, layouts(t, filepath.Join(dir, name+".c"), string(text), []string{"SMALL"})) {
			tried++
			got := output(t, dir, name+"-after", c.Text, "3", "-O1", "-DSMALL")
			if got != want && !((c.Reorders || strings.Contains(string(text), "reduction(")) && close(got, want)) {
				t.Errorf("%s: %s (line %d): prints %q instead of %q\n%s", name, c.Title, c.Line, got, want, different(string(text), c.Text))
			}
			if i >= 4 && testing.Short() {
				break
			}
		}
		t.Logf("%s: %d changes", name, len(all))
	}
	if tried < 10 {
		t.Errorf("%d changes only", tried)
	}
}

// close tells checksums that differ by rounding alone.
func close(a, b string) bool {
	var x, y float64
	_, err1 := fmt.Sscanf(a, "checksum %g", &x)
	_, err2 := fmt.Sscanf(b, "checksum %g", &y)
	return err1 == nil && err2 == nil && x-y < 1e-9*max(x, -x, 1) && y-x < 1e-9*max(x, -x, 1)
}

// different are the lines that differ.
func different(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out bytes.Buffer
	for _, l := range y {
		if !slices.Contains(x, l) {
			fmt.Fprintln(&out, l)
		}
	}
	return out.String()
}
