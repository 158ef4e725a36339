package compiled_test

import (
	"math"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
	"foresee/predict/compiled"
)

// relaxing goes on until numbers do not change any more, which they do sooner where iterations are left out.
const relaxing = `static double a[N][N], b[N][N], last;
void settle(void) {
    double change = 1;
    int sweeps = 0;
    while (change > 1e-3 && sweeps < 300) {
        change = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = (a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j]) / 4;
                double d = b[i][j] - a[i][j];
                change = d > change ? d : change;
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[i][j] = b[i][j];
        last = change;
        sweeps++;
    }
}
int main(void) {
    for (int i = 0; i < N; i++)
        a[0][i] = 1;
    settle();
    return last > 0.5;
}
`

// TestEarly follows a loop that data end earlier than the analysis says: its iterations cost what they do where nothing but their number ends them.
func TestEarly(t *testing.T) {
	needs(t, "gcc")
	m := zen4(t)
	of := func(source string, flags ...string) float64 {
		code, programs, blocks := read(t, "settle.c", source, csource.Options{Defines: []string{"N=150"}})
		given, _ := follow(t, m, append([]string{"gcc", "-O2"}, flags...), code, programs).Give(programs, blocks)
		for i, p := range programs {
			if p.Region == "settle" {
				all, _ := total(given[i])
				return all
			}
		}
		t.Fatal("no region settle")
		return 0
	}
	counted := of(strings.Replace(relaxing, "change > 1e-3 && ", "", 1))
	if early := of(relaxing); math.Abs(early/counted-1) > 0.05 {
		t.Errorf("%.3g cycles of a loop that data end, %.3g of one that is counted", early, counted)
	}
	team := strings.ReplaceAll(relaxing, "        for (int i = 1; i < N - 1; i++)", "#pragma omp parallel for reduction(max : change)\n        for (int i = 1; i < N - 1; i++)")
	if early := of(team, "-fopenmp"); math.Abs(early/counted-1) > 0.2 {
		t.Errorf("%.3g cycles of a loop with parallel regions that data end, %.3g of one that is counted", early, counted)
	}
}

// exchanged sweeps over two arrays in turn, in parallel regions, more often than is followed.
const exchanged = `#include <stdlib.h>
static double *u, *v, *k, s[1000];
static void sweep(int n) {
#pragma omp parallel for schedule(static)
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++) {
            double c = u[i * n + j];
            v[i * n + j] = c + 0.2 * k[i * n + j] * (u[(i - 1) * n + j] + u[(i + 1) * n + j] + u[i * n + j - 1] + u[i * n + j + 1] - 4 * c);
        }
}
void sums(void) {
    for (int i = 1; i < 1000; i++)
        s[i] += s[i - 1];
}
int main(void) {
    int n = 100;
    u = malloc(n * n * sizeof *u), v = malloc(n * n * sizeof *v), k = malloc(n * n * sizeof *k);
    for (int i = 0; i < n * n; i++)
        u[i] = v[i] = i % 13 / 13.0, k[i] = 0.5 + i % 5 * 0.1;
    int it = 0;
    do {
        sweep(n);
        double *t = u;
        u = v, v = t;
        it++;
    } while (it < 266);
    sums();
    return u[n + 1] > 2;
}
`

// TestExchanged follows a program to its end of which iterations with parallel regions are carried out and do not count.
func TestExchanged(t *testing.T) {
	needs(t, "gcc")
	code, programs, blocks := read(t, "exchanged.c", exchanged, csource.Options{Regions: []string{"sums"}})
	given, _ := follow(t, zen4(t), []string{"gcc", "-O2", "-fopenmp"}, code, programs).Give(programs, blocks)
	if cycles, _ := total(given[0]); cycles < 2000 || cycles > 6000 { // an addition in each iteration waits for the one before
		t.Errorf("%.0f cycles for 999 sums", cycles)
	}
}

// TestMarkLoops puts labels behind the braces of loops, and nowhere where a loop has none.
func TestMarkLoops(t *testing.T) {
	for text, want := range map[string]string{
		"while (a[f(i)] > 0) { x; }":      "while (a[f(i)] > 0) {L x; }",
		"for (;;)\n  {\n x; }":            "for (;;)\n  {L\n x; }",
		"do { x; } while (y);":            "do {L x; } while (y);",
		"do\n{ x; } while (y);":           "do\n{L x; } while (y);",
		"done > 0 && (b || c)) { x; }":    "done > 0 && (b || c)) {L x; }", // a place within a head
		"while (a > 0) x = f(y);":         "while (a > 0) x = f(y);",
		"do x; while (y); if (z) { w; }":  "do x; while (y); if (z) { w; }",
		"while (a) /* long */ { x; }":     "while (a) /* long */ { x; }",
		"while (a) dots(); if (b) { c; }": "while (a) dots(); if (b) { c; }",
	} {
		got := string(compiled.MarkLoops([]byte("\n  "+text), "a.c", []nest.Pos{{File: "a.c", Line: 2, Column: 3}}))
		if got = strings.ReplaceAll(got, `__asm__ volatile("foresee.loop.0.%=: nop"::);`, "L"); got != "\n  "+want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
