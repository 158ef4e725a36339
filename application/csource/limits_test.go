package csource

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foresee/application/csource/parse"
)

// soon is three times as long as the parser may take.
const soon = 3 * parse.Limit

const loops = "double a[1000];\nvoid k(void) { for (int i = 0; i < 1000; i++) a[i] = 1; }\n"

// TestBounds gives the parser's library what it has no bounds for, and wants an error with its place, soon.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"itself", "#include \"a.c\"\n" + loops, "a.c:1:1: files include one another more than 200 deep"},
		{"itself on line 3", loops + "# include \"a.c\"\n", "a.c:3:1: files include one another more than 200 deep"},
		{"each other", "#include \"b.h\"\n" + loops, ".h:1:1: files include one another more than 200 deep"},
		{"twice and twice again", "#include \"0.h\"\n" + loops, ".h:1:1: files include one another more than 200 deep, or 10000 times"},
		{"a folder", "\n#include \".\"\n" + loops, "a.c:2:10: include file . not found"},
		{"no name", "#include \"\"\n" + loops, "a.c:1:10: include file  not found"},
		{"a folder among the headers", "#include <sys>\n" + loops, "a.c:1:10: include file sys not found"},
		{"what foresee puts before a source", "#include \"<foresee>\"\n" + loops, "a.c:1:10: include file <foresee> not found"},
		{"what foresee puts after a source", "#include \"<end>/\"\n" + loops, "a.c:1:10: include file <end>/ not found"},
		{"loops without braces", "double a[9];\nvoid k(void) {\n" + strings.Repeat("for (int i = 0; i < 2; i++)\n", 20_000) + "a[0] = 1; }", "a.c:1336:14: a statement of more than 20000"},
		{"brackets", "int x = " + strings.Repeat("(", 600) + "1" + strings.Repeat(")", 600) + ";\n" + loops, "a.c:1:509: brackets nest more than 500 deep"},
		{"conditions", strings.Repeat("#if 1\n", 2000) + loops, "a.c:1001:2: #if nests more than 1000 deep"},
		{"macros", "#define B B1 B1\n#define B1 B2 B2\n" + doublings(40) + "int x = B;\n" + loops, "a.c:"},
		{"pragmas", "void k(void) {\n" + strings.Repeat("#pragma omp parallel\n", 600) + ";}\n" + loops, "a.c:502:2: more than 500 pragmas before one statement"},
		{"pastes of one name", glued(40), "a.c:44:5: M40 expands to more than 16 MiB; macros that double"},
		{"pastes that nothing uses", strings.ReplaceAll(glued(40), "int M40", "int M4"), ": M22 expands to more than 16 MiB"},
		{"pastes in arguments", "#define E(a) a##a\n#define D(a) E(a)\n" + loops + "int " + strings.Repeat("D(", 40) + "x" + strings.Repeat(")", 40) + ";\n", "a.c:5:5: D expands to more than 16 MiB"},
		{"pastes in a header", "#include \"p.h\"\n" + loops + "int M40;\n", "a.c:4:5: M40 expands to more than 16 MiB"},
		{"pastes in a condition", "#include \"p.h\"\n#if M40\n#endif\n" + loops, "a.c:2:5: M40 expands to more than 16 MiB"},
		{"pastes by variable arguments", "#define C(...) D(__VA_ARGS__)\n#define D(a, b) a##b\n" + loops + pastes("C(M%d, M%d)", 40) + "int M40;\n", "a.c:46:5: M40 expands to more than 16 MiB"},
		{"strings", "#define S(x) #x #x\n#define D(x) S(x)\n" + loops + "char *s = " + strings.Repeat("D(", 40) + "x" + strings.Repeat(")", 40) + ";\n", "a.c:5:11: D expands to more than 16 MiB"},
		{"array of 2^63 bytes", "double a[1152921504606846976];\nvoid k(void) { for (int i = 0; i < 9; i++) a[i] = 1; }\n", "a.c:1:8: a is larger than any memory"},
		{"rows", "double a[3000000000][3000000000];\nvoid k(void) { for (int i = 0; i < 9; i++) a[i][i] = 1; }\n", "a.c:1:8: a is larger than any memory"},
		{"size that is no number", "double a[1e18];\nvoid k(void) { for (int i = 0; i < 9; i++) a[i] = 1; }\n", "a.c:1:8: the size of a is not known"},
		{"negative memory", "void *malloc(unsigned long);\nvoid k(void) { double *a = malloc(-1); for (int i = 0; i < 9; i++) a[i] = 1; }\n", "a.c:2:35: memory of -1 bytes cannot be"},
		{"memory of 2^62 bytes", "void *malloc(unsigned long);\nvoid k(void) { double *a = malloc(4611686018427387904); for (int i = 0; i < 9; i++) a[i] = 1; }\n", "bytes cannot be"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			files := map[string]string{"a.c": c.src, "b.h": "#include \"c.h\"\n", "c.h": "#include \"b.h\"\n", "p.h": glued(40)}
			for i := range 20 {
				files[fmt.Sprintf("%d.h", i)] = strings.Repeat(fmt.Sprintf("#include \"%d.h\"\n", i+1), 2)
			}
			files["20.h"] = "extern int x;\n"
			for name, text := range files {
				if err := os.WriteFile(filepath.Join(".", name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			begin := time.Now()
			_, err := Load("a.c", []byte(c.src), Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
			if e := (*Error)(nil); !errors.As(err, &e) || e.Remedy == "" {
				t.Errorf("no remedy: %v", err)
			}
			if d := time.Since(begin); d > soon {
				t.Errorf("it took %v", d)
			}
		})
	}
}

// glued is a name that n macros paste to itself.
func glued(n int) string {
	return "#define E(a) a##a\n#define D(a) E(a)\n" + pastes("D(M%d)", n) + fmt.Sprintf("int M%d;\n", n)
}

func pastes(form string, n int) string {
	var b strings.Builder
	b.WriteString("#define M0 x\n")
	for i := range n {
		fmt.Fprintf(&b, "#define M%d "+strings.ReplaceAll(form, "%d", "%[2]d")+"\n", i+1, i)
	}
	return b.String()
}

// TestExpansions lets macros through that programs have.
func TestExpansions(t *testing.T) {
	lists := "#define LIST(X) X(alpha, 1) X(beta, 2) X(gamma, 3)\n#define NAME(n, v) n##_##v,\n#define TEXT(n, v) #n,\nenum { LIST(NAME) };\nconst char *all[] = { LIST(TEXT) };\n" +
		"#undef NAME\n#define NAME(n, v) int n##v;\nLIST(NAME)\n"
	evals := "#define EVAL(...) E1(E1(E1(E1(__VA_ARGS__))))\n#define E1(...) E2(E2(E2(E2(__VA_ARGS__))))\n#define E2(...) E3(E3(E3(E3(__VA_ARGS__))))\n#define E3(...) __VA_ARGS__\nint EVAL(e);\n"
	itself := "#define A B\n#define B A\n#define F(x) F(F(x))\nint A;\n#define twice (4 + twice)\nint twice_F = 1;\n"
	repeats := "#define R4(s) s s s s\n#define R64(s) R4(R4(R4(s)))\nint counted = 0 R64(R64(+1));\n"
	poly := "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n#include <string.h>\n#include <omp.h>\n#define POLYBENCH_2D_ARRAY_DECL(var, type, d1, d2, s1, s2) type var[s1][s2]\n#define DATA_TYPE double\n#define SCALAR_VAL(x) x##f\nPOLYBENCH_2D_ARRAY_DECL(m, DATA_TYPE, N, N, 100, 100);\n"
	for name, src := range map[string]string{"lists": lists, "evals": evals, "itself": itself, "repeats": repeats, "PolyBench": poly} {
		if u, err := Load("a.c", []byte(src+loops), Options{}); err != nil || len(u.Programs) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func doublings(n int) string {
	var b strings.Builder
	b.WriteString("#define B2 C0\n")
	for i := range n {
		fmt.Fprintf(&b, "#define C%d C%d C%d\n", i, i+1, i+1)
	}
	return b.String()
}

// TestIncludesOfEachOnce reads what is included often, but not without end.
func TestIncludesOfEachOnce(t *testing.T) {
	t.Chdir(t.TempDir())
	src := strings.Repeat("#include \"b.h\"\n", 1000) + loops
	if err := os.WriteFile("b.h", []byte("#ifndef B\n#define B\nextern int x;\n#include \"b.h\"\n#endif\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	u, err := Load("a.c", []byte(src), Options{})
	if err != nil || len(u.Programs) != 1 {
		t.Fatal(err)
	}
	if p := u.Programs[0].Pos; p.Line != 1002 || p.Column != 6 { // the marks of includes move no line
		t.Errorf("the region begins at %v", p)
	}
}

// TestMessagesOfParser says in words of C what its library says in its own.
func TestMessagesOfParser(t *testing.T) {
	for src, want := range map[string]string{
		"int x = 99999999999999999999;":                 "a.c:1:9: the number 99999999999999999999 does not fit into 64 bits; write it with a point (as a double), or take a smaller one",
		"int x[99999999999999999999];":                  "a.c:1:7: the number 99999999999999999999 does not fit into 64 bits",
		"#if 99999999999999999999\n#endif\n":            "a.c:1:5: the number 99999999999999999999 does not fit into 64 bits",
		"int x = 08;":                                   "a.c:1:9: the number 08 is not one of C; see what a C compiler says of it",
		"int x = 0x;":                                   "a.c:1:9: a number without digits",
		"long long long double y;":                      `a.c:1:1: a declaration of the type "long long long double", which is not known; see what`,
		"_Bool int k;":                                  `a.c:1:1: a declaration of the type "int bool", which is not known`,
		"struct s { int x : 99999999999999999999; } y;": "a.c:1:20: the number 99999999999999999999 does not fit into 64 bits",
	} {
		_, err := Load("a.c", []byte(src+"\n"+loops), Options{})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", src, err, want)
		} else if strings.Contains(err.Error(), "TODO") || strings.Contains(err.Error(), "strconv") {
			t.Errorf("%s: %v", src, err)
		}
	}
}
