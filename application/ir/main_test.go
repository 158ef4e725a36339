package ir

import (
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// TestCalledInMain reads programs that call their functions in loops of main as C would be: what main does is a region, and not lost beside what it
// calls once; with a pragma its functions are regions, also those that hold none.
func TestCalledInMain(t *testing.T) {
	needs(t, "clang++")
	const program = `#include <stdlib.h>
enum { n = 40, steps = 6 };
static void init(double *a, double *b) { for (int i = 0; i < n * n; i++) { a[i] = i % 7; b[i] = 0; } }
static void step(const double *a, double *b) {
  PRAGMA
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]);
}
static double norm(const double *a) { double s = 0; for (int i = 0; i < n * n; i++) s += a[i]; return s; }
int main(void) {
  double *a = (double *)malloc(sizeof(double) * n * n), *b = (double *)malloc(sizeof(double) * n * n), s = 0;
  init(a, b);
  for (int t = 0; t < steps; t++) {
    step(a, b);
    double *x = a; a = b; b = x;
    s += norm(a);
  }
  return s > 0;
}
`
	for pragma, want := range map[string][]string{"": {"init", "main"}, "#pragma omp parallel for": {"step", "norm"}} {
		source := strings.ReplaceAll(program, "PRAGMA", pragma)
		module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: write(t, "a.cpp", source), Command: []string{"clang++", "-fopenmp"}})
		if err != nil {
			t.Fatal(err)
		}
		u, err := Load("a.cpp", module, csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		c, err := csource.Load("a.c", []byte(source), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := names(u.Programs); !slices.Equal(got, want) || !slices.Equal(names(c.Programs), want) {
			t.Errorf("%q: %q, as C %q, want %q", pragma, got, names(c.Programs), want)
			continue
		}
		for i, p := range u.Programs {
			if got, all := length(t, p), length(t, c.Programs[i]); pragma == "" && got != all {
				t.Errorf("%s: %d accesses, as C %d", p.Region, got, all)
			}
		}
	}
}

func names(all []*nest.Program) (out []string) {
	for _, p := range all {
		out = append(out, p.Region)
	}
	return out
}

func length(t *testing.T, p *nest.Program) int64 {
	s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil {
		t.Fatal(err)
	}
	return s.Len()
}

// Variables that are made before main begins have the memory that they are given there; their members are read from memory.
func TestMadeBeforeMain(t *testing.T) {
	needs(t, "clang++")
	const program = `#include <vector>
#include <memory>
const int N = 3000;
double *a = new double[N];
std::vector<double> b(N), c(N, 1.0);
std::unique_ptr<double[]> d(new double[N]);
struct Grid { int n; double *u; Grid(int k) : n(k), u(new double[k * k]) {} };
Grid g(50);
void triad(double s) { for (int i = 0; i < N; i++) a[i] = b[i] + s * c[i]; }
void scale() { for (int i = 0; i < N; i++) d[i] *= 2; }
void zero() { for (int j = 0; j < g.n; j++) for (int i = 0; i < g.n; i++) g.u[j * g.n + i] = 0; }
int main() { triad(3); scale(); zero(); return a[3] > 1; }
`
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: write(t, "a.cpp", program), Command: []string{"clang++"}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.cpp", module, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(u.Programs), []string{"triad", "scale", "zero"}; !slices.Equal(got, want) {
		t.Fatalf("regions %q, want %q", got, want)
	}
	for i, want := range []int64{3 * 3000, 2 * 3000, 50 * 50} {
		const members = 2 * 50 // of structures that hold pointers and sizes, at most
		if n := length(t, u.Programs[i]); n < want || n > want+members {
			t.Errorf("%s: %d accesses, want %d and a few of members", u.Programs[i].Region, n, want)
		}
	}
}

// Loops that data may end are counted as in C: to their bound where they have one, else one iteration, with a warning either way.
func TestLeftByData(t *testing.T) {
	needs(t, "clang++")
	const program = `enum { n = 40 };
double u[n * n], w[n * n];
static double sweep(void) { double r = 0; for (int i = 0; i < n * n; i++) { w[i] = 2 * u[i]; r += w[i]; } return r; }
static void copy(void) { for (int i = 0; i < n * n; i++) u[i] = w[i] + 1; }
void open(void) { double e = 1; while (e > 1e-3) { e = sweep(); copy(); } }
void last(void) { double e; do { e = sweep(); copy(); } while (e > 1e-3); }
int both(void) { double e = 1; int k; for (k = 0; k < 30 && e > 1e-3; k++) { e = sweep(); copy(); } return k; }
int left(void) { int k = 0; while (1) { if (k >= 20) break; if (sweep() < 1e-3) break; copy(); k++; } return k; }
int first(double x) { for (int i = 0; i < n * n; i++) if (u[i] > x) return i; return -1; }
int main(void) { open(); last(); return both() + left() + first(3); }
`
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: write(t, "a.cpp", program), Command: []string{"clang++"}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.cpp", module, csource.Options{Regions: []string{"open", "last", "both", "left", "first"}})
	if err != nil {
		t.Fatal(err)
	}
	c, err := csource.Load("a.c", []byte(program), csource.Options{Regions: []string{"open", "last", "both", "left", "first"}})
	if err != nil {
		t.Fatal(err)
	}
	const cells = 40 * 40
	for i, want := range []int64{4 * cells, 4 * cells, 30 * 4 * cells, 20 * 4 * cells, cells} {
		p := u.Programs[i]
		if got := length(t, p); got != want || len(p.Warnings) == 0 {
			t.Errorf("%s: %d accesses, want %d; warnings %q", p.Region, got, want, p.Warnings)
		}
		// What C reads back is what it has just written, which compilers keep in a register.
		if got := length(t, c.Programs[i]); i < 4 && got != want/4*5 || i == 4 && got != want {
			t.Errorf("%s as C: %d accesses, with %d in C++", p.Region, got, want)
		}
	}
}

// TestSwappedUntilDone counts the iterations of solvers that exchange two buffers and may end by their data: by hand, n² loads and stores of each of 25 and 300
// iterations, in which every other one reads u.
func TestSwappedUntilDone(t *testing.T) {
	needs(t, "clang++")
	const program = `#include <utility>
#include <vector>
#include <cmath>
enum { n = 40 };
static double a[n * n], b[n * n];
double pointers(double tol) {
	double *u = a, *v = b, diff = 1;
	for (int k = 0; k < 25 && diff > tol; k++) {
		diff = 0;
		for (int i = 0; i < n * n; i++) { v[i] = 0.5 * u[i]; diff += std::fabs(v[i]); }
		std::swap(u, v);
	}
	return diff;
}
double vectors(std::vector<double> &u, std::vector<double> &v, double tol) {
	double diff = 1;
	for (int k = 0; k < 300 && diff > tol; k++) {
		diff = 0;
		for (int i = 0; i < n * n; i++) { v[i] = 0.5 * u[i]; diff += std::fabs(v[i]); }
		std::swap(u, v);
	}
	return diff;
}
int main() {
	std::vector<double> u(n * n, 1.0), v(n * n, 1.0);
	return pointers(1e-9) + vectors(u, v, 1e-9) > 0;
}
`
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: write(t, "a.cpp", program), Command: []string{"clang++"}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.cpp", module, csource.Options{Regions: []string{"pointers", "vectors"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []map[string]int64{{"a": 25 * 1600, "b": 25 * 1600}, {"u": 300 * 1600, "v": 300 * 1600}} {
		p := u.Programs[i]
		got := map[string]int64{}
		s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil {
			t.Fatal(err)
		}
		s.Each(func(a nest.Place) bool {
			got[p.Objects[a.Object].Name]++
			return true
		})
		for name, n := range want {
			if got[name] != n {
				t.Errorf("%s: %d accesses to %s, want %d, of %v", p.Region, got[name], name, n, got)
			}
		}
		if !strings.Contains(strings.Join(p.Warnings, "\n"), "leaving this loop depends on data") {
			t.Errorf("%s: warnings %q", p.Region, p.Warnings)
		}
	}
}
