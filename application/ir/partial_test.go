package ir

import (
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest/nesttest"
)

// TestParts reads programs of which a part cannot be followed: main without it, functions that were met in it by themselves, and what the program may have set
// before as not known.
func TestParts(t *testing.T) {
	needs(t, "clang++")
	load := func(source string, o csource.Options) (*csource.Unit, error) {
		t.Helper()
		module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: write(t, "a.cpp", source), Command: []string{"clang++", "-O2"}})
		if err != nil {
			t.Fatal(err)
		}
		return Load("a.cpp", module, o)
	}
	const waits = `#include <ctime>
double a[1000], b[1000];
int tick() { int n = 0; double t = clock(); double x[20]; do { double u = clock(); if (u > t) { x[n++] = u; t = u; } } while (n < 20); return x[3] > 5; }
int main() {
  int k = tick();
  for (int r = 0; r < 10; r++) for (int i = 0; i < 1000; i++) a[i] = b[i] * 2;
  return k + (a[5] > 1);
}
`
	u, err := load(waits, csource.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if p := u.Programs[0]; p.Region != "main" || len(p.Left) != 1 || p.Left[0].Loops != 1 || !strings.Contains(nesttest.Accesses(p), "for r = 0..9\n  for i = 0..999\n   r b[i]\n   w a[i]\n") {
		t.Errorf("%s: left out %v\n%s", p.Region, p.Left, nesttest.Accesses(p))
	}
	const set = `int n; double a[1000];
void set(int k) { n = k; }
void work() { for (int i = 0; i < n; i++) a[i] *= 2; }
int main() { set(100); return (int)a[3]; }
`
	if _, err = load(set, csource.Options{}); err == nil || !strings.Contains(err.Error(), "the value of n is not known; define it, such as n=1000") {
		t.Errorf("a global variable that is set: %v", err)
	}
	if u, err = load(set, csource.Options{Defines: []string{"n=7"}}); err != nil || !strings.Contains(nesttest.Accesses(u.Programs[0]), "for i = 0..6\n") {
		t.Errorf("with a value: %v", err)
	}
	const never = "int n = 60; double a[1000];\nvoid work() { for (int i = 0; i < n; i++) a[i] *= 2; }\nint main() { return (int)a[3]; }\n"
	if u, err = load(never, csource.Options{}); err != nil || !strings.Contains(nesttest.Accesses(u.Programs[0]), "for i = 0..59\n") {
		t.Errorf("a global variable that nothing sets: %v", err)
	}
}

// TestWhatDataDecide reads loops that data may end: sizes that are set there are not known behind, and what only that way leads to is not left out unsaid.
func TestWhatDataDecide(t *testing.T) {
	needs(t, "clang++")
	const begin = "static double a[1000]; int x[1000];\nint work(int n) { "
	for name, c := range map[string]struct{ body, refused string }{
		"a place that is found":      {"int k = 0; for (int i = 0; i < n; i++) if (x[i] == 77) { k = i; break; } for (int i = 0; i < k; i++) a[i] += 1; return 0;", "depends on data"},
		"another size where none is": {"int k = 7; for (int i = 0; i < n; i++) if (x[i] == 77) { k = i; break; } for (int i = 0; i < k; i++) a[i] += 1; return 0;", "where data end a loop"},
		"one of several numbers":     {"int s = 0; for (int i = 0; i < n; i++) { int v = x[i]; if (v == 0) break; if (v == 99) return 1; if (v == 7) s = 3; a[i] += 1; } return s;", "one of several tests"},
		"a number that goes on":      {"int i = 0; while (i < n) { int e = x[i] > 0 ? i + 1 : i; a[e] = 1; i = e + 1; } return 0;", ""},
	} {
		module, err := Compile(t.Context(), Compilation{Language: Cxx, Path: write(t, "a.cpp", begin+c.body+" }\n"), Command: []string{"clang++", "-O2"}})
		if err != nil {
			t.Fatal(err)
		}
		u, err := Load("a.cpp", module, csource.Options{Defines: []string{"n=1000"}})
		if err == nil || !strings.Contains(err.Error(), c.refused) {
			t.Errorf("%s: %v, want %q", name, err, c.refused)
			if err == nil {
				t.Log(nesttest.Accesses(u.Programs[0]))
			}
		}
	}
}
