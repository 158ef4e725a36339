package instrument

import (
	"strings"
	"testing"
)

// TestReductionsOf tells the reductions whose copies begin with what changes nothing from those that count the threads.
func TestReductionsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		declare, use string
		cxx, decides bool
	}{
		{"(add : double : omp_out += omp_in) initializer(omp_priv = 0)", "reduction(add : s)", false, false},
		{"(add : double, float : omp_out += omp_in) initializer ( omp_priv = 0.0f )", "reduction ( default , add : s)", true, false},
		{"(add : double : omp_out += omp_in) initializer(omp_priv = 5)", "reduction(add : s)", false, true},
		{"(add : double : omp_out += omp_in) initializer(omp_priv = omp_orig)", "reduction(add : s)", false, true},
		{"(add : double : omp_out += omp_in) initializer(begin(&omp_priv))", "reduction(add : s)", false, true},
		{"(add : double : omp_out += omp_in) initializer(omp_priv = 5)", "reduction(+ : s)", false, false},
		{"(add : double : omp_out += omp_in) initializer(omp_priv = 5)", "for", false, false},
		{"(times : double : omp_out *= omp_in) initializer(omp_priv = 1.0)", "for reduction(times : s)", false, false},
		{"(times : double : omp_out *= omp_in) initializer(omp_priv = 2)", "for reduction(times : s)", false, true},
		{"(times : double : omp_out *= omp_in)", "for reduction(times : s)", false, true},
		{"(both : struct v : omp_out.x += omp_in.x, omp_out.y[2] += omp_in.y[2])", "reduction(both : v)", false, false},
		{"(both : struct v : omp_out.x += omp_in.x, omp_out.y += omp_in.y) initializer(omp_priv = {0, 0})", "reduction(both : v)", false, false},
		{"(both : struct v : omp_out.x += omp_in.x, omp_out.y += omp_in.y) initializer(omp_priv = (struct v){0, 1})", "reduction(both : v)", false, true},
		{"(both : struct v : omp_out.x += omp_in.y)", "reduction(both : v)", false, true},
		{"(most : struct v : omp_out = omp_in.x > omp_out.x ? omp_in : omp_out)", "reduction(most : v)", false, true},
		{"(+ : vector : omp_out += omp_in)", "reduction(+ : v)", true, true},
		{"(+ : std::complex<double> : omp_out += omp_in)", "reduction(+ : v)", true, false},
		{"(my::join : std::vector<int> : omp_out.insert(omp_out.end(), omp_in.begin(), omp_in.end()))", "task in_reduction(my::join : v)", true, true},
	} {
		source := "# 1 \"x/a.c\"\n#pragma omp declare reduction " + c.declare + "\nint main(void) {\n#pragma omp parallel " + c.use + "\n}\n"
		got, want := ReductionsOf(source, c.cxx), ""
		if c.decides {
			name, _, _ := strings.Cut(strings.TrimPrefix(c.declare, "("), " :")
			want = "A\ta.c\t3\treduction(" + lastName(name) + ")\t!\n"
		}
		if got != want {
			t.Errorf("%s, %s: %q, want %q", c.declare, c.use, got, want)
		}
	}
}

// FuzzReductionsOf reads anything, and writes what ReadFlow takes.
func FuzzReductionsOf(f *testing.F) {
	f.Add("#pragma omp declare reduction(a : int : omp_out += omp_in) initializer(omp_priv = 1)\n#pragma omp for reduction(a : x)\n", true)
	f.Add("# 1 \"a\tb.c\"\n#pragma omp declare reduction(:::\n#pragma omp reduction reduction(((", false)
	f.Fuzz(func(t *testing.T, source string, cxx bool) {
		if _, err := ReadFlow(ReductionsOf(source, cxx)); err != nil {
			t.Fatal(err)
		}
	})
}
