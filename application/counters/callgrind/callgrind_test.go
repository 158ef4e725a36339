package callgrind_test

import (
	"os"
	"strings"
	"testing"

	"foresee/application/counters"
	"foresee/application/counters/check"
	"foresee/application/counters/open"
)

// Oracle: callgrind_annotate of valgrind 3.19 on the same file.
func TestCallgrind(t *testing.T) {
	p := check.Profile(t, "tools/callgrind.out")
	want := map[string]map[string]float64{
		"strided":      {"Ir": 32270, "Dr": 4612, "Dw": 0, "D1mr": 44, "D1mw": 0, "DLmr": 1, "Bc": 4608, "Bcm": 18, "Bi": 0},
		"fill":         {"Ir": 24579, "Dr": 1, "Dw": 4096, "I1mr": 2, "D1mr": 1, "D1mw": 512, "ILmr": 2, "DLmr": 0, "DLmw": 512},
		"fibonacci'2":  {"Ir": 2545, "Dr": 528, "Dw": 526, "D1mw": 4, "DLmw": 4, "Bc": 176, "Bcm": 39},
		"fibonacci":    {"Ir": 18, "Dr": 3, "Dw": 4, "Bc": 1, "Bcm": 1},
		"(below main)": {"Ir": 13, "Dr": 1, "Dw": 6, "D1mw": 3, "DLmw": 2},
	}
	if len(p.Functions) != len(want) {
		t.Errorf("%d functions, not %d", len(p.Functions), len(want))
	}
	for function, events := range want {
		for event, count := range events {
			if got := check.Value(t, p, function, event); got != count {
				t.Errorf("%s of %s: %g, not %g", event, function, got, count)
			}
		}
	}
	if len(p.Warnings) != 0 || p.Rank != -1 {
		t.Errorf("rank %d, warnings %q", p.Rank, p.Warnings)
	}
}

// The same program by instruction without compressed names, and in three parts: the same instructions.
func TestCallgrindLayouts(t *testing.T) {
	for _, name := range []string{"tools/callgrind-instr.out", "tools/callgrind-parts.out"} {
		p := check.Profile(t, name)
		for function, count := range map[string]float64{"strided": 32270, "fill": 24579, "fibonacci'2": 2545, "fibonacci": 18, "(below main)": 13} {
			if got := check.Value(t, p, function, "Ir"); got != count {
				t.Errorf("%s: Ir of %s: %g, not %g", name, function, got, count)
			}
		}
		if len(p.Warnings) != 0 {
			t.Errorf("%s: %q", name, p.Warnings)
		}
	}
}

// Functions of one name in two objects are one; a call's costs are the callee's.
func TestCallgrindByHand(t *testing.T) {
	text := "version: 1\nevents: Ir Dr\npositions: line\n\nob=(1) a\nfl=(1) a.c\nfn=(1) init\n10 5 2\n+1 3\ncob=(2) b\ncfn=(2) work\n" +
		"calls=2 20\n* 100 50\n-2 1 1\n\nob=(2)\nfn=(2)\n20 100 50\njump=3 +2\n*\n\nob=(2)\nfn=(3) init\n30 7\n\ntotals: 116 53\n"
	file, err := open.Read("x", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p := &file.Profiles[0]
	for _, c := range []struct {
		function, event string
		want            float64
	}{{"init", "Ir", 16}, {"init", "Dr", 3}, {"work", "Ir", 100}, {"work", "Dr", 50}} {
		if got := check.Value(t, p, c.function, c.event); got != c.want {
			t.Errorf("%s of %s: %g, not %g", c.event, c.function, got, c.want)
		}
	}
	if len(p.Functions) != 2 || len(p.Warnings) != 0 {
		t.Errorf("%d functions, %q", len(p.Functions), p.Warnings)
	}
}

// A file that is cut off says so, wherever that is.
func TestCallgrindCutOff(t *testing.T) {
	text, err := os.ReadFile("../testdata/tools/callgrind.out")
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.TrimRight(string(text), "\n")
	for end := strings.Index(whole, "summary:"); end < strings.Index(whole, "totals:"); end++ {
		file, err := open.Read("x", strings.NewReader(whole[:end]))
		if err == nil && !check.HasWarning(file.Profiles[0].Warnings, "cut off") {
			t.Errorf("cut off after %d bytes: no error and no warning", end)
		}
	}
}

func FuzzCallgrind(f *testing.F) { check.Fuzz(f, "tools/callgrind*.out") }

// Oracle: sums of the table's formulas by hand, from callgrind_annotate's counts of strided.
func TestMapCallgrind(t *testing.T) {
	quantities, err := counters.LoadQuantities(nil)
	if err != nil {
		t.Fatal(err)
	}
	out, unmapped := quantities.Map(check.Profile(t, "tools/callgrind.out"))
	want := map[string]float64{
		"instructions": 32270, "loads": 4612, "stores": 0, "memory_accesses": 4612, "l1_misses": 44, "l1_hits": 4612 - 44,
		"llc_hits": 44 - 1, "llc_misses": 1, "branches": 4608, "branch_misses": 18, "instruction_misses": 0,
	}
	for quantity, count := range want {
		if got := check.Value(t, out, "strided", quantity); got != count {
			t.Errorf("%s: %g, not %g", quantity, got, count)
		}
	}
	if len(unmapped) != 0 || out.Tool != "callgrind" {
		t.Errorf("%s, unmapped %q", out.Tool, unmapped)
	}
}
