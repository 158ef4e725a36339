package transform_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/advise/transform"
	"foresee/application/csource"
)

// TestReductionsInterchange: loops over columns that only add up, or keep the largest or smallest value, are interchanged, and give the same then; others that
// look like it are left.
func TestReductionsInterchange(t *testing.T) {
	const text = `#include <math.h>
#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
double A[40][50];
static double f(double s)
{
    double u = 0;
    for (int j = 0; j < 50; j++)
        for (int i = 0; i < 40; i++)
            STATEMENT
    return s + u;
}
int main(void)
{
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++)
            A[i][j] = (i * 37 + j * 11) % 101 - 50;
    printf("%g\n", f(1));
}
`
	_, err := exec.LookPath("gcc")
	compiled := err == nil
	if !compiled {
		t.Log("without gcc what changes compute is not compared: apt-get install gcc libc6-dev")
	}
	for statement, of := range map[string]struct{ legal, rounds bool }{
		"s += A[i][j];":                                       {true, true},
		"s = s + A[i][j] * A[i][j];":                          {true, true},
		"if (A[i][j] > s) s = A[i][j];":                       {true, false},
		"if (s < A[i][j]) { s = A[i][j]; }":                   {true, false},
		"if (A[i][j] <= s) s = A[i][j];":                      {true, false},
		"s = A[i][j] > s ? A[i][j] : s;":                      {true, false},
		"s = (s > A[i][j]) ? A[i][j] : s;":                    {true, false},
		"s = fmax(s, fabs(A[i][j]));":                         {true, false},
		"s = fmin(A[i][j], s);":                               {true, false},
		"s = MAX(A[i][j], s);":                                {true, false},
		"{ if (A[i][j] > s) s = A[i][j]; u += A[i][j]; }":     {true, true},
		"if (A[i][j] > s) s = A[i][j] + 1;":                   {false, false},
		"if (A[i][j] > s) s = A[j % 40][i];":                  {false, false},
		"if (A[i][j] > s) s = A[i][j]; else s = s - 1;":       {false, false},
		"if (A[i][j] > s) u = A[i][j];":                       {false, false},
		"s = A[i][j] > s ? s + 1 : A[i][j];":                  {false, false},
		"s = fmax(s + 1, A[i][j]);":                           {false, false},
		"s = fmax(A[i][j], u);":                               {false, false},
		"{ if (A[i][j] > s) s = A[i][j]; u = s; }":            {false, false},
		"{ if (A[i][j] > s) s = A[i][j]; s = fmin(s, u); }":   {false, false},
		"if (A[i][j] > s && i > 3) s = A[i][j];":              {false, false},
		"{ if (A[i][j] > s) s = A[i][j]; if (s > 7) u += 1;}": {false, false},
	} {
		source := strings.Replace(text, "STATEMENT", statement, 1)
		u, err := csource.Load("f.c", []byte(source), csource.Options{Regions: []string{"f"}})
		if err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		s := transform.NewSource("f.c", source, u.Programs)
		var all []*transform.Change
		for _, l := range s.Roots() {
			if len(l.Band()) == 2 && strings.Contains(s.TextOf(l), statement) {
				all = append(all, s.Interchanges(l)...)
			}
		}
		switch {
		case len(all) > 0 != of.legal:
			t.Errorf("%s: %d interchanges", statement, len(all))
		case of.legal && all[0].Reorders != of.rounds:
			t.Errorf("%s: rounds otherwise: %v", statement, all[0].Reorders)
		case of.legal && compiled:
			if before, after := printed(t, source), printed(t, all[0].Text); before != after {
				t.Errorf("%s: %s instead of %s with\n%s", statement, after, before, all[0].Text)
			}
		}
	}
}

// printed is what a program in C prints.
func printed(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	file, program := filepath.Join(dir, "f.c"), filepath.Join(dir, "f")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "gcc", "-w", "-o", program, file, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), program).Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}
