package csource

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/nest"
)

// Each file of a program is a unit of its own: its macros end with it, and what it calls static is not what another file calls so.
func TestUnitsOfTheirOwn(t *testing.T) {
	texts := map[string]string{
		"a.c": `
#define N 10
#define TWICE(x) ((x) * 2)
static double q[N];
static double pick(int i) { return q[i]; }
static int width = 3, height;
double shared[64];
void sum(double *out) { for (int i = 0; i < TWICE(N) - N; i++) out[i] = pick(i) + width; }
`,
		"b.c": `
#ifndef N
#define N 50
#endif
static double q[2 * N] = { 1, 2 }, other;
static double __attribute__((noinline)) pick(int i) { return q[2 * i] * q[i]; }
static int width = 7;
extern double shared[64];
void product(double *out) { for (int i = 0; i < N; i++) out[i] = pick(i) + width; }
`,
		"pick.c": `
double pick(int i) { return i; }
double height[5];
void last(double *out) { for (int i = 0; i < 5; i++) out[i] = height[i]; }
`,
	}
	dir := t.TempDir()
	paths := map[string]string{}
	for name, text := range texts {
		paths[name] = filepath.Join(dir, name)
		if err := os.WriteFile(paths[name], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	counts := func(o Options, names ...string) map[string]int64 {
		for _, n := range names[1:] {
			o.Others = append(o.Others, paths[n])
		}
		u, err := Load(paths[names[0]], nil, o)
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]int64{}
		for _, p := range u.Programs {
			s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 64})
			if err != nil {
				t.Fatal(err)
			}
			out[p.Region] = s.Len()
		}
		return out
	}
	for _, order := range [][]string{{"a.c", "b.c", "pick.c"}, {"b.c", "pick.c", "a.c"}, {"pick.c", "a.c", "b.c"}} {
		if got := counts(Options{}, order...); got["sum"] != 20 && got["sum"] != 30 || got["product"] < 150 || got["product"] > 200 || got["last"] != 10 {
			t.Errorf("%v: %v", order, got)
		}
		if got := counts(Options{Defines: []string{"N=20"}}, order...); got["product"] < 60 || got["product"] > 80 || got["sum"] < 40 || got["sum"] > 60 {
			t.Errorf("%v with N=20: %v", order, got)
		}
	}
	alone := map[string]int64{}
	for name := range texts {
		for region, n := range counts(Options{}, name) {
			alone[region] = n
		}
	}
	together := counts(Options{}, "a.c", "b.c", "pick.c")
	for region, n := range alone {
		if together[region] != n {
			t.Errorf("%s makes %d accesses alone, %d beside other files", region, n, together[region])
		}
	}
	for name, text := range map[string]string{
		"size.h": "#ifndef SIZE\n#define SIZE\nstruct size { int count; double *data; };\n#endif\n",
		"c.c":    "#include \"size.h\"\nstatic double count[30];\nvoid first(struct size *s) { for (int i = 0; i < 10; i++) s->data[i] = count[i]; }\n",
		"d.c":    "#include \"size.h\"\nstatic double count[40];\nvoid second(struct size *s) { s->count = 20; for (int i = 0; i < s->count; i++) s->data[i] = count[i]; }\n",
	} {
		paths[name] = filepath.Join(dir, name)
		if err := os.WriteFile(paths[name], []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, order := range [][]string{{"c.c", "d.c"}, {"d.c", "c.c"}} {
		if got := counts(Options{}, order...); got["first"] != 20 || got["second"] < 40 {
			t.Errorf("%v, where a header has members of the name: %v", order, got)
		}
	}
	twice := filepath.Join(dir, "twice.c")
	if err := os.WriteFile(twice, []byte("void sum(double *out) {\n out[0] = 1; }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Load(paths["a.c"], nil, Options{Others: []string{twice}})
	if err == nil || !strings.Contains(err.Error(), "twice.c:1:1: sum is defined here and at ") || !strings.Contains(err.Error(), "a.c:8:1") || !strings.Contains(err.Error(), "compare") {
		t.Errorf("two functions of one name: %v", err)
	}
}
