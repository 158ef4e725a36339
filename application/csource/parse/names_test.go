package parse

import "testing"

// TestDeclaredNames: N is told from a macro by where it stands.
func TestDeclaredNames(t *testing.T) {
	for src, want := range map[string]bool{
		"int N = 5;":                                            true,
		"void f(int N, double a[N]) { }":                        true,
		"long a, *N;":                                           true,
		"long a = b * c, *N;":                                   true,
		"void f(struct grid *N) { }":                            true,
		"void f(void) { long c = (i * N + j) * N + k; }":        false,
		"void f(void) { double x = y * N; }":                    false,
		"void f(void) { int x = g(y * 2, z) * N, w = 3 * N; }":  false,
		"void f(void) { for (long k = 1; k < N * N; k++) ; }":   false,
		"#ifndef N\n#define N 90\n#endif\ndouble a[N][N], *p;":  false,
		"#define N 90\n#define OF(N) int N\nint x = 3;":         false,
		"int main(void) { return N; }":                          false,
		"#if N > 3\nint a;\n#endif\nint b = N;":                 false,
		"void f(void) { unsigned *p = (unsigned *)q + 2 * N; }": false,
	} {
		if got := declaredNames(src, map[string]bool{"N": true})["N"]; got != want {
			t.Errorf("%s: declared %v, want %v", src, got, want)
		}
	}
}
