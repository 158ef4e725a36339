package emulate_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/assembly"
	"foresee/application/emulate"
	"foresee/internal/longtest"
	"foresee/model/core"
)

// compiled is a kernel's code.
func compiled(t testing.TB, kernel string, compiler ...string) *assembly.File {
	t.Helper()
	return compiledFile(t, "../../examples/kernels/"+kernel+".c", compiler...)
}

func compiledFile(t testing.TB, source string, compiler ...string) *assembly.File {
	t.Helper()
	text := filepath.Join(t.TempDir(), "k.s")
	out, err := exec.Command(compiler[0], append(compiler[1:], "-w", "-S", "-g1", "-o", text, source)...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r, err := os.Open(text)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f, err := assembly.Read("k.s", r)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func loaded(t testing.TB, f *assembly.File) *emulate.Program {
	t.Helper()
	p, err := emulate.Load(1, f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// linesOf gives each operation the line that it comes from.
func linesOf(p *emulate.Program) (lines []int32, count int) {
	for i := range p.Operations() {
		line := p.Instruction(int32(i)).Source.Line
		lines = append(lines, int32(line))
		count = max(count, line+1)
	}
	return lines, count
}

// sampled are kernels whose loops are cut short in all ways: rectangular, triangular, in tiles, with branches on data and with bounds by
// minimum and maximum.
var sampled = []string{"2mm", "adi", "cholesky", "conv-layer", "durbin", "jacobi-2d-timetiled", "ludcmp", "nussinov", "seidel-2d", "spmv-banded", "trmm"}

// mostElsewhere is the share of instructions that may be counted at other lines, or too often or too seldom.
const mostElsewhere = 0.04

// mostOfCoarse is the same of tiles that were not optimised, which are so long that pieces of the loops around are no longer small.
const mostOfCoarse = 0.09

// TestSample counts the instructions of each line with iterations left out, and with all of them. Long tests take all kernels with all
// flags, others those of gcc -O2, and one kernel in three with the other flags.
func TestSample(t *testing.T) {
	for turn, c := range [][]string{{"gcc", "-O2"}, {"gcc", "-O0"}, {"gcc", "-O3", "-march=x86-64-v3"}, {"gcc", "-O3", "-march=x86-64-v4"}, {"clang", "-O2"}} {
		if _, err := exec.LookPath(c[0]); err != nil {
			t.Log("without " + c[0])
			continue
		}
		for i, kernel := range sampled {
			if turn != 0 && (i+turn)%3 != 0 && !longtest.Asked() {
				continue
			}
			f := compiled(t, kernel, append(c, "-DSMALL")...)
			want, all := countedWhole(t, f)
			got, steps := countedSampled(t, f)
			off := 0.0
			for i := range want {
				off += math.Abs(got[i] - want[i])
			}
			most := mostElsewhere
			if strings.HasSuffix(kernel, "tiled") && c[1] == "-O0" {
				most = mostOfCoarse
			}
			if off > most*all {
				t.Errorf("%s by %v: %.2f %% of %.0f instructions are counted elsewhere", kernel, c, 100*off/all, all)
			}
			if kernel == "adi" && float64(steps) > all/2 {
				t.Errorf("%s by %v: %d of %.0f instructions were carried out: none are left out", kernel, c, steps, all)
			}
		}
	}
}

// countedWhole counts all instructions, by line.
func countedWhole(t *testing.T, f *assembly.File) (by []float64, all float64) {
	t.Helper()
	p := loaded(t, f)
	lines, count := linesOf(p)
	by = make([]float64, count)
	p.Observe = func(_ int, at int32, _ uint64, _ bool) { by[lines[at]]++; all++ }
	if _, err := p.Run("main"); err != nil {
		t.Fatal(err)
	}
	return by, all
}

// sought are the data that become parts of addresses.
func sought(t *testing.T, f *assembly.File) (kept []emulate.Extent) {
	t.Helper()
	for range 4 {
		p := loaded(t, f)
		p.Discover(kept)
		if _, err := p.Run("main"); err != nil {
			t.Fatal(err)
		}
		found := p.Sought()
		if len(found) == len(kept) {
			break
		}
		kept = found
	}
	return kept
}

// countedSampled counts them with iterations left out; steps are those that were carried out.
func countedSampled(t *testing.T, f *assembly.File) (by []float64, steps int) {
	t.Helper()
	p := loaded(t, f)
	lines, count := linesOf(p)
	m := core.NewMeter(nil, lines, count)
	p.Sample(&counter{m, &steps}, sought(t, f))
	if _, err := p.Run("main"); err != nil {
		t.Fatal(err)
	}
	return m.Instructions(), steps
}

// TestSought finds that rows of a sparse matrix and its columns are parts of addresses, so that loops that write them are carried out whole.
func TestSought(t *testing.T) {
	source := `
static int row[2001], column[40000];
static double a[40000], x[4000], y[2000];
int main(void) {
    int n = 0;
    for (int i = 0; i < 4000; i++) x[i] = i;
    for (int i = 0; i < 2000; i++) {
        row[i] = n;
        for (int k = 0; k < 3 + i * i % 17; k++) { column[n] = (i * 7 + k * 13) % 4000; a[n] = 1.0; n++; }
    }
    row[2000] = n;
    for (int t = 0; t < 50; t++)
        for (int i = 0; i < 2000; i++) {
            double s = 0;
            for (int k = row[i]; k < row[i + 1]; k++) s += a[k] * x[column[k]];
            y[i] = s;
        }
    return y[7] > 1;
}
`
	path := filepath.Join(t.TempDir(), "sparse.c")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	f := compiledFile(t, path, "gcc", "-O2")
	if n := len(sought(t, f)); n != 2 {
		t.Errorf("%d arrays are found that become parts of addresses, want rows and columns", n)
	}
	want, all := countedWhole(t, f)
	got, steps := countedSampled(t, f)
	off := 0.0
	for i := range want {
		off += math.Abs(got[i] - want[i])
	}
	if off > mostElsewhere*all || float64(steps) > all {
		t.Errorf("%.2f %% of the instructions are counted elsewhere, and %d carried out of %.0f", 100*off/all, steps, all)
	}
}

type counter struct {
	*core.Meter
	steps *int
}

func (c *counter) Step(at int32, address uint64, jumps bool) {
	*c.steps++
	c.Meter.Step(at, address, jumps)
}

// BenchmarkSample carries out kernels at LARGE with iterations left out.
func BenchmarkSample(b *testing.B) {
	for _, kernel := range []string{"gemm", "conv-layer", "seidel-2d-tiled", "heat-3d", "nussinov", "cholesky", "jacobi-2d-timetiled", "spmv-banded", "doitgen", "vgg-stack"} {
		b.Run(kernel, func(b *testing.B) {
			f := compiled(b, kernel, "gcc", "-O2", "-DLARGE")
			for b.Loop() {
				p := loaded(b, f)
				lines, count := linesOf(p)
				steps := 0
				p.Sample(&counter{core.NewMeter(nil, lines, count), &steps}, nil)
				if _, err := p.Run("main"); err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(steps), "instructions")
			}
		})
	}
}
