package csource_test

import (
	"slices"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// Elements of small arrays that data choose are taken in turn, which is said; what chooses them is read as well. Of large arrays they keep being refused, and
// numbers that are looked up are none of those in turn.
func TestSmallTables(t *testing.T) {
	const frame = `static unsigned char img[64][64]; static int hist[256], few[4], perm[8], large[8192]; static double lut[3][16], sum;
void f(const int *key, const int *wide) {
BODY
}
int main(void) { static int key[4096], other[8192]; f(key, other); return 0; }
`
	for body, want := range map[string]int64{
		"for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) hist[img[i][j]]++;":                                            64 * 64 * 3,
		"for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) { int k = img[i][j] >> 6; sum += lut[i % 3][k]; }":             64 * 64 * 2, // sum is in a register
		"for (int i = 0; i < 4096; i++) { few[key[i] & 3] += key[i]; }":                                                           4096 * 4,
		"for (int i = 0; i < 4096; i++) for (int k = 0; k < 2; k++) few[perm[key[i]]] = k;":                                       4096 * 2 * 3,
		"for (int i = 4095; i >= 0; i--) { int k = key[i]; if (k > 3) few[k & 3]--; }":                                            4096 * 3,
		"for (int i = 0; i < 4096; i++) { double x = sum * 0.25; int k = (int)(x * 4); few[k]++; sum += 1; }":                     4096 * 2,
		"for (int i = 0; i < 4096; i++) large[key[i]] = 0;":                                                                       -1,
		"few[key[0]] = 1; for (int i = 0; i < 4096; i++) large[i] = 0;":                                                           4096,
		"for (int i = 0; i < 4096; i++) { few[key[i]] = i; large[i] = few[0]; }":                                                  4096 * 4,
		"for (int i = 0; i < 64; i++) { few[key[i]] = 2; for (int j = 0; j < few[0]; j++) large[j] = 0; }":                        -1,
		"for (int i = 0; i < 64; i++) { few[key[i] % 4] = 1; large[few[2]] = 0; }":                                                -1,
		"for (int i = 0; i < 64; i++) few[i] = wide[key[i] & 7];":                                                                 64 * 3,
		"for (int i = 0; i < 64; i++) few[i & 3] = wide[img[i][0]] + wide[(unsigned)key[i] >> 24];":                               64 * 5,
		"for (int i = 0; i < 64; i++) few[i & 3] = wide[key[i] / 7];":                                                             -1,
		"for (int i = 0; i < 64; i++) hist[img[i][0]]++; for (int i = 0; i < 64; i++) for (int j = 0; j < 8; j++) large[j] += i;": 64*3 + 64*8*2,
	} {
		src := strings.Replace(frame, "BODY", body, 1)
		u, err := csource.Load("a.c", []byte(src), csource.Options{Regions: []string{"f"}})
		switch {
		case want < 0 && err == nil && len(u.Programs[0].Left) == 0:
			t.Errorf("%s: all is read", body)
		case want < 0:
		case err != nil:
			t.Errorf("%s: %v", body, err)
		default:
			n := accessesOf(t, u.Programs[0])
			said := slices.ContainsFunc(u.Programs[0].Warnings, func(w string) bool { return strings.Contains(w, "are taken to be used in turn") })
			if left := len(u.Programs[0].Left); n != want || !said && left == 0 {
				t.Errorf("%s: %d accesses, want %d; %v, %d parts left out", body, n, want, u.Programs[0].Warnings, left)
			}
		}
	}
}

// Of the arms of an if that data decide one is run: what both do is counted once, and what the condition has read is in a register.
func TestArmsOfData(t *testing.T) {
	const frame = "static double a[100], b[100], x, y; static int k[100];\nvoid f(void) {\nfor (int i = 1; i < 99; i++) { BODY }\n}\n"
	for body, want := range map[string]int64{
		"if (k[i] > 3) b[i] = 1; else b[i] = 2;":                         2,
		"if (a[i] > x) x = a[i];":                                        1,
		"if (a[i] > 3) { b[i] = a[i]; a[i] = 0; b[i - 1] = a[i]; }":      5, // a[i] is read again behind the store
		"if (a[i] > 3) b[i] = a[i]; else b[i] = a[i] + 1;":               2,
		"if (k[i]) { b[i] = a[i]; } else { b[i] = a[i - 1]; a[i] = 1; }": 5,
		"if (k[i]) { b[i] += 1; b[i] += 2; } else b[i] += 3;":            5,
	} {
		u, err := csource.Load("a.c", []byte(strings.Replace(frame, "BODY", body, 1)), csource.Options{})
		if err != nil {
			t.Errorf("%s: %v", body, err)
			continue
		}
		if n := accessesOf(t, u.Programs[0]); n != 98*want {
			t.Errorf("%s: %.2f accesses an iteration, want %d", body, float64(n)/98, want)
		}
	}
}

// What a call gives a parameter of floating-point type decides conditions, and so does NULL.
func TestRealsAndNull(t *testing.T) {
	const text = `
static const double one = 1.0;
static void axpby(int n, double a, double b, const double *x, double *y) {
  if (b == 0)
    for (int i = 0; i < n; i++) y[i] = a * x[i];
  else if (b != one)
    for (int i = 0; i < n; i++) y[i] = b * y[i] + a * x[i];
  else
    for (int i = 0; i < n; i++) y[i] += a * x[i];
}
static void half(int n, double b, double *x, double *y) { axpby(n, 1, b, x, y); if (b < -0.25) x[0] = 0; }
static void conv(int n, const double *x, double *y, const double *bias) {
  if (bias != 0) for (int i = 0; i < n; i++) y[i] += bias[i];
  for (int i = 0; i < n; i++) y[i] += x[i];
}
static void add(int n, double *y, const double *bias) {
  for (int i = 0; i < n; i++) y[i] += (bias ? bias[i] : 0) + (!bias || n < 5 ? 1 : bias[0]);
  if (bias) y[0] = 1;
  if (!bias && n) y[1] = y[2] = 1;
}
static void none(int n, double *x, double *y, double *bias) { conv(n, x, y, bias); }
static void tenth(int n, float b, double *x) { if (b == 0.1) for (int i = 0; i < n; i++) x[i] = 0; x[0] = 1; }
static void changed(int n, double b, double *x) { b = x[0]; if (b == 0) for (int i = 0; i < n; i++) x[i] = 0; }
void f(double *x, double *y, double *z) {
  for (int k = 0; k < 2; k++) {
    CALL
  }
}
int main(void) { static double x[100], y[100], z[100]; f(x, y, z); }
`
	for call, want := range map[string]int64{
		"axpby(100, 1, 0, x, y);":       200,
		"axpby(100, 1, -0.0, x, y);":    200,
		"axpby(100, 1, 1.0f, x, y);":    300,
		"axpby(100, 1, -1, x, y);":      300,
		"half(100, 0.0, x, y);":         200,
		"half(100, -0.5, x, y);":        301,
		"axpby(100, 2, z[0], x, y);":    1 + 300, // one of the three, the longest
		"conv(100, x, y, z);":           600,
		"conv(100, x, y, 0);":           300,
		"none(100, x, y, (double *)0);": 300,
		"none(100, x, y, z);":           600,
		"tenth(100, 0.1, x);":           1, // no float is a tenth
		"add(100, y, z);":               401,
		"add(100, y, 0);":               202,
		"changed(100, 1, x);":           101,
		"axpby(100, 1, 2 * 0.5, x, y);": 300,
		"conv(100, x, y, 0); conv(100, x, y, z); axpby(100, 1, 0, x, y); axpby(100, 1, 3, x, y);": 300 + 600 + 200 + 300,
	} {
		u, err := csource.Load("a.c", []byte(strings.Replace(text, "CALL", call, 1)), csource.Options{Regions: []string{"f"}})
		if err != nil {
			t.Errorf("%s: %v", call, err)
			continue
		}
		if n := accessesOf(t, u.Programs[0]); n != 2*want || len(u.Programs[0].Left) > 0 {
			t.Errorf("%s: %v accesses, want %d; left out: %v", call, float64(n)/2, want, u.Programs[0].Left)
		}
	}
}

// accessesOf is how many accesses a region makes on one thread.
func accessesOf(t *testing.T, p *nest.Program) int64 {
	t.Helper()
	s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s.Len()
}
