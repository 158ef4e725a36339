package parse_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foresee/application/csource/parse"
	"foresee/internal/claims"
)

func TestFacts(t *testing.T) {
	s, err := parse.Parse(nil, "k.c", []byte(`#define N 8
static int calls, *seen;
struct s { int m; } g;
static void inner(void) { calls++; g.m = 1; }
void outer(int n) {
#pragma omp parallel for private(n) schedule(static, N)
    for (int i = 0; i < n; i++)
        inner();
    seen = &calls;
}
`), []string{"UNUSED=3"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := s.Facts
	if len(f.Functions) != 2 || f.ByName["outer"] == nil || len(f.Calls["inner"]) != 1 {
		t.Fatalf("%d functions, %d calls of inner", len(f.Functions), len(f.Calls["inner"]))
	}
	var changed []string
	for _, d := range f.Changed(f.ByName["outer"].CompoundStatement) {
		changed = append(changed, d.Name())
	}
	slices.Sort(changed)
	if !slices.Contains(changed, "calls") || !slices.Contains(changed, "seen") || slices.Contains(changed, "n") {
		t.Errorf("outer changes %q: what it calls counts, its parameter stays", changed)
	}
	if got := f.MemberEffects("outer"); !slices.Equal(got, []string{"m"}) {
		t.Errorf("members %q", got)
	}
	for d := range f.Escapes {
		if d.Name() != "calls" {
			t.Errorf("the address of %s is not given away", d.Name())
		}
	}
	p := f.Inside[f.ByName["outer"]][0]
	if schedule, ok := p.Clause("schedule"); !ok || p.String() != "parallel for" && p.String() != "omp parallel for" || !p.Is("for") || !slices.Equal(p.Names("private"), []string{"n"}) || !strings.HasPrefix(schedule, "static") {
		t.Errorf("%v with schedule(%s)", p, schedule)
	}
	if n, ok := s.Macro("N"); !ok || n != 8 || len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0], "UNUSED") {
		t.Errorf("N is %d, %v; warnings %q", n, ok, s.Warnings)
	}
}

func TestEvaluateClause(t *testing.T) {
	lookup := func(name string) (int64, bool) { return 5, name == "n" }
	for text, want := range map[string]int64{"3": 3, "n": 5, "2*n+1": 11, "(n-1)/2": 2} {
		if got, ok := parse.EvaluateClause(text, lookup); !ok || got != want {
			t.Errorf("%s is %d, %v", text, got, ok)
		}
	}
	for _, wrong := range []string{"", "m", "n/0", "2*", "f(n)", "n%3"} {
		if got, ok := parse.EvaluateClause(wrong, lookup); ok {
			t.Errorf("%q is %d", wrong, got)
		}
	}
}

// TestIncludedResult: a header that a result is to replace is refused by its name, not called missing.
func TestIncludedResult(t *testing.T) {
	dir := t.TempDir()
	header, source := filepath.Join(dir, "h.h"), filepath.Join(dir, "k.c")
	for name, text := range map[string]string{header: "#define N 3\n", source: "#include \"h.h\"\nint a[N];\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(claims.Forget)
	claims.Forget()
	if _, err := parse.Parse(nil, source, nil, nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	claims.Forget()
	if err := claims.Claim(header, header); err != nil {
		t.Fatal(err)
	}
	var clash *claims.ClashError
	if _, err := parse.Parse(nil, source, nil, nil, nil, nil); !errors.As(err, &clash) {
		t.Errorf("%v", err)
	}
}
