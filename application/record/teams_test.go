package record

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foresee/internal/longtest"
)

// teamsBegin is what the programs of TestTeams begin with.
const teamsBegin = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <omp.h>
struct node { struct node *next; int v; };
struct node *head, *tail;
int a[1000], n, x, y, list[1000], here;
double d[1000], sum, best, buf[64], kept;
int (*table[2])(const char *) = {puts, puts};
static void __attribute__((noinline)) bump(int *p) { *p += 1; }
static void __attribute__((noinline)) push(struct node *p) {
	_Pragma("omp critical") { p->next = head; head = p; }
}
static void __attribute__((noinline)) fromOne(void) { _Pragma("omp critical") x = y + 1; }
static void __attribute__((noinline)) toOne(void) { _Pragma("omp critical") y = x; }
static int __attribute__((noinline)) counting(const void *p, const void *q) { n++; return *(const int *)p - *(const int *)q; }
static void __attribute__((noinline)) norm(double *to) {
	double s = 0;
	_Pragma("omp for") for (int i = 0; i < 1000; i++) s += d[i] * d[i];
	_Pragma("omp critical") *to += s;
}
static double __attribute__((noinline)) twice(double *t, int i) { t[0] = i; t[1] = 2 * t[0]; return t[1]; }
`

// TestTeams says which programs one run can be dealt for: what each thread of a team does to shared data, and iterations to the thread's own, must not
// depend on how many threads there are. gcc's code is not followed, so that more programs are run by themselves.
func TestTeams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, region string
		apart, gcc   bool // a run by itself for each number of threads, of clang's code and of gcc's
	}{
		{"task by each", "#pragma omp task\n{\n#pragma omp atomic\nn += 1;\n}", true, true},
		{"taskloop by each", "#pragma omp taskloop\nfor (int i = 0; i < 10; i++)\n{\n#pragma omp atomic\nn += 1;\n}", true, true},
		{"list pushed", "struct node *p = malloc(sizeof *p);\n#pragma omp critical\n{ p->next = head; head = p; }", true, true},
		{"list appended by a compare", "struct node *p = calloc(1, sizeof *p);\n#pragma omp critical\n{ if (tail) tail->next = p; else head = p; tail = p; }", true, true},
		{"heads swapped", "#pragma omp critical\n{ struct node *p = head; head = tail; tail = p; }", true, true},
		{"states", "#pragma omp critical\n{ if (!n) n = 1; else if (!x) x = 1; else y = 1; }", true, true},
		{"state by a table", "#pragma omp critical\nx = a[x];", true, true},
		{"masked by another thread", "#pragma omp masked filter(1)\nn++;", true, true},
		{"lock tried", "static omp_lock_t l; if (!omp_test_lock(&l)) x = 1;", true, true},
		{"text appended", "#pragma omp critical\nstrcat((char *)list, \"xy\");", true, true},
		{"through a pointer to a function", "table[n](\"x\");", true, true},
		{"through a parameter", "#pragma omp critical\nbump(&x);", true, true},
		{"own through a parameter", "int mine = 0; bump(&mine); (void)mine;", false, true},
		{"file", "FILE *f = (FILE *)head; fputs(\"x\", f);", true, true},
		{"address of the thread's own", "int mine; tail = (struct node *)&mine;", true, true},
		{"largest counted", "int k = 0;\n#pragma omp for\nfor (int i = 0; i < 100; i++) k++;\n#pragma omp critical\nif (k > n) n = k;", true, true},
		{"roots added", "double s = 0;\n#pragma omp for\nfor (int i = 0; i < 100; i++) s += i;\n#pragma omp critical\nsum += sqrt(s);", true, true},
		{"begins with one", "double s = 1;\n#pragma omp for\nfor (int i = 0; i < 100; i++) s += i;\n#pragma omp critical\nsum += s;", true, true},
		{"gathered and gone through", "int k = 0; double s = 0;\n#pragma omp for\nfor (int i = 0; i < 100; i++) k += a[i];\nfor (int i = 0; i < k; i++) s += d[i];\n#pragma omp atomic\nsum += s;", true, true},
		{"own list that grows", "int mine[1000], k = 0;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) if (a[i]) mine[k++] = i;\n#pragma omp critical\nfor (int i = 0; i < k; i++) list[n++] = mine[i];", true, true},
		{"random numbers", "unsigned seed = 1;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) { seed = seed * 1103515245u + 12345u; a[i] = seed >> 16; }", true, true},
		{"bound of an earlier iteration", "double low = 1e9;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) if (a[i] < low) { d[i] = low; low = a[i]; }", true, true},
		{"sum under a name of largest", "#pragma omp for reduction(max : x)\nfor (int i = 0; i < 1000; i++) x += a[i];", true, true},
		{"thread-local", "#pragma omp for\nfor (int i = 0; i < 1000; i++) a[i] = here++;\n#pragma omp threadprivate(here)", true, true},
		{"list pushed by a function", "push(calloc(1, sizeof(struct node)));", true, true},
		{"one function's result in another", "fromOne(); toOne();", true, true},
		{"comparisons counted", "int m[4] = {4, 3, 2, 1};\n#pragma omp critical\nqsort(m, 4, sizeof(int), counting);", true, true},
		{"halved where something was found", "double b = 0;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) if (d[i] > b) b = d[i];\n#pragma omp critical\nif (b > 0) best = best * 0.5;", true, true},
		{"counted where something was found", "double b = -1;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) if (d[i] > b) b = d[i];\n#pragma omp critical\n{ if (b >= 0) n++; if (b > best) best = b; }", true, true},
		{"sum that begins again", "double s = 0;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) { if (i == 500) s = 0; s += d[i]; }\n#pragma omp atomic\nsum += s;", true, true},
		{"sum of what comes first", "int seen[16] = {0}; double s = 0;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) if (!seen[a[i] & 15]) { seen[a[i] & 15] = 1; s += 1; }\n#pragma omp atomic\nsum += s;", true, true},
		{"last of a count", "#pragma omp for firstprivate(x) lastprivate(x)\nfor (int i = 0; i < 1000; i++) x++;", true, true},
		{"last that was found", "#pragma omp for firstprivate(x) lastprivate(x)\nfor (int i = 0; i < 1000; i++) if (a[i]) x = i;", true, true},
		{"variable of a name that is made", "char name[40]; snprintf(name, 40, \"OMP_%s_THREADS\", \"NUM\"); a[0] = atoi(getenv(name));", true, true},

		{"the same by each", "x = 7;", false, false},
		{"the same of what is there", "y = a[3] * 2;", false, true},
		{"loop", "#pragma omp for schedule(dynamic, 3)\nfor (int i = 0; i < 1000; i++)\n{\n#pragma omp critical\n{ list[n++] = a[i]; }\n#pragma omp atomic\nx += 1;\n}", false, false},
		{"single and master", "#pragma omp single\n{ n++; head = calloc(1, sizeof *head); }\n#pragma omp master\nx++;", false, false},
		{"tasks of one", "#pragma omp single\nfor (int k = 0; k < 10; k++)\n#pragma omp task firstprivate(k)\na[k] = k;", false, false},
		{"sum", "double s = 0;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) s += d[i];\n#pragma omp critical\nsum += s;", false, false},
		{"part of a sum", "double s = 0;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) s += d[i];\n#pragma omp atomic\nsum += s * 0.5;", false, true},
		{"largest and where", "double top = -1; int at = -1;\n#pragma omp for\nfor (int i = 0; i < 1000; i++) if (d[i] > top) { top = d[i]; at = i; }\n#pragma omp critical\nif (top > best) { best = top; n = at; }", false, true},
		{"own counts", "int mine[16] = {0};\n#pragma omp for\nfor (int i = 0; i < 1000; i++) mine[i & 15] += i;\n#pragma omp critical\nfor (int k = 0; k < 16; k++) a[k] += mine[k];", false, true},
		{"scratch", "double t[2];\n#pragma omp for\nfor (int i = 0; i < 1000; i++) d[i] = twice(t, i);", true, false},
		{"scratch written first", "double t[64];\n#pragma omp for\nfor (int i = 0; i < 1000; i++) { for (int k = 0; k < 64; k++) t[k] = buf[k] * i; for (int k = 1; k < 64; k++) d[i] += t[k - 1] * t[k]; }", false, false},
		{"until it is small", "while (best > 1e-3) {\n#pragma omp barrier\n#pragma omp single\nbest = 0;\n#pragma omp for reduction(max : best)\nfor (int i = 0; i < 1000; i++) best = d[i] > best ? d[i] : best;\n}", false, false},
		{"reductions", "#pragma omp for reduction(+ : sum, n) reduction(* : kept) reduction(min : best) reduction(^ : x) reduction(&& : y)\nfor (int i = 0; i < 1000; i++) { sum += d[i]; n += a[i]; kept *= d[i]; best = d[i] < best ? d[i] : best; x ^= a[i]; y = y && i >= 0; }", false, false},
		{"last", "#pragma omp for lastprivate(x)\nfor (int i = 0; i < 1000; i++) x = a[i];", false, false},
		{"sum beside the largest", "#pragma omp for reduction(+ : sum) reduction(max : best)\nfor (int i = 0; i < 100; i++) for (int k = 0; k < a[i]; k++) { sum += d[k] * d[k]; if (fabs(d[k]) > best) best = fabs(d[k]); }", false, false},
		{"sum in a function", "norm(&sum);", false, true},
		{"last of each", "#pragma omp for lastprivate(x)\nfor (int i = 0; i < 1000; i++) { x = i * 2; a[i] = x; }", false, false},
		{"printing", "printf(\"%d\\n\", omp_get_level());", false, false},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			region, after, _ := strings.Cut(c.region, "\n#pragma omp threadprivate")
			begin := teamsBegin
			if after != "" {
				begin += "#pragma omp threadprivate" + after + "\n"
			}
			source := begin + "int main(void) {\n#pragma omp parallel\n{\n" + region + "\n}\nreturn 0; }\n"
			if got, ok := apart(t, "clang", source); ok && got != c.apart {
				t.Errorf("clang: by itself: %v, want %v", got, c.apart)
			}
			if c.apart && c.gcc && !longtest.Asked() {
				return // most of gcc's code is run by itself
			}
			if got, ok := apart(t, "gcc", source); ok && got != c.gcc {
				t.Errorf("gcc: by itself: %v, want %v", got, c.gcc)
			}
		})
	}
}

// TestTeamsOfObjects is TestTeams of what C++ does without brackets.
func TestTeamsOfObjects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, region string
		apart, gcc   bool
	}{
		{"object made", "counted c;", true, true},
		{"object made by a template", "holder<int> c;", true, true},
		{"operator", "text << \"x\";", true, true},
		{"printing", "int k = 3;\n#pragma omp critical\nstd::cout << 2 * k << \" of \" << k << \"\\n\";", false, false},
		{"numbers", "double k = 3; unsigned long m = 1;\n#pragma omp for\nfor (int i = 0; i < 100; i++) values[i] = i * k + m;", false, false},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			source := `#include <iostream>
#include <sstream>
int made; double values[100]; std::ostringstream text;
struct counted { counted() { _Pragma("omp atomic") made++; } };
template <class T> struct holder { T held; holder() { _Pragma("omp atomic") made++; } };
int main() {
#pragma omp parallel
{
` + c.region + "\n}\nreturn 0; }\n"
			if got, ok := apartIn(t, "clang++", "p.cpp", source); ok && got != c.apart {
				t.Errorf("clang++: by itself: %v, want %v", got, c.apart)
			}
			if got, ok := apartIn(t, "g++", "p.cpp", source); ok && got != c.gcc {
				t.Errorf("g++: by itself: %v, want %v", got, c.gcc)
			}
		})
	}
}

// apart builds a program and says whether it is run by itself with each number of threads; ok where the compiler is there.
func apart(t *testing.T, compiler, source string) (by, ok bool) {
	t.Helper()
	return apartIn(t, compiler, "p.c", source)
}

// apartIn is apart of a file of a name.
func apartIn(t *testing.T, compiler, name, source string) (by, ok bool) {
	t.Helper()
	c := compilerNamed(t, compiler, name != "p.c")
	if c == nil {
		return false, false
	}
	dir := t.TempDir()
	file, program := filepath.Join(dir, name), filepath.Join(dir, "p")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	b := &Builder{Compiler: c, Stdout: io.Discard, Stderr: &said}
	if err := b.Build(t.Context(), []string{"-O2", "-w", "-fopenmp", file, "-o", program, "-lm"}); err != nil {
		t.Fatalf("%v\n%s", err, said.String())
	}
	a, err := Asks(program)
	if err != nil {
		t.Fatal(err)
	}
	return len(a.Decisive) > 0, true
}

// TestRefusedFunction builds a program whose text would tell of its threads.
func TestRefusedFunction(t *testing.T) {
	t.Parallel()
	c := compilerNamed(t, "clang", false)
	if c == nil {
		t.Skip("clang is not installed")
	}
	file := filepath.Join(t.TempDir(), "p.c")
	source := "#include <omp.h>\nint main(void) { char b[9]; return (int)omp_capture_affinity(b, 9, \"%N\"); }\n"
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	b := &Builder{Compiler: c, Stdout: io.Discard, Stderr: &said}
	err := b.Build(t.Context(), []string{"-fopenmp", file, "-o", file + ".out"})
	if want := "an OpenMP function is not supported when tracing (omp_capture_affinity is not there)"; err == nil || !strings.Contains(said.String(), want) {
		t.Errorf("%v: %s; want %s", err, said.String(), want)
	}
}

// compilerNamed finds a compiler; nil where it is not there.
func compilerNamed(t *testing.T, name string, cxx bool) *Compiler {
	t.Helper()
	c, err := FindCompiler(t.Context(), cxx)
	if err == nil && c.Clang == strings.HasPrefix(name, "clang") {
		return c
	}
	if c, err = probeCompiler(t.Context(), name, cxx); err != nil {
		return nil
	}
	return c
}
