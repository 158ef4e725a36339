package csource_test

import (
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
)

// mixed has a parallel function, one that it calls, a serial one, and one that prepares.
const mixed = `static double a[100], b[100];
static void part(void) { for (int i = 0; i < 100; i++) b[i] = 1; }
void par(void) {
    part();
#pragma omp parallel for
    for (int i = 0; i < 100; i++) a[i] += 1;
}
void serial(void) { for (int i = 0; i < 100; i++) b[i] += a[i]; }
void init_data(void) { for (int i = 0; i < 100; i++) a[i] = i; }
int main(void) { init_data(); par(); serial(); for (int i = 0; i < 100; i++) a[i] = 0; return a[3] > 1; }
`

// TestSerialBesideParallel: pragmas of OpenMP do not make what is serial vanish; a name kernel_… and scop choose.
func TestSerialBesideParallel(t *testing.T) {
	for _, x := range []struct{ text, want string }{
		{mixed, "par serial"},
		{strings.ReplaceAll(mixed, "par(void)", "kernel_par(void)"), "kernel_par"},
		{strings.Replace(mixed, "    part();", "#pragma scop\n    part();\n#pragma endscop", 1), "par"},
	} {
		u, err := csource.Load("a.c", []byte(strings.ReplaceAll(x.text, " par();", "")), csource.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range u.Programs {
			got = append(got, p.Region)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != x.want {
			t.Errorf("regions %v, want %s", got, x.want)
		}
	}
}
