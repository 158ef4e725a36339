package codegen

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foresee/application/assembly"
	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/examples"
	"foresee/model/core"
)

func read(t *testing.T, text string) *nest.Program {
	t.Helper()
	o := csource.Options{}
	if strings.Contains(text, "void kernel(") {
		o.Regions = []string{"kernel"}
	}
	u, err := csource.Load("loop.c", []byte(text), o)
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

// vectorised is what gcc says of a loop that it puts in vectors, with how many bytes.
var vectorised = regexp.MustCompile(`loop vectorized using (\d+) byte vectors`)

// byGCC compiles a source with gcc and gives what it says of vectors, and its assembly.
func byGCC(t *testing.T, source string, flags ...string) (said string, file *assembly.File) {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "loop.c"), filepath.Join(dir, "loop.s")
	if err := os.WriteFile(in, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	told, err := exec.Command("gcc", append(flags, "-fopt-info-vec", "-S", "-o", out, in)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, told)
	}
	text, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	if file, err = assembly.Read("loop.s", text); err != nil {
		t.Fatal(err)
	}
	return string(told), file
}

// needsGCC skips where the compiler is not the one whose rules these are.
func needsGCC(t *testing.T) {
	t.Helper()
	version, err := exec.Command("gcc", "-dumpfullversion").Output()
	machine, _ := exec.Command("gcc", "-dumpmachine").Output() // gcc answers one question at a time
	if err != nil || !strings.HasPrefix(string(version), "12.") || !strings.HasPrefix(string(machine), "x86_64") {
		t.Skip("needs gcc 12 on x86-64")
	}
}

// TestVectors has loops of which gcc 12 says itself whether and how they are put in vectors. Of those that are left out here, as the package says, nothing
// is in vectors.
func TestVectors(t *testing.T) {
	needsGCC(t)
	wide := []string{"-O3", "-mavx2", "-mfma"}
	for _, x := range []struct {
		name, loop string
		size       int64 // of its numbers
		left       bool  // gcc does it and foresee does not
	}{
		{"a sum of arrays", "for (i = 0; i < 64; i++) a[i] = b[i] + c[i];", 8, false},
		{"a number of iterations that is no multiple", "for (i = 0; i < 63; i++) a[i] = b[i] + c[i];", 8, false},
		{"halves of registers", "for (i = 0; i < 62; i++) f[i] = g[i] * 3.0f;", 4, false},
		{"what the iteration before wrote", "for (i = 1; i < 64; i++) a[i] = a[i - 1] * b[i];", 8, false},
		{"what a later one will write", "for (i = 0; i < 64; i++) a[i] = a[i + 1] * b[i];", 8, false},
		{"a call", "for (i = 0; i < 64; i++) a[i] = exp(b[i]);", 8, false},
		{"a root, which may set errno", "for (i = 0; i < 64; i++) a[i] = sqrt(b[i]);", 8, false},
		{"another row of a matrix", "for (j = 0; j < 63; j++) for (i = 0; i < 64; i++) m[j][i] = m[j + 1][i] + m[j][i];", 8, false},
		{"rows that are clamped", "for (j = 0; j < 64; j++) for (i = 0; i < 64; i++) q[j][i] = m[j > 0 ? j - 1 : 0][i] + m[j][i] * m[j < 63 ? j + 1 : j][i];", 8, false},
		{"columns that add up", "for (i = 0; i < 64; i++) { a[i] = 0; for (j = 0; j < 64; j++) a[i] += b[j] * m[j][i]; }", 8, false},
		{"a triangle", "for (j = 0; j < 63; j++) for (i = 0; i < j; i++) m[j][i] = b[i] * 2;", 8, false},
		{"a sum over all, in order", "for (i = 0; i < 64; i++) s += a[i];", 8, true},
		{"a sum of products, in order", "for (i = 0; i < 64; i++) s += a[i] * b[i];", 8, false},
		{"a sum of squares in single precision", "float d = 0; for (i = 0; i < 64; i++) { float t = f[i] - g[i]; d += t * t; } f[0] = d;", 4, false},
		{"a sum of an odd number of products", "for (i = 0; i < 63; i++) s += a[i] * b[i];", 8, false},
		{"pointers in memory", "for (i = 0; i < 64; i++) u[i] = v[i] * 2;", 8, false},
		{"rows behind pointers", "for (j = 0; j < 64; j++) for (i = 0; i < 64; i++) r[j][i] = w[j][i] * 2;", 8, false},
		{"a counter among numbers of its size", "for (i = 0; i < 64; i++) f[i] = g[i] * (i + 1);", 4, false},
		{"a counter among larger numbers", "for (i = 0; i < 64; i++) a[i] = b[i] * (i + 1);", 8, false},
		{"a counter among larger numbers, two too many", "for (i = 0; i < 62; i++) a[i] = i / 3.0;", 8, false},
		{"two counters", "for (j = 0; j < 64; j++) for (i = 0; i < 64; i++) m[j][i] = (double)j * (i + 2) / 64;", 8, false},
		{"a long counter", "for (long l = 0; l < 64; l++) a[l] = b[l] * l;", 8, false},
		{"integers that become numbers", "for (i = 0; i < 64; i++) f[i] = k[i];", 4, false},
		{"integers that become larger numbers", "for (i = 0; i < 64; i++) a[i] = k[i];", 8, false},
		{"numbers that become larger", "for (i = 0; i < 64; i++) a[i] = f[i] * b[i];", 8, false},
		{"numbers that become smaller", "for (i = 0; i < 64; i++) f[i] = a[i];", 8, false},
		{"numbers that become integers", "for (i = 0; i < 64; i++) k[i] = a[i];", 8, false},
		{"products of integers", "for (i = 0; i < 64; i++) k[i] = k[i] * o[i];", 4, false},
		{"an integer by a constant", "for (i = 0; i < 64; i++) k[i] = 2 * i + 1;", 4, false},
		{"members of structures, one by one", "for (i = 0; i < 64; i++) { t[i].x += 2 * z[i].x; t[i].y += 2 * z[i].y; t[i].z += 2 * z[i].z; }", 8, false},
		{"three elements at a time", "for (i = 0; i < 64; i++) { a[3 * i] = b[3 * i] * c[3 * i]; a[3 * i + 1] = b[3 * i + 1] * c[3 * i + 1]; a[3 * i + 2] = b[3 * i + 2] * c[3 * i + 2]; }", 8, false},
		{"two elements at a time, of an odd number", "for (i = 0; i < 63; i++) { a[2 * i] += 1; a[2 * i + 1] += 3; }", 8, false},
		{"three elements at a time, of an odd number", "for (i = 0; i < 63; i++) { a[3 * i] += 1; a[3 * i + 1] += 3; a[3 * i + 2] += 4; }", 8, false},
		{"every other", "for (i = 0; i < 64; i++) a[i] = b[2 * i];", 8, false},
		{"every other of floats, added to its neighbour", "for (i = 0; i < 32; i++) f[i] = g[2 * i] + g[2 * i + 1];", 4, false},
		{"complex products", "for (i = 0; i < 64; i++) { double x = b[2 * i], y = b[2 * i + 1]; a[2 * i] = x * c[2 * i] - y * c[2 * i + 1]; a[2 * i + 1] = x * c[2 * i + 1] + y * c[2 * i]; }", 8, false},
		{"two arrays put into one", "for (i = 0; i < 64; i++) { a[2 * i] = b[i]; a[2 * i + 1] = c[i]; }", 8, false},
		{"every other that is written", "for (i = 0; i < 64; i++) a[2 * i] = b[i];", 8, false},
		{"every other of floats that is written", "for (i = 0; i < 32; i++) f[2 * i] = g[i] * g[i];", 4, false},
	} {
		source := "#include <math.h>\n#include <stdlib.h>\nstruct { double x, y, z; } t[64], z[64]; double a[200], b[200], c[200], m[64][64], q[64][64], s; float f[64], g[64]; int k[64], o[64]; double *u, *v, **r, **w;\nvoid start(void) { u = malloc(512); v = malloc(512); r = malloc(512); w = malloc(512); for (int k = 0; k < 64; k++) { r[k] = malloc(512); w[k] = malloc(512); } }\nvoid kernel(void) {\n int i, j;\n " + x.loop + "\n}\n"
		p := read(t, source)
		for _, flags := range [][]string{{"-O2"}, wide} {
			c, err := Make(p, TargetOf(append([]string{"gcc"}, flags...), Plain))
			if err != nil {
				t.Fatal(err)
			}
			said, _ := byGCC(t, source, flags...)
			want := int64(1)
			if m := vectorised.FindStringSubmatch(said); m != nil {
				bytes, err := strconv.ParseInt(m[1], 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				want = bytes / x.size
			}
			n := lanesOf(c.root)
			if strings.Contains(x.name, "two elements at a time") && n < want { // of each iteration two
				n *= 2
			}
			if x.left && (n != 1 || want == 1) {
				t.Errorf("%s with %v: %d lanes, gcc has %d: it is no longer left out", x.name, flags, n, want)
			}
			if !x.left && n != want {
				t.Errorf("%s with %v: %d lanes, gcc has %d\n%s", x.name, flags, n, want, c.Text())
			}
		}
		scalar, err := Make(p, TargetOf([]string{"gcc", "-O3", "-fno-tree-vectorize"}, Plain))
		if err != nil {
			t.Fatal(err)
		}
		if n := lanesOf(scalar.root); n != 1 {
			t.Errorf("%s without vectors: %d lanes", x.name, n)
		}
	}
}

// TestIntegers has loops of numbers that iterations hand on, of which gcc keeps all in registers: an iteration has as many instructions as gcc's, or one more,
// and fewer copies of registers than those.
func TestIntegers(t *testing.T) {
	needsGCC(t)
	const head = "#include <stdint.h>\nstatic inline uint64_t rotl(uint64_t x, int k) { return x << k | x >> (64 - k); }\n"
	for name, function := range map[string]string{
		"a rotation":            "void kernel(const uint64_t *a, uint64_t *out, int n) { uint64_t p = 0; for (int i = 0; i < n; i++) p = rotl(p, 7) ^ a[i]; out[0] = p; }",
		"a rotation by hand":    "void kernel(const uint32_t *a, uint32_t *out, int n) { uint32_t p = 0; for (int i = 0; i < n; i++) { p += a[i]; p = p >> 19 | p << 13; } out[0] = p; }",
		"numbers of iterations": "void kernel(const uint64_t *a, uint64_t *out, int n) { uint64_t p = 0, d = 0; for (int i = 0; i < n; i++) { uint64_t x = a[i], y = x & 0x55, z = x >> 7, w = y + z, v = w ^ (w >> 3); d += v; p = rotl(p, 1) ^ x; } out[0] = p; out[1] = d; }",
		"seven counters":        "void kernel(const uint64_t *a, uint64_t *out, int n) { uint64_t p = 0, q = 1, r = 2, s = 3, t = 4, u = 5, v = 6; for (int i = 0; i < n; i++) { p = p * 3 ^ a[i]; q ^= p; r += q; s ^= r; t += s; u ^= t; v += u; } out[0] = p; out[1] = q; out[2] = r; out[3] = s; out[4] = t; out[5] = u; out[6] = v; }",
	} {
		u, err := csource.Load("loop.c", []byte(head+function), csource.Options{Regions: []string{"kernel"}, Defines: []string{"n=1001"}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Make(u.Programs[0], Plain)
		if err != nil {
			t.Fatal(err)
		}
		_, file := byGCC(t, head+function, "-O2")
		own, gcc := ownRound(c), roundOf(t, file)
		loads, stores := accesses(own)
		if wantLoads, wantStores := accesses(gcc); loads != wantLoads || stores != wantStores {
			t.Errorf("%s: %d loads and %d stores an iteration, of gcc %d and %d\n%s", name, loads, stores, wantLoads, wantStores, c.Text())
		}
		const counting = 3 // of ours, which the iteration ends with
		got, want, copies := besidesCopies(own)+counting, besidesCopies(gcc), len(own)-besidesCopies(own)
		if got < want || got > want+1 || copies > len(own)/2 {
			t.Errorf("%s: %d instructions an iteration and %d copies, of gcc %d\n%s", name, got, copies, want, c.Text())
		}
	}
}

// TestSumsBesideCalls has a sum in a loop around which a function is called, which leaves no number in a register: it stays in one all the same while the loop
// goes on, so that an iteration only loads.
func TestSumsBesideCalls(t *testing.T) {
	const source = "#include <math.h>\ndouble a[1001], out[1001];\nvoid kernel(void) { for (int r = 0; r < 1001; r++) { double s = 0; for (int i = 0; i < 1001; i++) s += a[i]; out[r] = exp(s); } }"
	c, err := Make(read(t, source), Plain)
	if err != nil {
		t.Fatal(err)
	}
	var inner []*assembly.Instruction
	for _, p := range c.root[len(c.root)-1].(*repeated).single.body {
		if r, ok := p.(*repeated); ok {
			for _, p := range r.single.body {
				if s, ok := p.(*straight); ok {
					inner = append(inner, c.Instructions[s.from:s.to]...)
				}
			}
		}
	}
	if loads, stores := accesses(inner); loads != 1 || stores != 0 {
		t.Errorf("%d loads and %d stores an iteration\n%s", loads, stores, c.Text())
	}
}

// TestPairsInTurn stores two arrays of complex numbers, the real parts of both before the imaginary ones: in vectors each is stored in two halves.
func TestPairsInTurn(t *testing.T) {
	c, err := Make(read(t, "double a[128], b[128], x[64], y[64];\nvoid kernel(void) { for (int i = 0; i < 64; i++) { a[2 * i] = x[i]; b[2 * i] = y[i]; a[2 * i + 1] = y[i]; b[2 * i + 1] = x[i]; } }"), Plain)
	if err != nil {
		t.Fatal(err)
	}
	stored := map[uint64]int{}
	for _, p := range c.root[len(c.root)-1].(*repeated).inLanes[0].body {
		s, ok := p.(*straight)
		for i := 0; ok && i < int(s.to-s.from); i++ {
			if to := c.Instructions[int(s.from)+i].Operands; len(to) > 1 && to[0].Kind == assembly.InMemory {
				stored[c.addresses[int(s.from)+i].base]++
			}
		}
	}
	if len(stored) != 2 {
		t.Errorf("%d arrays are stored to, not 2\n%s", len(stored), c.Text())
	}
	for base, n := range stored {
		if n != 2 {
			t.Errorf("at %#x: %d stores, not 2\n%s", base, n, c.Text())
		}
	}
}

// ownRound is an iteration of the region's first loop, without vectors.
func ownRound(c *Code) (out []*assembly.Instruction) {
	for _, p := range c.root {
		if r, ok := p.(*repeated); ok {
			for _, p := range r.single.body {
				if s, ok := p.(*straight); ok {
					out = append(out, c.Instructions[s.from:s.to]...)
				}
			}
		}
	}
	return out
}

// besidesCopies counts instructions that do more than to copy a register.
func besidesCopies(all []*assembly.Instruction) (n int) {
	for _, x := range all {
		if len(x.Operands) != 2 || x.Mnemonic != "mov" || x.Operands[0].Kind != assembly.InRegister || x.Operands[1].Kind != assembly.InRegister {
			n++
		}
	}
	return n
}

// TestKept has loops in which elements may be kept in registers: an iteration loads and stores as often as that of gcc's code.
func TestKept(t *testing.T) {
	needsGCC(t)
	for name, function := range map[string]string{
		"a sum in an element": "void kernel(double *restrict x, double *restrict y, int n) { for (int i = 0; i < n; i++) x[0] += y[i]; }",
		"a sum in an element that another pointer may point at": "void kernel(double *x, double *y, int n) { for (int i = 0; i < n; i++) x[0] += y[i]; }",
		"two that may be one":             "void kernel(double *x, double *y, int n) { for (int i = 0; i < n; i++) { x[0] += y[1]; y[0] += x[1]; } }",
		"what the iteration before wrote": "void kernel(double *restrict x, double *restrict y, int n) { for (int i = 1; i < n; i++) x[i] = x[i - 1] * y[i]; }",
		"an element twice":                "void kernel(double *restrict x, double *restrict y, int n) { for (int i = 1; i < n; i++) x[i] = 2.0 / (y[i] * y[i] + y[i]); }",
		"a product that stays":            "void kernel(double *restrict x, double *restrict y, double a, double b, int n) { for (int i = 0; i < n; i++) x[i] = a * b * y[i]; }",
	} {
		u, err := csource.Load("loop.c", []byte(function), csource.Options{Defines: []string{"n=1001"}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := Make(u.Programs[0], Plain)
		if err != nil {
			t.Fatal(err)
		}
		_, file := byGCC(t, function, "-O2")
		loads, stores := accesses(ownRound(c))
		wantLoads, wantStores := accesses(roundOf(t, file))
		if loads != wantLoads || stores != wantStores {
			t.Errorf("%s: %d loads and %d stores an iteration, of gcc %d and %d\n%s", name, loads, stores, wantLoads, wantStores, c.Text())
		}
	}
}

// roundOf is the block of a file that ends in a jump to its own label.
func roundOf(t *testing.T, file *assembly.File) []*assembly.Instruction {
	t.Helper()
	for _, f := range file.Functions {
		for _, b := range f.Blocks {
			last := b.Instructions[len(b.Instructions)-1]
			if last.Mnemonic == "j" && slices.Contains(b.Labels, last.Operands[0].Symbol) {
				return b.Instructions
			}
		}
	}
	t.Fatal("no loop")
	return nil
}

// accesses counts loads and stores.
func accesses(all []*assembly.Instruction) (loads, stores int) {
	for _, x := range all {
		e := x.Effects()
		if e.Load > 0 {
			loads++
		}
		if e.Store > 0 {
			stores++
		}
	}
	return loads, stores
}

// TestPowersOfTwo divides by a power of two as gcc does: by multiplying.
func TestPowersOfTwo(t *testing.T) {
	for by, want := range map[string]bool{"8": false, "0.5f": false, "-4.0": false, "9": true, "3.0f": true} {
		p := read(t, "float x[99], y[99];\nvoid kernel(void) { for (int i = 0; i < 99; i++) x[i] = y[i] / "+by+"; }\n")
		c, err := Make(p, Plain)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(c.Text(), "div") != want {
			t.Errorf("by %s: a division: %v, want %v\n%s", by, !want, want, c.Text())
		}
	}
}

// TestEveryOther walks a loop whose condition takes turns: of the iterations that are walked, and of those that they stand for, half divide.
func TestEveryOther(t *testing.T) {
	p := read(t, "double x[9999];\nvoid kernel(void) { for (int i = 0; i < 9999; i++) { x[i] = 1; if (i % 2 == 0) x[i] = x[i] / 3; } }\n")
	c, err := Make(p, Plain)
	if err != nil {
		t.Fatal(err)
	}
	meter := core.NewMeter(nil, c.Places, c.Blocks)
	c.Walk(meter, 1e6)
	const always, divides = 1 + 2 + 4, 3 // the store, the condition, the loop's end; load, division, store
	if n, want := meter.Instructions()[1], 9999*always+5000*divides+1.0; math.Abs(n-want) > 5 {
		t.Errorf("%v instructions, want %v\n%s", n, want, c.Text())
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
		if got := TargetOf(append([]string{"gcc"}, strings.Fields(flags)...), zen4).String(); got != want {
			t.Errorf("%s: %s, want %s", flags, got, want)
		}
	}
	for flags, want := range map[string]string{
		"-O":                                "gcc -O3",
		"-C opt-level=2":                    "gcc -O2",
		"-Copt-level=3":                     "gcc -O3",
		"--edition 2021":                    "gcc -O0",
		"-O -C target-cpu=native":           "gcc -O3 with AVX-512",
		"-Ctarget-cpu=native -Copt-level=2": "gcc -O2 with AVX-512",
	} {
		if got := TargetOf(append([]string{"/usr/bin/rustc"}, strings.Fields(flags)...), zen4).String(); got != want {
			t.Errorf("rustc %s: %s, want %s", flags, got, want)
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
