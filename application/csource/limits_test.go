package csource

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const loops = "double a[1000];\nvoid k(void) { for (int i = 0; i < 1000; i++) a[i] = 1; }\n"

// TestBounds gives the parser's library what it has no bounds for, and wants an error with its place, soon.
func TestBounds(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"itself", "#include \"a.c\"\n" + loops, "a.c:1:1: files include one another more than 200 deep"},
		{"itself on line 3", loops + "# include \"a.c\"\n", "a.c:3:1: files include one another more than 200 deep"},
		{"each other", "#include \"b.h\"\n" + loops, ".h:1:1: files include one another more than 200 deep"},
		{"twice and twice again", "#include \"0.h\"\n" + loops, ".h:1:1: files include one another more than 200 deep, or 10000 times"},
		{"loops without braces", "double a[9];\nvoid k(void) {\n" + strings.Repeat("for (int i = 0; i < 2; i++)\n", 20_000) + "a[0] = 1; }", "a.c:1336:14: a statement of more than 20000"},
		{"brackets", "int x = " + strings.Repeat("(", 600) + "1" + strings.Repeat(")", 600) + ";\n" + loops, "a.c:1:509: brackets nest more than 500 deep"},
		{"conditions", strings.Repeat("#if 1\n", 2000) + loops, "a.c:1001:2: #if nests more than 1000 deep"},
		{"macros", "#define B B1 B1\n#define B1 B2 B2\n" + doublings(40) + "int x = B;\n" + loops, "a.c:"},
		{"array of 2^63 bytes", "double a[1152921504606846976];\nvoid k(void) { for (int i = 0; i < 9; i++) a[i] = 1; }\n", "a.c:1:8: a is larger than any memory"},
		{"rows", "double a[3000000000][3000000000];\nvoid k(void) { for (int i = 0; i < 9; i++) a[i][i] = 1; }\n", "a.c:1:8: a is larger than any memory"},
		{"size that is no number", "double a[1e18];\nvoid k(void) { for (int i = 0; i < 9; i++) a[i] = 1; }\n", "a.c:1:8: the size of a is not known"},
		{"negative memory", "void *malloc(unsigned long);\nvoid k(void) { double *a = malloc(-1); for (int i = 0; i < 9; i++) a[i] = 1; }\n", "a.c:2:35: memory of -1 bytes cannot be"},
		{"memory of 2^62 bytes", "void *malloc(unsigned long);\nvoid k(void) { double *a = malloc(4611686018427387904); for (int i = 0; i < 9; i++) a[i] = 1; }\n", "bytes cannot be"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			files := map[string]string{"a.c": c.src, "b.h": "#include \"c.h\"\n", "c.h": "#include \"b.h\"\n"}
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
			if d := time.Since(begin); d > 3*parseLimit {
				t.Errorf("it took %v", d)
			}
		})
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
