package predict_test

import (
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"foresee/application"
	"foresee/application/csource"
	"foresee/machine"
	"foresee/predict"
)

// predicted predicts regions of a C text on zen4 by a compiler's code, by region; no region: all.
func predicted(t *testing.T, text string, compiler []string, regions ...string) (map[string]predict.Prediction, []string) {
	t.Helper()
	if _, err := exec.LookPath(compiler[0]); err != nil {
		t.Skip("needs " + compiler[0])
	}
	u, err := csource.Load("a.c", []byte(text), csource.Options{Regions: regions})
	if err != nil {
		t.Fatal(err)
	}
	m, err := machine.Load("zen4")
	if err != nil {
		t.Fatal(err)
	}
	s := application.OfLoops("a.c", u.Programs...)
	s.Code = &application.Code{Name: "a.c", Text: []byte(text)}
	r, err := predict.Run(t.Context(), predict.Request{Signature: s, Machines: []*machine.Machine{m}, Threads: []int{1}, Compiler: compiler})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]predict.Prediction{}
	for _, p := range r.Predictions {
		out[p.Region] = p
	}
	return out, r.Warnings
}

// A function's code takes what it takes, whether the one that calls it is looked at as well or not; and the caller takes as long as its calls.
func TestCompiledRegionsWithinRegions(t *testing.T) {
	const text = `
static double a[4000], b[4000];
static void halve(int n) {
    for (int i = 0; i < n; i++)
        a[i] = b[i] / (a[i] + 3);
}
int main(void) {
    for (int t = 0; t < 30; t++)
        halve(4000);
    return a[3] > 1;
}
`
	compiler := []string{"gcc", "-O2"}
	alone, _ := predicted(t, text, compiler, "halve")
	both, warnings := predicted(t, text, compiler, "halve", "main")
	seconds := func(p predict.Prediction) float64 { return p.Terms.ComputeS }
	if a, b := seconds(alone["halve"]), seconds(both["halve"]); math.Abs(a/b-1) > 0.01 {
		t.Errorf("halve takes %v s by itself and %v s beside main; %v", a, b, warnings)
	}
	if calls, all := 30*seconds(alone["halve"]), seconds(both["main"]); math.Abs(calls/all-1) > 0.02 {
		t.Errorf("30 calls of halve take %v s, main %v s", calls, all)
	}
}

// Where a compiler interchanges loops, hits are those of its order.
func TestCompiledOrder(t *testing.T) {
	text := func(outer, inner string) string {
		loop := func(v string) string { return "for (int " + v + " = 0; " + v + " < 700; " + v + "++)\n" }
		return "static double A[700][700], B[700][700];\nvoid columns(void) {\n" + loop(outer) + loop(inner) + "A[i][j] += B[i][j] * 2;\n}\nint main(void) { columns(); return A[3][4] > 1; }\n"
	}
	said := func(warnings []string) bool {
		return slices.ContainsFunc(warnings, func(w string) bool { return strings.Contains(w, "a.c:3: gcc interchanges loops here") })
	}
	compiler := []string{"gcc", "-O3", "-march=x86-64-v3"}
	rows, warnings := predicted(t, text("i", "j"), compiler, "columns")
	if said(warnings) {
		t.Error(warnings)
	}
	columns, warnings := predicted(t, text("j", "i"), compiler, "columns")
	if !said(warnings) {
		t.Errorf("nothing is said of loops that are interchanged: %v", warnings)
	}
	plain, warnings := predicted(t, text("j", "i"), []string{"gcc", "-O2"}, "columns")
	if said(warnings) {
		t.Error(warnings)
	}
	hits := func(p map[string]predict.Prediction) float64 { return p["columns"].HitRates[0].HitRate }
	if r, c := hits(rows), hits(columns); math.Abs(r-c) > 1e-3 {
		t.Errorf("%v hit by rows, %v where the compiler interchanges", r, c)
	}
	if c, p := hits(columns), hits(plain); p > c-0.1 {
		t.Errorf("%v hit where the compiler interchanges, %v where it does not", c, p)
	}
	if r, c := *rows["columns"].TimeS, *columns["columns"].TimeS; math.Abs(r/c-1) > 0.1 {
		t.Errorf("%v s by rows, %v s where the compiler interchanges", r, c)
	}
}

// Where a compiler does several iterations of a loop around others at a time, hits and misses by array are those of a source in which that is written out.
func TestCompiledTurns(t *testing.T) {
	const frame = "static double A[400][400], x[400], y[400];\nvoid columns(void)\n{\nfor (int j = 0; j < 400; j STEP)\nfor (int i = 0; i < 400; i++)\nBODY\n}\nint main(void) { columns(); return x[3] > 1; }\n"
	text := func(step, body string) string {
		return strings.NewReplacer("STEP", step, "BODY", body).Replace(frame)
	}
	lanes, warnings := predicted(t, text("++", "x[j] = x[j] + A[i][j] * y[i];"), []string{"gcc", "-O2"}, "columns")
	if !slices.ContainsFunc(warnings, func(w string) bool {
		return strings.Contains(w, "a.c:4: gcc does several iterations of this loop at a time")
	}) {
		t.Errorf("nothing is said of iterations that are done at a time: %v", warnings)
	}
	scalar, _ := predicted(t, text("++", "x[j] = x[j] + A[i][j] * y[i];"), []string{"gcc", "-O2", "-fno-tree-vectorize"}, "columns")
	written, _ := predicted(t, text("+= 2", "{ x[j] = x[j] + A[i][j] * y[i]; x[j + 1] = x[j + 1] + A[i][j + 1] * y[i]; }"), []string{"gcc", "-O2", "-fno-tree-vectorize"}, "columns")
	a, b, apart := lanes["columns"], written["columns"], scalar["columns"]
	if a.Accesses != apart.Accesses {
		t.Errorf("%d accesses, %d one by one", a.Accesses, apart.Accesses)
	}
	for i := range a.HitRates {
		if math.Abs(a.HitRates[i].HitRate-b.HitRates[i].HitRate) > 2e-3 {
			t.Errorf("level %d: %v hit in lanes, %v where it is written out, %v one by one", i, a.HitRates[i].HitRate, b.HitRates[i].HitRate, apart.HitRates[i].HitRate)
		}
	}
	if a.HitRates[0].HitRate < apart.HitRates[0].HitRate+0.1 {
		t.Errorf("%v hit in lanes, %v one by one", a.HitRates[0].HitRate, apart.HitRates[0].HitRate)
	}
	for i := range a.Arrays {
		for l, m := range a.Arrays[i].Misses {
			if w := b.Arrays[i].Misses[l]; a.Arrays[i].Array != b.Arrays[i].Array || math.Abs(float64(m-w)) > 0.02*float64(w)+200 {
				t.Errorf("%s lacks %d lines in level %d, %s %d where it is written out", a.Arrays[i].Array, m, l, b.Arrays[i].Array, w)
			}
		}
	}
}
