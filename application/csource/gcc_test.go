package csource

import (
	"bytes"
	"encoding/binary"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// runtimeC takes the place of ThreadSanitizer's runtime and writes every access, as address and
// 2·size+write, between harness_start and harness_stop to the file $ACCESSES.
const runtimeC = `
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
static FILE *accesses;
static int on;
static void note(void *p, uint64_t n, int w) {
  if (!on) return;
  if (!accesses) accesses = fopen(getenv("ACCESSES"), "wb");
  uint64_t v[2] = {(uint64_t)p, 2 * n + w};
  fwrite(v, 16, 1, accesses);
}
#define A(n) void __tsan_read##n(void *p) { note(p, n, 0); } void __tsan_write##n(void *p) { note(p, n, 1); } \
  void __tsan_unaligned_read##n(void *p) { note(p, n, 0); } void __tsan_unaligned_write##n(void *p) { note(p, n, 1); }
A(1) A(2) A(4) A(8) A(16)
void __tsan_read_range(void *p, unsigned long n) { note(p, n, 0); }
void __tsan_write_range(void *p, unsigned long n) { note(p, n, 1); }
void __tsan_init(void) {}
void __tsan_func_entry(void *p) {}
void __tsan_func_exit(void) {}
void accesses_on(void) { on = 1; }
void accesses_off(void) { on = 0; }
__attribute__((destructor)) static void end(void) { if (accesses) fclose(accesses); }
`

// TestAgainstGCC compares the nests of the shipped kernels with what they access when they run, compiled by gcc
// without optimisation. gcc reads the left side of a compound assignment at another time than we do in some
// statements, so that the accesses are compared as sets with counts.
func TestAgainstGCC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is missing; apt-get install gcc")
	}
	if testing.Short() {
		t.Skip("runs a compiler")
	}
	dir := t.TempDir()
	rt := filepath.Join(dir, "rt.o")
	if err := os.WriteFile(filepath.Join(dir, "rt.c"), []byte(runtimeC), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, gcc, "-c", filepath.Join(dir, "rt.c"), "-o", rt)
	for _, name := range []string{
		"gemm", "adi", "cholesky", "correlation", "durbin", "fdtd-2d-ppcg", "floyd-warshall", "heat-3d", "jacobi-2d-timetiled",
		"nussinov", "particles-aos", "seidel-2d-tiled", "spmv-banded", "trmm", "black-scholes",
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("../../examples/kernels", name+".c")
			if _, err := os.Stat(file); err != nil {
				t.Skip(file, "is missing")
			}
			u, err := Load(file, nil, Options{Defines: []string{"MINI"}})
			if err != nil {
				t.Fatal(err)
			}
			got := map[touch]int{}
			size := map[string]int64{}
			for _, p := range u.Programs {
				for _, o := range p.Objects {
					size[o.Name] = o.Bytes
				}
				for _, a := range run(p) {
					got[a]++
				}
			}
			if want := recorded(t, gcc, file, rt, size); !maps.Equal(got, want) {
				t.Errorf("the accesses differ: %d kinds, gcc's %d", len(got), len(want))
			}
		})
	}
}

func command(t *testing.T, name string, args ...string) []byte {
	t.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return out
}

// recorded builds and runs a kernel and counts its accesses to the global arrays of these sizes.
func recorded(t *testing.T, gcc, file, rt string, size map[string]int64) map[touch]int {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(t.TempDir(), "k")
	marked := strings.NewReplacer("harness_start();", "{ void accesses_on(void); accesses_on(); }",
		"harness_stop();", "{ void accesses_off(void); accesses_off(); }").Replace(string(src))
	if err := os.WriteFile(base+".c", []byte(marked), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, gcc, "-O0", "-w", "-DMINI", "-I", filepath.Dir(file), "-fsanitize=thread", "-fno-pie", "-c", base+".c", "-o", base+".o")
	command(t, gcc, "-no-pie", base+".o", rt, "-lm", "-o", base)
	run := exec.Command(base)
	run.Env = append(os.Environ(), "ACCESSES="+base+".bin")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(base + ".bin")
	if err != nil {
		t.Fatal(err)
	}
	return count(data, symbols(t, base, size), size)
}

// symbols gives the addresses of the global arrays.
func symbols(t *testing.T, binary string, size map[string]int64) map[string]uint64 {
	at := map[string]uint64{}
	for line := range bytes.Lines(command(t, "nm", binary)) {
		f := strings.Fields(string(line))
		if len(f) == 3 && size[f[2]] > 0 {
			at[f[2]], _ = strconv.ParseUint(f[0], 16, 64)
		}
	}
	return at
}

func count(data []byte, at map[string]uint64, size map[string]int64) map[touch]int {
	all := map[touch]int{}
	names := slices.Sorted(maps.Keys(at))
	for ; len(data) >= 16; data = data[16:] {
		p, n := binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
		a := touch{"?", int64(p), int64(n / 2), n%2 == 1}
		for _, name := range names {
			if p >= at[name] && p < at[name]+uint64(size[name]) {
				a.object, a.offset = name, int64(p-at[name])
			}
		}
		all[a]++
	}
	return all
}
