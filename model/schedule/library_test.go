package schedule

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestLibgomp compares with what GCC's library really does.
func TestLibgomp(t *testing.T) {
	t.Parallel()
	compareWithLibrary(t, askedInTurn, "gcc", "needs gcc: apt-get install gcc libc6-dev")
}

// TestLibomp compares with LLVM's library. It gives a team of one everything at once.
func TestLibomp(t *testing.T) {
	t.Parallel()
	compareWithLibrary(t, func(r Rule, n, threads int64) string {
		switch {
		case threads == 1:
			return strings.ReplaceAll(askedInTurn(r, n, 1), "|", "")
		case r.Kind == Guided:
			return libompGuided(r, n, threads)
		}
		return askedInTurn(r, n, threads)
	}, "clang", "needs clang and its OpenMP: apt-get install clang libomp-dev")
}

// libompGuided is its rule, which doc.go tells.
func libompGuided(r Rule, n, threads int64) string {
	var b strings.Builder
	for at, thread := int64(0), int64(0); at < n; thread = (thread + 1) % threads {
		size := min(r.Chunk, n-at)
		if left := n - at; left >= 2*threads*(r.Chunk+1) {
			size = left / (2 * threads)
		}
		for i := range size {
			writeIteration(&b, i == 0, thread)
		}
		at += size
	}
	return b.String()
}

// askedInTurn is a loop as testdata/dealt.c prints it.
func askedInTurn(r Rule, n, threads int64) string {
	owner, begins := make([]int64, n), map[int64]bool{}
	d := NewDeal(r, n, int(threads))
	for thread, idle := int64(0), int64(0); idle < threads; thread = (thread + 1) % threads {
		first, end := d.Next(int(thread))
		idle++
		for i := first; i < end; i++ {
			owner[i], begins[i], idle = thread, i == first, 0
		}
	}
	var b strings.Builder
	for i := range n {
		writeIteration(&b, r.Kind.OnDemand() && begins[i], owner[i])
	}
	return b.String()
}

func writeIteration(b *strings.Builder, begins bool, thread int64) {
	mark := ""
	if begins {
		mark = "|"
	}
	fmt.Fprintf(b, " %s%d", mark, thread)
}

func compareWithLibrary(t *testing.T, want func(r Rule, n, threads int64) string, compiler, missing string) {
	t.Helper()
	out := runDealt(t, compiler, missing)
	lines := 0
	for line := range strings.Lines(out) {
		head, got, found := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		var r Rule
		var n, threads int64
		if _, err := fmt.Sscan(head, &r.Kind, &n, &threads, &r.Chunk); err != nil || !found {
			t.Fatalf("%q: %v", line, err)
		}
		if threads == 1 && compiler == "clang" {
			got = strings.Replace(got, "|", "", 1)
		}
		if want := want(r, n, threads); got != want {
			t.Fatalf("%v of %d to %d threads:\n%s, want\n%s", r, n, threads, got, want)
		}
		lines++
	}
	if lines != 11*9*(1+4*3) {
		t.Errorf("%d loops were run", lines)
	}
}

// runDealt compiles and runs testdata/dealt.c.
func runDealt(t *testing.T, compiler, missing string) string {
	t.Helper()
	source := filepath.Join("testdata", "dealt.c")
	if _, err := os.Stat(source); err != nil { // so that Go's cache of results knows of it
		t.Fatal(err)
	}
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skip(missing)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	program := filepath.Join(t.TempDir(), "dealt")
	if out, err := exec.CommandContext(ctx, compiler, "-O1", "-fopenmp", source, "-o", program).CombinedOutput(); err != nil {
		if compiler == "clang" {
			t.Skipf("%s\n%s", missing, out)
		}
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = append(os.Environ(), "OMP_DYNAMIC=false", "OMP_THREAD_LIMIT=64", "OMP_SCHEDULE=static", "OMP_WAIT_POLICY=passive")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
