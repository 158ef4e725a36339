package hoist_test

import (
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest/nesttest"
)

// TestPointers has loads of pointers of rows where compilers put them, in the words of nesttest: r reads, w writes.
func TestPointers(t *testing.T) {
	const rows = "#include <stdlib.h>\nvoid k(int n, int m) {\n  double **u = malloc(8 * 9), **v = malloc(8 * 9); char *c = malloc(64);\n  for (int i = 0; i < 9; i++) { u[i] = malloc(64); v[i] = malloc(64); }\n"
	for _, c := range []struct{ name, body, want string }{
		{"once a row", "for (int i = 0; i < 9; i++) for (int j = 0; j < 8; j++) v[i][j] = u[i][j];", "for i = 0..8\n  r u[i]\n  r v[i]\n  for j = 0..7\n   r u[i][j]\n   w v[i][j]\n"},
		{"the same row once", "for (int j = 0; j < 8; j++) v[2][j] = u[3][j] + u[3][7 - j];", " r u[3]\n r v[2]\n for j = 0..7\n  r u[3][j]\n  r u[3][7 - j]\n  w v[2][j]\n"},
		{"another row in each iteration", "for (int i = 0; i < 9; i++) v[0][i % 8] = u[i][3];", "for i = 0..8\n  r u[i]\n"},
		{"bytes may be pointers", "for (int j = 0; j < 8; j++) { c[j] = 1; v[2][j] = u[3][j]; }", "for j = 0..7\n  w c[j]\n  r u[3]\n"},
		{"collapsed loops stay as they are", "\n#pragma omp parallel for collapse(2)\nfor (int i = 0; i < 9; i++) for (int j = 0; j < 8; j++) v[i][j] = u[i][j];", "  r u[i]\n"},
	} {
		u, err := csource.Load("a.c", []byte(rows+"  "+c.body+"\n}\n"), csource.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := nesttest.Accesses(u.Programs[0]); !strings.Contains(got, c.want) {
			t.Errorf("%s:\n%s\nwithout\n%s", c.name, got, c.want)
		}
	}
}
