package compiled_test

import (
	"math"
	"strings"
	"testing"

	"foresee/application/csource"
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
