package record_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"foresee/application/record"
	"foresee/application/recording"
	"foresee/application/trace"
)

// ownBuild is a compiler with flags, and a source that it compiles.
type ownBuild struct {
	compiler, source string
	language         record.Language
	flags            []string
}

// ownFlags are flags that make different code, some of it for libraries.
var ownFlags = [][]string{
	{"-O0"}, {"-O2"}, {"-O3", "-march=native"}, {"-Os", "-fPIC"}, {"-O2", "-fcf-protection=full", "-fno-plt", "-fpic"},
}

// ownBuilds are each compiler with all flags; of C++, whose headers take seconds, each flags with one of the two compilers.
func ownBuilds() (all []ownBuild) {
	for i, flags := range ownFlags {
		cxx := []string{"g++", "clang++"}[i%2]
		all = append(all, ownBuild{"gcc", "everything.c", record.C, flags}, ownBuild{"clang", "everything.c", record.C, flags},
			ownBuild{cxx, "everything.cc", record.Cxx, flags}, ownBuild{"gfortran", "everything.f90", record.Fortran, flags})
	}
	return all
}

// build makes a program as it is, and one that records.
func (b *ownBuild) build(t *testing.T, source string) (plain, recorded string) {
	t.Helper()
	dir := t.TempDir()
	plain, recorded = filepath.Join(dir, "plain"), filepath.Join(dir, "recorded")
	args := append(append([]string{}, b.flags...), source)
	if out, err := exec.CommandContext(t.Context(), b.compiler, append(args, "-o", plain, "-lm")...).CombinedOutput(); err != nil {
		t.Skipf("%s cannot compile it here: %v\n%s", b.compiler, err, out)
	}
	c, err := record.OwnCompiler(t.Context(), b.compiler, b.language)
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	builder := &record.Builder{Compiler: c, Stdin: strings.NewReader(""), Stdout: &said, Stderr: &said}
	if err := builder.Build(t.Context(), append(args, "-o", recorded, "-lm")); err != nil {
		t.Fatalf("%v\n%s", err, &said)
	}
	return plain, recorded
}

// run gives what a program prints, and its exit code.
func run(t *testing.T, program string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program)
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%sexit %d\n", out, cmd.ProcessState.ExitCode())
}

// TestOwnCode builds programs by each compiler with recording in its own code: they do what they do without, whether they are recorded or not.
func TestOwnCode(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles two dozen programs")
	}
	t.Parallel()
	for _, b := range ownBuilds() {
		t.Run(b.compiler+strings.Join(b.flags, ""), func(t *testing.T) {
			t.Parallel()
			needProgram(t, b.compiler)
			plain, recorded := b.build(t, filepath.Join("testdata/own", b.source))
			want := run(t, plain)
			if got := run(t, recorded); got != want {
				t.Errorf("unrecorded it prints\n%s\ninstead of\n%s", got, want)
			}
			out, r := recordOwn(t, recorded)
			if out != want {
				t.Errorf("recorded it prints\n%s\ninstead of\n%s", out, want)
			}
			if n := r.instructions(""); n < 1000 {
				t.Errorf("%d instructions are recorded", n)
			}
		})
	}
}

// ownRun is what was recorded of a run.
type ownRun struct {
	code    *recording.Code
	regions []*recording.Region
}

// recordOwn runs a program and reads what it records.
func recordOwn(t *testing.T, program string) (printed string, r *ownRun) {
	t.Helper()
	var out bytes.Buffer
	p, err := record.Start(t.Context(), record.Run{Program: program, Serial: true, Stdout: &out, Stderr: os.Stderr})
	if err != nil {
		t.Fatal(err)
	}
	team, err := recording.NewTeam(p, recording.Options{Threads: 1, ByFunction: true})
	if err != nil {
		t.Fatal(err)
	}
	failed := readAll(team)
	code := 0
	if err := p.Wait(); err != nil {
		exit, ok := err.(*record.ExitError)
		if !ok {
			t.Fatal(err)
		}
		code = exit.Code
	}
	if failed != nil {
		t.Fatal(failed)
	}
	_, segments, _, _, _ := team.Info()
	return fmt.Sprintf("%sexit %d\n", &out, code), &ownRun{segments, team.Regions()}
}

// instructions is how many a function carried out, or all together.
func (r *ownRun) instructions(function string) (n int64) {
	for _, region := range r.regions {
		for i, times := range region.Counts {
			if s := r.code.Segments[i]; function == "" || s.Place.Function == function {
				n += times * int64(len(s.Code))
			}
		}
	}
	return n
}

// accesses is how many a function made.
func (r *ownRun) accesses(function string) (n int64) {
	for _, region := range r.regions {
		for i, times := range region.Counts {
			if s := r.code.Segments[i]; s.Place.Function == function {
				n += times * int64(len(s.Accesses))
			}
		}
	}
	return n
}

// TestOwnCounts compares what is counted of functions with callgrind's counts of the plain program.
func TestOwnCounts(t *testing.T) {
	t.Parallel()
	needProgram(t, "gcc")
	needProgram(t, "valgrind")
	for _, flags := range [][]string{{"-O1"}, {"-O2"}, {"-O3"}} {
		t.Run(flags[0], func(t *testing.T) {
			t.Parallel()
			b := ownBuild{"gcc", "", record.C, flags}
			plain, recorded := b.build(t, "testdata/own/counted.c")
			_, r := recordOwn(t, recorded)
			want := countedByCallgrind(t, plain)
			for _, f := range []string{"sorted", "chased", "product", "fibonacci"} {
				if want[f].instructions == 0 {
					t.Fatalf("callgrind counts nothing of %s", f)
				}
				compareCounts(t, f+": instructions", r.instructions(f), want[f].instructions)
				compareCounts(t, f+": accesses", r.accesses(f), want[f].accesses)
			}
		})
	}
}

// mostOff is how far counts may be from callgrind's, in percent: it counts the instructions that fill code up to where loops begin, which assembly does not show, and what
// an instruction reads and writes at one place once.
const mostOff = 3

func compareCounts(t *testing.T, what string, got, want int64) {
	t.Helper()
	if off := 100 * math.Abs(float64(got-want)) / float64(want); off > mostOff {
		t.Errorf("%s: %d, callgrind counts %d: %.1f %% off", what, got, want, off)
	}
}

type callgrindCounts struct{ instructions, accesses int64 }

var functionLine = regexp.MustCompile(`^(c?)fn=\((\d+)\)(?: ([^']*).*)?$`)

// countedByCallgrind gives what functions do by themselves.
func countedByCallgrind(t *testing.T, program string) map[string]callgrindCounts {
	t.Helper()
	out := filepath.Join(t.TempDir(), "counts")
	mustRun(t, ".", nil, "valgrind", "--tool=callgrind", "--cache-sim=yes", "--callgrind-out-file="+out, program)
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	names, counts := map[string]string{}, map[string]callgrindCounts{}
	function, called := "", false
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if m := functionLine.FindStringSubmatch(line); m != nil {
			if m[3] != "" { // without the mark of recursion
				names[m[2]] = m[3]
			}
			if m[1] == "" {
				function = names[m[2]]
			}
			continue
		}
		if strings.HasPrefix(line, "calls=") {
			called = true
			continue
		}
		f := strings.Fields(line)
		if len(f) < 2 || !strings.ContainsAny(line[:1], "0123456789+-*") {
			continue
		}
		if called { // what the function that is called costs
			called = false
			continue
		}
		c := counts[function]
		for i, to := range []*int64{&c.instructions, &c.accesses, &c.accesses} { // Ir Dr Dw
			if i+1 < len(f) {
				n, _ := strconv.ParseInt(f[i+1], 10, 64)
				*to += n
			}
		}
		counts[function] = c
	}
	return counts
}

// readAll reads a team to its end.
func readAll(team *recording.Team) error {
	events := make([]trace.Event, 4096)
	for {
		_, err := team.Read(events)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// TestFortranAsks builds a program of Fortran that calls OpenMP's functions: they are there, and tell what those of gfortran's library do.
func TestFortranAsks(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a program")
	}
	t.Parallel()
	needProgram(t, "gfortran")
	b := ownBuild{"gfortran", "asks.f90", record.Fortran, []string{"-O2", "-fopenmp"}}
	plain, recorded := b.build(t, filepath.Join("testdata/own", b.source))
	if got, want := run(t, recorded), run(t, plain); got != want {
		t.Errorf("it prints\n%s\ninstead of\n%s", got, want)
	}
}
