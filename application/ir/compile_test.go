package ir

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/ir/lower"
	"foresee/application/ir/text"
	"foresee/application/nest/nesttest"
)

func needs(t *testing.T, compiler string) {
	t.Helper()
	if _, err := exec.LookPath(compiler); err != nil {
		t.Skip(compiler, "is not here")
	}
}

func write(t *testing.T, name, source string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestCompile reads what clang++ makes of the program whose IR lies in testdata.
func TestCompile(t *testing.T) {
	needs(t, "clang++")
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: "testdata/grid.cpp"})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("grid.cpp", module, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/grid.txt")
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, p := range u.Programs {
		got += nesttest.Accesses(p)
	}
	if got != string(want) {
		t.Errorf("%s", got)
	}
}

// TestValues gives a value to a parameter and to a global variable, and a macro to the compiler.
func TestValues(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.cpp", "extern int m;\nvoid f(double *a, int n) { for (int i = 0; i < n; i += STEP) a[i] += 1; for (int i = 0; i < m; i++) a[i] = 2.5; }\n")
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path, Command: []string{"clang++", "-O1"}, Defines: []string{"STEP=2"}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.cpp", module, csource.Options{Defines: []string{"n=11", "m=5"}})
	if err != nil {
		t.Fatal(err)
	}
	want := "f\n for i = 0..5\n  r a[(i * 2)]\n  w a[(i * 2)]\n r m[0]\n for i = 0..4\n  w a[i]\n"
	if got := strings.ReplaceAll(nesttest.Accesses(u.Programs[0]), "  r m[0]\n", ""); got != want {
		t.Errorf("%s", got)
	}
	_, err = Load("a.cpp", module, csource.Options{Defines: []string{"n=11"}})
	if err == nil || !strings.Contains(err.Error(), "the value of m is not known; define it, such as m=1000") {
		t.Errorf("%v", err)
	}
}

// TestLocalValue gives a value to a variable that the program reads from its arguments.
func TestLocalValue(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.cpp", `#include <cstdlib>
void grow(double *a, int m) { for (int i = 0; i < m; i++) a[i] *= 2; }
int main(int argc, char **argv) { int n = argc > 1 ? std::atoi(argv[1]) : 100; double *a = new double[n]; grow(a, n); return a[0] != 0; }
`)
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.cpp", module, csource.Options{Defines: []string{"n=30", "other=1"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Warnings) != 1 || u.Warnings[0] != "the definition of other is not taken: no integer of this name is unknown" {
		t.Errorf("%q", u.Warnings)
	}
	if got, want := nesttest.Accesses(u.Programs[0]), "grow\n for i = 0..29\n  r a[i]\n  w a[i]\n"; got != want {
		t.Errorf("%s", got)
	}
	if u, err = Load("a.cpp", module, csource.Options{}); err != nil {
		t.Fatal(err)
	}
	if got := nesttest.Accesses(u.Programs[0]); got != "grow\n for i = 0..99\n  r a[i]\n  w a[i]\n" || !slices.Equal(u.Warnings, []string{"the program is taken as run without arguments"}) {
		t.Errorf("without a value: %s %q", got, u.Warnings)
	}
}

// TestFortran reads a subroutine whose arrays have shapes of their own.
func TestFortran(t *testing.T) {
	needs(t, "flang-new-19")
	path := write(t, "a.f90", `subroutine scale(a, n)
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n, n)
  integer :: i, j
  do j = 1, n
    do i = 1, n
      a(i, j) = 2 * a(i, j)
    end do
  end do
end subroutine
program main
  real(8) :: a(30, 30)
  a = 1
  call scale(a, 30)
  print *, a(3, 4)
end program
`)
	module, err := Compile(t.Context(), Compilation{Language: Fortran, Path: path, Command: []string{"flang-new-19", "-O2"}})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.f90", module, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := nesttest.Accesses(u.Programs[0]), " for j = 0..29\n  for i = 0..29\n   r a[((j * 30) + i)]\n   w a[((j * 30) + i)]\n"; !strings.HasPrefix(got, "scale\n") || !strings.HasSuffix(got, want) {
		t.Errorf("%s", got)
	}
}

// TestModules: flang finds modules where the flags say, and leaves those that it writes neither there nor in the working folder.
func TestModules(t *testing.T) {
	needs(t, "flang-new-19")
	folder := t.TempDir()
	t.Chdir(folder)
	grid := write(t, "grid.f90", "module grid\n  integer, parameter :: n = 30\nend module\n")
	if out, err := exec.Command("flang-new-19", "-fsyntax-only", "-module-dir", folder, grid).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	path := write(t, "a.f90", `module field
contains
  subroutine clear(a)
    use grid
    real(8), intent(out) :: a(n)
    a = 0
  end subroutine
end module
`)
	if _, err := Compile(t.Context(), Compilation{Language: Fortran, Path: path, Command: []string{"flang-new-19", "-O2", "-J", folder}}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*")); len(left) != 1 {
		t.Errorf("%v", left)
	}
}

// TestRust reads loops over slices.
func TestRust(t *testing.T) {
	needs(t, "rustc")
	path := write(t, "a.rs", `#[inline(never)]
fn add(a: &mut [f64], b: &[f64]) {
    for i in 0..a.len().min(b.len()) {
        a[i] += b[i];
    }
}
fn main() {
    let mut a = vec![1.0; 500];
    let b = vec![2.0; 400];
    add(&mut a, &b);
    println!("{}", a[3]);
}
`)
	module, err := Compile(t.Context(), Compilation{Language: Rust, Path: path})
	if errors.As(err, new(*CompilerError)) {
		t.Skip(err) // a rustc without its own parts
	}
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.rs", module, csource.Options{Regions: []string{"add"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := nesttest.Accesses(u.Programs[0]); !strings.Contains(got, "= 0..399\n") || strings.Count(got, "[i]") != 3 {
		t.Errorf("%s", got)
	}
}

// TestUncompiled: what is wrong with a compiler or a source is said by what it is.
func TestUncompiled(t *testing.T) {
	_, err := Compile(t.Context(), Compilation{Language: Cxx, Path: "a.cpp", Command: []string{"no-such-clang++"}})
	if e := (*MissingError)(nil); !errors.As(err, &e) || e.Name != "no-such-clang++" {
		t.Errorf("%v", err)
	}
	t.Setenv("PATH", t.TempDir())
	_, err = Compile(t.Context(), Compilation{Language: Fortran, Path: "a.f90"})
	if e := (*MissingError)(nil); !errors.As(err, &e) || err.Error() != "no compiler of Fortran that writes LLVM IR is here" {
		t.Errorf("%v", err)
	}
}

func TestRefusedSource(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.cpp", "int main() { return nothing; }\n")
	_, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path})
	if e := (*CompilerError)(nil); !errors.As(err, &e) || !strings.Contains(err.Error(), "a.cpp:1:21: error: use of undeclared identifier 'nothing'") {
		t.Errorf("%v", err)
	}
	_, err = Compile(t.Context(), Compilation{Language: Cxx, Path: path, Command: []string{"clang++", "-O0"}})
	if !errors.As(err, new(*UnfitError)) {
		t.Errorf("%v", err)
	}
	if _, err := exec.LookPath("g++"); err == nil {
		_, err = Compile(t.Context(), Compilation{Language: Cxx, Path: path, Command: []string{"g++"}})
		if !errors.As(err, new(*UnfitError)) || err.Error() != "g++ writes no LLVM IR" {
			t.Errorf("%v", err)
		}
	}
}

// TestApart keeps functions of the source apart that hold loops, and not those that are given a function or are called in loops.
func TestApart(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.cpp", `template <class F> void each(int n, F f) { for (int i = 0; i < n; i++) f(i); }
static double dot(const double *a, const double *b, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
void product(double *y, const double *a, const double *x, int n) { for (int i = 0; i < n; i++) y[i] = dot(a + i * n, x, n); }
void scale(double *a, int n) { each(n, [=](int i) { a[i] *= 2; }); }
int twice(int x) { return 2 * x; }
int main() { static double a[64], x[8], y[8]; product(y, a, x, twice(4)); scale(a, 64); return y[0] != 0; }
`)
	out := filepath.Join(t.TempDir(), "raw.ll")
	if said, err := exec.Command("clang++", "-O2", "-g", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", out, path).CombinedOutput(); err != nil {
		t.Fatalf("%s", said)
	}
	src, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	m, err := text.Read(string(src))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range lower.Regions(m) {
		names = append(names, text.Plain(n))
	}
	if want := []string{"product", "scale"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if marked := apart(string(src), lower.Regions(m), false); strings.Count(marked, " noinline #") != 2 {
		t.Errorf("%d functions are marked", strings.Count(marked, " noinline #"))
	}
}

// TestMixedRows has a loop store addresses that the next iteration overwrites: those that stay are not taken for the others.
func TestMixedRows(t *testing.T) {
	needs(t, "clang++")
	path := write(t, "a.cpp", `#include <cstdlib>
void fill(double **p, double *a, double *b) { for (int k = 0; k < 100; k++) { p[k] = a; p[k + 1] = b; } }
double sum(double **p) { double s = 0; for (int i = 1; i < 100; i++) s += p[i][3]; return s; }
int main() { double **p = (double **)malloc(101 * sizeof *p), *x = (double *)calloc(8, 8), *y = (double *)calloc(9, 8); fill(p, x, y); return sum(p) > 1; }
`)
	module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: path})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.cpp", module, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range u.Programs {
		if got := nesttest.Accesses(p); strings.Contains(got, "r y[") {
			t.Errorf("%s", got)
		}
	}
}

// TestSetLets gives values to variables in the place of what a program in Rust reads; lines keep their numbers.
func TestSetLets(t *testing.T) {
	source := "fn main() {\n    let order: usize = match args[1].parse() { // a size; read\n        Ok(n) => n, Err(_) => { println!(\"no; }\"); return; }\n    };\n" +
		"    let mut tile = order; let n == 3;\n}\n"
	for in, want := range map[string]string{
		"// let n = 64;\nfn f() { let n = 3; }\n":                        "// let n = 64;\nfn f() { let n = 9; }\n",
		"fn f() { let n = 3; }\nfn g() { let n = 4; }\n":                 "",
		"fn f() { let n = 3; }\nfn g() { let n = args[1].parse(); }\n":   "fn f() { let n = 3; }\nfn g() { let n = 9; }\n",
		"let n;\nn = args[1];\np.n = args[2];\nn = n / 2;\n":             "let n;\nn = 9;\np.n = args[2];\nn = n / 2;\n",
		"let n = args[1]; // a size; read\nlet s = \"let n = args;\";\n": "let n = 9; // a size; read\nlet s = \"let n = args;\";\n",
		"let n = f(/* ; */ args[1],\n ';');\n":                           "let n = 9\n;\n",
	} {
		got, taken := SetLets(in, []string{"n=9"})
		if want == "" && (got != in || len(taken) > 0) || want != "" && got != want {
			t.Errorf("%q: %q, taken %q", in, got, taken)
		}
	}
	got, taken := SetLets(source, []string{"order=500", "tile=8", "n=7", "other=3", "x=a"})
	want := "fn main() {\n    let order: usize = 500\n\n;\n    let mut tile = 8; let n == 3;\n}\n"
	if later, _ := SetLets("let n : usize;\nif a { n = match args[1] {\n _ => 3,\n}; } else { n = 4; }\nif n == 4 {}\n", []string{"n=9"}); later != "let n : usize;\nif a { n = 9\n\n; } else { n = 4; }\nif n == 4 {}\n" {
		t.Errorf("set later: %q", later)
	}
	if got != want || !slices.Equal(taken, []string{"order=500", "tile=8"}) {
		t.Errorf("%q\n%q", got, taken)
	}
}

// TestRustArguments reads a program whose size comes from its arguments, with the value that is given for it.
func TestRustArguments(t *testing.T) {
	needs(t, "rustc")
	source := "use std::env;\nfn main() {\n    let args: Vec<String> = env::args().collect();\n    let order: usize = match args[1].parse() {\n        Ok(n) => n,\n" +
		"        Err(_) => { println!(\"usage\"); return; }\n    };\n    let mut a: Vec<f64> = vec![0.0; order];\n    let b: Vec<f64> = vec![1.0; order];\n" +
		"    for i in 0..order {\n        a[i] += 2.0 * b[i];\n    }\n    println!(\"{}\", a[order - 1]);\n}\n"
	path := write(t, "a.rs", source)
	set, taken := SetLets(source, []string{"order=300"})
	if len(taken) != 1 {
		t.Fatal("the size is not set")
	}
	module, err := Compile(t.Context(), Compilation{Language: Rust, Path: path, Text: set})
	if err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.rs", module, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := nesttest.Accesses(u.Programs[0]); !strings.Contains(got, "= 0..299\n") || u.Programs[0].Region != "main" {
		t.Errorf("%s", got)
	}
}
