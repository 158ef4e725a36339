package application

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"foresee/application/csource"
	"foresee/application/nest"
)

// TestOverridden takes a size of the caller's instead of that which a C++ source defines by itself; Fortran's is compiled as it is, and refused.
func TestOverridden(t *testing.T) {
	if _, err := exec.LookPath("clang++"); err != nil {
		t.Skip("needs clang++: apt-get install clang")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.h": "#define STEP 2\n", "a.cpp": "#include \"a.h\"\n#define N 64\ndouble a[N];\nvoid f() { for (int i = 0; i < N; i += STEP) a[i] = 1; }\n", "a.F90": "#define N 64\n",
		"c20.cpp": "template <class T> concept Any = true;\nvoid f(Any auto *a, int n) { for (int i = 0; i < n; i++) a[i] = 1; }\ndouble a[200];\nint main() { f(a, 200); }\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func(name string) (*Signature, error) {
		in, err := Find(t.Context(), filepath.Join(dir, name), nil, Told{})
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		o, err := in.Open(t.Context(), Options{Source: csource.Options{Defines: []string{"N=200"}}})
		if err != nil {
			return nil, err
		}
		defer o.Close()
		return o.Signature, nil
	}
	s, err := open("a.cpp")
	if err != nil {
		t.Fatal(err)
	}
	stream, err := nest.NewStream(s.Loops[0], nest.Options{Threads: 1, Group: 1, Line: 64})
	if err != nil || stream.Len() != 100 || !strings.Contains(strings.Join(s.Warnings, "\n"), "the definition N=200 is taken instead of that of ") {
		t.Errorf("%d accesses, %v, %q", stream.Len(), err, s.Warnings)
	}
	if _, err := open("c20.cpp"); err != nil {
		t.Error("C++20 unasked:", err)
	}
	if _, err := open("a.F90"); err == nil || !strings.Contains(err.Error(), "it defines by itself what is defined for it") {
		t.Errorf("%v", err)
	}
}
