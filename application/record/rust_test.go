package record_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/record"
	"foresee/application/recording"
	"foresee/internal/longtest"
)

// buildRust makes a program as it is, and one that records.
func buildRust(t *testing.T, source string, flags ...string) (plain, recorded string) {
	t.Helper()
	needProgram(t, "gcc")
	rustc, err := record.RustCompiler(t.Context(), "rustc")
	if err != nil {
		t.Skipf("rustc is not installed: apt-get install rustc: %v", err)
	}
	dir := t.TempDir()
	plain, recorded = filepath.Join(dir, "plain"), filepath.Join(dir, "recorded")
	args := append(append([]string{}, flags...), filepath.Join("testdata/rust", source))
	if out, err := exec.CommandContext(t.Context(), rustc, append(args, "-o", plain)...).CombinedOutput(); err != nil {
		t.Skipf("rustc cannot compile it here: %v\n%s", err, out)
	}
	c, err := record.OwnCompiler(t.Context(), "gcc", record.C)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	builder := &record.Builder{Compiler: c, Rustc: rustc, Stdin: strings.NewReader(""), Stdout: &said, Stderr: &said}
	if err := builder.BuildRust(t.Context(), append(args, "-o", recorded)); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	return plain, recorded
}

// TestRustThreads runs threads of Rust's library as they are and as virtual ones: both print the same, and the number of threads is what the library
// gives where the program asks for it.
func TestRustThreads(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"-O"}, {"-g"}} {
		t.Run(flags[0], func(t *testing.T) {
			t.Parallel()
			if flags[0] != "-O" {
				longtest.Skip(t, "the same of other flags")
			}
			plain, recorded := buildRust(t, "threads.rs", flags...)
			for _, threads := range []int{1, 4, 16} {
				want, err := exec.CommandContext(t.Context(), plain, fmt.Sprint(threads)).Output()
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				p, err := record.Start(t.Context(), record.Run{Program: recorded, Threads: threads, Serial: true, Stdout: &out, Stderr: os.Stderr})
				if err != nil {
					t.Fatal(err)
				}
				team, err := recording.NewTeam(p, recording.Options{Threads: threads, ByFunction: true})
				if err != nil {
					t.Fatal(err)
				}
				if err := readAll(team); err != nil {
					t.Error(err)
				}
				if err := p.Wait(); err != nil {
					t.Error(err)
				}
				if out.String() != string(want) {
					t.Errorf("%d threads print\n%s\ninstead of\n%s", threads, &out, want)
				}
			}
		})
	}
}

// entering is how many accesses a function may make besides those of its loop: registers that it keeps, and its return.
const entering = 20

// TestRustCounts compares accesses of loops with what the source says: one in each step.
func TestRustCounts(t *testing.T) {
	t.Parallel()
	plain, recorded := buildRust(t, "counted.rs", "-O")
	want := run(t, plain)
	out, r := recordOwn(t, recorded)
	if out != want {
		t.Errorf("recorded it prints\n%s\ninstead of\n%s", out, want)
	}
	for function, steps := range map[string]int64{"counted::chased": 20000, "counted::filled": 5000} {
		if n := r.accesses(function); n < steps || n > steps+entering {
			t.Errorf("%s: %d accesses are recorded of %d", function, n, steps)
		}
	}
}
