package ir

import (
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest/nesttest"
)

// TestMembers asks for numbers that lie in what a function is given, and takes them by the names of their members.
func TestMembers(t *testing.T) {
	needs(t, "clang++")
	const domain = `#include <vector>
class Domain {
public:
  explicit Domain(int n);
  int count() const { return n_; }
  double &x(int i) { return x_[i]; }
private:
  int n_; std::vector<double> x_;
};
`
	for _, c := range []struct {
		name, source  string
		asked, answer string
		want          string
	}{
		{"a getter", domain + "void f(Domain &d) { for (int i = 0; i < d.count(); ++i) d.x(i) = 1; }", "d.n_", "n_=9", "for i = 0..8\n  w d.x_[i]"},
		{"by its full name", domain + "void f(Domain *d) { for (int i = 0; i < d->count(); ++i) d->x(i) = 1; }", "d.n_", "d->n_=9", "for i = 0..8\n  w d.x_[i]"},
		{"a class's own", "class S { int n_; double *u_; public: void f(); };\nvoid S::f() { for (int i = 0; i < n_; ++i) u_[i] = 1; }", "n_", "n_=9", "for i = 0..8\n  w u_[i]"},
		{"the size of a vector", "#include <vector>\nvoid f(std::vector<double> &x) { for (int i = 0; i < (int)x.size(); ++i) x[i] = 1; }", "x.size", "x.size=9", "for i = 0..8\n  w x[i]"},
		{"all of a vector", "#include <vector>\nvoid f(std::vector<float> &x) { for (float &v : x) v = 1; }", "x.size", "x.size=9", "for __begin1 = 0..8\n  w x[__begin1]"},
		{"a vector that is a member", "#include <vector>\nstruct M { std::vector<float> v; };\nvoid f(M &m) { for (float &v : m.v) v = 1; }", "m.v.size", "m.v.size=9", "for __begin1 = 0..8\n  w m.v[__begin1]"},
		{"what swaps in a loop that is not counted", "struct S { int n; double *u, *v; void f(); };\nvoid S::f() { for (int t = 0; t < n; ++t) { for (int i = 0; i < 9; ++i) u[i] = 1; double *w = u; u = v; v = w; } }", "n", "n=1", "for i = 0..8\n  w u[i]"},
		{"a number by reference", "void f(const int &n, double *__restrict x) { for (int i = 0; i < n; ++i) x[i] = 1; }", "n", "n=9", "for i = 0..8\n  w x[i]"},
	} {
		path := write(t, "a.cpp", c.source+"\n")
		module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path, Command: []string{"clang++", "-O2", "-fno-builtin"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Load("a.cpp", module, csource.Options{}); err == nil || !strings.Contains(err.Error(), "define it, such as "+c.asked+"=1000") {
			t.Errorf("%s is not asked for: %v", c.name, err)
		}
		u, err := Load("a.cpp", module, csource.Options{Defines: []string{c.answer}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := nesttest.Accesses(u.Programs[0]); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.name, got)
		}
	}
}

// TestUnused reads an inline function that nothing calls where the compiler is told to keep those.
func TestUnused(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.hpp.cpp", "inline void scale(int n, double *x) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n")
	for _, unused := range []bool{false, true} {
		module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path, Command: []string{"clang++", "-O2"}, Unused: unused})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Load("a.cpp", module, csource.Options{Defines: []string{"n=9"}}); (err == nil) != unused {
			t.Errorf("with unused functions %v: %v", unused, err)
		}
	}
}

// TestArgumentsOfTheProgram asks for numbers that come with the program's arguments by the names of the variables that they are put in.
func TestArgumentsOfTheProgram(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.cpp", `#include <cstdlib>
int rows; double *a;
int main(int argc, char **argv) {
  if (argc != 3) return 1;
  rows = atoi(argv[1]);
  int columns = atoi(argv[2]);
  a = new double[rows * columns];
  for (int i = 0; i < rows; i++) for (int j = 0; j < columns; j++) a[i * columns + j] = 1;
}
`)
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		defines []string
		asked   string
	}{{nil, "columns"}, {[]string{"columns=9"}, "rows"}, {[]string{"rows=7", "columns=9"}, ""}} {
		u, err := Load("a.cpp", module, csource.Options{Defines: c.defines})
		switch {
		case c.asked == "" && err != nil:
			t.Error(err)
		case c.asked == "":
			if got := nesttest.Accesses(u.Programs[0]); !strings.Contains(got, "for i = 0..6\n") || !strings.Contains(got, "for j = 0..8\n") {
				t.Error(got)
			}
		case err == nil || !strings.Contains(err.Error(), "define it, such as "+c.asked+"=1000"):
			t.Errorf("with %q: %v", c.defines, err)
		}
	}
}

// TestEitherLoop counts one of two loops between which data choose: the one with more accesses.
func TestEitherLoop(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.cpp", "void f(double a, const double *x, double *y) { if (a == 1) for (int i = 0; i < 9; i++) y[i] += x[i]; else for (int i = 0; i < 9; i++) y[i] = x[i]; }\n")
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path, Command: []string{"clang++", "-O2", "-fno-builtin"}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.cpp", module, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := nesttest.Accesses(u.Programs[0]); strings.Count(got, "for ") != 1 || strings.Count(got, "r ") != 3 {
		t.Error(got)
	}
}

// TestDealtAsBlocks: loops that are dealt to threads stay loops where compilers would make calls of them that fill or copy memory.
func TestDealtAsBlocks(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.cpp", "void f(int *c, double *d, const double *e, unsigned long n) {\n#pragma omp parallel for\n for (unsigned long i = 0; i < n; i++) c[i] = 0;\n#pragma omp parallel for\n for (long i = 0; i < (long)n; i++) d[i] = e[i];\n}\n")
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path, Command: []string{"clang++", "-O2", "-fopenmp"}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.cpp", module, csource.Options{Defines: []string{"n=1000"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := nesttest.Accesses(u.Programs[0]); strings.Count(got, "for ") != 2 || strings.Count(got, "w c[") != 1 || strings.Count(got, "r e[") != 1 || strings.Count(got, "w d[") != 1 {
		t.Error(got)
	}
}

// TestWrongMembers refuses what a member cannot be.
func TestWrongMembers(t *testing.T) {
	module := "define void @f(ptr %a) {\n  ret void\n}\n"
	if _, err := Load("a.ll", module, csource.Options{Defines: []string{"a.n=10.5"}}); err == nil || !strings.Contains(err.Error(), "the definition of a.n=10.5: a member takes a whole number") {
		t.Error(err)
	}
}
