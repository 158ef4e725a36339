package record_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"

	"foresee/application/record"
	"foresee/application/trace"
)

// gatheredElements are the accesses of testdata/own/gathers.c to x, xf, xi and xl, by its source: how often which element.
func gatheredElements() map[string]int {
	const n = 997
	all := map[string]int{}
	access := func(array string, kind trace.Kind, at uint32) { all[fmt.Sprint(array, kind, at)]++ }
	s := uint32(1)
	for i := range n {
		s = s*1664525 + 1013904223
		ix, lx := (s>>8)%n, (s>>12)%n
		access("x", trace.Read, ix)
		if i < n-3 {
			access("x", trace.Read, lx)
		}
		if i < n-1 {
			access("xf", trace.Read, ix)
		}
		access("xf", trace.Read, lx)
		if ix&1 != 0 && i < n-2 {
			access("x", trace.Read, ix)
		}
		if ix%3 != 0 {
			access("xi", trace.Read, ix)
		}
		if lx&2 != 0 {
			access("xl", trace.Write, lx)
		}
	}
	return all
}

// TestOwnGathers looks at each element that code gathers and scatters, some of it under masks.
func TestOwnGathers(t *testing.T) {
	t.Parallel()
	cpu, _ := os.ReadFile("/proc/cpuinfo")
	for _, c := range []struct {
		needs string // of the processor
		ownBuild
	}{
		{"", ownBuild{"gcc", "", record.C, []string{"-O2"}}},
		{"avx2", ownBuild{"gcc", "", record.C, []string{"-O3", "-march=haswell"}}},
		{"avx2", ownBuild{"gcc", "", record.C, []string{"-O3", "-march=skylake", "-ffast-math", "-fPIC"}}},
		{"avx2", ownBuild{"clang", "", record.C, []string{"-O3", "-march=skylake", "-ffast-math"}}},
		{"avx512vl", ownBuild{"gcc", "", record.C, []string{"-O3", "-march=skylake-avx512", "-mprefer-vector-width=512", "-ffast-math"}}},
		{"avx512vl", ownBuild{"gcc", "", record.C, []string{"-O3", "-march=skylake-avx512", "-ffast-math"}}},
		{"avx512vl", ownBuild{"clang", "", record.C, []string{"-O3", "-march=skylake-avx512", "-mprefer-vector-width=512", "-ffast-math"}}},
		{"avx512vl", ownBuild{"clang", "", record.C, []string{"-O3", "-march=skylake-avx512", "-ffast-math", "-fPIC"}}},
	} {
		t.Run(c.compiler+strings.Join(c.flags, ""), func(t *testing.T) {
			t.Parallel()
			needProgram(t, c.compiler)
			if !strings.Contains(string(cpu), " "+c.needs) {
				t.Skipf("the processor has no %s", c.needs)
			}
			plain, recorded := c.build(t, "testdata/own/gathers.c")
			code, err := exec.CommandContext(t.Context(), "objdump", "-d", plain).Output()
			if n := strings.Count(string(code), "gather") + strings.Count(string(code), "scatter"); err == nil && (n > 0) != (c.needs != "") {
				t.Errorf("%d gathers and scatters", n)
			}
			accesses, printed := recordedAccesses(t, recorded)
			var bases [4]uint64
			var sum, plainly string
			if _, err := fmt.Sscanf(printed, "0x%x 0x%x 0x%x 0x%x %s", &bases[0], &bases[1], &bases[2], &bases[3], &sum); err != nil {
				t.Fatal(err)
			}
			if words := strings.Fields(run(t, plain)); len(words) > 4 {
				plainly = words[4]
			}
			if sum != plainly {
				t.Errorf("it prints %s instead of %s", sum, plainly)
			}
			got := map[string]int{}
			for _, e := range accesses {
				for k, name := range []string{"x", "xf", "xi", "xl"} {
					bytes := []uint64{8, 4, 4, 8}[k]
					if at := e.Address - bases[k]; at < 997*bytes {
						got[fmt.Sprint(name, e.Kind, at/bytes)]++
					}
				}
			}
			for of, n := range gatheredElements() {
				if got[of] != n {
					t.Errorf("%s is accessed %d times, not %d", of, got[of], n)
				}
				delete(got, of)
			}
			for of := range maps.Keys(got) {
				t.Errorf("%s is accessed, and should not be", of)
			}
		})
	}
}
