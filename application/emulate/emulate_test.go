package emulate_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/assembly"
	"foresee/application/emulate"

	"golang.org/x/sys/cpu"
)

// load reads assembly for so many threads.
func load(t *testing.T, threads int, text string) *emulate.Program {
	t.Helper()
	f, err := assembly.Read("k.s", strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p, err := emulate.Load(threads, f)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestKernels carries out kernels as compilers made them, and compares what they print, which is a sum over their results, with what the
// processor makes of the same code.
func TestKernels(t *testing.T) {
	kernels := strings.Fields("atax bicg floyd-warshall nussinov black-scholes particles-aos gramschmidt spmv-banded harris vgg-stack")
	level := "-march=x86-64-v3" // the same code on every processor that has it
	if cpu.X86.HasAVX512VL && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW {
		level = "-march=x86-64-v4"
	}
	if !cpu.X86.HasAVX2 {
		level = "-march=x86-64"
	}
	for _, c := range [][]string{{"gcc", "-O0"}, {"gcc", "-O2"}, {"clang", "-O2"}, {"gcc", "-O3", level}, {"gcc", "-O3", level, "-ffast-math"}} {
		if _, err := exec.LookPath(c[0]); err != nil {
			t.Log("without " + c[0])
			continue
		}
		for i, kernel := range kernels {
			if c[len(c)-1] == "-ffast-math" && kernel != "black-scholes" { // its functions for vectors; divisions of floats may only be near
				continue
			}
			compare(t, c, kernel, 1+2*(i%2))
		}
	}
}

// compare carries out a kernel here and by the processor.
func compare(t *testing.T, compiler []string, kernel string, threads int) {
	t.Helper()
	dir := t.TempDir()
	source, text, program := "../../examples/kernels/"+kernel+".c", filepath.Join(dir, "k.s"), filepath.Join(dir, "k")
	arguments := append(append([]string{}, compiler[1:]...), "-w", "-fopenmp", "-DMINI")
	if out, err := exec.Command(compiler[0], append(arguments, "-S", "-o", text, source)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := exec.Command(compiler[0], "-fopenmp", "-o", program, text, "-lm").CombinedOutput(); err != nil {
		t.Logf("%v cannot link OpenMP", compiler)
		return
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "OMP_NUM_THREADS="+string(rune('0'+threads)))
	want, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, threads, string(code))
	var got bytes.Buffer
	p.Output = &got
	if _, err := p.Run("main"); err != nil || got.String() != string(want) || len(p.Unknown()) > 0 {
		t.Errorf("%s by %v, %d threads: %q, the processor %q (%v, unknown: %v)", kernel, compiler, threads, got.String(), want, err, p.Unknown())
	}
}

// TestObserve sees what is carried out: a loop that adds three numbers.
func TestObserve(t *testing.T) {
	p := load(t, 1, "\t.data\na:\n\t.long 5, 6, 7\n\t.text\nf:\n\txorl %eax, %eax\n\txorl %ecx, %ecx\n.L2:\n\taddl a(,%rcx,4), %eax\n\tincq %rcx\n\tcmpq %rdi, %rcx\n\tjne .L2\n\tret\n")
	var addresses []uint64
	jumps := 0
	p.Observe = func(_ int, at int32, address uint64, jumped bool) {
		if x := p.Instruction(at); x.Mnemonic == "add" {
			addresses = append(addresses, address)
		} else if x.Mnemonic == "j" && jumped {
			jumps++
		}
	}
	got, err := p.Run("f", 3)
	if err != nil || got != 18 || p.Executed() != 15 || jumps != 2 || len(addresses) != 3 || addresses[2]-addresses[0] != 8 {
		t.Errorf("%d, %v, %d instructions, %d jumps, addresses %x", got, err, p.Executed(), jumps, addresses)
	}
}

// TestCopied sees what calls and repeated instructions copy and set.
func TestCopied(t *testing.T) {
	p := load(t, 1, "\t.data\na:\n\t.quad 5, 6\nb:\n\t.quad 0, 0\n\t.text\nf:\n\tleaq b(%rip), %rdi\n\tleaq a(%rip), %rsi\n\tmovl $16, %edx\n\tcall memcpy\n"+
		"\tleaq a(%rip), %rdi\n\txorl %eax, %eax\n\tmovl $2, %ecx\n\trep stosq\n\tmovq b+8(%rip), %rax\n\taddq a+8(%rip), %rax\n\tret\n")
	var calls []string
	p.Observe = func(_ int, at int32, address uint64, _ bool) {
		if called := p.LibraryCall(at); called != "" {
			calls = append(calls, fmt.Sprint(called, " ", address))
		}
	}
	var to, from []uint64
	p.Copied = func(a, b, bytes uint64) { to, from = append(to, a), append(from, b) }
	got, err := p.Run("f")
	if err != nil || got != 6 || strings.Join(calls, ", ") != "memcpy 16, memset 16" {
		t.Errorf("%d, %v, calls %v", got, err, calls)
	}
	if len(to) != 2 || to[0] != from[0]+16 || to[1] != from[0] || from[1] != 0 {
		t.Errorf("to %x, from %x", to, from)
	}
}

// TestFiles lays out two files that both have a function and a number of one name for themselves, and call each other.
func TestFiles(t *testing.T) {
	var files []*assembly.File
	for i, text := range []string{
		"\t.globl f\nf:\n\tcall own\n\tmovq %rax, %rbx\n\tcall g\n\taddq %rbx, %rax\n\tret\nown:\n\tmovq n(%rip), %rax\n\tret\n\t.data\nn:\n\t.quad 1\n",
		"\t.globl g\ng:\n\tcall own\n\taddq shared(%rip), %rax\n\tret\nown:\n\tmovq n(%rip), %rax\n\tret\n\t.data\nn:\n\t.quad 20\n\t.globl shared\nshared:\n\t.quad 300\n",
	} {
		f, err := assembly.Read(string(rune('a'+i)), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := emulate.Load(1, files...)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.Run("f"); err != nil || got != 321 {
		t.Errorf("%d, %v", got, err)
	}
}

// TestThreadData: each thread begins with the data of threads as the file has them.
func TestThreadData(t *testing.T) {
	p := load(t, 1, "\t.section .tdata,\"awT\",@progbits\nx:\n\t.quad 7\n\t.text\nf:\n\tmovq %fs:x@tpoff, %rax\n\taddq $1, %fs:x@tpoff\n\taddq %fs:x@tpoff, %rax\n\tret\n")
	for range 2 {
		if got, err := p.Run("f"); err != nil || got != 15 {
			t.Errorf("%d, %v", got, err)
		}
	}
}

func TestPrint(t *testing.T) {
	p := load(t, 1, "\t.data\nx:\n\t.string \"%d|%5ld|%u|%x|%s|%c|%%|%.3f|%e|%g\\n\"\ny:\n\t.string \"text\"\nz:\n\t.double 2.5\n\t.text\nf:\n\tsubq $40, %rsp\n"+
		"\tleaq x(%rip), %rdi\n\tmovl $-3, %esi\n\tmovq $-4, %rdx\n\tmovl $-1, %ecx\n\tmovl $255, %r8d\n\tleaq y(%rip), %r9\n\tmovq $65, (%rsp)\n"+
		"\tmovsd z(%rip), %xmm0\n\tmovapd %xmm0, %xmm1\n\tmovapd %xmm0, %xmm2\n\tmovl $3, %eax\n\tcall printf@PLT\n\taddq $40, %rsp\n\tret\n")
	var out bytes.Buffer
	p.Output = &out
	if _, err := p.Run("f"); err != nil || out.String() != "-3|   -4|4294967295|ff|text|A|%|2.500|2.500000e+00|2.5\n" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		"f:\n\txorl %ecx, %ecx\n\tmovl $1, %eax\n\tcltd\n\tidivl %ecx\n\tret\n": "k.s:5: idivl %ecx: a division by zero or with too large a result",
		"f:\n\tcall abort\n": "the program aborts",
		"f:\n\txorl %eax, %eax\n\tmovq 8(%rax), %rbx\n\tret\n":          "the program accesses memory at 0x8, where it has none",
		"f:\n.L1:\n\tmovq $1, (%rdi)\n\taddq $65536, %rdi\n\tjmp .L1\n": "the program writes more than 4 GiB",
		"f:\n\tjmp *%rax\n": "the program jumps to 0x0, where it has no code",
	} {
		if _, err := load(t, 1, text).Run("f", 1<<40); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
	p := load(t, 1, "f:\n.L1:\n\tjmp .L1\n")
	p.Most = 1000
	if _, err := p.Run("f"); !errors.Is(err, emulate.ErrTooLong) {
		t.Error(err)
	}
	p = load(t, 1, "f:\n\ttest %rdi, %rdi\n\tje .L2\n\tvfancyd %xmm1, %xmm2, %xmm3\n.L2:\n\tret\n")
	if _, err := p.Run("f", 0); err != nil {
		t.Errorf("an unknown instruction that is not reached: %v", err)
	}
	if _, err := p.Run("f", 1); err == nil || err.Error() != "k.s:4: vfancyd %xmm1, %xmm2, %xmm3: an instruction that is not known" {
		t.Error(err)
	}
	if _, err := load(t, 1, "f:\n\tret\n").Run("g"); err == nil {
		t.Error("there is no g")
	}
}

// TestSincos has the sine and the cosine where the call says.
func TestSincos(t *testing.T) {
	p := load(t, 1, "f:\n\tmovq %rdi, %xmm0\n\tmovq %rsi, %rdi\n\tmovq %rdx, %rsi\n\tcall sincos\n\tret\n")
	const place = 0x5000_0000
	p.Write(place, make([]byte, 16))
	if _, err := p.Run("f", math.Float64bits(0.5), place, place+8); err != nil || len(p.Unknown()) > 0 {
		t.Fatal(err, p.Unknown())
	}
	for i, want := range []float64{math.Sin(0.5), math.Cos(0.5)} {
		if got := math.Float64frombits(binary.LittleEndian.Uint64(p.Read(place, 16)[8*i:])); got != want {
			t.Errorf("result %d is %g, not %g", i, got, want)
		}
	}
}

// BenchmarkRun carries out a product of matrices, of gcc -O2.
func BenchmarkRun(b *testing.B) {
	code, err := exec.Command("gcc", "-O2", "-w", "-DSMALL", "-S", "-o", "-", "../../examples/kernels/gemm.c").Output()
	if err != nil {
		b.Skip("needs gcc")
	}
	f, err := assembly.Read("k.s", bytes.NewReader(code))
	if err != nil {
		b.Fatal(err)
	}
	done := int64(0)
	for b.Loop() {
		p, err := emulate.Load(1, f)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Run("main"); err != nil {
			b.Fatal(err)
		}
		done += p.Executed()
	}
	b.ReportMetric(float64(done)/b.Elapsed().Seconds()/1e6, "Minstructions/s")
}

// TestAskedFor carries out loops whose iterations a thread asks for, by both libraries, up and down, in ints and longs.
func TestAskedFor(t *testing.T) {
	source := `
#include <stdio.h>
static double a[1000];
int main(void) {
    double sum = 0;
#pragma omp parallel for schedule(dynamic, 7)
    for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for schedule(guided)
    for (long i = 999; i >= 0; i -= 3) a[i] *= 2;
#pragma omp parallel for schedule(dynamic)
    for (unsigned i = 5; i < 900; i += 4) a[i] += 1;
#pragma omp parallel for schedule(runtime)
    for (long i = 0; i <= 600; i += 2) a[i] -= 3;
#pragma omp parallel for schedule(dynamic, 3) reduction(+ : sum)
    for (int i = 0; i < 1000; i++) sum += a[i] * (i % 5);
    printf("%.1f\n", sum);
    return 0;
}
`
	dir := t.TempDir()
	path, program := filepath.Join(dir, "d.c"), filepath.Join(dir, "d")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][]string{{"gcc", "-O0"}, {"gcc", "-O2"}, {"clang", "-O0"}, {"clang", "-O2"}} {
		if _, err := exec.LookPath(c[0]); err != nil {
			continue
		}
		f := compiledFile(t, path, append(c, "-fopenmp")...)
		if out, err := exec.Command(c[0], "-fopenmp", "-o", program, path).CombinedOutput(); err != nil {
			t.Logf("%v cannot link OpenMP: %s", c, out)
			continue
		}
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=1")
		want, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		p := loaded(t, f)
		var got bytes.Buffer
		p.Output = &got
		if _, err := p.Run("main"); err != nil || got.String() != string(want) || len(p.Unknown()) > 0 {
			t.Errorf("%v: %q, the processor %q (%v, unknown: %v)", c, got.String(), want, err, p.Unknown())
		}
	}
}

// TestArguments reads a program's arguments as C's library does.
func TestArguments(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs gcc")
	}
	const source = `#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    printf("%d %d\n", argc, argv[argc] == NULL);
    for (int i = 1; i < argc; i++) {
        char *end, word[40] = "";
        int d = -1, found;
        double x = -1;
        errno = 0;
        printf("%d %ld ", atoi(argv[i]), atol(argv[i]));
        for (int base = 0; base <= 16; base += 8) {
            long v = strtol(argv[i], &end, base);
            printf("%ld:%ld ", v, (long)(end - argv[i]));
        }
        printf("%lu ", strtoul(argv[i], NULL, 10));
        x = strtod(argv[i], &end);
        printf("%.6f:%ld %.6f ", x, (long)(end - argv[i]), atof(argv[i]));
        found = sscanf(argv[i], "%dx%lf", &d, &x);
        printf("%d %d %.6f ", found, d, x);
        found = sscanf(argv[i], "%2d%3lf", &d, &x);
        printf("%d %d %.6f ", found, d, x);
        found = sscanf(argv[i], "%*d %5s", word);
        printf("%d '%s' ", found, word);
        found = sscanf(argv[i], " %s %d", word, &d);
        printf("%d '%s' %d\n", found, word, d);
    }
    return 0;
}
`
	arguments := []string{"", "17", " -42abc", "0x1f", "017", "+8.25e2z", "12x2.5", "99999999999999999999", "-9223372036854775809", "abc", "3 4", "-.5", "1_000", "0x", "1e"}
	dir := t.TempDir()
	file, text, program := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.s"), filepath.Join(dir, "a")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, arg := range [][]string{{"-O1", "-w", "-S", "-o", text, file}, {"-o", program, text}} {
		if out, err := exec.Command("gcc", arg...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	want, err := exec.Command(program, arguments...).Output()
	if err != nil {
		t.Fatal(err)
	}
	code, err := os.ReadFile(text)
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, 1, string(code))
	var got bytes.Buffer
	p.Output = &got
	if _, err := p.RunMain(append([]string{"a"}, arguments...)); err != nil || len(p.Unknown()) > 0 {
		t.Fatal(err, p.Unknown())
	}
	wanted := strings.Split(string(want), "\n")
	for i, line := range strings.Split(got.String(), "\n") {
		if i >= len(wanted) || line != wanted[i] {
			t.Errorf("line %d: %q, the processor %q", i, line, wanted[min(i, len(wanted)-1)])
		}
	}
}

// TestGather sees where elements that a vector chooses lie: the address told is that of the first.
func TestGather(t *testing.T) {
	p := load(t, 1, "\t.data\na:\n\t.quad 5, 6, 7, 8\nk:\n\t.long 3, 1, 0, 2\n\t.text\nf:\n\tvmovdqu k(%rip), %xmm1\n\tleaq a(%rip), %rax\n\tvpcmpeqd %ymm2, %ymm2, %ymm2\n"+
		"\tvpgatherdq %ymm2, (%rax,%xmm1,8), %ymm0\n\tvmovq %xmm0, %rax\n\tret\n")
	var at, begin uint64
	p.Observe = func(_ int, pc int32, address uint64, _ bool) {
		switch x := p.Instruction(pc); {
		case x.Gathers():
			at = address
		case x.Mnemonic == "movdqu":
			begin = address - 32
		}
	}
	if got, err := p.Run("f"); err != nil || got != 8 || at != begin+24 {
		t.Errorf("%d, %v, at %d bytes", got, err, at-begin)
	}
}
