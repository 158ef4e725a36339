package csource

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ends holds loops by how they end, and subscripts made of bits; each group is one function with n = 50 and m = 30.
var ends = map[string][]string{
	"numbered": {
		"int i; for (i = 0;; i++) { if (i >= n) break; a[i] = 1; }",
		"int i = 0; while (1) { if (i == n) break; a[i] = 1; i++; }",
		"int i = 0; for (;;) { a[i] = 1; i++; if (i >= n) break; b[i] = 2; }",
		"for (int i = 0; i < n; i++) { switch (i % 3) { case 0: continue; case 1: a[i] = 1; break; default: b[i] = 1; } c[0][i] = 1; }",
		"for (int i = 0; i < 2000; i++) { a[i] = 1; if (i == 500) goto out1; b[i] = 1; } out1: a[0] = 2;",
		"for (int i = 0; i < 2000; i++) { a[i] = 1; if (i == 500) break; b[i] = 1; }",
		"double *p = a, *q = a + n - 1; while (p < q) { double t = *p; *p++ = *q; *q-- = t; }",
		"int lo = 0, hi = n; while (lo < hi) { a[lo] = a[hi]; lo += 2; hi -= 1; }",
		"int i = 0, j = n; for (;;) { if (i >= j) break; a[i] = b[j]; i += 2; j--; if (j == 30) break; }",
		"int i = 0; while (i < n) { a[i] = 1; if (i > 20 && i < 30) break; i++; }",
	},
	"broken": {
		"for (int i = 0; i < n; i++) { if (i >= 20) { a[i] = 0; break; } b[i] = 1; }",
		"for (int i = 0; i < n; i++) { if (i < 3) continue; if (i > 40) break; a[i] = 1; }",
		"for (int i = 0; i < n; i++) { a[i] = 1; if (2 * i >= n) break; }",
		"for (int i = 0; i < n; i++) { int j; for (j = i; j < m; j++) if (j == i + 3) break; a[j] = 1; }",
		"for (int i = 0; i < n; i++) { if (i == 20) { goto skip; } a[i] = 1; skip: b[i] = 1; }",
		"for (int i = n - 1; i >= 0; i--) { a[i] = 1; if (i == 10) break; b[i] = 1; }",
		"for (int i = 0; i < n; i += 3) { a[i] = 1; if (i == 10) break; if (i == 21) break; b[i] = 1; }",
		"for (int i = 0; i < n; i++) { if (i == 3) { b[i] = 1; continue; } if (i == 30) { b[i] = 2; break; } a[i] = 1; }",
		"for (int i = 0; i < n; i++) { int j = 0; while (1) { if (j > i) break; if (j == 20) { b[j] = 1; break; } a[j] += 1; j++; } }",
		"int k = 0; for (int i = 0; i < n; i++) { if (i > 30) { if (i == 35) break; b[i] = 1; } a[i] = 1; }",
		"for (int i = 0; i < n; i++) { if (i >= 20) return; b[i] = 1; }",
	},
	"do": {
		"int k = 0, i = 0; do { a[i] = 1; i++; } while (i < k);",
		"int k = 1, i = 0; do { a[i] = 1; i++; } while (k == 0);",
		"int k = 0; for (int t = 0; t < 10; t++) { int i = t; do { a[i] = 1; i++; } while (k); }",
		"for (int t = 0; t < 10; t++) { int i = t; do { a[i] = 1; } while (i++ < 4); }",
		"int i = n; do { a[i] = 1; } while (i--);",
		"int i = n; do { a[i] = 1; } while (--i);",
		"int i = 0; do { a[i] = 1; if (i == 7) break; i++; } while (i < n);",
	},
	"converging": {
		"int it = 0; while (sqrt(e) > -1 && it < 6) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; it++; }",
		"int it = 0; while (it < 6 && fabs(e) + a[0] > -1) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; it++; }",
		"int it = 0; do { for (int i = 1; i < n; i++) a[i] = a[i - 1]; it++; } while (sqrt(e) > -1 && it < 6);",
		"int it = 0; do { for (int i = 1; i < n; i++) a[i] = a[i - 1]; } while (norm(b, n) > -1 && ++it < 6);",
		"int it = 0; do { for (int i = 1; i < n; i++) a[i] = a[i - 1]; } while (sqrt(e) > -1 && it++ < 6);",
		"int it = 0; while (e > -1 && it++ < 6) for (int i = 1; i < n; i++) a[i] = a[i - 1];",
		"int it = 0; while (it++ < 6 && norm(a, n) > -1) for (int i = 1; i < n; i++) a[i] = a[i - 1];",
		"int it = 0; while ((e = norm(b, n)) > -1 && it < 6) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; ++it; }",
		"for (int it = 0; it < 6; it++) { if (sqrt(e) < -1) break; for (int i = 1; i < n; i++) a[i] = a[i - 1]; }",
		"int it = 0; double *u = a, *v = b; while (sqrt(e) > -1 && it < 6) { for (int i = 0; i < n; i++) v[i] = u[i]; double *t = u; u = v; v = t; it++; }",
		"int it = 0; double *u = a, *v = b; while (norm(u, n) > -1 && it < 60) { for (int i = 0; i < n; i++) v[i] = u[i]; double *t = u; u = v; v = t; it++; }",
		"int it = 0; double *u = a, *v = b; while (e > -1 && it++ < 61) { for (int i = 0; i < n; i++) v[i] = u[i]; double *t = u; u = v; v = t; }",
		"int cur = 0; for (int it = 0; it < 6 && sqrt(e) > -1; it++) { for (int i = 0; i < n; i++) c[1 - cur][i] = c[cur][i]; cur = 1 - cur; }",
		"int it = 0; while (sweep(a, n) > -1 && it < 6) it++;",
	},
	"numbers": {
		"int l = 0; while ((1 << l) < n) l++; for (int s = 1; s <= l; s++) for (int i = 0; i < (1 << s); i++) a[i] += 1;",
		"int k = 1; for (int i = 0; i < 5; i++) k *= 2; for (int i = 0; i < k; i++) a[i] = 1;",
		"for (int i = 0; i < gcd(n, 20); i++) a[i] = 1;",
		"int l = ilog2(n); for (int k = 0; k < l; k++) for (int i = 0; i < (n >> k); i++) b[i] += 1;",
		"int k = power(2, 5); for (int i = 0; i < k; i++) a[i] = 1;",
		"printf(\"%g\\n\", norm(a, n)); int k = 3; do { k = k % 2 ? 3 * k + 1 : k / 2; } while (k > 1 && k < 16); for (int i = 0; i < k; i++) a[i] = 1;",
		"many m = {50, a}; for (int i = 0; i < n; i++) ps[i].x = i; for (int i = 0; i < m.n; i++) m.x[i] = 1;",
	},
	"zero at the start": {
		"for (int t = 0; t < 7; t++) turn();",
		"at.n = 30; for (int t = 0; t < 7; t++) step(&at);",
	},
	"wrapping": {
		"for (unsigned i = n - 1; i < (unsigned)n; i--) a[i] = 1;",
		"for (unsigned long i = n - 1; i < n; --i) a[i] = 1;",
		"for (unsigned i = n; i != -1u; i--) a[i] = 1;",
		"for (unsigned char i = 9; i < 10; i--) a[i] = 1;",
		"for (unsigned i = 60; i < n; i--) a[i] = 1; a[3] = 2;",
		"unsigned i = 5; for (;;) { a[i] = 1; if (i == 0) break; i--; }",
		"for (unsigned i = 5;; i--) { a[i] = 1; if (i == 0) break; }",
	},
	"doubling": {
		"for (int k = 2; k <= 64; k <<= 1) for (int j = k >> 1; j > 0; j >>= 1) for (int i = 0; i < 64; i++) { int l = i ^ j; if (l > i) { double t = a[i]; a[i] = a[l]; a[l] = t; } }",
		"for (int s = 64; s > 1; s /= 2) for (int h = s / 2; h > 0; h /= 2) for (int i = h; i < s; i++) a[i] += b[i - h];",
		"for (int w = 1; w < 64; w *= 2) for (int i = 0; i < 64; i += 2 * w) { int p = i, q = i + w; for (int k = w; k > 0; k >>= 1) a[p + k - 1] += a[q + k - 1]; }",
	},
	"bits": {
		"for (int i = 1; i < 60; i++) for (int j = 1; j < 60; j++) if (((i ^ j) & 1) == 0) c[i][j] += c[i - 1][j] + c[i][j + 1];",
		"for (int i = -9; i < 60; i++) for (int j = -3; j < 9; j++) for (int k = 0; k < 3; k++) if (1 & (i ^ j ^ k)) a[i + 9] += b[j + 3];",
		"for (int i = 0; i < 64; i++) a[i ^ 5] += b[(i | 6) ^ 3];",
		"for (int i = -8; i < 64; i++) a[(i & 0x35) + 1] += b[(i & ~3) + 8];",
		"for (int i = 0; i < 64; i++) if ((i & 6) == 4) a[i] += 1;",
		"for (int i = 0; i < 64; i++) a[(~i) & 63] += 1;",
		"for (int i = -8; i < 64; i++) a[i & 7] += b[i & 12];",
		"for (int d = 1; d < 32; d *= 2) for (int i = 0; i < 64; i++) if ((i ^ d) > i) a[i] += a[i ^ d];",
	},
}

// endsFunctions are what they call.
const endsFunctions = `extern double a[4000], b[4000], c[64][64];
static int half;
static void turn(void) { for (int i = 1; i < 39; i++) c[1 - half][i] = c[half][i - 1]; half = 1 - half; }
static struct state { int n, now; } at;
static void step(struct state *s) { for (int i = 1; i < s->n; i++) c[1 - s->now][i] = c[s->now][i - 1]; s->now ^= 1; }
typedef struct { double x, y; } pair;
typedef struct { int n; double *x; } many;
static pair ps[100];
static int gcd(int x, int y) { while (y) { int t = x % y; x = y; y = t; } return x; }
static int ilog2(unsigned x) { int l = 0; for (; x > 1; x >>= 1) l++; return l; }
static long power(int x, int k) { return k == 0 ? 1 : k & 1 ? x * power(x, k - 1) : power(x * x, k / 2); }
static double norm(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
static double sweep(double *x, int n) { double s = 0; for (int i = 1; i < n; i++) { x[i] = x[i - 1]; s += x[i]; } return s; }
`

// TestEnds compares the accesses of loops that end in other ways than by their head with those that they make when they run, compiled by gcc.
func TestEnds(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("needs gcc: apt-get install gcc libc6-dev")
	}
	dir := t.TempDir()
	rt := filepath.Join(dir, "rt.o")
	if err := os.WriteFile(filepath.Join(dir, "rt.c"), []byte(runtimeC), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, gcc, "-c", filepath.Join(dir, "rt.c"), "-o", rt)
	for name, bodies := range ends {
		t.Run(name, func(t *testing.T) {
			src := "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\ndouble a[4000], b[4000], c[64][64], e = 1;\n" + endsFunctions + "static void region(int n, int m) {\n{ " + strings.Join(bodies, " }\n{ ") + " }\n}\nint main(void) {\n  region(50, 30); " + realMark + "\n  return 0;\n}\n"
			file := filepath.Join(dir, name+".c")
			if err := os.WriteFile(file, []byte(src), 0o600); err != nil {
				t.Fatal(err)
			}
			u, err := Load(file, nil, Options{Regions: []string{"region"}})
			if err != nil {
				t.Fatal(err)
			}
			p := u.Programs[0]
			got := map[touch]int{}
			for _, a := range run(p) {
				got[a]++
			}
			want, symbols := runReal(t, gcc, file, rt)
			objects := map[string]bool{"a": true, "b": true, "c": true}
			if g, w := portrait(got, symbols, objects), portrait(want, symbols, objects); !maps.Equal(g, w) || len(p.Left) > 0 {
				t.Errorf("%s\n%v %v", difference(g, w), p.Warnings, p.Left)
			}
			checkProgram(t, p)
		})
	}
}

// TestWraps refuses integers that wrap on the way to the end of their loop.
func TestWraps(t *testing.T) {
	for body, want := range map[string]string{
		"unsigned i = n; while (i >= 0) { a[i] = 1; i--; if (i == 100000) break; }": "may wrap below 0",
		"unsigned char i = 250; while (i != 4) { a[i] = 1; i++; }":                  "begins behind its end, and wraps",
		"unsigned char i = 250; while (1) { if (i == 4) break; a[i] = 1; i++; }":    "begins behind its end, and wraps",
		"for (unsigned char i = 9; i < 255; i -= 2) a[i] = 1;":                      "does not end the loop",
		"unsigned i = 5; do { a[i] = 1; i--; } while (i < 10);":                     "does not end the loop",
	} {
		src := "double a[4000];\nvoid region(int n) { " + body + " }\nint main(void) { region(50); return 0; }\n"
		if _, err := Load("a.c", []byte(src), Options{Regions: []string{"region"}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot %v, want %s", body, err, want)
		}
	}
}
