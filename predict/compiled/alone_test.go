package compiled_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
)

// functions take all kinds of things; those of main are the values that the caller defines where there is none.
const functions = `
#include <stdlib.h>
typedef struct { int rows, columns; double *in, *out; } grid;
int count; double *global;
void scale(int n, double f, double *a) { for (int i = 0; i < n; i++) a[i] *= f; }
void many(int a, int b, int c, int d, int e, int f, int length, float *x, float *y) { for (int i = 0; i < length; i++) y[i] = x[i] + a * b + c * d + e * f; }
void member(grid *g) { for (int i = 0; i < g->rows; i++) for (int j = 0; j < g->columns; j++) g->out[i * g->columns + j] = 2 * g->in[i * g->columns + j]; }
void byRows(int m, double **a) { for (int i = 0; i < m; i++) for (int j = 0; j < m; j++) a[i][j] += 1; }
void table(int height, double (*a)[300]) { for (int i = 0; i < height; i++) for (int j = 0; j < 300; j++) a[i][j] += 1; }
void ofFile(void) { for (int i = 0; i < count; i++) global[i] += 1; }
`

const theirMain = `
int main(void) {
	double *a = malloc(8000), **r = malloc(8 * 70); float *x = malloc(4000), *y = malloc(4000);
	grid g = { 31, 50, malloc(31 * 50 * 8), malloc(31 * 50 * 8) };
	for (int i = 0; i < 70; i++) r[i] = malloc(70 * 8);
	count = 700; global = malloc(8 * 700);
	scale(1000, 1.5, a); many(1, 2, 3, 4, 5, 6, 999, x, y); member(&g); byRows(70, r); table(20, malloc(20 * 300 * 8)); ofFile();
}
`

var values = []string{"n=1000", "length=999", "rows=31", "columns=50", "m=70", "height=20", "count=700"}

// TestAlone enters functions of a source without main by themselves: their code takes as many instructions as where main calls them.
func TestAlone(t *testing.T) {
	needs(t, "gcc")
	m := zen4(t)
	work := func(text string, defines []string) map[string]float64 {
		code, programs, blocks := read(t, "f.c", text, csource.Options{Defines: defines})
		code.Macros = nil
		given, _ := follow(t, m, []string{"gcc", "-O2", "-fno-inline"}, code, programs).Give(programs, blocks)
		out := map[string]float64{}
		for i, p := range programs {
			if p.Region != "main" {
				_, out[p.Region] = total(given[i])
			}
		}
		return out
	}
	want := work(functions+theirMain, nil)
	got := work(functions, values)
	if len(got) != 6 {
		t.Fatalf("%d regions, want 6", len(got))
	}
	for region, n := range got {
		if n < 1000 || math.Abs(n-want[region]) > 0.01*want[region]+20 {
			t.Errorf("%s: %.0f instructions, %.0f where main calls it", region, n, want[region])
		}
	}
}

// TestNotAlone leaves out functions that only a program can enter, and says why.
func TestNotAlone(t *testing.T) {
	needs(t, "gcc")
	code, programs, blocks := read(t, "f.c", functions+`
typedef struct node { struct node *next[2]; double v; } node;
double a[1000];
void linked(node *l) { double *v = &l->next[1]->v; for (int i = 0; i < 1000; i++) a[i] += *v; }
`, csource.Options{Defines: values})
	cycles := follow(t, zen4(t), []string{"gcc", "-O2"}, code, programs)
	if _, unknown := cycles.Give(programs, blocks); !slices.Equal(unknown, []bool{false, false, false, false, false, false, true}) {
		t.Errorf("of %d regions these are not followed: %v", len(programs), unknown)
	}
	if all := strings.Join(cycles.CodeWarnings(), "\n"); !strings.Contains(all, "linked cannot be entered by itself: the program accesses memory at") {
		t.Errorf("it says %q", all)
	}
}

// TestMainWithoutArguments has mains that do not come to the loops without arguments: they end, or read where there is nothing.
func TestMainWithoutArguments(t *testing.T) {
	needs(t, "gcc")
	const kernel = "#include <stdio.h>\n#include <stdlib.h>\nvoid kernel(int n, double *a) { for (int i = 0; i < n; i++) a[i] += 1; }\n"
	for main, want := range map[string]string{
		"int main(int argc, char **argv) { if (argc < 2) { puts(\"usage\"); return 1; } int n = atoi(argv[1]); kernel(n, malloc(8 * n)); }": "main comes to none of the loops",
		"int main(int argc, char **argv) { int n = argv[1][0] - '0'; kernel(n, malloc(8 * n)); }":                                           "main cannot be followed",
		"int main(void) { kernel(1000, malloc(8000)); }":                                                                                    "",
	} {
		code, programs, blocks := read(t, "k.c", kernel+main, csource.Options{Defines: []string{"n=1000"}, Regions: []string{"kernel"}})
		code.Macros = nil
		cycles := follow(t, zen4(t), []string{"gcc", "-O1", "-fno-inline"}, code, programs)
		given, unknown := cycles.Give(programs, blocks)
		if _, n := total(given[0]); unknown[0] || n < 4000 || n > 7000 {
			t.Errorf("%s: %.0f instructions", main, n)
		}
		if said := strings.Join(cycles.CodeWarnings(), " "); want == "" && said != "" || !strings.Contains(said, want) {
			t.Errorf("%s: it says %q, want %q", main, said, want)
		}
	}
}
