package advise_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"foresee/advise"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
)

// beside walks down a column of an array in one function, and works on all of its rows in another one.
const beside = `#define N 1000
static double a[N][N], b[N][N];
void column(void) { for (int i = 0; i < N; i++) a[i][0] += 1; }
void rows(void) { for (int t = 0; t < 3; t++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) b[i][j] += a[i][j]; }
`

func regionsOf(t *testing.T, text string) []advise.Region {
	t.Helper()
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	r, err := advise.Run(context.Background(), advise.Request{Name: "a.c", Folder: t.TempDir(), Text: text, Machine: m, Threads: []int{1}, Options: predict.Options{Seed: 1}, Most: 30})
	if err != nil {
		t.Fatal(err)
	}
	return r.Regions
}

// TestOthersPayForALayout: an array that is stored for one function is not, where another one loses more; also where that one is no region, as others are marked.
func TestOthersPayForALayout(t *testing.T) {
	for _, text := range []string{beside, strings.Replace(beside, "column", "kernel_column", 1)} {
		r := regionsOf(t, text)[0]
		for _, c := range r.Changes {
			if c.Change == "transposed array" {
				t.Errorf("%s: %+v", c.Title, c.Everywhere)
			}
		}
		if !strings.Contains(strings.Join(r.Apart, "\n"), "store a transposed: not advised") || !strings.Contains(strings.Join(r.Apart, "\n"), "but rows takes") {
			t.Errorf("apart %v", r.Apart)
		}
	}
}

// TestALayoutGainsInAll: the gain is that of the sum of the times, and that of another function is told.
func TestALayoutGainsInAll(t *testing.T) {
	columns := strings.Replace(beside, "b[i][j] += a[i][j]", "b[i][j] += a[j][i]", 1)
	found := false
	for _, r := range regionsOf(t, columns) {
		for _, c := range r.Changes {
			if c.Title != "store a transposed" || r.Region != "column" {
				continue
			}
			found = true
			e := c.Everywhere
			if e == nil || len(e.Others) != 1 || e.Others[0].Region != "rows" || e.Others[0].AfterS >= e.Others[0].BeforeS {
				t.Fatalf("everywhere %+v", e)
			}
			before, after := r.Before[0].TimeS+e.Others[0].BeforeS, c.After[0].TimeS+e.Others[0].AfterS
			if math.Abs(e.BeforeS-before) > 1e-12 || math.Abs(e.AfterS-after) > 1e-12 || math.Abs(c.Gain-before/after) > 1e-9 {
				t.Errorf("%g s → %g s, gain %g; the sums are %g and %g", e.BeforeS, e.AfterS, c.Gain, before, after)
			}
		}
	}
	if !found {
		t.Error("no array is stored transposed")
	}
}

// TestWhatCannotBeReadIsACondition: a function that uses the array by subscripts from data has no time, and stands in the way as a condition.
func TestWhatCannotBeReadIsACondition(t *testing.T) {
	text := strings.Replace(beside, "for (int t = 0; t < 3; t++) for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) b[i][j] += a[i][j];",
		"for (int i = 0; i < N; i++) b[i][0] += a[p[i]][i];", 1) + "int p[N];\n"
	text = strings.Replace(text, "void column", "extern int p[N];\nvoid column", 1)
	for _, c := range regionsOf(t, text)[0].Changes {
		if c.Title == "store a transposed" {
			if !strings.Contains(strings.Join(c.Conditions, "\n"), "if rows, of which no time is predicted") {
				t.Errorf("conditions %v", c.Conditions)
			}
			return
		}
	}
	t.Error("the array is not stored transposed")
}

// TestACallerHoldsItsCallees: what a function does that another one calls counts once, in the caller.
func TestACallerHoldsItsCallees(t *testing.T) {
	text := strings.Replace(beside, "b[i][j] += a[i][j]", "b[i][j] += a[j][i]", 1) + "void all(void) { for (int i = 0; i < N; i++) b[i][i] = 0; column(); rows(); }\n"
	for _, r := range regionsOf(t, text) {
		for _, c := range r.Changes {
			if c.Title == "store a transposed" && r.Region == "column" {
				if e := c.Everywhere; e == nil || len(e.Others) != 1 || e.Others[0].Region != "all" || e.BeforeS != e.Others[0].BeforeS {
					t.Errorf("everywhere %+v", e)
				}
				return
			}
		}
	}
	t.Error("the array is not stored transposed")
}

// The changes of a function that main calls are those of its loops, whichever of the two is asked for.
func TestRegionsThatOthersCall(t *testing.T) {
	const text = "static double a[900][900], b[900][900];\nvoid columns(void) {\n    for (int i = 0; i < 900; i++)\n        for (int j = 0; j < 900; j++)\n            a[j][i] += b[j][i];\n}\n" +
		"int main(void) {\n    for (int t = 0; t < 6; t++)\n        columns();\n    return a[3][3] > 0;\n}\n"
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	for _, region := range []string{"columns", "main"} {
		r, err := advise.Run(t.Context(), advise.Request{
			Name: "a.c", Folder: t.TempDir(), Text: text, Source: csource.Options{Regions: []string{region}}, Machine: m, Threads: []int{1}, Options: predict.Options{Seed: 1}, Most: 12,
		})
		if err != nil {
			t.Fatal(err)
		}
		if all := r.Regions[0].Changes; len(all) == 0 || all[0].Change != "interchange" || all[0].Gain < 3 {
			t.Errorf("%s: %+v", region, all)
		}
	}
}
