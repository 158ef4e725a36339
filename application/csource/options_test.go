package csource

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"foresee/application/csource/parse"
	"foresee/application/nest"
)

func TestOptionErrors(t *testing.T) {
	const src = "double A[9];\nvoid f(void) { for (int i = 0; i < 9; i++) A[i] = 0; }\nvoid h(void) { }\n"
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Regions: []string{"g"}}, "a.c: there is no region g; there are: f"},
		{Options{Regions: []string{"h"}}, "a.c:3:6: h makes no accesses to arrays in loops; choose another region"},
		{Options{Defines: []string{"2=3"}}, `"2=3" is not a definition; write it as NAME=VALUE`},
		{Options{Defines: []string{"A=3 4\n"}}, `"A=3 4\n" is not a definition; write it as NAME=VALUE`},
	} {
		_, err := Load("a.c", []byte(src), c.o)
		if err == nil || err.Error() != c.want {
			t.Errorf("%v: got %v, want %s", c.o, err, c.want)
		}
	}
}

func TestFileErrors(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.c")
	if err := os.WriteFile(large, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, parse.MaxFileSize+1); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		filepath.Join(dir, "none.c"): "no such file or directory",
		dir:                          "is not a regular file",
		large:                        "is larger than 16 MiB",
	} {
		if _, err := Load(name, nil, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}

// TestDeep gives sources that would overflow the parser's stack or run without end.
func TestDeep(t *testing.T) {
	deep := 1_000_000
	for name, src := range map[string]string{
		"brackets":   "int x = " + strings.Repeat("(", deep) + "1" + strings.Repeat(")", deep) + ";",
		"braces":     "void f(void) " + strings.Repeat("{", deep) + strings.Repeat("}", deep),
		"unary":      "int x = " + strings.Repeat("- ", deep) + "1;",
		"sum":        "int x = 1" + strings.Repeat("+1", deep) + ";",
		"else":       "void f(int x) { if (x) ; " + strings.Repeat("else if (x) ; ", deep/10) + "}",
		"ifs":        "void f(int x) { " + strings.Repeat("if (x) ", deep/10) + "; }",
		"stars":      "int " + strings.Repeat("*", deep) + "x;",
		"backslash":  "char *s = \"ab\\",
		"enum":       "\n#.>\n#define N0\nenum",
		"incomplete": "void f(void) { struct none z[8] = {0, 2.0}; }",
		"circle":     "#include <stdlib.h>\nvoid f(void) { double *q = calloc(*q, 8); for (int i = 0; i < 9; i++) q[i] = *q; int n = n; for (int i = 0; i < n; i++) q[i] = 0; }",
		"bomb":       bomb(40),
		"parens":     "#define P(x) ((((((((((x))))))))))\n" + "#define Q(x) P(P(P(P(P(P(P(P(P(P(x))))))))))\nint x = Q(Q(Q(Q(Q(Q(1))))));",
		"directives": strings.Repeat("#if 1\n", deep/10),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Load("a.c", []byte(src), Options{}); err == nil {
				t.Error("no error")
			}
		})
	}
}

// bomb is a macro whose expansion has 2^n tokens.
func bomb(n int) string {
	s := "#define M0 x\n"
	for i := range n {
		s += strings.NewReplacer("B", string(rune('0'+i/10))+string(rune('0'+i%10)), "C", string(rune('0'+(i+1)/10))+string(rune('0'+(i+1)%10))).
			Replace("#define MC MB MB\n")
	}
	return strings.Replace(s, "M0 ", "M00 ", 1) + "int y = M" + string(rune('0'+n/10)) + string(rune('0'+n%10)) + ";\n"
}

func TestDefinesThatDoNothing(t *testing.T) {
	u, err := Load("a.c", []byte("double A[10];\nvoid k(int n){ for (int i = 0; i < n; i++) A[i] = 1; }\n"), Options{Defines: []string{"n=5", "m=7"}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"the definition of m has no effect: m does not occur in a.c"}; len(u.Warnings) != 1 || u.Warnings[0] != want[0] {
		t.Errorf("%q, want %q", u.Warnings, want)
	}
}

// A member that the caller defines has that value in the function whose structure it is and in those that get its address, whichever way its name is
// written.
func TestDefinesOfMembers(t *testing.T) {
	const text = "typedef struct { int n, m; } grid;\ndouble A[100];\nint read(void);\n" +
		"static void set(grid *p) { for (int i = 0; i < p->n; i++) A[i] = 1; }\n" +
		"int main(void) { grid g; g.n = read(); g.m = 9; for (int i = 0; i < g.n; i++) A[i] = 2; set(&g); return 0; }\n"
	for _, define := range []string{"g.n=7", "g->n=7"} {
		u, err := Load("a.c", []byte(text), Options{Defines: []string{define}, Regions: []string{"main"}})
		if err != nil {
			t.Fatal(define, err)
		}
		stream, err := nest.NewStream(u.Programs[0], nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil || stream.Len() != 14 {
			t.Errorf("%s: %d accesses to A, want 14: %v %q", define, stream.Len(), err, u.Warnings)
		}
	}
}

// TestDefinitionInAFunction: a definition that names a function says that it does nothing.
func TestDefinitionInAFunction(t *testing.T) {
	u, err := Load("a.c", []byte("void f(double *x, int n) { for (int i = 0; i < n; i++) x[i] = 0; }\n"), Options{Defines: []string{"n=9", "f.n=7"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Warnings) != 1 || !strings.HasPrefix(u.Warnings[0], "the definition of f.n has no effect: f is a function") {
		t.Error(u.Warnings)
	}
}

// What the caller defines is taken instead of what the text defines without looking, and that is said; a definition of a build is not.
func TestDefinesThatTheTextOverrides(t *testing.T) {
	for define, want := range map[string]struct {
		said  int
		trips int64
	}{
		"#define M 10": {1, 7}, "  # define M 10": {1, 7}, "#define M \\\n10": {1, 7}, "#define M 10 /* size */": {1, 7}, "#ifndef M\n#define M 10\n#endif": {0, 7},
		"#undef M\n#define M 10": {0, 10}, "#if !defined(M)\n#define M 10\n#endif": {0, 7}, "#define MM 10\nenum { N = MM };": {0, 7}, "#if 0\n#define M 10\n#endif": {0, 7},
		"#ifndef __FORESEE__\n#define L 10\n#define M 10\n#endif": {0, 7}, "/*\n#define M 10\n*/": {0, 7},
	} {
		text := []byte("double A[100];\n" + define + "\nvoid k(void){ for (int i = 0; i < M; i++) A[i] = 1; }\n")
		u, err := Load("a.c", text, Options{Defines: []string{"M=7"}})
		if err != nil {
			t.Fatal(define, err)
		}
		if len(u.Warnings) != want.said || want.said > 0 && u.Warnings[0] != "a.c:2: the definition M=7 is taken instead of that of the file, 10" || len(u.Overrides) != want.said {
			t.Errorf("%s: %q %q", define, u.Warnings, u.Overrides)
		}
		stream, err := nest.NewStream(u.Programs[0], nest.Options{Threads: 1, Group: 1, Line: 64})
		if err != nil || stream.Len() != want.trips {
			t.Errorf("%s: %d accesses, want %d: %v", define, stream.Len(), want.trips, err)
		}
		if compiled := Overridden(string(text), u.Overrides); want.said > 0 && strings.Contains(compiled, "define M ") || strings.Count(compiled, "\n") != strings.Count(string(text), "\n") {
			t.Errorf("%s is compiled as %s", define, compiled)
		}
		if u, err = Load("a.c", text, Options{Build: []string{"M=7"}}); err != nil || len(u.Overrides) > 0 {
			t.Errorf("%s: of a build: %q %v", define, u.Overrides, err)
		}
	}
}

// What a header defines is compiled as it stands, and a definition of the caller that would change nothing is refused.
func TestDefinesThatAHeaderHas(t *testing.T) {
	files := fstest.MapFS{"size.h": {Data: []byte("#define M 10\n")}, "open.h": {Data: []byte("#ifndef M\n#define M 10\n#endif\n")}}
	const code = "\ndouble A[100];\nvoid k(void){ for (int i = 0; i < M; i++) A[i] = 1; }\n"
	_, err := Load("a.c", []byte("#include \"size.h\""+code), Options{Defines: []string{"M=7"}, Files: files})
	if err == nil || !strings.Contains(err.Error(), "size.h:1:1: the definition M=7 has no effect: size.h defines M itself; put that between #ifndef M and #endif") {
		t.Errorf("%v", err)
	}
	if _, err := Load("a.c", []byte("#include \"open.h\""+code), Options{Defines: []string{"M=7"}, Files: files}); err != nil {
		t.Error(err)
	}
}

// Headers with #pragma once are read once, whichever way they are included, and keep their lines.
func TestPragmaOnce(t *testing.T) {
	files := fstest.MapFS{
		"size.h":     {Data: []byte("/* sizes\n\n*/\n#pragma once\n\n#include \"other.h\"\nstatic const int M = 4; /* of\n\na */\n// for all\nstruct grid { double at[M]; };\n")},
		"other.h":    {Data: []byte("#pragma once\n\n#include \"lib/../size.h\"\nstruct other { int k; };\n")},
		"bad.h":      {Data: []byte("#pragma once\n#define TWO 2\nstatic const int M = 1; static const double M = 2;\n")},
		"lib/none.h": {Data: []byte("// as in #pragma once\nstatic int count;\n")},
	}
	const code = "double A[100];\nvoid k(void){ for (int i = 0; i < M; i++) A[i] = 1; }\n"
	for _, include := range []string{"size.h", "other.h"} {
		text := "#include \"" + include + "\"\n#include \"size.h\"\n#include \"other.h\"\n#include \"lib/none.h\"\n" + code
		if _, err := Load("a.c", []byte(text), Options{Files: files}); err != nil {
			t.Errorf("%s first: %v", include, err)
		}
	}
	if _, err := Load("a.c", []byte("#include \"bad.h\"\n"+code), Options{Files: files}); err == nil || !strings.Contains(err.Error(), "bad.h:3:") {
		t.Errorf("an error on line 3: %v", err)
	}
}

// A function that cannot be read does not stand in the way of one that is asked for by name.
func TestRegionsAreReadAlone(t *testing.T) {
	src := []byte(`double A[10], B[10000]; int P[10];
void init(void) { for (int i = 0; i < 10; i++) A[i] = 0; }
void bad(void) {
#pragma omp parallel for
for (int i = 0; i < 10; i++) B[P[i]] = A[i]; }
void good(void) {
#pragma omp parallel for
for (int i = 0; i < 10; i++) B[i] = A[i]; }
int main(void) { init(); good(); return 0; }
`)
	u, err := Load("a.c", src, Options{})
	if err != nil || len(u.Programs) != 1 || len(u.Skipped) != 3 || !strings.Contains(u.Skipped[1].Reason, "B[P[i]] depends on data") {
		t.Errorf("%v, %v", err, u)
	}
	if _, err = Load("a.c", src, Options{Regions: []string{"bad"}}); err == nil {
		t.Error("bad is read")
	}
	u, err = Load("a.c", src, Options{Regions: []string{"good"}})
	if err != nil || len(u.Programs) != 1 || u.Programs[0].Region != "good" {
		t.Errorf("%v", err)
	}
	if u, err = Load("a.c", src, Options{Regions: []string{"main"}}); err != nil || len(u.Programs) != 1 {
		t.Errorf("main, which calls functions without parameters: %v", err)
	}
}

// TestOtherFiles reads a kernel in one file with the sizes and the allocation in another, both with the same header, and an error there at its place.
func TestOtherFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("grid.h", "#ifndef GRID\n#define GRID\nstruct grid { int n; double *u; };\nvoid sweep(struct grid *g);\n#endif\n")
	kernel := write("kernel.c", "#include \"grid.h\"\nvoid sweep(struct grid *g) {\n#pragma omp parallel for\n  for (int i = 1; i < g->n; i++)\n    g->u[i] += g->u[i - 1];\n}\n")
	main := write("main.c", "#include <stdlib.h>\n#include \"grid.h\"\nint main(void) {\n  struct grid g;\n  g.n = 60 + 40;\n  g.u = malloc(g.n * sizeof(double));\n  sweep(&g);\n}\n")
	if _, err := Load(kernel, nil, Options{}); err == nil || !strings.Contains(err.Error(), "the value of g->n is not known") {
		t.Errorf("alone: %v", err)
	}
	u, err := Load(kernel, nil, Options{Others: []string{main}, Regions: []string{"sweep"}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(run(u.Programs[0])); n != 3*99 {
		t.Errorf("%d accesses", n)
	}
	broken := write("broken.c", "int x = ;\n")
	if _, err := Load(kernel, nil, Options{Others: []string{broken}}); err == nil || !strings.Contains(err.Error(), "broken.c:1:9") {
		t.Errorf("broken: %v", err)
	}
	if _, err := Load(kernel, nil, Options{Others: []string{filepath.Join(dir, "none.c")}}); err == nil || !strings.Contains(err.Error(), "none.c") {
		t.Errorf("missing: %v", err)
	}
}

// A name that headers declare as a member or a parameter is no macro: the definition says its value.
func TestDefinesOfWhatHeadersDeclare(t *testing.T) {
	files := fstest.MapFS{"grid.h": {Data: []byte("typedef struct { int nx; double *a; } grid;\nvoid set(grid *g, int nx);\nvoid step(grid *g);\n")}}
	const code = "#include \"grid.h\"\nvoid step(grid *g) { for (int i = 0; i < g->nx; i++) g->a[i] = 1; }\n"
	u, err := Load("a.c", []byte(code), Options{Defines: []string{"nx=70"}, Files: files})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, a := range run(u.Programs[0]) {
		if a.write {
			n++
		}
	}
	if n != 70 || len(u.Macros) != 0 {
		t.Errorf("%d elements are written, want 70; macros %q", n, u.Macros)
	}
}
