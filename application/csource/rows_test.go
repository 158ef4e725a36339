package csource

import (
	"strings"
	"testing"
)

// TestRowsInOrder reads functions whose rows come from elsewhere: their accesses are those of rows that malloc places one after the other. Rows are as long
// as they are accessed.
func TestRowsInOrder(t *testing.T) {
	for _, c := range []struct{ name, source, row string }{
		{"two dimensions", "void f(double **a, double **b, int n) { for (int i = 0; i < 9; i++) for (int j = 0; j < 8; j++) a[i][j] = b[j][i]; }", "a[], 64 bytes"},
		{"three", "void f(double ***a) { for (int i = 0; i < 9; i++) for (int j = 0; j < 8; j++) for (int k = 0; k < 5; k++) a[i][j][k] = 1; }", "a[][], 40 bytes"},
		{"from 1", "void f(float **a) { for (int i = 1; i <= 9; i++) for (int j = 1; j <= 8; j++) a[i][j] = 1; }", "a[], 36 bytes"},
		{"structures", "struct p { double x[3], m; };\nvoid f(struct p **a) { for (int i = 0; i < 9; i++) a[i]->x[2] = 1; }", "a[], 24 bytes"},
		{"members of structures", "struct c { int n; double *v; };\nvoid f(struct c *a) { for (int i = 0; i < 900; i++) for (int j = 0; j < 8; j++) a[i].v[j] = 1; }", "the members v of a lead to is taken to lie one after the other, 64 bytes"},
		{"of a library", "struct m { int n; double **row; };\nvoid f(struct m *a) { for (int i = 0; i < 9; i++) for (int j = 0; j < 8; j++) a->row[i][j] = 1; }", "a->row[], 64 bytes"},
	} {
		u, err := Load("a.c", []byte(c.source+"\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		p := u.Programs[0]
		name, bytes, _ := strings.Cut(c.row, ", ")
		if !strings.Contains(strings.Join(p.Warnings, "\n"), c.row) && !strings.Contains(strings.Join(p.Warnings, "\n"), "the rows of "+strings.TrimSuffix(name, "[]")+" are taken to lie one after the other, "+bytes) {
			t.Errorf("%s: %q", c.name, p.Warnings)
		}
	}
	rows := func(source string) []touch {
		u, err := Load("a.c", []byte(source), Options{Regions: []string{"f"}})
		if err != nil {
			t.Fatal(err)
		}
		return run(u.Programs[0])
	}
	const f = "void f(double **a) { for (int i = 1; i < 9; i++) for (int j = 0; j < 7; j++) a[i][j] = a[i - 1][j + 1]; }\n"
	got := rows(f)
	want := rows("#include <stdlib.h>\n" + f + "int main(void) { double **a = malloc(9 * sizeof *a); for (int i = 0; i < 9; i++) a[i] = malloc(8 * sizeof **a); f(a); }\n")
	for i := range want {
		if len(got) != len(want) || got[i] != want[i] {
			t.Fatalf("%d accesses, want %d; %v, want %v", len(got), len(want), got[min(i, len(got)-1)], want[i])
		}
	}
	const g = "struct c { int n; double *v; };\nvoid f(struct c *a) { for (int i = 0; i < 900; i++) for (int j = 0; j < 7; j++) a[i].v[j + 1] = a[i].v[j]; }\n"
	got = rows(g)
	want = rows("#include <stdlib.h>\n" + g + "int main(void) { struct c *a = malloc(900 * sizeof *a); for (int i = 0; i < 900; i++) a[i].v = malloc(8 * sizeof(double)); f(a); }\n")
	for i := range want {
		if len(got) != len(want) || got[i] != want[i] {
			t.Fatalf("%d accesses, want %d; %v, want %v", len(got), len(want), got[min(i, len(got)-1)], want[i])
		}
	}
	// neighbours lie in one object
	u, err := Load("a.c", []byte("struct c { int n; double *v; };\nvoid f(struct c *a) { for (int i = 1; i < 900; i++) for (int j = 0; j < 8; j++) a[i].v[j] = a[i - 1].v[j]; }\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string]int{}
	for _, o := range u.Programs[0].Objects {
		lines[o.Name]++
	}
	if lines["a[].v"] != 1 {
		t.Errorf("objects %v", lines)
	}
	// the pointers of members are loaded, once in the loop around
	u, err = Load("a.c", []byte("struct c { double *v; long pad[7]; };\nvoid f(struct c *a) { for (int i = 0; i < 900; i++) for (int j = 0; j < i; j++) a[i].v[j] = 1; }\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n, want := len(run(u.Programs[0])), 900+900*899/2; n != want {
		t.Errorf("%d accesses, want %d", n, want)
	}
}

// TestRowsThatMayBeNull: whether there is a row of which nothing is known is data; of one that the function allocates itself it is known.
func TestRowsThatMayBeNull(t *testing.T) {
	const unknown = "the condition a[i] is not known before the run; both sides are counted as executed"
	for source, want := range map[string]bool{
		"void f(double **a) { for (int i = 0; i < 9; i++) if (a[i]) for (int j = 0; j < 8; j++) a[i][j] = 1; }":                                                                      true,
		"void f(double **a) { for (int i = 0; i < 9; i++) if (a[i] != 0) for (int j = 0; j < 8; j++) a[i][j] = 1; }":                                                                 true,
		"#include <stdlib.h>\nvoid f(double **a) { for (int i = 0; i < 9; i++) { a[i] = malloc(64); if (a[i]) a[i][0] = 1; } for (int i = 0; i < 9; i++) if (a[i]) a[i][1] = 1; }\n": false,
	} {
		u, err := Load("a.c", []byte(source+"\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if said := strings.Join(u.Programs[0].Warnings, "\n"); strings.Contains(strings.ReplaceAll(said, "a[i] != 0", "a[i]"), unknown) != want {
			t.Errorf("%s: %q", source, said)
		}
	}
}
