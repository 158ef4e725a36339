package compiled_test

import (
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"foresee/application"
	"foresee/application/csource"
	"foresee/application/emulate"
	"foresee/application/nest"
	"foresee/machine"
	"foresee/model/timing"
	"foresee/predict/compiled"
)

// zen4 has measured instructions.
func zen4(t *testing.T) *machine.Machine {
	t.Helper()
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// read reads a source's regions.
func read(t *testing.T, name, text string, o csource.Options) (*application.Code, []*nest.Program, [][]*timing.Block) {
	t.Helper()
	u, err := csource.Load(name, []byte(text), o)
	if err != nil {
		t.Fatal(err)
	}
	var blocks [][]*timing.Block
	for _, p := range u.Programs {
		b, err := timing.Blocks(p)
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, b)
	}
	return &application.Code{Name: name, Folder: ".", Text: []byte(text), Macros: u.Macros}, u.Programs, blocks
}

// total is cycles and instructions of a region's blocks.
func total(blocks []*timing.Block) (cycles, instructions float64) {
	for _, b := range blocks {
		if b.Compiled != nil {
			cycles += b.Executions * b.Compiled.Cycles
			instructions += b.Executions * b.Compiled.Instructions
		}
	}
	return cycles, instructions
}

func needs(t *testing.T, compiler string) {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skip("needs " + compiler)
	}
}

// two has a chain of additions, four cycles or three each, and a loop that every compiler makes of few instructions, run three times.
const two = `
static double a[4000], b[4000];
double sum;
static void kernel_chain(int n) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    sum += s;
}
static void kernel_scale(int n)
{
    for (int i = 0; i < n; i++)
        b[i] = 3 * a[i];
}
int main(void) {
    for (int i = 0; i < 4000; i++)
        a[i] = i;
    for (int r = 0; r < 3; r++) {
        kernel_chain(4000);
        kernel_scale(4000);
    }
    return sum + b[7] > 2;
}
`

// follow has a compiler make code and follows it on a machine.
func follow(t *testing.T, m *machine.Machine, command []string, code *application.Code, programs []*nest.Program) *compiled.Cycles {
	t.Helper()
	c, err := compiled.Compile(context.Background(), command, code, programs)
	if err != nil {
		t.Fatal(err)
	}
	cycles, err := c.On(context.Background(), m, programs)
	if err != nil {
		t.Fatal(err)
	}
	return cycles
}

// TestHelpers has small functions called by a loop, put into it and not: all that the program does but for main is the region's.
func TestHelpers(t *testing.T) {
	const text = `
static double a[1000], b[1000];
static double square(double v) {
    return v * v;
}
static double weigh(double v, double w) {
    double s = square(v) + 2;
    return s * w + 1;
}
void kernel(void) {
    for (int i = 0; i < 1000; i++)
        b[i] = weigh(a[i], 3.0);
}
int main(void) {
    kernel();
    return 0;
}
`
	by := strings.NewReplacer("weigh(a[i], 3.0)", "((a[i] * a[i]) + 2) * 3.0 + 1").Replace(text)
	const main = 20 // instructions at most that are not of the region
	for _, command := range [][]string{{"gcc", "-O2"}, {"gcc", "-O2", "-fno-inline"}, {"gcc", "-O0"}, {"clang", "-O2"}, {"clang", "-O1", "-fno-inline"}, {"clang", "-O0"}} {
		if _, err := exec.LookPath(command[0]); err != nil {
			continue
		}
		instructions := func(text string) (of, all float64) {
			code, programs, blocks := read(t, "helpers.c", text, csource.Options{})
			c := follow(t, zen4(t), command, code, programs)
			given, _ := c.Give(programs, blocks)
			_, of = total(given[0])
			return of, c.Executed()
		}
		called, all := instructions(text)
		if called > all || called < all-main {
			t.Errorf("%v: %.0f of %.0f instructions are the region's", command, called, all)
		}
		if plain, _ := instructions(by); len(command) == 2 && command[1] == "-O2" && math.Abs(called-plain) > 0.01*plain {
			t.Errorf("%v: %.0f instructions, written out %.0f", command, called, plain)
		}
	}
}

// TestRegions tells two functions apart that a compiler puts into main, each run three times.
func TestRegions(t *testing.T) {
	needs(t, "gcc")
	code, programs, blocks := read(t, "two.c", two, csource.Options{})
	if len(programs) != 2 {
		t.Fatalf("%d regions", len(programs))
	}
	m := zen4(t)
	for _, flags := range []string{"-O1", "-O2 -fno-tree-vectorize", "-O0"} {
		given, unknown := follow(t, m, append([]string{"gcc"}, strings.Fields(flags)...), code, programs).Give(programs, blocks)
		if unknown[0] || unknown[1] {
			t.Fatalf("%s: %v", flags, unknown)
		}
		chain, _ := total(given[0])
		_, instructions := total(given[1])
		if flags != "-O0" && math.Abs(chain/4000-3) > 0.1 { // an addition takes 3 cycles on a Zen 4
			t.Errorf("%s: an addition of a chain takes %.2f cycles", flags, chain/4000)
		}
		least, most := 4.0, 6.5
		if flags == "-O0" {
			least, most = 8, 20
		}
		if each := instructions / 4000; each < least || each > most {
			t.Errorf("%s: %.2f instructions an iteration", flags, each)
		}
	}
}

// TestSampled compares cycles of a kernel with those of a smaller one that is carried out whole: in cubes of twice the length there is eight
// times the work.
func TestSampled(t *testing.T) {
	needs(t, "gcc")
	text, err := os.ReadFile("../../examples/kernels/gemm.c")
	if err != nil {
		t.Fatal(err)
	}
	m := zen4(t)
	each := func(n string) float64 {
		code, programs, blocks := read(t, "../../examples/kernels/gemm.c", string(text), csource.Options{Defines: []string{"NI=" + n, "NJ=" + n, "NK=" + n}})
		code.Folder = "../../examples/kernels"
		given, _ := follow(t, m, []string{"gcc", "-O2", "-fno-tree-vectorize"}, code, programs).Give(programs, blocks)
		all, _ := total(given[0])
		return all
	}
	if small, large := each("128"), each("512"); math.Abs(large/small/64-1) > 0.06 {
		t.Errorf("512³ takes %.1f times the cycles of 128³, want about 64", large/small)
	}
}

// TestEnds ends while code is followed.
func TestEnds(t *testing.T) {
	needs(t, "gcc")
	endless := "int main(void) { volatile unsigned n = 0; for (;;) n += n / 3; }"
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	begun := time.Now()
	_, err := compiled.Compile(ctx, []string{"gcc"}, &application.Code{Name: "endless.c", Text: []byte(endless)}, nil)
	if err == nil {
		t.Error("a program without end is followed to its end")
	}
	if took := time.Since(begun); took > 5*time.Second {
		t.Errorf("it ended after %v", took)
	}
	if _, err := compiled.Compile(context.Background(), []string{"gcc"}, &application.Code{Name: "endless.c", Text: []byte(endless)}, nil); !errors.Is(err, emulate.ErrTooLong) {
		t.Errorf("a program without end: %v", err)
	}
}

func TestRefused(t *testing.T) {
	needs(t, "gcc")
	code, programs, _ := read(t, "none.c", "void f(double *restrict a, int n, void (*then)(void)) { for (int i = 0; i < n; i++) a[i] = 0; }", csource.Options{Defines: []string{"n=5"}})
	if _, err := compiled.Compile(context.Background(), []string{"gcc"}, code, programs); !errors.Is(err, compiled.ErrNoMain) {
		t.Errorf("without main, of a function that only a program can enter: %v", err)
	}
	var of *compiled.CompilerError
	if _, err := compiled.Compile(context.Background(), []string{"gcc", "-fno-such-flag"}, code, programs); !errors.As(err, &of) || !strings.Contains(of.Text, "no-such-flag") {
		t.Errorf("with a wrong flag: %v", err)
	}
	if _, err := compiled.Compile(context.Background(), []string{"no-such-compiler"}, code, programs); !errors.As(err, &of) {
		t.Errorf("without the compiler: %v", err)
	}
	c, err := compiled.Compile(context.Background(), []string{"gcc"}, &application.Code{Name: "two.c", Text: []byte(two)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &machine.Machine{Name: "bare"}
	var missing *compiled.MissingError
	if _, err := c.On(context.Background(), m, nil); !errors.As(err, &missing) || missing.Machine != m.Name {
		t.Errorf("a machine without instructions: %v", err)
	}
}
