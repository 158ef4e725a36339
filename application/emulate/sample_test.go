package emulate_test

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"foresee/application/assembly"
	"foresee/application/emulate"
	"foresee/examples"
	"foresee/model/core"
)

// compiled is a kernel's code.
func compiled(t testing.TB, kernel string, compiler ...string) *assembly.File {
	t.Helper()
	text := filepath.Join(t.TempDir(), "k.s")
	out, err := exec.Command(compiler[0], append(compiler[1:], "-w", "-S", "-g1", "-o", text, "../../examples/kernels/"+kernel+".c")...).CombinedOutput()
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

// TestSample counts the instructions of each line with iterations left out, and with all of them.
func TestSample(t *testing.T) {
	for _, c := range [][]string{{"gcc", "-O2"}, {"gcc", "-O0"}, {"gcc", "-O3", "-march=x86-64-v3"}, {"gcc", "-O3", "-march=x86-64-v4"}, {"clang", "-O2"}} {
		if _, err := exec.LookPath(c[0]); err != nil {
			t.Log("without " + c[0])
			continue
		}
		size := "-DSMALL"
		if os.Getenv("SAMPLE_SIZE") != "" {
			size = "-D" + os.Getenv("SAMPLE_SIZE")
		}
		for _, kernel := range examples.Kernels() {
			if k := os.Getenv("SAMPLE_KERNEL"); k != "" && k != kernel {
				continue
			}
			f := compiled(t, kernel, append(c, size)...)
			all := loaded(t, f)
			lines, count := linesOf(all)
			want := make([]float64, count)
			sum := 0.0
			all.Observe = func(_ int, at int32, _ uint64, _ bool) { want[lines[at]]++; sum++ }
			if _, err := all.Run("main"); err != nil {
				t.Errorf("%s: %v", kernel, err)
				continue
			}
			first := loaded(t, f)
			first.Discover()
			if _, err := first.Run("main"); err != nil {
				t.Errorf("%s: %v", kernel, err)
				continue
			}
			p := loaded(t, f)
			m := core.NewMeter(nil, lines, count)
			steps := 0
			p.Sample(&counter{m, &steps}, first.Sought())
			if _, err := p.Run("main"); err != nil {
				t.Errorf("%s: %v", kernel, err)
				continue
			}
			off, got := 0.0, m.Instructions()
			for i := range want {
				off += math.Abs(got[i] - want[i])
				if os.Getenv("SAMPLE_KERNEL") != "" && want[i]+got[i] > 0 {
					t.Logf("%d: %.0f %.0f", i, want[i], got[i])
				}
			}
			t.Logf("%-20s %v: %11.0f instructions, %9d carried out, %.2f %% counted elsewhere; %d sought", kernel, c, sum, steps, 100*off/sum, len(first.Sought()))
			if off > 0.02*sum {
				t.Errorf("%s by %v: %.2f %% of the instructions are counted at other lines", kernel, c, 100*off/sum)
			}
		}
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
