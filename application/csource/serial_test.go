package csource_test

import (
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
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

// TestShortLoopsInParallel: loops within a worksharing loop are followed value by value as they are elsewhere: tables of numbers, sizes that double, arrays
// that wrap around.
func TestShortLoopsInParallel(t *testing.T) {
	const text = `static const int cx[5] = {0, 1, 0, -1, 0}, cy[5] = {0, 0, 1, 0, -1};
static double from[5][64][64], to[5][64][64], sum[64];
void step(void) {
PRAGMA
    for (int y = 1; y < 63; y++)
        for (int x = 1; x < 63; x++) {
            double all = 0;
            for (int q = 0; q < 5; q++)
                all += from[q][y - cy[q]][x - cx[q]];
            for (int q = 0; q < 5; q++)
                to[q][y][x] = all;
            for (int h = 1; h < 64; h *= 2)
                sum[h] += all;
        }
}`
	for _, pragma := range []string{"", "#pragma omp parallel for", "#pragma omp parallel for collapse(2)"} {
		u, err := csource.Load("a.c", []byte(strings.Replace(text, "PRAGMA", pragma, 1)), csource.Options{})
		if err != nil {
			t.Errorf("%q: %v", pragma, err)
			continue
		}
		if n, want := accessesOf(t, u.Programs[0]), int64(62*62*(5+5+6*2)); n != want {
			t.Errorf("%q: %d accesses, want %d", pragma, n, want)
		}
	}
}

// TestTablesInRegisters: a number of a table that the source tells is no access, whether it stands in a subscript, is put into a variable or is computed with;
// one that is written with a subscript which varies is one.
func TestTablesInRegisters(t *testing.T) {
	const text = `static const int cx[5] = {0, 1, 0, -1, 0}, at[2][2] = {{1, 2}, {-1, 0}};
static double from[64][64], to[64][64];
static int many[64];
void f(void) {
    for (int y = 2; y < 62; y++)
        for (int x = 2; x < 62; x++) {
            double all = 0;
            BODY
            to[y][x] = all;
        }
}`
	for body, want := range map[string]int64{
		"for (int q = 0; q < 5; q++) all += from[y][x - cx[q]];":                                               5,
		"for (int q = 0; q < 5; q++) { int i = x - cx[q]; all += from[y][i]; }":                                5,
		"for (int q = 0; q < 5; q++) { double v = from[y][x - cx[q]]; all += cx[q] * v; }":                     5,
		"for (int q = 0; q < 2; q++) { const int i = at[q][0], j = at[q][1]; all += i * from[y + i][x + j]; }": 2,
		"int way[3] = {-1, 0, 1}; for (int q = 0; q < 3; q++) { int i = x + way[q]; all += from[y][i]; }":      3 + 3,
		"many[x] = y; all += many[x];": 2,
	} {
		u, err := csource.Load("a.c", []byte(strings.Replace(text, "BODY", body, 1)), csource.Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if n := accessesOf(t, u.Programs[0]) - 60*60; n != 60*60*want {
			t.Errorf("%s: %.3f accesses an iteration, want %d", body, float64(n)/3600, want)
		}
	}
}

// TestStale: what an iteration, or a function that is not followed, may have changed is not taken to be what it was.
func TestStale(t *testing.T) {
	const before = `typedef struct { int k, n[4]; double x[100]; } state;
static double a[4000], b[200];
static state all;
static int size;
int seen;
extern void other(void), later(void (*)(void));
static void setup(void) { size = 100; all.k = 100; }
void change(void) { size++; seen++; all.k++; }
static void count(state *s) { s->n[0]++; }
static void (*table[2])(void);
`
	for body, want := range map[string]string{
		"void f(state *s) { s->n[0] = 0; for (int i = 0; i < 50; i++) { s->n[(int)b[i] & 1] += 1; a[s->n[0]] = 1; } }": "depends on data",
		"int main(void) { other(); for (int i = 0; i < seen; i++) a[i] = 1; return 0; }":                               "the value of seen is not known",
		"int main(void) { later(change); for (int i = 0; i < size; i++) a[i] = 1; return 0; }":                         "the value of size is not known",
		"int main(int c, char **v) { table[c](); for (int i = 0; i < all.k; i++) a[i] = 1; return 0; }":                "is not known",
	} {
		region := "f"
		if strings.Contains(body, "main") {
			region = "main"
		}
		if _, err := csource.Load("a.c", []byte(before+body), csource.Options{Regions: []string{region}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot %v, want %s", body, err, want)
		}
	}
}

// TestSteppedMembers: an integer in a structure that iterations, or functions that they call, step has the value of its iteration, and of the last one behind
// the loop.
func TestSteppedMembers(t *testing.T) {
	const before = `typedef struct { int k, n[4]; } state;
static double a[200], b[200];
static void count(state *s) { s->n[1]++; }
`
	for step, by := range map[string]int64{
		"s->n[1] += 1": 1, "s->n[1] = s->n[1] + 1": 1, "count(s)": 1, "s->n[1] = s->n[1] + 3": 3, "count(s); s->n[1]++": 2,
	} {
		body := "void f(state *s) { s->n[1] = 0; for (int i = 0; i < 50; i++) { " + step + "; a[s->n[1]] = 1; } for (int i = 0; i < s->n[1]; i++) b[i] = 1; }"
		u, err := csource.Load("a.c", []byte(before+body), csource.Options{Regions: []string{"f"}})
		if err != nil {
			t.Errorf("%s: %v", step, err)
			continue
		}
		s, err := nest.NewStream(u.Programs[0], nest.Options{Threads: 1, Group: 1, Line: 8})
		if err != nil {
			t.Fatal(err)
		}
		places, behind := []int64{}, 0
		last := len(u.Programs[0].Objects) - 1 // b, which is used last
		s.Each(func(p nest.Place) bool {
			switch p.Object {
			case last:
				behind++
			case last - 1:
				places = append(places, p.Line)
			}
			return true
		})
		for i, p := range places {
			if p != by*int64(i+1) {
				t.Errorf("%s: a[%d] in iteration %d", step, p, i)
			}
		}
		if len(places) != 50 || int64(behind) != 50*by {
			t.Errorf("%s: %d and %d accesses", step, len(places), behind)
		}
	}
}

// TestBlocksOfMacros: do … while (0), as macros write it, is a block: what returns from it leaves no loop.
func TestBlocksOfMacros(t *testing.T) {
	const before = `int put(const char *);
#define CHECK(text, value) do { put(text); return value; } while (0)
#define ADD(x, y) do { if (x > 9) break; x += y; } while (0)
static double a[100], s;
`
	for text, want := range map[string]int64{
		"int f(int m) { if (m != 3) CHECK(\"m\", 1); for (int i = 0; i < 100; i++) a[i] *= 2; return 0; }":                                    200,
		"int f(int m) { for (int i = 0; i < 100; i++) { if (a[i] == 0) CHECK(\"0\", 1); for (int j = 0; j < 9; j++) a[j] *= 2; } return 0; }": 100 * 19,
		"void f(void) { for (int i = 0; i < 100; i++) ADD(s, a[i]); }":                                                                        100,
	} {
		u, err := csource.Load("a.c", []byte(before+text), csource.Options{})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if n := accessesOf(t, u.Programs[0]); n != want || len(u.Programs[0].Left) > 0 {
			t.Errorf("%s: %d accesses, want %d; left out: %v", text, n, want, u.Programs[0].Left)
		}
	}
}

// TestByAddress: integers that a function is given by their addresses, as f2c writes Fortran's, are taken by their names or asked for.
func TestByAddress(t *testing.T) {
	const text = `typedef int integer;
int scale_(integer *n, double *a, double *x, integer *incx) {
  integer i, i1;
  if (*incx != 1) return 0;
  --x;
  i1 = *n;
  for (i = 1; i <= i1; ++i) x[i] *= *a;
  return 0;
}
int first(const int *n, double *x) { for (int i = 0; i < n[0]; i++) x[i] = 0; return 0; }
int next(int *n, double *x) { for (int i = 0; i < *n; i++) x[i] = 0; *n += 1; return 0; }
int list(int *n, double *x) { for (int i = 0; i < *n; i++) x[n[i]] = 0; return 0; }
`
	for _, c := range []struct {
		region  string
		defines []string
		want    int64 // accesses
		err     string
	}{
		{"scale_", []string{"n=100", "incx=1"}, 3 * 100, ""},
		{"scale_", []string{"n[0]=100", "incx[0]=1"}, 3 * 100, ""},
		{"scale_", []string{"incx=1"}, 0, "the value of *n is not known; define it"},
		{"first", []string{"n=50"}, 50, ""},
		{"next", []string{"n=50"}, 0, "depends on data"},
		{"list", nil, 0, "depends on data"},
	} {
		u, err := csource.Load("a.c", []byte(text), csource.Options{Regions: []string{c.region}, Defines: c.defines})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s %v: %v, want %s", c.region, c.defines, err, c.err)
			}
		case err != nil:
			t.Errorf("%s %v: %v", c.region, c.defines, err)
		default:
			if n := accessesOf(t, u.Programs[0]); n != c.want {
				t.Errorf("%s %v: %d accesses, want %d", c.region, c.defines, n, c.want)
			}
		}
	}
}

// TestTimeSteps: loops that a number of floating point counts iterate as often as the program's arithmetic has it.
func TestTimeSteps(t *testing.T) {
	for _, c := range []struct {
		function string
		defines  []string
		want     int64 // iterations, as gcc's code has them
		err      string
	}{
		{"void f(void) { for (double t = 0; t < 2; t += 0.01) a[0] = 1; }", nil, 200, ""},
		{"void f(void) { double t; const double h = 2.0 / 1000; for (t = 1.0; t >= 0.0; t -= h) a[0] = 1; }", nil, 500, ""},
		{"void f(void) { for (float u = 0; u < 1; u += 0.1) a[0] = 1; }", nil, 10, ""},
		{"void f(double end, double dt) { for (double t = 0; end > t; t += dt) a[0] = 1; }", []string{"end=2", "dt=0.01"}, 200, ""},
		{"static void g(double end, double dt) { for (double t = 0; t < end; t += dt) a[0] = 1; }\nvoid f(void) { g(2.0, 0.01); }", nil, 200, ""},
		{"void f(double end) { for (double t = 0; t < end; t += 0.5) a[0] = 1; }", nil, 0, "the value of end is not known; define it, such as end=0.5"},
		{"void f(double dt) { for (double t = 0; t < 1; t += dt) { a[0] = 1; dt *= 0.9; } }", []string{"dt=0.1"}, 0, "not a known integer"},
		{"void f(int n) { for (int i = 0; i < n; i++) a[0] = 1; }", []string{"n=2.5"}, 0, "takes a whole number"},
	} {
		u, err := csource.Load("a.c", []byte("static double a[9];\n"+c.function), csource.Options{Regions: []string{"f"}, Defines: c.defines})
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s %v: %v, want %s", c.function, c.defines, err, c.err)
			}
		case err != nil:
			t.Errorf("%s %v: %v", c.function, c.defines, err)
		default:
			if n := accessesOf(t, u.Programs[0]); n != c.want {
				t.Errorf("%s %v: %d iterations, want %d", c.function, c.defines, n, c.want)
			}
		}
	}
}

// TestCopiedNumbers: memcpy of a number into a variable or out of one is one access.
func TestCopiedNumbers(t *testing.T) {
	const head = `#include <string.h>
#include <stdint.h>
static uint32_t get(const void *p) { uint32_t v; memcpy(&v, p, sizeof v); return v; }
static void put(void *p, uint64_t v) { memcpy(p, &v, 8); }
`
	for text, want := range map[string]int64{
		"uint32_t f(const unsigned char *p) { uint32_t h = 7; for (int i = 0; i + 4 <= 400; i += 4) h = h * 31 + get(p + i); return h; }":                                               100,
		"void f(unsigned char *p, uint64_t v) { for (int i = 0; i + 8 <= 800; i += 8) put(p + i, v + i); }":                                                                             100,
		"double f(const double *a) { double s = 0; for (int i = 0; i < 50; i++) { uint64_t u; memcpy(&u, &a[i], 8); u &= ~0ul >> 1; double x; memcpy(&x, &u, 8); s += x; } return s; }": 50,
	} {
		u, err := csource.Load("a.c", []byte(head+text), csource.Options{Regions: []string{"f"}})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if n := accessesOf(t, u.Programs[0]); n != want || len(u.Programs[0].Left) > 0 {
			t.Errorf("%s: %d accesses, want %d", text, n, want)
		}
	}
}
