package csource

import (
	"strings"
	"testing"
)

// hostile holds sources that were once counted wrongly: the accesses, part of the warnings, or the refusal.
var hostile = []struct {
	name, body string
	accesses   int
	want       string // part of the error, or of the warnings when there are accesses
}{
	{"entry value", `n = n - 10; for (int i = 0; i < n; i++) A[i] = 1;`, 40, ""},
	{"entry value stepped", `n -= 10; for (int i = 0; i < n; i++) A[i] = 1;`, 40, ""},
	{"computed value", `int m = n + 1; for (int i = 0; i < m; i++) A[i] = 1;`, 51, "a.c:3: m is computed here; the definition m=3 is not taken"},
	{"unknown value", `int m = rand(); for (int i = 0; i < m; i++) A[i] = 1;`, 3, ""},
	{"constant", `int m = 7; for (int i = 0; i < m; i++) A[i] = 1;`, 3, "a.c:3: m is set to 7 here; the definition m=3 is taken instead"},
	{"shadow", `{ int n = 5; for (int i = 0; i < n; i++) A[i] = 1; }`, 5, ""},

	{"unsigned difference", `for (unsigned i = 0; i < n; i++) if (i - 5 < 10) A[i] = 1;`, 10, ""},
	{"unsigned always", `for (unsigned i = 0; i < n; i++) if (i - 5 >= 0) A[i] = 1;`, 50, ""},
	{"unsigned bound", `for (unsigned i = 0; i < n - 60; i++) A[i] = 1;`, 0, "n - 60 may be negative where it becomes unsigned; use signed types"},
	{"unsigned end", `for (unsigned i = n - 1; i > 0; i -= 2) A[i] = 1;`, 0, "i may step below 0"},
	{"narrow cast", `for (int i = 0; i < n; i++) A[(unsigned char)(i * 7)] = 1;`, 50, ""},
	{"narrow variable", `for (int i = 0; i < n; i++) { unsigned char u = i * 10; A[u] = 1; }`, 50, ""},
	{"narrow loop", `for (unsigned char c = 0; c < 300; c++) A[c] = 1;`, 0, "the loop variable c may leave its type, which ends at 255"},
	{"overflow", `int k = 100000000; for (int i = 0; i < n; i++) A[i * k % 7] = 1;`, 50, "a.c:3: i * k may overflow int (0 to 4900000000), which C does not define"},

	{"harmless loop", `for (unsigned i = 0; i < n; i++) A[i] = 1;`, 50, ""},
	{"harmless countdown", `for (size_t j = n; j-- > 0;) A[j] = 1;`, 50, ""},
	{"harmless neighbour", `for (unsigned i = 1; i < n - 1; i++) A[i - 1] = A[i + 1];`, 96, ""},
	{"harmless guard", `for (size_t i = 0; i < n; i++) if (i > 0 && i - 1 < 10) A[i - 1] = 1;`, 10, ""},
	{"harmless detour", `for (unsigned i = 0; i < n; i++) A[i - 1 + 1] = 1;`, 50, ""},
	{"harmless triangle", `for (unsigned i = 0; i < n; i++) for (unsigned j = i; j < n; j++) A[(j - i) / 2] = 1;`, 1275, ""},
	{"harmless size", `for (unsigned i = 0; i < sizeof(A) / sizeof(A[0]); i++) A[i] = 1;`, 2000, ""},
	{"harmless choice", `for (unsigned i = 0; i < n; i++) A[i >= 5 ? i - 5 : 0] = 1;`, 50, ""},
	{"harmless narrow", `for (unsigned char c = 0; c < 100; c++) A[(unsigned char)(2 * c)] = 1;`, 100, ""},

	{"harmless flip", `for (unsigned k = 1; k <= 8; k *= 2) for (unsigned i = 0; i < 64; i++) { unsigned l = i ^ k; if (l > i) A[l] = 1; }`, 128, ""},
	{"harmless flip of int", `unsigned s = 0; for (int i = 0; i < n; i++) { s = i ^ 4; A[s] = 1; }`, 50, ""},

	{"and on data", `for (int i = 1; i < n; i++) A[i] = (i & 1) && B[i] > 0;`, 74, ""},
	{"or on data", `for (int i = 1; i < n; i++) A[i] = (i & 1) || B[i] > 0;`, 73, ""},
	{"if and", `for (int i = 0; i < n; i++) if (i > 10 && B[i] > 0) A[i] = 1;`, 78, "both sides are counted"},
	{"if and after data", `for (int i = 0; i < n; i++) if (B[i] > 0 && i > 10) A[i] = 1;`, 89, "both sides are counted"},
	{"if or", `for (int i = 0; i < n; i++) if (i > 10 || B[i] > 0) A[i] = 1;`, 61, "both sides are counted"},
	{"if and else", `for (int i = 0; i < n; i++) if (i > 10 && B[i] > 0) A[i] = 1; else A[0] = 2;`, 39*3 + 11, "both sides are counted"},
	{"data and data", `for (int i = 0; i < n; i++) A[i] = A[i] > 0 && B[i] > 0;`, 150, "both sides are counted"},

	{"below an array", `for (int i = 0; i < n; i++) A[i - 20] = 1;`, 50, "a.c:3: A[i - 20] reaches bytes -160 to 239 of A, which has 16000 bytes"},
	{"beyond an array", `for (int i = 0; i < n; i++) A[40 * i + 100] = 1;`, 50, "reaches bytes 800 to 16487"},
	{"within a triangle", `for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) A[i - j] = 1;`, 1275, ""},
	{"within a guard", `for (int i = 0; i < n; i++) if (i > 0) A[i - 1] = 1;`, 49, ""},

	{"do once", `do { for (int i = 0; i < n; i++) A[i] = 1; } while (0);`, 50, ""},
	{"started before", `int i = 3; for (; i < n; i++) A[i] = 1; A[i] = 2;`, 48, ""},
	{"while", `int i = 0; while (i < n) A[i++] = 0;`, 50, ""},
	{"or condition", `for (int i = 0; i < 4 || i < n; i++) A[i] = 0;`, 50, ""},
	{"goto out", `for (int i = 0; i < n; i++) { A[i] = 0; goto end; } end: ;`, 1, ""},
	{"return by a loop variable", `for (int i = 0; i < n; i++) { A[i] = 0; if (i == 3) return; }`, 4, ""},
	{"do", `int i = 7; do A[i++] = 0; while (i < 3);`, 1, ""},
	{"doubled step", `for (int i = 1; i < n; i *= 2) A[i] = 0;`, 6, ""},
	{"shifted step", `for (int s = n; s > 0; s >>= 1) for (int i = 0; i < s; i++) A[i] = 0;`, 50 + 25 + 12 + 6 + 3 + 1, ""},
	{"two variables", `for (int i = 0, j = 99; i < j; i++, j -= 2) A[i] = A[j];`, 66, ""},
	{"pointers", `double *p = A, *q = B; for (int i = 0; i < n; i++) { *p++ = *q; q += 2; }`, 100, ""},
	{"break on data", `for (int i = 0; i < n; i++) { if (A[i] > 1) break; A[i] = 0; }`, 100, "break depends on data; what it skips is counted as executed"},
	{"break by loop variables", `for (int i = 0; i < n; i++) for (int j = 0; j < 10; j++) { if (j == i % 10) break; A[j] = 1; }`, 5 * 45, ""},
	{"continue on data", `for (int i = 0; i < n; i++) { if (A[i] > 1) { if (i > 3) continue; A[i] = 0; } A[i] = 1; }`, 150, "continue depends on data"},
	{"return on data", `for (int i = 0; i < n; i++) { if (A[i] > 1) return; A[i] = 0; }`, 100, "return depends on data"},
	{"switch", `for (int i = 0; i < n; i++) switch (i % 3) { case 0: A[i] = 0; case 1: A[i] = 1; break; default: A[i] = B[i]; }`, 17*2 + 17 + 16*2, ""},
	{"switch on data", `for (int i = 0; i < n; i++) switch ((int)A[i]) { case 0: A[i] = 0; break; case 1: A[i] = B[i]; }`, 50 + 50 + 100, "all cases are counted as executed"},
	{"swap", `double *p = A, *q = B; for (int t = 0; t < 41; t++) { for (int i = 0; i < n; i++) p[i] = q[i]; double *s = p; p = q; q = s; } p[0] = 1;`, 41*100 + 1, ""},
	{"a loop that is left out", `for (int i = 0; i < n; i++) A[i] = 1; for (int i = (int)B[0]; i; i = (int)B[i]) A[i] = 0;`, 50, ""},
	{"ended between", `int i; for (i = 0; i < n; i += 4) A[i] = 1; for (; i < 60; i++) A[i] = 1;`, 21, ""},
}

func TestHostile(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			src := "#include <stdlib.h>\ndouble A[2000], B[2000]; void g(int n) {\n" + c.body + " }\n"
			u, err := Load("a.c", []byte(src), Options{Defines: []string{"n=50", "m=3"}})
			if c.accesses == 0 {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Fatalf("got %v, want %s", err, c.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := len(run(u.Programs[0])); got != c.accesses {
				t.Errorf("%d accesses, want %d", got, c.accesses)
			}
			checkProgram(t, u.Programs[0])
			all := strings.Join(u.Programs[0].Warnings, "\n")
			if !strings.Contains(all, c.want) || c.want == "" && all != "" && !strings.Contains(all, "rand") {
				t.Errorf("warnings %q, want %q", all, c.want)
			}
		})
	}
}

// TestContradictions says which of -D and the program is taken.
func TestContradictions(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"double A[99];\nvoid f(int n) { for (int i = 0; i < n; i++) A[i] = 1; }\nint main() { f(20); return 0; }", "a.c:3: f is called with n = 20 here; the definition n=50 is taken instead"},
		{"double A[99]; int n;\nvoid f(void) { for (int i = 0; i < n; i++) A[i] = 1; }\nint main() { n = 20; f(); return 0; }", "a.c:3: n is set to 20 here; the definition n=50 is taken instead"},
	} {
		u, err := Load("a.c", []byte(c.src), Options{Defines: []string{"n=50"}, Regions: []string{"f"}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(u.Programs[0].Warnings, "\n"); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
		if got := len(run(u.Programs[0])); got != 50 {
			t.Errorf("%d accesses, want 50", got)
		}
	}
}
