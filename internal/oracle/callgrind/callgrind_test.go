package callgrind

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"foresee/examples"
)

var compilers = []string{"gcc", "clang", "clang-19"}

// Compilers differ in how they use vectors. Without, they differ in nothing that is counted here: each kernel is
// counted by hand, with every value that a loop does not change, and every sum, in a register.
func TestCallgrindCounts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs compilers and valgrind")
	}
	dir := t.TempDir()
	if err := examples.Extract(dir); err != nil {
		t.Fatal(err)
	}
	const (
		ni, nj, nk = 20, 25, 30 // gemm
		steps, n   = 10, 30 - 2 // jacobi-2d, of which the border stays
		m, columns = 38, 42     // atax
	)
	tests := []struct {
		kernel               string
		loads, stores, flops int64
	}{
		// beta C, alpha A[i][k], and a product added to C[i][j].
		{"gemm", ni*nj + ni*nk + 2*ni*nk*nj, ni*nj + ni*nk*nj, ni*nj + ni*nk + 2*ni*nk*nj},
		// Two sweeps a step, and of a point's five values one that the point before has loaded.
		{"jacobi-2d", 2 * steps * n * (4*n + 1), 2 * steps * n * n, 5 * 2 * steps * n * n},
		// Two products of the matrix and a vector.
		{"atax", 4 * m * columns, m + columns, 4 * m * columns},
	}
	for _, compiler := range compilers {
		for _, tt := range tests {
			t.Run(compiler+"/"+tt.kernel, func(t *testing.T) {
				t.Parallel()
				scalar := countWith(t, compiler, dir, tt.kernel, "-DMINI", "-fno-tree-vectorize", "-fno-tree-slp-vectorize")
				if scalar.Loads != tt.loads || scalar.Stores != tt.stores || scalar.Flops != tt.flops {
					t.Errorf("%d loads, %d stores, %d flops, want %d, %d, %d", scalar.Loads, scalar.Stores, scalar.Flops, tt.loads, tt.stores, tt.flops)
				}
				if scalar.SpillLoads != 0 || scalar.SpillStores != 0 || scalar.Library != (InstructionCounts{}) || scalar.VectorFlops != 0 {
					t.Errorf("these need neither the stack nor a library nor vectors: %+v", scalar)
				}
				plain := countWith(t, compiler, dir, tt.kernel, "-DMINI")
				if plain.Flops != tt.flops {
					t.Errorf("with vectors %d flops, want %d", plain.Flops, tt.flops)
				}
				if plain.Loads > scalar.Loads || plain.Stores > scalar.Stores {
					t.Errorf("vectors cost loads or stores: %+v, without %+v", plain, scalar)
				}
			})
		}
	}
}

// Inline assembly is the same with every compiler.
func TestCallgrindCountsSorts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs compilers and valgrind")
	}
	const source = `#include "harness.h"
static int a[100];
static volatile double x[100];
__attribute__((noinline)) static double kernel(volatile double *p)
{
    double s = 0;
    for (int i = 0; i < 100; i++) {
        __asm__ volatile("addl $1, %0" : "+m"(a[i])); // a modify
        __asm__ volatile("mulpd %%xmm2, %%xmm2; sqrtss %%xmm2, %%xmm2; maxpd %%xmm2, %%xmm2" ::: "xmm2");
        s += cbrt(p[i]); // a load, an addition, and a call of a library
    }
    return s;
}
int main(void)
{
    harness_start();
    volatile double s = kernel(x);
    harness_stop();
    return s != 0;
}
`
	dir := t.TempDir()
	if err := examples.Extract(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sorts.c"), []byte(source), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, compiler := range compilers {
		t.Run(compiler, func(t *testing.T) {
			n := countWith(t, compiler, dir, "sorts")
			calls := int64(0)
			for _, c := range n.Calls {
				calls += c
			}
			if n.Loads != 200 || n.Stores != 100 || n.Flops != 400 || n.VectorFlops != 200 || calls != 100 {
				t.Errorf("%+v, want 200 loads, 100 stores, 400 flops, 200 of vectors, 100 calls", n)
			}
			// The call, and the table through which it goes; the rest is up to the compiler. The return is the library's.
			if n.SpillLoads < 100 || n.SpillStores < 100 || n.Library.SpillLoads < 100 {
				t.Errorf("%+v, want 100 spill loads and stores at least", n)
			}
		})
	}
}

func countWith(t *testing.T, compiler, dir, kernel string, flags ...string) *Counts {
	t.Helper()
	for _, program := range []string{compiler, "valgrind", "objdump"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing", program)
		}
	}
	n, err := Count(t.Context(), compiler, dir, kernel, flags)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestDecode(t *testing.T) {
	tests := []struct {
		assembly string
		framed   bool
		want     instruction
	}{
		{"mulsd  %xmm1,%xmm0", false, instruction{flops: 1}},
		{"addss  0x8(%rax),%xmm0", false, instruction{flops: 1}},
		{"divpd  %xmm1,%xmm0", false, instruction{flops: 2, packed: true}},
		{"sqrtps %xmm1,%xmm0", false, instruction{flops: 4, packed: true}},
		{"haddpd %xmm1,%xmm0", false, instruction{flops: 2, packed: true}},
		{"vsubps %ymm2,%ymm1,%ymm0", false, instruction{flops: 8, packed: true}},
		{"vmulpd %zmm2,%zmm1,%zmm0", false, instruction{flops: 8, packed: true}},
		{"vfmadd231sd (%rax,%rcx,8),%xmm1,%xmm0", false, instruction{flops: 2}},
		{"vfnmadd213pd %ymm2,%ymm1,%ymm0", false, instruction{flops: 8, packed: true}},
		{"vfmsubadd132ps %xmm2,%xmm1,%xmm0", false, instruction{flops: 8, packed: true}},
		{"maxsd  %xmm1,%xmm0", false, instruction{}},
		{"cvtsi2sd %eax,%xmm0", false, instruction{}},
		{"xorpd  %xmm1,%xmm0", false, instruction{}},
		{"addl   $0x1,(%rax)", false, instruction{modifies: true}},
		{"lock addl $0x1,0x4(%rax,%rcx,4)", false, instruction{modifies: true}},
		{"cmpl   $0x1,(%rax)", false, instruction{}},
		{"add    (%rax),%ecx", false, instruction{}},
		{"negq   0x10(%rsp)", false, instruction{modifies: true, place: onStack}},
		{"movsd  0x8(%rsp),%xmm0", false, instruction{place: onStack}},
		{"movsd  0x8(%rsp,%rax,8),%xmm0", false, instruction{}},
		{"mov    -0x8(%rbp),%eax", true, instruction{place: onStack}},
		{"mov    -0x8(%rbp),%eax", false, instruction{}},
		{"push   %rbx", false, instruction{place: onStack}},
		{"bnd jmp *0x2f75(%rip)        # 4018 <exp@GLIBC_2.29>", false, instruction{place: onStack}},
		{"mov    %fs:0x28,%rax", false, instruction{place: onStack}},
	}
	for _, tt := range tests {
		if got := decode(tt.assembly, tt.framed, nil); got != tt.want {
			t.Errorf("%s (framed %v): %+v, want %+v", tt.assembly, tt.framed, got, tt.want)
		}
	}
}
