package advise_test

import (
	"slices"
	"strings"
	"testing"

	"foresee/advise"
)

// conditionsOf are the conditions under which changes of a kind are advised in the first region of a source, and whether there are any.
func conditionsOf(t *testing.T, text string, kinds ...string) (conditions []string, advised bool) {
	t.Helper()
	for _, r := range regionsOf(t, text) {
		for _, c := range slices.Concat(r.Changes, together(r)) {
			if slices.ContainsFunc(kinds, func(k string) bool { return strings.Contains(c.Change, k) }) {
				conditions, advised = append(conditions, c.Conditions...), true
			}
		}
	}
	return conditions, advised
}

func together(r advise.Region) []advise.Advice {
	if r.Together == nil {
		return nil
	}
	return []advise.Advice{*r.Together}
}

// TestPointersInStructures: two members of a structure may point at one array. Where main tells that they do, what they depend on is known, also where
// main is no region; where nobody tells, that they do not is a condition.
func TestPointersInStructures(t *testing.T) {
	const kernel = `#include <stdlib.h>
typedef struct { double *u, *v; int n; } grid;
void kernel(grid *g) {
  int n = g->n;
  for (int j = 1; j < n; j++)
PRAGMA
    for (int i = 0; i < n - 1; i++)
      g->u[i * n + j] = g->v[(i + 1) * n + j - 1] * 0.5 + 1;
}
`
	const callers = `int main(void) { grid g; g.n = 600; g.u = malloc(8 * 600 * 600); g.v = V; kernel(&g); return g.u[7] > 3; }
`
	source := func(pragma, v string) string {
		return strings.NewReplacer("PRAGMA", pragma, "V;", v+";").Replace(kernel + callers)
	}
	for _, pragma := range []string{"", "#pragma omp parallel for"} {
		if c, advised := conditionsOf(t, source(pragma, "g.u"), "interchange"); advised {
			t.Errorf("%q: loops that carry a dependence against each other are interchanged, %q", pragma, c)
		}
		c, advised := conditionsOf(t, source(pragma, "malloc(8 * 600 * 600)"), "interchange")
		if !advised || slices.ContainsFunc(c, func(s string) bool { return strings.Contains(s, "overlap") }) {
			t.Errorf("%q: of two arrays, advised %v with %q", pragma, advised, c)
		}
	}
	alone := strings.NewReplacer("PRAGMA", "", "int n = g->n;", "const int n = 600;").Replace(kernel)
	c, advised := conditionsOf(t, alone, "interchange")
	if !advised || !slices.Contains(c, "if g->u and g->v do not overlap") {
		t.Errorf("of members that nobody sets: advised %v with %q", advised, c)
	}
}

// TestValuesOfTheRun: a value that main has where it is run without arguments, and that decides which iterations depend on each other, is a condition.
func TestValuesOfTheRun(t *testing.T) {
	const text = `#include <stdlib.h>
double a[4000][800];
static void kernel(int off) {
  for (int i = 0; i < 2000; i++)
    for (int j = 0; j < 800; j++)
      a[i + off][j] = a[i][j] * 0.5 + 1;
}
int main(int argc, char **argv) { int off = 2000; if (argc > 1) off = atoi(argv[1]); kernel(off); return a[7][7] > 3; }
`
	for _, r := range regionsOf(t, text) {
		for _, c := range slices.Concat(r.Changes, together(r)) {
			if r.Region == "kernel" && !slices.Contains(c.Conditions, "if off is 2000, or its size changes no order of accesses") {
				t.Errorf("%s: %q", c.Title, c.Conditions)
			}
		}
	}
}
