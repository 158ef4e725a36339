package codegen

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/examples"
	"foresee/model/core"
)

func read(t *testing.T, text string) *nest.Program {
	t.Helper()
	u, err := csource.Load("loop.c", []byte(text), csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return u.Programs[0]
}

// lanesOf are the lanes of the first loop that is in vectors; 1 where none is.
func lanesOf(all []piece) int64 {
	for _, p := range all {
		r, ok := p.(*repeated)
		if !ok {
			continue
		}
		if r.inLanes != nil {
			return r.inLanes[0].lanes
		}
		if n := lanesOf(r.single.body); n > 1 {
			return n
		}
	}
	return 1
}

// TestVectors has loops of which gcc 12 -O2 and -O3 -mavx2 tell, by -fopt-info-vec, whether and how they are put in vectors.
func TestVectors(t *testing.T) {
	wide := Target{Level: 3, Vector: avx2, FMA: true}
	for _, x := range []struct {
		name, loop string
		plain      int64
		wide       int64
	}{
		{"a sum of arrays", "for (i = 0; i < 64; i++) a[i] = b[i] + c[i];", 2, 4},
		{"a number of iterations that is no multiple", "for (i = 0; i < 63; i++) a[i] = b[i] + c[i];", 1, 4},
		{"halves of registers", "for (i = 0; i < 62; i++) f[i] = g[i] * 3.0f;", 2, 8},
		{"a sum over all", "for (i = 0; i < 64; i++) s += a[i];", 1, 1},
		{"what the iteration before wrote", "for (i = 1; i < 64; i++) a[i] = a[i - 1] * b[i];", 1, 1},
		{"what a later one will write", "for (i = 0; i < 64; i++) a[i] = a[i + 1] * b[i];", 2, 4},
		{"every other", "for (i = 0; i < 64; i++) a[i] = b[2 * i];", 1, 1},
		{"a call", "for (i = 0; i < 64; i++) a[i] = exp(b[i]);", 1, 1},
		{"a root, which may set errno", "for (i = 0; i < 64; i++) a[i] = sqrt(b[i]);", 1, 1},
		{"another row of a matrix, which is looked at", "for (j = 0; j < 63; j++) for (i = 0; i < 64; i++) m[j][i] = m[j + 1][i] + m[j][i];", 2, 4},
		{"columns that add up", "for (i = 0; i < 64; i++) { a[i] = 0; for (j = 0; j < 64; j++) a[i] += b[j] * m[j][i]; }", 2, 4},
	} {
		p := read(t, "#include <math.h>\ndouble a[200], b[200], c[200], m[64][64], s; float f[64], g[64];\nvoid kernel(void) {\n int i, j;\n "+x.loop+"\n}\n")
		for _, of := range []struct {
			target Target
			want   int64
		}{{Plain, x.plain}, {wide, x.wide}} {
			c, err := Make(p, of.target)
			if err != nil {
				t.Fatal(err)
			}
			if n := lanesOf(c.root); n != of.want {
				t.Errorf("%s with %v: %d lanes, want %d\n%s", x.name, of.target, n, of.want, c.Text())
			}
		}
	}
}

// TestKept has loops in which gcc keeps elements in registers, by the loads and stores that are left in an iteration.
func TestKept(t *testing.T) {
	for _, x := range []struct {
		name, function string
		loads, stores  int
	}{
		{"a sum in an element", "void kernel(double *restrict x, double *restrict y, int n) { for (int i = 0; i < n; i++) x[0] += y[i]; }", 1, 0},
		{"a sum in an element that another pointer may point at", "void kernel(double *x, double *y, int n) { for (int i = 0; i < n; i++) x[0] += y[i]; }", 1, 1},
		{"two that may be one", "void kernel(double *x, double *y, int n) { for (int i = 0; i < n; i++) { x[0] += y[1]; y[0] += x[1]; } }", 4, 2},
		{"what the iteration before wrote", "void kernel(double *restrict x, double *restrict y, int n) { for (int i = 1; i < n; i++) x[i] = x[i - 1] * y[i]; }", 1, 1},
		{"an element twice", "void kernel(double *restrict x, double *restrict y, int n) { for (int i = 1; i < n; i++) x[i] = 2.0 / (y[i] * y[i] + y[i]); }", 1, 1},
	} {
		u, err := csource.Load("loop.c", []byte(x.function), csource.Options{Defines: []string{"n=1001"}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Make(u.Programs[0], Plain)
		if err != nil {
			t.Fatal(err)
		}
		var inside *repeated
		for _, p := range c.root {
			if r, ok := p.(*repeated); ok {
				inside = r
			}
		}
		loads, stores := 0, 0
		for _, p := range inside.single.body {
			if s, ok := p.(*straight); ok {
				for i := s.from; i < s.to; i++ {
					e := c.Instructions[i].Effects()
					if e.Load > 0 {
						loads++
					}
					if e.Store > 0 {
						stores++
					}
				}
			}
		}
		if loads != x.loads || stores != x.stores {
			t.Errorf("%s: %d loads and %d stores an iteration, want %d and %d\n%s", x.name, loads, stores, x.loads, x.stores, c.Text())
		}
	}
}

// TestWalk walks the code of all kernels for all targets: blocks are executed as often as the nest says, though most iterations are left out.
func TestWalk(t *testing.T) {
	dir := t.TempDir()
	if err := examples.Extract(dir); err != nil {
		t.Fatal(err)
	}
	for _, name := range examples.Kernels() {
		path := filepath.Join(dir, name+".c")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		u, err := csource.Load(path, text, csource.Options{Defines: []string{"SMALL"}})
		if err != nil {
			t.Fatal(err)
		}
		p := u.Programs[0]
		runs, err := nest.CountRuns(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range []Target{Plain, {Level: 3, Vector: avx512, FMA: true}, {}} {
			c, err := Make(p, target)
			if err != nil {
				t.Fatalf("%s with %v: %v", name, target, err)
			}
			meter := core.NewMeter(nil, c.Places, c.Blocks)
			if !c.Walk(meter, 50_000_000) {
				t.Errorf("%s with %v: the walk was cut short", name, target)
			}
			most := 0.0
			for _, n := range runs.Iteration {
				most = max(most, float64(n))
			}
			blocks := numbered(p)
			for l, n := range runs.Iteration {
				got, want := meter.Counts()[blocks.loops[l]], float64(n)
				if math.Abs(got-want) > 0.16*want+0.002*most {
					t.Errorf("%s with %v: the loop at %s has %.0f iterations, want %.0f", name, target, l.Pos, got, want)
				}
			}
		}
	}
}

func TestTargets(t *testing.T) {
	zen4 := Native("Zen 4")
	for flags, want := range map[string]string{
		"-O2":                       "gcc -O2",
		"-O3 -march=native":         "gcc -O3 with AVX-512",
		"-O3 -march=skylake-avx512": "gcc -O3 with AVX2",
		"-Ofast -mavx2":             "gcc -Ofast with AVX2",
		"-O2 -g":                    "gcc -O2",
		"-g":                        "gcc -O0",
		"-O3 -march=znver4 -mprefer-vector-width=256": "gcc -O3 with AVX2",
	} {
		if got := TargetOf(strings.Fields(flags), zen4).String(); got != want {
			t.Errorf("%s: %s, want %s", flags, got, want)
		}
	}
	if Native("K8").Vector != sse || Native("Haswell").Vector != avx2 {
		t.Error("the vectors of a K8 or a Haswell")
	}
}

// TestSizes loads and stores as many bytes as elements have: a store of four where the array has one would be waited for by the loads beside it.
func TestSizes(t *testing.T) {
	for typ, size := range map[string]int{"char": 1, "short": 2, "int": 4, "long": 8, "float": 4, "double": 8} {
		p := read(t, "static "+typ+" a[99], b[99];\nvoid kernel(void) { for (int i = 0; i < 99; i++) a[i] = a[i] + b[i]; }\n")
		c, err := Make(p, Plain)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range c.Instructions {
			if e := x.Effects(); e.Load > 0 && e.Load != size || e.Store > 0 && e.Store != size {
				t.Errorf("%s: %s loads %d and stores %d bytes", typ, x.Text, e.Load, e.Store)
			}
		}
	}
}
