package emulate

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// blocks asks for blocks as a program does: small and large ones, freed and given again, aligned ones; each line is a place within its line of 64 bytes,
// or whether a block that was freed is given again.
const blocks = `#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
static void where(void *p) { fprintf(stderr, "%d\n", (int)((unsigned long)p % 64)); }
int main(void) {
    void *p[9];
    long n[9] = {8000, 24, 25, 40, 100000, 140000, 800000, 3200000, 131072};
    for (int i = 0; i < 9; i++)
        where(p[i] = malloc(n[i]));
    free(p[0]);
    where(malloc(8000));
    free(p[7]); /* blocks of that size are small from now on */
    void *one = malloc(1000000), *two = malloc(1000000);
    where(two);
    fprintf(stderr, "%d\n", (int)((char *)two - (char *)one));
    where(aligned_alloc(64, 640));
    where(memalign(32, 320) == 0 ? 0 : (void *)64);
    return 0;
}
`

// TestHeapAsGlibc compares where blocks lie with what this machine's C library does.
func TestHeapAsGlibc(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("needs gcc")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "blocks.c"), []byte(blocks), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("gcc", "-O1", "-o", "blocks", "blocks.c")
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	run := exec.Command(filepath.Join(dir, "blocks"))
	text, err := run.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(string(text))
	h := newHeap()
	var got []string
	where := func(a uint64) uint64 { got = append(got, strconv.FormatUint(a%64, 10)); return a }
	var p []uint64
	for _, n := range []uint64{8000, 24, 25, 40, 100000, 140000, 800000, 3200000, 131072} {
		p = append(p, where(h.allocate(n)))
	}
	h.free(p[0])
	where(h.allocate(8000))
	h.free(p[7])
	one, two := h.allocate(1000000), h.allocate(1000000)
	where(two)
	got = append(got, strconv.Itoa(int(two-one)))
	where(h.aligned(64, 640))
	where(h.aligned(32, 320) % 32)
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("blocks lie at %v, with glibc at %v", got, want)
	}
}

// TestHeapOfCPlusPlus: what C++ allocates begins behind the memory that libstdc++ keeps for exceptions: with GCC 12 at 48 and 0 of their lines, and large ones at 16.
func TestHeapOfCPlusPlus(t *testing.T) {
	h := newHeap()
	for i, want := range []uint64{48, 0, 16} {
		if got := h.forNew([]uint64{8000, 8000, 800_000}[i]) % 64; got != want {
			t.Errorf("block %d at %d, want %d", i, got, want)
		}
	}
}
