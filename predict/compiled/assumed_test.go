package compiled_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/codegen"
	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/examples"
	"foresee/model/timing"
	"foresee/predict/compiled"
)

// TestAssumed compares code that foresee makes itself with gcc's own, on one core: of kernels of several kinds the cycles differ by less than a tenth
// in the median at -O2, little more at -O3 with AVX2 and without optimisation.
func TestAssumed(t *testing.T) {
	needs(t, "gcc")
	dir := t.TempDir()
	if err := examples.Extract(dir); err != nil {
		t.Fatal(err)
	}
	m := zen4(t)
	for flags, most := range map[string]struct{ median, worst float64 }{"-O2": {0.1, 1.5}, "-O3 -mavx2 -mfma": {0.15, 2}, "-O0": {0.2, 1.8}} {
		var off []float64
		for _, name := range []string{"2mm", "adi", "atax", "correlation", "deriche", "fdtd-2d", "gemm-float", "gramschmidt", "jacobi-1d", "lu", "seidel-2d", "syrk"} {
			path := filepath.Join(dir, name+".c")
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			_, programs, blocks := read(t, path, string(text), csource.Options{Defines: []string{"SMALL"}})
			code, err := codegen.Make(programs[0], codegen.TargetOf(append([]string{"gcc"}, strings.Fields(flags)...), codegen.Plain))
			if err != nil {
				t.Fatal(err)
			}
			made, err := compiled.Assume(context.Background(), code, blocks[0], m, 0)
			if err != nil {
				t.Fatal(err)
			}
			c, err := compiled.Compile(context.Background(), append([]string{"gcc"}, strings.Fields(flags)...), codeOf(path, text), programs)
			if err != nil {
				t.Fatal(err)
			}
			cycles, err := c.On(context.Background(), m, programs)
			if err != nil {
				t.Fatal(err)
			}
			given, _ := cycles.Give([]*nest.Program{programs[0]}, [][]*timing.Block{blocks[0]})
			own, _ := total(made)
			theirs, _ := total(given[0])
			ratio := own / theirs
			if ratio > most.worst || ratio < 1/most.worst {
				t.Errorf("%s with gcc %s: %.0f cycles, of gcc's own code %.0f", name, flags, own, theirs)
			}
			off = append(off, math.Abs(ratio-1))
		}
		slices.Sort(off)
		if median := off[len(off)/2]; median > most.median {
			t.Errorf("gcc %s: off by %.0f %% in the median", flags, 100*median)
		}
	}
}

// TestSumsBegunAnew: a sum that begins anew in each round of the loop around it takes as long as one over all rounds, but for as many iterations as the core
// holds of the next round.
func TestSumsBegunAnew(t *testing.T) {
	m := zen4(t)
	core, _, err := compiled.CoreOf(m)
	if err != nil {
		t.Fatal(err)
	}
	const iterations, instructions = 4000, 4
	cycles := map[string]float64{}
	for name, begin := range map[string]string{"anew": "s = 0; ", "one": ""} {
		text := "double a[4000], b[7];\nvoid f(void) {\n double s = 0;\n for (int r = 0; r < 7; r++) { " + begin + "for (int i = 0; i < 4000; i++) s += a[i]; b[r % 3] = s; }\n}\n"
		_, programs, blocks := read(t, "f.c", text, csource.Options{Regions: []string{"f"}})
		code, err := codegen.Make(programs[0], codegen.Plain)
		if err != nil {
			t.Fatal(err)
		}
		made, err := compiled.Assume(t.Context(), code, blocks[0], m, 0)
		if err != nil {
			t.Fatal(err)
		}
		cycles[name], _ = total(made)
	}
	overlapping := float64(core.Reorder) / instructions / iterations
	if ratio := cycles["anew"] / cycles["one"]; ratio > 1.01 || ratio < 1-1.2*overlapping {
		t.Errorf("%.0f cycles, of one sum %.0f: %.3f", cycles["anew"], cycles["one"], ratio)
	}
}

// TestGuesses: of each branch on data, every second guess may be wrong; what is chosen by a conditional move or decided by counters is not guessed.
func TestGuesses(t *testing.T) {
	m := zen4(t)
	core, _, err := compiled.CoreOf(m)
	if err != nil {
		t.Fatal(err)
	}
	const begin = "double a[1000], b[1000]; int k[1000];\nvoid f(void) {\n double s = 0; int n = 0;\n for (int i = 0; i < 1000; i++) { "
	for body, branches := range map[string]float64{
		"b[i] = a[i];":                                            0,
		"if (a[i] > 0) b[i] = a[i];":                              1,
		"if (a[i] > 0) b[i] = a[i]; else s += a[i];":              1,
		"if (a[i] > 0 && k[i]) b[i] = a[i]; if (k[i]) s += b[i];": 2,
		"if (k[i] > n) n = k[i];":                                 0,
		"b[i] = a[i] > 0 ? a[i] : 0;":                             0,
		"if (i > 500) b[i] = a[i];":                               0,
		"switch (k[i]) { case 1: b[i] = 1; break; case 2: s++; }": 1,
	} {
		_, programs, blocks := read(t, "f.c", begin+body+" }\n b[0] = s + n;\n}\n", csource.Options{Regions: []string{"f"}})
		code, err := codegen.Make(programs[0], codegen.Plain)
		if err != nil {
			t.Fatal(err)
		}
		made, err := compiled.Assume(t.Context(), code, blocks[0], m, 1)
		if err != nil {
			t.Fatal(err)
		}
		wrong := 0.0
		for _, b := range made {
			if b.Compiled != nil {
				wrong += b.Compiled.Unguessed * b.Executions
			}
		}
		if want := branches * 1000 * 0.5 * core.Mispredicted; math.Abs(wrong-want) > 1e-6*want {
			t.Errorf("%s: %.0f cycles by wrong guesses, want %.0f", body, wrong, want)
		}
	}
}

// codeOf is a kernel's source at SMALL.
func codeOf(path string, text []byte) *application.Code {
	return &application.Code{Name: path, Folder: filepath.Dir(path), Text: text, Macros: []string{"SMALL"}}
}
