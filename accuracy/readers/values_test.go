package readers

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/application/ir"
	"foresee/application/ir/text"
	"foresee/application/nest"
)

// TestValuesOfRuns compares every access of functions in C++, Fortran and Rust, read with the values that a run told, with a run of the same code; and with
// how many values each was entered, which their authors know.
func TestValuesOfRuns(t *testing.T) {
	dir, err := filepath.Abs("../../examples/real/run")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	regions := map[string]map[string]int64{ // and how often each is entered
		"grid.cpp":     {"sweep": 1, "total": 1},
		"relax.cpp":    {"Solver::run": 1},
		"capped.cpp":   {"settle": 1},
		"bands.cpp":    {"multiply<double>": 1, "multiply<float>": 1},
		"heat.f90":     {"step": 1, "scale": 1},
		"smooth.rs":    {"smooth": 1, "scale": 1},
		"nested.cpp":   {"multiply": 1, "scale": 1, "total": 1, "border": 1},
		"sparse.cpp":   {"multiply": 1, "assemble": 1, "follow": 1, "tally": 1, "reverse": 1},
		"aliases.cpp":  {"axpy": 1, "relax": 1, "record": 1, "pieces": 1, "scatter": 1},
		"team.cpp":     {"scale": 1, "chunks": 1, "dynamic": 1, "dot": 1},
		"computed.cpp": {"deposit": 1, "sample": 1, "climb": 1, "spread": 1, "insert": 1, "chase": 1, "shuffle": 1, "scatter": 1, "compact": 1, "pack": 1},
		"computed.f90": {"deposit": 1},
		"lists.cpp":    {"gather": 1, "weighted": 1, "pick": 1, "within": 1, "present": 1, "reverse": 1},
		"lists.rs":     {"gather": 1},
		"members.cpp":  {"push": 1, "deposit": 1, "areas": 1, "volumes": 1, "across": 1, "reverse": 1},
		"members.rs":   {"push": 1},
		"sparse.f90":   {"multiply": 1, "gather": 1},
		"strided.f90":  {"scale": 1, "shift": 1, "smooth": 1},
		"sparse.rs":    {"multiply": 1, "gather": 1},
	}
	for name, want := range regions {
		t.Run(name, func(t *testing.T) {
			how := compilationOf(name)
			for _, command := range how.commands {
				needs(t, "clang")
				c := ir.Compilation{Language: how.language, Path: filepath.Join(dir, name), Command: command}
				signature, err := observed(t, c)
				if errors.As(err, new(*ir.MissingError)) || errors.As(err, new(*ir.UnreadError)) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				compareRun(t, c, signature, want)
				if i := slices.IndexFunc(signature.Loops, func(p *nest.Program) bool { return p.Region == "refill" || p.Region == "foreign" }); i >= 0 {
					t.Errorf("%s, whose subscripts are not known, is read as if they were", signature.Loops[i].Region)
				}
				return
			}
			t.Skip("no compiler is here whose IR can be compiled")
		})
	}
}

// ofExample are the regions of one of the examples in C++, with the values of its run.
func ofExample(t *testing.T, name string) []*nest.Program {
	t.Helper()
	needs(t, "clang")
	path, err := filepath.Abs("../../examples/real/run/" + name)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	signature, err := observed(t, ir.Compilation{Language: ir.Cxx, Path: path, Command: []string{"clang++", "-O2"}})
	if errors.As(err, new(*ir.MissingError)) || errors.As(err, new(*ir.UnreadError)) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return signature.Loops
}

// TestOverlaps: a function that is entered with pointers to the same memory, to a part of it and to other memory is a region of each.
func TestOverlaps(t *testing.T) {
	arrays := map[string]int{}
	for _, p := range ofExample(t, "aliases.cpp") {
		arrays[p.Region] = len(p.Objects)
	}
	for region, want := range map[string]int{"shift (bytes from a to b=-8)": 1, "shift (bytes from a to b=0)": 1, "shift (values 3)": 2, "pieces": 3} {
		if arrays[region] != want {
			t.Errorf("%s has %d arrays, want %d", region, arrays[region], want)
		}
	}
}

// TestPhase: elements as long as a line that begin in the midst of one lie in two.
func TestPhase(t *testing.T) {
	for _, p := range ofExample(t, "members.cpp") {
		if p.Region != "across" {
			continue
		}
		s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		if lines, _, err := s.Footprint(1); err != nil || lines != float64(s.Len()) {
			t.Errorf("%v lines of %d accesses (%v)", lines, s.Len(), err)
		}
		return
	}
	t.Error("across is not read")
}

// TestContentsOfEntries: an array that is set again between entries is told with what it held in each.
func TestContentsOfEntries(t *testing.T) {
	needs(t, "gcc")
	t.Chdir(t.TempDir())
	source := `// run: ./entries
#include <stdio.h>
#include <stdlib.h>
void gather(const int *at, int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += x[at[i]];
}
int main(int argc, char **argv)
{
    int n = 500 + argc;
    int *at = malloc(n * sizeof *at);
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y);
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < n; i++)
            at[i] = k < 4 ? i : i * 77 % n;
        gather(at, n, x, y);
    }
    printf("%g\n", y[1]);
    return 0;
}
`
	if err := os.WriteFile("entries.c", []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	signature, err := observed(t, ir.Compilation{Path: "entries.c"})
	if err != nil {
		t.Fatal(err)
	}
	var entered []int64
	for _, p := range signature.Loops {
		if strings.HasPrefix(p.Region, "gather") {
			entered = append(entered, p.Entered)
		}
	}
	if !slices.Equal(entered, []int64{4, 4}) {
		t.Errorf("entered %d times with each content, want 4 and 4", entered)
	}
}

// TestDefinitionsBesideRun: a definition is taken instead of what the run had, and said to be; one that stands for nothing is said to.
func TestDefinitionsBesideRun(t *testing.T) {
	needs(t, "clang++")
	path, err := filepath.Abs("../../examples/real/run/sparse.cpp")
	if err != nil {
		t.Fatal(err)
	}
	signature, err := observed(t, ir.Compilation{Language: ir.Cxx, Path: path}, "triangles=7", "nothing=3")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the definition of triangles is taken instead of what the run had", "the definition of nothing is not taken: no integer of this name is unknown"} {
		if !slices.Contains(signature.Warnings, want) {
			t.Errorf("no %q in %q", want, signature.Warnings)
		}
	}
	i := slices.IndexFunc(signature.Loops, func(p *nest.Program) bool { return p.Region == "assemble" })
	if i < 0 {
		t.Fatal("assemble is not read")
	}
	stream, err := nest.NewStream(signature.Loops[i], nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	if n := stream.Len(); n < 7*7 || n > 7*12 { // of each triangle an area, and three corners and masses, of which a mass is read and written
		t.Errorf("%d accesses of 7 triangles", n)
	}
}

// arguments are those of a program, by its first line.
func arguments(t *testing.T, path string) []string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(data), "\n")
	_, command, ok := strings.Cut(first, "run: ")
	if !ok {
		t.Fatalf("%s: %q", path, first)
	}
	return strings.Fields(command)
}

// observed reads a program with the values of its run, and definitions.
func observed(t *testing.T, c ir.Compilation, defines ...string) (*application.Signature, error) {
	t.Helper()
	in, err := application.Find(t.Context(), c.Path, nil, application.Told{})
	if err != nil {
		t.Fatal(err)
	}
	opened, err := in.Open(t.Context(), application.Options{Source: csource.Options{Defines: defines}, Compiler: c.Command, Values: &application.ForValues{Command: strings.Join(arguments(t, c.Path), " ")}})
	if err != nil {
		return nil, err
	}
	opened.Close()
	return opened.Signature, nil
}

// compareRun compares some regions with what they access when they run for the first time.
func compareRun(t *testing.T, c ir.Compilation, signature *application.Signature, want map[string]int64) {
	t.Helper()
	module, err := ir.Compile(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	m, err := text.Read(module)
	if err != nil {
		t.Fatal(err)
	}
	var programs []*nest.Program
	var names []string
	for _, p := range signature.Loops {
		if n, wanted := want[p.Region]; wanted {
			if p.Entered != n {
				t.Errorf("%s is entered %d times, want %d", p.Region, p.Entered, n)
			}
			programs, names = append(programs, p), append(names, p.Region)
		}
	}
	if len(programs) != len(want) {
		t.Errorf("regions %q", names)
	}
	made, err := run(t.Context(), c, instrument(module, numbers(m, names)), len(names), arguments(t, c.Path)[1:]...)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		if a := compare(p, made[i]); a.told == 0 || a.told != a.made || a.equal != a.made {
			t.Errorf("%s: %d accesses told, %d made, %d equal", p.Region, a.told, a.made, a.equal)
		} else if a.shared > 0 {
			t.Errorf("%s: %d accesses are of memory that is told to be another array's", p.Region, a.shared)
		}
	}
}
