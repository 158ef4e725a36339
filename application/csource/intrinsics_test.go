package csource_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"testing"

	"foresee/application/csource"
	"foresee/application/csource/parse"
	"foresee/application/nest"
)

// intrinsics are bodies with vector intrinsics, and what they do element by element.
var intrinsics = map[string][2]string{
	"triad": {
		"__m256d s = _mm256_set1_pd(3.0); for (int i = 0; i + 4 <= N; i += 4) _mm256_storeu_pd(&a[i], _mm256_fmadd_pd(s, _mm256_loadu_pd(b + i), _mm256_loadu_pd(c + i)));",
		"for (int i = 0; i < N; i++) a[i] = 3.0 * b[i] + c[i];",
	},
	"dot product": {
		"__m128d s = _mm_setzero_pd(); for (int i = 0; i < N; i += 2) s = _mm_add_pd(s, _mm_mul_pd(_mm_load_pd(a + i), _mm_load_pd(b + i))); s = _mm_hadd_pd(s, s); c[0] = _mm_cvtsd_f64(s);",
		"double s = 0; for (int i = 0; i < N; i++) s += a[i] * b[i]; c[0] = s;",
	},
	"product of matrices": {
		`for (int i = 0; i < M; i += 2)
for (int j = 0; j < M; j += 8) {
__m256 p = _mm256_setzero_ps(), q = p;
for (int k = 0; k < M; k++) {
__m256 x = _mm256_loadu_ps(&B[k][j]);
p = _mm256_fmadd_ps(_mm256_broadcast_ss(&A[i][k]), x, p);
q = _mm256_fmadd_ps(_mm256_set1_ps(A[i + 1][k]), x, q);
}
_mm256_storeu_ps(&C[i][j], p);
_mm256_storeu_ps(&C[i + 1][j], q);
}`,
		`for (int i = 0; i < M; i += 2)
for (int j = 0; j < M; j += 8) {
for (int k = 0; k < M; k++) {
for (int l = 0; l < 8; l++) sink += B[k][j + l];
sink += A[i][k] + A[i + 1][k];
}
for (int l = 0; l < 8; l++) { C[i][j + l] = sink; C[i + 1][j + l] = sink; }
}`,
	},
	"integers": {
		"for (int i = 0; i < N; i += 8) { __m256i x = _mm256_loadu_si256((const __m256i *)(n + i)); x = _mm256_add_epi64(x, _mm256_set1_epi32(3)); _mm256_storeu_si256((__m256i *)(n + i), x); }",
		"for (int i = 0; i < N; i += 8) for (int l = 0; l < 4; l++) ((long *)n)[i / 2 + l] += 3;",
	},
	"pointers to vectors": {
		"__m256d *p = (__m256d *)a; const __m256d *q = (const __m256d *)b; for (int i = 0; i < N / 4; i++) p[i] = _mm256_add_pd(q[i], _mm256_sqrt_pd(q[i]));",
		"for (int i = 0; i < N / 4; i++) { for (int l = 0; l < 4; l++) sink += b[4 * i + l]; for (int l = 0; l < 4; l++) { sink += b[4 * i + l]; a[4 * i + l] = sink; } }",
	},
	"an array of sums": {
		"__m256d s[4]; for (int k = 0; k < 4; k++) s[k] = _mm256_setzero_pd(); for (int i = 0; i < N; i += 16) for (int k = 0; k < 4; k++) s[k] = _mm256_add_pd(s[k], _mm256_loadu_pd(a + i + 4 * k)); _mm256_storeu_pd(b, _mm256_add_pd(_mm256_add_pd(s[0], s[1]), _mm256_add_pd(s[2], s[3])));",
		"for (int i = 0; i < N; i++) sink += a[i]; for (int l = 0; l < 4; l++) b[l] = sink;",
	},
	"the rest in scalars": {
		"int i = 0; for (; i + 8 <= N - 3; i += 8) _mm512_storeu_pd(a + i, _mm512_max_pd(_mm512_loadu_pd(b + i), _mm512_setzero_pd())); for (; i < N - 3; i++) a[i] = b[i] > 0 ? b[i] : 0; _mm_prefetch((const char *)c, _MM_HINT_T0);",
		"for (int i = 0; i < N - 3; i++) a[i] = b[i] + 1;",
	},
}

// TestIntrinsics: vectors are read element by element, and take the operations of one element; gcc knows the intrinsics by the same names.
func TestIntrinsics(t *testing.T) {
	const before = "#include <immintrin.h>\nenum { N = 160, M = 16 };\ndouble a[N], b[N], c[N];\nfloat A[M][M], B[M][M], C[M][M];\nint n[N];\nvoid f(void) {\ndouble sink = 0;\n"
	gcc, _ := exec.LookPath("gcc")
	for name, x := range intrinsics {
		t.Run(name, func(t *testing.T) {
			var portraits [2]map[touched]int
			for i, body := range x {
				u, err := csource.Load("a.c", []byte(before+body+"\n}\n"), csource.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if portraits[i] = touchedBy(t, u.Programs[0]); len(u.Programs[0].Left) > 0 {
					t.Fatal(u.Programs[0].Left)
				}
			}
			if len(portraits[0]) == 0 || !maps.Equal(portraits[0], portraits[1]) {
				t.Errorf("%v\nwant %v", portraits[0], portraits[1])
			}
			if gcc == "" {
				return
			}
			file := filepath.Join(t.TempDir(), "a.c")
			if err := os.WriteFile(file, []byte(before+x[0]+"\n}\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.CommandContext(t.Context(), gcc, "-Werror=implicit-function-declaration", "-mavx512f", "-mavx512dq", "-mfma", "-S", "-o", "/dev/null", file).CombinedOutput(); err != nil {
				t.Errorf("gcc: %v\n%s", err, out)
			}
		})
	}
}

// touched is a line of 8 bytes of an object.
type touched struct {
	object string
	line   int64
}

// touchedBy counts the accesses of a program to named arrays, by where they are; those of local ones do not count.
func touchedBy(t *testing.T, p *nest.Program) map[touched]int {
	t.Helper()
	s, err := nest.NewStream(p, nest.Options{Threads: 1, Group: 1, Line: 8})
	if err != nil {
		t.Fatal(err)
	}
	all := map[touched]int{}
	s.Each(func(at nest.Place) bool {
		if at.Object < len(p.Objects) {
			if name := p.Objects[at.Object].Name; len(name) == 1 && name != "s" {
				all[touched{name, at.Line}]++
			}
		}
		return true
	})
	return all
}

// TestIntrinsicsExist: gcc has every function of the header that stands in for its own.
func TestIntrinsicsExist(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil || runtime.GOARCH != "amd64" {
		t.Skip("needs gcc on x86-64: apt-get install gcc")
	}
	text, err := exec.CommandContext(t.Context(), gcc, "-march=sapphirerapids", "-O2", "-dD", "-E", "-include", "immintrin.h", "-x", "c", "/dev/null").Output()
	if err != nil {
		t.Skip("this gcc does not know what the header has: ", err)
	}
	known := map[string]bool{}
	for _, name := range regexp.MustCompile(`\b_mm\w+`).FindAllString(string(text), -1) {
		known[name] = true
	}
	s, err := parse.Parse(nil, "a.c", []byte("#include <immintrin.h>\n"), nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Facts.Functions) < 300 {
		t.Errorf("%d functions", len(s.Facts.Functions))
	}
	for _, f := range s.Facts.Functions {
		if name := f.Declarator.Name(); !known[name] {
			t.Errorf("no %s", name)
		}
	}
}
