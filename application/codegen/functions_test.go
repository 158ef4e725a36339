package codegen

import (
	"slices"
	"testing"

	"foresee/application/csource"
)

// TestFunctions has functions of C that gcc makes instructions of, and such that it calls: ours makes the same calls, and otherwise about as many
// instructions an iteration, counted in gcc 12's code, besides what counts iterations; copies of vectors are in ours.
func TestFunctions(t *testing.T) {
	for name, x := range map[string]struct {
		typ, of, called string
		gcc             int
	}{
		"floor": {"double", "floor(a[i])", "", 13}, "ceil of floats": {"float", "ceilf(a[i])", "", 13}, "trunc": {"double", "trunc(a[i])", "", 10}, "rint": {"double", "rint(a[i])", "", 9},
		"round": {"double", "round(a[i])", "round", 0}, "larger": {"double", "fmax(a[i], 0.5)", "fmax", 0}, "next integer": {"double", "lrint(a[i])", "lrint", 0},
		"exp of floats": {"float", "expf(a[i])", "expf", 0}, "absolute": {"double", "fabs(a[i])", "", 3},
	} {
		t.Run(name, func(t *testing.T) {
			source := "#include <math.h>\nvoid kernel(" + x.typ + " *a, " + x.typ + " *b, int n) { for (int i = 0; i < n; i++) b[i] = " + x.of + "; }\n"
			u, err := csource.Load("loop.c", []byte(source), csource.Options{Defines: []string{"n=1001"}})
			if err != nil {
				t.Fatal(err)
			}
			c, err := Make(u.Programs[0], Plain)
			if err != nil {
				t.Fatal(err)
			}
			var calls []string
			for _, called := range c.Calls {
				if called != "" {
					calls = append(calls, called)
				}
			}
			if slices.Sort(calls); x.called == "" && len(calls) > 0 || x.called != "" && (len(calls) == 0 || calls[0] != x.called) {
				t.Errorf("calls %q, want %q", calls, x.called)
			}
			if own := besidesCopies(ownRound(c)); x.called == "" && (own < x.gcc-1 || own > x.gcc+3) {
				t.Errorf("%d instructions an iteration, of gcc %d\n%s", own, x.gcc, c.Text())
			}
		})
	}
}
