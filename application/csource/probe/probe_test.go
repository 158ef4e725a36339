package probe

import (
	"strings"
	"testing"

	"foresee/application/csource/lower"
	"foresee/application/csource/parse"
)

// rewritten is a source with what it is made to tell.
func rewritten(t *testing.T, source string) string {
	t.Helper()
	s, err := parse.Parse(nil, "a.c", []byte(source), nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return NewSpots(s.Facts).Find(s, lower.Choice{}, nil, false).Rewrite("a.c", source)
}

func TestRewrite(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{
			"a parameter is told where its function begins",
			"double a[9];\nvoid f(int n) {\n  for (int i = 0; i < n; i++) a[i] = 1;\n}\n",
			"double a[9];\nvoid f(int n) { FORESEE_ENTER(0) FORESEE_TELL(0, n)\n  for (int i = 0; i < n; i++) a[i] = 1;\n}\n",
		},
		{
			"a variable where it is set last, above a directive",
			"double a[9];\nint g(void);\nvoid f(void) {\n  int n = g();\n  // comment\n#pragma omp parallel for\n  for (int i = 0; i < n; i++) a[i] = 1;\n}\n",
			"double a[9];\nint g(void);\nvoid f(void) { FORESEE_ENTER(0)\n  int n = g();\n  // comment\n FORESEE_TELL(0, n)\n#line 6\n#pragma omp parallel for\n  for (int i = 0; i < n; i++) a[i] = 1;\n}\n",
		},
		{
			"a variable where it is set last, above directives of which there are two kinds",
			"double a[9];\nint g(void);\nvoid f(void) {\n  int n = g();\n#if FUSED\n  #pragma omp parallel for\n#else\n# pragma omp for\n#endif\n  for (int i = 0; i < n; i++) a[i] = 1;\n}\n",
			"double a[9];\nint g(void);\nvoid f(void) { FORESEE_ENTER(0)\n  int n = g();\n FORESEE_TELL(0, n)\n#line 5\n#if FUSED\n  #pragma omp parallel for\n#else\n# pragma omp for\n#endif\n  for (int i = 0; i < n; i++) a[i] = 1;\n}\n",
		},
		{
			"a member outside the loop that it bounds, not beyond a condition",
			"struct s { int n; } *p;\ndouble a[9];\nvoid f(int c) {\n  if (c) {\n    for (int i = 0; i < p->n; i++) a[i] = 1;\n  }\n}\n",
			"struct s { int n; } *p;\ndouble a[9];\nvoid f(int c) { FORESEE_ENTER(0) FORESEE_TELL(0, c)\n  if (c) {\n    FORESEE_TELL(1, p ? p->n : 0) for (int i = 0; i < p->n; i++) a[i] = 1;\n  }\n}\n",
		},
		{
			"a member that branches without braces lead to",
			"struct s { int n; };\ndouble a[9];\nvoid f(struct s *p, int k) {\n  for (int i = 0; i < k; i++)\n    if (i % 2) a[i * p->n] = 1;\n}\n",
			"struct s { int n; };\ndouble a[9];\nvoid f(struct s *p, int k) { FORESEE_ENTER(0) FORESEE_TELL(0, k) FORESEE_TELL(1, p ? p->n : 0)\n  for (int i = 0; i < k; i++)\n    if (i % 2) a[i * p->n] = 1;\n}\n",
		},
		{
			"a parameter in the size of another",
			"void f(int n, int m, double a[n][m]) {\n  for (int i = 0; i < n; i++) a[i][0] = 1;\n}\n",
			"void f(int n, int m, double a[n][m]) { FORESEE_ENTER(0) FORESEE_TELL(0, n) FORESEE_TELL(1, m)\n  for (int i = 0; i < n; i++) a[i][0] = 1;\n}\n",
		},
		{
			"the iterations of a loop",
			"double a[9]; double g(void);\nvoid f(void) {\n  while (g() > 0) {\n    for (int i = 0; i < 9; i++) a[i] = 1;\n  }\n}\n",
			"double a[9]; double g(void);\nvoid f(void) { FORESEE_ENTER(0)\n   FORESEE_COUNT(0) while (g() > 0) { FORESEE_COUNTED(0)\n    for (int i = 0; i < 9; i++) a[i] = 1;\n  }\n}\n",
		},
		{
			"nothing that a loop changes, but how often the loop iterates",
			"double a[9]; int next(int);\nvoid f(int n) {\n  for (int k = 0; k < 3; k++) {\n    for (int i = 0; i < n; i++) a[i] = 1;\n    n = next(n);\n  }\n}\n",
			"double a[9]; int next(int);\nvoid f(int n) { FORESEE_ENTER(0)\n  for (int k = 0; k < 3; k++) {\n    FORESEE_COUNT(0) for (int i = 0; i < n; i++) FORESEE_COUNTED_IN(0) a[i] = 1;\n    n = next(n);\n  }\n}\n",
		},
	} {
		if got := strings.ReplaceAll(rewritten(t, c.source), "  FORESEE_TELL(1", " FORESEE_TELL(1"); strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(c.want), " ") {
			t.Errorf("%s:\n%s\nwant:\n%s", c.name, got, c.want)
		}
	}
}

// TestPut: nothing is put where no statement begins, as within what a macro makes, a string or a comment.
func TestPut(t *testing.T) {
	for text, want := range map[string]bool{
		"{ x": true, "a; x": true, "} x": true, "case 1: x": true, "if (a) x": false, "else x": false, "f(\"{\" x": false, "{ /* x": false, "{ // ;\n x": true,
		"{\n#define A {\\\n;\n x": true, "'{' x": false, "x": false,
	} {
		f := file{text: text}
		if got := f.put(strings.LastIndexByte(text, 'x'), "y"); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add("{ a; x }", 3, 2)
	f.Fuzz(func(t *testing.T, text string, line, column int) {
		p := &Plan{Regions: []Region{{Function: "f"}}, begins: map[Place]bool{}, loops: nil}
		p.Regions[0].body.File, p.Regions[0].body.Line, p.Regions[0].body.Column = "a.c", 1, 1
		place := Place{Text: "n"}
		place.At.File, place.At.Line, place.At.Column = "a.c", line, column
		p.Places = []Place{place}
		got := p.Rewrite("a.c", text)
		if len(got) < len(text) {
			t.Errorf("%q of %q", got, text)
		}
	})
}
