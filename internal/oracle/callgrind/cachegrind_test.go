package callgrind_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"foresee/application/trace"
	"foresee/model/cache"
)

// recorded is a program whose data exceeds 200 KiB and whose code exceeds small instruction caches, and that does the
// same whenever it runs.
const recorded = `
#include <stdlib.h>
#include <string.h>

enum { N = 40, BYTES = 1 << 16, NODES = 2048 };

static double a[N][N], b[N][N], c[N][N];
static unsigned char bytes[BYTES + 64];
static struct node { struct node *next; long value[5]; } nodes[NODES];

static void product(void) {
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) a[i][j] = i, b[i][j] = j;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			for (int k = 0; k < N; k++) c[i][j] += a[i][k] * b[k][j];
}

/* Loads, stores and modifies of 1 to 8 bytes, many of them across the end of a line. */
static void walk(int stride) {
	for (int i = 0; i < BYTES; i += stride) {
		unsigned long x;
		unsigned short y;
		memcpy(&x, bytes + i, sizeof x);
		x = x * 3 + i;
		memcpy(bytes + i, &x, sizeof x);
		memcpy(&y, bytes + i + 31, sizeof y);
		bytes[i * 7 % BYTES] += y;
		*(volatile unsigned *)(void *)(bytes + (i * 13 + 3) % BYTES) += 1;
	}
}

static long list(int steps) {
	long sum = 0;
	for (int i = 0; i < NODES; i++) {
		nodes[i].next = &nodes[(i * 1021 + 1) % NODES];
		nodes[i].value[i % 5] = i;
	}
	for (struct node *n = nodes; steps > 0; steps--, n = n->next) sum += n->value[steps % 5];
	return sum;
}

/* 64 functions of their own, so that the code takes many lines. */
#define F(n) \
	__attribute__((noinline)) static long f##n(long x) { \
		for (int i = 0; i < 3; i++) x = (x ^ bytes[(x + n) & 1023]) * (2 * n + 1) + (x >> (n & 7)); \
		return x + (x >> 11) + ((x ^ n) << 3); \
	}
#define EIGHT(m, n) m(n##0) m(n##1) m(n##2) m(n##3) m(n##4) m(n##5) m(n##6) m(n##7)
#define ALL(m) EIGHT(m, 1) EIGHT(m, 2) EIGHT(m, 3) EIGHT(m, 4) EIGHT(m, 5) EIGHT(m, 6) EIGHT(m, 7) EIGHT(m, 8)
ALL(F)
#define CALL(n) x = f##n(x);
static long code(int rounds) {
	long x = 1;
	while (rounds-- > 0) { ALL(CALL) }
	return x;
}

int main(void) {
	product();
	walk(61);
	walk(7);
	walk(129);
	double *d = calloc(5000, sizeof *d);
	for (int r = 0; r < 20; r++)
		for (int i = r; i < 5000; i += 37) d[i] += r;
	long used = list(60000) + code(150) + (long)c[3][5] + (long)d[7];
	return used == 42;
}
`

// reference is one of the program as cachegrind counts them.
type reference struct {
	address uint64
	size    uint32
	kind    trace.Kind
	modify  bool // a read that a write of the same bytes follows, in one instruction
}

// TestCachegrind compares misses with those of Valgrind's cachegrind, which simulates the same binary on its own.
//
// Cachegrind counts a modify as one read, and a reference to two lines as one reference and at most one miss. When it
// misses, the last level is asked for both lines; foresee's hierarchies ask for the missing line alone. The misses of
// L1 are the same nevertheless, and those of a last level that evicts nothing, where a line that L1 has is never
// missing. Elsewhere the test sees to it that both lines are asked for: with a simulator for each cache, and with a
// hierarchy in which another thread takes the line from L1.
func TestCachegrind(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs a compiler and valgrind")
	}
	program := compileRecorded(t)
	all := record(t, program)
	if all.modifies == 0 || slices.Contains(all.straddling[:], 0) {
		t.Fatal("nothing tests the rules for modifies and for the ends of lines")
	}
	t.Logf("events by kind %d, modifies %d, across lines of 64 bytes %d", all.events, all.modifies, all.straddling)
	tests := []struct {
		name       string
		i1, d1, ll bytesWaysLine
		keeps      bool // nothing leaves the last level
	}{
		{"direct mapped", bytesWaysLine{4096, 1, 64}, bytesWaysLine{4096, 1, 64}, bytesWaysLine{32768, 1, 64}, false},
		{"2 and 4 ways", bytesWaysLine{2048, 2, 64}, bytesWaysLine{8192, 2, 64}, bytesWaysLine{65536, 4, 64}, false},
		{"4 and 16 ways, short lines", bytesWaysLine{4096, 4, 32}, bytesWaysLine{4096, 4, 32}, bytesWaysLine{32768, 16, 32}, false},
		{"8 ways, last level smaller than the code", bytesWaysLine{1024, 8, 64}, bytesWaysLine{2048, 8, 64}, bytesWaysLine{4096, 8, 64}, false},
		{"fully associative, last level of 128 ways", bytesWaysLine{2048, 32, 64}, bytesWaysLine{2048, 32, 64}, bytesWaysLine{16384, 128, 64}, false},
		{"three sizes of lines", bytesWaysLine{2048, 1, 32}, bytesWaysLine{4096, 2, 64}, bytesWaysLine{65536, 8, 128}, false},
		{"large last level, direct mapped", bytesWaysLine{4096, 1, 64}, bytesWaysLine{4096, 1, 64}, bytesWaysLine{8 << 20, 16, 64}, true},
		{"large last level, 2 ways, short lines", bytesWaysLine{2048, 2, 32}, bytesWaysLine{2048, 2, 32}, bytesWaysLine{8 << 20, 16, 32}, true},
		{"large last level, 8 ways", bytesWaysLine{32768, 8, 64}, bytesWaysLine{32768, 8, 64}, bytesWaysLine{8 << 20, 16, 64}, true},
		{"large last level, 16 ways, long lines", bytesWaysLine{8192, 16, 128}, bytesWaysLine{8192, 16, 128}, bytesWaysLine{8 << 20, 16, 128}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			want := cachegrind(t, program, tt.i1, tt.d1, tt.ll)
			if e := all.events; e[trace.Fetch] != want.Ir || e[trace.Read] != want.Dr || e[trace.Write] != want.Dw+all.modifies {
				t.Fatalf("events by kind %d, %d of the writes by modifies; cachegrind %+v", e, all.modifies, want)
			}
			shortest := min(tt.i1.line, tt.d1.line, tt.ll.line)
			caches := newSeparate(t, tt.i1, tt.d1, tt.ll)
			if got := count(all.references, shortest, caches.misses); got != want {
				t.Errorf("by cachegrind's rule: %+v, cachegrind %+v", got, want)
			}
			if caches.modifiesMissed > 0 {
				t.Errorf("%d modifies miss what they have just read", caches.modifiesMissed)
			}
			if tt.i1 != tt.d1 { // a level of a hierarchy has one geometry
				return
			}
			asked := newHierarchy(t, 3, tt.d1, tt.ll)
			if got := count(all.references, shortest, asked.missesOfBoth); got != want {
				t.Errorf("as a hierarchy, by cachegrind's rule: %+v, cachegrind %+v", got, want)
			}
			whole := newHierarchy(t, 2, tt.d1, tt.ll)
			got := count(all.references, shortest, whole.misses)
			c := whole.simulator.Counts()
			if c.Levels[0].Invalidations > 0 { // cachegrind has no coherence
				t.Errorf("the program writes its code %d times", c.Levels[0].Invalidations)
			}
			if evictions := c.Levels[1].Evictions; tt.keeps != (evictions == 0) {
				t.Errorf("the last level evicts %d lines", evictions)
			}
			if !tt.keeps {
				want.ILmr, want.DLmr, want.DLmw = got.ILmr, got.DLmr, got.DLmw
			}
			if got != want {
				t.Errorf("as a hierarchy: %+v, cachegrind %+v", got, want)
			}
			if !tt.keeps {
				return
			}
			// One thread's caches are simulated by code of their own. The data do not miss the instructions.
			data := newHierarchy(t, 1, tt.d1, tt.ll)
			got = count(all.references, shortest, data.misses)
			want.I1mr, want.ILmr = 0, 0
			if got != want {
				t.Errorf("as a hierarchy for data: %+v, cachegrind %+v", got, want)
			}
		})
	}
}

// bytesWaysLine is a geometry as cachegrind's options name it.
type bytesWaysLine struct{ bytes, ways, line int64 }

func (g bytesWaysLine) String() string { return fmt.Sprintf("%d,%d,%d", g.bytes, g.ways, g.line) }

func (g bytesWaysLine) geometry() cache.Geometry {
	return cache.Geometry{Lines: g.bytes / g.line, Ways: g.ways}
}

// counts are cachegrind's, by its names.
type counts struct{ Ir, I1mr, ILmr, Dr, D1mr, DLmr, Dw, D1mw, DLmw int64 }

func (c *counts) fields() map[string]*int64 {
	return map[string]*int64{
		"Ir": &c.Ir, "I1mr": &c.I1mr, "ILmr": &c.ILmr, "Dr": &c.Dr, "D1mr": &c.D1mr, "DLmr": &c.DLmr,
		"Dw": &c.Dw, "D1mw": &c.D1mw, "DLmw": &c.DLmw,
	}
}

// of gives the counters of a kind of reference: all, those that miss L1, those that miss the last level too.
func (c *counts) of(k trace.Kind) [3]*int64 {
	switch k {
	case trace.Fetch:
		return [3]*int64{&c.Ir, &c.I1mr, &c.ILmr}
	case trace.Write:
		return [3]*int64{&c.Dw, &c.D1mw, &c.DLmw}
	}
	return [3]*int64{&c.Dr, &c.D1mr, &c.DLmr}
}

// count counts references, of which misses gives how many levels miss. Like cachegrind, it takes of a longer reference
// a line.
func count(references []reference, line int64, misses func(r reference) int) counts {
	var c counts
	for _, r := range references {
		r.size = min(r.size, uint32(line))
		counters := c.of(r.kind)
		for i := range misses(r) + 1 {
			*counters[i]++
		}
	}
	return c
}

// separate are three simulators of one cache each.
type separate struct {
	i1, d1, ll     single
	modifiesMissed int
}

func newSeparate(t *testing.T, i1, d1, ll bytesWaysLine) *separate {
	t.Helper()
	return &separate{i1: newSingle(t, i1), d1: newSingle(t, d1), ll: newSingle(t, ll)}
}

func (s *separate) misses(r reference) int {
	first, write := s.d1, r.kind == trace.Write
	if r.kind == trace.Fetch {
		first = s.i1
	}
	missed := 0
	if first.misses(r, write) {
		missed = 1
		if s.ll.misses(r, write) {
			missed = 2
		}
	}
	if r.modify && first.misses(r, true) {
		s.modifiesMissed++
	}
	return missed
}

type single struct {
	simulator *cache.Simulator
	shift     int
}

func newSingle(t *testing.T, g bytesWaysLine) single {
	t.Helper()
	s, err := cache.NewSimulator(cache.Hierarchy{LineBytes: g.line, Levels: []cache.Level{{Geometry: g.geometry()}}})
	if err != nil {
		t.Fatal(err)
	}
	return single{s, bits.TrailingZeros64(uint64(g.line))}
}

// misses says whether one of the lines of a reference is missing.
func (s single) misses(r reference, write bool) (missed bool) {
	for line := r.address >> s.shift; line <= (r.address+uint64(r.size)-1)>>s.shift; line++ {
		if s.simulator.Access(0, line, write) > 0 {
			missed = true
		}
	}
	return missed
}

// hierarchy has a first level for each thread and the last in common. Thread 0 has the data, 1 the instructions, and
// 2 takes lines from them.
type hierarchy struct {
	single
	threads int
}

func newHierarchy(t *testing.T, threads int, l1, ll bytesWaysLine) hierarchy {
	t.Helper()
	s, err := cache.NewSimulator(cache.Hierarchy{Threads: threads, LineBytes: l1.line, Levels: []cache.Level{
		{Name: "L1", Geometry: l1.geometry()}, {Name: "LL", Geometry: ll.geometry(), SharedBy: threads},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return hierarchy{single{s, bits.TrailingZeros64(uint64(l1.line))}, threads}
}

// misses simulates a reference of a thread that there is.
func (h hierarchy) misses(r reference) (missed int) {
	thread := 0
	if r.kind == trace.Fetch {
		thread = 1
	}
	if thread == h.threads {
		return 0
	}
	first, last := r.address>>h.shift, (r.address+uint64(r.size)-1)>>h.shift
	for line := first; line <= last; line++ {
		missed = max(missed, h.simulator.Access(thread, line, r.kind == trace.Write))
	}
	if r.modify {
		for line := first; line <= last; line++ {
			h.simulator.Access(thread, line, true)
		}
	}
	return missed
}

// missesOfBoth asks the last level also for the line that L1 has, if the other of a reference is missing: thread 2
// writes the line, so that L1 loses it and asks again. The last level is asked by thread 2 or else by the loser. Both
// lines are used again, so that L1 has them in the order of their addresses.
func (h hierarchy) missesOfBoth(r reference) (missed int) {
	thread, write := 0, r.kind == trace.Write
	if r.kind == trace.Fetch {
		thread = 1
	}
	first, last := r.address>>h.shift, (r.address+uint64(r.size)-1)>>h.shift
	var served [2]int
	for line := first; line <= last; line++ {
		served[line-first] = h.simulator.Access(thread, line, write)
		missed = max(missed, served[line-first])
	}
	for line := first; line <= last && missed > 0 && first < last; line++ {
		if served[line-first] == 0 {
			missed = max(missed, h.simulator.Access(2, line, true))
		}
		missed = max(missed, h.simulator.Access(thread, line, write))
	}
	return missed
}

// compileRecorded gives the binary, without a dynamic linker that would run longer than the program.
func compileRecorded(t *testing.T) string {
	t.Helper()
	for _, program := range []string{"gcc", "valgrind"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is missing; apt-get install %s", program, program)
		}
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "recorded.c"), filepath.Join(dir, "recorded")
	if err := os.WriteFile(source, []byte(recorded), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-O1", "-static", source, "-o", program).CombinedOutput(); err != nil {
		if bytes.Contains(out, []byte("cannot find -lc")) {
			t.Skip("the C library to link statically is missing; apt-get install libc6-dev")
		}
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	return program
}

// valgrind runs the program in one environment always: its stack begins with it, so it moves addresses.
func valgrind(t *testing.T, program string, arguments ...string) {
	t.Helper()
	cmd := exec.Command("valgrind", append(arguments, program)...)
	cmd.Env = []string{"LC_ALL=C"}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// recording is what the reader makes of lackey's trace.
type recording struct {
	references []reference
	events     [3]int64 // by kind
	modifies   int64
	straddling [3]int64 // references to two lines of 64 bytes, by kind
}

// record gives every reference of the program as lackey sees them.
func record(t *testing.T, program string) *recording {
	t.Helper()
	log := filepath.Join(t.TempDir(), "lackey")
	valgrind(t, program, "--tool=lackey", "--trace-mem=yes", "--log-file="+log)
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	source, err := trace.Open(bytes.NewReader(text), trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	if source.Format() != "lackey" {
		t.Fatalf("the format of lackey's trace is taken for %s", source.Format())
	}
	r := &recording{}
	events := make([]trace.Event, 8192)
	for !errors.Is(err, io.EOF) {
		var n int
		n, err = source.Read(events)
		if err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		for _, e := range events[:n] {
			r.take(e)
		}
	}
	if want := int64(bytes.Count(text, []byte("\n M "))); r.modifies != want {
		t.Fatalf("%d modifies in the events, %d in the text", r.modifies, want)
	}
	return r
}

// take counts an event. The reader makes a read and a write of a modify. Nothing else looks so: lackey itself makes a
// modify of such a pair in one instruction, and between those of two instructions there is a fetch.
func (r *recording) take(e trace.Event) {
	r.events[e.Kind]++
	if n := len(r.references); e.Kind == trace.Write && n > 0 {
		last := &r.references[n-1]
		if last.kind == trace.Read && !last.modify && last.address == e.Address && last.size == e.Size {
			last.modify = true
			r.modifies++
			return
		}
	}
	if e.Address/64 != (e.Address+uint64(e.Size)-1)/64 {
		r.straddling[e.Kind]++
	}
	r.references = append(r.references, reference{address: e.Address, size: e.Size, kind: e.Kind})
}

// cachegrind gives the counts of the whole program.
func cachegrind(t *testing.T, program string, i1, d1, ll bytesWaysLine) (c counts) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cachegrind")
	valgrind(t, program, "--tool=cachegrind", "--cache-sim=yes", "--cachegrind-out-file="+file,
		"--I1="+i1.String(), "--D1="+d1.String(), "--LL="+ll.String())
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(text)) {
		key, rest, _ := strings.Cut(line, ":")
		switch key {
		case "events":
			names = strings.Fields(rest)
		case "summary":
			fields := c.fields()
			for i, s := range strings.Fields(rest) {
				v, err := strconv.ParseInt(s, 10, 64)
				if err != nil || i >= len(names) || fields[names[i]] == nil {
					t.Fatalf("cachegrind's summary %q of events %q", rest, names)
				}
				*fields[names[i]] = v
				delete(fields, names[i])
			}
			if len(fields) > 0 {
				t.Fatalf("cachegrind's summary %q lacks %d counts", rest, len(fields))
			}
			return c
		}
	}
	t.Fatalf("cachegrind's file has no summary:\n%s", text)
	return c
}
