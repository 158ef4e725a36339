package csource

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestHeadersThatAreNotThere reads files that use functions and constants of headers which are not there, as far as they do not decide what is accessed.
func TestHeadersThatAreNotThere(t *testing.T) {
	const code = `#include <stdio.h>
#include <solver.h>
#include <fcntl.h>
double A[100];
void h(int mode) {
	solver_begin(SOLVER_QUIET, O_TMPFILE);
	for (int i = 0; i < 100; i++)
		A[i] = solver_step(i) + (mode == SOLVER_QUIET);
	solver_end(tolerance);
}`
	u, err := Load("a.c", []byte(code), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(run(u.Programs[0])); n != 100 {
		t.Errorf("%d accesses, want 100", n)
	}
	for _, want := range []string{"include file solver.h not found", "taken as integers that are not known: O_TMPFILE, SOLVER_QUIET, tolerance"} {
		if !slices.ContainsFunc(u.Warnings, func(w string) bool { return strings.Contains(w, want) }) {
			t.Errorf("no warning %q in %q", want, u.Warnings)
		}
	}
}

// TestConstantsThatDecide refuses a loop whose bound is a constant that nothing declares, with the definition that would give it.
func TestConstantsThatDecide(t *testing.T) {
	const code = "#include <limits.h>\ndouble A[100];\nvoid h(void) { for (int i = 0; i < GRID_SIZE; i++) A[i] = 0; }"
	_, err := Load("a.c", []byte(code), Options{})
	if want := "the value of GRID_SIZE is not known; define it, such as GRID_SIZE=1000"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
	u, err := Load("a.c", []byte(code), Options{Defines: []string{"GRID_SIZE=100"}})
	if err != nil || len(run(u.Programs[0])) != 100 {
		t.Error("with a definition:", err)
	}
}

// TestPartsOfWhatIsRefused makes regions of functions that are called in the loops of one that cannot be read.
func TestPartsOfWhatIsRefused(t *testing.T) {
	const code = `double A[100], B[10000]; int P[100];
static void part(int n) { for (int i = 0; i < n; i++) A[i] = 1; }
void whole(int n) { for (int k = 0; k < n; k++) { B[P[k]] = 0; part(100); } }
void other(int n) { for (int k = 0; k < n; k++) B[k] = 0; }`
	regions := func(code string) (names []string) {
		u, err := Load("a.c", []byte(code), Options{Defines: []string{"n=100"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range u.Programs {
			names = append(names, p.Region)
		}
		return names
	}
	if got := regions(strings.Replace(code, "B[P[k]]", "B[k]", 1)); !slices.Equal(got, []string{"whole", "other"}) {
		t.Error("all can be read, but the regions are", got)
	}
	if got := regions(code); !slices.Equal(got, []string{"part", "other"}) {
		t.Error("one cannot be read, and the regions are", got)
	}
}

// TestPragmasOfMacros reads the same program with its directives made by macros and as lines.
func TestPragmasOfMacros(t *testing.T) {
	const body = `double a[1000]; static double t;
[omp threadprivate(t)]
double f(int n) {
	double s = 0, m = 0; int b;
	[omp parallel for schedule(static, 4) reduction(+ : s)] for (int i = 0; i < 1000; i++) s += a[i];
	if (n > 0) {
		[omp parallel for private(b) if(n > 1) schedule(static,1) reduction(max:m)]
		for (int i = 0; i < 1000; i++) { b = i; [GCC unroll 4] for (int k = 0; k < 4; k++) m += a[b]; }
	}
	[omp parallel]
	{
		[omp for nowait] for (int i = 0; i < 1000; i++) a[i] = t;
		[omp barrier]
		[omp single]
		a[0] = 1;
		[omp critical(name)] a[1] += 1;
		[omp barrier]
	}
	return s + m;
}`
	read := func(text string) string {
		u, err := Load("a.c", []byte(text), Options{Defines: []string{"n=8"}})
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		return regexp.MustCompile(`[a-z]*\.?c?:?\d+:\d+`).ReplaceAllString(dump(u.Programs[0]), "")
	}
	directive := regexp.MustCompile(`\[((?:omp|GCC) ?[^][]*)\]`)
	lines := read(directive.ReplaceAllString(body, "\n#pragma $1\n"))
	macros := read("#define DO(x) _Pragma(#x)\n#define RUN(...) DO(__VA_ARGS__)\n" + directive.ReplaceAllString(body, "RUN($1)"))
	if lines != macros {
		t.Errorf("as lines:\n%s\nby macros:\n%s", lines, macros)
	}
}

// TestManyConstants reads a file with hundreds of constants of a header that is not there, and atomic functions as what they give.
func TestManyConstants(t *testing.T) {
	text := "#include <nowhere.h>\ndouble A[100];\nvoid h(void) { int s = 0;\n"
	for i := range 300 {
		text += fmt.Sprintf("s += LIB_CONST_%d;\n", i)
	}
	u, err := Load("a.c", []byte(text+"for (int i = 0; i < 100; i++) A[i] = s; }"), Options{})
	if err != nil || len(run(u.Programs[0])) != 100 {
		t.Error(err)
	}
}

// TestAtomicValues follows integers through atomic functions only as far as their values are right: what they were before is not, nor what an exchange sets.
func TestAtomicValues(t *testing.T) {
	const code = `#include <stdatomic.h>
double A[100]; int n; atomic_int m;
void h(void) {
	int k = 3, i;
	n = 5;
	__sync_fetch_and_add(&n, 1);
	m = 2;
	i = atomic_fetch_add(&m, 3);
	%s
}`
	for body, want := range map[string]int{
		"for (int j = 0; j < n; j++) A[j] = 0;": 6, "for (int j = 0; j < m; j++) A[j] = 0;": 5, "for (int j = 0; j < i; j++) A[j] = 0;": -1,
		"__atomic_exchange_n(&k, 8, 0); for (int j = 0; j < k; j++) A[j] = 0;": -1,
	} {
		u, err := Load("a.c", fmt.Appendf(nil, code, body), Options{Regions: []string{"h"}})
		if got := -1; err == nil {
			got = 0
			for _, a := range run(u.Programs[0]) {
				if a.object == "A" {
					got++
				}
			}
			if got != want {
				t.Errorf("%s: %d accesses, want %d", body, got, want)
			}
		} else if want >= 0 {
			t.Errorf("%s: %v", body, err)
		}
	}
}
