package gprof_test

import (
	"math"
	"strings"
	"testing"

	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// Oracle: the files as gprof printed them.
func TestGprof(t *testing.T) {
	for _, name := range []string{"tools/gprof.txt", "tools/gprof-full.txt"} {
		p := check.Profile(t, name)
		if len(p.Functions) != 3 || check.Value(t, p, "strided", "self seconds") != 0.16 || check.Value(t, p, "strided", "calls") != 10000 ||
			check.Value(t, p, "fill", "calls") != 1 || len(p.Warnings) != 0 {
			t.Errorf("%s: %+v", name, p)
		}
	}
	// A function that was not compiled with -pg has no calls; a row is missing.
	text := "Flat profile:\n\n  %   cumulative   self\n time   seconds   seconds    calls\n 60.00      0.60     0.60      7   0.1  0.2  void f<int, 2>(int)\n 20.00      0.80     0.20    _mcount\n"
	file, err := open.Read("x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p := &file.Profiles[0]
	if !math.IsNaN(check.Value(t, p, "_mcount", "calls")) || check.Value(t, p, "void f<int, 2>(int)", "calls") != 7 || !check.HasWarning(p.Warnings, "80.0 %") {
		t.Errorf("%+v", p)
	}
}

func FuzzGprof(f *testing.F) { check.Fuzz(f, "tools/gprof*.txt") }
