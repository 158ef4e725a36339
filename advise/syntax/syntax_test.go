package syntax

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const sample = `#define N 10
static double A[N][N];
static void f(int n, double *x)
{
    int i, j;
#pragma omp parallel for private(j)
    for (i = 0; i < n; i++) { /* for (;;) */
        for (j = N - 1; j >= 0; j--)
            A[i][j] = x[j] * 2.0; // one
        if (n > 3)
            x[i] = 1;
        else
            x[i] = ')';
    }
    while (n--)
        for (long k = 0; 5 > k; k += 2) x[k]++;
}
`

func TestParse(t *testing.T) {
	f := Parse("f.c", sample)
	if len(f.Functions) != 1 || f.Functions[0].Name != "f" || !f.Functions[0].Static {
		t.Fatalf("functions: %+v", f.Functions)
	}
	loops := f.Functions[0].Body.Loops()
	var heads []string
	for _, l := range loops {
		heads = append(heads, l.Head.String())
	}
	want := "for (i = 0; i < n; i++)|for (j = N - 1; j >= 0; j--)|for (long k = 0; k < 5; k += 2)"
	if got := strings.Join(heads, "|"); got != want {
		t.Errorf("heads are %s, not %s", got, want)
	}
	if n := len(loops[0].Statements()); n != 2 || loops[0].Inner() != nil || len(loops[0].Pragmas) != 1 {
		t.Errorf("%d statements, inner %v, pragmas %v", n, loops[0].Inner(), loops[0].Pragmas)
	}
	if s := f.TextOf(loops[1]); !strings.HasSuffix(s, "2.0;") {
		t.Errorf("the second loop is %q", s)
	}
	if f.Line(loops[0].Begin) != 7 {
		t.Errorf("line %d", f.Line(loops[0].Begin))
	}
}

func TestReplace(t *testing.T) {
	for _, c := range [][3]string{{"i + ii * s.i", "i", "k + ii * s.k"}, {"\"i\" i", "i", "\"i\" k"}, {"", "i", ""}} {
		if got := Replace(c[0], c[1], "k"); got != c[2] {
			t.Errorf("Replace(%q) is %q, not %q", c[0], got, c[2])
		}
	}
}

func TestHeadsThatAreNotCounted(t *testing.T) {
	for _, h := range []string{"i = 0; i != n; i++", "i = 0; i < n; i--", "i = 0, j = 1; i < n; i++", ";;", "i = 0; i < n && x; i++", "i = 0; i < n; i *= 2", "i = 0; j < n; i++"} {
		f := Parse("f.c", "void f(void) { for ("+h+") ; }")
		if l := f.Functions[0].Body.Loops()[0]; l.Head != nil {
			t.Errorf("%s is taken for %s", h, l.Head)
		}
	}
}

// checked looks at what any text must give: nodes lie in one another, in the order of the text.
func checked(t *testing.T, text string) {
	t.Helper()
	f := Parse("f.c", text)
	for _, g := range f.Functions {
		g.Body.Each(func(n *Node) {
			if n.Begin > n.End || n.First > n.Last || n.End > len(text) {
				t.Fatalf("a node from %d to %d, tokens %d to %d", n.Begin, n.End, n.First, n.Last)
			}
			for _, c := range append([]*Node{n.Body, n.Else}, n.Items...) {
				if c != nil && (c.Begin < n.Begin || c.End > n.End || c.Parent != n) {
					t.Fatalf("a node from %d to %d in one from %d to %d", c.Begin, c.End, n.Begin, n.End)
				}
			}
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	for _, s := range []string{"void f() { for (", "void f() { if (x) else", "f() {#pragma x\n", "f(){{{{", "f(){do;while(1)", "f(){for(;;)\n#pragma omp x", "\"", "'\\", "/*", "f(){x:", "f(){case 1:}"} {
		f.Add(s)
	}
	names, _ := filepath.Glob("../../examples/slow/*.c")
	for _, n := range names {
		if text, err := os.ReadFile(n); err == nil {
			f.Add(string(text))
		}
	}
	f.Fuzz(func(t *testing.T, text string) { checked(t, text) })
}
